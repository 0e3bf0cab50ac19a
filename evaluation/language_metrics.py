"""The correlation of each embedded metric with human ratings in other languages: Pearson's r with 95 % intervals.

    PLAINMARK_DATA=../shared/data python -m evaluation.language_metrics > docs/language-metrics.md

Every metric that needs no model and is for the language is correlated, as `plainmark correlate -d NAME` does; the bootstrap
draws source texts. Three cases are left out because they would be meaningless: metrics that compare with references if the
output is the reference (DEplain, and the person's version in JADES), metrics that compare with the source if it is in
English (MultiCochrane), and those that are the same for all outputs.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import plainmark as pm
from plainmark.datasets import dataset
from plainmark.errors import PlainmarkError
from plainmark.languages.choice import Choice
from plainmark.languages.names import NAMES
from plainmark.meta.evaluation import evaluate, score_all
from plainmark.metric import Metric, Wrapper

# families that are left out: models, wrappers, for documents
SLOW = {"judge", "questeval", "facts_kept", "agg", "mean", "ter", "dsari"}


@dataclass(frozen=True)
class RatedSet:
    """Ratings of texts in a language."""

    language: str
    spec: str
    dimensions: tuple[str, ...]
    compares: frozenset[str]  # the texts with which metrics may compare the output
    task: str = ""
    about: str = ""


SETS = (
    RatedSet("de", "textcomplexity_de", ("complexity",), frozenset(), about="1,000 sentences; higher is harder"),
    RatedSet("de", "deplain", ("simplicity", "coherence", "meaning"), frozenset({"source"}), about="384 pairs by people"),
    RatedSet("ja", "jades", ("simplicity", "fluency", "meaning"), frozenset({"source", "references"}), "systems=BART,EditNTS", "two systems, 400 outputs"),
    RatedSet("es", "multicochrane(language='es')", ("simplicity", "fluency", "factuality"), frozenset({"references"}), about="seven systems, one rater"),
    RatedSet("fr", "multicochrane(language='fr')", ("simplicity", "fluency", "factuality"), frozenset({"references"}), about="seven systems, one rater"),
)  # fmt: skip


def metrics_for(rated: RatedSet) -> Iterator[Metric]:
    """The metrics for a language that need no model and compare only with comparable texts."""
    for name in pm.METRICS.names():
        if name in SLOW:
            continue
        entry = pm.metric(name)
        try:
            adapted = entry.in_language(Choice(rated.language, "given"))
        except PlainmarkError:
            continue
        if not isinstance(entry, Wrapper) and not adapted.missing() and adapted.required() <= rated.compares:
            yield entry


def rows(rated: RatedSet) -> dict[str, dict[str, str]]:
    """Coefficients as text: metric -> dimension -> "0.29 [0.17, 0.39]"."""
    data = dataset(rated.spec)
    corpora = data.corpora()
    scores, _ = score_all(list(metrics_for(rated)), corpora)
    table: dict[str, dict[str, str]] = {}
    for ranking in evaluate(
        scores, data.ratings(), only=rated.dimensions, task=rated.task, name=data.name
    ).rankings:
        for correlation in ranking.correlations:
            if math.isfinite(correlation.value):
                cell = f"{correlation.value:.2f} [{correlation.low:.2f}, {correlation.high:.2f}]"
                table.setdefault(correlation.metric, {})[ranking.dimension] = cell.replace("-", "−")
    return table


def main() -> None:
    """Print the page."""
    print("""# Metrics in other languages

How well metrics agree with human ratings of texts in German, Japanese, Spanish and French. Each cell is Pearson's r and its 95 % interval,
over source texts drawn with replacement; where the interval includes 0, no correlation was found. In short:

- On German sentences, `rix` (long words per sentence) correlates most with complexity; on German pairs, it is the share of deleted or copied
  words that correlates most with simplicity.
- In Japanese, overlap with the reference correlates with simplicity (about 0.3) and meaning (about 0.4).
- In Spanish and French, shorter texts are rated simpler; overlap with the reference correlates with fluency.

Every metric that is for the language and needs no model is listed, strongest first. Metrics are left out where they would mean nothing:
comparison with references where the output is the reference, and comparison with the source where it is in English (MultiCochrane). For the
same with metrics of your choice:

    plainmark correlate -d deplain -m rix,wstf,length

`python -m evaluation.language_metrics` writes this page.""")
    for rated in SETS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = rows(rated)
        shown = [d for d in rated.dimensions if any(d in cells for cells in table.values())]
        print(
            f"\n## {NAMES[rated.language]}: {dataset(rated.spec).card.title}\n\n`{rated.spec}`, {rated.about}.\n"
        )
        print(f"| metric | {' | '.join(shown)} |\n|---|{'---|' * len(shown)}")
        for name in sorted(table, key=lambda n: -abs(_value(table[n].get(shown[0], "0")))):
            print(f"| `{name}` |", " | ".join(table[name].get(d, "–") for d in shown), "|")


def _value(cell: str) -> float:
    return float(cell.split()[0].replace("−", "-"))


if __name__ == "__main__":
    main()
