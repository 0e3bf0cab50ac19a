"""In how many outputs every number, date and name of the source survives.

    python -m benchmarks facts_kept SOURCE CASED OUTPUT...

SOURCE has one sentence per line, split at spaces, in lower case or not; CASED has the same sentences with capitals, in any
tokenisation; each OUTPUT has their simplifications. What must survive is determined from SOURCE and CASED only, so it is
the same for every system:

names    runs of capitalised words of CASED (`perturbations._names`), found again in SOURCE by aligning the words of
         both. The word that opens a sentence has a capital anyway: it counts unless WordNet has it as a common word
         ("Yoghurt or yogurt is", "Geography The town lies"). A name survives if its words stand in the output in the
         same order with nothing between them, whatever their case: all of it, not a part or its initials.
numbers  numbers and dates of SOURCE (`perturbations._figures`, those that are not weak); one survives if the output has
         an equal one, however written ("8" and "eight"). And the days of the week, which survive as words.

An output passes if all of them survive. The second figure lets every opening word count, be it a common one or not.
"""

from __future__ import annotations

import argparse
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

from plainmark import wordnet
from plainmark.perturbations._figures import numbers
from plainmark.simplifier.rules._names import _FUNCTION, _opens_sentence, entities
from plainmark.simplifier.surface import split, split_at_spaces

_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


@lru_cache(8192)
def names(source: str, cased: str, *, openings: bool = False) -> tuple[tuple[str, ...], ...]:
    """The names of a sentence in the words of the source."""
    mine, other = split_at_spaces(source), split(cased)
    place: dict[int, int] = {}
    for a, b, n in SequenceMatcher(None, other.words, mine.words, autojunk=False).get_matching_blocks():
        place |= {a + k: b + k for k in range(n)}
    runs = []
    for m in entities(cased):
        inside = [
            i
            for i, (s, e) in enumerate(zip(other.starts, other.ends, strict=True))
            if s < m.end and e > m.start
        ]
        if not openings and _opens_sentence(cased, m.start) and _is_common(other.words[inside[0]]):
            inside = inside[1:]
            while inside and other.words[inside[0]] in _FUNCTION:
                inside = inside[1:]
        at = [place[i] for i in inside if i in place]
        if at and not m.weak:
            runs.append(mine.words[min(at) : max(at) + 1])
    return tuple(runs)


def lost(source: str, cased: str, output: str, *, openings: bool = False) -> list[str]:
    """The names, numbers and days that do not survive."""
    words = split_at_spaces(output).words
    text = f" {' '.join(words)} "
    out = [" ".join(n) for n in names(source, cased, openings=openings) if f" {' '.join(n)} " not in text]
    in_output = {m.key for m in numbers(output)}
    out += [m.text for m in numbers(source) if not m.weak and m.key not in in_output]
    return out + [w for w in split_at_spaces(source).words if w in _WEEKDAYS and w not in words]


@lru_cache(8192)
def _is_common(word: str) -> bool:
    spelled = [w for s in wordnet.load().synsets(word) for w in s.words]
    bases = {b for p in ("n", "v", "a", "r") for b in wordnet.load().base_forms(word, p)}  # type: ignore[arg-type]
    return any(w in bases and w.islower() for w in spelled)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks facts_kept",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source")
    parser.add_argument("cased")
    parser.add_argument("outputs", nargs="+", metavar="output")
    options = parser.parse_args(arguments)
    sources, originals = (_lines(p) for p in (options.source, options.cased))
    for path in options.outputs:
        texts = _lines(path)
        rows, strict = (
            [lost(s, c, o, openings=f) for s, c, o in zip(sources, originals, texts, strict=True)]
            for f in (False, True)
        )
        good, all_good = (sum(not r for r in x) for x in (rows, strict))
        n = len(rows)
        print(f"{100 * good / n:.1f} % ({good} of {n}), openings counted {100 * all_good / n:.1f} %\t{path}")
        for k, row in enumerate(rows, 1):
            if row:
                print(f"  {k}: {'; '.join(row)}")


def _lines(path: str) -> list[str]:
    return Path(path).read_text("utf-8").removesuffix("\n").split("\n")
