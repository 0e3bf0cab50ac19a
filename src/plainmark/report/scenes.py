"""SAMSA's explanation of each sample: every Scene beside the sentence it went to, and which of its parts are missing there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ucca.scenes import PlacedScene, PreservedUnit, SamsaExplanation
from . import html
from .formatting import count, names
from .marked_text import LegendEntry

_STATES = {1.0: "held", 0.5: "unseen-part", 0.0: "lost"}
_SIGNS = {"held": "+", "lost": "-", "unseen-part": "?"}
_MEANINGS = {
    "held": "kept in the Scene's sentence",
    "lost": "missing there",
    "unseen-part": "implicit, so it cannot be seen: counts half",
}
GAP = "gap"


@dataclass(frozen=True)
class Word:
    """A word and its state: held, lost, or "" if it does not count; a gap replaces omitted words."""

    text: str
    state: str = ""


@dataclass(frozen=True)
class ShownPart:
    """A main relation or participant, its description and its state."""

    state: str
    description: str


@dataclass(frozen=True)
class ShownScene:
    """A Scene: its words, its parts, and the id of the sentence it went to (None if to none)."""

    change: str
    target: str | None
    words: Sequence[Word]
    parts: Sequence[ShownPart]
    place: str


@dataclass(frozen=True)
class ShownSample:
    """A sample with its score, Scenes and sentences."""

    name: str
    score: str
    facts: Sequence[str]
    reason: str
    source: str
    scenes: Sequence[ShownScene]
    sentences: Sequence[tuple[str, Sequence[Word]]]  # id, words


def text(explanation: SamsaExplanation, name: str) -> str:
    """Text for the terminal: the score, each sentence, each Scene with its parts."""
    lines = [f"{name}: {_headline(explanation)}"]
    lines += [f"  {' '.join(explanation.source)}"]
    for number, (start, end) in enumerate(explanation.sentences, 1):
        lines.append(f"  [{number}] {' '.join(explanation.output[start:end])}")
    for scene in explanation.scenes:
        words = _words(explanation.source, scene.words)
        lines.append(f"  Scene: {words}  {_place(scene)}, {100 * scene.score:.0f}")
        for part in scene.parts:
            lines.append(f"    {_SIGNS[_STATES[part.score]]} {_described(explanation, part)}")
    return "\n".join(lines)


def render(
    explanations: Sequence[SamsaExplanation], *, names: Sequence[str], subject: str = "", signature: str = ""
) -> str:
    """The page as text."""
    states = [_STATES[p.score] for e in explanations for scene in e.scenes for p in scene.parts]
    changes = []
    for state, meaning in _MEANINGS.items():
        n = states.count(state)
        noun = "main relation or participant" if n == 1 else "main relations and participants"
        changes += [LegendEntry(state, n, noun, meaning)] if n else []
    return html.page(
        "scenes.html",
        title="What became of each Scene",
        styles=("page.css", "ribbons.css", "scenes.css"),
        scripts=("scenes.js",),
        data={},
        subject=subject,
        signature=signature,
        changes=changes,
        samples=[
            _sample(e, f"n{k}-", name) for k, (e, name) in enumerate(zip(explanations, names, strict=True))
        ],
    )


def _sample(explanation: SamsaExplanation, prefix: str, name: str) -> ShownSample:
    undefined = explanation.score != explanation.score
    facts = [_size(explanation)]
    if not undefined:
        facts.append(f"without the penalty for splitting {100 * explanation.ablated:.1f}")
    held = {j for scene in explanation.scenes for part in scene.parts for j in part.aligned}
    output = [Word(w, "held" if j in held else "") for j, w in enumerate(explanation.output)]
    return ShownSample(
        name,
        "undefined" if undefined else f"{100 * explanation.score:.1f}",
        facts,
        _sentence(explanation.reason),
        " ".join(explanation.source),
        [_scene(explanation, scene, prefix) for scene in explanation.scenes],
        [(f"{prefix}{k}", output[start:end]) for k, (start, end) in enumerate(explanation.sentences)],
    )


def _scene(explanation: SamsaExplanation, scene: PlacedScene, prefix: str) -> ShownScene:
    states = {i: _STATES[part.score] for part in scene.parts for i in part.centres}
    words: list[Word] = []
    shown = sorted(set(scene.words))
    for k, i in enumerate(shown):
        if k and i != shown[k - 1] + 1:
            words.append(Word("…", GAP))
        words.append(Word(explanation.source[i], states.get(i, "")))
    return ShownScene(
        "kept" if scene.score == 1 else "rewritten" if scene.score > 0 else "deleted",
        None if scene.sentence is None else f"{prefix}{scene.sentence}",
        words,
        [ShownPart(_STATES[part.score], _described(explanation, part)) for part in scene.parts],
        f"{_sentence(_place(scene))}, score {100 * scene.score:.0f}",
    )


def _headline(explanation: SamsaExplanation) -> str:
    if explanation.score != explanation.score:
        return f"undefined, {explanation.reason}"
    reason = f"; {explanation.reason}" if explanation.reason else ""
    return (
        f"SAMSA {100 * explanation.score:.2f}, without the penalty {100 * explanation.ablated:.2f} "
        f"({_size(explanation)}{reason})"
    )


def _size(explanation: SamsaExplanation) -> str:
    size = f"{count(len(explanation.scenes), 'Scene')}, {count(len(explanation.sentences), 'sentence')}"
    numbers = [len(reading.scenes) for reading in explanation.readings]
    return f"{size}; the mean of readings with {names(list(map(str, numbers)))} Scenes" if numbers else size


def _place(scene: PlacedScene) -> str:
    if scene.sentence is None:
        return "to no sentence"
    return f"to sentence {scene.sentence + 1} with {scene.consistent} of {count(scene.leaves, 'word')}"


def _described(explanation: SamsaExplanation, part: PreservedUnit) -> str:
    """The role, the unit, its minimal centre if that is shorter, and the output words aligned with it."""
    if part.implicit:
        return f"{part.role}: (implicit)"
    unit, centre = _words(explanation.source, part.words), _words(explanation.source, part.centres)
    shared = " (shared)" if part.remote else ""
    head = f"{part.role}: {unit}{shared}" + ("" if unit == centre else f", its centre {centre}")
    if not part.score:
        return f"{head}, missing"
    output = _words(explanation.output, part.aligned)
    return head if output.lower() == centre.lower() else f"{head}, now {output}"


def _words(words: Sequence[str], indices: Sequence[int]) -> str:
    return " ".join(words[i] for i in indices)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
