"""Words in quotation marks, which must be exactly those that were spoken.

The words of each quotation of the output are located in the quotations of the source. A quotation may be shortened at its
ends, or inside where this is marked ("..."), and explained in square brackets. Other differences are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ... import lexicon
from ..alignment import Pair
from ..passage import FUNCTION_WORDS, Passage
from . import Finding, Kind, Mention, group_of
from ._marks import quotations
from ._spelling import rank

_FULL = {
    "n't": "not",
    "wo": "will",
    "ca": "can",
    "sha": "shall",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'m": "am",
}
_ARTICLES = frozenset(("a", "an", "the"))
_DENIALS = frozenset("not no never none nobody nothing nor neither without cannot".split())
# Later ones are more serious; the first ones are listed but raise no alarm.
_GRAVITY = ("shortened", "reworded", "word put in", "preposition", "word in doubt", "word", "denial")
_HARMLESS = _GRAVITY[:2]
# Words without content of their own, which may be replaced by the words they refer to.
_STANDING_FOR_OTHERS = frozenset(
    "it they them he him she her we us you this that these those such one ones there here so do does did".split()
)
# Prepositions, with those in the same line that may replace them: "contract of service" is not "contract for services".
_ALIKE = (
    "in on at within inside during throughout across around through",
    "about on over of concerning regarding",
    "to towards toward into unto",
    *("by from", "from of", "around about", "among between amid", "for to", "with by", "of in"),
    *("against", "before until", "after since", "under below", "without"),
)
_PREPOSITIONS = {
    word: frozenset(k for k, line in enumerate(_ALIKE) if word in line.split())
    for word in " ".join(_ALIKE).split()
}
_SHORT = 3
_FEW = 2
_FRAME = 2
_MANY = 3
_MANY_SYNONYMS = 8
_LONG = 400
_COMMON = 50  # largest number of quotations that contain a word
_SHOWN = 60


class Quotations(Kind):
    """Quotations; the value holds the words."""

    name = "quotation"

    def find(self, passage: Passage) -> list[Mention]:
        out = []
        for quotation in quotations(passage.text):
            words = passage.words_in(quotation.start, quotation.end)
            spoken = tuple(spelled for i in words for spelled in _spelled(passage.words[i].lower))
            if spoken:
                out.append(Mention(quotation.start, quotation.end, words[0], words[-1], spoken))
        return out

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        text = _Words(pair.source)
        owners: dict[str, set[int]] = {}
        near: dict[tuple[str, int], set[int]] = {}  # the candidates in the group
        for k, a in enumerate(before):
            group = group_of(pair, 0, a)
            for word in set(map(str, a.value)):
                owners.setdefault(word, set()).add(k)
                near.setdefault((word, group), set()).add(k)
        used: set[int] = set()
        for b in after:
            best = _best(b, before, owners, near, pair)
            if best is not None:
                used |= set(best)
                yield _compared(pair, [before[k] for k in best], b)
            elif text.has(b.value):
                yield Finding(
                    "same", None, b, "unquoted", "The original has these words, without quotation marks."
                )
            else:
                yield Finding("new", None, b, "new", "The original has no quotation with these words.")
        for k, a in enumerate(before):
            if k not in used:
                yield Finding("gone", a, None, "gone", "The simplified text does not quote these words.")


class _Words:
    """All words of a text, to search for sequences."""

    def __init__(self, passage: Passage) -> None:
        self._text = f" {' '.join(s for w in passage.words for s in _spelled(w.lower))} "

    def has(self, words: Sequence[object]) -> bool:
        return f" {' '.join(map(str, words))} " in self._text


def _spelled(word: str) -> tuple[str, ...]:
    """A word normalised for comparison: contractions in full, British and American spellings unified; empty for marks."""
    plain = word.replace("’", "'")
    if plain == "cannot":
        return "can", "not"
    if plain in _FULL:
        return (_FULL[plain],)
    return (plain.strip("."),) if plain[0].isalnum() or plain in ("'s", "'d") else ()


def _best(
    b: Mention,
    before: Sequence[Mention],
    owners: dict[str, set[int]],
    near_owners: dict[tuple[str, int], set[int]],
    pair: Pair,
) -> list[int] | None:
    """The quotation of the source with most of the words, and the adjacent ones of the same speech."""
    words = [str(w) for w in dict.fromkeys(b.value)]
    telling = [w for w in words if w not in FUNCTION_WORDS] or words
    group = group_of(pair, 1, b)
    # A word in many quotations is evidence only within its group.
    votes = Counter(
        k
        for w in telling
        for k in (near_owners.get((w, group), ()) if len(owners.get(w, ())) > _COMMON else owners.get(w, ()))
    )
    for k in {k for w in words for k in near_owners.get((w, group), ())}:
        votes[k] += 0
    if not votes:
        return None
    best = max(votes, key=lambda k: (votes[k] + 0.5 * (group_of(pair, 0, before[k]) == group), -k))
    near = [
        k
        for k in (best - 1, best, best + 1)
        if 0 <= k < len(before) and _one_speech(pair.source, before, k, best)
    ]
    covered = sum(any(k in owners.get(w, ()) for k in near) for w in telling)
    if group_of(pair, 0, before[best]) == group:
        every = sum(any(k in owners.get(w, ()) for k in near) for w in words)
        return near if covered >= 0.3 * len(telling) or every >= 0.5 * len(words) else None
    return near if covered >= 0.3 * len(telling) and (covered >= 2 or covered == len(telling)) else None


def _one_speech(passage: Passage, before: Sequence[Mention], k: int, best: int) -> bool:
    """Whether two quotations are parts of one speech, with words such as "he said" between them."""
    if k == best:
        return True
    first, second = sorted((k, best))
    return passage.words[before[second].first].sentence - passage.words[before[first].last].sentence <= 1


class _Difference(NamedTuple):
    """Words of the source and their replacement; `left` and `right` count the equal words next to them."""

    gone: tuple[str, ...]
    new: tuple[str, ...]
    left: int
    right: int

    @property
    def framed(self) -> bool:
        """Whether both texts agree around the words, so that one replaces the other."""
        return min(self.left, self.right) > 0 and self.left + self.right > _FRAME


def _compared(pair: Pair, parts: Sequence[Mention], b: Mention) -> Finding:
    quoted = [str(w) for w in b.value][:_LONG]
    if len(parts) > 1:
        alone = max(parts, key=lambda a: len(set(a.value) & set(quoted)))
        words = set(quoted) - set(map(str, alone.value)) - FUNCTION_WORDS
        parts = [a for a in parts if a is alone or words & set(map(str, a.value))]
    spoken = [str(w) for a in parts for w in a.value][:_LONG]
    joints = {sum(len(a.value) for a in parts[:k]) for k in range(1, len(parts))}
    whole = Mention(parts[0].start, parts[-1].end, parts[0].first, parts[-1].last, tuple(spoken))
    differences = list(_differences(pair, spoken, quoted, joints, b))
    if not differences:
        return Finding("same", whole, b, "same", "Both texts have these words in quotation marks.")
    denials = [sum(w in _DENIALS for w in words) for words in (spoken, quoted)]
    patterns = [_pattern(d, len(quoted)) for d in differences]
    if denials[0] == denials[1]:  # one that stands elsewhere now
        patterns = ["reworded" if p == "denial" else p for p in patterns]
        if any(_denied_otherwise(d) for d in differences):
            patterns.append("word in doubt")
            differences.append(next(d for d in differences if _denied_otherwise(d)))
    pattern = max(patterns, key=_GRAVITY.index)
    order = sorted(range(len(patterns)), key=lambda k: -_GRAVITY.index(patterns[k]))
    differences = [differences[k] for k in order]
    shown = "; ".join(_shown(d) for d in differences[:_MANY])
    if pattern in _HARMLESS:
        return Finding("same", whole, b, pattern, f"The quotation is {pattern}: {shown}.")
    return Finding(
        "changed", whole, b, pattern, f"The words in quotation marks differ from the original's: {shown}."
    )


def _denied_otherwise(d: _Difference) -> bool:
    """Whether a denied word was replaced by one that is not denied, or vice versa: "cannot promise" and "know"."""
    old, new = _content(d.gone), _content(d.new)
    if not old or not new or bool(_DENIALS & set(d.gone)) == bool(_DENIALS & set(d.new)):
        return False
    return len(old) + len(new) <= _FEW and all(lexicon.related(x, y) is None for x in old for y in new)


def _differences(
    pair: Pair, spoken: Sequence[str], quoted: Sequence[str], joints: set[int], b: Mention
) -> Iterator[_Difference]:
    """Inserted words, and words that were left out between others without a mark."""
    matcher = SequenceMatcher(None, spoken, quoted, autojunk=False)
    marked = any(mark in pair.output.text[b.start : b.end] for mark in ("...", "…", "[", ". . ."))
    steps = matcher.get_opcodes()
    for step, (tag, i, k, m, n) in enumerate(steps):
        if tag == "equal":
            continue
        # The ends of quotations agree with each other.
        left = steps[step - 1][2] - steps[step - 1][1] if step else _FRAME * (i == 0)
        right = (
            steps[step + 1][2] - steps[step + 1][1] if step + 1 < len(steps) else _FRAME * (k == len(spoken))
        )
        gone, new = tuple(spoken[i:k]), tuple(quoted[m:n])
        if not new and (m in (0, len(quoted)) or marked or joints & set(range(i, k + 1))):
            continue
        if [lexicon.base(w) for w in gone] == [lexicon.base(w) for w in new]:
            continue  # another spelling or form
        while min(len(gone), len(new)) > 1 and lexicon.related(gone[-1], new[-1]) in ("same", "form"):
            gone, new, right = gone[:-1], new[:-1], right + 1
        if new and m == 0:
            gone = gone[-len(new) - 1 :]
        elif new and n == len(quoted):
            gone = gone[: len(new) + 1]
        if new and marked and all(_bracketed(pair, b, w) for w in new):
            continue
        yield _Difference(gone, new, left, right)


def _bracketed(pair: Pair, b: Mention, word: str) -> bool:
    """Whether a word stands in square brackets in a quotation of the output."""
    text = pair.output.text[b.start : b.end].lower()
    start = text.find("[")
    while start >= 0:
        end = text.find("]", start)
        if word in text[start : end if end > 0 else len(text)]:
            return True
        start = text.find("[", start + 1)
    return False


def _pattern(difference: _Difference, length: int) -> str:
    """The change in the words: left out, reworded with the same meaning, or replaced by a word with another meaning."""
    gone, new = (tuple(w for w in words if w not in _ARTICLES) for words in difference[:2])
    old, content = _content(gone) or list(gone), _content(new) or list(new)
    denied, denies = bool(_DENIALS & set(gone)), bool(_DENIALS & set(new))
    if denied != denies and len(gone) + len(new) <= _FEW:
        return "denial" if length > _SHORT and difference.framed else "word in doubt"
    if not new:
        return "shortened"
    if not difference.framed or len(content) > _FEW or len(old) > _FEW:
        return "reworded"
    if {w for w in new if w.isdigit()} - set(gone):
        return "word"
    if not old:
        return "word put in" if len(new) == 1 and new[0] not in FUNCTION_WORDS else "reworded"
    relations = {lexicon.related(x, y) for x in old for y in content}
    if "antonym" in relations:
        return "word"
    if (
        relations - {None, "hyponym"}
        or max(len(gone), len(new)) > _FEW
        or _STANDING_FOR_OTHERS & {*old, *content}
    ):
        return "reworded"
    if len(gone) == len(new) == 1 and (groups := _PREPOSITIONS.get(gone[0])) and new[0] in _PREPOSITIONS:
        return "reworded" if groups & _PREPOSITIONS[new[0]] else "preposition"
    if all(w in FUNCTION_WORDS for w in (*old, *content)) or any(_akin(x, y) for x in old for y in content):
        return "reworded"
    if len(gone) > 1 or len(new) > 1 or length <= _SHORT:
        return "word in doubt"
    return "word in doubt" if rank(content[0]) < rank(old[0]) or relations != {None} else "word"


def _akin(a: str, b: str) -> bool:
    """Whether two words have synonyms in common, and more than one if they have many."""
    synonyms_a, synonyms_b = lexicon.synonyms(a), lexicon.synonyms(b)
    return len(synonyms_a & synonyms_b) > min(len(synonyms_a), len(synonyms_b)) // _MANY_SYNONYMS


def _content(words: Iterable[str]) -> list[str]:
    return [w for w in words if w not in FUNCTION_WORDS and w not in ("'s", "'d")]


def _shown(difference: _Difference) -> str:
    gone, new = (" ".join(words)[:_SHOWN] for words in difference[:2])
    if not gone:
        return f"“{new}” was put in"
    return f"“{new}” for “{gone}”" if new else f"“{gone}” was left out"


KIND = Quotations()
