"""A study as a data set, so that `plainmark correlate --study FOLDER` takes it like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ...data import Corpus, Ratings
from ...datasets import Card, Dataset
from ..definition.loading import Study, load
from .responses import as_ratings, corpora, responses, stored_rows


@dataclass(frozen=True)
class StudyData(Dataset):
    """The conditions of a study and what people answered."""

    name: ClassVar[str] = "study"

    @cached_property
    def study(self) -> Study:
        """The study of the folder."""
        return load(self.folder)

    @cached_property
    def card(self) -> Card:  # type: ignore[override]
        """What it holds."""
        definition = self.study.definition
        return Card(
            title=definition.title,
            about=f"answers of study {definition.id}, {definition.mode}",
            level="document",
            samples=len(self.study.items),
            systems=len(definition.conditions),
            licence="the study's own",
            citation="",
        )

    def files(self) -> Sequence[str]:
        return ()

    def corpora(self) -> dict[str, Corpus]:
        return corpora(self.study)

    def ratings(self) -> Ratings:
        known = self.corpora()
        found = as_ratings(self.study, responses(self.study, stored_rows(self.study)))
        return Ratings([r for r in found if r.system in known])
