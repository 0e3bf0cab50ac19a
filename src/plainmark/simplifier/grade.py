"""Simplifies a text only as far as a target grade requires.

The grade of a text is its Flesch-Kincaid grade level (the metric `fkgl`) as a whole. A text at or below the target is not
changed. In other texts, words are replaced first, the most certain replacements before others, and then sentences are
split, one operation at a time, until the target is reached. A change that does not lower the grade is not made. Uncertain
changes are never made to reach a grade, so the target may be out of reach; the reason then says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..data import Corpus
from ..errors import OptionError
from ..lexicon.language import looks_english
from ..metric import metric
from . import structure
from .backends._model import ModelBackend
from .backends.structure import Structure
from .candidate import Candidate
from .choosing import SOURCE, Choice, other_languages
from .decoding import Rewrite
from .surface import join, pieces_of, split, split_at_spaces
from .truth import objections

MEASURE = "fkgl"


def check_target(target: float) -> None:
    """Raise an error for a target that is not a grade."""
    if not (math.isfinite(target) and 0 < target <= 30):
        raise OptionError(f"--grade {target:g}: expected a grade above 0 and up to 30, such as 8.")


def grades(texts: Sequence[str]) -> list[float]:
    """The grade of each text; NaN for one without words."""
    return (
        [float(g) for g in metric(MEASURE).sample_scores(Corpus(None, list(texts), language="en"))]
        if texts
        else []
    )


@dataclass(frozen=True)
class Summary:
    """The grades of many texts before and after."""

    target: float
    before: float
    after: float
    reached: int
    counted: int

    @classmethod
    def of(cls, choices: Sequence[Choice], target: float) -> Summary:
        """The grades of all English texts together, and the number of texts at or below the target."""
        worded = [
            c
            for c, g in zip(choices, grades([c.output for c in choices]), strict=True)
            if g == g and looks_english(c.source)
        ]
        whole = metric(MEASURE)
        before, after = (
            whole.score(Corpus(None, texts, language="en")).value if texts else math.nan
            for texts in ([c.source for c in worded], [c.output for c in worded])
        )
        reached = sum(g <= target for g in grades([c.output for c in worded]))
        return cls(target, before, after, reached, len(worded))

    def __str__(self) -> str:
        if not self.counted:
            return "no English text has words, so none has a grade"
        said = (
            f"Flesch-Kincaid grade of the whole: {self.before:.1f} before, {self.after:.1f} after; "
            f"{self.reached} of {self.counted} texts are at grade {self.target:g} or below"
        )
        left = self.counted - self.reached
        return said if not left else f"{said}, {left} could not be brought there"


def simplify_to(texts: Sequence[str], target: float, backend: ModelBackend) -> list[Choice]:
    """Each text simplified until its grade is at or below the target, or as far as possible."""
    check_target(target)
    backend.check_installed()
    before = grades(texts)
    foreign = other_languages(texts)
    waiting = [i for i, grade in enumerate(before) if grade > target and texts[i] not in foreign]
    reworded: dict[int, tuple[str, tuple[Rewrite, ...]]] = {}
    for i, own in zip(waiting, backend.propose([texts[i] for i in waiting]), strict=True):
        reworded[i] = _words(texts[i], own[0].rewrites, target, tokenized=backend.tokenized)
    splits: dict[int, structure.Structured] = {}
    if not structure.missing():
        still = [i for i in waiting if grades([reworded[i][0]])[0] > target]
        results = Structure(operations=backend.operations).split([reworded[i][0] for i in still])
        splits = dict(zip(still, results, strict=True))
    out = []
    for i, (text, grade) in enumerate(zip(texts, before, strict=True)):
        output, rewrites = reworded.get(i, (text, ()))
        operations: tuple[structure.Operation, ...] = ()
        if i in splits:
            number = _fewest(splits[i], target)
            output, operations = splits[i].until(number), splits[i].operations[:number]
        out.append(_choice(Candidate(output, rewrites, (), operations, backend.name), text, grade, target))
    return out


def _words(
    text: str, rewrites: Sequence[Rewrite], target: float, *, tokenized: bool
) -> tuple[str, tuple[Rewrite, ...]]:
    """The text with as many rewrites as the target requires, the most certain ones first."""
    source = split_at_spaces(text) if tokenized else split(text)
    accepted: list[Rewrite] = []
    output, grade = text, grades([text])[0]
    for rewrite in sorted(rewrites, key=lambda r: -r.score):
        if grade <= target:
            break
        some = sorted([*accepted, rewrite], key=lambda r: r.start)
        candidate = join(source, pieces_of(source, some), tokenized=tokenized)
        lower = grades([candidate])[0]
        if lower < grade and not objections(text, candidate):
            accepted, output, grade = some, candidate, lower
    return output, tuple(accepted)


def _fewest(split_text: structure.Structured, target: float) -> int:
    """The smallest number of operations that reaches the target, or the one with the lowest grade."""
    levels = grades([split_text.until(n) for n in range(len(split_text.operations) + 1)])
    return next((n for n, level in enumerate(levels) if level <= target), levels.index(min(levels)))


def _choice(candidate: Candidate, text: str, before: float, target: float) -> Choice:
    """The result, with a sentence about the grade that was reached."""
    after = grades([candidate.output])[0]
    source = Candidate(text, origin=SOURCE)
    if math.isnan(before):
        return Choice(text, (source,), ({MEASURE: before},), ("a text without words has no grade",))
    if not looks_english(text):
        return Choice(text, (source,), ({MEASURE: before},), ("it does not look like English",))
    if before <= target:
        reason = f"grade {before:.1f} is at or below {target:g} already"
        return Choice(text, (source,), ({MEASURE: before},), (reason,))
    done = f"{_count(len(candidate.rewrites), 'rewrite')} and {_count(len(candidate.operations), 'split')}"
    if after <= target:
        reason = f"grade {before:.1f} became {after:.1f} by {done}"
    else:
        reason = f"grade {before:.1f} became {after:.1f} by {done}; {target:g} cannot be reached with changes that are certain enough"
    if candidate.output == text:
        why = (
            "nothing can be changed surely enough" if looks_english(text) else "it does not look like English"
        )
        return Choice(text, (source,), ({MEASURE: before},), (f"grade {before:.1f} stays: {why}",))
    return Choice(
        text,
        (candidate, source),
        ({MEASURE: after}, {MEASURE: before}),
        (reason, f"grade {before:.1f} is above {target:g}"),
    )


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
