"""plainmark beside its peers: CPU time on the same texts, in one run, in one thread.

    python benchmarks/peers.py [--data FOLDER] [--copies 100] [--only sari,bleu]

The texts are ASSET's test set (359 sentences, 10 references) and the output of ACCESS, `--copies` times, each copy
made distinct so that no cache can answer. Times of a busy machine mean little; the ratios in one run do.
"""

from __future__ import annotations

import argparse
import datetime
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

import plainmark as pm  # noqa: E402
from plainmark import significance  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def lines(path):
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def distinct(texts, copy):
    """The same texts with one more token, other for each copy and text, at a place of its own."""
    out = []
    for i, text in enumerate(texts):
        words = text.split()
        words.insert(random.Random(i).randint(0, len(words)), f"x{copy}x{i}")
        out.append(" ".join(words))
    return out


def corpus(data, copies):
    sources = lines(data / "asset/asset.test.orig")
    outputs = lines(data / "outputs/ACCESS")
    references = [lines(data / f"asset/asset.test.simp.{i}") for i in range(10)]
    many = lambda texts: [t for c in range(copies) for t in (distinct(texts, c) if copies > 1 else texts)]  # noqa: E731
    return pm.Corpus(many(sources), many(outputs), list(zip(*map(many, references), strict=True)))


def cpu(work, prepare=lambda: None):
    """CPU seconds of the work and what it gave; short work is repeated and the best time counts, for both sides alike."""
    best, spent = float("inf"), 0.0
    while spent < 0.3:
        ready = prepare()
        start = time.process_time()
        result = work() if ready is None else work(ready)
        took = time.process_time() - start
        best, spent = min(best, took), spent + max(took, 0.01)
    return best, result


def counter_sari(corpus):
    """SARI as most programs have it: Counters of joined n-grams after sacreBLEU's tokeniser."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()

    def grams(text):
        words = tokenize(text.lower()).split()
        return [Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1)) for n in range(1, 5)]

    total = np.zeros((4, 9))
    for sample in corpus:
        source, output = grams(sample.source), grams(sample.output)
        references = [grams(r) for r in sample.references]
        k = len(references)
        for n in range(4):
            r = sum((g[n] for g in references), Counter())
            s = Counter({g: c * k for g, c in source[n].items()})
            o = Counter({g: c * k for g, c in output[n].items()})
            added = set(o) - set(s)
            kept, deleted = s & o, s - o
            kept_r, deleted_r = s & r, s - r
            total[n] += [
                len(added & set(r)), len(added), len(set(r) - set(s)),
                sum((kept & kept_r).values()), sum(kept.values()), sum(kept_r.values()),
                sum((deleted & deleted_r).values()), sum(deleted.values()), sum(deleted_r.values()),
            ]  # fmt: skip
    good, p, r = total[:, 0::3], total[:, 1::3], total[:, 2::3]
    return 100 * (2 * good / np.maximum(p + r, 1)).mean()


def bench_sari(data, copies):
    whole = corpus(data, copies)
    metric = pm.metric("sari")
    ours, score = cpu(lambda c: metric.score(c), lambda: corpus_like(whole))
    metric.score(whole)
    second = distinct(whole.outputs, -1)
    again, _ = cpu(lambda c: metric.score(c), lambda: whole.with_outputs(second))
    theirs, other = cpu(lambda: counter_sari(whole))
    assert abs(score.value - other) < 1e-6, (score.value, other)
    name = f"SARI, {len(whole):,} x 10 references"
    yield name, "Counter program, sacreBLEU tokeniser", ours, theirs
    yield f"{name}, a second system", "the first system", again, ours


def bench_bleu(data, copies):
    import sacrebleu
    from sacrebleu.significance import _bootstrap_resample

    copies = max(copies // 10, 1)
    whole = corpus(data, copies)
    references = list(map(list, zip(*whole.references, strict=True)))
    for name, ours_name, theirs_metric in (
        ("BLEU", "bleu", sacrebleu.BLEU()),
        ("chrF", "chrf", sacrebleu.CHRF()),
    ):
        ours, score = cpu(lambda c, n=ours_name: pm.metric(n).score(c), lambda: corpus_like(whole))
        theirs, other = cpu(lambda m=theirs_metric: m.corpus_score(whole.outputs, references))
        assert abs(score.value - other.score) < 1e-6
        yield f"{name}, {len(whole):,} x 10 references", "sacreBLEU", ours, theirs
    small = whole[:359]
    references = list(map(list, zip(*small.references, strict=True)))
    ours, score = cpu(lambda c: pm.metric("ter").score(c), lambda: corpus_like(small))
    theirs, other = cpu(lambda: sacrebleu.TER().corpus_score(small.outputs, references))
    assert abs(score.value - other.score) < 1e-6
    yield "TER, 359 x 10 references", "sacreBLEU", ours, theirs

    metric = pm.metric("bleu")
    stats = metric.stats(small)
    ours, _ = cpu(
        lambda: significance.bootstrap(metric, [stats], resamples=1000, rng=np.random.default_rng(0))
    )
    peer = sacrebleu.BLEU()
    their_stats = peer._extract_corpus_statistics(small.outputs, references)
    theirs, _ = cpu(lambda: _bootstrap_resample(their_stats, peer, 1000))
    yield "1,000 bootstrap resamples of BLEU, 359 samples", "sacreBLEU", ours, theirs


def corpus_like(whole):
    """The same texts without anything remembered."""
    return pm.Corpus(whole.sources, whole.outputs, whole.references)


def bench_rouge(data, copies):
    from rouge_score.rouge_scorer import RougeScorer

    whole = corpus(data, 1)
    for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        for stemmer in (False, True):
            scorer = RougeScorer([kind], use_stemmer=stemmer)
            metric = pm.metric(f"rouge(kind='{kind.removeprefix('rouge')}', stemmer={stemmer})")
            ours, values = cpu(lambda c, m=metric: m.sample_scores(c), lambda: corpus_like(whole))
            theirs, other = cpu(
                lambda s=scorer, k=kind: [
                    max(s.score(r, x.output)[k].fmeasure for r in x.references) for x in whole
                ]
            )
            assert np.abs(values - 100 * np.array(other)).max() < 1e-6
            yield (
                f"{kind}{' with stemmer' if stemmer else ''}, 359 x 10 references",
                "rouge-score",
                ours,
                theirs,
            )


def bench_fkgl(data, copies):
    import textstat

    whole = corpus(data, copies)
    [textstat.flesch_kincaid_grade(t) for t in whole.outputs[:100]]
    pm.metric("fkgl").score(whole[:10])
    theirs, _ = cpu(lambda: [textstat.flesch_kincaid_grade(t) for t in whole.outputs])
    ours, _ = cpu(lambda c: pm.metric("fkgl").sample_scores(c), lambda: corpus_like(whole))
    yield f"FKGL, {len(whole):,} texts", "textstat, warm", ours, theirs
    pm.metric("fkgl(variant='textstat')").score(whole[:10])
    ours, _ = cpu(
        lambda c: pm.metric("fkgl(variant='textstat')").sample_scores(c), lambda: corpus_like(whole)
    )
    yield f"FKGL (variant textstat), {len(whole):,} texts", "textstat, warm", ours, theirs


def report_startup(data):
    command = [sys.executable, "-c", "import plainmark"]
    bare = min(wall([sys.executable, "-c", "import numpy"]) for _ in range(5))
    whole = min(wall(command) for _ in range(5))
    print(f"import plainmark: {whole:.2f} s wall, of which Python and numpy {bare:.2f} s")
    inputs = ["-s", str(data / "asset/asset.test.orig")]
    for i in range(10):
        inputs += ["-r", str(data / f"asset/asset.test.simp.{i}")]
    score = [sys.executable, "-m", "plainmark", "score", str(data / "outputs/ACCESS"), *inputs, "-m", "sari"]
    print(f"plainmark score, one ASSET system, SARI: {min(wall(score) for _ in range(5)):.2f} s wall")


def wall(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def report_stream(data, samples):
    """Peak memory and time of a long stream."""
    sources, outputs = lines(data / "asset/asset.test.orig"), lines(data / "outputs/ACCESS")
    references = [lines(data / f"asset/asset.test.simp.{i}") for i in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in {"s": sources, "o": outputs, "r0": references[0], "r1": references[1]}.items():
            with (Path(folder) / name).open("w", encoding="utf-8") as file:
                for i in range(samples):
                    file.write(f"{texts[i % len(texts)]} x{i}\n")
        # The peak is read inside the child: what getrusage says of children counts this process's own pages.
        code = (
            "import sys; from plainmark.cli import main; code = main(sys.argv[1:]);"
            "print([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1]); sys.exit(code)"
        )
        command = [sys.executable, "-c", code, "score", "o", "-s", "s", "-r", "r0", "-r", "r1", "-q"]
        start = time.perf_counter()
        done = subprocess.run(command, check=True, cwd=folder, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        peak = int(done.stdout.split()[-1]) / 1024
    print(
        f"SARI of {samples:,} samples x 2 references, streamed: {seconds:.1f} s wall, peak memory {peak:.0f} MB"
    )


BENCHES = {"sari": bench_sari, "bleu": bench_bleu, "rouge": bench_rouge, "fkgl": bench_fkgl}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared/data", help="folder with asset/ and outputs/"
    )
    parser.add_argument("--copies", type=int, default=100, help="how many times 359 sentences")
    parser.add_argument(
        "--only", default=",".join([*BENCHES, "startup", "stream"]), help="a list of " + ", ".join(BENCHES)
    )
    parser.add_argument("--samples", type=int, default=1_000_000, help="samples of the stream")
    options = parser.parse_args()
    chosen = options.only.split(",")
    print(f"Measured {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}, one thread, CPU seconds.\n")
    print("| what | beside | plainmark | peer | ratio |\n|---|---|---:|---:|---:|")
    for name in chosen:
        for what, peer, ours, theirs in BENCHES.get(name, lambda *_: ())(options.data, options.copies):
            print(f"| {what} | {peer} | {ours:.3f} | {theirs:.3f} | {theirs / ours:.0f}x |", flush=True)
    print()
    if "startup" in chosen:
        report_startup(options.data)
    if "stream" in chosen:
        report_stream(options.data, options.samples)


if __name__ == "__main__":
    main()
