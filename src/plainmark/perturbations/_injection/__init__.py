"""Typical errors of simplifications, inserted into texts written by people; one module per group of errors.

Each function takes a `Pair` and a random generator and yields edits. Each edit is an error on its own: it changes something
that the source states too.
"""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Edit:
    """Replacements (start, end, text) in the output that make one error, and the places of the source that it contradicts."""

    replacements: tuple[tuple[int, int, str], ...]
    source: tuple[Span, ...]
    note: str = ""

    def apply(self, text: str) -> tuple[str, tuple[Span, ...]]:
        """The text with the error, and the positions of the error in it."""
        pieces, places, end, length = [], [], 0, 0
        for a, b, new in sorted(self.replacements):
            pieces += [text[end:a], new]
            length += a - end
            places.append((length, length + len(new)))
            length += len(new)
            end = b
        return "".join([*pieces, text[end:]]), tuple(places)


def like(new: str, old: str) -> str:
    """A word with the capitalisation of the one that it replaces."""
    if old.isupper() and len(old) > 1:
        return new.upper()
    return new[0].upper() + new[1:] if old[:1].isupper() else new


def article(text: str, start: int, new: str) -> tuple[int, str] | None:
    """The start of "a" or "an" before `start` and its form before the word `new`; None if it can stay."""
    for old, other in (("a", "an"), ("an", "a")):
        begin = start - len(old) - 1
        if (
            text[max(begin, 0) : start].lower() == f"{old} "
            and begin >= 0
            and not text[begin - 1 : begin].isalnum()
        ):
            vowel = new[0].lower() in "aeiou" and not new.lower().startswith(
                ("uni", "use", "usu", "one", "eu")
            )
            if vowel != (old == "an"):
                return begin, like(other, text[begin])
    return None
