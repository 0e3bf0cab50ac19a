"""Lists of sentences whose meaning hangs on a word (golden/polarity.txt says how they are written)."""

import re
from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


class Marked(NamedTuple):
    """A sentence and, in order, what its simplification must have: for each mark the words that will do."""

    text: str
    marks: list[list[str]]

    def is_kept(self, output: str) -> bool:
        """Whether an output has every mark, in order."""
        words = ("(?:" + "|".join(map(re.escape, mark)) + ")" for mark in self.marks)
        return re.search(r"(?<!\w)" + ".*?".join(words), output, re.IGNORECASE) is not None


def read(name: str) -> list[Marked]:
    """The sentences of a list."""
    lines = (GOLDEN / name).read_text("utf-8").splitlines()
    return [
        Marked(
            re.sub(r"\{([^{}/]*)[^{}]*\}", r"\1", line),
            [mark.split("/") for mark in re.findall(r"\{([^{}]*)\}", line)],
        )
        for line in lines
        if line and not line.startswith("#")
    ]
