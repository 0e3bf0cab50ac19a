"""Marked texts in the files of other programs: thresh, potato and Label Studio.

    thresh         a list of {"original", "simplified", "system", "user", "edits": [{"category", "input_idx", "output_idx",
                   "annotation"}]}; newer files write source and target. Offsets are characters.
    potato         user_state.json: {"user_id", "instance_id_to_span_to_value": {instance: {scheme: [{"start", "end", "label"}]}}},
                   one object, a list of them, or one per line; the texts are in a file of their own, JSON lines with id and text
    label-studio   a list of tasks: {"id", "data": {"text"}, "annotations": [{"completed_by", "result": [{"id", "value":
                   {"start", "end", "labels"}, "from_name", "to_name", "type": "labels"}]}]}

Reading gives marks by text and annotator, whatever the program; what plainmark has no place for is in `extra`, and writing
the same format puts it back. Mistakes are told with the line of the file and the field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ..errors import InputError
from .marks import SOURCE, Mark, Span

TEXT = "text"  # the side of a span that is not in the source
MAX_FILE = 64 * 2**20
SEVERITY = "severity"


@dataclass(frozen=True)
class MarkedPair:
    """What one annotator marked in one text, and in its source if there is one."""

    item: str
    system: str
    annotator: str
    source: str
    text: str
    marks: tuple[Mark, ...]  # spans in "source" or "text"
    extra: dict[str, Any] = field(default_factory=dict, compare=False)  # the object of the file


class _Json:
    """A JSON file that knows the line of each object of its top level."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        if len(text) > MAX_FILE:
            raise InputError(f"{name}: {len(text):,} characters, expected at most {MAX_FILE:,}.")
        self.text = text
        self.objects = list(self._objects())

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each object with its line: the elements of a list, or one object after another."""
        decoder = json.JSONDecoder()
        at = self._skip(0)
        in_list = self.text.startswith("[", at)
        at = self._skip(at + 1) if in_list else at
        while at < len(self.text) and not (in_list and self.text[at] == "]"):
            line = self.text.count("\n", 0, at) + 1
            try:
                value, end = decoder.raw_decode(self.text, at)
            except json.JSONDecodeError as error:
                raise InputError(f"{self.name}, line {error.lineno}: not JSON ({error.msg}).") from None
            except RecursionError:
                raise InputError(f"{self.name}, line {line}: nested too deeply.") from None
            if not isinstance(value, dict):
                raise InputError(f"{self.name}, line {line}: found {_kind(value)}, expected an object.")
            yield line, value
            at = self._skip(end)
            if in_list:
                if not self.text.startswith((",", "]"), at):
                    line = self.text.count("\n", 0, at) + 1
                    raise InputError(f"{self.name}, line {line}: not JSON (expected , or ]).")
                at = self._skip(at + 1) if self.text[at] == "," else at
        if in_list and at >= len(self.text):
            raise InputError(
                f"{self.name}, line {self.text.count(chr(10)) + 1}: not JSON (the list does not end)."
            )

    def _skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in " \t\r\n\ufeff":
            at += 1
        return at


@dataclass(frozen=True)
class _Place:
    """A place of a file, for messages."""

    file: str
    line: int
    path: str = ""

    def __truediv__(self, key: str | int) -> _Place:
        step = f"[{key}]" if isinstance(key, int) else f".{key}" if self.path else key
        return _Place(self.file, self.line, self.path + step)

    def fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.file}, line {self.line}: {self.path or 'the object'}: {message}")

    def get(self, value: dict[str, Any], key: str, kind: type, default: Any = None) -> Any:
        """A field of that type, or its default if it is missing or null; without a default it must be there."""
        found = value.get(key)
        if found is None:
            if default is None:
                (self / key).fail(f"missing, expected {_NAMES[kind]}.")
            return default
        if not isinstance(found, kind) or isinstance(found, bool):
            (self / key).fail(f"found {_kind(found)}, expected {_NAMES[kind]}.")
        return found


_NAMES: dict[Any, str] = {str: "text", list: "a list", dict: "an object", int: "a whole number"}


def _kind(value: object) -> str:
    names = {str: "text", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _span(place: _Place, side: str, start: Any, end: Any, text: str) -> Span:
    for number in (start, end):
        if type(number) is not int:
            place.fail(f"found {_kind(number)}, expected whole numbers.")
    if not 0 <= start < end <= len(text):
        place.fail(f"found {start} to {end}, but the text has {len(text)} characters.")
    return Span(side, start, end)


def _identifier(value: object) -> str:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def read_thresh(name: str, text: str) -> list[MarkedPair]:
    """A file of thresh. Nested annotations are kept; the severity is the answer called severity, if there is one."""
    pairs = []
    for number, (line, entry) in enumerate(_Json(name, text).objects, 1):
        place = _Place(name, line)
        first, second = ("original", "simplified") if "original" in entry else ("source", "target")
        source = place.get(entry, first, str, "")
        target = place.get(entry, second, str)
        marks = []
        for index, edit in enumerate(place.get(entry, "edits", list, [])):
            where = place / "edits" / index
            if not isinstance(edit, dict):
                where.fail(f"found {_kind(edit)}, expected an object.")
            marks.append(_thresh_edit(where, edit, source, target))
        key = _identifier(entry.get("sentence_id", entry.get("id"))) or str(number)
        user = _identifier(entry.get("user", entry.get("annotator"))) or "unknown"
        system = _identifier(entry.get("system")) or TEXT
        pairs.append(MarkedPair(key, system, user, source, target, tuple(marks), entry))
    return pairs


def _thresh_edit(place: _Place, edit: dict[str, Any], source: str, target: str) -> Mark:
    spans: list[Span] = []
    parts = [(place, edit)]
    for index, part in enumerate(place.get(edit, "constituent_edits", list, [])):
        where = place / "constituent_edits" / index
        if not isinstance(part, dict):
            where.fail(f"found {_kind(part)}, expected an object.")
        parts.append((where, part))
    for where, part in parts:
        for key, side, text in (("input_idx", SOURCE, source), ("output_idx", TEXT, target)):
            for index, pair in enumerate(where.get(part, key, list, [])):
                at = where / key / index
                if not isinstance(pair, list) or len(pair) != 2:
                    at.fail("expected two numbers, start and end.")
                spans.append(_span(at, side, pair[0], pair[1], text))
    if not spans:
        place.fail("no input_idx and no output_idx; expected words of at least one text.")
    annotation = edit.get("annotation")
    severity = annotation.get(SEVERITY) if isinstance(annotation, dict) else ""
    severity = severity.get("val") if isinstance(severity, dict) else severity
    return Mark(place.get(edit, "category", str), _identifier(severity), tuple(spans))


def write_thresh(pairs: Sequence[MarkedPair]) -> str:
    """Marks as a file of thresh."""
    entries = []
    for number, pair in enumerate(pairs, 1):
        old = pair.extra if "edits" in pair.extra else {}
        own = {
            "id": number,
            "sentence_id": pair.item,
            "user": pair.annotator,
            "system": pair.system,
            "original": pair.source,
            "simplified": pair.text,
        }
        kept = old.get("edits") or []
        same = len(kept) == len(pair.marks)
        edits = [kept[i] if same else _edit(i, mark) for i, mark in enumerate(pair.marks)]
        entries.append({**(old or own), "edits": edits})
    return json.dumps(entries, ensure_ascii=False, indent=2) + "\n"


def _edit(number: int, mark: Mark) -> dict[str, Any]:
    edit: dict[str, Any] = {"id": number, "category": mark.category}
    for key, side in (("input_idx", SOURCE), ("output_idx", TEXT)):
        spans = [[s.start, s.end] for s in mark.spans if (s.text == SOURCE) == (side == SOURCE)]
        edit |= {key: spans} if spans else {}
    return {**edit, "annotation": {SEVERITY: mark.severity} if mark.severity else None}


def read_label_studio(name: str, text: str) -> list[MarkedPair]:
    """A file of Label Studio: text regions with labels, and per-region choices as severities. A source is data.source."""
    pairs = []
    for line, task in _Json(name, text).objects:
        place = _Place(name, line)
        data = place.get(task, "data", dict)
        content = (place / "data").get(data, "text", str)
        source = (place / "data").get(data, "source", str, "")
        for index, annotation in enumerate(place.get(task, "annotations", list)):
            where = place / "annotations" / index
            if not isinstance(annotation, dict):
                where.fail(f"found {_kind(annotation)}, expected an object.")
            who = annotation.get("completed_by")
            who = who.get("email", who.get("id")) if isinstance(who, dict) else who
            marks = _regions(where, where.get(annotation, "result", list), source, content)
            item, system = _identifier(data.get("item")), _identifier(data.get("system"))
            key = item or _identifier(task.get("id")) or str(line)
            extra = {**task, "annotations": [annotation]}
            pairs.append(
                MarkedPair(key, system or TEXT, _identifier(who) or "unknown", source, content, marks, extra)
            )
    return pairs


def _regions(place: _Place, result: list[Any], source: str, content: str) -> tuple[Mark, ...]:
    labels: dict[str, tuple[str, list[Span]]] = {}
    severities: dict[str, str] = {}
    for index, region in enumerate(result):
        where = place / "result" / index
        if not isinstance(region, dict):
            where.fail(f"found {_kind(region)}, expected an object.")
        kind = region.get("type")
        if kind not in ("labels", "choices"):
            continue  # a relation or a comment
        value = where.get(region, "value", dict)
        inside = where / "value"
        names = inside.get(value, kind, list)
        if not names or not isinstance(names[0], str):
            (inside / kind).fail("expected a list with a name.")
        key = _identifier(region.get("meta", {}).get("mark") if isinstance(region.get("meta"), dict) else "")
        key = key or where.get(region, "id", str)
        if kind == "choices":
            severities[key] = names[0]
            continue
        in_source = region.get("to_name") == SOURCE
        span = _span(
            inside, SOURCE if in_source else TEXT, value.get("start"), value.get("end"),
            source if in_source else content,
        )  # fmt: skip
        labels.setdefault(key, (names[0], []))[1].append(span)
    return tuple(Mark(name, severities.get(key, ""), tuple(spans)) for key, (name, spans) in labels.items())


def write_label_studio(pairs: Sequence[MarkedPair]) -> str:
    """Marks as tasks of Label Studio: one per text, with an annotation of each annotator."""
    tasks: dict[tuple[str, str], dict[str, Any]] = {}
    for pair in pairs:
        if "annotations" in pair.extra:
            task = tasks.setdefault((pair.item, pair.system), {**pair.extra, "annotations": []})
            task["annotations"] += pair.extra["annotations"]
            continue
        data = {"item": pair.item, "system": pair.system, "source": pair.source, "text": pair.text}
        new = {"id": len(tasks) + 1, "data": data, "annotations": []}
        task = tasks.setdefault((pair.item, pair.system), new)
        result: list[dict[str, Any]] = []
        for number, mark in enumerate(pair.marks, 1):
            for part, span in enumerate(mark.spans, 1):
                side, words = (SOURCE, pair.source) if span.text == SOURCE else (TEXT, pair.text)
                value = {"start": span.start, "end": span.end, "text": words[span.start : span.end]}
                common = {"id": f"m{number}p{part}", "to_name": side, "meta": {"mark": f"m{number}"}}
                result.append(
                    {
                        **common,
                        "from_name": "label",
                        "type": "labels",
                        "value": {**value, "labels": [mark.category]},
                    }
                )
                if mark.severity and part == 1:
                    choice = {**value, "choices": [mark.severity]}
                    result.append({**common, "from_name": SEVERITY, "type": "choices", "value": choice})
        task["annotations"].append({"completed_by": pair.annotator, "result": result})
    return json.dumps(list(tasks.values()), ensure_ascii=False, indent=2) + "\n"


def read_potato(name: str, text: str, items: tuple[str, str] | None = None) -> list[MarkedPair]:
    """A user_state.json of potato, or several; `items` is the name and the content of the data file with the texts."""
    if items is None:
        raise InputError(f"{name}: potato keeps the texts in another file; name it with --items.")
    texts: dict[str, tuple[str, str]] = {}
    for line, row in _Json(*items).objects:
        place = _Place(items[0], line)
        key = _identifier(row.get("id"))
        if not key:
            (place / "id").fail("missing, expected an id.")
        texts[key] = (place.get(row, SOURCE, str, ""), place.get(row, TEXT, str))
    pairs = []
    for line, state in _Json(name, text).objects:
        place = _Place(name, line)
        user = _identifier(state.get("user_id")) or "unknown"
        where = place / "instance_id_to_span_to_value"
        for instance, schemes in place.get(state, "instance_id_to_span_to_value", dict).items():
            at = where / instance
            if not isinstance(schemes, dict):
                at.fail(f"found {_kind(schemes)}, expected an object.")
            if instance not in texts:
                at.fail(f"no such text in {items[0]}.")
            source, content = texts[instance]
            marks = _potato_marks(at, schemes, source, content)
            item, _, system = instance.partition("|")
            extra = {"user_id": user, instance: schemes}
            pairs.append(MarkedPair(item, system or TEXT, user, source, content, marks, extra))
    return pairs


def _potato_marks(place: _Place, schemes: dict[str, Any], source: str, content: str) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for scheme in schemes:
        for index, value in enumerate(place.get(schemes, scheme, list)):
            at = place / scheme / index
            if not isinstance(value, dict):
                at.fail(f"found {_kind(value)}, expected an object.")
            spans = []
            for part in (value, *at.get(value, "additional_parts", list, [])):
                if not isinstance(part, dict):
                    (at / "additional_parts").fail(f"found {_kind(part)}, expected an object.")
                in_source = part.get("target_field") == SOURCE
                side, words = (SOURCE, source) if in_source else (TEXT, content)
                spans.append(_span(at, side, part.get("start"), part.get("end"), words))
            marks.append(Mark(at.get(value, "label", str), _identifier(value.get(SEVERITY)), tuple(spans)))
    return tuple(marks)


def write_potato(pairs: Sequence[MarkedPair]) -> str:
    """Marks as user states of potato, one per line."""
    states: dict[str, dict[str, Any]] = {}
    for pair in pairs:
        instance = f"{pair.item}|{pair.system}" if pair.system != TEXT else pair.item
        schemes = pair.extra.get(instance) or {"marks": [_potato_span(pair, m) for m in pair.marks]}
        state = states.setdefault(
            pair.annotator,
            {
                "user_id": pair.annotator,
                "instance_id_to_label_to_value": {},
                "instance_id_to_span_to_value": {},
            },
        )
        state["instance_id_to_span_to_value"][instance] = schemes
    return "".join(json.dumps(s, ensure_ascii=False) + "\n" for s in states.values())


def _potato_span(pair: MarkedPair, mark: Mark) -> dict[str, Any]:
    def part(span: Span) -> dict[str, Any]:
        side, words = (SOURCE, pair.source) if span.text == SOURCE else (TEXT, pair.text)
        return {
            "start": span.start,
            "end": span.end,
            "text": words[span.start : span.end],
            "target_field": side,
        }

    first, *others = [part(s) for s in mark.spans]
    span = {**first, "label": mark.category}
    span |= {SEVERITY: mark.severity} if mark.severity else {}
    return span | ({"additional_parts": others} if others else {})


def potato_items(pairs: Sequence[MarkedPair]) -> str:
    """The texts for potato, one per line."""
    rows = {
        f"{p.item}|{p.system}" if p.system != TEXT else p.item: {SOURCE: p.source, TEXT: p.text}
        for p in pairs
    }
    return "".join(json.dumps({"id": k, **v}, ensure_ascii=False) + "\n" for k, v in rows.items())


WRITERS: dict[str, Callable[[Sequence[MarkedPair]], str]] = {
    "thresh": write_thresh,
    "label-studio": write_label_studio,
    "potato": write_potato,
    "potato-items": potato_items,
}
READERS = ("thresh", "label-studio", "potato")


def read(form: str, name: str, text: str, items: tuple[str, str] | None = None) -> list[MarkedPair]:
    """Marks of a file in one of the formats."""
    if form == "potato":
        return read_potato(name, text, items)
    return (read_thresh if form == "thresh" else read_label_studio)(name, text)
