"""Runs NumPy's matrix products on one thread inside a block.

Products of a few hundred rows gain nothing from a second thread, and OpenBLAS's threads wait for each other in a loop,
which on a busy machine costs several times the work itself. Wheels of NumPy for Linux and Windows contain their own
OpenBLAS, whose number of threads is set here; without it, nothing happens. No compared result changes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

_lock = Lock()
_inside = 0
_threads = 1  # the number to restore


@contextmanager
def one_thread() -> Iterator[None]:
    """Run matrix products of the whole process only in the calling thread, until the last such block ends."""
    global _inside, _threads
    functions = _functions()
    if functions is None:
        yield
        return
    get_threads, set_threads = functions
    with _lock:
        if not _inside:
            _threads = get_threads()
            set_threads(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                set_threads(_threads)


@cache
def _functions() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """The functions that get and set the number of threads of NumPy's own OpenBLAS; None if it has none."""
    beside = Path(np.__file__).parent.parent / "numpy.libs"
    for file in sorted(beside.glob("*openblas*")):
        library = ctypes.CDLL(str(file))  # already loaded, so this is the same library
        for before, after in (("scipy_", "64_"), ("scipy_", ""), ("", "64_"), ("", "")):
            get_threads = getattr(library, f"{before}openblas_get_num_threads{after}", None)
            set_threads = getattr(library, f"{before}openblas_set_num_threads{after}", None)
            if get_threads is not None and set_threads is not None:
                return get_threads, set_threads
    return None
