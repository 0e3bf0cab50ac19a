"""Wu and Arase's evaluation: outputs of GPT-4, Qwen2.5 and Control-T5, graded from 1 to 3 by three people, and their
errors.

Sample ids are set/sentence (asset/94, turk/94, simpa/12). Sentences of ASSET and TurkCorpus are numbered as the lines of
their test sentences, from 1; most outputs on the same sentence differ between the two. errors() returns the error labels,
on which annotators agreed in discussion, with the pieces of text that they marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ..data import Corpus, Rating, Ratings
from ..errors import InputError
from ..files import read_json
from . import Card, Dataset
from ._readers import reporting_errors, text
from ._wikipedia import REFERENCES, References, SharedReferences

SYSTEMS = ("gpt", "qwen", "t5")
GRADES, LABELS = "ratings/wu2025/likert_{}.json", "ratings/wu2025/error_{}.json"
DIMENSIONS = {"fluency": "fluency", "meaning preservation": "meaning", "simplicity": "simplicity"}
PARTS = ("asset", "turk", "simpa")
NO_ERROR = "No error"
# Which references the samples of a part have; those of SimPA are not among the files.
_REFERENCES: dict[str, References] = {"asset": "asset", "turk": "turkcorpus"}


@dataclass(frozen=True)
class ErrorLabel:
    """An error of one category, and the pieces of source and output that were marked for it."""

    category: str
    source: tuple[str, ...]
    output: tuple[str, ...]
    times: int  # number of errors of this category in the output

    def places(self, output: str) -> list[tuple[int, int] | None]:
        """The positions of the marked pieces in the output; None for a piece that does not occur exactly once."""
        return [locate(piece, output) for piece in self.output]


@dataclass(frozen=True)
class Wu2025(Dataset):
    """Outputs of language models with grades of fluency, meaning and simplicity by three people, and error labels."""

    part: Annotated[
        Literal["all", "asset", "turk", "simpa"],
        "source of the sentences; with 'asset' and 'turk', samples have the references of that set, else none",
    ] = "all"

    card = Card(
        title="Wu and Arase 2025",
        about="outputs of GPT-4, Qwen2.5-72B and Control-T5, graded from 1 to 3 by three people, with error labels",
        level="sentence",
        samples=1815,
        systems=3,
        ratings=39132,
        dimensions=("fluency", "meaning", "simplicity"),
        licence="none stated",
        citation="Wu and Arase 2025, An In-depth Evaluation of Large Language Models in Sentence Simplification with"
        " Error-based Human Assessment",
        notes=(
            "gpt is GPT-4, qwen is Qwen2.5-72B, t5 is Control-T5; t5 has no outputs on SimPA.",
            "Every sentence of turk is also in asset, usually with another output; 43 sources of turk are tokenised for gpt and"
            " t5, but not for qwen.",
            "More than 90 % of the grades are 3, so correlations depend on few outputs.",
            "errors() gives the error labels of 2,400 outputs: one list for each, on which the annotators agreed"
            " together, not one for each annotator.",
            "Some marked pieces have spaces or letters that are not in the text; places() finds their positions.",
            "Outputs of Llama-3.2-3B, in the same release, are not in this set.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        systems = [s for s in SYSTEMS if (s, self.part) != ("t5", "simpa")]
        references = REFERENCES[_REFERENCES.get(self.part, "none")]
        return (*(file.format(s) for file in (GRADES, LABELS) for s in systems), *references)

    def corpora(self) -> dict[str, Corpus]:
        table = SharedReferences.read(self, _REFERENCES.get(self.part, "none"))
        corpora = {}
        for system, rows in self._systems(GRADES):
            ids = [sample for sample, _, _ in rows]
            sources, outputs = [], []
            for _, location, row in rows:
                with reporting_errors(location):
                    sources.append(text(row["source"]))
                    outputs.append(text(row["simple"]))
            references = table.for_ids([sample.partition("/")[2] for sample in ids])
            corpora[system] = Corpus(sources, outputs, references, ids=ids, name=system)
        return corpora

    def ratings(self) -> Ratings:
        ratings = []
        for system, rows in self._systems(GRADES):
            for sample, location, row in rows:
                with reporting_errors(location):
                    ratings += [
                        Rating(
                            system, sample, DIMENSIONS[name], rater.removeprefix("annotator_"), float(value)
                        )
                        for rater, grades in row["label_annotations"].items()
                        for name, value in grades.items()
                    ]
        return Ratings(ratings)

    def errors(self) -> dict[str, dict[str, list[ErrorLabel]]]:
        """System -> sample id -> error labels; an empty list if annotators found no errors."""
        labels: dict[str, dict[str, list[ErrorLabel]]] = {}
        for system, rows in self._systems(LABELS):
            own = labels.setdefault(system, {})
            for sample, location, row in rows:
                with reporting_errors(location):
                    own[sample] = [_label(x) for x in row["label"] if x["annotation"] != NO_ERROR]
        return labels

    def _systems(self, file: str) -> Iterator[tuple[str, list[tuple[str, str, dict[str, Any]]]]]:
        """Each system with its rows: sample id, location and content."""
        for name in (f for f in self.files() if f in [file.format(s) for s in SYSTEMS]):
            path, rows = self.path(name), []
            records = read_json(path)
            if not isinstance(records, list) or not records:
                raise InputError(f"{path}: expected a list of outputs with their grades or labels.")
            for k, row in enumerate(records, 1):
                location = f"{path}, item {k}"
                with reporting_errors(location):
                    part, sample = text(row["source_file"]), f"{row['source_file']}/{int(row['source_id'])}"
                    if part not in PARTS:
                        raise ValueError(f"source_file {part!r}, expected one of {', '.join(PARTS)}")
                if self.part in ("all", part):
                    rows.append((sample, location, row))
            yield name.rpartition("_")[2].removesuffix(".json"), rows


def _label(label: dict[str, Any]) -> ErrorLabel:
    source, output = (
        tuple(text(piece).strip() for piece in label[side]) for side in ("orig-span", "simp-span")
    )
    return ErrorLabel(text(label["annotation"]), source, output, int(label["times"]))


def locate(piece: str, whole: str) -> tuple[int, int] | None:
    """Start and end of a piece in a text, ignoring spaces; None if it does not occur exactly once."""
    letters = "".join(piece.split())
    places = list(re.finditer(r"\s*".join(map(re.escape, letters)), whole)) if letters else []
    return places[0].span() if len(places) == 1 else None
