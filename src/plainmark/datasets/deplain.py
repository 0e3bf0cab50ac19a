"""DEplain-web: German sentence pairs aligned by people, graded in nine aspects.

The one system, 'reference', has the simplifications of the web pages. A pair was graded by one of two people. Simplicity
(overall, lexical, structural) is a comparison with the original from -2 to 2; the other aspects are of the simplification.
Sample ids are the rows of the file, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..data import Corpus, Rating, Ratings
from ..files import table_rows
from . import REFERENCE, Card, Dataset
from ._readers import number

FILE = "ratings/deplain/DEplain-web-sent-manual-open-rated.csv"
DIMENSIONS = {
    "simplicity": "simplicity",
    "lexical simplicity": "lexical_simplicity",
    "structural simplicity": "structural_simplicity",
    "meaning": "meaning_preservation",
    "information gain": "information_gain",
    "coherence": "coherence_simple",
    "grammar": "grammaticality_simple",
    "ease": "simplicity_simple",
    "ambiguity": "ambiguity_simple",
}


@dataclass(frozen=True)
class DEplain(Dataset):
    """German sentence pairs of web pages, graded in nine aspects."""

    card = Card(
        title="DEplain-web",
        about="German sentence pairs of fiction, bibles and pages for learners, aligned and graded by people",
        level="sentence",
        samples=384,
        systems=1,
        ratings=3456,
        dimensions=(*DIMENSIONS,),
        lower_is_better=("ambiguity",),
        licence="GPL-3.0 (repository)",
        citation="Stodden et al. 2023, DEplain: A German Parallel Corpus with Intralingual Translations into Plain Language",
        also=("DEplain",),
        notes=(
            "Simplicity, lexical and structural simplicity and information gain are from -2 to 2, meaning, coherence, ease and"
            " ambiguity from 1 to 5, grammar from -2 to 2.",
            "All simplifications were written by people; there are no outputs of systems.",
            "The texts are under CC BY 4.0, CC BY-SA 3.0 and other licences.",
            "domains() gives the domain of each pair. The news part (DEplain-APA) is released without its texts and is not included.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        rows = [(sample, row["original"], row["simplification"]) for sample, _, row in self._rows()]
        ids, sources, outputs = zip(*rows, strict=True)
        return {REFERENCE: Corpus(sources, outputs, outputs, ids=ids, name=REFERENCE, language="de")}

    def ratings(self) -> Ratings:
        return Ratings(
            Rating(REFERENCE, sample, dimension, row["rater"], number(row[column], location))
            for sample, location, row in self._rows()
            for dimension, column in DIMENSIONS.items()
        )

    def domains(self) -> dict[str, str]:
        """Sample id -> fiction, bible or language learner."""
        return {sample: row["domain"] for sample, _, row in self._rows()}

    def _rows(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        columns = ("original", "simplification", "domain", "rater", *DIMENSIONS.values())
        for k, (location, row) in enumerate(table_rows(self.path(FILE), columns), 1):
            yield str(k), location, row
