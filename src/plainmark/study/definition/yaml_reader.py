"""Reading a YAML file into a pydantic model: every mistake is told with its line, its key and what is allowed.

Only plain data are read: no tags, no aliases, nothing is ever called. Scalars that YAML takes for numbers or truth values
stay as they were written, as `yes` and `1.10` are words where text is expected; the field types of fields.py resolve them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from ...errors import DefinitionError
from ...schema import Location, location_text, mistakes

MAX_FILE = 512 * 1024  # characters
_MAX_DEPTH = 12
_SCALARS = {f"tag:yaml.org,2002:{kind}": kind for kind in ("int", "float", "bool", "null", "timestamp")}
_STRING = "tag:yaml.org,2002:str"

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class YamlScalar:
    """A scalar that YAML does not take for a string, as it was written."""

    text: str
    kind: str  # int, float, bool, null, timestamp

    def __str__(self) -> str:
        return self.text


class YamlFile:
    """The data of a YAML file, and the line of everything in it."""

    def __init__(self, text: str, label: str) -> None:
        self.label = label
        self._lines: dict[Location, int] = {(): 1}
        if len(text) > MAX_FILE:
            raise DefinitionError(f"{label}: {len(text):,} characters, expected at most {MAX_FILE:,}.")
        self.data = self._plain(self._compose(text), ())

    def parse(self, model: type[Model]) -> Model:
        """The file as a model; of several mistakes, the first in the file is raised."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            found = [(self._without_tags(m.location), m.message) for m in mistakes(error, _describe)]
            self.fail(*min(found, key=lambda mistake: self._line(mistake[0])))

    def fail(self, location: Location, message: str) -> NoReturn:
        """Raise an error about a place of the file; for a missing key, at the line of what should contain it."""
        place = f"{location_text(location)}: " if location else ""
        self._fail_at(self._line(location), place + message)

    def _fail_at(self, line: int, message: str) -> NoReturn:
        raise DefinitionError(f"{self.label}, line {line}: {message}")

    def _line(self, location: Location) -> int:
        while location not in self._lines:
            location = location[:-1]
        return self._lines[location]

    def _compose(self, text: str) -> Any:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            for event in yaml.parse(text, Loader=loader):
                if isinstance(event, yaml.AliasEvent):
                    line = event.start_mark.line + 1 if event.start_mark else 1
                    self._fail_at(line, "an alias (*name); write the value out instead.")
            root = yaml.compose(text, Loader=loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._fail_at(mark.line + 1 if mark else 1, f"not YAML ({error.problem or error.context}).")
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            self._fail_at(1, f"not YAML ({' '.join(str(error).split())[:120]}).")
        if root is None:
            self._fail_at(1, "empty, expected a study definition.")
        return root

    def _plain(self, node: Any, location: Location) -> Any:
        """A YAML node as dictionaries, lists and scalars; notes the line of each."""
        self._lines.setdefault(location, node.start_mark.line + 1)
        if len(location) > _MAX_DEPTH:
            self.fail(location, "nested too deeply.")
        if node.id == "sequence":
            return [self._plain(value, (*location, i)) for i, value in enumerate(node.value)]
        if node.id == "scalar":
            if node.tag == _STRING:
                return node.value
            if node.tag not in _SCALARS:
                self.fail(
                    location, f"the tag {node.tag[:40]!r} is not allowed; write the value without a tag."
                )
            return YamlScalar(node.value, _SCALARS[node.tag])
        data: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.id != "scalar":
                self._fail_at(line, "a key must be a word.")
            if key.value in data:
                self._fail_at(line, f"{location_text((*location, key.value))}: given twice.")
            self._lines[(*location, key.value)] = line
            data[key.value] = self._plain(value, (*location, key.value))
        return data

    def _without_tags(self, location: Location) -> Location:
        """A location of pydantic without the tag that it adds after the index of a list of tagged models."""
        path: Location = ()
        data: Any = self.data
        for part in location:
            after_index = bool(path) and isinstance(path[-1], int)
            if after_index and isinstance(data, dict) and part in (data.get("kind"), data.get("type")):
                data = {**data, "kind": None, "type": None}  # a field may be called like the tag
                continue
            path = (*path, part)
            try:
                data = data[part]
            except (KeyError, IndexError, TypeError):
                data = None
        return path


def _describe(value: Any) -> str:
    if isinstance(value, YamlScalar) and value.kind == "null":
        return "empty"
    if isinstance(value, dict):
        return "found keys and values"
    return "found a list" if isinstance(value, list) else f"found {str(value)[:40]!r}"
