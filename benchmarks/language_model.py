"""Language models: time to train, look-ups per second beside KenLM, and what pruning costs.

    python benchmarks/language_model.py [--data FOLDER] [--order 4] [--sizes 500000,1000000,2000000]

Trains on FOLDER/lm-text, looks up TurkCorpus' tuning sources over and over; KenLM (`pip install kenlm`) reads the ARPA
file that we write, and must give the same numbers. Times of a busy machine mean little; the ratios in one run do.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402

from plainmark.reading import open_text  # noqa: E402
from plainmark.smt import kneser_ney  # noqa: E402
from plainmark.smt.language_model import LanguageModel  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def sentences(folder, names):
    for name in names:
        with open_text(str(folder / f"{name}.txt.xz")) as lines:
            yield from lines


def cpu(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def beside_kenlm(model, texts, arpa):
    try:
        import kenlm
    except ImportError:
        print("KenLM is not installed; no comparison (pip install kenlm)")
        return
    peer = kenlm.Model(str(arpa))
    words = sum(len(t.split()) + 1 for t in texts)
    theirs, expected = cpu(lambda: [peer.score(t) for t in texts])
    ours, found = cpu(lambda: model.score(texts))
    apart = float(np.abs(found - expected).max())
    assert apart < 1e-3, apart
    print(
        f"look-ups: {words / ours / 1e6:.2f} M/s, KenLM {words / theirs / 1e6:.2f} M/s, ratio {theirs / ours:.2f}"
    )
    print(f"largest difference of a sentence's log10 P: {apart:.1e}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--sizes", default="500000,1000000,2000000,4000000")
    parser.add_argument("--kenlm", action="store_true", help="write the ARPA file and compare with KenLM")
    options = parser.parse_args()
    folder = options.data / "lm-text"
    test = (options.data / "turkcorpus" / "test.8turkers.tok.norm").read_text("utf-8").lower().splitlines()
    tune = (options.data / "turkcorpus" / "tune.8turkers.tok.norm").read_text("utf-8").lower().splitlines()
    everything = ("amalgum", "wikinews", "brown")
    took, tables = cpu(lambda: kneser_ney.train(sentences(folder, everything), order=options.order))
    model = LanguageModel.of(tables)
    tokens = 8_500_061
    print(f"order {options.order}: trained on {tokens:,} words in {took:.1f} CPU s, n-grams {tables.counts}")
    print(f"test sources: {model.perplexity(test)}")
    if options.kenlm:
        with tempfile.TemporaryDirectory() as scratch:
            model.save(Path(scratch) / "m.arpa")
            beside_kenlm(model, tune * 10, Path(scratch) / "m.arpa")
    del tables, model
    for size in map(int, options.sizes.split(",")) if options.sizes else ():
        # What may be shipped: not Brown.
        small = LanguageModel.train(
            sentences(folder, everything[:2]), order=options.order, min_count=2, ngrams=size, bits=8
        )
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "m.lm.xz"
            small.save(path)
            megabytes = path.stat().st_size / 1e6
            took, _ = cpu(lambda p=path: LanguageModel.load(p))
        print(f"{size:,} n-grams: {megabytes:.2f} MB, loads in {took:.2f} CPU s, {small.perplexity(test)}")


if __name__ == "__main__":
    main()
