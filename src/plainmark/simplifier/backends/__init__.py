"""One module per backend; the file name is the backend's name.

A backend writes candidates, simplifications of a text, in its own order of preference. `plainmark.simplifier.choosing`
chooses among the candidates of one or several backends by metrics.

>>> import plainmark as pm
>>> backend = pm.simplifier("default", count=2)
>>> [candidate.output for candidate in backend.candidates("They purchased it prior to the war.")]
['They bought it before the war.', 'They bought it prior to the war.']
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import MissingResourceError, OptionError, did_you_mean
from ...registry import Named, Registry
from ..candidate import Candidate

if TYPE_CHECKING:
    from ..choosing import Choice


@dataclass(frozen=True)
class Backend(Named, ABC):
    """Base of all backends; options are the fields of the frozen dataclass."""

    ranked: ClassVar[bool] = True  # whether the first candidate is the one that the backend prefers
    # whether candidates belong to texts by their position, so that no text may be left out
    by_place: ClassVar[bool] = False

    @abstractmethod
    def propose(self, texts: Sequence[str]) -> list[list[Candidate]]:
        """Candidates for each text, at least one if the backend has a preference; a text is a sentence or a paragraph."""

    def missing(self) -> str:
        """What this backend needs that is not installed or set ("needs ..."); empty if it can run."""
        return ""

    def check_installed(self) -> None:
        """Raise MissingResourceError if the backend cannot run."""
        if reason := self.missing():
            raise MissingResourceError(f"backend {self.name} {reason}.")

    def candidates(self, text: str) -> list[Candidate]:
        """Candidates for one text."""
        return self.propose([text])[0]

    def simplify(self, texts: Sequence[str], choose: str = "") -> list[Choice]:
        """The chosen candidate of each text, with the others and the reasons.

        `choose` has metrics to choose by ("facts_kept >= 90, quality"); the default is the backend's first candidate, or
        `choosing.DEFAULT` for backends without a preference.
        """
        from ..choosing import simplify

        return simplify(texts, [self], choose)

    def with_options(self, values: dict[str, Any]) -> Backend:
        """The backend with other options; an error for options that it does not have."""
        allowed = [f.name for f in fields(self)]
        for name in values:
            if name not in allowed:
                raise OptionError(
                    f"the backend {self.name} has no option {name!r}.{did_you_mean(name, allowed)}"
                    f" Its options are: {', '.join(allowed) or 'none'}."
                )
        return replace(self, **values)


BACKENDS: Registry[Backend] = Registry("backend", Backend, "plainmark.simplifier.backends")  # type: ignore[type-abstract]


def simplifier(name: str = "default", **options: Any) -> Backend:
    """A backend by its name or specification, or the one that runs a model: "default", or a model's folder.

    >>> simplifier("structure").name, simplifier("default").name
    ('structure', 'lattice')
    """
    if name.partition("(")[0].strip().lower() in BACKENDS.names():
        return BACKENDS.parse(name).with_options(options)
    from ..model import load_simplifier

    kind = load_simplifier(name).decoder.kind
    return BACKENDS.parse(kind).with_options({"model": name, **options})
