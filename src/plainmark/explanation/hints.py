"""Readability of a text, and what an editor might look at next: long sentences, rare words, passives, negations.

Everything follows rules for English and is a hint: a long sentence may be clear, a rare word may be needed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from .. import kernels, wordlists
from ..data import Corpus
from ..faithfulness import find
from ..lexicon.language import looks_english
from ..metric import Metric, metric
from ..syllables import count_words, syllables

Kind = Literal["long sentence", "hard word", "passive", "negations"]
Verdict = Literal["easier", "harder", "same", ""]

LONG = 20  # words; plain-language guides ask for 15 to 20 on average
_MOST = {"long sentence": 5, "hard word": 10, "passive": 5, "negations": 3}
_COMMON = 5000  # of the 30,000 words that are ranked
_LESS_COMMON = 15_000  # for words of two syllables
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENDINGS = ("'s", "’s", "s", "es", "d", "ed", "ing", "ly")
_IRREGULAR = (
    "beaten become begun bent bitten blown born bought bound bred broken brought built burnt caught chosen cut dealt done "
    "drawn driven drunk dug eaten fed felt fought found forbidden forgotten forgiven frozen given gone ground grown heard "
    "held hidden hit hung hurt kept known laid led learnt left lent lit lost made meant met mistaken overcome paid proven "
    "put read ridden run said seen sent set shaken shot shown shut sold sought spent split spoken spread stolen struck "
    "stuck sung sunk sworn swept taken taught thought thrown told torn understood undertaken upheld withdrawn won worn "
    "woven written"
)
_NEGATION = re.compile(
    r"\b(?:not(?!\s+only)|cannot|no(?!\.)|never|none|nobody|nothing|nowhere|neither|nor|without)\b|n['’]t\b",
    re.IGNORECASE,
)
# A form of "be", perhaps an adverb or "not", and a participle: right for most passives, wrong for "was tired".
_PASSIVE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|being)\s+(?:(?:not|also|then|now|never|often|still|only|\w+ly)\s+)?"
    rf"(?:(?!indeed|need|hundred|red\b)[a-z]+ed|{'|'.join(_IRREGULAR.split())})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Measure:
    """One property of the original and of the simplified text; None is undefined."""

    name: str
    label: str
    before: float | None
    after: float | None
    better: Literal["lower", "higher", ""]
    verdict: Verdict
    meaning: str


@dataclass(frozen=True)
class Hint:
    """Something in the simplified text that an editor might look at; start and end count its characters."""

    kind: Kind
    sentence: int
    start: int
    end: int
    text: str
    message: str


def measures(source: str, output: str, spans: Sequence[Sequence[tuple[int, int]]]) -> tuple[Measure, ...]:
    """Readability before and after; `spans` are the sentences of either text."""
    both = Corpus([source], [output], language="en")
    # The formulas and the list of words are English; the notes say where a text is not.
    english = {"source": looks_english(source), "output": looks_english(output)}
    columns = kernels.COUNT_COLUMNS
    counts = count_words([source, output])
    letters = [_share(row[columns.index("letters")], row[columns.index("words")]) for row in counts]
    longest = [
        max((word_count(text[a:b]) for a, b in rows), default=0) or None
        for text, rows in zip((source, output), spans, strict=True)
    ]

    def scored(name: str) -> tuple[float | None, float | None]:
        before, after = (
            _metric(name, side).score(both).value if english[side] else math.nan
            for side in ("source", "output")
        )
        return _number(before), _number(after)

    rows: list[tuple[str, str, tuple[float | None, float | None], Literal["lower", "higher", ""], str]] = [
        (
            "fkgl",
            "School grade (Flesch-Kincaid)",
            scored("fkgl"),
            "lower",
            "Years of school, in the United States, that the lengths of sentences and words ask for.",
        ),
        (
            "smog",
            "School grade (SMOG)",
            scored("smog"),
            "lower",
            "The same from words of three syllables and more; made for 30 sentences, rough for fewer.",
        ),
        (
            "sentence_length",
            "Words in a sentence",
            scored("sentence_length"),
            "lower",
            f"On average. Plain-language guides ask for 15 to {LONG}.",
        ),
        ("longest", "Words in the longest sentence", (longest[0], longest[1]), "lower", "One is enough to lose a reader."),
        ("word_length", "Letters in a word", (letters[0], letters[1]), "lower", "On average."),
        (
            "familiarity",
            "Familiar words, %",
            scored("familiarity"),
            "higher",
            "How many of the words are among the 1,000 commonest of English.",
        ),
        (
            "words",
            "Words",
            (float(counts[0][0]), float(counts[1][0])),
            "",
            "Shorter is not simpler: it may be that something is missing.",
        ),
        ("sentences", "Sentences", (float(len(spans[0])), float(len(spans[1]))), "", ""),
    ]  # fmt: skip
    return tuple(
        Measure(name, label, before, after, better, _verdict(before, after, better), meaning)
        for name, label, (before, after), better, meaning in rows
    )


def hints(source: str, output: str, spans: Sequence[tuple[int, int]]) -> tuple[Hint, ...]:
    """What an editor might look at in the simplified text, sentence by sentence of `spans`."""
    rows = _long_sentences(output, spans)
    if looks_english(output):
        rows += _hard_words(source, output, spans)
        rows += _passives(output, spans)
        rows += _negations(output, spans)
    return tuple(rows)


def word_count(text: str) -> int:
    """Words of a sentence; a script without spaces between words counts its runs."""
    return len(re.findall(r"\w+(?:['’.,-]\w+)*", text))


def sentence_of(spans: Sequence[tuple[int, int]], position: int) -> int:
    """The index of the sentence that contains a character."""
    starts = [a for a, _ in spans]
    return max(int(np.searchsorted(starts, position, side="right")) - 1, 0)


def _long_sentences(output: str, spans: Sequence[tuple[int, int]]) -> list[Hint]:
    sizes = sorted(((word_count(output[a:b]), -i) for i, (a, b) in enumerate(spans)), reverse=True)
    return [
        Hint(
            "long sentence",
            -i,
            *spans[-i],
            output[slice(*spans[-i])],
            f"{size} words. Could it be two sentences?",
        )
        for size, i in sizes[: _MOST["long sentence"]]
        if size > LONG
    ]


def _hard_words(source: str, output: str, spans: Sequence[tuple[int, int]]) -> list[Hint]:
    """Rare words of two syllables and more; names are left alone."""
    opening = {a for a, _ in spans}
    names = {
        part.lower()
        for text in (source, output)
        for name in find("name", text)
        if not name.weak
        for part in _WORD.findall(text[name.start : name.end])
    }
    places: dict[str, list[re.Match[str]]] = {}
    for match in _WORD.finditer(output):
        word = match.group()
        if (word[0].islower() or match.start() in opening) and not names & {word.lower(), word.lower()[:-2]}:
            places.setdefault(word.lower(), []).append(match)
    words = list(places)
    if not words:
        return []
    before = {w.lower() for w in _WORD.findall(source)}
    rows = []
    unfamiliar = count_words(words)[:, kernels.COUNT_COLUMNS.index("unfamiliar")].tolist()
    for word, rank, beats, rare in zip(
        words, _ranks(words), syllables(words).tolist(), unfamiliar, strict=True
    ):
        if rare and beats >= 2 and len(word) > 4 and rank >= (_COMMON if beats > 2 else _LESS_COMMON):
            rows.append((-min(rank, 30_000) * min(beats, 5), word, beats))
    out = []
    for _, word, beats in sorted(rows)[: _MOST["hard word"]]:
        first = places[word][0]
        origin = "as in the original" if word in before else "not in the original"
        times = f", {len(places[word])} times" if len(places[word]) > 1 else ""
        out.append(
            Hint(
                "hard word",
                sentence_of(spans, first.start()),
                first.start(),
                first.end(),
                first.group(),
                f"A rare word of {beats} syllables, {origin}{times}.",
            )
        )
    return out


def _passives(output: str, spans: Sequence[tuple[int, int]]) -> list[Hint]:
    return [
        Hint(
            "passive",
            sentence_of(spans, m.start()),
            m.start(),
            m.end(),
            m.group(),
            "Perhaps a passive. Who does it?",
        )
        for m in list(_PASSIVE.finditer(output))[: _MOST["passive"]]
    ]


def _negations(output: str, spans: Sequence[tuple[int, int]]) -> list[Hint]:
    out = []
    for i, (a, b) in enumerate(spans):
        cues = _NEGATION.findall(output, a, b)
        if len(cues) > 1:
            listed = ", ".join(f"“{c}”" for c in cues)
            out.append(
                Hint(
                    "negations",
                    i,
                    a,
                    b,
                    output[a:b],
                    f"Several negations ({listed}). Can it be said directly?",
                )
            )
    return out[: _MOST["negations"]]


def _ranks(words: Sequence[str]) -> list[float]:
    """The place of each word among the commonest, of its stem if that is commoner; infinite if neither is listed."""
    forms = [[w, *(w[: -len(e)] for e in _ENDINGS if w.endswith(e) and len(w) > len(e) + 2)] for w in words]
    forms = [[*row, *(f"{f}e" for f in row[1:])] for row in forms]
    flat = [f for row in forms for f in row]
    tokens = kernels.tokenize(flat, "plain")
    rank = np.full(len(flat), np.inf)
    single = tokens.lengths == 1
    known = wordlists.ranks(tokens.hashes[tokens.offsets[:-1][single]]).astype(np.float64)
    rank[single] = np.where(known >= 0, known, np.inf)
    ends = np.cumsum([len(row) for row in forms])
    return [float(rank[end - len(row) : end].min()) for row, end in zip(forms, ends, strict=True)]


@cache
def _metric(name: str, side: str) -> Metric:
    return metric(f"{name}(side='{side}')")


def _share(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole else None


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _verdict(before: float | None, after: float | None, better: str) -> Verdict:
    if before is None or after is None or not better:
        return ""
    if abs(after - before) < 0.05:
        return "same"
    return "easier" if (after < before) == (better == "lower") else "harder"
