"""ARPA files: the common text format of back-off n-gram models, read and written block by block.

N-grams may be in any order. N-grams that longer ones need and that a pruned file leaves out (all words but the last, or all
but the first) are added with their back-off probability, which changes no score.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, TextIO

import numpy as np

from ..errors import InputError
from .tables import MAX_ORDER, SPECIAL, Floats, Ints, Level, Tables, find

_BLOCK = 50_000
# KenLM's values for unknown words if a file has no <unk>, and for <s>, which is never predicted.
_NO_UNKNOWN = -100.0
_NEVER = -99.0
_NEXT_TO_NOTHING = -1e-30


def read_arpa(file: BinaryIO, name: str, order: int = 0) -> Tables:
    """The model of an ARPA file; with `order`, a file of another order is an error."""
    return _ArpaReader(file, name, order).read()


def write_arpa(tables: Tables, file: TextIO) -> None:
    """Write the model as ARPA text, n-grams sorted by the indices of their words, with seven decimals."""
    file.write("\\data\\\n")
    for n, count in enumerate(tables.counts, 1):
        file.write(f"ngram {n}={count}\n")
    words = np.array(tables.words, dtype=object)
    for n, level in enumerate(tables.levels, 1):
        file.write(f"\n\\{n}-grams:\n")
        for start in range(0, len(level), _BLOCK):
            rows = words[tables.ids(n, start, start + _BLOCK)]
            logs = level.logs[start : start + _BLOCK].tolist()
            backs = level.backs[start : start + _BLOCK].tolist()
            if n < tables.order:
                file.writelines(
                    f"{p:.7f}\t{' '.join(row)}\t{b:.7f}\n"
                    for p, row, b in zip(logs, rows, backs, strict=True)
                )
            else:
                file.writelines(f"{p:.7f}\t{' '.join(row)}\n" for p, row in zip(logs, rows, strict=True))
    file.write("\n\\end\\\n")


class _ArpaReader:
    def __init__(self, file: BinaryIO, name: str, order: int) -> None:
        self.lines: Iterator[bytes] = iter(file)
        self.name, self.expected_order = name, order
        self.line = 0
        self.number: dict[bytes, int] = {word.encode(): i for i, word in enumerate(SPECIAL)}

    def read(self) -> Tables:
        counts = self._header()
        ids, logs, backs = [], [], []
        for n, count in enumerate(counts, 1):
            if n > 1:
                self._section(n)
            blocks = list(self._rows(n, count))
            ids.append(np.concatenate([f[0] for f in blocks]))
            logs.append(np.concatenate([f[1] for f in blocks]))
            backs.append(np.concatenate([f[2] for f in blocks]))
        if self._next_text() != b"\\end\\":
            raise self._error(
                "expected \\end\\ after the last n-gram", "the file may be cut short, or have more"
            )
        words = tuple(word.decode("utf-8", "replace") for word in self.number)
        if len(set(words)) != len(words):
            raise InputError(f"{self.name}: some words are not UTF-8. Convert the file to UTF-8 first.")
        return _assemble(words, ids, logs, backs, self.name)

    def _error(self, problem: str, remedy: str = "") -> InputError:
        return InputError(f"{self.name}, line {self.line}: {problem}{f'; {remedy}' if remedy else ''}.")

    def _next(self) -> bytes | None:
        line = next(self.lines, None)
        self.line += 1
        return line

    def _next_text(self) -> bytes | None:
        while (line := self._next()) is not None:
            if stripped := line.strip():
                return stripped
        return None

    def _header(self) -> list[int]:
        # Some programs write comments before the data.
        while (line := self._next()) is not None and line.strip() != b"\\data\\":
            if self.line > 1000:
                break
        if line is None or line.strip() != b"\\data\\":
            raise InputError(f"{self.name}: no line \\data\\, expected an ARPA language model.")
        counts: list[int] = []
        while (line := self._next_text()) is not None and line.startswith(b"ngram"):
            left, _, right = line[5:].partition(b"=")
            if left.strip() != str(len(counts) + 1).encode() or not right.strip().isdigit():
                raise self._error(
                    f"found {_shown(line)}, expected ngram {len(counts) + 1}=COUNT", "orders count up from 1"
                )
            counts.append(int(right))
        if not counts or len(counts) > MAX_ORDER:
            raise InputError(f"{self.name}: n-grams of {len(counts)} orders, expected 1 to {MAX_ORDER}.")
        if self.expected_order and len(counts) != self.expected_order:
            raise InputError(
                f"{self.name}: a language model of order {len(counts)}, expected order {self.expected_order}."
            )
        if line != b"\\1-grams:":
            raise self._error(f"found {_shown(line)}, expected \\1-grams:")
        return counts

    def _section(self, n: int) -> None:
        line = self._next_text()
        if line != f"\\{n}-grams:".encode():
            raise self._error(
                f"found {_shown(line)}, expected \\{n}-grams:",
                f"the header may promise fewer {n - 1}-grams than there are",
            )

    def _rows(self, n: int, count: int) -> Iterator[tuple[Ints, Floats, Floats]]:
        yield np.empty((0, n), np.int64), np.empty(0), np.empty(0)
        while count:
            block = list(islice(self.lines, min(count, _BLOCK)))
            if len(block) < min(count, _BLOCK):
                self._by_line(block, n, count)
                self.line += len(block)
                raise self._error(
                    f"the file ends {count - len(block)} {n}-grams too early", "it may be cut short"
                )
            fields = _fields(block)
            if fields not in (n + 1, n + 2):
                yield self._by_line(block, n, count)
            else:
                try:
                    yield self._at_once(block, n, fields)
                except (ValueError, KeyError):
                    yield self._by_line(block, n, count)
            self.line += len(block)
            count -= len(block)

    def _at_once(self, block: list[bytes], n: int, fields: int) -> tuple[Ints, Floats, Floats]:
        """Read lines that all have the same number of fields."""
        flat = b" ".join(block).split()
        logs = np.array(flat[0::fields]).astype(np.float64)
        backs = (
            np.array(flat[n + 1 :: fields]).astype(np.float64) if fields == n + 2 else np.zeros(len(block))
        )
        if not (np.isfinite(logs).all() and np.isfinite(backs).all()) or logs.max() > 0:
            raise ValueError
        if n == 1:
            for word in flat[1::fields]:
                self.number.setdefault(word, len(self.number))
        ids = np.empty((len(block), n), dtype=np.int64)
        for k in range(n):
            ids[:, k] = list(map(self.number.__getitem__, flat[k + 1 :: fields]))
        return ids, logs, backs

    def _by_line(self, block: list[bytes], n: int, count: int) -> tuple[Ints, Floats, Floats]:
        """Read lines, some of which lack a back-off or are wrong; errors name the wrong ones."""
        ids, logs, backs = np.zeros((len(block), n), np.int64), np.zeros(len(block)), np.zeros(len(block))
        before = self.line
        for i, line in enumerate(block):
            self.line = before + i + 1
            parts = line.split()
            if parts[:1] in ([b"\\end\\"], [f"\\{n + 1}-grams:".encode()]) or not parts:
                raise self._error(
                    f"the {n}-grams end here, expected {count - i} more of them",
                    "the header promises more than there are",
                )
            if len(parts) not in (n + 1, n + 2):
                raise self._error(
                    f"found {_shown(line)}, expected a log10 probability, {n} word{'s' * (n > 1)} and perhaps a back-off"
                )
            try:
                logs[i] = float(parts[0])
                backs[i] = float(parts[n + 1]) if len(parts) == n + 2 else 0.0
            except ValueError:
                raise self._error(
                    f"found {_shown(line)}, expected numbers before and after the words"
                ) from None
            if not np.isfinite(logs[i]) or not np.isfinite(backs[i]) or logs[i] > 0:
                raise self._error(f"log10 probability {_shown(parts[0])}, expected a number up to 0")
            for k, word in enumerate(parts[1 : n + 1]):
                if n == 1:
                    self.number.setdefault(word, len(self.number))
                elif word not in self.number:
                    raise self._error(f"{_shown(word)} is not among the 1-grams")
                ids[i, k] = self.number[word]
        self.line = before
        return ids, logs, backs


def _fields(block: list[bytes]) -> int:
    """The number of fields of every line, or 0 if lines differ or are not separated by single spaces and tabs."""
    raw = np.frombuffer(b"".join(block), dtype=np.uint8)
    ends = np.flatnonzero(raw == 10)
    if len(ends) != len(block):
        return 0
    separators = np.cumsum((raw == 32) | (raw == 9))[ends]
    counts = np.diff(separators, prepend=0)
    return int(counts[0]) + 1 if (counts == counts[0]).all() else 0


def _shown(line: bytes | None) -> str:
    if line is None:
        return "the end of the file"
    text = line.decode("utf-8", "replace").strip()
    return repr(text[:60] + "…" * (len(text) > 60))


def _assemble(
    words: tuple[str, ...], ids: list[Ints], logs: list[Floats], backs: list[Floats], name: str
) -> Tables:
    """Tables of n-grams in any order, with the additional ones that longer n-grams need."""
    size = len(words)
    missing = np.ones(size, dtype=bool)
    missing[ids[0][:, 0]] = False
    if missing[2:].any():
        raise InputError(f"{name}: no {words[2]} among the 1-grams, expected the end of sentences.")
    for special, value in ((0, _NO_UNKNOWN), (1, _NEVER)):
        if missing[special]:
            ids[0] = np.vstack([ids[0], [[special]]])
            logs[0], backs[0] = np.append(logs[0], value), np.append(backs[0], 0.0)
    added = [np.empty((0, n), dtype=np.int64) for n in range(1, len(ids) + 1)]
    while True:
        keys, places = _places([np.vstack([i, a]) for i, a in zip(ids, added, strict=True)], size, name)
        lacking = _lacking([np.vstack([i, a]) for i, a in zip(ids, added, strict=True)], keys, size)
        if not any(len(rows) for rows in lacking):
            break
        added = [np.unique(np.vstack([a, rows]), axis=0) for a, rows in zip(added, lacking, strict=True)]
    levels: list[Level] = []
    for n, (key, order) in enumerate(zip(keys, places, strict=True)):
        blank = np.full(len(added[n]), np.nan)
        log = np.concatenate([logs[n], blank])[order]
        back = np.concatenate([backs[n], np.zeros(len(blank))])[order]
        levels.append(Level(key // size, key % size, log, back))
    tables = Tables(words, tuple(levels))
    for n in range(1, len(levels)):
        # The rows of the order below are complete by now, and the arrays are not shared yet.
        log = levels[n].logs
        blank = np.isnan(log)
        backed = levels[n - 1].backs[levels[n].parents] + levels[n - 1].logs[tables.suffixes[n]]
        log[blank] = backed[blank]
    for n in range(len(levels) - 1, 1, -1):
        # A look-up discards a context if no n-gram begins with it and its back-off is 0. A longer n-gram with a back-off
        # needs
        # its suffix even then, which a tiny back-off keeps.
        used = tables.suffixes[n - 1][levels[n - 1].backs != 0]
        shorter = levels[n - 2].backs
        shorter[used] = np.where(shorter[used] == 0, _NEXT_TO_NOTHING, shorter[used])
    return tables


def _places(ids: list[Ints], size: int, name: str) -> tuple[list[Ints], list[Ints]]:
    """Sorted keys of every order, and the rows in that order; rows whose contexts are missing get negative keys."""
    keys: list[Ints] = []
    places: list[Ints] = []
    for n, rows in enumerate(ids):
        key = _key(rows, keys, size)
        order = np.argsort(key, kind="stable")
        key = key[order]
        twice = np.flatnonzero((np.diff(key) == 0) & (key[1:] >= 0))
        if len(twice):
            raise InputError(f"{name}: a {n + 1}-gram occurs twice.")
        keys.append(key)
        places.append(order)
    return keys, places


def _key(rows: Ints, keys: list[Ints], size: int) -> Ints:
    """Keys of n-grams by the sorted keys of shorter ones; negative if the model lacks all words but the last as an n-gram."""
    at = np.zeros(len(rows), dtype=np.int64)
    for k in range(rows.shape[1] - 1):
        places = find(keys[k], at * size + rows[:, k])
        at = np.where(at < 0, at, places)
    return np.where(at < 0, -1, at * size + rows[:, -1])


def _lacking(ids: list[Ints], keys: list[Ints], size: int) -> list[Ints]:
    """Prefixes and suffixes of n-grams that are not n-grams themselves."""
    out = [np.empty((0, 1), dtype=np.int64)]
    for n in range(1, len(ids)):
        parts = []
        for rows in (ids[n][:, :-1], ids[n][:, 1:]):
            keys_of_rows = _key(rows, keys, size)
            present = (keys_of_rows >= 0) & (find(keys[n - 1], keys_of_rows) >= 0)
            parts.append(rows[~present])
        out.append(np.unique(np.vstack(parts), axis=0))
    return [*out[1:], np.empty((0, len(ids)), dtype=np.int64)]
