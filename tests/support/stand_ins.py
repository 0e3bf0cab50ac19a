"""Tiny stand-ins for models and services that nobody can install with one command.

With them the contract tests run over every metric and aligner: `runnable(LENS)` is LENS with a random checkpoint.
"""

import json
import sys
import tempfile
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from plainmark.lm import LanguageModel
from plainmark.metrics import specificity
from plainmark.models import pipelines
from support import tiny_checkpoints as tiny
from support import tiny_questions
from support.optional import torch, transformers
from support.requirements import require, require_parts_of

PIPELINE = "en_core_web_sm"


@cache
def folder() -> Path:
    """Where the stand-ins are, for as long as the process runs."""
    held = tempfile.TemporaryDirectory(prefix="plainmark-stand-ins-")
    folder.held = held  # type: ignore[attr-defined]
    return Path(held.name)


def in_own_folder(build: Callable[[Path], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Build a model once; what builds it returns the options that name it."""

    @cache
    def options() -> dict[str, Any]:
        require("torch")
        path = folder() / build.__name__
        path.mkdir()
        return build(path)

    return options


@in_own_folder
def sle(path: Path) -> dict[str, Any]:
    tiny.classifier(path, labels=1)
    return {"model": str(path)}


@in_own_folder
def lens(path: Path) -> dict[str, Any]:
    encoder, _, _ = tiny.lens(path, tiny.LENS_SETTINGS, 56)
    return {"model": str(path), "encoder": encoder}


@in_own_folder
def lens_salsa(path: Path) -> dict[str, Any]:
    encoder, _, _ = tiny.lens(path, tiny.SALSA_SETTINGS, 8)
    return {"model": str(path), "encoder": encoder}


@in_own_folder
def referee(path: Path) -> dict[str, Any]:
    tiny.referee(path)
    return {"model": str(path), "encoder": str(path / "encoder")}


@in_own_folder
def questeval(path: Path) -> dict[str, Any]:
    tiny.t5(path / "t5", initializer_factor=5.0)
    torch.manual_seed(6)
    transformers.RobertaModel(tiny.roberta_config()).save_pretrained(path / "encoder")
    tiny.tokenizer(path / "encoder")
    t5 = str(path / "t5")
    return {"qg": t5, "qa": t5, "encoder": str(path / "encoder"), "layer": 2}


@in_own_folder
def qaeval(path: Path) -> dict[str, Any]:
    tiny_questions.write(torch, path)
    return {"qg": str(path / "generation"), "qa": str(path / "answering"), "bart": str(path / "bart")}


def qafacteval() -> dict[str, Any]:
    options = qaeval()
    return {**options, "lerc": str(Path(options["bart"]).parent / "quip-512-mocha")}


@in_own_folder
def bert(path: Path) -> dict[str, Any]:
    tiny.classifier(path, labels=2, positions=600)
    return {"model": str(path)}


@cache
def pomme() -> dict[str, Any]:
    path = folder() / "pomme"
    path.mkdir()
    subjects = ("stenosis", "ischaemia", "thrombosis", "embolism", "sepsis", "anaemia")
    texts = [f"The patient presented with acute {s}. Heparin was administered." for s in subjects]
    LanguageModel.train_on_text(texts, min_count=1).save(path / "domain.lm.xz")
    (path / "pool.txt").write_text("".join(f"The doctor saw {n} people.\n" for n in ("two", "ten", "no")))
    return {"domain": str(path / "domain.lm.xz"), "pool": str(path / "pool.txt")}


class Judging(BaseHTTPRequestHandler):
    """An endpoint whose ratings depend on the length of the text that it rates."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rating = str(1 + len(body["messages"][0]["content"]) % 5)
        choice = {"message": {"role": "assistant", "content": rating}, "finish_reason": "stop"}
        choice["logprobs"] = {"content": [{"token": rating, "logprob": 0.0, "top_logprobs": []}]}
        choice["logprobs"]["content"][0]["top_logprobs"] = [{"token": rating, "logprob": 0.0}]
        answer = {"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *args):
        pass


@cache
def judge() -> dict[str, Any]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Judging)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return {"model": "stand-in", "url": f"http://127.0.0.1:{server.server_address[1]}/v1"}


class Document(list):
    """A text as spaCy has it: capitals are entities, long words are nouns and very long ones noun chunks."""

    def __init__(self, text):
        start = 0
        for word in text.replace(".", " .").split():
            start = text.index(word, start)
            kind = "PUNCT" if word == "." else "NOUN" if len(word) > 3 else "DET"
            self.append(
                SimpleNamespace(text=word, idx=start, pos_=kind, is_punct=word == ".", is_space=False)
            )
        self.ents = [w for w in self if w.text[0].isupper()]
        self.noun_chunks = [w for w in self if 9 < len(w.text) < 100]
        self.sents = tiny_questions.parse(text).sents


class Pipeline:
    def __call__(self, text):
        return Document(text)

    def pipe(self, texts):
        return map(Document, texts)


@contextmanager
def spacy() -> Iterator[None]:
    """spaCy with one pipeline."""
    module = types.ModuleType("spacy")
    module.load = lambda name, exclude=(): Pipeline()  # type: ignore[attr-defined]
    modules = {"spacy": module, PIPELINE: types.ModuleType(PIPELINE)}
    for name, fake in modules.items():
        fake.__spec__ = ModuleSpec(name, None, is_package=True)
    package = folder() / PIPELINE
    package.mkdir(exist_ok=True)
    (package / "meta.json").write_text("{}")
    modules[PIPELINE].__spec__.submodule_search_locations = [str(package)]
    with mock.patch.dict(sys.modules, modules):
        pipelines._load.cache_clear()
        yield
    pipelines._load.cache_clear()


@contextmanager
def predictor() -> Iterator[None]:
    """A package with a predictor of specificity."""
    entry = SimpleNamespace(
        name="length", dist=None, load=lambda: lambda texts: [len(text) / 100 for text in texts]
    )
    with mock.patch.object(specificity, "entry_points", return_value=[entry]):
        yield


OPTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "bert": bert,
    "judge": judge,
    "lens": lens,
    "lens_salsa": lens_salsa,
    "pomme": pomme,
    "qaeval": qaeval,
    "qafacteval": qafacteval,
    "questeval": questeval,
    "referee": referee,
    "sle": sle,
    "specificity": dict,
    "word_classes": dict,
}
WITH_TORCH = {"lens", "lens_salsa", "qaeval", "qafacteval", "questeval", "referee", "sle"}
SURROUNDINGS = {
    "qaeval": spacy,
    "qafacteval": spacy,
    "questeval": spacy,
    "word_classes": spacy,
    "specificity": predictor,
}


@contextmanager
def runnable(cls: type) -> Iterator[Any]:
    """An object of a class of metrics or aligners, with stand-ins for what it needs and this machine has not."""
    name = cls.name  # type: ignore[attr-defined]
    with ExitStack() as stack:
        options: dict[str, Any] = {}
        if name in OPTIONS and cls().missing():
            options = OPTIONS[name]()
            stack.enter_context(SURROUNDINGS.get(name, nullcontext)())
        else:
            require_parts_of(cls())
        yield cls(**options)
