"""Compares the facts of a text and of its simplification: see `facts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module

from ..errors import OptionError, did_you_mean
from ..languages import english_name
from ..lexicon.language import looks, looks_english
from . import other_languages
from .alignment import Pair
from .calibration import standing
from .kinds import Finding, Kind, Mention, group_of
from .ledger import KINDS, Entry, Ledger, Place, Verdict
from .nearness import nearness
from .passage import Passage
from .risk import risk

Spans = Sequence[tuple[int, int]]

ANY_LANGUAGE = ("number",)
_MOST_MENTIONS = 60  # limit for mentions of one kind in aligned sentences; more are a table or no text at all


@cache
def kind(name: str) -> Kind:
    """The kind with this name."""
    if name not in KINDS:
        raise OptionError(f"no kind of fact is called {name!r}.{did_you_mean(name, KINDS)}")
    loaded: Kind = import_module(f".kinds.{name}", __package__).KIND
    return loaded


def facts(
    source: str | Passage | Pair,
    output: str | Passage = "",
    kinds: Iterable[str] | None = None,
    spans: Mapping[str, tuple[Spans, Spans]] | None = None,
    language: str = "",
) -> Ledger:
    """Compare all numbers, names, negations and other facts. `spans` gives the places of a kind's facts in both texts.

    In languages other than English (the `language` of the output, or the detected one) only numbers are compared.

    >>> ledger = facts("Take 5 mg of the drug.", "Take 5 g of the drug.")
    >>> [(e.kind, e.before.text, e.after.text, e.verdict) for e in ledger.alarms]
    [('number', '5 mg', '5 g', 'changed')]
    """
    pair = source if isinstance(source, Pair) else Pair(source, output)
    entries: list[Entry] = []
    notes: list[str] = []
    names = tuple(KINDS if kinds is None else dict.fromkeys(kinds))
    foreign = [] if language == "en" else [text for text in _texts(pair) if not looks_english(text)]
    codes = other_languages.codes_of(pair, language) if foreign or language not in ("", "en") else None
    unchecked: tuple[str, ...] = ()
    if codes or foreign:
        unchecked = tuple(name for name in names if name not in ANY_LANGUAGE)
        names = tuple(name for name in names if name in ANY_LANGUAGE)
        if unchecked:
            notes.append(
                f"{_said(codes, foreign)}, and only numbers have rules there. Not checked: {', '.join(unchecked)}."
            )
    if codes and names:
        entries += (_number_entry(f, pair) for f in other_languages.compare_numbers(pair, codes))
        names = ()
    for name in names:
        which = kind(name)
        if spans and name in spans:
            before, after = (
                [m for span in side if (m := which.mention(passage, *span))]
                for passage, side in zip((pair.source, pair.output), spans[name], strict=True)
            )
        else:
            before, after, dense = _without_dense(pair, which.find(pair.source), which.find(pair.output))
            if dense:
                notes.append(
                    f"{dense} facts of the kind “{name}” were not compared: more than {_MOST_MENTIONS} of them stand together."
                )
        entries += (_entry(name, finding, pair) for finding in which.compare(pair, before, after))
        notes += which.notes(pair)
    if not entries and not unchecked:
        notes.append("No fact of these kinds was found in either text.")
    entries.sort(key=_order)
    altered = None if foreign or codes is not None else risk(pair, entries)
    return Ledger(tuple(entries), altered, tuple(dict.fromkeys(notes)), unchecked)


def find(name: str, text: str) -> list[Mention]:
    """The facts of one kind in a text, in order.

    >>> [m.start for m in find("negation", "Owls do not sing.")]
    [8]
    """
    return kind(name).find(Passage(text))


def _without_dense(
    pair: Pair, before: list[Mention], after: list[Mention]
) -> tuple[list[Mention], list[Mention], int]:
    """The mentions except those of groups that have too many on either side, and the number of mentions left out.

    Within a group, every mention is compared with every other one, so this keeps the time linear.
    """
    sides = [[(group_of(pair, side, m), m) for m in row] for side, row in enumerate((before, after))]
    counts = [Counter(group for group, _ in side) for side in sides]
    dense = {g for count in counts for g, number in count.items() if g >= 0 and number > _MOST_MENTIONS}
    if not dense:
        return before, after, 0
    sparse = [[m for group, m in side if group not in dense] for side in sides]
    return sparse[0], sparse[1], len(before) + len(after) - len(sparse[0]) - len(sparse[1])


def _texts(pair: Pair) -> Iterator[str]:
    yield pair.source.text
    yield pair.output.text


def _said(codes: tuple[str, str] | None, foreign: Sequence[str]) -> str:
    """The beginning of notes, which names the languages of the texts."""
    if codes is None:
        return f"One of the texts {looks(foreign[0])}"
    if codes[0] == codes[1]:
        return f"The texts are {english_name(codes[0])}"
    return f"The original is {english_name(codes[0])} and the simplified text {english_name(codes[1])}"


def _number_entry(finding: Finding, pair: Pair) -> Entry:
    """The entry of a number in another language: a change asks for a check unless its evidence has been right often enough."""
    changed = finding.outcome == "changed"
    red = changed and finding.pattern in other_languages.RED
    verdict: Verdict = "check" if changed and not red else finding.outcome
    confidence = other_languages.PRECISION.get(finding.pattern, 1.0) if changed else 1.0
    places = _place(pair.source, finding.before), _place(pair.output, finding.after)
    return Entry("number", verdict, confidence, *places, finding.reason, finding.pattern, red)


def _entry(name: str, finding: Finding, pair: Pair) -> Entry:
    """The entry of a finding, worded as strongly as its pattern allows."""
    changed = finding.outcome == "changed"
    # Changes in place are separate patterns, because they are right far more often.
    pattern = finding.pattern + (nearness(finding, pair) if changed else "")
    may = standing(name, pattern)
    verdict: Verdict = finding.outcome
    confidence = may.precision
    red = changed and may.red and kind(name).alarming
    if changed and not red:
        verdict = "check"
        if not may.check:  # hardly ever a change
            verdict = "same" if finding.before and finding.after else "gone" if finding.before else "new"
            confidence = 1 - may.precision
    return Entry(
        name,
        verdict,
        confidence,
        _place(pair.source, finding.before),
        _place(pair.output, finding.after),
        finding.reason,
        pattern,
        red,
    )


def _place(passage: Passage, mention: Mention | None) -> Place | None:
    if mention is None:
        return None
    sentence = passage.numbers[passage.words[mention.first].sentence]
    return Place(passage.text[mention.start : mention.end], mention.start, mention.end, sentence)


def _order(entry: Entry) -> tuple[int, int]:
    place = entry.before or entry.after
    return (place.sentence, place.start) if place else (0, 0)
