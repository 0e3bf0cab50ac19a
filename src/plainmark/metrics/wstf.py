"""Wiener Sachtextformel: the school grade (4 to 15) of German non-fiction, in four versions.

    1   0.1935 MS + 0.1672 SL + 0.1297 IW - 0.0327 ES - 0.875    the default
    2   0.2007 MS + 0.1682 SL + 0.1373 IW - 2.779
    3   0.2963 MS + 0.1905 SL - 1.1144
    4   0.2744 MS + 0.2656 SL - 1.693

MS: words of three syllables and more; IW: words of more than six letters; ES: words of one syllable, all in percent; SL: words per
sentence.
Reference: Bamberger and Vanecek 1984, Lesen - Verstehen - Lernen - Schreiben.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ..metric import Floats
from ._readability import Formula

# The weights of MS, SL, IW and ES, and the constant.
WEIGHTS = {
    "1": (0.1935, 0.1672, 0.1297, -0.0327, -0.875),
    "2": (0.2007, 0.1682, 0.1373, 0.0, -2.779),
    "3": (0.2963, 0.1905, 0.0, 0.0, -1.1144),
    "4": (0.2744, 0.2656, 0.0, 0.0, -1.693),
}


@dataclass(frozen=True)
class WSTF(Formula):
    """Wiener Sachtextformel, a grade level for German."""

    variant: Annotated[Literal["1", "2", "3", "4"], "which of the four"] = "1"

    higher_is_better = False
    languages = ("de",)
    citation = "Bamberger and Vanecek 1984, Jugend und Volk"
    columns = ("words", "sentences", "polysyllables", "long_words", "monosyllables")

    def formula(self, n: dict[str, Floats]) -> Floats:
        ms, sl, iw, es, constant = WEIGHTS[self.variant]
        percent = 100 / n["words"]
        length = n["words"] / n["sentences"]
        words = ms * n["polysyllables"] + iw * n["long_words"] + es * n["monosyllables"]
        return percent * words + sl * length + constant
