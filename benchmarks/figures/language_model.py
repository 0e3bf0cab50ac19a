"""How fast language models are trained: modified Kneser-Ney, order 4."""

from __future__ import annotations

import time
from collections.abc import Iterator

from plainmark.files import open_text
from plainmark.lm import LanguageModel

from ..measuring import Figure
from ..texts import Texts


def figures(texts: Texts) -> Iterator[Figure]:
    """CPU time."""
    news = texts.data / "lm-text" / "wikinews.txt.xz"
    if news.exists() and texts.scale >= 1:
        with open_text(str(news)) as lines:
            sentences = list(lines)
    else:
        sentences = [t for row in texts.corpus(3590).references for t in row]
    words = sum(len(s.split()) for s in sentences)
    start = time.process_time()
    LanguageModel.train(sentences, order=4)
    taken = time.process_time() - start
    yield Figure(
        "Language model trained", words / taken, "words per s of CPU", 0, f"{words:,} words, order 4"
    )
