"""Submissions to a shared task, checked against its items: every problem names the file and the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..data import Corpus
from ..errors import InputError
from ..files import json_object, open_text
from . import Item, Track

_NAMED = 20  # number of ids that a message names


@dataclass(frozen=True)
class Submission:
    """The outputs of one submission by item, and its problems."""

    name: str
    path: str
    outputs: dict[str, str]
    problems: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not self.problems

    def corpus(self, items: Sequence[Item]) -> Corpus:
        """The corpus of the items that it has outputs for."""
        own = [item for item in items if item.id in self.outputs]
        references = [item.references for item in own]
        return Corpus(
            [item.source for item in own],
            [self.outputs[item.id] for item in own],
            references if all(references) else None,
            ids=[item.id for item in own],
            name=self.name,
        )


def read_submission(name: str, path: str, track: Track, items: Sequence[Item]) -> Submission:
    """Read and check one submission, a file of JSON lines."""
    place_of = {item.id: i for i, item in enumerate(items)}
    outputs: dict[str, str] = {}
    lines: dict[str, int] = {}
    problems: list[str] = []
    last = -1
    with open_text(path) as texts:
        for number, line in enumerate(texts, 1):
            place = f"{path}, line {number}"
            if not line.strip():
                continue
            try:
                row = json_object(line, place)
            except InputError as problem:
                problems.append(str(problem))
                continue
            item, output = row.get(track.submitted["id"]), row.get(track.submitted["output"])
            if not isinstance(item, str) or not isinstance(output, str):
                field = track.submitted["id" if not isinstance(item, str) else "output"]
                problems.append(f"{place}: no text in the field {field!r}.")
                continue
            if item not in place_of:
                problems.append(f"{place}: the id {item[:40]!r} is not an item of the task.")
                continue
            if item in lines:
                problems.append(f"{place}: the id {item[:40]!r} occurs twice, first in line {lines[item]}.")
                continue
            lines[item] = number
            if track.ordered and place_of[item] < last:
                problems.append(
                    f"{place}: the id {item[:40]!r} is out of order; expected the order of the items."
                )
            last = max(last, place_of[item])
            if not output.strip():
                problems.append(f"{place}: the text of {item[:40]!r} is empty.")
                continue
            outputs[item] = output
    if absent := [item.id for item in items if item.id not in lines]:
        more = f" and {len(absent) - _NAMED} more" if len(absent) > _NAMED else ""
        after = f", line {max(lines.values())} is the last" if lines else ""
        problems.append(
            f"{path}: {len(absent):,} of {len(items):,} items {'is' if len(absent) == 1 else 'are'} missing{after}: {', '.join(absent[:_NAMED])}{more}."
        )
    return Submission(name, path, outputs, tuple(problems))
