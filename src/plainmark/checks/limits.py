"""Targets for the whole text: school grade, CEFR level, share of passives."""

from __future__ import annotations

from collections.abc import Iterator

from ._findings import Finding, Rule, Text


def _target(text: Text, name: str, rule: str, message: str) -> Iterator[Finding]:
    for result in text.results:
        if result.name == name and not result.met:
            value = result.value if isinstance(result.value, str) else f"{result.value:.1f}"
            limit = result.limit if isinstance(result.limit, str) else f"{result.limit:g}"
            start, end = text.spans[0] if text.spans else (0, 0)
            yield Finding(rule, start, end, message.format(value=value, limit=limit), severity="limit")


def _grade(text: Text) -> Iterator[Finding]:
    return _target(text, "grade", "PM501", "The text is at school grade {value}; the target is {limit}.")


def _cefr(text: Text) -> Iterator[Finding]:
    return _target(text, "cefr", "PM502", "The text is at CEFR level {value}; the target is {limit}.")


def _passives(text: Text) -> Iterator[Finding]:
    return _target(
        text, "max_passive", "PM503", "{value} % of sentences have a passive; the target is {limit} %."
    )


_HARD = (
    "The implementation of the regulations necessitates considerable administrative preparation by participating"
    " organisations."
)
_EASY = "We keep bees. They make honey. We sell it."
RULES = (
    Rule(
        "PM501",
        "grade target",
        "The text as a whole is harder than the school grade that you set (Flesch-Kincaid: from the length of sentences and"
        " words). The sentences that cost most are listed with what would help.",
        _HARD,
        _EASY,
        text=_grade,
        options={"grade": 8},
    ),
    Rule(
        "PM502",
        "CEFR target",
        "The text as a whole is above the CEFR level that you set, as plainmark's own model estimates it. It needs the extra"
        " models; without it the target is not checked.",
        _HARD,
        _EASY,
        text=_cefr,
        options={"cefr": "B1"},
    ),
    Rule(
        "PM503",
        "passive target",
        "A larger share of the sentences has a passive than you set.",
        "The form was signed. The fee was paid. We left.",
        "She signed the form. We paid the fee. We left.",
        text=_passives,
        options={"max_passive": 20},
    ),
)
