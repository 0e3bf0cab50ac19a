"""What participants read besides the study's own text: one file per language, which a translator can edit.

    messages = for_language("de")
    messages("page.page_of", number=2, total=9)       "Seite 2 von 9"

en.toml is the original and says how the files are written. A study may bring a file of its own (`messages:` in
study.yaml), for another language or to reword a few messages. What it lacks is taken from the shipped file of the
language, then from en.toml.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

from ...errors import DefinitionError, did_you_mean

FOLDER = Path(__file__).parent
ORIGINAL = "en"
LANGUAGES = tuple(sorted(p.stem for p in FOLDER.glob("*.toml")))
# Languages and scripts that are written from right to left.
_RIGHT_TO_LEFT = {"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"} | {
    "adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa",
}  # fmt: skip
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_GROUPED = 10_000  # from here on digits are grouped; below, few languages do it
_COUNTS = range(1000)  # these have every plural form of any language


@dataclass(frozen=True)
class Message:
    """A message: one text, or one for each plural form."""

    forms: tuple[str, ...]
    form_of: Callable[[int], int] = field(repr=False)

    @property
    def placeholders(self) -> set[str]:
        """The words in braces."""
        return {name for text in self.forms for name in _PLACEHOLDER.findall(text)}


@dataclass(frozen=True)
class Messages:
    """All messages in one language."""

    language: str  # a tag such as de or pt-BR
    by_key: Mapping[str, Message] = field(repr=False)
    thousands: str = ","
    untranslated: int = 0  # messages that are in English instead

    def __call__(self, key: str, **values: object) -> str:
        """A message, with values in place of the words in braces; `count` selects the plural form."""
        message = self.by_key[key]
        count = values.get("count", 0)
        plural = len(message.forms) > 1 and isinstance(count, int)
        text = message.forms[message.form_of(count) if plural else 0]  # type: ignore[arg-type]
        return _PLACEHOLDER.sub(lambda found: self._shown(values[found[1]]), text)

    def section(self, name: str) -> dict[str, str]:
        """The texts of a section with their words in braces, for the script of a page."""
        return {
            k.removeprefix(f"{name}."): m.forms[0] for k, m in self.by_key.items() if k.startswith(f"{name}.")
        }

    @property
    def direction(self) -> str:
        """The direction of writing, as HTML calls it."""
        first, *others = self.language.lower().split("-")
        scripts = {part for part in others if len(part) == 4 and part.isalpha()}
        return "rtl" if _RIGHT_TO_LEFT & (scripts or {first}) else "ltr"

    def _shown(self, value: object) -> str:
        if isinstance(value, int) and abs(value) >= _GROUPED:
            return f"{value:,}".replace(",", self.thousands)
        return str(value)


def for_language(language: str, own: Path | None = None) -> Messages:
    """The messages for a language tag; `own` is a study's file."""
    english = _shipped(ORIGINAL)
    code = language.lower().split("-")[0]
    shipped = _shipped(code) if code in LANGUAGES else _File({}, english.plural, english.thousands)
    file = _read(own, shipped, english.messages) if own else shipped
    translated = {**shipped.messages, **file.messages}
    by_key = {**english.messages, **translated}
    return Messages(language, by_key, file.thousands, len(by_key) - len(translated))


@dataclass(frozen=True)
class _File:
    messages: Mapping[str, Message]
    plural: str = "n != 1"
    thousands: str = ","


@cache
def _shipped(language: str) -> _File:
    original = None if language == ORIGINAL else _shipped(ORIGINAL).messages
    return _read(FOLDER / f"{language}.toml", _File({}), original)


def _read(path: Path, defaults: _File, original: Mapping[str, Message] | None) -> _File:
    """A file of messages; keys and words in braces must be those of the original."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DefinitionError(f"{path.name}: not TOML in UTF-8 ({error}).") from None
    plural, thousands = (content.pop(k, getattr(defaults, k)) for k in ("plural", "thousands"))
    if not isinstance(thousands, str) or not isinstance(plural, str):
        raise DefinitionError(f"{path.name}: 'plural' and 'thousands' must be text.")
    try:
        form_of = c2py(plural)
        forms = 1 + max(map(form_of, _COUNTS))
    except (ValueError, ArithmeticError, RecursionError):
        raise DefinitionError(
            f"{path.name}: plural: found {plural[:80]!r}, expected a rule as gettext writes it, such as 'n != 1'."
        ) from None
    messages = {}
    for key, value in _flat(content):
        texts = tuple(value) if isinstance(value, list) else (value,)
        if not all(isinstance(text, str) and text.strip() for text in texts):
            raise DefinitionError(f"{path.name}: {key}: expected text.")
        messages[key] = Message(texts, form_of)
        expected = forms if isinstance(value, list) else 1
        if original is not None:
            _compare(f"{path.name}: {key}", messages[key], key, original)
            expected = forms if len(original[key].forms) > 1 else 1
        if len(texts) != expected:
            raise DefinitionError(
                f"{path.name}: {key}: found {len(texts)} texts, expected {expected} (the plural forms are {plural[:80]!r})."
            )
    return _File(messages, plural, thousands)


def _compare(place: str, message: Message, key: str, original: Mapping[str, Message]) -> None:
    if key not in original:
        raise DefinitionError(f"{place}: no such message.{did_you_mean(key, original)}")
    if message.placeholders != original[key].placeholders:
        found, expected = (
            ", ".join(f"{{{name}}}" for name in sorted(m.placeholders)) or "nothing in braces"
            for m in (message, original[key])
        )
        raise DefinitionError(f"{place}: found {found}, expected {expected}, as in {ORIGINAL}.toml.")


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every message with its key, such as page.skip."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


ENGLISH = for_language(ORIGINAL)
