"""What SAMSA says of each sample: every Scene beside the sentence it went to, and what of it is missing there."""

from __future__ import annotations

from collections.abc import Sequence

from ..ucca.scenes import PlacedScene, PreservedUnit, SamsaExplanation
from . import html

_STATES = {1.0: "held", 0.5: "unseen-part", 0.0: "lost"}
_ABOUT = {
    "held": "kept in the Scene's sentence",
    "lost": "missing there",
    "unseen-part": "implicit, so it cannot be seen: counts half",
}


def text(found: SamsaExplanation, name: str) -> str:
    """For the terminal: the score, each sentence, each Scene with its parts."""
    lines = [f"{name}: {_headline(found)}"]
    lines += [f"  {_words(found.source, range(len(found.source)))}"]
    for number, (start, end) in enumerate(found.sentences, 1):
        lines.append(f"  [{number}] {_words(found.output, range(start, end))}")
    for scene in found.scenes:
        lines.append(
            f"  Scene: {_words(found.source, scene.words)}  {_place(scene)}, {100 * scene.score:.0f}"
        )
        for part in scene.parts:
            mark = {"held": "+", "lost": "-", "unseen-part": "?"}[_STATES[part.score]]
            lines.append(f"    {mark} {part.role}: {_part(found, part)}")
    return "\n".join(lines)


def render(
    explanations: Sequence[SamsaExplanation], *, names: Sequence[str], subject: str = "", signature: str = ""
) -> str:
    """A self-contained page."""
    counts = dict.fromkeys(_ABOUT, 0)
    for found in explanations:
        for scene in found.scenes:
            for part in scene.parts:
                counts[_STATES[part.score]] += 1
    legend = "".join(
        f'<li class="{c}"><b>{n} {"main relation or participant" if n == 1 else "main relations and participants"}'
        f"</b> {html.escape(_ABOUT[c])}</li>"
        for c, n in counts.items()
        if n
    )
    title = "What became of each Scene"
    samples = "".join(
        _sample(found, k, name) for k, (found, name) in enumerate(zip(explanations, names, strict=True))
    )
    about = f'<p class="lede">{html.escape(subject)}</p>' if subject else ""
    about += f'<p class="note"><code>{html.escape(signature)}</code></p>' if signature else ""
    body = f"""<div class="masthead"><p class="eyebrow">plainmark explain samsa</p><h1>{title}</h1>{about}
<ul class="legend">{legend}</ul></div>
<main>{samples or '<p class="note">There are no samples.</p>'}</main>"""
    style = html.asset("page.css") + html.asset("ribbons.css") + html.asset("scenes.css")
    return html.document(title, body, style=style, script=html.script("scenes.js"), data={})


def _sample(found: SamsaExplanation, number: int, name: str) -> str:
    score = "undefined" if found.score != found.score else f"{100 * found.score:.1f}"
    facts = [f"{_count(len(found.scenes), 'Scene')}, {_count(len(found.sentences), 'sentence')}"]
    if found.scenes:
        facts.append(f"without the penalty for splitting {100 * found.ablated:.1f}")
    reason = f'<p class="notice">{html.escape(_sentence(found.reason))}</p>' if found.reason else ""
    scenes = "".join(_scene(found, scene, f"n{number}-") for scene in found.scenes)
    marked = {j for scene in found.scenes for part in scene.parts for j in part.aligned}
    sentences = "".join(
        f'<li id="n{number}-{k}" tabindex="0"><span class="fact">{k + 1}</span> '
        + " ".join(_word(found.output[j], "held" if j in marked else "") for j in range(start, end))
        + "</li>"
        for k, (start, end) in enumerate(found.sentences)
    )
    return f"""<article class="sample"><header><h3>{html.escape(name)}</h3><b class="fact">SAMSA {score}</b>
{"".join(f'<span class="fact">{html.escape(f)}</span>' for f in facts)}</header>{reason}
<p class="text source">{html.escape(_words(found.source, range(len(found.source))))}</p>
<div class="ribbons sides-2"><svg aria-hidden="true"></svg>
<ol class="column scene-list" data-side="0" aria-label="Scenes of the source">{scenes or '<li class="nothing">no Scene</li>'}</ol>
<ol class="column" aria-label="sentences of the output">{sentences or '<li class="nothing">no sentence</li>'}</ol></div></article>"""


def _scene(found: SamsaExplanation, scene: PlacedScene, prefix: str) -> str:
    states = {i: _STATES[part.score] for part in scene.parts for i in part.centres}
    shown = sorted(set(scene.words))
    pieces: list[str] = []
    for k, i in enumerate(shown):
        if k and i != shown[k - 1] + 1:
            pieces.append('<span class="fact">…</span>')
        pieces.append(_word(found.source[i], states.get(i, "")))
    parts = "".join(
        f'<li class="{_STATES[part.score]}">{part.role}: {html.escape(_part(found, part))}</li>'
        for part in scene.parts
    )
    target = "" if scene.sentence is None else f' data-to="{prefix}{scene.sentence}"'
    whole = "kept" if scene.score == 1 else "rewritten" if scene.score > 0 else "deleted"
    return (
        f'<li class="{whole} scene"{target} tabindex="0"><p>{" ".join(pieces)}</p><ul class="parts">{parts}</ul>'
        f'<p class="fact">{html.escape(_sentence(_place(scene)))}, score {100 * scene.score:.0f}</p></li>'
    )


def _headline(found: SamsaExplanation) -> str:
    if not found.scenes:
        return f"undefined, {found.reason}"
    facts = f"{_count(len(found.scenes), 'Scene')}, {_count(len(found.sentences), 'sentence')}"
    reason = f"; {found.reason}" if found.reason else ""
    return f"SAMSA {100 * found.score:.2f}, without the penalty {100 * found.ablated:.2f} ({facts}{reason})"


def _place(scene: PlacedScene) -> str:
    if scene.sentence is None:
        return "to no sentence"
    return f"to sentence {scene.sentence + 1} with {scene.consistent} of {_count(scene.leaves, 'word')}"


def _part(found: SamsaExplanation, part: PreservedUnit) -> str:
    """The unit, its minimal centre where that is less, and what the output has for it."""
    if part.implicit:
        return "(implicit)"
    unit, centre = _words(found.source, part.words), _words(found.source, part.centres)
    shared = " (shared)" if part.remote else ""
    head = f"{unit}{shared}" if unit == centre else f"{unit}{shared}, its centre {centre}"
    output = _words(found.output, part.aligned)
    if part.score:
        return head if output.lower() == centre.lower() else f"{head}, now {output}"
    return f"{head}, missing"


def _words(words: Sequence[str], chosen: Sequence[int]) -> str:
    return " ".join(words[i] for i in chosen)


def _word(word: str, state: str) -> str:
    return f'<span class="{state}">{html.escape(word)}</span>' if state else html.escape(word)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
