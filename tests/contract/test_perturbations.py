"""What every registered perturbation keeps."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from hashlib import sha256
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainmark as pm
from conftest import ROOT
from plainmark.options import option_help
from plainmark.perturbations import (
    APPLS,
    CONTROLS,
    ERRORS,
    FACTS,
    PERTURBATIONS,
    TOLERANCE,
    TextDocument,
    generator,
    perturbation,
    pooled,
    sentence_spans,
)
from support import perturbed_texts, requirements

NAMES = PERTURBATIONS.names()
DOCUMENTS = perturbed_texts.documents()
STRENGTHS = [0.0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.62, 0.75, 0.9, 1.0]
SENTENCES = [s for t in perturbed_texts.TEXTS for s in t.split(". ") if s]


def test_all_of_both_papers_are_there():
    assert set(NAMES) == {*APPLS, *ERRORS, *(perturbation(spec).name for spec in (*FACTS, *CONTROLS))}
    assert len(APPLS) == 11
    assert len(ERRORS) == 6


def runnable(name):
    p = perturbation(name)
    requirements.require_parts_of(p)
    return p


@pytest.fixture(params=NAMES)
def p(request):
    return runnable(request.param)


def at(p, document, strength, seed=1):
    return p.apply(document, strength, generator(seed, p, document.id))


def changes(document, made):
    """What was replaced by what, as a set."""
    return {(s.was_start, s.was_end, made.text[s.start : s.end]) for s in made.spans}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.id)
def test_strength_0_changes_nothing(p, document):
    made = at(p, document, 0.0)
    assert (made.text, made.realised, made.spans) == (document.text, 0.0, ())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_realised_is_near_requested_or_the_reason_is_given(p, document, seed):
    for strength in STRENGTHS[1:]:
        made = at(p, document, strength, seed)
        assert 0 <= made.realised <= 1
        assert abs(made.realised - strength) <= TOLERANCE + 1e-9 or made.reason
        if not made.eligible:
            assert made.text == document.text
            assert made.reason
        assert (made.text == document.text) == (not made.spans)
        assert (made.realised == 0) == (not made.spans)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_levels_are_monotone_and_nested(p, document, seed):
    levels = p.levels(document, STRENGTHS, generator(seed, p, document.id))
    realised = [m.realised for m in levels]
    assert realised == sorted(realised)
    assert len({m.eligible for m in levels}) == 1
    for strength, made in zip(STRENGTHS, levels, strict=True):
        assert at(p, document, strength, seed) == made, "one level alone is the same as among others"
    if p.name == "reorder":
        orders = [order_of(document, m.text) for m in levels]
        wrong = [inversions(o) for o in orders]
        assert all(a <= b for a, b in pairwise(wrong))
    else:
        held = [changes(document, m) for m in levels]
        assert all(a <= b for a, b in pairwise(held))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: d.id)
def test_only_the_spans_are_touched(p, document):
    for made in p.levels(document, STRENGTHS, generator(1, p, document.id)):
        if p.name == "reorder":
            assert sorted(pieces(made.text)) == sorted(pieces(document.text))
            for s in made.spans:
                assert made.text[s.start : s.end] == document.text[s.was_start : s.was_end]
            continue
        rebuilt, here = [], 0
        for s in sorted(made.spans):
            rebuilt += [made.text[here : s.start], document.text[s.was_start : s.was_end]]
            here = s.end
        assert "".join([*rebuilt, made.text[here:]]) == document.text


def pieces(text):
    return [text[a:b] for a, b in sentence_spans(text)]


def order_of(document, text):
    """Where each sentence of a reordered text stood; the sentences of the test documents differ."""
    own = pieces(document.text)
    return [own.index(s) for s in pieces(text)]


def inversions(order):
    return {
        (order[i], order[j]) for i in range(len(order)) for j in range(i, len(order)) if order[i] > order[j]
    }


@pytest.mark.wordnet
def test_other_seeds_and_samples_give_other_texts():
    for name in ("delete", "add_in_domain", "reorder", "numbers", "verb_synonyms"):
        p = perturbation(name)
        assert len({at(p, DOCUMENTS[2], 0.5, seed).text for seed in range(8)}) > 1
        other = [p.apply(DOCUMENTS[2], 0.5, generator(1, p, i)).text for i in "abcdefgh"]
        assert len(set(other)) > 1


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(text=st.text(), strength=st.floats(0, 1))
def test_any_text_is_taken(name, text, strength):
    p = runnable(name)
    document, _ = pooled(
        [
            TextDocument(text, "a", source=text, simplified=text[::-1]),
            TextDocument("An owl sat in Rome. It ate 7 mice.", "b"),
        ]
    )
    made = p.apply(document, strength, generator(1, p, "a"))
    assert isinstance(made.text, str)
    assert p.apply(document, 0.0, generator(1, p, "a")).text == text


@pytest.mark.parametrize("name", APPLS)
@settings(max_examples=25)
@given(
    chosen=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=25),
    strengths=st.lists(st.floats(0, 1), min_size=2, max_size=4),
    seed=st.integers(0, 9),
)
def test_properties_on_generated_texts(name, chosen, strengths, seed):
    p = runnable(name)
    text = ". ".join(s.rstrip(".") for s in chosen) + "."
    document = pooled(
        [TextDocument(text, "x", source=text, simplified=perturbed_texts.SIMPLE[0]), *DOCUMENTS[1:3]]
    )[0]
    strengths.sort()
    levels = p.levels(document, strengths, generator(seed, p, "x"))
    assert [m.realised for m in levels] == sorted(m.realised for m in levels)
    for strength, made in zip(strengths, levels, strict=True):
        assert abs(made.realised - strength) <= TOLERANCE + 1e-9 or made.reason
        assert sum(s.end - s.start - (s.was_end - s.was_start) for s in made.spans) == len(made.text) - len(
            text
        )


def frozen():
    """A hash of what each perturbation makes of the documents."""
    out = {}
    for name in NAMES:
        p = perturbation(name)
        texts = [m.text for d in DOCUMENTS for m in p.levels(d, [0.3, 0.7, 1.0], generator(7, p, d.id))]
        out[name] = sha256("\n".join(texts).encode()).hexdigest()[:16]
    return out


GOLDEN = ROOT / "tests" / "golden" / "perturbed.json"


@pytest.mark.wordnet
def test_the_same_texts_as_on_every_other_machine():
    """Frozen with WordNet 3.0 and lemminflect 0.2.3 by: PYTHONPATH=tests python tests/contract/test_perturbations.py"""
    assert frozen() == json.loads(GOLDEN.read_text("utf-8"))


@pytest.mark.wordnet
def test_nothing_depends_on_the_hash_of_strings():
    code = "import test_perturbations as t, json; print(json.dumps(t.frozen()))"
    path = os.pathsep.join([str(ROOT / "tests" / "contract"), str(ROOT / "tests")])
    seen = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert seen[0] == seen[1]
    assert json.loads(seen[0]) == frozen()


@pytest.mark.parametrize("name", NAMES)
def test_values_and_documented(name):
    cls = PERTURBATIONS.find(name)
    assert cls() == cls()
    assert perturbation(cls().spec) == cls()
    assert cls.citation
    assert cls.criterion in ("informativeness", "simplification", "coherence", "faithfulness", "fluency")
    assert cls.effect in (-1, 0, 1)
    assert not cls.__doc__.startswith(cls.__name__ + "(")
    for option in fields(cls):
        assert option_help(cls)[option.name]
    page = (ROOT / "docs" / "perturbations.md").read_text("utf-8")
    assert f"`{name}`" in page


def test_generators_are_stable():
    rng = generator(1, "delete", "a")
    assert isinstance(rng, np.random.Generator)
    assert generator(1, "delete", "a").random(3).tolist() == rng.random(3).tolist()
    assert generator(2, "delete", "a").random() != generator(1, "delete", "a").random()


def test_unknown_names():
    with pytest.raises(pm.PlainmarkError, match=r"no perturbation is called 'negat'\. Did you mean 'negate'"):
        perturbation("negat")


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(frozen(), indent=1) + "\n")
