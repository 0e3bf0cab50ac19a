"""What a simplification did, as HTML: the sections that the playground shows, and the same as one file."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from ..explanation import Alignment, Changed, Comparison, Explanation, Fact, Sentence
from ..explanation.hints import Advice, Measure
from ..metric import __version__
from . import html, ribbons
from .html import escape

NAMES = {"deleted": "dropped"}
LABELS = {
    "sari": "SARI",
    "bleu": "BLEU",
    "samsa": "SAMSA",
    "numbers_kept": "Numbers kept, %",
    "negation_kept": "Negations kept, %",
    "entities_kept": "Names kept, %",
    "compression": "Length (original = 1)",
    "self_bleu": "Wording kept",
}
_KEYS = "ab"
_TAG = {"delete": "del", "add": "ins", "replace": "span", "move": "span"}
_CLASS = {"replace": ' class="replaced"', "move": ' class="moved"'}
_SPOKEN = {"lost": "missing in the other text", "new": "not in the original", "changed": "changed"}


def sections(found: Comparison) -> str:
    """Everything that there is to see."""
    return "".join(
        [
            _glance(found),
            *(_version(found, i) for i in range(len(found.versions))),
            _between(found),
            _readability(found),
            _scores(found),
        ]
    )


def page(found: Comparison, *, day: datetime.date | None = None) -> str:
    """One HTML file that needs nothing else."""
    day = day or datetime.datetime.now(datetime.UTC).date()
    title = "Two versions compared" if found.second else "What the simplified text does"
    body = f"""<div class="masthead"><p class="eyebrow">plainmark {escape(__version__)} <span aria-hidden="true">·</span>
<time datetime="{day.isoformat()}">{day.day} {day:%B %Y}</time></p><h1>{title}</h1></div>
<main class="explained">{sections(found)}</main>"""
    style = "".join(map(html.asset, ("page.css", "ribbons.css", "explained.css")))
    return html.document(title, body, style=style, script=html.script("ribbons.js"), data={})


def _name(found: Comparison, i: int) -> str:
    return f"Version {_KEYS[i].upper()}" if found.second else "Simplified text"


def _glance(found: Comparison) -> str:
    cards = []
    for i, one in enumerate(found.versions):
        heading = f"<h3>{_name(found, i)}</h3>" if found.second else ""
        lines = "".join(
            f'<li class="{tone}"><span aria-hidden="true">{sign}</span><span>{line}</span></li>'
            for tone, sign, line in _lines(one, _KEYS[i])
        )
        notes = "".join(f'<p class="notice">{escape(note)}</p>' for note in one.notes)
        cards.append(f'<div class="card">{heading}{notes}<ul class="glance">{lines}</ul></div>')
    return f'<section id="glance"><h2>At a glance</h2><div class="cards">{"".join(cards)}</div></section>'


def _lines(one: Explanation, key: str) -> Iterable[tuple[str, str, str]]:
    """Findings in plain words: tone, sign, HTML."""
    alignment = one.alignment
    before, after = len(alignment.source), len(alignment.output)
    counts = [f"{n} {NAMES.get(c, c)}" for c in (*_changes(alignment), "moved") if (n := alignment.count(c))]
    told = f": {', '.join(counts)}" if counts else ""
    yield "plain", "↔", f"{_many(before, 'sentence')} became {_many(after, 'sentence')}{told}."
    grade = next(m for m in one.readability if m.name == "fkgl")
    if grade.before is not None and grade.after is not None:
        tone = {"easier": ("good", "✓"), "harder": ("look", "!")}.get(grade.verdict, ("plain", "="))
        yield (
            *tone,
            f"Reads like {_grade(grade.after)}; the original like {_grade(grade.before)}."
            f"{' That is easier.' if grade.verdict == 'easier' else ' That is harder.' if grade.verdict == 'harder' else ''}",
        )
    for change in one.changed[:6]:
        yield "alarm", "≠", f"A {change.kind} changed: {_change(change, key)}."
    if len(one.changed) > 6:
        yield "alarm", "≠", f"{len(one.changed) - 6} more numbers or names changed."
    for side, verb, facts, whole in ((0, "gone", one.lost, one.dropped), (1, "new", one.new, one.added)):
        for fact in facts:
            if fact.kind == "negation" and fact.sentence not in whole:
                yield (
                    "alarm",
                    "≠",
                    f"A negation is {verb}: <b>{escape(fact.text)}</b> ({_link(key, side, fact.sentence)}). "
                    "Does it say the opposite now?",
                )
    if one.dropped or one.lost:
        gone = [_many(len(one.dropped), "sentence")] if one.dropped else []
        gone += _by_kind(one.lost)
        yield "look", "−", f"No longer there: {_and(gone)}. Is that intended?"
    if one.added or one.new:
        more = [_many(len(one.added), "sentence")] if one.added else []
        more += _by_kind(one.new)
        yield "look", "+", f"Not in the original: {_and(more)}. Is it true?"
    if not (one.changed or one.lost or one.new):
        yield "good", "✓", "No number, name or negation was changed, lost or added, as far as rules can tell."


def _version(found: Comparison, i: int) -> str:
    one, key = found.versions[i], _KEYS[i]
    heading = f"{_name(found, i)}, sentence by sentence" if found.second else "Sentence by sentence"
    return (
        f'<section id="version-{key}"><h2>{heading}</h2>{_legend(one.alignment)}'
        f"{_columns(one.alignment, key, ('Original', _name(found, i)))}"
        f'<div class="pair"><div><h3>What it no longer says</h3>{_gone(one, key)}</div>'
        f"<div><h3>What it says anew</h3>{_anew(one, key)}</div></div></section>"
    )


def _between(found: Comparison) -> str:
    if found.between is None:
        return ""
    return (
        '<section id="between"><h2>From version A to version B</h2>'
        f"{_legend(found.between, 'version A', 'version B')}{_columns(found.between, 'd', ('Version A', 'Version B'))}</section>"
    )


def _legend(alignment: Alignment, before: str = "the original", after: str = "the simplified text") -> str:
    about = {
        **ribbons.ABOUT,
        "deleted": f"nothing in {after} matches it",
        "added": f"nothing in {before} matches it",
    }
    counts = {c: alignment.count(c) for c in (*_changes(alignment), "moved")}
    words = (
        '<p class="words-legend">Words: <del>gone</del> <ins>new</ins> <span class="replaced">replaced</span> '
        '<span class="moved">moved</span> <mark class="flag">a fact that differs</mark></p>'
    )
    return ribbons.legend(counts, NAMES, about) + words


def _columns(alignment: Alignment, key: str, names: tuple[str, str]) -> str:
    sides = [
        [_entry(alignment, side, sentence) for sentence in sentences]
        for side, sentences in enumerate((alignment.source, alignment.output))
    ]
    return ribbons.columns(sides, [escape(n) for n in names], key)


def _entry(alignment: Alignment, side: int, sentence: Sentence) -> ribbons.Entry:
    group = alignment.groups[sentence.group]
    partners = (group.output, group.source)[side]
    other = ("simplified", "original")[side]
    spoken = NAMES.get(group.change, group.change) + (", moved" if group.moved else "")
    if partners:
        spoken += f"; {other} sentence {', '.join(str(i + 1) for i in partners)}"
    return ribbons.Entry(_words(sentence, group.change), sentence.group, group.change, group.moved, spoken)


def _words(sentence: Sentence, change: str) -> str:
    """The words in their colours; a sentence that is wholly kept, dropped or added needs none."""
    out = []
    for piece in sentence.pieces:
        text = escape(piece.text)
        if piece.flag:
            text = f'<mark class="flag" title="{_SPOKEN[piece.flag]}">{text}</mark>'
        if change not in ("kept", "deleted", "added") and piece.op in _TAG:
            tag = _TAG[piece.op]
            text = f"<{tag}{_CLASS.get(piece.op, '')}>{text}</{tag}>"
        out.append(text)
    return "".join(out)


def _gone(one: Explanation, key: str) -> str:
    items = [
        f"<li>{_link(key, 0, i)} <q>{escape(one.alignment.source[i].text)}</q>{_perhaps(one.alignment, 0, i, key)}</li>"
        for i in one.dropped
    ]
    items += [_changed_item(c, key) for c in one.changed]
    items += [
        _fact_item(fact, key, 0, one.alignment.source)
        for fact in one.lost
        if fact.sentence not in one.dropped
    ]
    return _list(items, "Nothing was dropped, as far as rules can tell.")


def _anew(one: Explanation, key: str) -> str:
    items = [f"<li>{_link(key, 1, i)} <q>{escape(one.alignment.output[i].text)}</q></li>" for i in one.added]
    items += [
        _fact_item(fact, key, 1, one.alignment.output) for fact in one.new if fact.sentence not in one.added
    ]
    return _list(items, "Nothing was added, as far as rules can tell.")


def _perhaps(alignment: Alignment, side: int, i: int, key: str) -> str:
    """Where the same may be said, for a sentence that stands alone."""
    sentence = (alignment.source, alignment.output)[side][i]
    nearest = alignment.groups[sentence.group].nearest
    if nearest is None:
        return ""
    where = ("the simplified text’s ", "the original’s ")[side]
    return f' <span class="perhaps">Perhaps the same as {where}{_link(key, 1 - side, nearest)}.</span>'


def _changed_item(change: Changed, key: str) -> str:
    return f'<li class="alarm"><span class="tag">{change.kind} changed</span> {_change(change, key)}</li>'


def _change(change: Changed, key: str) -> str:
    return (
        f"<b>{escape(change.before.text)}</b> → <b>{escape(change.after.text)}</b> "
        f"({_link(key, 0, change.before.sentence)} → {_link(key, 1, change.after.sentence, short=True)})"
    )


def _fact_item(fact: Fact, key: str, side: int, sentences: Sequence[Sentence]) -> str:
    """A fact with some words around it."""
    sentence = sentences[fact.sentence]
    start, end = fact.start - sentence.start, fact.end - sentence.start
    left = sentence.text[max(0, start - 30) : start]
    right = sentence.text[end : end + 40]
    before = "…" if start > 30 else ""
    after = "…" if end + 40 < len(sentence.text) else ""
    return (
        f'<li><span class="tag">{fact.kind}</span> {_link(key, side, fact.sentence)} '
        f"<q>{before}{escape(left)}<b>{escape(fact.text)}</b>{escape(right)}{after}</q></li>"
    )


def _link(key: str, side: int, sentence: int, *, short: bool = False) -> str:
    word = "" if short else "sentence "
    return f'<a href="#{key}{side}-{sentence}">{word}{sentence + 1}</a>'


def _readability(found: Comparison) -> str:
    heads = "".join(
        f'<th scope="col" class="number">{_name(found, i)}</th>' for i in range(len(found.versions))
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(of[0].label)}<small>{escape(of[0].meaning)}</small></th>'
        f'<td class="number">{_tenth(of[0].before)}</td>{"".join(map(_after, of))}</tr>'
        for of in zip(*(one.readability for one in found.versions), strict=True)
    )
    tips = []
    for i, one in enumerate(found.versions):
        heading = f"Worth a look in {_name(found, i) if found.second else 'the simplified text'}"
        tips.append(f"<div><h3>{heading}</h3>{_advice(one.advice, _KEYS[i])}</div>")
    note = "Formulas count lengths and common words. They do not see whether a text is clear, true, or right for its readers."
    return (
        '<section id="readability"><h2>Is it easier to read?</h2><div class="wide"><table class="measures"><thead><tr>'
        f'<th scope="col"></th><th scope="col" class="number">Original</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
        f'<p class="note">{note}</p><div class="pair">{"".join(tips)}</div></section>'
    )


def _after(measure: Measure) -> str:
    verdict = f'<small class="{measure.verdict}">{measure.verdict}</small>' if measure.verdict else ""
    return f'<td class="number">{_tenth(measure.after)}{verdict}</td>'


def _advice(advice: Sequence[Advice], key: str) -> str:
    items = []
    for one in advice:
        text = one.text if len(one.text) <= 160 else f"{one.text[:157]}…"
        items.append(
            f'<li><span class="tag">{one.kind}</span> <q>{escape(text)}</q> '
            f"{escape(one.words)} {_link(key, 1, one.sentence)}</li>"
        )
    return _list(items, "No long sentences, rare words, passives or double negations were found.")


def _scores(found: Comparison) -> str:
    heads = "".join(
        f'<th scope="col" class="number">{_name(found, i)}</th>' for i in range(len(found.versions))
    )
    rows = []
    for of in zip_longest(*(one.scores for one in found.versions)):
        one = of[0]
        arrow = {True: "higher is better", False: "lower is better", None: "a description"}[
            one.higher_is_better
        ]
        cells = "".join(
            f'<td class="number" data-of="{_name(found, i) if found.second else ""}">{_figure(s.value)}<small>{escape(s.reason)}</small></td>'
            for i, s in enumerate(of)
        )
        rows.append(
            f'<tr><th scope="row">{escape(LABELS.get(one.metric.partition("(")[0], one.metric))}<small>{arrow}</small></th>{cells}'
            f"<td>{escape(one.means)} {escape(one.caution)}<code>{escape(one.signature)}</code></td></tr>"
        )
    if not rows:
        return ""
    return (
        '<section id="scores"><h2>Scores</h2><p class="note">One text says little: scores are made for comparing '
        "systems on many texts, and only scores with the same signature may be compared.</p>"
        f'<div class="wide"><table class="scored"><thead><tr><th scope="col">Score</th>{heads}'
        f'<th scope="col">What it says, and what not</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div></section>'
    )


def _changes(alignment: Alignment) -> list[str]:
    """The changes that occur, in the order of the legend."""
    return [c for c in ribbons.ABOUT if c != "moved" and alignment.count(c)]


def _list(items: Sequence[str], otherwise: str) -> str:
    if not items:
        return f'<p class="nothing">{otherwise}</p>'
    return f'<ul class="facts">{"".join(items)}</ul>'


def _by_kind(facts: Sequence[Fact]) -> list[str]:
    counts: dict[str, int] = {}
    for fact in facts:
        counts[fact.kind] = counts.get(fact.kind, 0) + 1
    return [_many(n, kind) for kind, n in counts.items()]


def _many(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _and(items: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def _grade(value: float) -> str:
    return f"school grade {_tenth(value)}" if value >= 1 else "a text below the first school grade"


def _tenth(value: float | None) -> str:
    if value is None:
        return "–"
    return (f"{value:,.0f}" if value == int(value) else f"{value:,.1f}").replace("-", "−")


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    text = (
        f"{value:,.0f}"
        if abs(value) >= 100 or value == int(value)
        else f"{value:.1f}"
        if abs(value) >= 2
        else f"{value:.2f}"
    )
    return text.replace("-", "−")
