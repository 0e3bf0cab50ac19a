"""Show which words of two texts correspond; each has one partner or none.

examples:
  plainmark align-words source.txt output.txt
  plainmark align-words source.txt output.txt --format json
  plainmark align-words --evaluate gold.test.sure.json --format json
Texts are compared line by line, and words are split as SAMSA splits them. Gold links are a JSON list of objects with "source" and "target",
words separated by spaces, "sureAlign" and perhaps "possibleAlign", links such as "0-0 1-2": the Edinburgh++ format.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, OptionError
from ..files import read_json
from ..reading import read_corpus
from ..result import Listing, Result, Row, Titled
from ..table import Cell, Table
from ..ucca.alignment import WordAligner, WordLinks
from ..ucca.words import words
from ._arguments import add_output, add_quiet, check_share, output_format, write_result
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="two texts with the same number of lines")
    parser.add_argument(
        "--encoder",
        choices=["minilm", "ucca", "none"],
        default=WordAligner.encoder,
        help="vectors of words (default: minilm); ucca takes the UCCA parser's encoder, none uses words, base forms and "
        "WordNet alone",
    )
    parser.add_argument(
        "--wordnet",
        choices=["auto", "none"],
        default="auto",
        help="synonyms from WordNet (default: if it is installed)",
    )
    parser.add_argument(
        "--lexicon", metavar="FILE", help="more synonyms: two words per line, separated by a tab"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=WordAligner.threshold,
        metavar="P",
        help=f"probability above which words are linked (default: {WordAligner.threshold:g})",
    )
    parser.add_argument("--shared", action="store_true", help="let several words have the same partner")
    parser.add_argument("--evaluate", metavar="GOLD", help="compare the aligner with gold links")
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    check_share("--threshold", options.threshold)
    aligner = WordAligner(
        encoder=options.encoder,
        wordnet="none" if options.wordnet == "none" else "",
        lexicon=options.lexicon,
        threshold=options.threshold,
        shared=options.shared,
    )
    if options.evaluate:
        if options.files:
            raise OptionError("--evaluate takes its texts from the gold links; expected no other files.")
        write_result(options, _evaluate(options, aligner), form)
        return 0
    if len(options.files) != 2:
        raise OptionError(f"found {len(options.files)} files, expected two texts.")
    left, right = (read_corpus(output=path).outputs for path in options.files)
    if len(left) != len(right):
        raise InputError(
            f"{options.files[0]} has {len(left)} lines, {options.files[1]} has {len(right)}; expected the same number."
        )
    pairs = [(words(a), words(b)) for a, b in zip(left, right, strict=True)]
    aligned = AlignedWords(pairs, _align(aligner, pairs, quiet=options.quiet))
    write_result(options, aligned, form, f"{len(pairs):,} pairs of lines")
    return 0


@dataclass(frozen=True, eq=False)
class AlignedWords(Result):
    """Pairs of texts with their word links; a row is a link."""

    pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
    links: Sequence[WordLinks]

    def tables(self) -> list[Titled]:
        headings = ["line", "source", "word", "target", "partner", "repeated"]
        return [
            ("", Table(headings, [[Cell(str(row[h]), row[h]) for h in headings] for row in self.records()]))
        ]

    def records(self) -> list[Row]:
        return [
            {
                "line": line,
                "source": i + 1,
                "word": a[i],
                "target": j + 1,
                "partner": b[j],
                "repeated": repeated,
            }
            for line, ((a, b), links) in enumerate(zip(self.pairs, self.links, strict=True), 1)
            for repeated, group in ((False, links.pairs), (True, links.repeats))
            for i, j in group
        ]

    def to_dict(self) -> list[dict[str, Any]]:
        return [
            {
                "source": list(a),
                "target": list(b),
                "links": [list(link) for link in links.pairs],
                "repeats": [list(link) for link in links.repeats],
            }
            for (a, b), links in zip(self.pairs, self.links, strict=True)
        ]

    def to_text(self, *, bold: bool = False) -> str:
        aligned = zip(self.pairs, self.links, strict=True)
        return "".join(describe(a, b, links) + "\n" for (a, b), links in aligned)


def describe(a: Sequence[str], b: Sequence[str], links: WordLinks) -> str:
    """One line per link; words without a partner at the end."""
    lines = [f"{i + 1:4} {a[i]}  –  {j + 1} {b[j]}{'' if a[i] == b[j] else '  *'}" for i, j in links.pairs]
    lines += [f"{i + 1:4} {a[i]}  –  {j + 1} {b[j]}  again" for i, j in links.repeats]
    linked_a, linked_b = {i for i, _ in links.pairs}, {j for _, j in (*links.pairs, *links.repeats)}
    for mark, side, linked in (("-", a, linked_a), ("+", b, linked_b)):
        alone = [w for k, w in enumerate(side) if k not in linked]
        if alone:
            lines.append(f"   {mark} {' '.join(alone)}")
    return "\n".join([*lines, ""])


@dataclass(frozen=True)
class Gold:
    """Two sentences and their links."""

    name: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    sure: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]


@dataclass
class Counts:
    """Predicted and gold links, for all words and for different words, as sums and per pair."""

    pairs: list[tuple[float, float]] = field(default_factory=list)
    sums: dict[str, list[int]] = field(default_factory=lambda: {"all": [0] * 4, "different": [0] * 4})

    def add(
        self,
        gold: Gold,
        predicted: Collection[tuple[int, int]],
        possible: Collection[tuple[int, int]] | None = None,
    ) -> None:
        """Count one pair of sentences: precision against sure and possible links, recall against sure ones."""
        allowed = gold.sure | gold.possible | frozenset(possible or ())
        for kind, total in self.sums.items():
            links = [x for x in predicted if kind == "all" or _different(gold, x)]
            gold_links = [x for x in gold.sure if kind == "all" or _different(gold, x)]
            hits, sure = sum(x in allowed for x in links), sum(x in gold.sure for x in links)
            for k, count in enumerate((hits, sure, len(links), len(gold_links))):
                total[k] += count
            if kind == "all":
                # No predicted links means no mistakes, and no gold links means no omissions.
                self.pairs.append((_share(hits, len(links)), _share(sure, len(gold_links))))

    def record(self) -> dict[str, Any]:
        """Precision, recall and F1 in percent."""
        n = max(len(self.pairs), 1)
        precision, recall = sum(p for p, _ in self.pairs) / n, sum(r for _, r in self.pairs) / n
        out: dict[str, Any] = {
            "pairs": len(self.pairs),
            "macro": _scores(precision, recall)
            | {"mean_f1": round(100 * sum(_f1(p, r) for p, r in self.pairs) / n, 2)},
        }
        for name, kind in (("micro", "all"), ("different_words", "different")):
            hits, sure, predicted, gold = self.sums[kind]
            scores = _scores(_share(hits, predicted), _share(sure, gold))
            out[name] = scores | {"found": predicted, "gold": gold}
        return out

    def __str__(self) -> str:
        record = self.record()
        return (
            "; ".join(
                f"{k.replace('_', ' ')} P {v['precision']:.1f} R {v['recall']:.1f} F1 {v['f1']:.1f}"
                for k, v in record.items()
                if k != "pairs"
            )
            + f"; mean F1 {record['macro']['mean_f1']:.1f}"
        )


def read_gold(path: str) -> Iterator[Gold]:
    """The sentence pairs of a file in the Edinburgh++ format."""
    rows = read_json(path)
    if not isinstance(rows, list):
        raise InputError(f"{path}: found {type(rows).__name__}, expected a list of sentence pairs.")
    for number, row in enumerate(rows, 1):
        place = f"{path}, pair {number}"
        if not isinstance(row, dict) or not all(
            isinstance(row.get(k), str) for k in ("source", "target", "sureAlign")
        ):
            raise InputError(f'{place}: expected an object with texts "source", "target" and "sureAlign".')
        a, b = tuple(row["source"].split()), tuple(row["target"].split())
        links = [_links(row.get(k) or "", len(a), len(b), place) for k in ("sureAlign", "possibleAlign")]
        yield Gold(str(row.get("name", number)), a, b, *links)


def _links(text: object, n: int, m: int, place: str) -> frozenset[tuple[int, int]]:
    links = set()
    for link in str(text).split():
        match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", link)
        if not match or int(match[1]) >= n or int(match[2]) >= m:
            raise InputError(
                f"{place}: link {link[:40]!r} does not name a word of each side ({n} and {m} words)."
            )
        links.add((int(match[1]), int(match[2])))
    return frozenset(links)


def _evaluate(options: argparse.Namespace, aligner: WordAligner) -> Listing:
    rows = list(read_gold(options.evaluate))
    counts = Counts()
    for row, links in zip(
        rows, _align(aligner, [(r.a, r.b) for r in rows], quiet=options.quiet), strict=True
    ):
        counts.add(row, links.pairs)
    record = {"aligner": aligner.spec, **counts.record()}
    cells = [
        [
            Cell(label),
            *(Cell(f"{record[key][k]:.1f}", record[key][k]) for k in ("precision", "recall", "f1")),
        ]
        for label, key in (
            ("all links, macro", "macro"),
            ("all links, micro", "micro"),
            ("different words", "different_words"),
        )
    ]
    note = f"{aligner.spec}; {len(rows)} pairs, {record['micro']['gold']} links, {record['different_words']['gold']} between different words"
    return Listing.of(Table(["links", "precision", "recall", "F1"], cells, [note]), data=record)


def _align(
    aligner: WordAligner, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], *, quiet: bool
) -> list[WordLinks]:
    with Progress("aligning", quiet=quiet) as progress, with_models(progress):
        return aligner.align(pairs, progress)


def _different(gold: Gold, link: tuple[int, int]) -> bool:
    return gold.a[link[0]].lower() != gold.b[link[1]].lower()


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _scores(precision: float, recall: float) -> dict[str, float]:
    values = {"precision": precision, "recall": recall, "f1": _f1(precision, recall)}
    return {k: round(100 * v, 2) for k, v in values.items()}
