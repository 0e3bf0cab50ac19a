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
import logging
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import InputError, OptionError, UnknownNameError
from ..identity import load_once
from ..lexicon.language import looks_english
from ..lm import LanguageModel
from ..writing import write_atomically
from .candidate import Candidate
from .decoding import Decoder, Hypotheses, Ranked, Rewrite
from .lattice.decoder import LatticeDecoder
from .rules.constraints import PROTECTED_KINDS
from .scfg.decoder import ScfgDecoder
from .surface import SplitText, join, pieces_of, split, split_at_spaces
from .truth import TakenBack, truthful

_LOG = logging.getLogger(__name__)
BUILT_IN = Path(__file__).parent / "default"
_LM_NAMES = ("lm.lm", "lm.lm.xz", "lm.lm.gz")
_DECODERS: dict[str, type[Decoder]] = {d.kind: d for d in (LatticeDecoder, ScfgDecoder)}
_BROKEN = "{}: not what a simplifier needs; rebuild it."
_MISMATCHED = "{}: its files do not fit together; rebuild it."
_BLOCK = 64  # texts that are decoded together
_LARGE = 64 * 2**20  # smallest size of a language model in bytes


@dataclass(frozen=True)
class Simplified:
    """A text, its simplification, the rewrites between them, and the best candidates, the first of which it is."""

    source: str
    output: str
    rewrites: tuple[Rewrite, ...]
    taken_back: tuple[TakenBack, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    note: str = ""  # a note about the model's outputs

    def to_dict(self) -> dict[str, Any]:
        """The result as a dictionary for JSON."""
        return {
            "source": self.source,
            "output": self.output,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
        } | ({"note": self.note} if self.note else {})


class Simplifier:
    """A simplifier; call it with one text, or `simplify` many."""

    def __init__(
        self,
        decoder: Decoder,
        weights: dict[str, float],
        protect: tuple[str, ...] = PROTECTED_KINDS,
        name: str = "",
        about: dict[str, Any] | None = None,
        caution: float | None = None,
    ) -> None:
        """`caution` is for weights that are log odds of being right: the lowest probability at which a rewrite is made.

        A model with caution checks its outputs with the fact ledger, and does not change texts that are not English.
        """
        self.decoder = decoder
        self.weights = weights
        self.protect = protect
        self.name = name
        self.about = about or {}
        self.caution = caution
        self._warned = False  # whether the notice about texts in other languages has been given

    def __call__(self, text: str) -> str:
        return self.simplify([text])[0].output

    def __repr__(self) -> str:
        return f"Simplifier({self.name!r}, rules={len(self.decoder)})"

    @property
    def note(self) -> str:
        """A note about outputs of a model that was tuned to a metric; empty for other models."""
        objective = str(self.about.get("objective", "")).partition("(")[0].upper()
        if not objective or self.caution is not None:
            return ""
        return (
            f"this model was tuned to {objective}, which does not measure truth: outputs may say what the text does not. "
            "Check them before anybody relies on them (plainmark facts compares two texts)."
        )

    def with_caution(self, caution: float) -> Simplifier:
        """The same simplifier, which makes only rewrites that are right with at least this probability."""
        if self.caution is None:
            raise OptionError(
                f"the model {self.name!r} does not estimate whether a rewrite is right, so it has no option caution."
            )
        if not 0 <= caution <= 1:
            raise OptionError(f"caution is {caution:g}, expected a probability from 0 to 1.")
        return Simplifier(self.decoder, self.weights, self.protect, self.name, self.about, caution)

    def simplify(
        self,
        texts: Sequence[str],
        *,
        tokenized: bool = False,
        protect: Sequence[str] | None = None,
        threads: int = 1,
        n_best: int = 1,
    ) -> list[Simplified]:
        """Simplify texts; `tokenized` texts are split at spaces and stay tokenised. `n_best` is the number of candidates."""
        if n_best < 1:
            raise OptionError(f"n_best is {n_best}, expected 1 or more.")
        out: list[Simplified] = []
        kinds = self.protect if protect is None else tuple(protect)
        foreign = [] if self.caution is None else [t for t in texts if not looks_english(t)]
        if foreign and not self._warned:
            self._warned = True
            _LOG.warning(
                "%s: texts that do not look like English are left alone, such as %r.",
                self.name,
                foreign[0][:40],
            )
        alone = frozenset(foreign)
        for start in range(0, len(texts), _BLOCK):
            block = [
                _one_word(t) if t in alone else split_at_spaces(t) if tokenized else split(t)
                for t in texts[start : start + _BLOCK]
            ]
            prepared = self.decoder.prepare_texts(block, kinds)
            hypotheses = prepared.decode(self._weights(), threads=threads, paths=n_best)
            out += [self._result(words, hypotheses, k, tokenized) for k, words in enumerate(block)]
        return out

    def _weights(self) -> dict[str, float]:
        """The weights, with which a rewrite increases the score if it is more likely to be right than caution requires."""
        price = self.decoder.more_rewrites if self.caution is not None else {}
        return self.weights | {n: self.weights.get(n, 0.0) - v * self._odds for n, v in price.items()}

    @property
    def _odds(self) -> float:
        """The log odds that caution requires."""
        least = min(max(self.caution or 0.0, 1e-9), 1 - 1e-9)
        return math.log(least / (1 - least))

    def rank(self, phrase: str) -> list[Ranked]:
        """The rules for a phrase and the phrase itself, best first, as in Table 3 of Xu et al. 2016.

        Scores are means over five plain sentences. Unchanged words have no features in a lattice, so that their score is 0;
        in a synchronous grammar they have the features of copying, or of a rule from the phrase to itself.
        """
        ranked = self.decoder.rank(split(phrase).words, self.weights)
        return sorted(ranked, key=lambda r: (-r.score, r.target))

    def _result(self, source: SplitText, hypotheses: Hypotheses, k: int, tokenized: bool) -> Simplified:
        candidates: dict[str, Candidate] = {}
        for hypothesis in range(int(hypotheses.offsets[k]), int(hypotheses.offsets[k + 1])):
            candidate = self._candidate(source, hypotheses, hypothesis, tokenized)
            candidates.setdefault(candidate.output, candidate)
        ranked = tuple(candidates.values())
        first = ranked[0]
        return Simplified(source.text, first.output, first.rewrites, first.taken_back, ranked, self.note)

    def _candidate(
        self, source: SplitText, hypotheses: Hypotheses, hypothesis: int, tokenized: bool
    ) -> Candidate:
        derivation = hypotheses.derivation(hypothesis, source, self._weights())
        if self.caution is None:
            output = join(source, derivation.pieces, tokenized=tokenized)
            return Candidate(output, tuple(derivation.rewrites), unchanged=derivation.unchanged)
        # The score of a rewrite is the difference between its log odds and those that caution requires.
        rewrites = [
            replace(r, probability=1 / (1 + math.exp(-max(r.score + self._odds, -500.0))))
            for r in derivation.rewrites
        ]

        def rewritten(some: Sequence[Rewrite]) -> str:
            return join(source, pieces_of(source, some), tokenized=tokenized)

        accepted, undone = truthful(source.text, rewrites, rewritten)
        return Candidate(rewritten(accepted), tuple(accepted), tuple(undone))

    def save(self, folder: str | Path, card: str, *, evidence: bool = False) -> None:
        """Write the model; `evidence` keeps the sentences that rules come from, so that it can be tuned further."""
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{folder}: cannot make this folder ({problem.strerror}).") from None
        decoder = self.decoder
        decoder.save(target, evidence=evidence)
        # Unpacking a large model would take longer than its size justifies.
        decoder.model.save(target / ("lm.lm" if len(decoder.model.data) > _LARGE else "lm.lm.xz"))
        record = {
            "format": 1,
            "decoder": decoder.kind,
            "weights": self.weights,
            "search": asdict(self.decoder.limits),
            "protect": list(self.protect),
            "about": self.about,
        }
        if self.caution is not None:
            record["caution"] = self.caution
        write_atomically(target / "README.md", card)
        write_atomically(target / "model.json", json.dumps(record, indent=1) + "\n")


def load_simplifier(name: str | Path = "default", caution: float | None = None) -> Simplifier:
    """The simplifier of a name ("default" comes with plainmark) or in a folder; it is loaded once.

    `caution`, from 0 to 1, is the lowest estimated probability that a rewrite is right (None: the model's own).
    """
    folder = BUILT_IN if str(name) == "default" else Path(name)
    if not (folder / "model.json").is_file():
        raise UnknownNameError(
            f"no simplifier {str(name)!r}; expected default, or a folder that plainmark tune or make train-simplifier wrote."
        )
    simplifier = _load(folder.resolve(), str(name))
    return simplifier if caution is None else simplifier.with_caution(caution)


def _one_word(text: str) -> SplitText:
    """A text that no rule fits."""
    return SplitText(text, ("\0",), (0,), (len(text),)) if text.strip() else split(text)


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
        caution = record.get("caution")
        if caution is not None and not 0 <= float(caution) <= 1:
            raise ValueError("caution that is no probability")
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
        simplifier = Simplifier(decoder, weights, protect, name, about, caution)
        simplifier(
            "A word."
        )  # so that networks of the wrong shape raise an error at once and not in the middle of a text
    except ValueError:
        raise InputError(_MISMATCHED.format(folder)) from None
    if simplifier.note:
        _LOG.warning("%s: %s", name, simplifier.note)
    return simplifier
