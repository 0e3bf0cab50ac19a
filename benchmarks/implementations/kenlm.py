"""Sentence probabilities of a language model that plainmark trained, from the ARPA file that KenLM also reads."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import kenlm

from plainmark.lm import LanguageModel

from ..measuring import Case
from ..texts import Texts


def cases(texts: Texts) -> Iterator[Case]:
    """Look-ups."""
    corpus = texts.corpus(3590)
    model = LanguageModel.train((t.lower() for row in corpus.references for t in row), order=4)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.arpa"
        model.save(path)
        quiet = kenlm.Config()
        quiet.show_progress, quiet.arpa_complain = False, kenlm.ARPALoadComplain.NONE
        reference = kenlm.Model(str(path), quiet)
    sentences = [text.lower() for text in corpus.sources]
    words = sum(len(text.split()) + 1 for text in sentences)
    yield Case(
        "Language model of order 4",
        f"{words:,} look-ups",
        "KenLM",
        "kenlm",
        lambda: lambda: model.score(sentences),
        lambda: lambda: [reference.score(text) for text in sentences],
        1e-3,  # of log10 P; both keep single precision
    )
