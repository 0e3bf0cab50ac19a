"""Builds the simplifier `full` from data on your machine, or one from freely licensed data, like the default until 0.1.

The language model, the word difficulties and the context filter of the default come from --model default; its rules and its
estimate of correctness are built by training/rewrites.py.

    python scripts/train_simplifier.py DATA --output models/simplifier [--model full|default] [--rules ppdb|all]

DATA holds turkcorpus/, asset/, swipe/, ucca/, ppdb/, lexicons/ and lm-text/. Weights are chosen on a held-out fifth of
TurkCorpus tune by cross-fitting; the test sets are read only by --test.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tarfile
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.programs.facts_kept import lost
from training.context_filter import CasedSentence, fit_context_filter
from training.wordnet_rules import wordnet_rules

import plainmark as pm
from plainmark import models
from plainmark.lm import LanguageModel
from plainmark.simplifier.lattice.building import FittedHints, WordRatings, build_decoder, fit, tuning_corpus
from plainmark.simplifier.lattice.decoder import LatticeDecoder
from plainmark.simplifier.lattice.hypotheses import PreparedLattice
from plainmark.simplifier.learned.context_filter import WordContexts
from plainmark.simplifier.learned.hints import predict_hints
from plainmark.simplifier.model import Simplifier
from plainmark.simplifier.rules.building import RuleSource
from plainmark.simplifier.rules.constraints import PROTECTED_KINDS, protected
from plainmark.simplifier.rules.extraction import extract, extract_drops
from plainmark.simplifier.rules.features import WordVectors
from plainmark.simplifier.rules.sources import from_extracted, read_rule_file
from plainmark.simplifier.surface import split, split_at_spaces
from plainmark.simplifier.tuning.tune import Tuned, TuningSettings, tune

PPDB_FILES = (
    "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs",
    "retrofitting/ppdb-xl.txt",
    "counterfitting/ppdb_synonyms.txt",
)
OBJECTIVES = {
    "sari": "sari(tokenizer='none')",
    "bleu": "bleu(tokenizer='none')",
    "fkbleu": "fkbleu(tokenizer='none')",
}
BEGAN = time.perf_counter()


def say(*what: object) -> None:
    print(f"[{time.perf_counter() - BEGAN:6.1f} s]", *what, flush=True)


class Data:
    """The data read from the folder, with words separated by spaces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, name: str) -> list[str]:
        return (self.folder / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n")

    def turkcorpus(self, part: str) -> tuple[list[list[str]], list[tuple[list[str], ...]]]:
        stem = f"turkcorpus/{part}.8turkers.tok"
        sources = [line.split() for line in self.lines(f"{stem}.norm")]
        references = [[line.split() for line in self.lines(f"{stem}.turk.{k}")] for k in range(8)]
        return sources, list(zip(*references, strict=True))

    def asset(self) -> list[tuple[list[str], ...]]:
        columns = [
            [list(split(t).words) for t in self.lines(f"asset/asset.valid.simp.{k}")] for k in range(10)
        ]
        return list(zip(*columns, strict=True))

    def swipe(self) -> tuple[list[list[str]], list[list[list[str]]]]:
        sources, references = [], []
        for line in self.lines("swipe/links_val.jsonl"):
            page = json.loads(line)
            for a, b, kind in page["links"]:
                if kind != "aligned":  # parts of sentences leave odd phrases between shared words
                    continue
                sources.append(list(split(page["complex"][a]).words))
                references.append([list(split(page["simple"][b]).words)])
        return sources, references

    def names(self) -> list[str]:
        """Words that SWiPE's texts capitalise in the middle of a sentence, and hardly ever write in lower case."""
        upper: dict[str, int] = {}
        lower: dict[str, int] = {}
        for line in self.lines("swipe/links_val.jsonl"):
            page = json.loads(line)
            for sentence in (*page["complex"], *page["simple"]):
                for word in sentence.split()[1:]:
                    bare = word.strip(".,;:()\"'")
                    if bare.isalpha():
                        side = upper if bare[0].isupper() else lower
                        side[bare.lower()] = side.get(bare.lower(), 0) + 1
        return sorted(w for w, n in upper.items() if n >= 2 and n > 4 * lower.get(w, 0))

    def cased(self) -> list[list[CasedSentence]]:
        """Documents with capitals: SWiPE's pages and the passages of UCCA's Wiki corpus."""
        documents = []
        for line in self.lines("swipe/links_val.jsonl"):
            page = json.loads(line)
            documents.append([CasedSentence.of(s) for s in (*page["complex"], *page["simple"])])
        with tarfile.open(self.folder / "ucca" / "wiki-v1.2.4-train.tar.xz") as archive:
            members = sorted(archive.getmembers(), key=lambda m: m.name)
            files = [archive.extractfile(m) for m in members if m.name.endswith(".xml")]
            documents += [
                [CasedSentence.of(s) for s in _sentences(ET.parse(f).getroot())] for f in files if f
            ]
        return documents

    def ppdb(self) -> RuleSource:
        pairs = {p for name in PPDB_FILES for p in read_rule_file(str(self.folder / "ppdb" / name)).pairs}
        return RuleSource(
            "ppdb", sorted(p for p in pairs if not any(c.isdigit() for side in p for w in side for c in w))
        )

    def antonyms(self) -> set[tuple[str, str]]:
        return {
            (a, b)
            for a, b, *_ in (x.split() for x in self.lines("ppdb/counterfitting/ppdb_antonyms.txt") if x)
        }

    def ratings(self) -> WordRatings:
        rows = [line.split("\t") for line in self.lines("lexicons/lexicon.tsv")]
        return WordRatings([w for w, _ in rows], [float(v) for _, v in rows])

    def text(self, *names: str) -> list[str]:
        out: list[str] = []
        for name in names:
            with lzma.open(self.folder / "lm-text" / f"{name}.txt.xz", "rt", encoding="utf-8") as file:
                out += [line.strip() for line in file]
        return out


def _sentences(passage: ET.Element) -> list[str]:
    words = [
        node.find("attributes").get("text")  # type: ignore[union-attr]
        for node in passage.findall("layer[@layerID='0']/node")
    ]
    text = " ".join(w or "" for w in words)
    return [s + " ." for s in text.split(" . ")]


def language_model(data: Data, kind: str, cached: Path | None) -> LanguageModel:
    if cached is not None and cached.exists():
        return LanguageModel.load(cached)
    if kind == "full":
        model = LanguageModel.train(data.text("amalgum", "wikinews", "brown"), order=4)
    else:
        model = LanguageModel.train(
            data.text("amalgum", "wikinews"), order=3, bits=8, words=60000, ngrams=1_500_000
        )
    if cached is not None:
        model.save(cached)
    return model


def word_vectors(rules: list[RuleSource], model: LanguageModel, cached: Path | None) -> WordVectors:
    """Vectors of the words of single-word rules that the language model knows, from the embedded encoder."""
    if cached is None or not cached.exists():
        pairs = [p for r in rules for p in r.pairs if len(p[0]) == len(p[1]) == 1]
        words = sorted({w for f, e in pairs for w in (*f, *e) if w[:1].isalpha()}, key=lambda w: (len(w), w))
        words = [w for w, number in zip(words, model.ids(words), strict=True) if number]
        say("encoding", len(words), "words")
        encoder = models.encoder("minilm")
        blocks = [encoder.sentence_vectors(words[k : k + 2048]) for k in range(0, len(words), 2048)]
        values = np.concatenate(blocks).astype(np.float16)
        if cached is None:
            return WordVectors({w: k for k, w in enumerate(words)}, values)
        np.savez(cached, words=np.array(words), vectors=values)
    with np.load(cached) as held:
        return WordVectors({str(w): k for k, w in enumerate(held["words"])}, held["vectors"])


def read(
    data: Data,
    decoder: LatticeDecoder,
    fitted: FittedHints,
    sentences: list[list[str]],
    cased: list[str],
    seed: int,
) -> PreparedLattice:
    """Train the context filter, and prepare the tuning sentences with filters that were not trained on them."""
    aligned = [CasedSentence.aligned(s, text) for s, text in zip(sentences, cased, strict=True)]
    context_filter, context = fit_context_filter(
        data.cased(), aligned, decoder.vocabulary, np.random.default_rng(seed)
    )
    decoder.context_filter = context_filter
    say("context filter")
    return constrained(decoder, fitted, sentences, context)


def constrained(
    decoder: LatticeDecoder, fitted: FittedHints, sentences: list[list[str]], context: WordContexts
) -> PreparedLattice:
    """The tuning sentences, with the rules that meet the constraints."""
    flags, at = [], 0
    for words in (split_at_spaces(" ".join(s)) for s in sentences):
        mine = slice(at, at + len(words.words))
        flags.append(protected(words, PROTECTED_KINDS, decoder.are_names(words.words), context.name[mine]))
        at = mine.stop
    keep = decoder.fitting(fitted.lattice, flags, context)
    hints = replace(
        fitted.hints, add=fitted.hints.add[keep], gains=fitted.hints.gains[keep], risk=context.name
    )
    return decoder.with_hints(fitted.lattice.take(keep), hints)


@dataclass(frozen=True)
class Requirements:
    """Requirements on weights in addition to their objective, on the tuning sentences."""

    kept: float  # percentage of outputs in which facts survive
    give: float  # largest loss in SARI, in points
    bleu: float | None  # none: no lower than as tuned


def cautious(
    decoder: LatticeDecoder,
    prepared: PreparedLattice,
    corpus: pm.Corpus,
    cased: list[str],
    weights: dict[str, float],
    requirements: Requirements,
) -> dict[str, float]:
    """The weights with a higher cost for touching possible names, and a higher or lower cost for all rewrites, as required."""

    def measure(changed: dict[str, float]) -> tuple[float, float, float]:
        words = prepared.decode(changed, threads=2).words()
        outputs = [" ".join(w) for w in words]
        scored = corpus.with_outputs(outputs)
        sari, bleu = (pm.metric(OBJECTIVES[m]).score(scored).value for m in ("sari", "bleu"))
        rows = zip(corpus.sources or [], cased, outputs, strict=True)
        return sari, bleu, 100 * float(np.mean([not lost(*row) for row in rows]))

    sari, bleu, survival = measure(weights)
    say(f"as tuned: SARI {sari:.2f}, BLEU {bleu:.2f}, kept {survival:.2f} on tune")
    least, least_bleu = sari - requirements.give, bleu if requirements.bleu is None else requirements.bleu
    best_weights, best = weights, (survival >= requirements.kept, 0.0)
    for risk in (40.0, 80.0, 160.0, 320.0, 640.0, 1280.0):
        for cost in np.arange(2.0, -5.0, -1.0):
            changed = weights | {"Rewrites": weights["Rewrites"] - float(cost), "NameRisk": -risk}
            sari, bleu, survival = measure(changed)
            say(
                f"risk {risk:.0f}, cost {cost:.0f}: SARI {sari:.2f}, BLEU {bleu:.2f}, kept {survival:.2f} on tune"
            )
            if bleu < least_bleu:
                break  # and cheaper rewrites lower it further
            merit = (survival >= requirements.kept, sari if survival >= requirements.kept else survival)
            if sari >= least and merit > best:
                # If capitals show what is a name, the cost of a rewrite stays as tuned.
                best_weights, best = weights | {"Guessed": -float(cost), "NameRisk": -risk}, merit
    return best_weights


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--model", choices=("full", "default"), default="full")
    parser.add_argument(
        "--reread",
        type=Path,
        help="keep the rules, networks and weights of this model (one without rules of the tuning sentences) and fit "
        "only how it reads words in context and how cautious it is",
    )
    parser.add_argument("--rules", choices=("all", "ppdb"), default="all")
    parser.add_argument("--vectors", type=Path, help="word vectors to use, or to compute and keep there")
    parser.add_argument("--lm", type=Path, help="a language model to use, or to train and keep there")
    parser.add_argument(
        "--objectives", default="sari", help="several tune several sets of weights; the first is kept"
    )
    parser.add_argument("--members", type=int, default=2, help="networks that give hints together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=TuningSettings.rounds)
    parser.add_argument(
        "--least-bleu",
        type=float,
        help="be so cautious that BLEU on tune is this (without it: what it is as tuned)",
    )
    parser.add_argument(
        "--kept",
        type=float,
        default=99.5,
        help="be so cautious that facts survive in this per cent of outputs on tune (0: as tuned)",
    )
    parser.add_argument(
        "--give", type=float, default=0.2, help="points of SARI on tune that caution may cost"
    )
    parser.add_argument("--test", action="store_true", help="score the test sets at the end")
    options = parser.parse_args()
    data = Data(options.data)
    if options.reread:
        reread(data, options)
        return
    model = language_model(data, options.model, options.lm)
    say(model)
    sentences, references = data.turkcorpus("tune")
    asset = data.asset() if options.model == "full" else None
    swipe = data.swipe()
    rules, drops = [data.ppdb()], []
    sets = {"swipe": swipe}
    if options.model == "full":
        sets |= {"turk": (sentences, references), "asset": (sentences, asset)}
    for name, pairs in sets.items():
        drops.append(from_extracted(name, extract_drops(*pairs)))
        if options.rules == "all":
            rules.append(from_extracted(name, extract(*pairs)))
    if options.rules == "all" and options.model == "full":
        rules.append(wordnet_rules(sorted({f[0] for f, _ in rules[0].pairs if len(f) == 1})))
    say({r.origin: len(r.pairs) for r in rules})
    decoder = build_decoder(
        rules,
        drops,
        model,
        ratings=data.ratings(),
        names=data.names(),
        antonyms=data.antonyms(),
        vectors=word_vectors(rules, model, options.vectors),
        most=15 if options.model == "full" else 8,
    )
    say(len(decoder.table), "rules meet the constraints")
    decoder, _, fitted = fit(
        decoder, sentences, references, asset, seed=options.seed, members=options.members, progress=say
    )
    say("cross-entropy", {k: round(v, 4) for k, v in fitted.held_out_loss.items()})
    cased = data.lines("asset/asset.valid.orig")
    prepared = read(data, decoder, fitted, sentences, cased, options.seed)
    corpus = tuning_corpus(sentences, references)
    tuned: dict[str, Tuned] = {}
    for name in options.objectives.split(","):
        settings = TuningSettings(rounds=options.rounds, seed=options.seed, threads=options.threads)
        tuned[name] = tune(
            decoder,
            prepared,
            corpus,
            pm.metric(OBJECTIVES[name]),
            settings,
            progress=lambda r, name=name: say(
                f"{name} round {r.number}: train {r.train:.2f}, held out {r.held_out:.2f}, unchanged {r.unchanged:.2f}"
            ),
        )
    first = next(iter(tuned.values()))
    weights = first.weights
    if options.kept:
        requirements = Requirements(options.kept, options.give, options.least_bleu)
        weights = cautious(decoder, prepared, corpus, cased, weights, requirements)
    about = {
        "objective": next(iter(tuned)),
        "seed": options.seed,
        "held out": round(first.rounds[first.best].held_out, 2),
        "rules": {r.origin: len(r.pairs) for r in rules},
    }
    simplifier = Simplifier(decoder, weights, name=str(options.output), about=about)
    simplifier.save(
        options.output, f"# A simplifier\n\nBuilt by scripts/train_simplifier.py: {json.dumps(about)}.\n"
    )
    for name, tuning in tuned.items():
        (options.output / f"weights.{name}.json").write_text(
            json.dumps(tuning.weights, indent=1) + "\n", "utf-8"
        )
    say("written to", options.output)
    if options.test:
        test(data, simplifier, "as written")
        for name, tuning in tuned.items():
            test(data, Simplifier(decoder, tuning.weights), f"tuned to {name}")


def reread(data: Data, options: argparse.Namespace) -> None:
    simplifier = pm.load_simplifier(options.reread)
    decoder = simplifier.decoder
    if {"turk", "asset"} & {*decoder.table.sets, *decoder.hint_networks.drops.sets}:
        raise SystemExit(f"{options.reread}: has rules of the tuning sentences; rebuild it.")
    sentences, references = data.turkcorpus("tune")
    cased = data.lines("asset/asset.valid.orig")
    lattice = decoder.lattice(sentences)
    hints = predict_hints(
        decoder.hint_networks, lattice, decoder.table, decoder.facts(lattice), decoder.model
    )
    prepared = read(
        data, decoder, FittedHints(decoder.hint_networks, lattice, hints, {}), sentences, cased, options.seed
    )
    requirements = Requirements(options.kept, options.give, options.least_bleu)
    weights = cautious(
        decoder, prepared, tuning_corpus(sentences, references), cased, simplifier.weights, requirements
    )
    simplifier = Simplifier(decoder, weights, simplifier.protect, str(options.output), simplifier.about)
    simplifier.save(options.output, (options.reread / "README.md").read_text("utf-8"))
    say("written to", options.output)
    if options.test:
        test(data, simplifier, "as written")


def test(data: Data, simplifier: Simplifier, name: str) -> None:
    sentences, references = data.turkcorpus("test")
    corpus = tuning_corpus(sentences, references)
    began = time.perf_counter()
    outputs = [s.output for s in simplifier.simplify(corpus.sources or [], tokenized=True)]
    seconds = time.perf_counter() - began
    scored = corpus.with_outputs(outputs)
    sari, bleu = (pm.metric(OBJECTIVES[m]).score(scored) for m in ("sari", "bleu"))
    same = int(np.sum([a == b for a, b in zip(outputs, corpus.sources or [], strict=True)]))
    say(
        f"TurkCorpus test, {name}: SARI {sari.value:.2f} {sari.parts}, BLEU {bleu.value:.2f}, unchanged {same}"
    )
    say(f"{len(outputs) / seconds:.0f} sentences/s")


if __name__ == "__main__":
    main()
