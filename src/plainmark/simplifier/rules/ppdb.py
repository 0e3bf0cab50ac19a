"""Rules of the Paraphrase Database, versions 1.0 and 2.0, and of other synchronous grammars in the same form.

    [LHS] ||| source ||| target ||| name=value name=value ... ||| 0-0 1-1 [||| entailment]

A nonterminal such as [NN,1] is on both sides, with the same number. Files are read line by line and, as few fit in
memory, filtered to the words of an input. References: Ganitkevitch et al. 2013; Pavlick et al. 2015.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ...errors import InputError
from ...files import open_bytes

_NONTERMINAL = re.compile(r"\[([^\s\[\]]+),([1-9][0-9]?)\]")  # labels may be punctuation marks, as in [,,1]
_SIDE = re.compile(r"\[([^\s\[\]]+)\]")
_SEPARATOR = "|||"
# Version 2.0 calls the source e1 and the target e2; probabilities are negative logarithms in both versions.
_NAMES_OF_2 = {
    "-logp(LHS|e1)": "p(LHS|f)", "-logp(LHS|e2)": "p(LHS|e)", "-logp(e1|LHS)": "p(f|LHS)", "-logp(e2|LHS)": "p(e|LHS)",
    "-logp(e1|e2)": "p(f|e)", "-logp(e2|e1)": "p(e|f)", "-logp(e1|e2,LHS)": "p(f|e,LHS)",
    "-logp(e2|e1,LHS)": "p(e|f,LHS)", "Lex(e1|e2)": "Lex(f|e)", "Lex(e2|e1)": "Lex(e|f)",
}  # fmt: skip
MOST_NONTERMINALS = 6  # the arrays of one rule, as the kernels receive them


class Nonterminal(NamedTuple):
    """A placeholder for a phrase of some kind; equal numbers on both sides of a rule are the same phrase."""

    label: str
    number: int

    def __str__(self) -> str:
        return f"[{self.label},{self.number}]"


Symbol = str | Nonterminal

_CHANGING = frozenset(("Exclusion", "ReverseEntailment"))  # entailment labels of PPDB 2.0


@dataclass(frozen=True)
class Rule:
    """A phrase and a phrase that can replace it; features are those of the file."""

    lhs: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    features: dict[str, float] = field(default_factory=dict, hash=False)
    alignment: tuple[tuple[int, int], ...] = ()
    entailment: str = ""

    @property
    def changes_meaning(self) -> bool:
        """Whether, according to PPDB 2.0, the target excludes the source, or says more than it (a dog for an animal)."""
        return self.entailment in _CHANGING

    @property
    def is_lexical(self) -> bool:
        """Whether both sides are one word."""
        return len(self.source) == len(self.target) == 1 and not self.nonterminals

    @property
    def nonterminals(self) -> tuple[Nonterminal, ...]:
        """The nonterminals of the source, in order."""
        return tuple(s for s in self.source if isinstance(s, Nonterminal))

    def __str__(self) -> str:
        """The rule as a line of a file."""
        sides = (" ".join(map(str, side)) for side in (self.source, self.target))
        features = " ".join(f"{name}={value:g}" for name, value in self.features.items())
        alignment = " ".join(f"{a}-{b}" for a, b in self.alignment)
        fields = [f"[{self.lhs}]", *sides, features, alignment, *([self.entailment] * bool(self.entailment))]
        return f" {_SEPARATOR} ".join(fields)


class MalformedRule(ValueError):  # noqa: N818
    """A line is not a rule; the message is the reason."""


def parse_rule(line: str) -> Rule:
    """The rule of a line.

    >>> rule = parse_rule("[NP] ||| [NNP,1] 's population ||| the people of [NNP,1] ||| p(e|f)=1.5 ||| 2-1")
    >>> rule.target[-1], rule.features
    (Nonterminal(label='NNP', number=1), {'p(e|f)': 1.5})
    """
    fields = [part.strip() for part in line.split(_SEPARATOR)]
    if not 4 <= len(fields) <= 6:
        raise MalformedRule(f"{len(fields)} fields between |||, expected 4 to 6")
    lhs = _SIDE.fullmatch(fields[0])
    if lhs is None or _NONTERMINAL.fullmatch(fields[0]):
        raise MalformedRule(f"{fields[0][:40]!r} before the source, expected a symbol such as [NP]")
    source, target = _symbols(fields[1]), _symbols(fields[2])
    if not source:
        raise MalformedRule("an empty source")
    ours, theirs = (sorted(s for s in side if isinstance(s, Nonterminal)) for side in (source, target))
    if ours != theirs or len({s.number for s in ours}) != len(ours):
        raise MalformedRule("nonterminals of source and target are not the same ones")
    if len(ours) > MOST_NONTERMINALS:
        raise MalformedRule(f"{len(ours)} nonterminals, expected at most {MOST_NONTERMINALS}")
    alignment = _alignment(fields[4], len(source), len(target)) if len(fields) > 4 else ()
    return Rule(lhs[1], source, target, _features(fields[3]), alignment, fields[5] if len(fields) > 5 else "")


@dataclass
class RuleStream:
    """The rules of a file, read lazily; afterwards `malformed` is the number of lines that were not rules.

    With `words`, only rules whose source has no other words; with `keep`, only rules whose source it accepts (before the
    rest of the line is read).
    """

    lines: Iterable[str]
    name: str = "rules"
    words: Collection[str] | None = None
    keep: Callable[[tuple[Symbol, ...]], bool] | None = None
    read: int = 0
    malformed: int = 0
    first_problem: str = ""

    def __iter__(self) -> Iterator[Rule]:
        self.read = self.malformed = 0
        self.first_problem = ""
        words = None if self.words is None else frozenset(self.words)
        for number, line in enumerate(self.lines, 1):
            if not line.strip():
                continue
            self.read += 1
            try:
                if words is not None or self.keep is not None:
                    parts = line.split(_SEPARATOR, 2)
                    if len(parts) == 3 and not self._wanted(parts[1].split(), words):
                        continue
                yield parse_rule(line)
            except MalformedRule as problem:
                self.malformed += 1
                self.first_problem = self.first_problem or f"{self.name}, line {number}: {problem}."

    def _wanted(self, source: list[str], words: frozenset[str] | None) -> bool:
        if words is not None and not all(w in words or _NONTERMINAL.fullmatch(w) for w in source):
            return False
        return self.keep is None or self.keep(_symbols(" ".join(source)))

    @property
    def problems(self) -> str:
        """A message for users about lines that are not rules; empty if there are none."""
        if not self.malformed:
            return ""
        lines = "line is no rule" if self.malformed == 1 else "lines are no rules"
        return f"{self.name}: {self.malformed:,} of {self.read:,} {lines} and left out; {self.first_problem}"


def read_rules(
    path: str,
    *,
    words: Collection[str] | None = None,
    keep: Callable[[tuple[Symbol, ...]], bool] | None = None,
) -> RuleStream:
    """The rules of a file (plain, .gz or .xz); if the whole file has no rule, an error is raised at its end."""
    with open_bytes(path):  # raises the error for a missing file immediately
        pass
    return RuleStream(_lines(path), path, words, keep)


def _lines(path: str) -> Iterable[str]:
    class Lines:
        """The file's lines, from the beginning for each iteration; a line that is not UTF-8 is not a rule."""

        def __iter__(self) -> Iterator[str]:
            with open_bytes(path) as file:
                for line in file:
                    try:
                        yield line.decode("utf-8")
                    except UnicodeDecodeError:
                        yield "a line that is not UTF-8"

    return Lines()


def require(rules: RuleStream, rule_count: int) -> None:
    """Raise an error for a file in which no line is a rule."""
    if not rule_count and rules.read and rules.malformed == rules.read:
        raise InputError(
            f"{rules.name}: no rules among {rules.read:,} lines, expected '[LHS] ||| source ||| target ||| features';"
            f" {rules.first_problem}"
        )


def _symbols(text: str) -> tuple[Symbol, ...]:
    out: list[Symbol] = []
    for word in text.split():
        match = _NONTERMINAL.fullmatch(word) if word[0] == "[" else None
        out.append(Nonterminal(match[1], int(match[2])) if match else word)
    return tuple(out)


def _features(text: str) -> dict[str, float]:
    features: dict[str, float] = {}
    unnamed = 0
    for part in text.split():
        # Names contain brackets and bars but no =, and values no =; a value alone is a feature by its position.
        name, equals, value = part.rpartition("=")
        if not equals:
            name, unnamed = str(unnamed), unnamed + 1
        elif value == "NA":  # version 2.0's notation for an unknown similarity
            continue
        try:
            number = float(value)
        except ValueError:
            raise MalformedRule(f"{part[:40]!r} is no feature, expected name=number") from None
        if not math.isfinite(number):
            raise MalformedRule(f"{part[:40]!r} is not finite")
        features[_NAMES_OF_2.get(name, name)] = number
    return features


def _alignment(text: str, source: int, target: int) -> tuple[tuple[int, int], ...]:
    pairs = []
    for part in text.split():
        a, _, b = part.partition("-")
        if not (a.isdecimal() and b.isdecimal() and int(a) < source and int(b) < target):
            raise MalformedRule(f"{part[:40]!r} is no pair of places in source and target")
        pairs.append((int(a), int(b)))
    return tuple(pairs)
