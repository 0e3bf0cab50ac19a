"""Inserts one error per text into a faithful simplification, with the finding and the place that the ledger should report.

    python -m evaluation.injection --kind unit --show 20      twenty of them, for inspection (development texts only)

The seed decides which of the possible errors is used. A text may be used repeatedly for the same kind of error at other
places, so that there are enough cases of rare errors.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass

from plainmark.perturbations._injection import Edit, Span
from plainmark.perturbations._injection.anchors import Pair
from plainmark.perturbations._injection.kinds import ERRORS

from .texts import PARTS, Text, data_folder, read


@dataclass(frozen=True)
class Injected:
    """A text with one error: the wrong output, the places of the error in it, before it, and in the source."""

    kind: str
    text: Text
    output: str
    places: tuple[Span, ...]
    originals: tuple[Span, ...]
    source_places: tuple[Span, ...]
    note: str

    def __str__(self) -> str:
        """A description of the change, with both texts around it."""
        (a, b), (c, d) = _around(self.output, self.places), _around(self.text.source, self.source_places)
        return "\n".join(
            [
                f"- {self.kind}: {self.note} ({' '.join(self.text.key)})",
                f"    source: {self.text.source[c:d].strip()}",
                f"    output: {self.output[a:b].strip()}",
            ]
        )


def inject(kind: str, texts: Sequence[Text], cases: int, seed: int = 0) -> list[Injected]:
    """A limited number of errors of a kind: one per text, then a second and third if there are few texts."""
    rng = random.Random(f"{kind}:{seed}")
    order = list(texts)
    rng.shuffle(order)
    possible: list[tuple[Text, list[Edit]]] = []
    for text in order:
        others = [t.output for t in order if t.dataset == text.dataset and t.document != text.document]
        edits = list(ERRORS[kind](Pair(text.source, text.output, others), rng))
        if edits:
            rng.shuffle(edits)
            possible.append((text, edits))
        if len(possible) >= cases:
            break
    injected: list[Injected] = []
    for turn in range(5):
        for text, edits in possible:
            if len(edits) > turn and len(injected) < cases:
                output, places = edits[turn].apply(text.output)
                originals = tuple((a, b) for a, b, _ in sorted(edits[turn].replacements))
                injected.append(
                    Injected(kind, text, output, places, originals, edits[turn].source, edits[turn].note)
                )
    return injected


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evaluation.injection", description=__doc__)
    parser.add_argument("--kind", choices=ERRORS, nargs="*", default=list(ERRORS))
    parser.add_argument("--show", type=int, default=20, help="how many to print")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    texts = read(data_folder(), PARTS["development"])
    for kind in options.kind:
        cases = inject(kind, texts, 200, options.seed)
        print(f"\n## {kind}: {len(cases)} cases")
        for case in random.Random(options.seed).sample(cases, min(options.show, len(cases))):
            print(case)


def _around(text: str, places: tuple[Span, ...], reach: int = 110) -> Span:
    if not places:  # what was added contradicts no place of the source
        return 0, 0
    return max(0, min(a for a, _ in places) - reach), min(len(text), max(b for _, b in places) + reach)


if __name__ == "__main__":
    main()
