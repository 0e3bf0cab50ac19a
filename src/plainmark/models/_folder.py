"""The contents of a model folder besides weights: JSON settings and a tokeniser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import InputError, MissingResourceError
from ._torch import fast_tokenizer


def load_tokenizer(folder: Path) -> Any:
    """The tokeniser of a folder, without padding and truncation."""
    try:
        import tokenizers
    except ImportError:
        raise MissingResourceError(
            "learned models need the package tokenizers; install it with pip install 'plainmark[models]'."
        ) from None
    if (folder / "tokenizer.json").is_file():
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    elif (folder / "vocab.txt").is_file():
        settings = read_json(folder / "tokenizer_config.json")
        tokenizer = tokenizers.BertWordPieceTokenizer(
            str(folder / "vocab.txt"),
            lowercase=settings.get("do_lower_case", True),
            strip_accents=settings.get("strip_accents"),
        )
    else:
        tokenizer = fast_tokenizer(folder)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def read_json(path: Path, *, required: bool = False) -> dict[str, Any]:
    """A JSON object from a file; empty if the file is missing and not required."""
    if not path.is_file():
        if required:
            raise InputError(
                f"{path.parent}: no {path.name}; expected a model folder with config.json, model.safetensors and "
                "tokenizer.json, as save_pretrained writes it."
            )
        return {}
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError:
        raise InputError(f"{path}: is not JSON.") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: expected an object, found {type(content).__name__}.")
    return content
