"""The types of the checks: sentences, findings, suggestions, and the description of a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ..faithfulness import Ledger
    from ._analysis import Words
    from ._targets import Measures, TargetResult, Targets
    from .word_list import WordList

Severity = Literal["limit", "hint"]
Origin = Literal["plain phrases", "glossary", "word list", "rule"]


@dataclass(frozen=True)
class Suggestion:
    """A replacement for the words of a finding, and its origin.

    >>> Suggestion("use", "plain phrases").text
    'use'
    """

    text: str
    origin: Origin
    note: str = ""


@dataclass(frozen=True)
class Finding:
    """A place that breaks a rule; `start` and `end` count characters of the text, `sentence` its sentences from 0.

    A limit is one that the user has set; about a hint the writer decides.
    """

    rule: str
    start: int
    end: int
    message: str
    suggestions: tuple[Suggestion, ...] = ()
    sentence: int = 0
    severity: Severity = "hint"
    explanation: str = ""

    @property
    def comment(self) -> str:
        """The finding as a comment in a document: rule, message, and suggestions."""
        offers = " or ".join(f"“{s.text}”" for s in self.suggestions)
        return f"{self.rule}: {self.message}" + (f" Try {offers}." if offers else "")

    def to_dict(self) -> dict[str, Any]:
        """The finding as a dictionary for JSON."""
        return vars(self) | {"suggestions": [dict(vars(s)) for s in self.suggestions]}


@dataclass(frozen=True)
class Sentence:
    """One sentence as the rules receive it: its text and its words with their grammatical forms."""

    text: str
    words: Words
    phrases: tuple[Phrase, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """Characters of a sentence for which the simplifier has plainer words that fit in this context."""

    start: int
    end: int
    target: str
    probability: float
    size: int  # offsets in words


@dataclass(frozen=True)
class Text:
    """A whole text, for rules that look beyond a sentence."""

    text: str
    spans: Sequence[tuple[int, int]]
    paragraphs: Sequence[int]  # the number of each sentence's paragraph
    sentences: Sequence[Sentence]
    links: Sequence[tuple[int, int]]
    targets: Targets
    words: WordList
    measures: Measures
    results: Sequence[TargetResult]
    ledger: Ledger | None = None


@dataclass(frozen=True)
class Rule:
    """A rule: its stable id, its purpose, an example that breaks it and one that does not.

    `sentence` finds places within a sentence and is asked once for equal sentences; `text` looks at the whole text.
    """

    id: str
    name: str
    explanation: str
    bad: str
    good: str
    sentence: Callable[[Sentence], Iterable[Finding]] | None = None
    text: Callable[[Text], Iterable[Finding]] | None = None
    judged: tuple[int, int] = (
        0,
        0,
    )  # hits that were right, of those that language models judged (tests/golden/checks_judgements.json)
    default: bool = True  # whether it runs by default; other rules run only if they are selected
    english: bool = True  # whether it is for English only
    options: dict[str, Any] = field(
        default_factory=dict, hash=False
    )  # targets of the checker that runs the examples
