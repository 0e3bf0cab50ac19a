"""Who sees what: cells (item x arm x replicate), dealt out in booklets, one for each participant."""

from .booklets import admits, cut, cut_blocks, fewest, plan, plan_blocks, repair, repair_blocks, top_up
from .cells import BlockShape, TrialCell, cells_of, cells_of_blocks, ordered
from .simulation import SimulatedStudy, simulate, simulate_blocks

__all__ = [
    "BlockShape",
    "SimulatedStudy",
    "TrialCell",
    "admits",
    "cells_of",
    "cells_of_blocks",
    "cut",
    "cut_blocks",
    "fewest",
    "ordered",
    "plan",
    "plan_blocks",
    "repair",
    "repair_blocks",
    "simulate",
    "simulate_blocks",
    "top_up",
]
