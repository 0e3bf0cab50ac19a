"""Causal language models: the probability of each token after those before it, from GGUF files or model folders.

The families llama and gpt2 run as graphs in onnxruntime, in 32-bit floats; others through transformers and torch.
A text follows the model's own start token, so that its first token counts, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingResourceError
from . import _batches
from ._folder import load_tokenizer, read_json
from ._gguf import GGUF, read_gguf
from ._locate import ModelFiles
from ._onnx import OnnxGraph, session
from ._safetensors import read_tensors
from ._torch import libraries

Array = NDArray[Any]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]

# Scores for the whole vocabulary are computed for every token of a batch; this number of them fits into memory.
BATCH_TOKENS = 256
# Longer texts are read in windows, in which each token has at least half a window before it.
WINDOW = 1024


class CausalBackend(Protocol):
    """Runs a model: negative log probabilities of ids[:, 1:] given the tokens before them."""

    def losses(self, ids: Ints) -> Floats32: ...


class CausalModel:
    """A loaded causal language model, created and cached by plainmark.models.language_model."""

    def __init__(self, files: ModelFiles) -> None:
        self.name = files.name
        gguf_files = sorted(files.path.glob("*.gguf"))
        self.backend: CausalBackend
        if gguf_files and not (files.path / "config.json").is_file():
            gguf = read_gguf(gguf_files[0])
            self.backend = _llama_of_gguf(gguf, gguf_files[0])
            self._tokenizer = _tokenizer_of_gguf(gguf, gguf_files[0])
            self.start = int(gguf.facts["tokenizer.ggml.bos_token_id"])
            longest = int(gguf.facts["llama.context_length"])
        else:
            config = read_json(files.path / "config.json", required=True)
            self.backend = _backend(files.path, config)
            self._tokenizer = load_tokenizer(files.path)
            start = config.get("bos_token_id", config.get("eos_token_id"))
            if not isinstance(start, int):
                raise InputError(f"{files.path}: config.json names no bos_token_id for texts to begin with.")
            self.start = start
            longest = int(config.get("max_position_embeddings") or config.get("n_positions") or WINDOW)
        self.window = min(WINDOW, longest)

    def log_likelihood(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Negative log probability of each text, and its number of tokens."""
        ids = [self._ids(t) for t in texts]
        windows: list[tuple[int, Ints, int]] = []  # text, tokens, and how many of these are scored
        for i, tokens in enumerate(ids):
            windows += [(i, *w) for w in _windows(tokens, self.window)]
        losses = np.zeros(len(texts))
        pieces = [w[1] for w in windows]
        for k, values in _batches.run(pieces, self.backend.losses, BATCH_TOKENS):
            i, _, scored = windows[k]
            losses[i] += values[-scored:].astype(np.float64).sum()
        return losses, np.array([len(t) - 1 for t in ids], dtype=np.float64)

    def _ids(self, text: str) -> Ints:
        clean = text.strip().encode("utf-8", "replace").decode()
        ids = self._tokenizer.encode(clean, add_special_tokens=False).ids if clean else []
        return np.array([self.start, *ids], dtype=np.int32)


def _windows(tokens: Ints, size: int) -> list[tuple[Ints, int]]:
    """Pieces of a text, and the number of new tokens at the end of each."""
    if len(tokens) < 2:
        return []
    out = [(tokens[:size], len(tokens[:size]) - 1)]
    done = len(tokens[:size])
    while done < len(tokens):
        new = min(size // 2, len(tokens) - done)
        out.append((tokens[done + new - size : done + new], new))
        done += new
    return out


class _Graphed:
    """A model whose graph a subclass builds when it is first run."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        self.tensors = tensors  # until the session has loaded them
        self._session: Any = None
        self._lock = Lock()

    def build(self, graph: OnnxGraph, ids: str) -> tuple[str, str]:
        """Add everything up to the last normalised state; return its name and that of the output matrix (vocabulary, size)."""
        raise NotImplementedError

    def feeds(self, ids: Ints) -> dict[str, Array]:
        """Further inputs for a batch."""
        return {}

    def losses(self, ids: Ints) -> Floats32:
        with self._lock:
            if self._session is None:
                self._session = session(self._graph())
                self.tensors = {}
        seen = ids[:, :-1].astype(np.int64)
        targets = ids[:, 1:, None].astype(np.int64)
        (losses,) = self._session.run(
            ["losses"], {"ids": seen, "targets": targets, **self.feeds(ids[:, :-1])}
        )
        return np.asarray(losses, dtype=np.float32)[..., 0]

    def _graph(self) -> OnnxGraph:
        graph = OnnxGraph()
        ids = graph.input("ids", np.int64, ["texts", "tokens"])
        targets = graph.input("targets", np.int64, ["texts", "tokens", 1])
        scores = graph.times_transposed(*self.build(graph, ids))
        # ReduceLogSumExp would be shorter, but loses two digits over a large vocabulary.
        logs = graph.add("LogSoftmax", scores, axis=-1)
        graph.add("Neg", graph.add("GatherElements", logs, targets, axis=2), name="losses")
        graph.output("losses", ["texts", "tokens", 1])
        return graph


class Llama(_Graphed):
    """Llama's architecture: rotary positions, grouped heads, gated layers, root-mean-square normalisation."""

    def __init__(
        self,
        tensors: Mapping[str, Array],
        *,
        layers: int,
        heads: int,
        groups: int,
        epsilon: float,
        base: float,
        interleaved: bool,
        longest: int,
    ) -> None:
        super().__init__(tensors)
        self.layers, self.heads, self.groups = layers, heads, groups
        self.epsilon, self.interleaved = epsilon, interleaved
        head = len(tensors["q_0"]) // heads
        angles = np.arange(longest)[:, None] / base ** (np.arange(0, head, 2) / head)
        self.cosines, self.sines = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    def feeds(self, ids: Ints) -> dict[str, Array]:
        texts, tokens = ids.shape
        return {"last": np.full(texts, tokens - 1, np.int32), "length": np.array(tokens, np.int32)}

    def build(self, graph: OnnxGraph, ids: str) -> tuple[str, str]:
        last = graph.input("last", np.int32, ["texts"])
        length = graph.input("length", np.int32, [])
        turns = (graph.weight("cosines", self.cosines), graph.weight("sines", self.sines))
        state = graph.add("Gather", graph.weight("words", self.tensors["words"]), ids)
        for i in range(self.layers):
            normal = self._norm(graph, state, f"attention_norm_{i}")
            attended = graph.microsoft(
                "GroupQueryAttention",
                *(self._times(graph, normal, f"{part}_{i}") for part in "qkv"),
                "",
                "",
                last,
                length,
                *turns,
                extra=(f"keys_{i}", f"values_{i}"),
                num_heads=self.heads,
                kv_num_heads=self.groups,
                do_rotary=1,
                rotary_interleaved=int(self.interleaved),
            )
            state = graph.add("Add", state, self._times(graph, attended, f"after_{i}"))
            normal = self._norm(graph, state, f"wide_norm_{i}")
            gate = self._times(graph, normal, f"gate_{i}")
            gate = graph.add("Mul", gate, graph.add("Sigmoid", gate))
            wide = graph.add("Mul", gate, self._times(graph, normal, f"up_{i}"))
            state = graph.add("Add", state, self._times(graph, wide, f"down_{i}"))
        scores = "scores" if "scores" in self.tensors else "words"
        return self._norm(graph, state, "norm"), graph.weight(scores, self.tensors[scores])

    def _times(self, graph: OnnxGraph, state: str, name: str) -> str:
        return graph.times_transposed(state, graph.weight(name, self.tensors[name]))

    def _norm(self, graph: OnnxGraph, state: str, name: str) -> str:
        weight = graph.weight(name, self.tensors[name])
        return graph.add(
            "SimplifiedLayerNormalization", state, weight, axis=-1, epsilon=self.epsilon, stash_type=1
        )


class GPT2(_Graphed):
    """GPT-2's architecture: learned positions, normalisation before each step."""

    def __init__(self, config: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        super().__init__({name.removeprefix("transformer."): values for name, values in tensors.items()})
        self.layers, self.heads = int(config["n_layer"]), int(config["n_head"])
        self.epsilon = float(config.get("layer_norm_epsilon", 1e-5))

    def feeds(self, ids: Ints) -> dict[str, Array]:
        return {"places": np.arange(ids.shape[1], dtype=np.int64)[None]}

    def build(self, graph: OnnxGraph, ids: str) -> tuple[str, str]:
        places = graph.input("places", np.int64, [1, "tokens"])
        state = graph.add(
            "Add",
            graph.add("Gather", self._weight(graph, "wte.weight"), ids),
            graph.add("Gather", self._weight(graph, "wpe.weight"), places),
        )
        for i in range(self.layers):
            normal = self._norm(graph, state, f"h.{i}.ln_1")
            attended = graph.microsoft(
                "Attention",
                normal,
                self._weight(graph, f"h.{i}.attn.c_attn.weight"),
                self._weight(graph, f"h.{i}.attn.c_attn.bias"),
                num_heads=self.heads,
                unidirectional=1,
            )
            state = graph.add("Add", state, self._times(graph, attended, f"h.{i}.attn.c_proj"))
            normal = self._norm(graph, state, f"h.{i}.ln_2")
            wide = graph.microsoft("FastGelu", self._times(graph, normal, f"h.{i}.mlp.c_fc"))
            state = graph.add("Add", state, self._times(graph, wide, f"h.{i}.mlp.c_proj"))
        return self._norm(graph, state, "ln_f"), self._weight(graph, "wte.weight")

    def _weight(self, graph: OnnxGraph, name: str) -> str:
        return graph.weight(name, self.tensors[name])

    def _times(self, graph: OnnxGraph, state: str, name: str) -> str:
        product = graph.add("MatMul", state, self._weight(graph, f"{name}.weight"))
        return graph.add("Add", product, self._weight(graph, f"{name}.bias"))

    def _norm(self, graph: OnnxGraph, state: str, name: str) -> str:
        scale, shift = self._weight(graph, f"{name}.weight"), self._weight(graph, f"{name}.bias")
        return graph.add("LayerNormalization", state, scale, shift, axis=-1, epsilon=self.epsilon)


class TorchCausalModel:
    """Any causal language model that transformers can load."""

    def __init__(self, folder: Path, kind: str) -> None:
        self._torch, transformers = libraries(f"a {kind} language model")
        load = transformers.AutoModelForCausalLM.from_pretrained
        self.model = load(str(folder), local_files_only=True, use_safetensors=True).float().eval()

    def losses(self, ids: Ints) -> Floats32:
        torch = self._torch
        with torch.inference_mode():
            inputs = torch.from_numpy(ids.astype(np.int64))
            scores = torch.log_softmax(self.model(inputs).logits[:, :-1].float(), dim=-1)
            log_probabilities = scores.gather(-1, inputs[:, 1:, None])[..., 0]
        return -np.asarray(log_probabilities.numpy(), dtype=np.float32)


def _backend(folder: Path, config: Mapping[str, Any]) -> CausalBackend:
    kind = str(config.get("model_type"))
    if kind == "gpt2" and config.get("activation_function", "gelu_new") == "gelu_new":
        return GPT2(config, read_tensors(folder))
    rope = config.get("rope_parameters") or {}
    plain = not config.get("rope_scaling") and rope.get("rope_type", "default") == "default"
    heads = int(config.get("num_attention_heads", 1))
    size = int(config.get("head_dim") or config.get("hidden_size", 0) // heads)
    plain = plain and size % 16 == 0 and not config.get("attention_bias") and not config.get("mlp_bias")
    if kind == "llama" and plain:
        return Llama(
            _llama_names(read_tensors(folder)),
            layers=int(config["num_hidden_layers"]),
            heads=heads,
            groups=int(config.get("num_key_value_heads") or heads),
            epsilon=float(config["rms_norm_eps"]),
            base=float(rope.get("rope_theta", config.get("rope_theta", 10000.0))),
            interleaved=False,
            longest=min(WINDOW, int(config["max_position_embeddings"])),
        )
    return TorchCausalModel(folder, kind)


_HF = {
    "self_attn.q_proj": "q", "self_attn.k_proj": "k", "self_attn.v_proj": "v", "self_attn.o_proj": "after",
    "mlp.gate_proj": "gate", "mlp.up_proj": "up", "mlp.down_proj": "down",
    "input_layernorm": "attention_norm", "post_attention_layernorm": "wide_norm",
}  # fmt: skip
_GGUF = {
    "attn_q": "q", "attn_k": "k", "attn_v": "v", "attn_output": "after", "ffn_gate": "gate", "ffn_up": "up",
    "ffn_down": "down", "attn_norm": "attention_norm", "ffn_norm": "wide_norm",
}  # fmt: skip
_WHOLE = {
    "embed_tokens": "words", "norm": "norm", "lm_head": "scores",
    "token_embd": "words", "output_norm": "norm", "output": "scores",
}  # fmt: skip


def _llama_names(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Tensors under the names that the class Llama uses."""
    out = {}
    for name, values in tensors.items():
        bare = name.removeprefix("model.").removesuffix(".weight")
        first, _, rest = bare.partition(".")
        if first in ("layers", "blk"):
            number, _, part = rest.partition(".")
            short = _HF.get(part) or _GGUF.get(part)
            if short:
                out[f"{short}_{number}"] = values
        elif bare in _WHOLE:
            out[_WHOLE[bare]] = values
    return out


def _llama_of_gguf(gguf: GGUF, path: Path) -> Llama:
    facts = gguf.facts
    if facts.get("general.architecture") != "llama":
        raise InputError(
            f"{path}: architecture {facts.get('general.architecture')!r}; only llama can be read from GGUF files."
        )
    heads = int(facts["llama.attention.head_count"])
    return Llama(
        _llama_names(gguf.tensors),
        layers=int(facts["llama.block_count"]),
        heads=heads,
        groups=int(facts.get("llama.attention.head_count_kv", heads)),
        epsilon=float(facts["llama.attention.layer_norm_rms_epsilon"]),
        base=float(facts.get("llama.rope.freq_base", 10000.0)),
        interleaved=True,  # GGUF stores the rows of queries and keys in pairs
        longest=min(WINDOW, int(facts["llama.context_length"])),
    )


def _tokenizer_of_gguf(gguf: GGUF, path: Path) -> Any:
    try:
        from tokenizers import Tokenizer, models, pre_tokenizers
    except ImportError:
        raise MissingResourceError(
            "learned models need the package tokenizers; install it with pip install 'plainmark[models]'."
        ) from None
    facts = gguf.facts
    if facts.get("tokenizer.ggml.model") != "gpt2" or facts.get("tokenizer.ggml.pre") != "smollm":
        raise InputError(
            f"{path}: tokeniser {facts.get('tokenizer.ggml.model')}/{facts.get('tokenizer.ggml.pre')}; of GGUF files "
            "only gpt2/smollm is read. Use a folder with config.json, model.safetensors and tokenizer.json."
        )
    vocabulary = {token: i for i, token in enumerate(facts["tokenizer.ggml.tokens"])}
    merges = [tuple(pair.split(" ")) for pair in facts["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return tokenizer
