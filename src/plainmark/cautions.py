"""Warnings about texts before their scores are trusted: empty outputs, copies, short references, mixed casing, ...

`observe` returns counts, which can be added over blocks and processes; `cautions` describes in one line each
what is unusual. docs/laboratory.md says how often each line appears on real systems, and why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from .data import Corpus
from .lexicon.language import looks_english
from .metric import Metric, Score

MANY, FEW = 0.5, 0.1  # thresholds, as shares of the samples
_WORDS = 3  # a reference with fewer words is no sentence,
_CHARACTERS = 20  # unless it is in a script without spaces
_LONG = 6  # a source with this many words cannot be simplified to a sentence of two words
_EXAMPLES = 5
_LANGUAGE_SAMPLE = 100  # texts of a block

Cautions = Mapping[str, Sequence[str]]  # lines by system; "" has those about the test set or a metric

# A word and a comma or full stop with a space between them, or the Treebank's brackets, clitics and quotes.
_TOKENISED = re.compile(
    r"\w [.,](?:\s|$)|-[lr][rs]b-|\w (?:'s|n't)\b|(?:^|\s)(?:``|'')(?:\s|$)", re.IGNORECASE
)


@dataclass(frozen=True)
class Observed:
    """Counts over the texts of one system; of the references of a sample only the first one is counted."""

    samples: int = 0
    empty: tuple[str, ...] = ()  # ids of samples
    copies: int = 0
    sources: int = 0
    short_references: int = 0
    references: int = 0
    foreign: int = 0  # number of blocks
    blocks: int = 0
    lower_source: int = 0
    lower_output: int = 0
    lower_reference: int = 0
    tokenised_source: int = 0
    tokenised_output: int = 0
    tokenised_reference: int = 0

    def __add__(self, other: Observed) -> Observed:
        return Observed(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


def observe(corpus: Corpus, *, language: bool = True) -> Observed:
    """The counts of one system's texts; with `language`, they include whether texts are English."""
    sides: dict[str, Sequence[str]] = {"output": corpus.outputs}
    copies = short = number = 0
    if corpus.sources is not None:
        sides["source"] = corpus.sources
        copies = sum(
            bool(o) and (o == s or o.split() == s.split())
            for o, s in zip(corpus.outputs, corpus.sources, strict=True)
        )
    if corpus.references is not None:
        sides["reference"] = [r[0] for r in corpus.references if r]
        lengths = (
            [_LONG] * len(corpus) if corpus.sources is None else [s.count(" ") + 1 for s in corpus.sources]
        )
        number = sum(map(len, corpus.references))
        short = sum(
            len(text.split()) < _WORDS and len(text) < _CHARACTERS
            for references, length in zip(corpus.references, lengths, strict=True)
            if length >= _LONG
            for text in references
        )
    text = " ".join(corpus.outputs[:_LANGUAGE_SAMPLE])
    return Observed(
        samples=len(corpus),
        empty=tuple(i for i, o in zip(corpus.ids, corpus.outputs, strict=True) if not o.strip()),
        copies=copies,
        sources=0 if corpus.sources is None else len(corpus),
        short_references=short,
        references=number,
        foreign=int(language and not looks_english(text)),
        blocks=1,
        **{f"lower_{side}": sum(map(_is_lower, texts)) for side, texts in sides.items()},
        **{
            f"tokenised_{side}": sum(_TOKENISED.search(t) is not None for t in texts)
            for side, texts in sides.items()
        },
    )


def cautions(
    observed: Mapping[str, Observed],
    scores: Mapping[str, Sequence[Score]],
    metrics: Sequence[Metric],
    baselines: Collection[str] = (),
) -> Cautions:
    """Warnings about these systems' texts or scores; baselines are left out, because they are unusual on purpose."""
    lines: dict[str, list[str]] = {"": []}
    for system, seen in observed.items():
        if system not in baselines:
            lines[system] = [f"{system}: {line}" for line in _of_system(seen)]
    common = lines[""]
    first = next(iter(observed.values()))
    if first.short_references:
        common.append(
            f"{first.short_references:,} of {first.references:,} references have fewer than {_WORDS} words, which is less "
            "than a sentence; are they aligned with the sources?"
        )
    english = [m.name for m in metrics if m.spoken() == ("en",)]
    foreign = [name for name, seen in observed.items() if 2 * seen.foreign > seen.blocks]
    if english and foreign:
        common.append(
            f"{_names(foreign)}: the outputs do not look like English, and {_names(english)} follow"
            f"{'s' * (len(english) == 1)} rules for English."
        )
    for k, metric in enumerate(metrics):
        missing = {s: row[k].samples - row[k].defined for s, row in scores.items() if row[k].partly_defined}
        if missing:
            low, high = min(missing.values()), max(missing.values())
            span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
            common.append(
                f"{metric.spec}: undefined for {span} of {first.samples:,} samples of {_names(list(missing))}, which do not "
                "count."
            )
    return {system: texts for system, texts in lines.items() if texts}


def lines_about(lines: Cautions, *systems: str) -> list[str]:
    """The warnings about these systems, and those about all texts."""
    return [line for name in ("", *systems) for line in lines.get(name, ())]


def _of_system(seen: Observed) -> Iterator[str]:
    n = seen.samples
    if seen.empty:
        more = "…" if len(seen.empty) > _EXAMPLES else ""
        yield (
            f"{len(seen.empty):,} of {n:,} outputs {'is' if len(seen.empty) == 1 else 'are'} empty (sample"
            f"{'s' * (len(seen.empty) > 1)} {', '.join(seen.empty[:_EXAMPLES])}{more})."
        )
    if seen.copies > MANY * n:
        yield f"{seen.copies:,} of {n:,} outputs are copies of the source."
    for kind, state in (("lower", "in lower case"), ("tokenised", "tokenised (spaces before punctuation)")):
        outputs = getattr(seen, f"{kind}_output")
        sides = {"sources": getattr(seen, f"{kind}_source")} if seen.sources else {}
        sides |= {"references": getattr(seen, f"{kind}_reference")} if seen.references else {}
        without = [side for side, count in sides.items() if outputs >= MANY * n and count <= FEW * n]
        with_it = [side for side, count in sides.items() if outputs <= FEW * n and count >= MANY * n]
        if without:
            yield f"the outputs are {state}, the {_names(without)} are not; many metrics count that as changes."
        if with_it:
            yield f"the {_names(with_it)} are {state}, the outputs are not; many metrics count that as changes."


def _is_lower(text: str) -> bool:
    lower = text.lower()
    return text == lower and text != text.upper()


def _names(names: Sequence[str]) -> str:
    shown = list(names[:_EXAMPLES]) + ([f"{len(names) - _EXAMPLES} more"] if len(names) > _EXAMPLES else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
