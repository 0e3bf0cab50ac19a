"""Shared tasks: a track file says what the items are, what a submission looks like, which metrics count and who is ahead.

A track is a TOML file: one of those that come with the package, by name, or any other, by path. docs/tracks.md has the keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..datasets import dataset
from ..errors import InputError, OptionError, PlainmarkError, UnknownNameError, did_you_mean
from ..files import json_objects
from ..metric import Metric, metric

RULES = ("scaled", "metric")


@dataclass(frozen=True)
class Item:
    """One item of the task: its texts, and all fields that its line has."""

    id: str
    source: str
    references: tuple[str, ...]
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class TrackMetric:
    """A column of the leaderboard; `where` limits it to items with these fields, weight 0 leaves it out of the ranking."""

    key: str
    title: str
    spec: str
    weight: float = 1.0
    where: Mapping[str, Any] | None = None
    external: str = ""  # why plainmark cannot compute it

    @cached_property
    def metric(self) -> Metric | None:
        """The metric, if this installation has it."""
        return None if self.unavailable else metric(self.spec)

    @cached_property
    def unavailable(self) -> str:
        """Why it cannot be computed; empty if it can."""
        if self.external:
            return self.external
        try:
            return metric(self.spec).missing()
        except UnknownNameError as problem:
            return str(problem)

    def counts(self, item: Item) -> bool:
        """Whether it is computed on an item."""
        return all(item.fields.get(k) == v for k, v in (self.where or {}).items())


@dataclass(frozen=True)
class Track:
    """A shared task."""

    name: str
    title: str
    about: str
    items_file: str
    dataset: str
    names: Mapping[str, str]  # of the fields of items: id, source, references
    submitted: Mapping[str, str]  # of the fields of submissions: id, output
    ordered: bool
    metrics: tuple[TrackMetric, ...]
    rule: str
    by: str
    folder: Path

    def items(self) -> list[Item]:
        """The items of the task, in order."""
        path = (
            dataset(self.dataset).path(self.items_file)
            if self.dataset
            else str(self.folder / self.items_file)
        )
        items: dict[str, Item] = {}
        for place, row in json_objects(path):
            values = {key: row.get(field) for key, field in self.names.items()}
            references = values.get("references")
            references = [references] if isinstance(references, str) else references or []
            if not isinstance(values["id"], str) or not isinstance(values["source"], str):
                raise InputError(f"{place}: expected texts in {self.names['id']} and {self.names['source']}.")
            if not isinstance(references, list) or not all(isinstance(r, str) for r in references):
                raise InputError(
                    f"{place}: expected a text or a list of texts in {self.names['references']}."
                )
            if values["id"] in items:
                raise InputError(f"{place}: the id {values['id'][:40]!r} is there twice.")
            items[values["id"]] = Item(values["id"], values["source"], tuple(references), row)
        return list(items.values())


def names() -> list[str]:
    """The tracks that come with the package."""
    return sorted(
        f.name.removesuffix(".toml") for f in files(__package__).iterdir() if f.name.endswith(".toml")
    )


def load(name: str) -> Track:
    """The track of a name, or of a file."""
    if name in names():
        # What a track of the package does not bring along is looked for in the current folder.
        folder = Path(str(files(__package__)))
        text = (folder / f"{name}.toml").read_text("utf-8")
        return _track(text, name, folder if name == "example" else Path())
    path = Path(name)
    if path.suffix != ".toml":
        raise OptionError(
            f"no track is called {name!r}; expected {', '.join(names())} or a .toml file.{did_you_mean(name, names())}"
        )
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: cannot read the track ({problem}).") from None
    return _track(text, str(path), path.parent)


def _track(text: str, place: str, folder: Path) -> Track:
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise InputError(f"{place}: not TOML ({problem}).") from None
    read = _Reader(table, place)
    data, submission, ranking = (read.table(key) for key in ("data", "submission", "ranking"))
    rows = table.get("metrics")
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise InputError(f"{place}: no metrics; expected at least one [[metrics]].")
    metrics = tuple(_metric(_Reader(row, f"{place}, metric {i}")) for i, row in enumerate(rows, 1))
    keys = [m.key for m in metrics]
    if twice := next((k for k in keys if keys.count(k) > 1), None):
        raise InputError(f"{place}: two metrics have the key {twice!r}.")
    rule, by = ranking.text("rule", "scaled"), ranking.text("by", "")
    if rule not in RULES:
        raise InputError(f"{place}: ranking rule {rule!r}, expected one of {', '.join(RULES)}.")
    if rule == "metric" and by not in keys:
        raise InputError(f"{place}: ranking by {by!r}, expected the key of a metric: {', '.join(keys)}.")
    track = Track(
        read.text("name"),
        read.text("title", table.get("name", "")),
        read.text("about", ""),
        data.text("items"),
        data.text("dataset", ""),
        {
            "id": data.text("id", "id"),
            "source": data.text("source", "source"),
            "references": data.text("references", "references"),
        },
        {"id": submission.text("id", "id"), "output": submission.text("output", "output")},
        submission.flag("ordered"),
        metrics,
        rule,
        by,
        folder,
    )
    for reader in (read, data, submission, ranking):
        reader.finish(also=("metrics", "data", "submission", "ranking") if reader is read else ())
    return track


def _metric(read: _Reader) -> TrackMetric:
    spec, external = read.text("metric", ""), read.text("external", "")
    key = read.text("key")
    if not spec and not external:
        raise InputError(
            f"{read.place}: expected metric = '...' or external = 'why it is not computed here'."
        )
    if spec:
        try:
            metric(spec)
        except UnknownNameError:
            pass  # a metric of another version or package: the leaderboard says that it is not available
        except PlainmarkError as problem:
            raise InputError(f"{read.place}: {problem}") from None
    weight, where = read.values.get("weight", 1.0), read.values.get("where")
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < 1e6:
        raise InputError(f"{read.place}: weight {weight!r}, expected a number of at least 0.")
    if where is not None and not isinstance(where, dict):
        raise InputError(f"{read.place}: where {where!r}, expected a table such as {{target_cefr = 'A2'}}.")
    result = TrackMetric(key, read.text("title", key), spec, float(weight), where, external)
    read.finish(also=("weight", "where"))
    return result


class _Reader:
    """Typed access to a table of a track file; keys that nothing asked for are errors."""

    def __init__(self, values: dict[str, Any], place: str) -> None:
        self.values, self.place = values, place
        self._known: set[str] = set()

    def text(self, key: str, default: str | None = None) -> str:
        self._known.add(key)
        value = self.values.get(key, default)
        if not isinstance(value, str):
            problem = "is missing" if value is None else f"is {value!r}"
            raise InputError(f"{self.place}: {key} {problem}, expected a text.")
        return value

    def flag(self, key: str) -> bool:
        self._known.add(key)
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise InputError(f"{self.place}: {key} is {value!r}, expected true or false.")
        return value

    def table(self, key: str) -> _Reader:
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise InputError(f"{self.place}: {key} is {value!r}, expected a table [{key}].")
        return _Reader(value, f"{self.place}, [{key}]")

    def finish(self, also: tuple[str, ...] = ()) -> None:
        for key in self.values:
            if key not in (*self._known, *also):
                hint = did_you_mean(key, {*self._known, *also})
                raise InputError(f"{self.place}: there is no key {key!r}.{hint}")
