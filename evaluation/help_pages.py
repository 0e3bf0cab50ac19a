"""Help pages of LibreOffice in many languages: corresponding paragraphs, which share an id.

    apt-get download libreoffice-help-en-us libreoffice-help-de ...     (Debian packages)
    dpkg-deb -x PACKAGE FOLDER                                          (all of them into one folder)

Pages are under FOLDER/usr/share/libreoffice/help/LANGUAGE/text. Nothing here was tuned on them.
"""

from __future__ import annotations

import hashlib
from html.parser import HTMLParser
from pathlib import Path

from plainmark.errors import InputError
from plainmark.punkt import split_sentences

PAGES = Path("usr/share/libreoffice/help")
ENGLISH = "en-US"


class _Paragraphs(HTMLParser):
    """The paragraphs of a page, by id."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self._id = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "p":
            self._id = dict(attributes).get("id") or ""
        elif tag == "br" and self._id:
            self._id = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self._id = ""

    def handle_data(self, data: str) -> None:
        if self._id:
            self.texts[self._id] = self.texts.get(self._id, "") + data


def paragraphs(folder: Path, language: str) -> dict[str, str]:
    """All paragraphs of a language, by page and id."""
    root = folder / PAGES / (ENGLISH if language == "en" else language) / "text"
    if not root.is_dir():
        raise InputError(f"{root}: no such folder; unpack libreoffice-help-{language} into {folder}.")
    texts = {}
    for path in sorted(root.rglob("*.html")):
        parser = _Paragraphs()
        parser.feed(path.read_text("utf-8"))
        texts |= {f"{path.relative_to(root)}#{key}": " ".join(t.split()) for key, t in parser.texts.items()}
    return texts


def sentences(folder: Path, language: str, english: dict[str, str], limit: int) -> list[str]:
    """Paragraphs that are one sentence, like their English original, in an order drawn by a hash; no text twice."""
    translated = paragraphs(folder, language)
    texts = {
        text: key
        for key, text in translated.items()
        if is_complete(text)
        and (language == "en" or text != english.get(key))
        and _is_one(english.get(key, ""))
    }
    return sorted(texts, key=lambda text: hashlib.sha256(texts[text].encode()).hexdigest())[:limit]


def is_complete(text: str) -> bool:
    """Whether a text is a sentence: descriptions of parameters, which begin with a lower-case letter, are not."""
    return text.endswith((".", "!", "?", "。")) and not text[0].islower()


def _is_one(text: str) -> bool:
    return is_complete(text) and len(text.split()) >= 5 and len(split_sentences(text)) == 1
