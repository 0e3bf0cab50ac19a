"""Resolves the names of systems and the paths of their outputs, the source and the references.

    access.txt               one system, called access
    access=runs/7.txt        one system, called access
    outputs/*.txt            one system per file
    access=parts/*.jsonl     one system in several files (shards), in the order of their names

References are files, one reference of every sample each; a pattern stands for several of them, NAME=PATTERN
for one reference in several files. In Python outputs may also be texts, corpora, or a dictionary from names
to any of these.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from .data import Corpus
from .errors import InputError
from .files import STANDARD_INPUT, is_pattern, is_remote, matching
from .reading import SampleBlock, join_blocks, read_blocks, system_names

_NAMED = re.compile(r"([^=/\\]+)=(.+)", re.DOTALL)
_Files = tuple[Any, ...]  # the shards of one side: paths, or texts in memory


@dataclass(frozen=True)
class Systems:
    """Systems on one test set; every side has the same number of shards, usually one."""

    names: tuple[str, ...]
    outputs: tuple[_Files, ...]  # [system][shard]
    source: _Files = ()  # [shard]; empty without a source
    references: tuple[_Files, ...] = ()  # [reference][shard]
    fields: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls,
        outputs: Any,
        source: Any = None,
        references: Any = (),
        fields: Mapping[str, str] | None = None,
        *,
        paths: bool = False,
    ) -> Systems:
        """The systems that the arguments describe; with `paths`, strings are paths even if no such file exists.

        >>> Systems.of({"good": ["A cat."], "copy": ["A feline."]}).names
        ('good', 'copy')
        """
        if isinstance(outputs, Systems):
            return outputs
        named = _systems(outputs, paths)
        sides = _references(references, paths)
        texts: _Files = ()
        if source is not None:
            texts = tuple(matching(str(source))) if isinstance(source, (str, PathLike)) else (source,)
        systems = cls(tuple(named), tuple(named.values()), texts, tuple(sides), fields)
        systems._check()
        return systems

    @property
    def language(self) -> str:
        """The language that the corpora declare; empty if none does."""
        codes = (f.language for files in self.outputs for f in files if isinstance(f, Corpus) and f.language)
        return next(codes, "")

    @property
    def shards(self) -> int:
        """The number of shards."""
        return len(self.outputs[0])

    def shard(self, index: int) -> dict[str, Any]:
        """The arguments that read one shard with `read_blocks`."""
        return {
            "outputs": tuple(files[index] for files in self.outputs),
            "source": self.source[index] if self.source else None,
            "references": tuple(files[index] for files in self.references),
            "fields": self.fields,
            "names": self.names,
        }

    def blocks(self) -> Iterator[SampleBlock]:
        """The samples of all shards, block by block."""
        for index in range(self.shards):
            yield from read_blocks(**self.shard(index))

    def corpora(self) -> list[Corpus]:
        """One whole corpus per system."""
        return join_blocks([block.read() for block in self.blocks()])

    def files(self) -> dict[str, str]:
        """The file of each system, the source and the references; texts in memory are left out."""
        sides = dict(zip(self.names, self.outputs, strict=True))
        if self.source:
            sides["source"] = self.source
        sides |= {f"reference {i}": files for i, files in enumerate(self.references, 1)}
        return {name: ", ".join(map(str, files)) for name, files in sides.items() if _is_path(files[0])}

    def _check(self) -> None:
        size = max(map(len, self.outputs))
        sides = [*self.outputs, *([self.source] if self.source else []), *self.references]
        for files in sides:
            if len(files) != size:
                raise InputError(
                    f"{files[0] if _is_path(files[0]) else 'texts'}: in {len(files)} file{'s' * (len(files) > 1)}, but another"
                    f" side is in {size}; one side in several files is spelled NAME='PATTERN'."
                )


def _systems(outputs: Any, paths: bool) -> dict[str, _Files]:
    if isinstance(outputs, Mapping):
        named = [(str(name), _shards(value)) for name, value in outputs.items()]
    elif isinstance(outputs, Corpus):
        named = [(outputs.name or "output", (outputs,))]
    else:
        named = _unnamed([outputs], True) if _is_path(outputs) else _unnamed(outputs, paths)
    if not named:
        raise InputError("no outputs given; expected at least one file with a system's outputs.")
    systems: dict[str, _Files] = {}
    for name, files in named:
        if name in systems:
            both = " and ".join(str(f[0]) if _is_path(f[0]) else "texts" for f in (systems[name], files))
            raise InputError(f"two systems are called {name!r}: {both}. Name them: NAME=FILE.")
        systems[name] = files
    return systems


def _unnamed(outputs: Any, paths: bool) -> list[tuple[str, _Files]]:
    """Systems from a sequence in which paths may have names before them."""
    if not isinstance(outputs, Sequence):
        raise InputError(
            f"outputs: found {type(outputs).__name__}, expected paths, texts, corpora or a dictionary of them."
        )
    for number, output in enumerate(outputs, 1):
        if not isinstance(output, (str, PathLike, Sequence)):
            raise InputError(
                f"outputs: item {number} is {type(output).__name__}, expected a path, a text, a list of texts or a corpus."
            )
    strings = not paths and all(isinstance(output, str) for output in outputs)
    if outputs and strings and not all(map(_names_files, outputs)):
        return [("output", (list(outputs),))]
    named: list[tuple[str, _Files]] = []  # the name is empty if it is that of the file
    for output in outputs:
        name, path = split_name(output) if isinstance(output, str) else ("", output)
        if name:
            named.append((name, _shards(path)))
        elif _is_path(path):
            named += [("", (file,)) for file in matching(str(path))]
        else:
            named.append(("", (path,)))
    unnamed = iter(system_names([files[0] for name, files in named if not name]))
    return [(name or next(unnamed), files) for name, files in named]


def _references(references: Any, paths: bool) -> list[_Files]:
    if isinstance(references, Mapping):
        return [_shards(value) for value in references.values()]
    if _is_path(references):
        references, paths = [references], True
    if not isinstance(references, Sequence):
        raise InputError(
            f"references: found {type(references).__name__}, expected paths, or one text or list of texts per sample."
        )
    if not references:
        return []
    if not paths and not all(
        isinstance(r, PathLike) or (isinstance(r, str) and _names_files(r)) for r in references
    ):
        return [(references,)]
    sides: list[_Files] = []
    for reference in references:
        name, path = split_name(reference) if isinstance(reference, str) else ("", reference)
        sides += [_shards(path)] if name else [(file,) for file in matching(str(path))]
    return sides


def split_name(text: str) -> tuple[str, str]:
    """NAME and PATH of NAME=PATH; the name is empty if there is only a path.

    >>> split_name("access=out.txt"), split_name("runs/lr=0.1/out.txt")
    (('access', 'out.txt'), ('', 'runs/lr=0.1/out.txt'))
    """
    match = _NAMED.fullmatch(text)
    if not match or os.path.exists(text) or is_remote(text):  # noqa: PTH110 - False also for an impossible name
        return "", text
    return match[1].strip(), match[2]


def _shards(value: Any) -> _Files:
    """The files of one side; a pattern is a side in several files."""
    return tuple(matching(str(value))) if _is_path(value) else (value,)


def _names_files(text: str) -> bool:
    """Whether a string of a list is the name of a file, and not a text."""
    path = split_name(text)[1]
    if path == STANDARD_INPUT or is_remote(path):
        return True
    try:
        return Path(path).exists() or (is_pattern(path) and " " not in path)
    except (OSError, ValueError):  # texts that are too long, or have characters that no path has
        return False


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, PathLike))


__all__ = ["Systems", "split_name"]
