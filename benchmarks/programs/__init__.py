"""Measurements that take longer than those of the page, or need their own data or servers; `python -m benchmarks NAME` runs
one.

Every module has a function `main(arguments)`; the first line of its docstring describes the measurement.
"""

import ast
from pathlib import Path


def programs() -> dict[str, str]:
    """The name of each program and the first line of its docstring."""
    about = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            about[path.stem] = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[
                0
            ]
    return about
