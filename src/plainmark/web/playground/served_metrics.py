"""The metrics that a request may name: built-in ones that need no learned model, no file and no network.

A specification is checked before it is parsed: without dots and escapes it cannot name a module to import. The parsed
metric is checked again: every metric and aligner inside must be listed here, and free-text options keep their defaults.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, get_args, get_origin

from ...aligners import Aligner
from ...errors import OptionError, UnknownNameError, did_you_mean
from ...metric import METRICS, Metric
from ...options import option_types
from ...registry import Named

METRIC_NAMES = (
    "additions agg ari bleu chrf coleman_liau compression connectives dale_chall deletions dsari entities_kept exact_copies facts_kept "
    "familiarity fk fkbleu fkgl flesch gunning_fog ibleu levenshtein lexical_complexity linsear mean meteor negation_kept "
    "numbers_kept paragraph_length rouge samsa sari self_bleu sentence_length sentence_splits smog spache ter "
    "word_operations"
).split()
ALIGNER_NAMES = ("context", "jaccard", "tfidf")

_HARMLESS_OPTIONS = ("wordnet",)  # a version number, not a file

_SPEC = re.compile(r"""[A-Za-z0-9_\s(),='"+.-]+""")
_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")


def served_metric(spec: str) -> Metric:
    """Parse a metric specification from a request."""
    first = re.match(r"\s*([A-Za-z0-9_-]*)", spec)
    name = first[1].replace("-", "_") if first else ""
    if not _SPEC.fullmatch(spec) or _DOT.search(spec):
        raise OptionError(
            f"metric {spec[:60]!r}: expected a name, or name(option=value), such as sari(variant='hf')."
        )
    if name not in METRIC_NAMES:
        raise UnknownNameError(
            f"metric {name[:60]!r} is not served here.{did_you_mean(name, METRIC_NAMES)} "
            f"Served: {', '.join(METRIC_NAMES)}."
        )
    metric = METRICS.parse(spec)
    _check(metric)
    return metric


def _check(thing: Named) -> None:
    if isinstance(thing, Metric) and thing.name not in METRIC_NAMES:
        raise OptionError(f"metric {thing.name!r} is not served here. Served: {', '.join(METRIC_NAMES)}.")
    if isinstance(thing, Aligner) and thing.name not in ALIGNER_NAMES:
        raise OptionError(f"aligner {thing.name!r} is not served here. Served: {', '.join(ALIGNER_NAMES)}.")
    hints = option_types(type(thing))
    for option in fields(thing):
        value = getattr(thing, option.name)
        if isinstance(value, Named):
            _check(value)
            continue
        changed = isinstance(value, str) and value != option.default and option.name not in _HARMLESS_OPTIONS
        if changed and _is_free_text(hints[option.name]):
            raise OptionError(
                f"{thing.name}: option {option.name!r} names a file or model and is not served here."
            )


def _is_free_text(hint: Any) -> bool:
    """Whether an option accepts any text."""
    return hint is str or (get_origin(hint) is not None and any(_is_free_text(a) for a in get_args(hint)))
