"""Structural simplification: long sentences become several short ones that say the same.

Operations are named rules. Each reads one sentence, with the tags of plainmark's tagger and the units of its UCCA parser,
and proposes sentences to replace it. A proposal to which the fact ledger, the tagger or the language model objects is
rejected: an operation that is not certain does nothing.

>>> from plainmark.simplifier import structure
>>> result = structure.split(["The old mill, which burned down in 1910, stood near the river."])[0]
>>> result.output
'The old mill stood near the river. The old mill burned down in 1910.'
>>> [operation.name for operation in result.operations]
['relative']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ... import tagger, ucca
from ...errors import MissingResourceError, UnknownNameError, did_you_mean
from ...lexicon.language import looks_english
from ...punkt import PLAIN
from . import (
    brackets,
    coordination,
    definitions,
    descriptions,
    examples,
    marks,
    order,
    participles,
    relatives,
    subordination,
    times,
)
from .checks import is_sentence, objection
from .proposal import Proposal, Rule, written
from .sentence import Sentence, parsed, tagged, words_to_parse

OPERATIONS: dict[str, tuple[Rule, ...]] = {
    "semicolon": (marks.semicolon,),
    "colon": (marks.colon,),
    "dash": (marks.dash,),
    "clauses": (coordination.clauses,),
    "verbs": (coordination.verbs, coordination.several_verbs),
    "relative": (relatives.relative, relatives.possessive, relatives.inner),
    "definition": (
        definitions.described_subject,
        participles.described_subject,
        definitions.possession,
        definitions.setting,
        definitions.maker,
    ),
    "introduction": (relatives.described_object,),
    "where": (relatives.place_clause,),
    "apposition": (descriptions.apposition, descriptions.closing_apposition, descriptions.speaker),
    "brackets": (brackets.bracketed,),
    "examples": (examples.examples,),
    "opening participle": (participles.opening_participle,),
    "participle": (participles.participle, participles.action),
    "closing participle": (participles.closing_participle,),
    "although": (subordination.although,),
    "because": (subordination.because, subordination.since),
    "cause": (subordination.cause,),
    "after": (times.after,),
    "sequence": (times.sequence,),
    "leading clause": (subordination.leading,),
    "occasion": (times.occasion,),
    "means": (subordination.means,),
    "contrast": (subordination.contrast,),
    "followed": (times.followed,),
    "passive": (order.passive,),
    "list": (order.long_list,),
    "when": (times.year_when,),
}
# Only on request: these operations drop something, or reorder instead of splitting.
ON_REQUEST: dict[str, tuple[Rule, ...]] = {
    "opening date": (order.opening_date,),
    "parentheses": (order.parentheses,),
}
OPERATIONS |= ON_REQUEST
MOVING = frozenset(
    {"passive", "examples", "introduction"}
)  # operations after which the sentence ends in another noun
_BACKWARD = frozenset("he she it they him her them his its their this that these those there".split())
DEFAULT = tuple(name for name in OPERATIONS if name not in ON_REQUEST)
_LONGEST = 80  # longest sentence in words; longer ones are lists, or no text at all
_ITEM = re.compile(r"\s*(?:[-*•–#>|]|\d+[.)]\s|[a-z][.)]\s)")
_CODE = re.compile(r"https?:|www\.|\w@\w|[{}`|\\_]|\w\(\)")
_SIGN = re.compile(r"[<>=]")  # marks of code, but not in brackets: "(n = 67, P < 0.01)"
_BRACKETS = re.compile(r"\([^()]*\)|\[[^][]*\]")


@dataclass(frozen=True)
class Operation:
    """A change: characters start..end of the text before it, the old characters, and the new ones."""

    name: str
    why: str
    start: int
    before: str
    after: str

    @property
    def end(self) -> int:
        """The end of the changed characters in the text before the change."""
        return self.start + len(self.before)

    def apply(self, text: str) -> str:
        """The text with the change."""
        return text[: self.start] + self.after + text[self.end :]

    def undo(self, text: str) -> str:
        """The text before the change."""
        return text[: self.start] + self.before + text[self.start + len(self.after) :]


@dataclass(frozen=True)
class Structured:
    """A text, the same text in shorter sentences, and the operations between them, in order."""

    source: str
    output: str
    operations: tuple[Operation, ...] = ()

    def until(self, number: int) -> str:
        """The text after the first operations only; the others are undone."""
        text = self.output
        for operation in reversed(self.operations[number:]):
            text = operation.undo(text)
        return text


@dataclass(frozen=True)
class Options:
    """Which operations are tried, in which order, and how often on the parts of one sentence."""

    operations: tuple[str, ...] = DEFAULT
    rounds: int = 3

    def __post_init__(self) -> None:
        for name in self.operations:
            if name not in OPERATIONS:
                raise UnknownNameError(f"no operation is called {name!r}.{did_you_mean(name, OPERATIONS)}")


@dataclass(eq=False)
class _Part:
    """A sentence of a text, during splitting."""

    text: str
    offset: int
    done: bool = False


def missing() -> str:
    """What splitting needs that is not installed ("needs ..."); empty if it can run."""
    return tagger.missing() or ucca.missing()


def split(texts: Sequence[str], options: Options | None = None) -> list[Structured]:
    """Replace long sentences with shorter ones; texts in other languages are not changed."""
    if reason := missing():
        raise MissingResourceError(f"splitting sentences {reason}.")
    options = options or Options()
    parts = [_sentences(text) for text in texts]
    operations: list[list[Operation]] = [[] for _ in texts]
    for _ in range(options.rounds):
        waiting = [(k, part) for k, some in enumerate(parts) for part in some if not part.done]
        if not waiting:
            break
        for (k, part), sentence in zip(waiting, _parse([part.text for _, part in waiting]), strict=True):
            part.done = True
            accepted = (
                _first(sentence, options, moving=_may_move(parts[k], part)) if sentence is not None else None
            )
            if accepted is not None:
                proposal, pieces = accepted
                operations[k].append(_operation(proposal, part.offset, part.text, " ".join(pieces)))
                _replace(parts[k], part, pieces)
    return [_result(text, tuple(done)) for text, done in zip(texts, operations, strict=True)]


def _result(text: str, operations: tuple[Operation, ...]) -> Structured:
    output = text
    for operation in operations:
        output = operation.apply(output)
    return Structured(text, output, operations)


def _sentences(text: str) -> list[_Part]:
    """The sentences of a text that may be split; not those in other languages, headings, list items or code."""
    parts = []
    offset = 0
    for line in text.splitlines(keepends=True):
        if not _ITEM.match(line) and looks_english(line):
            for start, end in PLAIN.spans(line):
                if not _CODE.search(line, start, end) and not _SIGN.search(_outside(line[start:end])):
                    parts.append(_Part(line[start:end], offset + start))
        offset += len(line)
    return parts


def _outside(text: str) -> str:
    """The text without brackets and their contents, including nested ones."""
    return _BRACKETS.sub("", _BRACKETS.sub("", text))


def _parse(texts: Sequence[str]) -> list[Sentence | None]:
    """The sentences with their parses; None for those that are no sentence, too short or too long."""
    sentences = [Sentence(text, tagged(text)) if len(text) <= _LONGEST * 12 else None for text in texts]
    indices = [i for i, s in enumerate(sentences) if s is not None and len(s) <= _LONGEST and is_sentence(s)]
    words = [words_to_parse(sentences[i].tokens) for i in indices]  # type: ignore[union-attr]
    graphs = ucca.parser().parse([terminals for terminals, _ in words])
    out: list[Sentence | None] = [None] * len(texts)
    for i, graph, (_, owners) in zip(indices, graphs, words, strict=True):
        out[i] = parsed(texts[i], tagged(texts[i]), graph, owners)
    return out


def _may_move(parts: list[_Part], part: _Part) -> bool:
    """Whether the sentence may end in another noun: the next one must not begin with a pronoun for the old one."""
    at = parts.index(part) + 1
    return at == len(parts) or parts[at].text.split(" ", 1)[0].lower() not in _BACKWARD


def _first(sentence: Sentence, options: Options, *, moving: bool) -> tuple[Proposal, list[str]] | None:
    """The first proposal without an objection; with `moving`, also of operations that change the subject."""
    for name in options.operations:
        if name in MOVING and not moving:
            continue
        for proposal in (p for rule in OPERATIONS[name] for p in rule(sentence)):
            pieces = written(sentence, proposal.pieces)
            if not objection(sentence.text, " ".join(pieces), pieces, dropping=name == "parentheses"):
                return proposal, pieces
    return None


def _replace(parts: list[_Part], part: _Part, pieces: Sequence[str]) -> None:
    """Replace a sentence with new ones, and shift those that follow."""
    at = parts.index(part)
    grown = len(" ".join(pieces)) - len(part.text)
    for later in parts[at + 1 :]:
        later.offset += grown
    new, offset = [], part.offset
    for piece in pieces:
        new.append(_Part(piece, offset))
        offset += len(piece) + 1
    parts[at : at + 1] = new


def _operation(proposal: Proposal, offset: int, before: str, after: str) -> Operation:
    """The change of a sentence, without the words that both versions have at their beginning and end."""
    old, new = before.split(" "), after.split(" ")
    shortest = min(len(old), len(new))
    head = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    tail = next((i for i in range(shortest - head) if old[-1 - i] != new[-1 - i]), shortest - head)
    if head and head + tail == shortest:  # if words were only added or only removed, keep one next to them
        head -= 1
    start = len(" ".join(old[:head])) + (1 if head else 0)
    return Operation(
        proposal.name,
        proposal.why,
        offset + start,
        " ".join(old[head : len(old) - tail]),
        " ".join(new[head : len(new) - tail]),
    )
