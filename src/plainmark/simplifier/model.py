"""A simplifier and its folder: rules, language model, facts about words, networks, weights, and a model card.

model.json      weights, search, what is protected, objective, seed
rules.npz       the rules with their features (or grammar.npz, for synchronous grammars)
drops.npz       how often words are dropped (for the lattice)
words.npz       difficulty of words, names, and the networks
lm.lm.xz        the language model (or lm.lm, .gz)
README.md       the model card: data, licences, scores, failures
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, OptionError, UnknownNameError
from ..identity import load_once
from ..lm import LanguageModel
from ..writing import write_atomically
from .decoding import Decoder, Hypotheses, Ranked, Rewrite
from .lattice.decoder import LatticeDecoder
from .rules.constraints import PROTECTED_KINDS
from .scfg.decoder import ScfgDecoder
from .surface import SplitText, join, split, split_at_spaces

BUILT_IN = Path(__file__).parent / "default"
_LM_NAMES = ("lm.lm", "lm.lm.xz", "lm.lm.gz")
_DECODERS: dict[str, type[Decoder]] = {d.kind: d for d in (LatticeDecoder, ScfgDecoder)}
_BROKEN = "{}: not what a simplifier needs; rebuild it."
_MISMATCHED = "{}: its files do not fit together; rebuild it."
_BLOCK = 64  # texts decoded together
_LARGE = 64 * 2**20  # bytes of a language model


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
        protect: tuple[str, ...] = PROTECTED_KINDS,
        name: str = "",
        about: dict[str, Any] | None = None,
    ) -> None:
        self.decoder = decoder
        self.weights = weights
        self.protect = protect
        self.name = name
        self.about = about or {}

    def __call__(self, text: str) -> str:
        return self.simplify([text])[0].output

    def __repr__(self) -> str:
        return f"Simplifier({self.name!r}, rules={len(self.decoder)})"

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
            hypotheses = self.decoder.prepare_texts(block, kinds).decode(self.weights, threads=threads)
            out += [self._result(words, hypotheses, k, tokenized) for k, words in enumerate(block)]
        return out

    def rank(self, phrase: str) -> list[Ranked]:
        """The rules for a phrase, best first, and the phrase itself with a score of 0, as in Table 3 of Xu et al. 2016.

        Scores are means over five plain sentences.
        """
        words = split(phrase).words
        unchanged = Ranked(" ".join(words), 0.0, ("as it is",))
        return sorted(
            [unchanged, *self.decoder.rank(words, self.weights)], key=lambda r: (-r.score, r.target)
        )

    def _result(self, source: SplitText, hypotheses: Hypotheses, k: int, tokenized: bool) -> Simplified:
        derivation = hypotheses.derivation(k, source, self.weights)
        output = join(source, derivation.pieces, tokenized=tokenized)
        return Simplified(source.text, output, tuple(derivation.rewrites))

    def save(self, folder: str | Path, card: str, *, evidence: bool = False) -> None:
        """Write the model; `evidence` keeps which sentences rules come from, so that it can be tuned further."""
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
        decoder = self.decoder
        decoder.save(target, evidence=evidence)
        # A large model would take longer to unpack than its size is worth.
        decoder.model.save(target / ("lm.lm" if len(decoder.model.data) > _LARGE else "lm.lm.xz"))
        record = {
            "format": 1,
            "decoder": decoder.kind,
            "weights": self.weights,
            "search": asdict(self.decoder.limits),
            "protect": list(self.protect),
            "about": self.about,
        }
        write_atomically(target / "README.md", card)
        write_atomically(target / "model.json", json.dumps(record, indent=1) + "\n")


def load_simplifier(name: str | Path = "default") -> Simplifier:
    """The simplifier of a name ("default" comes with plainmark) or in a folder; it is loaded once."""
    folder = BUILT_IN if str(name) == "default" else Path(name)
    if not (folder / "model.json").is_file():
        raise UnknownNameError(
            f"no simplifier {str(name)!r}; expected default, or a folder that plainmark tune or make train-simplifier wrote."
        )
    return _load(folder.resolve(), str(name))


@load_once
def _load(folder: Path, name: str) -> Simplifier:
    path = folder / "model.json"
    try:
        record = json.loads(path.read_text("utf-8"))
        weights = {str(k): float(v) for k, v in record["weights"].items()}
        kind = _DECODERS[record.get("decoder", LatticeDecoder.kind)]
        limits = dict(record["search"])
        protect = tuple(k for k in PROTECTED_KINDS if k in record["protect"])
        about = dict(record["about"])
        if not all(map(math.isfinite, weights.values())):
            raise ValueError("weights that are no numbers")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(_BROKEN.format(path)) from None
    files = [folder / n for n in _LM_NAMES if (folder / n).is_file()]
    if not files:
        raise InputError(f"{folder}: no language model, expected one of {', '.join(_LM_NAMES)}.")
    try:
        decoder = kind.load(folder, LanguageModel.load(files[0]))
    except ValueError:
        raise InputError(_MISMATCHED.format(folder)) from None
    try:
        decoder = decoder.with_limits(limits)
    except (ValueError, TypeError, AttributeError, OverflowError, OptionError):
        raise InputError(_BROKEN.format(path)) from None
    try:
        simplifier = Simplifier(decoder, weights, protect, name, about)
        simplifier("A word.")  # networks of the wrong shape show here and not in the middle of a text
    except ValueError:
        raise InputError(_MISMATCHED.format(folder)) from None
    return simplifier
