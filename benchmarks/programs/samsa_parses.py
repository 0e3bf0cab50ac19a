"""SAMSA from predicted parses against SAMSA from gold parses, on outputs generated from gold passages.

    python -m benchmarks samsa_parses PATH/TO/wiki-v1.2.4-dev.tar.xz [--parser FOLDER] [--seed 0]

Passages are cut into sentences. Each sentence with a Scene gets one output of every kind:
copy      the unchanged sentence
scenes    some Scenes taken out into sentences of their own, half of the time with the words they share
cut       cut in two or three at random places, at a comma or conjunction if there is one
units     one to three random units (Participants, relations, Scenes, …) deleted
words     every word deleted with a probability from 10 to 60 %
both      `scenes` and then `units` or `words`
Words are aligned once for both parses. Printed: Pearson's and Spearman's correlation over passages (the mean of a passage's
sentences, kind by kind: SAMSA of a text is the mean of its sentences), over all sentences, and over those of each kind; for
the parser's best parse, and for the mean over the five readings of samsa(expected=True).
"""

import argparse
import lzma
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from plainmark import ucca
from plainmark.meta.coefficients import coefficient
from plainmark.metrics.samsa import GAINS
from plainmark.ucca.alignment import WordAligner
from plainmark.ucca.scenes import explain

KINDS = ("copy", "scenes", "cut", "units", "words", "both")


def sentences_of(path):
    """The sentences of all passages in an archive or folder."""
    if Path(path).is_dir():
        passages = list(ucca.read_folder(path).values())
    else:
        with lzma.open(path) as packed, tarfile.open(fileobj=packed) as tar:
            files = [(m.name, tar.extractfile(m).read()) for m in tar if m.name.endswith(".xml")]
        passages = [ucca.parse_passage(content, name) for name, content in files]
    return [(p.id, s) for p in passages for s in ucca.split(p) if s.scenes]


def taken_out(graph, rng):
    """Some Scenes as sentences of their own, the rest before them; as positions."""
    everything = set(range(len(graph.terminals)))
    inner = [s for s in graph.scenes if 0 < len(s.positions) < len(everything)]
    if not inner:
        return [sorted(everything)]
    picked = rng.permutation(len(inner))[: rng.integers(1, len(inner) + 1)]
    rest, out = set(everything), []
    for k in sorted(picked, key=lambda k: len(inner[k].positions)):
        own = set(inner[k].positions) & rest
        rest -= own
        if rng.random() < 0.5:
            shared = (p.positions for p in inner[k].participants if p.remote)
            own = own.union(*shared)
        out.append(sorted(own))
    marks = {i for i, t in enumerate(graph.terminals) if t.punctuation}
    return [s for s in [sorted(rest), *out] if set(s) - marks]


def cut(graph, rng):
    words = [t.text.lower() for t in graph.terminals]
    places = [i for i, w in enumerate(words) if i and w in (",", ";", "and", "but", "which", "who", "while")]
    count = int(rng.integers(1, 3))
    if len(places) < count:
        places = list(range(1, len(words)))
    ends = sorted(rng.permutation(places)[:count].tolist())
    return [list(range(a, b)) for a, b in zip([0, *ends], [*ends, len(words)], strict=True) if a < b]


def without_units(graph, rng):
    units = [p for u, p in graph.positions.items() if p and len(p) < 0.7 * len(graph.terminals)]
    gone = set()
    for k in rng.permutation(len(units))[: rng.integers(1, 4)]:
        gone.update(units[k])
    return gone


def without_words(graph, rng):
    chance = rng.uniform(0.1, 0.6)
    return set(np.flatnonzero(rng.random(len(graph.terminals)) < chance).tolist())


def make(graph, kind, rng):
    """An output as sentences of positions."""
    whole = [list(range(len(graph.terminals)))]
    if kind == "copy":
        return whole
    if kind == "cut":
        return cut(graph, rng)
    sentences = taken_out(graph, rng) if kind in ("scenes", "both") else whole
    if kind == "scenes":
        return sentences
    drop = without_words if kind == "words" or (kind == "both" and rng.random() < 0.5) else without_units
    gone = drop(graph, rng)
    return [rest for s in sentences if (rest := [i for i in s if i not in gone])]


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks samsa_parses",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("gold")
    parser.add_argument("--parser", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="only every N-th sentence")
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    sentences = sentences_of(options.gold)[:: options.every]
    passages, gold = [name for name, _ in sentences], [graph for _, graph in sentences]
    parse = ucca.parser(options.parser)
    predicted = parse.parse([g.terminals for g in gold])
    readings = parse.readings([g.words for g in gold], GAINS)
    outputs = [
        (k, kind, [[graph.words[i] for i in s] for s in make(graph, kind, rng)])
        for k, graph in enumerate(gold)
        for kind in KINDS
    ]
    outputs = [
        (k, kind, [s for s in split if any(c.isalnum() for w in s for c in w)]) for k, kind, split in outputs
    ]
    links = WordAligner().align([(gold[k].words, [w for s in split for w in s]) for k, _, split in outputs])
    rows = []
    for (k, kind, split), alignment in zip(outputs, links, strict=True):
        sides = [explain(side[k], split, alignment) for side in (gold, predicted)]
        several = tuple(explain(graph, split, alignment) for graph in readings[k])
        sides.append(replace(sides[1], readings=several))
        # A sentence in which the parser finds no Scene has no score; it counts as 0 here.
        values = [[0.0 if v != v else v for v in (e.score, e.ablated)] for e in sides]
        rows.append((passages[k], kind, *(x for pair in zip(*values, strict=True) for x in pair)))
    kinds = np.array([r[1] for r in rows])
    table = 100 * np.array([r[2:] for r in rows])
    by_passage: dict[tuple[str, str], list[np.ndarray]] = {}
    for (passage, kind, *_), row in zip(rows, table, strict=True):
        by_passage.setdefault((passage, kind), []).append(row)
    means = np.array([np.mean(some, axis=0) for some in by_passage.values()])
    undefined = sum(not g.scenes for g in predicted)
    print(
        f"{len(set(passages))} passages, {len(gold)} sentences, {len(rows)} outputs; "
        f"the parser sees no Scene in {undefined} sentences"
    )
    for name, a, b in (
        ("SAMSA", 0, 1),
        ("SAMSA_readings", 0, 2),
        ("SAMSA_abl", 3, 4),
        ("SAMSA_abl_readings", 3, 5),
    ):
        for kind in ("passage", "all", *KINDS):
            scores = means if kind == "passage" else table[(kinds == kind) | (kind == "all")]
            x, y = scores[:, a], scores[:, b]
            print(
                f"{name:18} {kind:7} Pearson {coefficient('pearson', x, y):.3f}  Spearman {coefficient('spearman', x, y):.3f}"
                f"  mean gold {x.mean():.1f}, predicted {y.mean():.1f}  mean difference {np.abs(x - y).mean():.1f}"
            )
