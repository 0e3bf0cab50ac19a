"""Build the simplifiers: `full` from data of your own machine, or the `default` that comes with plainmark.

    python scripts/train_simplifier.py DATA --output models/simplifier [--model full|default] [--rules ppdb|all]

DATA holds turkcorpus/, asset/, swipe/, ppdb/, lexicons/ and lm-text/. Weights are chosen on a held-out fifth of
TurkCorpus tune by cross-fitting; the test sets are read only by --test.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from pathlib import Path

import numpy as np

import plainmark as pm
from plainmark import models
from plainmark.smt.building import Ratings, build_decoder, fit, tuning_corpus
from plainmark.smt.decoder import Decoder, Prepared
from plainmark.smt.extraction import extract, extract_drops
from plainmark.smt.features import Vectors
from plainmark.smt.language_model import LanguageModel
from plainmark.smt.model import Simplifier
from plainmark.smt.rule_building import RuleSource
from plainmark.smt.rule_sources import from_extracted, read_rule_file, wordnet_rules
from plainmark.smt.surface import split
from plainmark.smt.tuning import Settings, Tuned, tune

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
    """What is read from the folder, in words between spaces."""

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
                if kind != "aligned":  # parts of sentences leave strange phrases between shared words
                    continue
                sources.append(list(split(page["complex"][a]).words))
                references.append([list(split(page["simple"][b]).words)])
        return sources, references

    def names(self) -> list[str]:
        """Words that SWiPE's texts write with a capital in the middle of a sentence, and hardly ever without."""
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

    def ratings(self) -> Ratings:
        rows = [line.split("\t") for line in self.lines("lexicons/lexicon.tsv")]
        return Ratings([w for w, _ in rows], [float(v) for _, v in rows])

    def text(self, *names: str) -> list[str]:
        out: list[str] = []
        for name in names:
            with lzma.open(self.folder / "lm-text" / f"{name}.txt.xz", "rt", encoding="utf-8") as file:
                out += [line.strip() for line in file]
        return out


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


def word_vectors(rules: list[RuleSource], model: LanguageModel, cached: Path | None) -> Vectors:
    """Vectors of the words of rules of single words that the language model knows, by the embedded encoder."""
    if cached is None or not cached.exists():
        pairs = [p for r in rules for p in r.pairs if len(p[0]) == len(p[1]) == 1]
        words = sorted({w for f, e in pairs for w in (*f, *e) if w[:1].isalpha()}, key=lambda w: (len(w), w))
        words = [w for w, number in zip(words, model.ids(words), strict=True) if number]
        say("encoding", len(words), "words")
        encoder = models.encoder("minilm")
        blocks = [encoder.sentence_vectors(words[k : k + 2048]) for k in range(0, len(words), 2048)]
        values = np.concatenate(blocks).astype(np.float16)
        if cached is None:
            return Vectors({w: k for k, w in enumerate(words)}, values)
        np.savez(cached, words=np.array(words), vectors=values)
    with np.load(cached) as held:
        return Vectors({str(w): k for k, w in enumerate(held["words"])}, held["vectors"])


def cautious(
    decoder: Decoder, prepared: Prepared, corpus: pm.Corpus, weights: dict[str, float], least: float
) -> dict[str, float]:
    """The weights with every rewrite made dearer until BLEU on the sentences that were tuned on is as high as asked for."""
    for cost in np.arange(0.0, 8.0, 0.1):
        changed = weights | {"Rewrites": weights["Rewrites"] - float(cost)}
        words = decoder.decode(prepared, changed, threads=2).words()
        scored = corpus.with_outputs([" ".join(w) for w in words])
        sari, bleu = (pm.metric(OBJECTIVES[m]).score(scored).value for m in ("sari", "bleu"))
        if bleu >= least:
            say(f"a rewrite costs {cost:.1f} more: SARI {sari:.2f}, BLEU {bleu:.2f} on tune")
            return changed
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--model", choices=("full", "default"), default="full")
    parser.add_argument("--rules", choices=("all", "ppdb"), default="all")
    parser.add_argument("--vectors", type=Path, help="word vectors to use, or to compute and keep there")
    parser.add_argument("--lm", type=Path, help="a language model to use, or to train and keep there")
    parser.add_argument(
        "--objectives", default="sari", help="several tune several sets of weights; the first is kept"
    )
    parser.add_argument("--members", type=int, default=2, help="networks that give advice together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=Settings.rounds)
    parser.add_argument(
        "--least-bleu", type=float, default=0.0, help="be so cautious that BLEU on tune is this"
    )
    parser.add_argument("--test", action="store_true", help="score the test sets at the end")
    options = parser.parse_args()
    data = Data(options.data)
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
    say(len(decoder.table), "rules pass the guards")
    decoder, prepared, fitted = fit(
        decoder, sentences, references, asset, seed=options.seed, members=options.members, progress=say
    )
    say("cross-entropy", {k: round(v, 4) for k, v in fitted.held_out_loss.items()})
    corpus = tuning_corpus(sentences, references)
    tuned: dict[str, Tuned] = {}
    for name in options.objectives.split(","):
        settings = Settings(rounds=options.rounds, seed=options.seed, threads=options.threads)
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
    if options.least_bleu:
        weights = cautious(decoder, prepared, corpus, weights, options.least_bleu)
    about = {
        "objective": next(iter(tuned)),
        "seed": options.seed,
        "held out": round(first.rounds[first.best].held_out, 2),
        "rules": {r.origin: len(r.pairs) for r in rules},
    }
    for name, found in tuned.items():
        made = Simplifier(decoder, found.weights, name=str(options.output), about=about)
        if options.test:
            test(data, made, name)
    made = Simplifier(decoder, weights, name=str(options.output), about=about)
    made.save(
        options.output, f"# A simplifier\n\nBuilt by scripts/train_simplifier.py: {json.dumps(about)}.\n"
    )
    for name, found in tuned.items():
        (options.output / f"weights.{name}.json").write_text(
            json.dumps(found.weights, indent=1) + "\n", "utf-8"
        )
    say("written to", options.output)


def test(data: Data, made: Simplifier, name: str) -> None:
    sentences, references = data.turkcorpus("test")
    corpus = tuning_corpus(sentences, references)
    began = time.perf_counter()
    outputs = [s.output for s in made.simplify(corpus.sources or [], tokenized=True)]
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
