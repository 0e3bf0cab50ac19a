"""Decoding with a synchronous grammar: sentences per second on TurkCorpus' test sources, in one thread.

    python -m benchmarks scfg [--data FOLDER] [--model lm.arpa.gz]

The grammar is PPDB's lexical pairs for the sentences' words, then also phrases and rules with one and two gaps extracted
from the sentences themselves; scores are random, because only time is measured. Without a model one is trained.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from plainmark.files import open_text
from plainmark.lm import LanguageModel
from plainmark.simplifier.rules.ppdb import Nonterminal, Rule
from plainmark.simplifier.scfg.decoder import ScfgDecoder
from plainmark.simplifier.scfg.grammar import Grammar
from plainmark.simplifier.scfg.search import decode

from ..texts import DATA

ONE, TWO = Nonterminal("X", 1), Nonterminal("X", 2)


def lexical(path, words, rng):
    with open_text(str(path)) as lines:
        for line in lines:
            pair = line.split()
            for a, b in (pair, pair[::-1]) if len(pair) == 2 else ():
                if a in words:
                    yield Rule("X", (a,), (b,), {"score": float(rng.normal(-2, 0.5))})


def artificial(sentences, rng):
    for sentence in sentences:
        words = sentence.split()
        for _ in range(15):
            start, size = int(rng.integers(0, max(1, len(words) - 3))), int(rng.integers(1, 4))
            source = tuple(words[start : start + size])
            target = tuple(w for w in source if rng.random() < 0.7) or source
            yield Rule("X", source, target, {"score": float(rng.normal(-1, 0.5))})
            if size > 1:
                yield Rule(
                    "X", (source[0], ONE, source[-1]), (source[0], ONE), {"score": float(rng.normal(-1, 0.5))}
                )
                yield Rule(
                    "X", (ONE, source[0], TWO), (TWO, source[0], ONE), {"score": float(rng.normal(-3, 0.5))}
                )


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks scfg",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument(
        "--model", help="a language model (default: one is trained on lm-text/wikinews.txt.xz)"
    )
    options = parser.parse_args(arguments)
    if options.model:
        model = LanguageModel.load(options.model)
    else:
        with open_text(str(options.data / "lm-text" / "wikinews.txt.xz")) as lines:
            model = LanguageModel.train(lines, order=4)
    test = (options.data / "turkcorpus" / "test.8turkers.tok.norm").read_text("utf-8").lower().splitlines()
    rng = np.random.default_rng(0)
    pairs = options.data / "ppdb" / "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"
    words = {w for sentence in test for w in sentence.split()}
    rules = list(lexical(pairs, words, rng))
    weights = {"score": 1.0, "lm": 1.0, "words": 0.5}
    for name, some_rules in (("lexical", rules), ("with gaps", [*rules, *artificial(test, rng)])):
        grammar = Grammar.of(some_rules)
        _ = grammar.native  # indexed once
        for pops in (ScfgDecoder.limits.pop_limit, 100):
            for nbest in (1, 300):
                start = time.process_time()
                decoded = decode(grammar, model, weights, test, nbest=nbest, pop_limit=pops)
                took = time.process_time() - start
                best = decoded.scores[decoded.sentences[:-1]].mean()
                print(
                    f"{name}: {len(grammar):,} rules, pop limit {pops}, {nbest}-best, "
                    f"{len(test) / took:.0f} sentences per CPU s, mean score {best:.3f}"
                )
