"""Reading a study's folder: the definition, its items, and whether they fit together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

from ...errors import DefinitionError, did_you_mean
from .items import Item, read_items
from .models import Block, Definition, Outcome, Practice, Survey
from .questions import Asking, Likert, Mcq, Pairwise, Question, Rank, Slider, YesNo, answers_of, letter
from .yaml_reader import Document
from .yaml_reader import Path as Key

FILE = "study.yaml"
ALL = "all"  # the only arm of a grid


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
    digest: str  # of everything but the mode; the revision of answers

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The conditions, their pairs, or all at once, as the block shows them."""
        return arms_of(self.definition)

    @property
    def absent(self) -> frozenset[tuple[str, str]]:
        """Items and arms that cannot be shown, as a text is missing."""
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
        """The item of that id."""
        return self._by_id[key]

    @property
    def _by_id(self) -> dict[str, Item]:
        found: dict[str, Item] = self.__dict__.setdefault("_items", {i.id: i for i in self.items})
        return found

    def return_url(self, outcome: Outcome) -> str:
        """Where a person is sent back to at the end, or nothing if that outcome has no code."""
        code = getattr(self.definition.recruit.codes, outcome)
        return self.definition.recruit.return_url.replace("{code}", quote(code, safe="")) if code else ""


def load(path: str | Path) -> Study:
    """Read and check a study: a folder with study.yaml, or the file itself."""
    path = Path(path)
    file = path / FILE if path.is_dir() else path
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        hint = " `plainmark study init TEMPLATE FOLDER` makes one." if not file.exists() else ""
        raise DefinitionError(f"{file}: cannot be read ({problem.strerror}).{hint}") from None
    except UnicodeDecodeError as problem:
        line = problem.object[: problem.start].count(b"\n") + 1
        raise DefinitionError(f"{file}, line {line}: not UTF-8. Convert the file to UTF-8 first.") from None
    document = Document(text, str(file))
    definition: Definition = document.read(Definition)
    _check_definition(document, definition)
    roles = [(("texts", c), c) for c in definition.texts] + [(("original",), definition.original)]
    for path_, name in [*roles, *((("references", i), n) for i, n in enumerate(definition.references))]:
        if name and name not in definition.conditions:
            document.fail(path_, _not_among(name, definition.conditions))
    try:
        items = read_items(
            file.parent,
            definition.items,
            definition.conditions,
            definition.texts,
            incomplete=definition.incomplete,
        )
    except DefinitionError as problem:
        document.fail(("items",), str(problem))
    _check_items(document, definition, items)
    return Study(definition, tuple(items), file.parent, digest(definition, items))


def arms_of(definition: Definition) -> tuple[Arm, ...]:
    """What the trials show."""
    block, names = definition.block, definition.conditions
    if block.show == "grid":
        return (Arm(ALL, names),)
    if block.show == "pair":
        pairs = [tuple(p.split("|")) for p in block.pairs] or list(combinations(names, 2))
        return tuple(Arm("|".join(p), tuple(p)) for p in pairs)
    return tuple(Arm(name, (name,)) for name in names)


def digest(definition: Definition, items: list[Item]) -> str:
    """A hash of all that people see; the mode is left out, so that a pilot can go live unchanged."""
    content = {"definition": {**asdict(definition), "mode": ""}, "items": [asdict(i) for i in items]}
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _questions(definition: Definition) -> Iterator[tuple[Key, tuple[Question, ...], object]]:
    for index, page in enumerate(definition.pages):
        if isinstance(page, (Practice, Block, Survey)):
            yield ("pages", index), page.questions, page


def _check_definition(document: Document, definition: Definition) -> None:
    fail = document.fail
    if not definition.conditions:
        fail(("conditions",), "empty, expected at least one condition.")
    for index, name in enumerate(definition.conditions):
        if name in definition.conditions[:index]:
            fail(("conditions", index), f"{name!r} is given twice.")
    blocks = [i for i, p in enumerate(definition.pages) if isinstance(p, Block)]
    if len(blocks) != 1:
        fail(("pages",), f"found {len(blocks)} pages of kind block, expected one.")
    block = definition.block
    if block.show == "pair" and len(definition.conditions) < 2:
        fail(("conditions",), "a pair needs at least two conditions.")
    for index, pair in enumerate(block.pairs):
        names = pair.split("|")
        if len(names) != 2 or len(set(names)) != 2 or not set(names) <= set(definition.conditions):
            where: Key = ("pages", blocks[0], "pairs", index)
            fail(where, f"found {pair[:80]!r}, expected two conditions as 'one|other'.")
    if block.source and block.show not in ("pair", "grid"):
        fail(
            ("pages", blocks[0], "source"),
            f"is for pairs and grids; instead of {block.show}, show source+text.",
        )
    for path, questions, page in _questions(definition):
        if isinstance(page, (Block, Practice)):
            _check_texts(document, path, page, len(definition.conditions))
        ids: set[str] = set()
        for number, question in enumerate(questions):
            here: Key = (*path, "questions", number)
            if question.id in ids:
                fail((*here, "id"), f"{question.id!r} is given twice on one page.")
            ids.add(question.id)
            _check_question(document, here, question, page)
            if question.show_if:
                _check_condition(document, (*here, "show_if"), question, questions[:number])
    if not block.questions:
        fail(("pages", blocks[0], "questions"), "empty, expected at least one question.")
    for number, attention in enumerate(definition.checks.attention):
        here = ("checks", "attention", number, "question")
        if not attention.question.key:
            fail(here, "no 'key'; an attention trial needs the right answer.")
        _check_question(document, here, attention.question, attention)
        if attention.after > definition.design.per_participant:
            limit = definition.design.per_participant
            fail(
                ("checks", "attention", number, "after"),
                f"found {attention.after}, but a person sees {limit} items.",
            )
    _check_scores(document, definition)


def _check_texts(document: Document, here: Key, page: Block | Practice, conditions: int) -> None:
    """As many texts and headings as the page shows."""
    shown = {"text": 1, "source+text": 2, "pair": 2, "grid": conditions}[page.show]
    if isinstance(page, Practice):
        found = len(page.item.texts) + (page.show == "source+text")
        if page.show == "source+text" and not page.item.source:
            document.fail((*here, "item"), "no 'source', and the page shows one.")
        if page.show == "grid" or (page.show == "text" and not found):
            shown = found
        elif found != shown:
            texts = shown - (page.show == "source+text")
            document.fail(
                (*here, "item"), f"found {len(page.item.texts)} texts, expected {texts} for {page.show}."
            )
    if len(page.labels) not in (0, shown):
        document.fail(
            (*here, "labels"), f"found {len(page.labels)} labels, expected {shown}, one for each text."
        )


def _check_question(document: Document, here: Key, question: Question, page: object) -> None:
    in_block = isinstance(page, Block)
    show = getattr(page, "show", "")
    if bool(question.text) == bool(question.text_field):
        document.fail(here, "expected either 'text' or 'text_field'.")
    for name in ("text_field", "options_field", "key_field"):
        if getattr(question, name, "") and not in_block:
            document.fail((*here, name), "only the questions of a block can use fields of the items.")
    if question.screen_out and not isinstance(page, Survey):
        document.fail((*here, "screen_out"), "only the questions of a survey can screen out.")
    if isinstance(question, Mcq):
        _check_mcq(document, here, question)
    if isinstance(question, (Likert, Slider)) or question.tag == "count":
        low, high = question.low, question.high  # type: ignore[union-attr]
        if low >= high:
            document.fail((*here, "high"), f"found {high}, expected more than low, which is {low}.")
    if isinstance(question, Likert) and question.high - question.low > 10:
        document.fail((*here, "high"), "a likert scale has at most 11 points; use a slider.")
    points = {Likert: lambda q: (0, 2, q.high - q.low + 1), Slider: lambda q: (0, 2), YesNo: lambda q: (2,)}
    if type(question) in points and len(question.labels) not in (allowed := points[type(question)](question)):  # type: ignore[no-untyped-call, union-attr]
        words = " or ".join(map(str, sorted(set(allowed))))
        document.fail((*here, "labels"), f"found {len(question.labels)} labels, expected {words}.")  # type: ignore[union-attr]
    if isinstance(question, YesNo) and question.key not in ("", "yes", "no"):
        document.fail((*here, "key"), f"found {question.key[:40]!r}, expected yes or no.")
    if isinstance(question, Pairwise) and show != "pair":
        document.fail((*here, "type"), "pairwise questions need a page that shows a pair.")
    if isinstance(question, Rank) and not question.options and show not in ("grid", "pair"):
        document.fail((*here, "type"), "rank needs options, or a page that shows a grid or a pair.")
    allowed_answers = answers_of(question)
    for answer in question.screen_out:
        if allowed_answers is not None and answer not in allowed_answers:
            document.fail((*here, "screen_out"), _not_among(answer, allowed_answers))
    if getattr(question, "rewrite", None) and show not in ("text", "source+text"):
        document.fail((*here, "rewrite"), "a rewriting needs a page that shows one text, or source+text.")


def _check_mcq(document: Document, here: Key, question: Mcq) -> None:
    if bool(question.options) == bool(question.options_field):
        document.fail(here, "expected either 'options' or 'options_field'.")
    if question.options and len(question.options) < 2:
        document.fail((*here, "options"), "found 1 option, expected at least 2.")
    if len(set(question.options)) < len(question.options):
        document.fail((*here, "options"), "an option is given twice.")
    if question.key and question.key_field:
        document.fail(here, "expected either 'key' or 'key_field'.")
    if question.key and question.options and not key_letter(question.key, list(question.options)):
        document.fail(
            (*here, "key"),
            _not_among(question.key, answers_of(question) or ()) + " An option's text will do.",
        )


def _check_condition(document: Document, here: Key, question: Asking, before: tuple[Question, ...]) -> None:
    condition = question.show_if
    assert condition is not None
    names = {q.id: q for q in before}
    if condition.question not in names:
        document.fail(
            (*here, "question"),
            f"no earlier question {condition.question[:40]!r} on this page.{did_you_mean(condition.question, names)}",
        )
    earlier = names[condition.question]
    allowed = answers_of(earlier)
    if allowed is not None and not (isinstance(earlier, Mcq) and earlier.options_field):
        for answer in condition.equals:
            if answer not in allowed:
                document.fail((*here, "equals"), _not_among(answer, allowed))


def _check_scores(document: Document, definition: Definition) -> None:
    numeric = {
        q.id for q in definition.block.questions if isinstance(q, (Likert, Slider, Rank)) or q.tag == "count"
    }
    known = set(numeric)
    for index, score in enumerate(definition.scores):
        for part in score.of:
            if part not in known:
                document.fail(("scores", index, "of"), _not_among(part, sorted(known)))
        scaled = {q.id for q in definition.block.questions if isinstance(q, (Likert, Slider))}
        if score.invert and not set(score.of) <= scaled:
            document.fail(("scores", index, "invert"), "only answers on a scale can be inverted.")
        known.add(score.id)


def _check_items(document: Document, definition: Definition, items: list[Item]) -> None:
    block = definition.block
    index = definition.pages.index(block)
    if definition.design.per_participant > len(items):
        document.fail(
            ("design", "per_participant"),
            f"found {definition.design.per_participant}, but there are {len(items)} items.",
        )
    if definition.design.overlap > len(items):
        document.fail(
            ("design", "overlap"), f"found {definition.design.overlap}, but there are {len(items)} items."
        )
    if definition.shows_source:
        bare = [i.id for i in items if not i.source.strip()]
        if bare:
            document.fail(
                ("items",), f"{definition.items}: item {bare[0]!r} has no source, and the block shows one."
            )
    for number, question in enumerate(block.questions):
        here: Key = ("pages", index, "questions", number)
        for item in items:
            if question.text_field and not item.text_of(question.text_field).strip():
                document.fail(
                    here, f"{definition.items}: item {item.id!r} has no field {question.text_field!r}."
                )
            if not isinstance(question, Mcq):
                continue
            options = options_of(question, item)
            if len(options) < 2 or len(set(options)) < len(options):
                found = f"{len(options)} options" if len(options) < 2 else "an option twice"
                document.fail(
                    here, f"{definition.items}: item {item.id!r} has {found} in {question.options_field!r}."
                )
            key = item.text_of(question.key_field) if question.key_field else question.key
            if key and not key_letter(key, options):
                document.fail(
                    here,
                    f"{definition.items}: item {item.id!r}: the key {key[:40]!r} is none of its options.",
                )


def options_of(question: Mcq, item: Item | None) -> list[str]:
    """A question's own options, or the item's."""
    if question.options_field and item is not None:
        return item.list_of(question.options_field)
    return list(question.options)


def key_of(question: Mcq | YesNo, item: Item | None) -> str:
    """The right answer as it is stored, or nothing if there is none."""
    if isinstance(question, YesNo):
        return question.key
    key = item.text_of(question.key_field) if question.key_field and item is not None else question.key
    return key_letter(key, options_of(question, item)) if key else ""


def key_letter(key: str, options: list[str]) -> str:
    """The letter of a key that is given as a letter or as an option's text."""
    letters = [letter(i) for i in range(len(options))]
    if key in letters:
        return key
    return next((n for n, o in zip(letters, options, strict=True) if o.strip() == key.strip()), "")


def _not_among(found: str, allowed: object) -> str:
    words = list(allowed)  # type: ignore[call-overload]
    return f"found {found[:40]!r}, expected one of {', '.join(words) or 'none'}.{did_you_mean(found, words)}"
