"""The files of a study's archive: definition, items, anonymised answers, codebook, scripts; and reading them back.

What could tell who somebody is stays out: when pages were opened and sent, the size of the window, what people wrote in
surveys, everyone who did not consent. Participants keep their ids, which are keyed hashes: whoever holds the key can still
find a person who withdraws, nobody else can tell who they are.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, fields, replace
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ..errors import InputError, OptionError
from ..identity import __version__
from ..table import csv_text, without_apostrophe
from . import codebook
from .analysis.exclusions import Exclusion, exclude
from .analysis.responses import Collected
from .definition.items import MAX_FILE, path_inside
from .definition.loading import FILE, Study
from .definition.pages import RecallPage, SurveyPage
from .definition.questions import FreeText

if TYPE_CHECKING:
    from .store.answer_rows import AnswerRow

SUMS, RESULTS, EFFECTS = "SHA256SUMS", "results.json", "effects.csv"
ANSWERS, PARTICIPANTS = "answers.csv", "participants.csv"
LEFT_OUT = "(left out)"
_LARGEST = 512 * 2**20  # bytes of a whole archive
_MOST_FILES = 200


def anonymised(study: Study, collected: Collected, leave_out: Collection[str] = ()) -> Collected:
    """What may be published: see the module; `leave_out` are survey questions whose answers stay out, too."""
    definition = study.definition
    sessions = range(1, len(definition.sessions) + 2)
    pages = [p for n in sessions for p in definition.pages_of(n) if isinstance(p, SurveyPage)]
    surveys = {q.id: q for p in pages for q in p.questions}
    needed = {r.question for r in definition.exclusions.answers} | set(definition.analysis.subgroups)
    for name in leave_out:
        if name not in surveys:
            known = ", ".join(surveys) or "none"
            raise OptionError(f"no survey question {name[:40]!r} to leave out; the survey has: {known}.")
        if name in needed:
            raise OptionError(
                f"{name}: exclusions or subgroups of the definition use its answers; without them nobody could repeat the analysis."
            )
    hidden = {*leave_out, *(q.id for p in pages for q in p.questions if isinstance(q, FreeText))}
    absent = {p.participant for p in collected.people if p.outcome == "no_consent"}
    rows = []
    for row in collected.rows:
        if row.participant in absent:
            continue
        row = replace(row, opened="", submitted="", viewport="")
        if row.page == "survey" and row.question.partition("[")[0] in hidden:
            row = replace(row, value="", answer=LEFT_OUT)
        rows.append(row)
    people = tuple(p for p in collected.people if p.participant not in absent)
    return replace(collected, rows=tuple(rows), people=people)


def written_answers(study: Study, collected: Collected) -> int:
    """How many answers of trials people wrote in their own words; they are archived, so somebody should read them."""
    definition = study.definition
    questions = list(definition.block_questions)
    for session in definition.sessions:
        questions += [q for p in session.pages if isinstance(p, RecallPage) for q in p.questions]
    written = {q.id for q in questions if isinstance(q, FreeText)}
    return sum(
        r.page in ("block", "recall") and r.question in written and bool(r.value) for r in collected.rows
    )


def data_files(study: Study, collected: Collected, definition_file: Path) -> dict[str, bytes]:
    """Definition, items, answers, participants, codebook and scripts by name."""
    definition = study.definition
    names = sorted({definition.items, *definition.texts.values()})
    content = {FILE: definition_file.read_bytes()}
    content |= {
        PurePosixPath(name).as_posix(): path_inside(study.folder, name).read_bytes() for name in names
    }
    exclusion = exclude(study, collected.rows, collected.people)
    settings = _settings(study)
    python, r = (
        _script("analysis.py.txt", _python_settings(settings)),
        _script("analysis.R", _r_settings(settings)),
    )
    texts = {
        ANSWERS: answers_csv(collected.rows),
        PARTICIPANTS: participants_csv(collected, exclusion),
        "codebook.md": codebook.as_markdown(study),
        "codebook.json": codebook.as_json(study),
        "analysis.py": python,
        "analysis.ipynb": _notebook(python),
        "analysis.R": r,
        "analysis.Rmd": _r_markdown(r),
        "requirements.txt": f"plainmark[study]=={__version__}\n",
    }
    clash = sorted(set(content) & {*texts, SUMS, RESULTS, EFFECTS, "README.md", "report.html"})
    if clash:
        raise InputError(f"{clash[0]}: the archive has a file of this name; rename the study's.")
    return content | {name: text.encode("utf-8") for name, text in texts.items()}


def answers_csv(rows: Sequence[AnswerRow]) -> str:
    """One line per answer."""
    body = (["" if v is None else v for v in asdict(r).values()] for r in rows)
    return csv_text([list(codebook.ANSWERS), *body])


def participants_csv(collected: Collected, exclusion: Exclusion) -> str:
    """One line per participant, with flags and the rules that exclude them."""
    flags = {r.participant: r.flags for r in collected.rows}
    rules: dict[str, dict[str, None]] = {}
    for excluded in exclusion.excluded:
        rules.setdefault(excluded.participant, {})[excluded.rule] = None
    body = []
    for person in collected.people:
        values: dict[str, Any] = asdict(person) | {
            "devices": ";".join(person.devices),
            "flags": flags.get(person.participant, ""),
            "excluded": ";".join(rules.get(person.participant, ())),
        }
        body.append(["" if values[name] is None else values[name] for name in codebook.PARTICIPANTS])
    return csv_text([list(codebook.PARTICIPANTS), *body])


def sums(content: Mapping[str, bytes]) -> str:
    """Checksums as `sha256sum -c` reads them."""
    return "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n"
        for name, data in sorted(content.items())
        if name != SUMS
    )


def packed(content: Mapping[str, bytes]) -> bytes:
    """A zip file whose bytes depend on the content alone; nothing is compressed, as compressors differ."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(content.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr, info.create_system = 0o644 << 16, 3
            archive.writestr(info, data)
    return out.getvalue()


def read(path: str | Path) -> dict[str, bytes]:
    """The files of an archive by name: a zip file or the folder that it was unpacked into; checksums are compared."""
    place = Path(path)
    content = _from_folder(place) if place.is_dir() else _from_zip(place)
    if SUMS not in content:
        raise InputError(f"{path}: no {SUMS}; expected an archive of `plainmark study archive`.")
    for number, line in enumerate(content[SUMS].decode("utf-8", "replace").splitlines(), 1):
        digest, _, name = line.partition("  ")
        if name not in content:
            raise InputError(f"{path}: {name[:80]!r} is missing ({SUMS}, line {number}).")
        if hashlib.sha256(content[name]).hexdigest() != digest:
            raise InputError(
                f"{path}: {name} was changed: its checksum is not that of {SUMS}, line {number}."
            )
    return content


def _from_folder(folder: Path) -> dict[str, bytes]:
    try:
        listed = (folder / SUMS).read_text("utf-8", "replace").splitlines()
        names = [line.partition("  ")[2] for line in listed[:_MOST_FILES]]
        present = [n for n in names if _is_plain(n) and (folder / n).is_file()]
        content = {
            n: (folder / n).read_bytes() for n in present if (folder / n).stat().st_size <= MAX_FILE * 4
        }
        return content | {SUMS: (folder / SUMS).read_bytes()}
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be read ({error.strerror}); expected an unpacked archive with {SUMS}."
        ) from None


def _from_zip(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [e for e in archive.infolist() if not e.is_dir()]
            if len(entries) > _MOST_FILES or sum(e.file_size for e in entries) > _LARGEST:
                raise InputError(
                    f"{path}: {len(entries)} files, {sum(e.file_size for e in entries):,} bytes unpacked; expected at most"
                    f" {_MOST_FILES} and {_LARGEST:,}."
                )
            strange = [e.filename for e in entries if not _is_plain(e.filename)]
            if strange:
                raise InputError(f"{path}: {strange[0][:80]!r} leads out of the archive; nothing was read.")
            return {e.filename: archive.read(e) for e in entries}
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError):
        raise InputError(
            f"{path}: not a zip file that can be read; expected an archive of a study."
        ) from None


def _is_plain(name: str) -> bool:
    """Whether a name stays inside the folder that it is unpacked into."""
    path = PurePosixPath(name)
    return (
        bool(name)
        and not path.is_absolute()
        and ".." not in path.parts
        and "\\" not in name
        and ":" not in name
    )


def collected_from(content: Mapping[str, bytes], about: Mapping[str, Any], place: str) -> Collected:
    """The answers and participants of an archive; `about` is what results.json says of them."""
    from .store.answer_rows import AnswerRow, PersonRow

    rows = [AnswerRow(**values) for values in _table(content, ANSWERS, AnswerRow, place)]
    people = [
        PersonRow(**values | {"devices": tuple(d for d in values["devices"].split(";") if d)})
        for values in _table(content, PARTICIPANTS, PersonRow, place)
    ]
    digests = tuple(map(str, about.get("answered_revisions", ())))
    return Collected(tuple(rows), tuple(people), bool(about.get("anonymous")), digests)


def _table(content: Mapping[str, bytes], name: str, kind: Any, place: str) -> Iterator[dict[str, Any]]:
    """The rows of a file as a dataclass takes them; a wrong field is an error with its line and column."""
    if name not in content:
        raise InputError(f"{place}: no {name}; expected an archive of `plainmark study archive`.")
    kinds = {f.name: str(f.type) for f in fields(kind)}
    added = {f.name for f in fields(kind) if f.default is not MISSING}  # older archives lack these
    try:
        reader = csv.DictReader(io.StringIO(content[name].decode("utf-8"), newline=""), strict=True)
        present = set(reader.fieldnames or ())
        missing = [column for column in kinds if column not in present | added]
        if missing:
            raise InputError(f"{place}: {name}, line 1: no column {missing[0]}.")
        for row in reader:
            yield {
                c: _value(row[c], k, f"{place}: {name}, line {reader.line_num}, {c}")
                for c, k in kinds.items()
                if c in present
            }
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(f"{place}: {name}: not CSV in UTF-8 ({error}).") from None


def _value(text: str | None, kind: str, place: str) -> Any:
    if text is None:
        raise InputError(f"{place}: missing; the line has too few cells.")
    if "None" in kind and text == "":
        return None
    try:
        if kind.startswith("bool"):
            return {"True": True, "False": False}[text]
        if kind.startswith("int"):
            return int(text)
        if kind.startswith("float"):
            return float(text)
    except (KeyError, ValueError):
        expected = {"b": "True or False", "i": "a whole number", "f": "a number"}[kind[0]]
        raise InputError(f"{place}: found {text[:40]!r}, expected {expected}.") from None
    return without_apostrophe(text)


def _settings(study: Study) -> dict[str, Any]:
    definition = study.definition
    return {
        "conditions": list(definition.conditions),
        "baseline": definition.baseline,
        "contrasts": [list(pair) for pair in definition.contrasts],
        "random": list(definition.analysis.random),
        "level": definition.analysis.level,
    }


def _script(name: str, settings: str) -> str:
    text = files(__package__).joinpath("replication", name).read_text("utf-8")
    return text.replace("@SETTINGS@", settings)


def _python_settings(settings: Mapping[str, Any]) -> str:
    return "\n".join(f"{name} = {value!r}" for name, value in settings.items())


def _r_settings(settings: Mapping[str, Any]) -> str:
    def literal(value: Any) -> str:
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)  # R reads the escapes of JSON alike
        if isinstance(value, list):
            kind = "list" if value and isinstance(value[0], list) else "c"
            return f"{kind}({', '.join(map(literal, value))})"
        return repr(value)

    return "\n".join(f"{name} <- {literal(value)}" for name, value in settings.items())


def _cells(script: str) -> list[tuple[str, str]]:
    """A script cut at its lines `# %% title`: titles and code; what stands before the first is text."""
    parts = re.split(r"(?m)^\s*# %% (.*)\n", script)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]


def _notebook(script: str) -> str:
    """The Python script as a Jupyter notebook."""
    (_, head), *cells = _cells(script)
    notes = head.strip().strip('"').strip()
    made: list[dict[str, Any]] = [{"cell_type": "markdown", "id": "0", "metadata": {}, "source": notes}]
    for number, (title, code) in enumerate(cells, 1):
        source = f"# {title}\n{code.strip()}"
        made.append(
            {
                "cell_type": "code",
                "execution_count": None,
                "id": str(number),
                "metadata": {},
                "outputs": [],
                "source": source,
            }
        )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _r_markdown(script: str) -> str:
    """The R script as R Markdown; one chunk, where the parts of the script are nested."""
    head, _, rest = script.partition("# %% ")
    notes = "\n".join(line.removeprefix("#").strip() for line in head.splitlines())
    lines = ["---", "title: Analysis", "output: html_document", "---", "", notes.strip(), ""]
    depth_safe = re.split(r"(?m)^# %% (.*)\n", "# %% " + rest)[1:]
    for title, code in zip(depth_safe[::2], depth_safe[1::2], strict=True):
        lines += [f"## {title}", "", "```{r}", code.strip(), "```", ""]
    return "\n".join(lines)
