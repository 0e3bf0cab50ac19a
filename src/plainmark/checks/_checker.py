"""The checker: runs the rules on each sentence and on the whole text, and compares the text with the targets.

Analyses of sentences are cached, so that after an edit only changed sentences are analysed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..faithfulness import Ledger
from ..faithfulness import facts as compare_facts
from ..kernels import COUNT_COLUMNS
from ..languages import english_name
from ..lexicon.language import looks, looks_english
from ..metrics.cefr import estimate
from ..models import missing as missing_model
from ..punkt import PLAIN
from ..syllables import count_words
from ._analysis import analyse
from ._findings import Finding, Rule, Sentence, Text
from ._targets import CostlySentence, Measures, TargetResult, Targets, grade, results
from .word_list import WordList

_MEMORY = 50_000  # sentences that a checker remembers
_COSTLY = 5
_PARAGRAPH = re.compile(r"\n[ \t]*(?:\n[ \t]*)+|\n(?=[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t])")
_WORDS, _SYLLABLES = COUNT_COLUMNS.index("words"), COUNT_COLUMNS.index("syllables")
_PASSIVE_RULE = "PM202"


@dataclass(frozen=True)
class CheckResult:
    """The results of checking a text: see `Finding`, `Measures`, `TargetResult` and `CostlySentence`.

    `sentences` are their first and last characters; `ledger` compares the facts with those of the original, if there is
    one.
    """

    findings: tuple[Finding, ...]
    sentences: tuple[tuple[int, int], ...]
    measures: Measures
    targets: tuple[TargetResult, ...]
    costly: tuple[CostlySentence, ...]
    ledger: Ledger | None = None
    notes: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings that break a limit."""
        return tuple(f for f in self.findings if f.severity == "limit")

    def to_dict(self) -> dict[str, Any]:
        """The result as a dictionary for JSON."""
        return {
            "findings": [f.to_dict() for f in self.findings],
            "sentences": [list(span) for span in self.sentences],
            "measures": self.measures.to_dict(),
            "targets": [dict(vars(t)) for t in self.targets],
            "costly": [vars(c) | {"help": list(c.help)} for c in self.costly],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, eq=False)
class _Known:
    """The cached analysis of a sentence; offsets count from its start."""

    sentence: Sentence
    findings: tuple[Finding, ...]
    words: int
    syllables: int
    level: float | None  # 1 (A1) to 6 (C2), if it was requested


class Checker:
    """Checks texts against rules and targets. It caches sentences, so use one checker for all edits of a text.

    >>> result = Checker(Targets(max_sentence=5)).check("We will purchase it. It is not at all far from here.")
    >>> [(f.rule, f.severity) for f in result.findings]
    [('PM101', 'hint'), ('PM201', 'limit')]
    >>> result.findings[0].suggestions[0].text
    'buy'
    """

    def __init__(
        self,
        targets: Targets | None = None,
        words: WordList | None = None,
        rules: Sequence[Rule] | None = None,
        language: str = "",
    ) -> None:
        """`rules` default to those that run by default (see `plainmark.checks.select`), and `language` to that of the text."""
        from . import all_rules, select

        self.targets = targets or Targets()
        self.words = words or WordList()
        self.rules = tuple(select() if rules is None else rules)
        self.language = language
        self._known: OrderedDict[tuple[str, bool], _Known] = OrderedDict()
        self._passive = next(rule for rule in all_rules() if rule.id == _PASSIVE_RULE)

    def check(
        self, text: str, original: str | None = None, links: Sequence[tuple[int, int]] = ()
    ) -> CheckResult:
        """Check a text; `links` are the spans of link texts in it."""
        spans, paragraphs = sentence_spans(text)
        english = looks_english(text) if not self.language else self.language == "en"
        known = self._analysed([text[a:b] for a, b in spans], english)
        measures = _measures(known, english=english)
        outcome = results(self.targets, measures)
        ledger = compare_facts(original, text) if original is not None and original.strip() else None
        whole = Text(
            text,
            spans,
            paragraphs,
            [k.sentence for k in known],
            links,
            self.targets,
            self.words,
            measures,
            outcome,
            ledger,
        )
        active = {rule.id for rule in self.rules}
        findings = [
            replace(f, start=f.start + start, end=f.end + start, sentence=i)
            for i, ((start, _), row) in enumerate(zip(spans, known, strict=True))
            for f in row.findings
            if f.rule in active
        ]
        for rule in self.rules:
            if rule.text and (english or not rule.english):
                findings += (_placed(f, spans) for f in rule.text(whole))
        findings.sort(key=lambda f: (f.start, f.end, f.rule))
        notes = [] if english else [_not_english(text, self.language)]
        if self.targets.cefr and measures.cefr is None and spans and (reason := missing_model("plain")):
            notes.append(f"The CEFR target was not checked: {reason}")
        return CheckResult(
            tuple(findings),
            tuple(spans),
            measures,
            outcome,
            _costly(spans, known, self.targets) if english else (),
            ledger,
            tuple(notes),
        )

    def _analysed(self, texts: Sequence[str], english: bool) -> list[_Known]:
        """The analyses of sentences; new sentences are analysed together."""
        cefr = english and self.targets.cefr is not None and not missing_model("plain")
        new = [t for t in dict.fromkeys(texts) if (t, english) not in self._known]
        if new:
            counts = count_words(new)
            levels = _levels(new) if cefr else [None] * len(new)
            asked = [*self.rules, *((self._passive,) if self._passive not in self.rules else ())]
            finders = [r.sentence for r in asked if r.sentence and (english or not r.english)]
            for k, sentence in enumerate(analyse(new, english=english)):
                findings = [f for finder in finders for f in finder(sentence)]
                row = counts[k]
                self._known[new[k], english] = _Known(
                    sentence, tuple(findings), int(row[_WORDS]), int(row[_SYLLABLES]), levels[k]
                )
        out = []
        for text in texts:
            self._known.move_to_end((text, english))
            out.append(self._known[text, english])
        while len(self._known) > max(_MEMORY, len(texts)):
            self._known.popitem(last=False)
        return out


def sentence_spans(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Start and end of each sentence, and the number of its paragraph; blank lines and list items end a sentence."""
    spans, paragraphs = [], []
    start, number = 0, 0
    for end in [*(m.start() for m in _PARAGRAPH.finditer(text)), len(text)]:
        for a, b in PLAIN.spans(text[start:end]):
            if a < b and any(map(str.isalnum, text[start + a : start + b])):
                spans.append((start + a, start + b))
                paragraphs.append(number)
        start, number = end, number + 1
    return spans, paragraphs


def _levels(sentences: Sequence[str]) -> list[float | None]:
    return [float(level) for level in estimate(sentences)]


def _placed(finding: Finding, spans: Sequence[tuple[int, int]]) -> Finding:
    """A finding with the number of its sentence."""
    if finding.sentence:
        return finding
    return replace(
        finding, sentence=max(bisect_right(spans, (finding.start, len(spans) and spans[-1][1] + 1)) - 1, 0)
    )


def _not_english(text: str, language: str) -> str:
    said = f"is {english_name(language)}" if language else looks(text)
    return f"The text {said}: grade, CEFR level, passives and other rules for English were not checked, only rules for any language."


def _measures(known: Sequence[_Known], *, english: bool) -> Measures:
    """Counts and measures; grade, passives and level are for English only."""
    worded = [k for k in known if k.words]
    words, syllables = sum(k.words for k in known), sum(k.syllables for k in known)
    passive = sum(any(f.rule == _PASSIVE_RULE for f in k.findings) for k in worded)
    levels = [k.level for k in worded if k.level is not None]
    return Measures(
        words,
        len(worded),
        grade(words, len(worded), syllables) if english else None,
        max((k.words for k in known), default=0),
        100 * passive / len(worded) if worded and english else None,
        sum(levels) / len(levels) if levels and english else None,
    )


def _costly(
    spans: Sequence[tuple[int, int]], known: Sequence[_Known], targets: Targets
) -> tuple[CostlySentence, ...]:
    """The sentences whose removal would lower the grade most, if the text is above the target."""
    words, syllables = sum(k.words for k in known), sum(k.syllables for k in known)
    count = sum(k.words > 0 for k in known)
    whole = grade(words, count, syllables)
    if whole is None or targets.grade is None or round(whole, 1) <= targets.grade or count < 2:
        return ()
    rows = []
    for i, row in enumerate(known):
        without = grade(words - row.words, count - (row.words > 0), syllables - row.syllables)
        if row.words and without is not None and whole - without > 0.005:
            rows.append((whole - without, i))
    rows.sort(key=lambda r: (-r[0], r[1]))
    out = []
    for cost, i in rows[:_COSTLY]:
        row = known[i]
        split_up = grade(words, count + 1, syllables)
        out.append(CostlySentence(i, *spans[i], cost, tuple(_help(row, whole, split_up))))
    return tuple(out)


def _help(row: _Known, whole: float, split_up: float | None) -> Iterable[str]:
    if row.words > 14 and split_up is not None:
        yield f"Make two sentences of its {row.words} words: grade {whole:.1f} becomes {split_up:.1f}."
    plainer = [f for f in row.findings if f.suggestions]
    if plainer:
        listed = ", ".join(
            f"“{row.sentence.text[f.start : f.end]}” → “{f.suggestions[0].text}”" for f in plainer[:3]
        )
        yield f"Use plainer words: {listed}."
    elif row.syllables > 1.8 * row.words:
        yield "Use shorter words: most in this sentence are long."
