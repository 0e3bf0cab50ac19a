"""A test set in a folder of the user.

source.txt               one text per line; also source.jsonl, or ASSET's layout, NAME.orig
reference.0, reference.1 one file per reference; also NAME.simp.0, …; optional
outputs/NAME.txt         one file per system; optional
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..data import Corpus
from ..errors import InputError
from ..systems import Systems
from . import REFERENCE, Card, Dataset

SOURCE, REFERENCES = ("source", "source.*", "*.orig"), ("reference*", "*.simp.*", "*.simp")
OUTPUTS = "outputs"


@dataclass(frozen=True)
class LocalFolder(Dataset):
    """The texts and the systems' outputs in a folder."""

    @property
    def card(self) -> Card:  # type: ignore[override]
        return Card(
            title=Path(self.folder).name,
            about="a test set in a folder",
            level="sentence",
            samples=0,
            systems=0,
            licence="unknown",
            citation="",
        )

    @property
    def spec(self) -> str:
        return self.folder

    def files(self) -> Sequence[str]:
        return [str(path) for path in (self._source(), *self._references(), *self._outputs())]

    def corpora(self) -> dict[str, Corpus]:
        source, references = str(self._source()), [str(path) for path in self._references()]
        if outputs := self._outputs():
            systems = Systems.of([str(path) for path in outputs], source, references, paths=True)
            return {corpus.name: corpus for corpus in systems.corpora()}
        first = {REFERENCE: references[0] if references else source}
        (corpus,) = Systems.of(first, source, references, paths=True).corpora()
        return {REFERENCE: corpus}

    def _source(self) -> Path:
        files = self._matching(SOURCE)
        if len(files) != 1:
            names = ", ".join(path.name for path in files[:3]) or "no such file"
            raise InputError(f"{self.folder}: found {names}, expected one file source.txt or NAME.orig.")
        return files[0]

    def _references(self) -> list[Path]:
        return self._matching(REFERENCES)

    def _outputs(self) -> list[Path]:
        folder = Path(self.folder, OUTPUTS)
        return sorted(p for p in folder.iterdir() if not p.name.startswith(".")) if folder.is_dir() else []

    def _matching(self, patterns: Sequence[str]) -> list[Path]:
        files = {path for pattern in patterns for path in Path(self.folder).glob(pattern) if path.is_file()}
        return sorted(files, key=lambda path: (path.stem, len(path.suffix), path.suffix))
