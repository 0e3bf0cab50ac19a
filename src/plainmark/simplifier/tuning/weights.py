"""Weights from files: the model.json of a simplifier, or files of Joshua, with which the original simplifier was tuned.

A line of a Joshua file is a setting (`pop-limit = 100`), a weight (`WordPenalty 0.39`, or with ||| in a tuner's parameter
file), or a comment. The files of the original are joshua.config and params.txt of Xu et al. 2016. Reference: Post et al.
2013.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field

from ...errors import InputError
from ...files import open_text

_SETTING = re.compile(r"([A-Za-z][\w-]*)\s*=\s*(.*)")
_WEIGHT = re.compile(
    r"(\S+)\s+(?:\|\|\|\s+)?([-+]?(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|inf|nan))(?:\s.*)?", re.IGNORECASE
)
# The features that rules from a word to itself have in common; each has the value 1.
_OF_COPIES = ("Identity", "Lexical", "Monotonic", "PhrasePenalty", "SourceWords", "TargetWords")


@dataclass(frozen=True)
class JoshuaGrammar:
    """A line `tm = TYPE OWNER SPAN FILE`; a span of -1 has no limit."""

    kind: str
    owner: str
    span_limit: int
    path: str


@dataclass(frozen=True)
class JoshuaConfiguration:
    """The contents of a Joshua file; missing settings have Joshua's defaults."""

    weights: dict[str, float]
    settings: dict[str, str] = field(default_factory=dict)
    grammars: tuple[JoshuaGrammar, ...] = ()
    pop_limit: int = 100
    nbest: int = 300
    unique: bool = True
    goal: str = "GOAL"
    default_nonterminal: str = "X"
    lm_order: int = 0

    @property
    def span_limit(self) -> int:
        """The longest span to which rules of the main grammar apply."""
        return next((g.span_limit for g in self.grammars if g.span_limit > 0), 20)

    @property
    def lm_weight(self) -> float:
        """The weight of the first language model."""
        return self.weights.get("lm_0", 0.0)

    def decoder_weights(self) -> dict[str, float]:
        """The weights under the names of plainmark's decoder of synchronous grammars.

        In the original, an unchanged word is a rule of the second grammar and has the weights of the features that such
        rules have in common; each word counts -log10(e), and each glue rule 1. Words without any rule do not exist in it.
        """
        others = {
            "lm": self.lm_weight,
            "words": -math.log10(math.e) * self.weights.get("WordPenalty", 0.0),
            "glue": self.weights.get("tm_glue_0", 0.0),
            "copies": sum(self.weights.get(name, 0.0) for name in _OF_COPIES),
        }
        left_out = {"WordPenalty", "OOVPenalty"}
        rules = {
            n: w for n, w in self.weights.items() if n not in left_out and not n.startswith(("lm_", "tm_"))
        }
        return {**rules, **others}


def read_configuration(path: str) -> JoshuaConfiguration:
    """A joshua.config, or a tuner's parameter file."""
    weights: dict[str, float] = {}
    settings: dict[str, str] = {}
    grammars: list[JoshuaGrammar] = []
    order = 0
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            place = f"{path}, line {number}"
            if setting := _SETTING.fullmatch(text):
                name, value = setting[1].lower(), setting[2].strip()
                if name == "tm":
                    grammars.append(_grammar(value, place))
                elif name == "lm":
                    order = order or _order(value, place)
                else:
                    settings[name] = value
            elif weight := _WEIGHT.fullmatch(text):
                value_of = float(weight[2]) if weight[2].count(".") < 2 else math.nan
                if not math.isfinite(value_of):
                    raise InputError(f"{place}: weight {weight[2]}, expected a finite number.")
                weights[weight[1]] = value_of
            else:
                raise InputError(
                    f"{place}: found {text[:60]!r}, expected name = value, or a feature and its weight."
                )
    if not weights:
        raise InputError(f"{path}: no weights, expected lines such as 'WordPenalty 0.4'.")
    return JoshuaConfiguration(
        weights,
        settings,
        tuple(grammars),
        pop_limit=_number(settings, "pop-limit", 100, path),
        nbest=_number(settings, "top-n", 300, path),
        unique=settings.get("use-unique-nbest", "true").lower() != "false",
        goal=settings.get("goal-symbol", "GOAL").strip("[]"),
        default_nonterminal=settings.get("default-non-terminal", "X").strip("[]"),
        lm_order=order,
    )


def _grammar(value: str, place: str) -> JoshuaGrammar:
    parts = value.split()
    if len(parts) != 4 or not re.fullmatch(r"-?\d+", parts[2]):
        raise InputError(f"{place}: found tm = {value[:60]}, expected tm = TYPE OWNER SPAN FILE.")
    return JoshuaGrammar(parts[0], parts[1], int(parts[2]), parts[3])


def _order(value: str, place: str) -> int:
    parts = value.split()
    if len(parts) < 2 or not parts[1].isdecimal():
        raise InputError(f"{place}: found lm = {value[:60]}, expected lm = TYPE ORDER ... FILE.")
    return int(parts[1])


def _number(settings: dict[str, str], name: str, default: int, path: str) -> int:
    value = settings.get(name, str(default))
    if not value.isdecimal():
        raise InputError(f"{path}: {name} = {value}, expected a whole number.")
    return int(value)


def read_weights(path: str) -> dict[str, float]:
    """Weights by name from a model.json, or a configuration or parameter file of Joshua."""
    with open_text(path) as lines:
        first = next((line for line in lines if line.strip()), "")
    if not first.lstrip().startswith("{"):
        return read_configuration(path).decoder_weights()
    try:
        with open_text(path) as lines:
            record = json.loads("".join(lines))
        weights = {str(name): float(value) for name, value in record["weights"].items()}
        if not all(map(math.isfinite, weights.values())):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path}: no weights, expected the model.json of a model.") from None
    return weights
