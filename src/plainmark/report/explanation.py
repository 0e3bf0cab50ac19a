"""The effects of a simplification as HTML: the sections that the playground shows, or a complete file."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..checks import Finding as Check
from ..checks import rule
from ..explanation import Alignment, Explanation, Sentence, VersionComparison
from ..faithfulness import KINDS, Entry, Place
from . import html
from .formatting import count, names
from .marked_text import MEANINGS, Column, LegendEntry, MarkedSentence, Run, counted_sentences, legend

NAMES = {"deleted": "dropped"}
LABELS = {
    "sari": "SARI",
    "bleu": "BLEU",
    "samsa": "SAMSA",
    "facts_kept": "Facts kept, %",
    "numbers_kept": "Numbers kept, %",
    "negation_kept": "Negations kept, %",
    "entities_kept": "Names kept, %",
    "compression": "Length (original = 1)",
    "self_bleu": "Wording kept",
}
PLURALS = {"modality": "modalities"}
_KEYS = "ab"
_FLAGS = {
    "gone": "not in the simplified text",
    "new": "not in the original",
    "changed": "changed",
    "check": "perhaps changed: check",
}
_SIDES = ("simplified", "original")  # the name of the other text, by side
_MOST_NAMED = 6  # facts of one verdict that are named in the overview
_SHOWN = 5  # findings of a rule that are shown before the others are folded away
_QUOTED = 160  # characters of context


@dataclass(frozen=True)
class Finding:
    """One line of the overview: a text, or a fact of the ledger."""

    tone: str
    sign: str
    text: str = ""
    entry: Entry | None = None


@dataclass(frozen=True)
class FactInContext:
    """A fact with some words around it."""

    kind: str
    sentence: int
    before: str
    text: str
    after: str


@dataclass(frozen=True)
class ShownAlignment:
    """Two texts in columns; ids of sentences begin with `key`."""

    key: str
    legend: Sequence[LegendEntry]
    columns: Sequence[Column]


@dataclass(frozen=True)
class ShownRule:
    """The findings of a rule of `plainmark check`, each with its text, shortened; `rest` is folded away."""

    id: str
    name: str
    shown: Sequence[tuple[Check, str]]
    rest: Sequence[tuple[Check, str]]


@dataclass(frozen=True)
class ShownVersion:
    """One simplification; headings refer to it as `place`."""

    name: str
    place: str
    key: str
    explanation: Explanation
    findings: Sequence[Finding]
    alignment: ShownAlignment
    gone: Sequence[FactInContext]
    new: Sequence[FactInContext]
    checks: Sequence[ShownRule]


@dataclass(frozen=True)
class MeasureRow:
    """A measure of readability in the original and, with a verdict, in every version."""

    label: str
    meaning: str
    before: str
    after: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class ScoreRow:
    """A metric's score of every version: its value, and a reason if it has none."""

    label: str
    direction: str
    values: Sequence[tuple[str, str]]
    meaning: str
    signature: str


def sections(comparison: VersionComparison) -> str:
    """All sections, without a page around them."""
    return html.fragment("explanation_sections.html", **_values(comparison))


def page(comparison: VersionComparison, *, day: datetime.date | None = None) -> str:
    """A self-contained HTML file."""
    return html.page(
        "explanation.html",
        title="Two versions compared" if comparison.second else "What the simplified text does",
        styles=("page.css", "ribbons.css", "explanation.css"),
        scripts=("ribbons.js",),
        data={},
        date=day or datetime.datetime.now(datetime.UTC).date(),
        **_values(comparison),
    )


def _values(comparison: VersionComparison) -> dict[str, object]:
    several = comparison.second is not None
    versions = []
    for key, explanation in zip(_KEYS, comparison.versions, strict=False):
        name = f"Version {key.upper()}" if several else "Simplified text"
        place = name if several else "the simplified text"
        versions.append(_version(explanation, key, name, place))
    between = None
    if comparison.between is not None:
        between = _alignment(comparison.between, "d", ("Version A", "Version B"), ("version A", "version B"))
    return {
        "several": several,
        "versions": versions,
        "between": between,
        "measures": _measures(comparison.versions),
        "scores": _scores(comparison.versions),
    }


def _version(explanation: Explanation, key: str, name: str, place: str) -> ShownVersion:
    alignment = explanation.alignment
    gone = [(e.kind, e.before) for e in _of(explanation, "gone") if e.before]
    new = [(e.kind, e.after) for e in _of(explanation, "new") if e.after]
    return ShownVersion(
        name,
        place,
        key,
        explanation,
        list(_findings(explanation)),
        _alignment(alignment, key, ("Original", name), ("the original", "the simplified text")),
        [_in_context(k, p, alignment.source) for k, p in gone if p.sentence not in explanation.dropped],
        [_in_context(k, p, alignment.output) for k, p in new if p.sentence not in explanation.added],
        list(_checks(explanation)),
    )


def _checks(explanation: Explanation) -> Iterator[ShownRule]:
    """The findings of checks by rule."""
    by_rule: dict[str, list[tuple[Check, str]]] = {}
    for finding in explanation.findings:
        sentence = explanation.alignment.output[finding.sentence]
        text = sentence.text[max(finding.start - sentence.start, 0) : finding.end - sentence.start]
        short = text if len(text) <= _QUOTED else f"{text[: _QUOTED - 3]}…"
        by_rule.setdefault(finding.rule, []).append((finding, short))
    for key, rows in sorted(by_rule.items()):
        yield ShownRule(key, rule(key).name, rows[:_SHOWN], rows[_SHOWN:])


def _findings(explanation: Explanation) -> Iterator[Finding]:
    """The most important findings, in sentences."""
    alignment = explanation.alignment
    before, after = (count(len(side), "sentence") for side in (alignment.source, alignment.output))
    counts = [f"{n} {NAMES.get(c, c)}" for c, n in _counts(alignment).items() if n]
    yield Finding("plain", "↔", f"{before} became {after}{': ' if counts else ''}{', '.join(counts)}.")
    grade = next(m for m in explanation.readability if m.name == "fkgl")
    if grade.before is not None and grade.after is not None:
        tone, sign = {"easier": ("good", "✓"), "harder": ("look", "!")}.get(grade.verdict, ("plain", "="))
        verdict = f" That is {grade.verdict}." if grade.verdict in ("easier", "harder") else ""
        text = f"Reads like {_grade(grade.after)}; the original like {_grade(grade.before)}.{verdict}"
        yield Finding(tone, sign, text)
    alarms = explanation.ledger.alarms
    checks = [e for e in _of(explanation, "check", "changed") if e not in alarms]
    for tone, sign, entries in (("alarm", "≠", alarms), ("look", "?", checks)):
        for entry in entries[:_MOST_NAMED]:
            yield Finding(tone, sign, entry=entry)
        if more := entries[_MOST_NAMED:]:
            yield Finding(tone, sign, f"{len(more)} more like these, marked in the text.")
    if gone := _amounts(explanation.dropped, _of(explanation, "gone")):
        yield Finding("plain", "−", f"No longer there: {names(gone)}. Is that intended?")
    if extra := _amounts(explanation.added, [e for e in _of(explanation, "new") if e not in alarms]):
        yield Finding("look", "+", f"Not in the original: {names(extra)}. Is it true?")
    unclear = [
        f"{count(len(sentences), 'sentence')} of {place}"
        for sentences, place in (
            (explanation.perhaps_dropped, "the original"),
            (explanation.perhaps_added, "the simplified text"),
        )
        if sentences
    ]
    if unclear:
        yield Finding("look", "?", f"Perhaps rewritten in other words: {names(unclear)}. Check them.")
    same = _amounts((), _of(explanation, "same"))
    kinds = [PLURALS.get(kind, f"{kind}s") for kind in KINDS]
    unchanged = f"the same in both texts: {names(same)}" if same else "no fact is the same in both texts"
    yield Finding(
        "plain", "=", f"Compared {names(kinds)}; {unchanged}. Other changes of meaning are not seen."
    )
    for note in explanation.ledger.notes:
        yield Finding("look", "?", note)


def _of(explanation: Explanation, *verdicts: str) -> list[Entry]:
    return [e for e in explanation.ledger.entries if e.verdict in verdicts]


def _amounts(sentences: Sequence[int], entries: Sequence[Entry]) -> list[str]:
    """The number of sentences, and of facts of each kind, in words."""
    counts: dict[str, int] = {"sentence": len(sentences)} if sentences else {}
    for entry in entries:
        counts[entry.kind] = counts.get(entry.kind, 0) + 1
    return [f"{n:,} {noun if n == 1 else PLURALS.get(noun, f'{noun}s')}" for noun, n in counts.items()]


def _alignment(
    alignment: Alignment, key: str, headings: tuple[str, str], texts: tuple[str, str]
) -> ShownAlignment:
    meanings: Mapping[str, str] = {
        **MEANINGS,
        "deleted": f"nothing in {texts[1]} matches it",
        "added": f"nothing in {texts[0]} matches it",
    }
    columns = [
        Column(heading, [_sentence(alignment, side, s) for s in sentences])
        for side, (heading, sentences) in enumerate(
            zip(headings, (alignment.source, alignment.output), strict=True)
        )
    ]
    return ShownAlignment(key, legend(_counts(alignment), NAMES, meanings), columns)


def _counts(alignment: Alignment) -> dict[str, int]:
    """The number of changes of each kind, in the order of the legend."""
    return {c: alignment.count(c) for c in MEANINGS}


def _sentence(alignment: Alignment, side: int, sentence: Sentence) -> MarkedSentence:
    group = alignment.groups[sentence.group]
    partners = (group.output, group.source)[side]
    spoken = NAMES.get(group.change, group.change) + (", moved" if group.moved else "")
    if partners:
        spoken += f"; {_SIDES[side]} {counted_sentences(partners)}"
    elif group.candidates:
        spoken += f"; compare {_SIDES[side]} {counted_sentences(group.candidates)}"
    # Words need no marks if their whole sentence is kept, dropped or added, or if its alignment is uncertain.
    whole = group.change in ("kept", "perhaps rewritten", "deleted", "added")
    runs = [Run(r.text, "" if whole else r.op, _FLAGS[r.flag] if r.flag else "") for r in sentence.runs]
    return MarkedSentence(runs, sentence.group, group.change, group.moved, spoken)


def _in_context(kind: str, place: Place, sentences: Sequence[Sentence]) -> FactInContext:
    sentence = sentences[place.sentence]
    start, end = place.start - sentence.start, place.end - sentence.start
    before = ("…" if start > 30 else "") + sentence.text[max(0, start - 30) : start]
    after = sentence.text[end : end + 40] + ("…" if end + 40 < len(sentence.text) else "")
    return FactInContext(kind, place.sentence, before, place.text, after)


def _measures(versions: Sequence[Explanation]) -> list[MeasureRow]:
    rows = zip(*(v.readability for v in versions), strict=True)
    return [
        MeasureRow(
            row[0].label, row[0].meaning, _tenth(row[0].before), [(_tenth(m.after), m.verdict) for m in row]
        )
        for row in rows
    ]


def _scores(versions: Sequence[Explanation]) -> list[ScoreRow]:
    directions = {True: "higher is better", False: "lower is better", None: "a description"}
    return [
        ScoreRow(
            LABELS.get(row[0].metric.partition("(")[0], row[0].metric),
            directions[row[0].higher_is_better],
            [(_value(s.value), s.reason) for s in row],
            f"{row[0].meaning} {row[0].caution}",
            row[0].signature,
        )
        for row in zip(*(v.scores for v in versions), strict=True)
    ]


def _grade(value: float) -> str:
    return f"school grade {_tenth(value)}" if value >= 1 else "a text below the first school grade"


def _tenth(value: float | None) -> str:
    if value is None:
        return "–"
    return (f"{value:,.0f}" if value == int(value) else f"{value:,.1f}").replace("-", "−")


def _value(value: float | None) -> str:
    """A score; the larger it is, the fewer decimals it has."""
    if value is None:
        return "–"
    digits = 0 if abs(value) >= 100 or value == int(value) else 1 if abs(value) >= 2 else 2
    return f"{value:,.{digits}f}".replace("-", "−")
