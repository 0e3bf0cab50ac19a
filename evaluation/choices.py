"""Compares the choice of `plainmark simplify --choose` among four systems' outputs with human preferences.

    python -m evaluation.choices [--part development] [--part test] [--cache FOLDER]

development  SimpEval: 100 sentences, each with four of eighteen systems, drawn at random, all of them rated, and the
source,
             which is rated too. The default of --choose was chosen on it.
test         Simplicity-DA: the other sentences of which at least two systems are rated, filled up to four with systems of
             ASSET that are not; Wu and Arase: 100 other sentences, three systems that are rated and one of ASSET's

No test sentence is among the development sentences. `quality` is refitted to the ratings of SimpEval alone and to a quarter
of the contrasts: on the development set to the half of its sentences that is not scored, for the tests to all of it.
Therefore it was trained on no output and no sentence of the test sets. The shipped model was also trained on the ratings of
Wu and Arase and MultiCochrane.

The rating of an output is the mean of people's meaning, fluency and simplicity (SimpEval: overall, standardised by rater).
A chooser ranks the candidates, and its choice is the first rated one. "best" is how often people rate no other higher; a
choice between several with equal scores counts as their mean. Intervals are 95 %, by resampling whole sentences.
"""

import argparse
import hashlib
import random
import warnings
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from training.quality import Training, measure
from training.quality_items import letters, rated

from plainmark.data import Corpus
from plainmark.datasets import DATASETS
from plainmark.metric import metric
from plainmark.metrics.quality import parts
from plainmark.simplifier.candidate import Candidate
from plainmark.simplifier.choosing import DEFAULT, SOURCE, choose_columns, parse_criteria

from .tables import Table
from .texts import data_folder

DRAWS = 2000
CANDIDATES, SENTENCES = 4, 100
FITTED_TO, CONTRASTS = ("simpeval",), 10
NOT_SYSTEMS = (
    "copy",
    "scramble_words",
    "asset.test.simp",
)  # and systems whose names begin with new_, which are people
CHOICES = (
    "quality",
    "facts_kept",
    "samsa",
    "facts_kept, quality, samsa",
    "facts_kept within 10, quality",
    "facts_kept >= 70, quality",
    "facts_kept >= 80, quality",
    "facts_kept >= 90, quality",
    "facts_kept(part='precision') >= 80, quality",
    "facts_kept(part='precision') >= 90, quality",
    "quality within 5, samsa",
    "0.7*quality + 0.3*facts_kept",
    "0.5*quality + 0.5*facts_kept",
)
BERTSCORE = "bertscore(against='source')"
METRICS = ("facts_kept", "facts_kept(part='precision')", "samsa", BERTSCORE)


class Sentence(NamedTuple):
    """A source, outputs of four systems, and human ratings of some texts, perhaps including the source."""

    source: str
    candidates: tuple[Candidate, ...]
    ratings: dict[str, float]


def development(data):
    """SimpEval: four systems per sentence."""
    rows = defaultdict(dict)
    items = rated(data, "simpeval")
    for k, sample in enumerate(items.sample):
        rows[sample][items.system[k]] = k
    rng = random.Random(0)
    for systems in rows.values():
        real = sorted(s for s in systems if s not in NOT_SYSTEMS and not s.startswith("new_"))
        rng.shuffle(real)
        selected = [systems[s] for s in real[:CANDIDATES]]
        source = items.corpus.sources[selected[0]]
        ratings = {items.corpus.outputs[k]: float(items.ratings[k, 3]) for k in selected}
        ratings[source] = float(items.ratings[systems["copy"], 3])
        candidates = tuple(Candidate(items.corpus.outputs[k], origin=items.system[k]) for k in selected)
        yield Sentence(source, candidates, ratings)


def tests(data):
    """Simplicity-DA and Wu and Arase, without the sentences of SimpEval."""
    seen = set(rated(data, "simpeval").sentence)
    asset = DATASETS.find("asset")(folder=str(data)).corpora()
    lines = {letters(s.source): i for i, s in enumerate(next(iter(asset.values())))}
    rng = random.Random(0)
    for name, options, most in (("simplicity_da", {}, None), ("wu2025", {"part": "asset"}, SENTENCES)):
        items = rated(data, name, **options)
        rows = defaultdict(list)
        for k, sentence in enumerate(items.sentence):
            if sentence not in seen and sentence in lines:
                rows[sentence].append(k)
        usable = [own for own in rows.values() if len(own) > 1]
        rng.shuffle(usable)
        sentences = []
        for own in usable[:most]:
            own = rng.sample(own, min(CANDIDATES, len(own)))
            source = items.corpus.sources[own[0]]
            candidates = [Candidate(items.corpus.outputs[k], origin=items.system[k]) for k in own]
            others = sorted(set(asset) - {c.origin for c in candidates})
            candidates += [
                Candidate(asset[system].outputs[lines[letters(source)]], origin=system)
                for system in rng.sample(others, CANDIDATES - len(own))
            ]
            ratings = {items.corpus.outputs[k]: float(items.ratings[k, :3].mean()) for k in own}
            sentences.append(Sentence(source, tuple(candidates), ratings))
        yield name, sentences


def pairs_of(sentences):
    """Every source with each of its candidates and with itself, once."""
    return list(
        dict.fromkeys((s.source, o) for s in sentences for o in (s.source, *(c.output for c in s.candidates)))
    )


def scored(pairs, cache):
    """The scores of metrics that were not fitted to these data, by name; from the cache if they are there."""
    corpus = Corpus([s for s, _ in pairs], [o for _, o in pairs])
    return {
        name: _known(f"{metric(name).identity()} {pairs}", cache, metric(name), corpus) for name in METRICS
    }


def _known(key, cache, scorer, corpus):
    file = cache and cache / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.npy"
    if file and file.exists():
        return np.load(file)
    scores = scorer.sample_scores(corpus)
    if file:
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, scores)
    return scores


def features_of(training, pairs, cache):
    """The features of pairs of texts; those of the training pairs are already computed."""
    corpus = training.items.corpus
    known = {pair: i for i, pair in enumerate(zip(corpus.sources, corpus.outputs, strict=True))}
    others = [pair for pair in pairs if pair not in known]
    rows = training.rows
    if others:
        rows = np.concatenate(
            [rows, measure(Corpus([s for s, _ in others], [o for _, o in others]), False, cache)]
        )
    known |= {pair: len(corpus) + i for i, pair in enumerate(others)}
    return rows[[known[pair] for pair in pairs]]


def fitted(training, keep, features):
    """`quality` by a model fitted to some of the ratings."""
    model = training.fit(keep, non_commercial=False)
    return parts(model.heads(features), model.copied(features))[:, 0]


def halves(training, pairs, features):
    """`quality` on the development set: each half of its sentences is scored by a model fitted to the other half."""
    own = np.array([letters(source) for source, _ in pairs])
    names = sorted(set(own))
    random.Random(1).shuffle(names)
    out = np.full(len(pairs), np.nan)
    for half in (names[::2], names[1::2]):
        scores = fitted(training, ~np.isin(training.sentence, half), features)
        out = np.where(np.isin(own, half), scores, out)
    return out


class Choosers:
    """The ranking of each sentence's candidates by every method of choosing."""

    def __init__(self, pairs, columns):
        self.place = {pair: i for i, pair in enumerate(pairs)}
        self.columns = columns

    def rankings(self, sentence):
        """Name of the chooser -> groups of outputs, best first; the outputs of a group are equal."""
        outputs = list(dict.fromkeys(c.output for c in sentence.candidates))
        rows = [self.place[sentence.source, o] for o in outputs]
        yield "random", [outputs]
        yield "longest", sorted(([o] for o in outputs), key=lambda o: -len(o[0]))
        yield "shortest", sorted(([o] for o in outputs), key=lambda o: len(o[0]))
        yield "BERTScore to the source", _sorted(outputs, self.columns[BERTSCORE][rows])
        own = list(dict.fromkeys((sentence.source, *outputs)))
        rows = [self.place[sentence.source, o] for o in own]
        scores = {name: column[rows] for name, column in self.columns.items()}
        pool = [Candidate(o, origin=SOURCE if o == sentence.source else "system") for o in own]
        for text in CHOICES:
            choice = choose_columns(sentence.source, pool, parse_criteria(text), scores)
            yield text, [[c.output] for c in choice.candidates]


def _sorted(outputs, values):
    return [[outputs[k]] for k in np.argsort(-values, kind="stable")]


def picked(groups, ratings):
    """The rating of the choice, and whether people rate no other higher; means if several are equal."""
    for group in groups:
        own = [ratings[o] for o in group if o in ratings]
        if own:
            best = max(ratings.values())
            return float(np.mean(own)), float(np.mean([r >= best - 1e-9 for r in own]))
    return np.nan, np.nan


def table(title, sentences, choosers, notes=()):
    """Rating and share of best choices of each chooser, and how often the first choice is the source itself."""
    results, copies = defaultdict(list), defaultdict(list)
    for sentence in sentences:
        for name, groups in choosers.rankings(sentence):
            systems = {o: r for o, r in sentence.ratings.items() if o != sentence.source}
            results[name].append(picked(groups, systems))
            copies[name].append(groups[0] == [sentence.source])
    results["people's best"] = [(max(r), 1.0) for r in (
        [v for o, v in s.ratings.items() if o != s.source] for s in sentences
    )]  # fmt: skip
    owner = np.unique([letters(s.source) for s in sentences], return_inverse=True)[1]
    rows = []
    for name, values in results.items():
        copied = f"{100 * np.mean(copies[name]):.0f} %" if copies[name] and name in CHOICES else "-"
        label = f"{name} (default)" if name == DEFAULT else name
        rows.append(
            [
                label,
                *(interval(np.array(values)[:, k], owner, digits) for k, digits in ((0, 2), (1, 3))),
                copied,
            ]
        )
    return Table(title, ["chosen by", "rating of the pick", "best", "source first"], rows, list(notes))


def interval(values, owner, digits):
    """A mean with its interval."""
    groups = [np.flatnonzero(owner == g) for g in range(owner.max() + 1)]
    sums, counts = (
        np.array([f(values[g]) for g in groups]) for f in (np.nansum, lambda v: np.isfinite(v).sum())
    )
    drawn = np.random.default_rng(0).integers(len(groups), size=(DRAWS, len(groups)))
    low, high = np.percentile(sums[drawn].sum(1) / counts[drawn].sum(1), [2.5, 97.5])
    return f"{np.nanmean(values):.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def tables(data, parts, cache):
    """The tables of the requested parts."""
    training = Training(data, False, cache, FITTED_TO, CONTRASTS)
    if "development" in parts:
        sentences = list(development(data))
        pairs = pairs_of(sentences)
        columns = scored(pairs, cache) | {
            "quality": halves(training, pairs, features_of(training, pairs, cache))
        }
        yield table("SimpEval (development): overall, standardised", sentences, Choosers(pairs, columns))
        yield with_copy(sentences, Choosers(pairs, columns))
    if "test" in parts:
        for name, sentences in tests(data):
            pairs = pairs_of(sentences)
            everything = np.ones(len(training.rows), bool)
            quality = fitted(training, everything, features_of(training, pairs, cache))
            columns = scored(pairs, cache) | {"quality": quality}
            systems = defaultdict(int)
            for s in sentences:
                systems[sum(c.output in s.ratings for c in s.candidates)] += 1
            note = ", ".join(f"{n} sentences with {k} rated systems" for k, n in sorted(systems.items()))
            yield table(
                f"{name} (test), {len(sentences)} sentences", sentences, Choosers(pairs, columns), [note]
            )


def with_copy(sentences, choosers):
    """The development set with the source as a candidate, as in --choose, because people rated it, too."""
    results = defaultdict(list)
    for sentence in sentences:
        for name, groups in choosers.rankings(sentence):
            if name in CHOICES:
                results[name].append(picked(groups, sentence.ratings))
        results["always the source"].append(picked([[sentence.source]], sentence.ratings))
    owner = np.unique([letters(s.source) for s in sentences], return_inverse=True)[1]
    rows = [
        [name, *(interval(np.array(v)[:, k], owner, digits) for k, digits in ((0, 2), (1, 3)))]
        for name, v in results.items()
    ]
    return Table(
        "SimpEval (development), with the source as a candidate",
        ["chosen by", "rating of the pick", "best"],
        rows,
    )


def main():
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.choices",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--part", action="append", choices=("development", "test"), help="only this (default: both)"
    )
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--cache", type=Path, help="folder for features")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    data = options.data or Path(data_folder())
    for result in tables(data, options.part or ("development", "test"), options.cache):
        print(result, end="\n\n", flush=True)


if __name__ == "__main__":
    main()
