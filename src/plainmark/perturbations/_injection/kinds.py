"""The kinds of errors, by name."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from . import Edit, additions, polarity, things, values, wording
from .anchors import Pair

ERRORS: dict[str, Callable[[Pair, random.Random], Iterator[Edit]]] = {
    "value": values.value,
    "borrowed value": values.borrowed,
    "unit": values.unit,
    "exchanged": values.exchanged,
    "negation out": polarity.negation_out,
    "negation in": polarity.negation_in,
    "direction": wording.direction,
    "modal": wording.modal,
    "quantifier": wording.quantifier,
    "condition": wording.condition,
    "quotation": things.quotation,
    "name": things.name,
    "term": things.term,
    "role": things.role,
    "added reason": additions.reason,
    "added event": additions.event,
    "added sentence": additions.sentence,
    "added number": additions.number,
}
