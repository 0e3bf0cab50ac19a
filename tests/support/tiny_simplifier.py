"""A small simplifier for tests: sentences and rules of our own."""

import json
from functools import cache

from plainmark.lm import LanguageModel
from plainmark.simplifier.lattice.building import build_decoder, fit, tuning_corpus
from plainmark.simplifier.rules.building import RuleSource
from plainmark.simplifier.rules.extraction import extract, extract_drops
from plainmark.simplifier.rules.sources import from_extracted

HARD = {"assisted": "helped", "numerous": "many", "residence": "home", "purchased": "bought", "large": "big"}
SUBJECTS = ["the man", "a woman", "the old teacher", "his friend", "the child"]
OBJECTS = ["numerous people", "the large residence", "a large dog", "numerous old books"]
VERBS = ["assisted", "purchased"]
SENTENCES = [f"{s} {v} {o} .".split() for s in SUBJECTS for v in VERBS for o in OBJECTS]
REFERENCES = [
    [[HARD.get(w, w) for w in s], [HARD.get(w, w) if w != "large" else w for w in s]] for s in SENTENCES
]
PAIRS = [*HARD.items(), ("numerous", "abundant"), ("large", "tall"), ("teacher", "coach")]


@cache
def language_model():
    lines = [" ".join(r) for of_one in REFERENCES for r in of_one] + [" ".join(s) for s in SENTENCES]
    return LanguageModel.train(lines, order=3)


@cache
def fitted():
    """A decoder with fitted networks, the sentences prepared, and their corpus."""
    rules = [
        RuleSource("ppdb", [((a,), (b,)) for a, b in PAIRS]),
        from_extracted("tune", extract(SENTENCES, REFERENCES)),
    ]
    decoder = build_decoder(
        rules, [from_extracted("tune", extract_drops(SENTENCES, REFERENCES))], language_model()
    )
    decoder, prepared, _ = fit(decoder, SENTENCES, REFERENCES)
    return decoder, prepared, tuning_corpus(SENTENCES, REFERENCES)


def write_inputs(folder):
    """The files that `plainmark tune` takes."""
    (folder / "pairs.txt").write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    rows = [
        {"source": " ".join(s), "references": [" ".join(r) for r in of_one]}
        for s, of_one in zip(SENTENCES, REFERENCES, strict=True)
    ]
    (folder / "tune.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    language_model().save(folder / "lm.arpa.gz")
