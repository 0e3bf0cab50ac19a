"""From YAML to frozen dataclasses, and from the same dataclasses to JSON Schema.

Unknown keys, wrong types and doubled keys are errors that say the line, the key and what is allowed. Only plain data
are read: no tags, no aliases, nothing is ever called.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from ...errors import DefinitionError, MissingResourceError, did_you_mean
from ...options import Between, describe_type

LARGEST_FILE = 512 * 1024
LONGEST_TEXT = 20_000
_DEEPEST = 12
_PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "timestamp")}

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Pattern:
    """What a text must look like, as part of its type: Annotated[str, Pattern("[a-z]+", "lower-case letters")]."""

    expression: str
    words: str


def tagged(cls: Any) -> tuple[str, str]:
    """The key and the word by which a class is chosen among its like, such as ("type", "mcq")."""
    return cls.tag_key, cls.tag


@cache
def field_hints(cls: type) -> dict[str, Any]:
    """The declared type of each field, with help texts and limits."""
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in fields(cls)}


def path_text(path: Path) -> str:
    """pages[1].questions[0].text"""
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out


class Document:
    """A YAML file read as a tree of nodes, each of which knows its line."""

    def __init__(self, text: str, label: str) -> None:
        self.label = label
        self.lines: dict[Path, int] = {(): 1}
        if len(text) > LARGEST_FILE:
            raise DefinitionError(f"{label}: {len(text):,} characters, expected at most {LARGEST_FILE:,}.")
        self.root = self._compose(text)

    def _compose(self, text: str) -> Any:
        try:
            import yaml
        except ImportError:
            raise MissingResourceError(
                "studies need PyYAML and others; to install: pip install 'plainmark[study]'."
            ) from None
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for event in yaml.parse(text, Loader=loader):
                if isinstance(event, yaml.AliasEvent):
                    self.fail_at(
                        event.start_mark.line + 1 if event.start_mark else 1,
                        "an alias (*name); write the value out instead.",
                    )
            root = yaml.compose(text, Loader=loader)
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            self.fail_at(mark.line + 1 if mark else 1, f"not YAML ({problem.problem or problem.context}).")
        except (yaml.YAMLError, RecursionError, ValueError) as problem:
            self.fail_at(1, f"not YAML ({' '.join(str(problem).split())[:120]}).")
        if root is None:
            self.fail_at(1, "empty, expected a study definition.")
        return root

    def fail_at(self, line: int, message: str) -> NoReturn:
        raise DefinitionError(f"{self.label}, line {line}: {message}")

    def fail(self, path: Path, message: str) -> NoReturn:
        """Complain about a place that was read; of a missing key, the line of what should hold it."""
        known = path
        while known not in self.lines:
            known = known[:-1]
        where = f"{path_text(path)}: " if path else ""
        self.fail_at(self.lines[known], where + message)

    def read(self, cls: type) -> Any:
        """The whole file as an instance of a dataclass."""
        return self._read(self.root, cls, ())

    def _read(self, node: Any, hint: Any, path: Path) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if len(path) > _DEEPEST:
            self.fail(path, "nested too deeply.")
        plain, limits = _split(hint)
        origin = get_origin(plain)
        if origin in (Union, types.UnionType):
            return self._read_union(node, plain, path)
        if is_dataclass(plain):
            return self._read_dataclass(node, plain, path)
        if origin is tuple:
            return self._read_list(node, get_args(plain)[0], path)
        if origin is not None and issubclass(origin, Mapping) if isinstance(origin, type) else False:
            return self._read_mapping(node, get_args(plain)[1], path)
        return self._read_scalar(node, plain, limits, path)

    def _read_union(self, node: Any, hint: Any, path: Path) -> Any:
        members = [a for a in get_args(hint) if a is not type(None)]
        classes = [m for m in members if is_dataclass(m)]
        if len(classes) > 1:
            return self._read_tagged(node, classes, path)
        if len(members) == 1:
            return self._read(node, members[0], path)
        # A short form beside a dataclass: items: items.jsonl, or items: {file: items.jsonl, ...}
        short = next(m for m in members if not is_dataclass(m))
        return self._read(node, classes[0] if _is_mapping(node) and classes else short, path)

    def _read_tagged(self, node: Any, classes: list[Any], path: Path) -> Any:
        key = tagged(classes[0])[0]
        words = [tagged(c)[1] for c in classes]
        pairs = self._pairs(node, path)
        if key not in pairs:
            self.fail(path, f"no {key!r}; expected one of {', '.join(words)}.")
        word = pairs[key].value
        if not isinstance(word, str) or word not in words:
            hint = did_you_mean(str(word), words)
            self.fail((*path, key), f"found {str(word)[:40]!r}, expected one of {', '.join(words)}.{hint}")
        return self._read_dataclass(node, classes[words.index(word)], path)

    def _read_dataclass(self, node: Any, cls: Any, path: Path) -> Any:
        pairs = self._pairs(node, path)
        hints = field_hints(cls)
        tag = {tagged(cls)[0]} if hasattr(cls, "tag_key") else set()
        for key in pairs:
            if key not in hints and key not in tag:
                allowed = sorted({*hints, *tag})
                self.fail(
                    (*path, key), f"no such key.{did_you_mean(key, allowed)} Allowed: {', '.join(allowed)}."
                )
        missing = [f.name for f in fields(cls) if _required(f) and f.name not in pairs]
        if missing:
            self.fail(
                path,
                f"no {', '.join(map(repr, missing))}; {'it is' if len(missing) == 1 else 'they are'} needed.",
            )
        return cls(**{k: self._read(v, hints[k], (*path, k)) for k, v in pairs.items() if k in hints})

    def _read_list(self, node: Any, hint: Any, path: Path) -> tuple[Any, ...]:
        if node.id == "scalar":  # one word is a list of one
            return (self._read(node, hint, path),)
        if node.id != "sequence":
            self.fail(path, f"found {_found(node)}, expected a list.")
        return tuple(self._read(v, hint, (*path, i)) for i, v in enumerate(node.value))

    def _read_mapping(self, node: Any, hint: Any, path: Path) -> dict[str, Any]:
        return {k: self._read(v, hint, (*path, k)) for k, v in self._pairs(node, path).items()}

    def _read_scalar(self, node: Any, hint: Any, limits: list[Any], path: Path) -> Any:
        expected = _describe(hint, limits)
        if node.id != "scalar":
            self.fail(path, f"found {_found(node)}, expected {expected}.")
        text, kind = node.value, node.tag.rpartition(":")[2]
        if node.tag not in _PLAIN:
            self.fail(path, f"the tag {node.tag[:40]!r} is not allowed; expected {expected}.")
        if kind == "null":
            self.fail(path, f"empty, expected {expected}.")
        value: Any = None
        if get_origin(hint) is Literal:
            value = text if text in get_args(hint) else None
            if value is None:
                self.fail(
                    path, f"found {text[:40]!r}, expected {expected}.{did_you_mean(text, get_args(hint))}"
                )
        elif hint is str:  # yes, 1 and 2.0 are texts where a text is wanted
            if len(text) > LONGEST_TEXT:
                self.fail(path, f"{len(text):,} characters, expected at most {LONGEST_TEXT:,}.")
            value = text
        elif hint is bool and kind == "bool":
            value = text.lower() in ("yes", "true", "on")
        elif hint is int and kind == "int":
            value = _number(text, int)
        elif hint is float and kind in ("int", "float"):
            value = _number(text, float)
        if value is None or not _within(value, limits):
            self.fail(path, f"found {text[:40]!r}, expected {expected}.")
        return value

    def _pairs(self, node: Any, path: Path) -> dict[str, Any]:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if not _is_mapping(node):
            self.fail(path, f"found {_found(node)}, expected keys and values.")
        out: dict[str, Any] = {}
        for key, value in node.value:
            if key.id != "scalar":
                self.fail_at(key.start_mark.line + 1, "a key must be a word.")
            if key.value in out:
                self.fail_at(key.start_mark.line + 1, f"{path_text((*path, key.value))}: given twice.")
            out[key.value] = value
            self.lines[(*path, key.value)] = key.start_mark.line + 1
        return out


def schema_of(cls: type) -> dict[str, Any]:
    """The JSON Schema of a dataclass and of everything in it."""
    defined: dict[str, Any] = {}
    root = _schema(cls, defined)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **defined.pop(root["$ref"].rpartition("/")[2]),
        "$defs": dict(sorted(defined.items())),
    }


def _schema(hint: Any, defined: dict[str, Any]) -> dict[str, Any]:
    plain, limits = _split(hint)
    origin = get_origin(plain)
    if is_dataclass(plain):
        return _object_schema(plain, defined)
    if origin in (Union, types.UnionType):
        members = [_schema(a, defined) for a in get_args(plain) if a is not type(None)]
        return members[0] if len(members) == 1 else {"oneOf": members}
    if origin is tuple:
        inner = _schema(get_args(plain)[0], defined)
        many = {"type": "array", "items": inner}
        return many if "$ref" in inner or "oneOf" in inner else {"oneOf": [inner, many]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(get_args(plain)[1], defined)}
    if origin is Literal:
        return {"enum": list(get_args(plain))}
    if plain is str:  # YAML readers make numbers and truth values of some words
        patterns = [p.expression for p in limits if isinstance(p, Pattern)]
        if patterns:
            return {"type": "string", "pattern": f"^(?:{patterns[0]})$"}
        return {"type": ["string", "number", "boolean"]}
    out: dict[str, Any] = {"type": {bool: "boolean", int: "integer", float: "number"}[plain]}
    for limit in limits:
        if isinstance(limit, Between):
            out |= {"minimum": limit.low} | ({} if limit.high == float("inf") else {"maximum": limit.high})
    return out


def _object_schema(cls: Any, defined: dict[str, Any]) -> dict[str, Any]:
    name = cls.__name__
    if name not in defined:
        defined[name] = {}
        properties: dict[str, Any] = {}
        required = []
        if hasattr(cls, "tag_key"):
            key, word = tagged(cls)
            properties[key] = {"const": word}
            required.append(key)
        for field in fields(cls):
            hint = field_hints(cls)[field.name]
            one = _schema(hint, defined)
            about = next((h for h in getattr(hint, "__metadata__", ()) if isinstance(h, str)), "")
            properties[field.name] = {**one, "description": about} if about else one
            if _required(field):
                required.append(field.name)
        defined[name] = {
            "type": "object",
            "description": (cls.__doc__ or "").strip().partition("\n")[0],
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _split(hint: Any) -> tuple[Any, list[Any]]:
    """A type without its help, and its limits."""
    if get_origin(hint) is not Annotated:
        return hint, []
    plain, more = _split(get_args(hint)[0])
    return plain, [*more, *(m for m in hint.__metadata__ if isinstance(m, (Between, Pattern)))]


def _describe(hint: Any, limits: list[Any]) -> str:
    patterns = [p for p in limits if isinstance(p, Pattern)]
    if patterns:
        return patterns[0].words
    if get_origin(hint) is Literal:
        return f"one of {', '.join(get_args(hint))}"
    if hint is bool:
        return "true or false"
    return " ".join([describe_type(hint), *map(str, limits)])


def _within(value: Any, limits: list[Any]) -> bool:
    import re

    for limit in limits:
        if isinstance(limit, Pattern):
            if not re.fullmatch(limit.expression, value):
                return False
        elif not limit.low <= value <= limit.high:
            return False
    return True


def _number(text: str, kind: type) -> Any:
    try:
        return kind(text.replace("_", ""))
    except (ValueError, OverflowError):
        return None


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _is_mapping(node: Any) -> bool:
    return bool(node.id == "mapping")


def _found(node: Any) -> str:
    named: dict[str, str] = {"mapping": "keys and values", "sequence": "a list"}
    return named[node.id] if node.id in named else repr(str(node.value)[:40])
