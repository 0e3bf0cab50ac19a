"""SVG elements as plain data; every text and attribute is escaped when an element is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ..html import escape

Value = str | float | None


@dataclass(frozen=True, slots=True)
class Element:
    """A tag with its attributes and content; templates render it with its `__html__`."""

    tag: str
    attributes: tuple[tuple[str, Value], ...]
    children: tuple[Element | str, ...]

    def __html__(self) -> str:
        parts: list[str] = []
        self._write(parts)
        return "".join(parts)

    __str__ = __html__

    def _write(self, parts: list[str]) -> None:
        parts += ("<", self.tag)
        for name, value in self.attributes:
            if value is not None:
                written = escape(value) if isinstance(value, str) else at(value)
                parts += (" ", name, '="', written, '"')
        if not self.children:
            parts.append("/>")
            return
        parts.append(">")
        for child in self.children:
            if isinstance(child, str):
                parts.append(escape(child))
            else:
                child._write(parts)
        parts += ("</", self.tag, ">")


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption; `aside` is beside the caption in small print."""

    drawing: Element
    caption: str
    aside: str = ""


def element(tag: str, *children: Element | str, **attributes: Value) -> Element:
    """An element; `class_` and `text_anchor` are the attributes class and text-anchor, and None omits an attribute."""
    return Element(tag, tuple((_attribute(name), value) for name, value in attributes.items()), children)


def group(children: Iterable[Element], *, title: str | None = None, **attributes: Value) -> Element:
    """A group of elements with the title that they show on hover."""
    named = () if title is None else (element("title", title),)
    return element("g", *named, *children, **attributes)


def path(kind: str, d: str) -> Element:
    """A path with this class."""
    return element("path", class_=kind, d=d)


def text(kind: str, content: str, x: float, y: float, anchor: str | None = None) -> Element:
    """A text with this class; `anchor` says which of its ends is at x (default: the start)."""
    return element("text", content, class_=kind, x=x, y=y, text_anchor=anchor)


def at(value: float) -> str:
    """A position, rounded to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


@cache
def _attribute(name: str) -> str:
    return name.removesuffix("_").replace("_", "-")
