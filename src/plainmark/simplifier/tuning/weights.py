"""Weights from a file: a model's, or those of Joshua, in which the original simplifier was tuned."""

from __future__ import annotations

import json
import math

from ...errors import InputError
from ...files import open_text
from ..scfg.joshua import read_configuration


def read_weights(path: str) -> dict[str, float]:
    """Weights by name from a model.json, or a configuration or parameter file of Joshua's."""
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
