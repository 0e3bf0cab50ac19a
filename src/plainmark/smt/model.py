"""A simplifier and the folder it lives in: rules, language model, words, networks, weights, and a card.

model.json      weights, search, what is protected, objective, seed
rules.npz       the rules with their features
drops.npz       how often words are dropped
words.npz       how hard words are, which are names, and the networks
lm.lm.xz        the language model (or lm.lm, .gz)
README.md       the card: data, licences, scores, failures
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UnknownNameError
from ..writing import write_atomically, write_bytes_atomically
from .advice import Advisor
from .decoder import Decoder, Hypotheses, Search
from .facts import Lexicon
from .guards import KINDS, protected
from .in_context import Reader
from .language_model import LanguageModel
from .lattice import KEEP
from .network import Committee
from .rules import RuleTable
from .surface import Piece, Words, join, split, split_at_spaces

BUILT_IN = Path(__file__).parent / "default"
_LM_NAMES = ("lm.lm", "lm.lm.xz", "lm.lm.gz")
_BLOCK = 64  # texts decoded together
_LARGE = 64 * 2**20  # bytes of a language model


@dataclass(frozen=True)
class Rewrite:
    """One rule at work: where in the source, from what to what, its score and what it is made of."""

    start: int  # first word
    end: int
    source: str
    target: str
    score: float
    origins: tuple[str, ...]
    reasons: tuple[tuple[str, float], ...]  # the features that weigh most, with what each adds to the score


@dataclass(frozen=True)
class Simplified:
    """A text, its simplification and the rewrites between them."""

    source: str
    output: str
    rewrites: tuple[Rewrite, ...]


class Simplifier:
    """Simplifies texts; call it with one, or `simplify` many."""

    def __init__(
        self,
        decoder: Decoder,
        weights: dict[str, float],
        search: Search | None = None,
        protect: tuple[str, ...] = KINDS,
        name: str = "",
        about: dict[str, Any] | None = None,
    ) -> None:
        self.decoder = decoder
        self.weights = weights
        self.search = search or Search()
        self.protect = protect
        self.name = name
        self.about = about or {}

    def __call__(self, text: str) -> str:
        return self.simplify([text])[0].output

    def __repr__(self) -> str:
        return f"Simplifier({self.name!r}, rules={len(self.decoder.table)})"

    def simplify(
        self,
        texts: Sequence[str],
        *,
        tokenized: bool = False,
        protect: Sequence[str] | None = None,
        threads: int = 1,
    ) -> list[Simplified]:
        """Simplify texts; `tokenized` ones are split at spaces and stay so."""
        out: list[Simplified] = []
        kinds = self.protect if protect is None else tuple(protect)
        for start in range(0, len(texts), _BLOCK):
            block = [split_at_spaces(t) if tokenized else split(t) for t in texts[start : start + _BLOCK]]
            hypotheses = self._decode(block, kinds, threads)
            out += [self._result(words, hypotheses, k, tokenized) for k, words in enumerate(block)]
        return out

    def _decode(self, block: list[Words], kinds: tuple[str, ...], threads: int) -> Hypotheses:
        sentences = [w.words for w in block]
        names = self.decoder.names_among([w for s in sentences for w in s])
        context = self.decoder.read(sentences)
        flags = []
        at = 0
        for words in block:
            mine = slice(at, at + len(words.words))
            if context is not None and ("names" not in kinds or not words.text.islower()):
                context.name[mine], context.guessed[mine] = 0, False  # capitals tell more
            risk = context.name[mine] if context is not None else None
            flags.append(protected(words, kinds, names[mine], risk))
            at = mine.stop
        prepared = self.decoder.prepare(sentences, flags, context=context, offers=self.search.offers)
        return self.decoder.decode(prepared, self.weights, self.search, threads=threads)

    def _result(self, words: Words, hypotheses: Hypotheses, k: int, tokenized: bool) -> Simplified:
        lattice = hypotheses.prepared.lattice
        table = self.decoder.table
        others = lattice.batch.others
        pieces = []
        rewrites = []
        for edge in hypotheses.path(int(hypotheses.offsets[k])).tolist():
            ids = lattice.targets.ids[lattice.targets.offsets[edge] : lattice.targets.offsets[edge + 1]]
            new = tuple(table.words[w] if w < len(table.words) else others[w - len(table.words)] for w in ids)
            start, end = int(lattice.starts[edge]), int(lattice.ends[edge])
            if lattice.rules[edge] == KEEP:
                new = words.words[start:end]
            else:
                rewrites.append(self._rewrite(words, hypotheses, edge, start, end, new))
            pieces.append(Piece(start, end, new))
        return Simplified(words.text, join(words, pieces, tokenized=tokenized), tuple(rewrites))

    def _rewrite(
        self, words: Words, hypotheses: Hypotheses, edge: int, start: int, end: int, new: tuple[str, ...]
    ) -> Rewrite:
        table = self.decoder.table
        rule = int(hypotheses.prepared.lattice.rules[edge])
        values = hypotheses.prepared.features[edge]
        parts = [
            (n, float(v * self.weights.get(n, 0.0))) for n, v in zip(self.decoder.names, values, strict=False)
        ]
        strongest = sorted((p for p in parts if p[1]), key=lambda p: -abs(p[1]))[:3]
        origins = tuple(n for b, n in enumerate(table.origins) if table.origin[rule] >> b & 1)
        source = " ".join(words.words[start:end])
        return Rewrite(start, end, source, " ".join(new), sum(p[1] for p in parts), origins, tuple(strongest))

    def save(self, folder: str | Path, card: str, *, evidence: bool = False) -> None:
        """Write the model; `evidence` keeps which sentences rules come from, so that it can be tuned further."""
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
        decoder = self.decoder
        table, drops = decoder.table, decoder.advisor.drops
        (table if evidence else table.without_evidence()).save(target / "rules.npz")
        (drops if evidence else drops.without_evidence()).save(target / "drops.npz")
        # A large model would take longer to unpack than its size is worth.
        decoder.model.save(target / ("lm.lm" if len(decoder.model.data) > _LARGE else "lm.lm.xz"))
        _save_words(target / "words.npz", decoder)
        record = {
            "format": 1,
            "weights": self.weights,
            "search": {
                "beam": self.search.beam,
                "threshold": self.search.threshold,
                "offers": self.search.offers,
            },
            "protect": list(self.protect),
            "about": self.about,
        }
        write_atomically(target / "README.md", card)
        write_atomically(target / "model.json", json.dumps(record, indent=1) + "\n")


def _save_words(path: Path, decoder: Decoder) -> None:
    lexicon, advisor = decoder.lexicon, decoder.advisor
    arrays: dict[str, Any] = {
        "hashes": lexicon.hashes,
        "difficulty": lexicon.difficulty,
        "guess": lexicon.guess,
        "names": lexicon.names,
        "forms": decoder.forms,
    }
    for prefix, network in (("drop", advisor.drop_network), ("add", advisor.add_network)):
        arrays |= network.arrays(prefix) if network is not None else {}
    arrays |= decoder.reader.arrays() if decoder.reader is not None else {}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_bytes_atomically(path, buffer.getvalue())


def simplifier(name: str | Path = "default") -> Simplifier:
    """The simplifier of a name ("default" comes with plainmark) or in a folder; it is loaded once."""
    folder = BUILT_IN if str(name) == "default" else Path(name)
    if not (folder / "model.json").is_file():
        raise UnknownNameError(
            f"no simplifier {str(name)!r}; expected default, or a folder that plainmark tune or make train-simplifier wrote."
        )
    return _load(folder.resolve(), str(name))


@cache
def _load(folder: Path, name: str) -> Simplifier:
    try:
        record = json.loads((folder / "model.json").read_text("utf-8"))
        weights = {str(k): float(v) for k, v in record["weights"].items()}
        search = Search(**{k: type(getattr(Search, k))(v) for k, v in record["search"].items()})
        protect = tuple(k for k in KINDS if k in record["protect"])
        about = dict(record["about"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{folder / 'model.json'}: not what a simplifier needs; build it anew.") from None
    found = [folder / n for n in _LM_NAMES if (folder / n).is_file()]
    if not found:
        raise InputError(f"{folder}: no language model, expected one of {', '.join(_LM_NAMES)}.")
    model = LanguageModel.load(found[0])
    table, drops = RuleTable.load(folder / "rules.npz"), RuleTable.load(folder / "drops.npz")
    lexicon, networks, forms, reader = _load_words(folder / "words.npz")
    try:
        if len(forms) != len(table.words):
            raise ValueError("forms of other words")
        decoder = Decoder(
            table, model, lexicon, Advisor(drops, networks.get("drop"), networks.get("add")), forms, reader
        )
        made = Simplifier(decoder, weights, search, protect, name, about)
        made("A word.")  # networks of the wrong shape show here and not in the middle of a text
    except ValueError:
        raise InputError(f"{folder}: its files do not fit together; build it anew.") from None
    return made


def _load_words(
    path: Path,
) -> tuple[Lexicon, dict[str, Committee | None], NDArray[np.uint16], Reader | None]:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as held:
            arrays = {n: held[n] for n in held.files}
        lexicon = Lexicon(arrays["hashes"], arrays["difficulty"], arrays["guess"], arrays["names"])
        forms = arrays["forms"].astype(np.uint16)
        networks = {p: Committee.from_arrays(p, arrays) for p in ("drop", "add")}
        reader = Reader.from_arrays(arrays)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise InputError(f"{path}: not what a simplifier needs (or damaged); build it anew.") from None
    return lexicon, networks, forms, reader
