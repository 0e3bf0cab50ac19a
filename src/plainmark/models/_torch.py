"""Runs models of families for which plainmark has no graph, with transformers and torch if these are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingResourceError

Floats32 = NDArray[np.float32]

# torch's wheels on PyPI include CUDA; the numbers were checked with the pinned version.
INSTALL = "pip install 'plainmark[torch]'"


def libraries(what: str) -> tuple[Any, Any]:
    """torch and transformers, or MissingResourceError."""
    try:
        import torch
        import transformers
    except ImportError:
        raise MissingResourceError(
            f"{what} needs torch and transformers, which are not installed; {INSTALL}."
        ) from None
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return torch, transformers


class TorchEncoder:
    """Hidden states of any encoder that transformers can load."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._torch, transformers = libraries(f"a {kind} encoder")
        load = transformers.AutoModel.from_pretrained
        self.model = load(str(folder), local_files_only=True, use_safetensors=True).float().eval()
        config = self.model.config
        self.layers = int(config.num_hidden_layers)
        self.size = int(config.hidden_size)
        self.max_tokens = int(getattr(config, "max_position_embeddings", 512))

    def hidden(self, ids: NDArray[np.int32], layer: int) -> Floats32:
        """Vectors of a batch of texts of one length after a layer (0: the embeddings): shape (texts, tokens, size)."""
        with self._torch.inference_mode():
            inputs = self._torch.from_numpy(ids.astype(np.int64))
            out = self.model(inputs, output_hidden_states=True)
        return np.asarray(out.hidden_states[layer].numpy(), dtype=np.float32)


def fast_tokenizer(folder: Path) -> Any:
    """The tokeniser of a folder without tokenizer.json, converted by transformers."""
    _, transformers = libraries(f"{folder}: a folder without tokenizer.json")
    return transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True).backend_tokenizer
