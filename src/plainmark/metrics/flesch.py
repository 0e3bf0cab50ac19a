"""Flesch reading ease: from 0 (very hard) to 100 (very easy), and beyond on both sides.

    206.835 - 1.015 * words / sentences - 84.6 * syllables / words

In another language, the constants are those of the most widely used adaptation: Amstad (de), Fernández Huerta (es), Kandel
and Moles (fr), Franchina and Vacca (it), Douma (nl), Martins et al. (pt), Oborneva (ru). Each is also a metric of its own,
with its other versions. The program whose counts are used can be chosen for English only.

Reference: Flesch 1948, A new readability yardstick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..errors import OptionError
from ..languages import LanguageCode
from ..metric import Floats
from ._readability import Program, Readability, flesch_like
from .amstad import Amstad
from .douma import Douma
from .fernandez_huerta import FernandezHuerta
from .flesch_vacca import FleschVacca
from .kandel_moles import KandelMoles
from .martins import Martins
from .oborneva import Oborneva

_ADAPTED = (Amstad(), FernandezHuerta(), KandelMoles(), FleschVacca(), Douma(), Martins(), Oborneva())
CONSTANTS = {f.languages[0]: f.constants[getattr(f, "variant", "")] for f in _ADAPTED}


@dataclass(frozen=True)
class Flesch(Readability):
    """Flesch reading ease."""

    variant: Program = "plainmark"  # type: ignore[assignment]
    language: Annotated[LanguageCode, "the language of the texts, which decides the constants"] = "en"

    higher_is_better = True
    citation = "Flesch 1948, Journal of Applied Psychology 32"
    columns = ("words", "sentences", "syllables")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language not in ("en", *CONSTANTS):
            raise OptionError(
                f"flesch: there are no constants for language={self.language!r}; expected one of en, {', '.join(CONSTANTS)}."
            )
        if self.language != "en" and (self.variant != "plainmark" or self.rounded):
            raise OptionError(
                f"flesch: language={self.language!r} has one way to count; leave out variant={self.variant!r} and rounded."
            )

    def formula(self, n: dict[str, Floats]) -> Floats:
        if self.language != "en":
            return flesch_like(n, CONSTANTS[self.language])
        length = self.round(n["words"] / n["sentences"], 1)
        weight = self.round(n["syllables"] / n["words"], 1)
        return self.round(206.835 - 1.015 * length - 84.6 * weight, 2)
