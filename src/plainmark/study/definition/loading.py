"""Loading a study's folder: the definition and its items, read and checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from ...errors import DefinitionError
from ...schema import StrictModel
from ..assignment import BlockShape
from ..messages import Messages, for_language
from .consistency import check_definition, check_items
from .fields import AddedKey
from .items import Item, chosen_items, path_inside, read_items
from .models import Definition
from .pages import BlockPage, ConsentPage, PageBase
from .questions import Question, YesNo
from .yaml_reader import YamlFile

ModelT = TypeVar("ModelT", bound=StrictModel)
PageT = TypeVar("PageT", bound=PageBase)

FILE = "study.yaml"
ALL_CONDITIONS = "all"  # the only arm of a grid


@dataclass(frozen=True)
class Arm:
    """What one trial shows of an item: one condition, a pair of them, or all."""

    id: str
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """A definition with its items, read and checked."""

    definition: Definition
    items: tuple[Item, ...]
    folder: Path
    digest: str  # of everything but the mode; identifies the revision that answers belong to
    messages: Messages  # what participants read besides

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """The conditions, their pairs, or all at once, as the blocks show them."""
        arms = (arm for block in self.definition.blocks for arm in arms_of(self.definition, block))
        return tuple(dict.fromkeys(arms))

    def items_of(self, block: BlockPage) -> list[Item]:
        """The items that a block is about."""
        return chosen_items(self.items, block)

    @cached_property
    def shapes(self) -> tuple[BlockShape, ...]:
        """What assignment knows of the blocks."""
        return tuple(
            BlockShape(
                tuple(i.id for i in self.items_of(block)),
                tuple(a.id for a in arms_of(self.definition, block)),
                self.definition.size_of(block),
                block.id,
            )
            for block in self.definition.blocks
        )

    @cached_property
    def absent(self) -> frozenset[tuple[str, str]]:
        """Items and arms that cannot be shown because a text is missing."""
        if not self.definition.incomplete:
            return frozenset()
        return frozenset(
            (i.id, a.id)
            for i in self.items
            for a in self.arms
            if not all(i.texts.get(c, "").strip() for c in a.conditions)
        )

    def source_of(self, item: Item) -> str:
        """The source of an item: its own, or its text in the original condition."""
        return item.source or item.texts.get(self.definition.original, "")

    def item(self, key: str) -> Item:
        """The item with that id."""
        return self._items_by_id[key]

    def find_item(self, key: str) -> Item | None:
        """The item with that id, or None: an older revision may have had others."""
        return self._items_by_id.get(key)

    @cached_property
    def _items_by_id(self) -> dict[str, Item]:
        return {i.id: i for i in self.items}

    def in_mode(self, mode: Literal["pilot", "live"]) -> Study:
        """The same study as a pilot, or live."""
        return replace(self, definition=self.definition.model_copy(update={"mode": mode}))

    def code(self, outcome: str, session: int = 1) -> str:
        """The completion code of an outcome of a session; empty if it has none. A quota has its own or that of full."""
        definition = self.definition
        codes = definition.recruit.codes if session == 1 else definition.sessions[session - 2].codes
        if outcome == "quota" and not definition.recruit.codes.quota:
            outcome = "full"
        return str(getattr(codes, outcome, ""))

    def return_url(self, outcome: str, session: int = 1) -> str:
        """Where a participant is sent back to at the end; empty if that outcome has no code."""
        code = self.code(outcome, session)
        return self.definition.recruit.return_url.replace("{code}", quote(code, safe="")) if code else ""


def load(folder: str | Path) -> Study:
    """Read and check a study: a folder with study.yaml, or the file itself."""
    path = Path(folder)
    path = path / FILE if path.is_dir() else path
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        hint = " `plainmark study init TEMPLATE FOLDER` makes one." if not path.exists() else ""
        raise DefinitionError(f"{path}: cannot be read ({error.strerror}).{hint}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DefinitionError(f"{path}, line {line}: not UTF-8. Convert the file to UTF-8 first.") from None
    file = YamlFile(text, str(path))
    definition = file.parse(Definition)
    try:
        own = path_inside(path.parent, definition.messages) if definition.messages else None
        messages = for_language(definition.language, own)
    except DefinitionError as error:
        file.fail(("messages",), str(error))
    definition = _worded(definition, messages)
    check_definition(file, definition)
    try:
        items = read_items(
            path.parent,
            definition.items,
            definition.conditions,
            definition.texts,
            incomplete=definition.incomplete,
        )
    except DefinitionError as error:
        file.fail(("items",), str(error))
    check_items(file, definition, items)
    return Study(definition, tuple(items), path.parent, digest(definition, items), messages)


def _worded(definition: Definition, messages: Messages) -> Definition:
    """The definition with the words of its language where it has none of its own."""
    agree, decline, yes, no = (messages(f"default.{name}") for name in ("agree", "decline", "yes", "no"))

    def worded(question: Question) -> Question:
        return _with_defaults(question, labels=(yes, no)) if isinstance(question, YesNo) else question

    def worded_page(page: PageT) -> PageT:
        if isinstance(page, ConsentPage):
            return _with_defaults(page, agree=agree, decline=decline)
        questions: tuple[Question, ...] = page.questions  # type: ignore[attr-defined]
        return page.model_copy(update={"questions": tuple(map(worded, questions))})

    sessions = tuple(
        session.model_copy(update={"pages": tuple(map(worded_page, session.pages))})
        for session in definition.sessions
    )
    pages = tuple(map(worded_page, definition.pages))
    return definition.model_copy(update={"pages": pages, "sessions": sessions})


def _with_defaults(model: ModelT, **defaults: Any) -> ModelT:
    stated = model.model_fields_set
    return model.model_copy(update={name: v for name, v in defaults.items() if name not in stated})


def arms_of(definition: Definition, block: BlockPage) -> tuple[Arm, ...]:
    """The arms of a block: conditions, pairs of them, or all at once."""
    names = definition.conditions
    if block.show == "grid":
        return (Arm(ALL_CONDITIONS, names),)
    if block.show == "pair":
        pairs = [tuple(p.split("|")) for p in block.pairs] or list(combinations(names, 2))
        return tuple(Arm("|".join(p), tuple(p)) for p in pairs)
    return tuple(Arm(name, (name,)) for name in names)


def digest(definition: Definition, items: list[Item]) -> str:
    """A hash of all that participants see; the mode is left out, so that a pilot can go live unchanged.

    Databases store it, so it must not change between versions: kinds of pages and types of questions are not part of it, and
    of exclusions, analysis, messages and keys that older versions did not have only what differs from the defaults.
    """
    dumped = {**_dump(definition), "mode": ""}
    dumped |= definition.model_dump(include=_OPTIONAL, exclude_defaults=True)
    content = {
        "definition": dumped,
        "items": [asdict(i) for i in items],
    }
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


_OPTIONAL = {"exclusions", "analysis", "messages"}
_FIRST_TYPES = ("mcq", "likert", "slider", "count", "pairwise", "rank", "yesno", "text")
_FIRST_KINDS = ("consent", "practice", "block", "survey")


def _dump(value: Any) -> Any:
    """A model as plain data, without what is no part of the hash."""
    if isinstance(value, tuple):
        return [_dump(v) for v in value]
    if not isinstance(value, BaseModel):
        return value
    dumped = {}
    for name, field in type(value).model_fields.items():
        content = getattr(value, name)
        added = any(isinstance(mark, AddedKey) for mark in field.metadata)
        if added and content == field.get_default(call_default_factory=True):
            continue
        if isinstance(value, Definition) and name in _OPTIONAL:
            continue
        if (name == "type" and content in _FIRST_TYPES) or (name == "kind" and content in _FIRST_KINDS):
            continue
        dumped[name] = _dump(content)
    return dumped
