"""Language models: the time of training, and the cost of pruning.

    python -m benchmarks language_model [--data FOLDER] [--order 4] [--sizes 500000,1000000,2000000]

Trains on FOLDER/lm-text. `make bench` compares look-ups with KenLM's.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from plainmark.files import open_text
from plainmark.lm import LanguageModel, kneser_ney

from ..texts import DATA


def sentences(folder, names):
    for name in names:
        with open_text(str(folder / f"{name}.txt.xz")) as lines:
            yield from lines


def cpu(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks language_model",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--order", type=int, default=4)
    parser.add_argument("--sizes", default="500000,1000000,2000000,4000000")
    options = parser.parse_args(arguments)
    folder = options.data / "lm-text"
    test = (options.data / "turkcorpus" / "test.8turkers.tok.norm").read_text("utf-8").lower().splitlines()
    everything = ("amalgum", "wikinews", "brown")
    took, tables = cpu(lambda: kneser_ney.train(sentences(folder, everything), order=options.order))
    model = LanguageModel.of(tables)
    tokens = sum(len(line.split()) for line in sentences(folder, everything))
    print(f"order {options.order}: trained on {tokens:,} words in {took:.1f} CPU s, n-grams {tables.counts}")
    print(f"test sources: {model.perplexity(test)}")
    del tables, model
    for size in map(int, options.sizes.split(",")) if options.sizes else ():
        # Texts that may be distributed, which excludes Brown.
        small = LanguageModel.train(
            sentences(folder, everything[:2]), order=options.order, min_count=2, ngrams=size, bits=8
        )
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "m.lm.xz"
            small.save(path)
            megabytes = path.stat().st_size / 1e6
            took, _ = cpu(lambda p=path: LanguageModel.load(p))
        print(f"{size:,} n-grams: {megabytes:.2f} MB, loads in {took:.2f} CPU s, {small.perplexity(test)}")
