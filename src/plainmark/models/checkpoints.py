"""Published checkpoints of learned metrics: located on this machine, never downloaded, and read without unpickling code.

A checkpoint is a folder, or a name on the hub that is already in the hub's cache.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from .. import identity
from ..errors import InputError, MissingResourceError
from ..options import Content
from ._batches import Floats32, Ints
from ._batches import run as run_batches
from ._torch import INSTALL, libraries

# Tokens that a model processes at a time.
_BATCH_TOKENS = 4096


def missing(option: str, name: str, *, hint: str = "") -> str:
    """What a metric lacks if its option names a missing checkpoint ("needs ..."); empty if it can be loaded."""
    absent = [p for p in ("torch", "transformers") if importlib.util.find_spec(p) is None]
    if absent:
        return f"needs {' and '.join(absent)}; {INSTALL}"
    if locate(name) is None:
        get = f"`hf download {name}` gets it, or " if _is_hub_name(name) else ""
        return f"needs the checkpoint {option}={name!r}, which is not on this machine; {get}name its folder{hint}"
    return ""


def locate(name: str) -> Path | None:
    """The folder of a checkpoint (or the file, if it is one), or None; the network is not used."""
    if name and Path(name).exists():
        return Path(name)
    if not _is_hub_name(name) or importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        return None


def digest(name: str) -> str:
    """The digest of a checkpoint's files; empty if it is not on this machine."""
    place = locate(name)
    return "" if place is None else identity.digest(place)


CHECKPOINT = Content(digest)  # marks options that name one


def find(option: str, name: str) -> Path:
    """The folder of a checkpoint, or MissingResourceError."""
    if reason := missing(option, name):
        raise MissingResourceError(reason)
    folder = locate(name)
    assert folder is not None
    return folder


def load_base(folder: Path) -> tuple[Any, Any]:
    """Settings and tokeniser of a model whose weights come from elsewhere."""
    _, transformers = libraries(f"{folder}")
    try:
        config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
        return config, transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError) as problem:
        first = str(problem).strip().split("\n")[0][:200]
        raise InputError(
            f"{folder}: transformers cannot read its settings or tokeniser ({first}); expected config.json and a "
            "tokeniser, as save_pretrained writes them."
        ) from None


def load(folder: Path, kind: str, *, tokenizer_options: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
    """A model of transformers (kind: the Auto class) with its tokeniser, ready to run."""
    torch, transformers = libraries(f"{folder}")
    options = {"local_files_only": True, "dtype": torch.float32}
    try:
        model = getattr(transformers, kind).from_pretrained(str(folder), **options).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, **(tokenizer_options or {})
        )
    except (OSError, ValueError) as problem:
        first = str(problem).strip().split("\n")[0][:200]
        raise InputError(
            f"{folder}: transformers cannot load it as {kind} ({first}); "
            "expected config.json, weights and a tokeniser, as save_pretrained writes them."
        ) from None
    return model, tokenizer


def read_weights(path: Path, file: IO[bytes] | None = None) -> dict[str, Any]:
    """The named tensors of a .safetensors, .ckpt or .bin file (or of an open one); nothing else is read."""
    torch, _ = libraries(f"{path}")
    if file is None and path.suffix == ".safetensors":
        from safetensors.torch import load_file

        tensors: dict[str, Any] = load_file(path)
        return tensors
    try:
        # Only tensors and plain values are unpickled; a file with anything else is rejected.
        content = torch.load(path if file is None else file, map_location="cpu", weights_only=True)
    except OSError:
        raise InputError(f"{path}: no such file; expected the checkpoint as it was published.") from None
    except Exception as problem:  # the errors of pickle, zip and torch have no common base
        raise InputError(
            f"{path}: cannot be read without running code from it ({type(problem).__name__}); "
            "save its tensors with safetensors.torch.save_file as model.safetensors beside it."
        ) from None
    for wrapper in ("state_dict", "model_state_dict"):
        if isinstance(content, dict) and isinstance(content.get(wrapper), dict):
            content = content[wrapper]
    if not isinstance(content, dict):
        raise InputError(f"{path}: found {type(content).__name__}, expected tensors by their names.")
    return {k: v for k, v in content.items() if hasattr(v, "shape")}


def fill(model: Any, tensors: dict[str, Any], path: Path) -> Any:
    """The model with these weights; unknown names are ignored, missing ones are an error."""
    try:
        lacking, _ = model.load_state_dict(tensors, strict=False)
    except RuntimeError as problem:
        first = str(problem).strip().split("\n")[-1].strip()[:200]
        raise InputError(f"{path}: its weights do not fit the settings ({first}).") from None
    if lacking:
        raise InputError(
            f"{path}: no weights {lacking[0]!r} ({len(lacking)} lacking); it is another kind of model."
        )
    return model.eval()


def token_ids(
    tokenizer: Any, texts: Sequence[str], longest: int, pairs: Sequence[str] | None = None
) -> list[Ints]:
    """The token ids of texts with special tokens, cut at the largest length that the metric reads."""
    clean = [encodable(t) for t in texts]
    others = None if pairs is None else [encodable(t) for t in pairs]
    encoded = tokenizer(clean, others, truncation=True, max_length=longest, verbose=False)["input_ids"]
    return [np.asarray(ids, dtype=np.int32) for ids in encoded]


def in_batches(pieces: Sequence[Ints], model: Callable[[Any], Any]) -> list[Floats32]:
    """The model's result for each piece; pieces of equal length are grouped, so that none is padded."""
    import torch

    def run_batch(ids: Ints) -> Floats32:
        with torch.inference_mode():
            out = model(torch.from_numpy(ids.astype(np.int64)))
        return np.asarray(out.numpy(), dtype=np.float32)

    out: list[Any] = [None] * len(pieces)
    for i, result in run_batches(pieces, run_batch, _BATCH_TOKENS):
        out[i] = result
    return out


def encodable(text: str) -> str:
    """A text without lone surrogates, which tokenisers do not accept."""
    return text.encode("utf-8", "replace").decode("utf-8")


@cache
def _is_hub_name(name: str) -> bool:
    owner, slash, model = name.partition("/")
    return bool(slash) and all(
        p and p.replace("-", "").replace("_", "").replace(".", "").isalnum() for p in (owner, model)
    )
