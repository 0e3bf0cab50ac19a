"""Scores and ratings from tables of numbers: a row per system, a column per sample."""

import plainmark as pm
from plainmark.meta import Scores


def table(values):
    """Ratings of the dimension "d" by the rater "x"; systems are A, B, ..., samples 0, 1, ..."""
    return pm.Ratings(
        pm.Rating(chr(65 + i), str(j), "d", "x", float(v))
        for i, row in enumerate(values)
        for j, v in enumerate(row)
    )


def scored(name, values, **more):
    """Scores of a metric for the same systems and samples."""
    return Scores(
        name,
        {(chr(65 + i), str(j)): float(v) for i, row in enumerate(values) for j, v in enumerate(row)},
        **more,
    )
