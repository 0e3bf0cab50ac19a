"""Reads and writes UCCA's standard XML without loss: one file per passage, words in layer 0, units in layer 1.

Files are not trusted: document types and entities are rejected. Every error message names the file and the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any
from xml.parsers import expat

from ..errors import InputError
from .graph import Edge, Terminal, UccaGraph, Unit

_LARGEST_FILE = 256 * 2**20


@dataclass
class _Element:
    """An element of the file, with its line."""

    name: str
    attributes: dict[str, str]
    line: int
    inside: list[_Element] = field(default_factory=list)


# Allowed child elements.
_INSIDE = {
    "": ("root",),
    "root": ("attributes", "extra", "layer"),
    "layer": ("attributes", "extra", "node"),
    "node": ("attributes", "extra", "edge"),
    "edge": ("attributes", "category"),
    "attributes": (),
    "extra": (),
    "category": (),
}


def read_passage(path: str | PathLike[str]) -> UccaGraph:
    """Read a passage from a file of UCCA's standard XML."""
    file = Path(path)
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path}: over 256 MB, expected a passage of UCCA's standard XML.")
        return parse_passage(file.read_bytes(), str(path))
    except OSError as problem:
        raise InputError(f"{path}: cannot read ({problem.strerror}).") from None


def read_folder(path: str | PathLike[str]) -> dict[str, UccaGraph]:
    """Read the passages of all XML files below a folder, by their relative paths."""
    folder = Path(path)
    if not folder.is_dir():
        raise InputError(f"{path}: not a folder; expected one with passages in UCCA's standard XML.")
    files = sorted(folder.rglob("*.xml"))
    if not files:
        raise InputError(f"{path}: no .xml files, expected passages in UCCA's standard XML.")
    return {str(file.relative_to(folder)): read_passage(file) for file in files}


def parse_passage(content: bytes, name: str = "XML") -> UccaGraph:
    """Parse a passage from the content of a file; `name` appears in error messages."""
    root = _tree(content, name)
    layers = {e.attributes.get("layerID", ""): e for e in root.inside if e.name == "layer"}
    if set(layers) != {"0", "1"} or sum(e.name == "layer" for e in root.inside) != 2:
        raise InputError(
            f"{name}, line {root.line}: found the layers {', '.join(sorted(layers)) or 'none'}; "
            "expected 0 (words) and 1 (units)."
        )
    try:
        return UccaGraph(
            id=root.attributes.get("passageID", ""),
            terminals=tuple(_terminal(e, name) for e in layers["0"].inside if e.name == "node"),
            units=tuple(_unit(e, name) for e in layers["1"].inside if e.name == "node"),
            annotation=root.attributes.get("annotationID", "0"),
            attributes=_attributes_of(root, "attributes"),
        )
    except InputError as problem:
        message = str(problem)
        raise (problem if message.startswith(name) else InputError(f"{name}: {message}")) from None


def _tree(content: bytes, name: str) -> _Element:
    parser: Any = expat.ParserCreate()
    top = _Element("", {}, 1)
    stack = [top]

    def fail(what: str) -> None:
        raise InputError(f"{name}, line {parser.CurrentLineNumber}: {what}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        above = stack[-1]
        if tag not in _INSIDE[above.name]:
            inside = f"inside <{above.name}>" if above.name else "as the outermost element"
            allowed = ", ".join(f"<{t}>" for t in _INSIDE[above.name]) or "nothing"
            fail(f"found <{tag}> {inside}, expected {allowed}.")
        element = _Element(tag, attributes, parser.CurrentLineNumber)
        above.inside.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def characters(text: str) -> None:
        if text.strip():
            fail(f"found the text {text.strip()[:40]!r}, expected elements only.")

    def refuse(*_: object) -> None:
        fail("found a document type or an entity, which are not read.")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        raise InputError(f"{name}, line {problem.lineno}: {expat.ErrorString(problem.code)}.") from None
    except (LookupError, ValueError) as problem:  # an unknown encoding in the declaration
        raise InputError(f"{name}, line 1: {problem}.") from None
    return top.inside[0]


def _attributes_of(element: _Element, child: str) -> dict[str, str]:
    return next((e.attributes for e in element.inside if e.name == child), {})


def _need(element: _Element, attribute: str, name: str) -> str:
    if attribute not in element.attributes:
        raise InputError(f"{name}, line {element.line}: <{element.name}> has no {attribute}.")
    return element.attributes[attribute]


def _terminal(element: _Element, name: str) -> Terminal:
    attributes = _attributes_of(element, "attributes")
    if "text" not in attributes:
        raise InputError(f"{name}, line {element.line}: a word without text.")
    paragraph = attributes.get("paragraph", "1")
    if not paragraph.isdecimal():
        raise InputError(f"{name}, line {element.line}: paragraph {paragraph!r} is not a number.")
    return Terminal(
        id=_need(element, "ID", name),
        text=attributes["text"],
        punctuation=_need(element, "type", name) == "Punctuation",
        paragraph=int(paragraph),
        attributes=attributes,
        extra=_attributes_of(element, "extra"),
    )


def _unit(element: _Element, name: str) -> Unit:
    attributes = _attributes_of(element, "attributes")
    return Unit(
        id=_need(element, "ID", name),
        edges=tuple(_edge(e, name) for e in element.inside if e.name == "edge"),
        kind=_need(element, "type", name),
        implicit=attributes.get("implicit") == "True",
        attributes=attributes,
        extra=_attributes_of(element, "extra"),
    )


def _edge(element: _Element, name: str) -> Edge:
    attributes = _attributes_of(element, "attributes")
    return Edge(
        category=_need(element, "type", name),
        child=_need(element, "toID", name),
        remote=attributes.get("remote") == "True",
        tags=tuple(e.attributes for e in element.inside if e.name == "category"),
        attributes=attributes,
    )


def write_passage(graph: UccaGraph) -> str:
    """A passage as UCCA's standard XML."""
    lines = [_open("root", {"annotationID": graph.annotation, "passageID": graph.id}, 0)]
    lines += [_empty("attributes", graph.attributes, 1)]
    lines += [_open("layer", {"layerID": "0"}, 1), _empty("attributes", {}, 2)]
    for terminal in graph.terminals:
        kind = "Punctuation" if terminal.punctuation else "Word"
        lines += [_open("node", {"ID": terminal.id, "type": kind}, 2)]
        lines += _facts(terminal.attributes or {"text": terminal.text}, terminal.extra)
        lines += [_close("node", 2)]
    lines += [_close("layer", 1), _open("layer", {"layerID": "1"}, 1), _empty("attributes", {}, 2)]
    for unit in graph.units:
        lines += [_open("node", {"ID": unit.id, "type": unit.kind}, 2)]
        lines += _facts(unit.attributes or ({"implicit": "True"} if unit.implicit else {}), unit.extra)
        for edge in unit.edges:
            lines += [_open("edge", {"toID": edge.child, "type": edge.category}, 3)]
            lines += [_empty("attributes", edge.attributes or ({"remote": "True"} if edge.remote else {}), 4)]
            lines += [_empty("category", tag, 4) for tag in edge.tags]
            lines += [_close("edge", 3)]
        lines += [_close("node", 2)]
    return "\n".join([*lines, _close("layer", 1), _close("root", 0)]) + "\n"


def _facts(attributes: Mapping[str, str], extra: Mapping[str, str]) -> Sequence[str]:
    return [_empty("attributes", attributes, 3)] + ([_empty("extra", extra, 3)] if extra else [])


def _open(name: str, attributes: Mapping[str, str], depth: int) -> str:
    return f"{'  ' * depth}<{name}{_written(attributes)}>"


def _empty(name: str, attributes: Mapping[str, str], depth: int) -> str:
    return f"{'  ' * depth}<{name}{_written(attributes)} />"


def _close(name: str, depth: int) -> str:
    return f"{'  ' * depth}</{name}>"


# Characters that an attribute must escape; other control characters do not exist in XML 1.0.
_ESCAPES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}
_ESCAPES |= {c: f"&#{c};" for c in (9, 10, 13)}
_ESCAPES |= {c: "\ufffd" for c in range(32) if c not in (9, 10, 13)}
_ESCAPES |= dict.fromkeys((*range(55296, 57344), 65534, 65535), "�")


def _written(attributes: Mapping[str, str]) -> str:
    written = "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in attributes.items())
    return written.encode("ascii", "xmlcharrefreplace").decode()  # as in the corpora
