"""Writes src/plainmark/languages/detector.npz: probabilities of character n-grams in each language.

    pip install wordfreq==3.1.1
    python scripts/make_language_detector.py

The n-grams of the 30,000 most frequent words of each language in wordfreq (CC BY-SA 4.0), weighted by their frequencies to
the power of 0.75, so that short words do not dominate, hashed into buckets. One byte holds a log-probability.
"""

import numpy as np
from wordfreq import get_frequency_dict

from plainmark.languages import detection

WORDS = 30_000
SMOOTHING = 2e-7  # share of the probability mass for each bucket
STEP = 0.07  # step of the log-probability, per unit of a byte
# Code in plainmark, and in wordfreq; Serbian in Cyrillic is not distinguished.
LISTS = {code: code for code in (
    "ar bg ca cs da de en es fa fi fr hu is it lt lv mk nb nl pl pt ro ru sk sl sv tr uk ur vi".split()
)} | {"hr": "sh", "id": "id", "tl": "fil"}  # fmt: skip


def probabilities(code):
    """The probability of each bucket in a language."""
    frequencies = sorted(get_frequency_dict(code).items(), key=lambda item: (-item[1], item[0]))
    counts = np.zeros(detection.BUCKETS)
    for word, frequency in frequencies[:WORDS]:
        for part in detection._WORD.findall(word):
            for bucket in detection.grams(part):
                counts[bucket] += frequency**0.75
    counts /= counts.sum()
    smoothed = counts + SMOOTHING
    return smoothed / smoothed.sum()


if __name__ == "__main__":
    codes = sorted(LISTS)
    table = -np.log(np.stack([probabilities(LISTS[code]) for code in codes], axis=1)) / STEP
    small = np.clip(np.rint(table), 0, 255).astype(np.uint8)
    np.savez_compressed(detection._FILE, codes=np.array(codes), table=small, step=np.float64(STEP))
    print(f"{len(codes)} languages, {detection._FILE.stat().st_size:,} bytes, largest {table.max():.0f}")
