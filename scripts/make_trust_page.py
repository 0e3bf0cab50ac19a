"""Writes docs/trust.md and its pictures: which metrics correlate with people, on every rated data set that is there.

    PLAINMARK_DATA=FOLDER python -m scripts.make_trust_page          (make trust-page)

Every data set of the registry with human ratings is taken by its name; what is missing is named on the page. Published
scores come from FOLDER/published-scores, if it is there. Where `quality` was fitted to ratings of outputs on a source
sentence, outputs on that sentence are scored by a model that saw none of these ratings.
"""

import argparse
import math
import re
import sys
import textwrap
from pathlib import Path

import numpy as np
from evaluation.cross_fitting import PARTS, Unseen, training_of

from plainmark import Ratings, Scores, metric
from plainmark.datasets import DATASETS, data_folders
from plainmark.errors import PlainmarkError
from plainmark.languages.choice import choose
from plainmark.meta import is_constructed
from plainmark.meta.evaluation import baselines, evaluate, score_all
from plainmark.meta.scores import units_of
from plainmark.report.correlations.findings import carried
from plainmark.report.correlations.tables import COEFFICIENTS
from plainmark.report.formatting import count, names, number
from plainmark.report.svg import plots

DOCS = Path(__file__).resolve().parents[1] / "docs"
METRICS = (
    "sari",
    "dsari",
    "bleu",
    "chrf",
    "rouge",
    "word_operations",
    "fkgl",
    "lexical_complexity",
    "familiarity",
    "perplexity",
    "bertscore",
    "bertscore(against='source', part='recall')",
    "coverage",
    "entailment",
    "cefr",
)
QUALITY = {"quality": False, "quality(model='research')": True}  # whether non-commercial data are fitted to
# Parts that no metric was fitted to, of the sets that `cefr` was fitted to.
HELD = {"cefr_sp": "cefr_sp(split='dev')"}
# What was rated, by the words that name it; the first that fits.
SUBJECTS = {
    "comprehension": "accuracy|answerab|comprehen",
    "reading level": "level|cefr|easiness",
    "simplicity": "simpl|readab",
    "meaning": "meaning|addition|removal|faithful|factual|adequa|entail|inform|halluc|insert|delet|substit",
    "fluency": "fluen|gramma|coheren",
    "overall quality": "",
}
ORDER = (
    "simplicity",
    "meaning",
    "fluency",
    "overall quality",
    "comprehension",
    "reading level",
)  # on the page
# Published scores of items: they were asked for, or made to predict, simplicity.
PUBLISHED = {"dwiki": "d_wiki.csv", "simplicity_da": "sda.csv"}
COLUMNS = ["LENS-SALSA", "SLE", "Claude(simp+src)", "GPT-4o-mini", "Llama-3.1-8B"]
STYLE = """
svg { background: #ffffff; font: 12px system-ui, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
text { fill: #1c2027; } .cell text { text-anchor: middle; } .cell-note { font-size: 11px; }
.cell-value { font-size: 12.5px; font-weight: 640; } .faint .cell-value { font-weight: 400; }
.empty { fill: #efede7; fill-opacity: .6; } rect.positive { fill: #2a6fb8; } rect.negative { fill: #b9590a; }
rect.none { fill: #8a8f99; } .faint rect { fill-opacity: .07; }
"""


def subject(dimension):
    """What a dimension is about."""
    return next(name for name, words in SUBJECTS.items() if re.search(words, dimension.lower()))


def rated_sets():
    """The data sets with ratings of texts that can be scored, and the names of those that cannot be read."""
    sets, missing = [], []
    for name in DATASETS.names():
        data = DATASETS.parse(HELD.get(name, name))
        if data.card.ratings and data.missing():
            missing.append(name)
        elif data.card.ratings:
            sets.append(data)
    return sets, missing


def published_scores(name, corpora):
    """The published scores of a data set that are on this machine."""
    for folder in data_folders():
        path = folder / "published-scores" / PUBLISHED.get(name, "")
        if path.is_file():
            return Scores.read(path, corpora=corpora, columns=COLUMNS, kind="published")
    return []


def single_texts(corpora):
    """Whether the texts are no simplifications: source and output are the same everywhere."""
    return all(c.sources == c.outputs for c in corpora.values())


def quality_scores(corpora, models):
    """The scores of each part of quality: part -> Scores of each model; none without English sources."""
    found = {part: [] for part in PARTS}
    spoken = choose(list(corpora.values())).code
    lacking = any(c.sources is None for c in corpora.values()) or single_texts(corpora)
    if spoken not in ("", "en") or lacking:
        return found
    for name, unseen in models.items():
        rows = {system: unseen.parts(corpus) for system, corpus in corpora.items()}
        for k, part in enumerate(PARTS):
            values = {
                (system, sample): float(row[k])
                for system, corpus in corpora.items()
                for sample, row in zip(corpus.ids, rows[system], strict=True)
            }
            found[part].append(Scores(name, values, units=units_of(corpora)))
    return found


def cross_fitted(corpora, models):
    """The share of outputs whose source sentence has ratings that quality was fitted to."""
    sources = [s for c in corpora.values() for s in c.sources or ()]
    unseen = next(iter(models.values()), None)
    return float(np.mean([unseen.fold(s) is not None for s in sources])) if sources and unseen else 0.0


def evaluated(data, metrics, task, models):
    """The rankings of a data set, one for each dimension, with published scores where simplicity was rated."""
    # Dimensions ending in -z are the same ratings, standardised.
    ratings, corpora = Ratings(r for r in data.ratings() if not r.dimension.endswith("-z")), data.corpora()
    if not corpora or is_constructed(ratings):
        return []
    if single_texts(corpora):
        metrics = [m for m in metrics if "source" not in m.required()]
    scores, _ = score_all(metrics, corpora)
    scores += baselines(corpora, scores)
    published, learned = published_scores(data.name, corpora), quality_scores(corpora, models)
    share = cross_fitted(corpora, models)
    note = (
        f"quality: {share:.0%} of the outputs are scored by models that saw no rating of an output on their source."
        if share
        else ""
    )
    rankings = []
    for dimension in dict.fromkeys(r.dimension for r in ratings):
        about = subject(dimension)
        rows = [*scores, *learned[about if about in PARTS else "quality"]]
        rows += published if about == "simplicity" else []
        found = evaluate(
            rows,
            ratings,
            task=task,
            only=[dimension],
            lower_is_better=data.card.lower_is_better,
            name=data.name,
            title=data.card.title,
            notes=[note] if note else (),
            with_agreement=False,
        )
        rankings += [(found, r) for r in found.rankings]
    return rankings


def span(interval):
    low, high = interval
    return f"{low}" if low == high else f"{low}–{high}"


class Subject:
    """The rankings of one subject as a table: metrics by ratings."""

    def __init__(self, name, rankings):
        self.name, self.rankings = name, rankings
        self.cells = [
            {
                c.metric: (c.oriented_value, r.rank_interval(k), e.kind(c.metric), (c.high - c.low) / 2)
                for k, c in enumerate(r.correlations)
                if math.isfinite(c.value)
            }
            for e, r in rankings
        ]
        known = list(dict.fromkeys(m for column in self.cells for m in column))
        self.metrics = sorted(known, key=lambda m: -self.mean(m))

    def sets(self, metric):
        return sum(metric in column for column in self.cells)

    def leading(self, metric):
        """On how many ratings no other metric is significantly better."""
        return sum(column[metric][1][0] == 1 for column in self.cells if metric in column)

    def mean(self, metric):
        return float(np.mean([column[metric][0] for column in self.cells if metric in column]))

    def label(self, metric):
        kind = self.kind(metric)
        return metric if kind == "metric" else f"{metric} ({kind})"

    def headings(self):
        return [f"{e.title}: {r.dimension}" if r.dimension else e.title for e, r in self.rankings]

    def short(self, metric):
        """The name of a metric; of a variant of another metric on the page, the values of its options too."""
        name, _, options = metric.partition("(")
        if sum(m.partition("(")[0] == name for m in self.metrics) == 1 or not options:
            return name
        return ", ".join([name, *re.findall(r"='([^']*)'", options)])

    def kind(self, metric):
        return next(column[metric][2] for column in self.cells if metric in column)

    def sentence(self):
        """The metrics with the highest means, beside the best baseline; few ratings make no mean."""

        def described(metric):
            return f"{metric} ({number(self.mean(metric))}, leading on {self.leading(metric)} of {self.sets(metric)})"

        usual = [m for m in self.metrics if 3 * self.sets(m) >= 2 * len(self.rankings)]
        best = [m for m in usual if self.kind(m) == "metric"][:3]
        ratings = count(len(self.rankings), "rating")
        text = "Highest mean coefficients, among metrics with at least two thirds of the "
        text += f"{ratings}: {names(list(map(described, best)))}."
        baselines = [m for m in usual if self.kind(m) == "baseline"]
        if baselines:
            text += f" The best baseline: {described(baselines[0])}."
        if len(usual) < len(self.metrics):
            text += " Means over different ratings are only roughly comparable."
        return text

    def picture(self):
        values = np.array([[c[m][0] if m in c else math.nan for c in self.cells] for m in self.metrics])
        drawing = plots.heat_map(
            values,
            [self.short(m) + (" °" if self.kind(m) == "baseline" else "") for m in self.metrics],
            [f"{j} {e.name.partition('(')[0]}" for j, (e, _) in enumerate(self.rankings, 1)],
            texts=lambda i, j: (number(values[i, j]), span(self.cells[j][self.metrics[i]][1])),
            titles=lambda i, j: f"{self.metrics[i]}, {self.headings()[j]}: {number(values[i, j])}",
            marked=lambda i, j: self.cells[j][self.metrics[i]][1][0] == 1,
            title=f"Correlation of metrics with ratings of {self.name}",
            description=self.sentence(),
        )
        svg = str(drawing).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        return svg.replace("<title>", f"<style>{STYLE}</style><title>", 1) + "\n"

    def markdown(self, picture):
        columns = " | ".join(str(j) for j in range(1, len(self.rankings) + 1))
        lines = [
            f"## {self.name.capitalize()}",
            "",
            wrapped(self.sentence()),
            "",
            f"![Ranks of metrics]({picture})",
            "",
        ]
        lines += [f"| metric | mean | leading | {columns} |", "|---" * (3 + len(self.rankings)) + "|"]
        for m in self.metrics:
            cells = [
                f"{number(c[m][0])} ±{number(c[m][3])} ({span(c[m][1])})" if m in c else "–"
                for c in self.cells
            ]
            lead = f"{number(self.mean(m))} | {self.leading(m)} of {self.sets(m)}"
            lines.append(f"| {self.label(m)} | {lead} | {' | '.join(cells)} |")
        lines.append("")
        for j, (head, (e, r)) in enumerate(zip(self.headings(), self.rankings, strict=True), 1):
            c = r.correlations[0]
            rows = "pairs" if r.task.coefficient == "pairwise" else "outputs"
            lines.append(
                f"{j}. {head}: {COEFFICIENTS[r.task.coefficient]}, {c.n:,} {rows} of {c.units:,} source texts. {' '.join([*e.notes, carried(r)])}".strip()
            )
        return "\n".join(lines) + "\n"


def page(subjects, missing, task):
    """The page, and its pictures by name."""
    pictures = {f"trust-{s.name.replace(' ', '-')}.svg": s.picture() for s in subjects}
    parts = [
        "# Which metric should I trust?",
        "<!-- Made by scripts/make_trust_page.py from the rated data sets; do not edit. -->",
        "It depends on what you measure. These are the correlations of metrics with human ratings on every rated data set, "
        "computed with `plainmark correlate` by one script. Where published scores of the same items exist, they are shown "
        "beside the others.",
        "**`quality`** is shown with its part for what was rated (simplicity, meaning or fluency, otherwise the score). It was fitted to "
        "some of these ratings: outputs on a source sentence with such ratings are scored here by models that saw "
        "none of them, and the notes below each table say how many these are. Raters and systems of a set were seen all the same, which "
        "favours `quality`, the more so with `model='research'`; D-WIKI and COCHRANE were never fitted to.",
        "**How to read it.** The number is the coefficient, ± half of its 95 % interval; its sign is reversed where lower is "
        "better, and for baselines the absolute value counts, which favours them. Below it, or in brackets, are the ranks that the metric may have: its "
        "place is behind those that are significantly better (permutation test over source texts, Holm-corrected, 95 %). "
        "Metrics whose ranks overlap are ties, and widely spread ranks mean that the data cannot tell. Coloured cells "
        "are the leading group: no other metric is significantly better. Baselines (° `length`, `copied`, `levenshtein`) "
        "measure no quality: a metric that ranks no higher than they do may measure the same ([how they compare](meta.md)).",
    ]
    parts += [s.markdown(f"images/{name}").rstrip() for s, name in zip(subjects, pictures, strict=True)]
    signatures = dict.fromkeys(
        re.sub(r"\|refs:[^|]*", "", v) for s in subjects for e, _ in s.rankings for v in e.signatures.values()
    )
    parts += [
        "## How it was made",
        f"`make trust-page`{f', with the task `{task}`' if task else ''}. Signatures (the number of references differs):",
    ]
    parts.append("\n".join(f"    {s}" for s in signatures))
    if missing:
        parts.append(f"Rated data sets that were not available: {names(missing)}.")
    prose = (part if part.startswith(("#", "<", "|", "    ", "!")) else wrapped(part) for part in parts)
    return "\n\n".join(prose) + "\n", pictures


def wrapped(text):
    return textwrap.fill(text, 124, break_long_words=False, break_on_hyphens=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-d", "--dataset", action="append", dest="datasets", help="only this data set")
    parser.add_argument("-m", "--metrics", default=";".join(METRICS), help="separated by semicolons")
    parser.add_argument("--task", default="", help="as in plainmark correlate")
    parser.add_argument("-o", "--output", type=Path, default=DOCS, help="the folder of the page")
    parser.add_argument(
        "--cache", type=Path, help="folder for the features of quality, which take some minutes"
    )
    options = parser.parse_args()
    sets, missing = rated_sets()
    training = training_of(data_folders()[0], False, options.cache)
    models = {n: Unseen(training, non_commercial=c, cache=options.cache) for n, c in QUALITY.items()}
    rankings = []
    for data in sets:
        if options.datasets and data.name not in options.datasets:
            continue
        print(data.name, file=sys.stderr)
        try:
            rankings += evaluated(data, [metric(m) for m in options.metrics.split(";")], options.task, models)
        except PlainmarkError as problem:
            missing.append(f"{data.name} ({problem})")
    subjects = [
        Subject(name, chosen)
        for name in ORDER
        if (chosen := [(e, r) for e, r in rankings if subject(r.dimension) == name])
    ]
    text, pictures = page(subjects, missing, options.task)
    (options.output / "images").mkdir(parents=True, exist_ok=True)
    (options.output / "trust.md").write_text(text, "utf-8")
    for name, picture in pictures.items():
        (options.output / "images" / name).write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
