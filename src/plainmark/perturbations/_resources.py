"""Resources of perturbations besides the text: sentence pools, glossaries, tables of terms, and user functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, OptionError
from ..files import json_objects, open_text, table_rows
from . import sentence_spans
from ._quotations import is_balanced

if TYPE_CHECKING:
    import numpy as np

    from . import Edit, TextDocument


def stamp(path: str) -> tuple[int, int]:
    """Modification time and size of a file, as a cache key for its content."""
    try:
        known = Path(path).stat()
    except OSError:
        return 0, 0
    return known.st_mtime_ns, known.st_size


def read_table(path: str, *columns: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a .csv, .tsv or .jsonl file with these columns, in file order; rows with empty cells are skipped."""
    return _read_table(path, stamp(path), columns)


@cache
def _read_table(path: str, _: tuple[int, int], columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    expected = " and ".join(columns)
    rows: list[tuple[str, ...]] = []
    if Path(path).suffix in (".jsonl", ".ndjson"):
        for location, row in json_objects(path):
            if not all(c in row for c in columns):
                raise InputError(f"{location}: expected a JSON object with {expected}.")
            rows.append(tuple(str(row[c]).strip() for c in columns))
    else:
        rows = [tuple(row[c].strip() for c in columns) for _, row in table_rows(path, columns)]
    complete = tuple(row for row in rows if all(row))
    if not complete:
        raise InputError(f"{path}: no rows, expected {expected}.")
    return complete


def table_digest(path: str, *columns: str) -> str:
    """A short hash of a table."""
    text = "\n".join("\t".join(row) for row in read_table(path, *columns))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@cache
def load_function(path: str, what: str) -> Any:
    """Import a user's function, given as package.module.function."""
    module, _, name = path.rpartition(".")
    if not all(part.isidentifier() and not part.startswith("_") for part in path.split(".")) or not module:
        raise OptionError(f"{what}={path!r}: expected package.module.function.")
    try:
        loaded = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        raise OptionError(f"{what}={path!r}: cannot import it; expected package.module.function.") from None
    if not callable(loaded):
        raise OptionError(f"{what}={path!r}: found {type(loaded).__name__}, expected a function.")
    return loaded


def sentences_of(path: str) -> tuple[str, ...]:
    """The sentences of a text file, each once; a line is at least one sentence."""
    return _sentences_of(path, stamp(path))


@cache
def _sentences_of(path: str, _: tuple[int, int]) -> tuple[str, ...]:
    with open_text(path) as lines:
        sentences = [line[a:b] for line in lines for a, b in sentence_spans(line)]
    if not sentences:
        raise InputError(f"{path}: no sentences, expected a text file with sentences to add.")
    return tuple(dict.fromkeys(sentences))


@cache
def embedded() -> tuple[str, ...]:
    """Sentences about research on language, which come with the package."""
    text = files(__package__).joinpath("out_of_domain.txt").read_text("utf-8")
    return tuple(line for line in text.split("\n") if line)


def pool_digest(path: str) -> str:
    """A short hash of the sentences of a file."""
    text = "\n".join(sentences_of(path) if path else embedded())
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# UTF-8 bytes that were read as Latin-1, replacement characters, and layout marks.
_BROKEN = re.compile(r"[ÂÃâ][\x80-\xbf€™œ‰]|\ufffd|[¶§|]")
_BRACKETS = (("(", ")"), ("[", "]"))
# Before these, the article is "an": a vowel, or a letter whose name begins with one.
VOWEL = re.compile(r"(?!(?i:uni|use|usu|one|eu))[aeiouAEIOU]|[FHLMNRSX][A-Z\d]|8|11\b|18\b")


@cache
def is_well_formed(sentence: str) -> bool:
    """Whether a sentence is presentable: it begins and ends like a sentence, and nothing in it is broken."""
    if not sentence or sentence[0].islower() or sentence[-1] not in '.!?)"”':
        return False
    paired = all(sentence.count(a) == sentence.count(b) for a, b in _BRACKETS) and is_balanced(sentence)
    return paired and not _BROKEN.search(sentence)


def additions(
    document: TextDocument, size: int, sentence: Callable[[int], str], rng: np.random.Generator, count: int
) -> list[Edit]:
    """Insertions of up to `count` different sentences of a pool, each at a random place.

    `sentence(i)` is the pool's i-th of `size`, or empty if it must not be used; then the next one is tried.
    """
    from . import insertion, pick

    n = len(document.sentences)
    used = {document.sentence(i) for i in range(n)}
    picked: list[tuple[int, str]] = []
    for _ in range(count):
        first, gap = pick(max(size, 1), rng), pick(n + 1, rng)
        if len(picked) < size:
            candidate = next(
                (
                    s
                    for k in range(size)
                    if (s := sentence((first + k) % size))
                    and s not in used
                    and is_well_formed(s)
                    and not document.leaks(s)
                ),
                "",
            )
            if not candidate:
                break
            used.add(candidate)
            picked.append((gap, candidate))
    return [(insertion(document, gap, s),) for gap, s in picked]
