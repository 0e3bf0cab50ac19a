"""Words that deny a statement, and the words in the scope of each.

There are three tiers. 1: "not", "no", "without" and similar words, and words with a negative affix. 2: words that negate
their complement ("fail", "lack", "avoid", "rarely"). 3: words that may replace a denial in another wording ("except",
"too", "skip"); they confirm a denial of the other text and are never required themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ... import lexicon
from ..passage import Passage
from . import Mention

_PLAIN = frozenset("not n't n’t never cannot cant dont doesnt didnt isnt wasnt arent wont".split())
_PRONOUNS = frozenset("none nobody nothing nowhere neither noone nought".split())
# Base forms of words that negate their complement, by the words that may follow ("" is any).
_COMPLEMENT = {
    **dict.fromkeys("lack absence avoid avoidance prevent prevention unable inability devoid".split(), ""),
    **dict.fromkeys(("refrain", "abstain"), "from"),
    **dict.fromkeys("refuse refusal deny denial prohibit prohibition forbid ban absent".split(), ""),
    **dict.fromkeys("fail failure decline forget neglect hesitate unwilling reluctant".split(), "to"),
    **dict.fromkeys("stop cease quit discontinue halt".split(), "ing"),
}
_RARELY = frozenset("hardly barely scarcely rarely seldom".split())
# Base forms and forms that confirm a denial.
_CONFIRMING = frozenset(
    "reject rejection exclude exclusion exclusive omit ignore skip doubt dispute contradict disprove oppose "
    "opposition object except besides unless instead block inhibit withhold discourage absent missing lose loss lost "
    "protect resist resistant against away stop cease quit halt fail failure decline impossible unlikely rare minority "
    "shortage short scarce poor deficiency deficient zero negative minimal negligible nil hard difficult difficulty "
    "struggle disagree differ wrong false myth delay wait suspend cancel remove end oppose veto refute rebut debunk "
    "scant forbid prohibit ban restrict limit limited inadequate weak weakly unless free exempt spare "
    "void empty vacant same similar equal alike equivalent unchanged rather "
    "eliminate elimination dispense withdraw withdrawal knockout naive naïve delete deletion removal swap replace "
    "resistance dysfunction deficit arrest paucity restriction exception enough questionable controversy mixed reduce "
    "reduction lower less fewer miss exhaust lest abandon evade escape bar barrier minus sans cut drop discard "
    "dismiss dismissal overturn overrule quash revoke rescind invalid dearth scarcity lacking want decline void unlike sober bare bereft barren oblivious ignorant immune vain nor lift waive "
    "placebo dummy sham blind blinded contraindicate contraindicated contraindication suboptimal doubtful benign undermine "
    "asymptomatic bemoan regret dislike violate breach infringe flout contravene defy".split()
)
# These follow the words that they deny: "gluten-free", "a Pkd1 knockout", "antigen-negative".
_POSTPOSITIVE = frozenset("free knockout dko ko naive naïve negative deficient deficiency null".split())
# Words with a negative affix that deny the following words, like "cannot".
_OF_WHAT_FOLLOWS = frozenset("unable unwilling impossible inability unlikely".split())
# "To break" these means not to keep to them.
_RULES = frozenset("law rule regulation agreement contract promise oath ban code treaty".split())
# "A few" and "the little" deny nothing.
_A_FEW = frozenset(
    [("few", word) for word in "a the these those first last next past".split()]
    + [("little", "a"), ("little", "the")]
)
# Words that make it less certain that a denial is missing; with one of them, the finding is at most a check.
HEDGES = frozenset(
    "only but less fewer other than too yet until before although though however despite unlike whether if low small "
    "lower reduce slight slightly minor almost nearly question unknown otherwise different even".split()
)
_NEUTRAL = re.compile(
    r"\b(?:(?:not|is\s?n['’]t|are\s?n['’]t|was\s?n['’]t|were\s?n['’]t)\s+(?:only|just|merely|simply|solely)|not\s+(?:least|to\s+mention|surprisingly)"
    r"|no\s+doubt|without\s+(?:a\s+)?doubt|no\s+(?:fewer|less|later|more|sooner|further|greater|higher|lower)\s+than|no\s+(?:wonder|matter|sooner)"
    r"|no\.\s*\d|nothing\s+(?:but|short\s+of|less\s+than)|none\s+the\s+less|none\s+other|(?:whether|if)\s+or\s+not|or\s+not\b"
    r"|with(?:\s+or\s+|\s+and\s+|/)without|if\s+not|why\s+not|than\s+not|cannot\s+(?:help\s+)?but|can['’]t\s+(?:help\s+but|wait)|last\s+but\s+not|not\s+(?:less|fewer|more|later)\s+than"
    r"|in\s+no\s+time|no\s+end\s+of|not\s+long\s+(?:after|before)|not\s+far\s+from|to\s+avoid\s+doubt|needless\s+to\s+say)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|would|should|wo|will|ca)(?:n['’]t|\s+not)?\s+"
    r"(?:it|he|she|they|we|you|i|there)(?:\s+not)?\s*\?",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"(?:un|in|im|il|ir|dis|non|ab)([a-z]{4,})")
# "Not all" denies the quantifier, not the rest.
_UNIVERSAL = frozenset(
    "all every everyone everybody everything always necessarily each both entirely".split()
)
# "In men, but not in women": the denied statement is further to the left.
_ELLIPTIC = frozenset("in on at for with by from among during between under after before".split())
_PUNCTUATION = frozenset(".;:?!")
_END = frozenset(
    "but although though whereas because unless while if when until which who whom whose since".split()
)
_PAUSE = frozenset("and so then after before where".split()) | frozenset(",()[]—–")
# A verb form that begins a predicate of its own, which is not in the scope of an earlier denial.
_FINITE = frozenset(
    "is are was were has have had do does did can could may might will would shall should must".split()
)
_CLOSE, _WIDE = 8, 16
_ADVERBS = frozenset(
    "yet ever quite really always usually necessarily often currently normally generally typically fully completely "
    "entirely properly directly likely even also still longer far well clearly significantly statistically really "
    "yet previously sufficiently adequately substantially particularly actually openly simply recently specifically "
    "immediately easily readily reliably widely routinely consistently formally officially".split()
)


@dataclass(frozen=True, slots=True)
class Denial(Mention):
    """Something that denies. `about` are the words in its scope, `wide` those it may reach beyond; `word` is the content
    word that it is itself, or -1; `form` is how it denies: "not", "no", "without", "affix", "complement", "rarely",
    "some" ("not all"), "few", "but not" (what it denies stands to its left) or "soft"."""

    tier: int = 1
    form: str = "not"
    word: int = -1
    wide: frozenset[int] = frozenset()

    @property
    def heads(self) -> tuple[int, ...]:
        """The words that it denies most directly."""
        return self.about[:3]


@lru_cache(50_000)
def negative_word(lower: str) -> str | None:
    """The word that a word with a negative affix denies; None for other words."""
    if len(lower) < 5:
        return None
    for word in (lower, lower.removesuffix("ly")):
        if positive := lexicon.negative(word):
            return lexicon.base(positive)
        if (match := _PREFIX.fullmatch(word)) and lexicon.related(match[1], word) == "antonym":
            return lexicon.base(match[1])
    return None


@lru_cache(8)
def denials(passage: Passage) -> tuple[Denial, ...]:
    """All denials in a text, in order."""
    return tuple(_find(passage))


def _find(passage: Passage) -> Iterator[Denial]:
    words = passage.words
    neutral: set[int] = set()
    for pattern in (_NEUTRAL, _TAG):
        for match in pattern.finditer(passage.text):
            neutral.update(passage.words_in(match.start(), match.end()))
    for i, word in enumerate(words):
        lower = word.lower
        if i in neutral or not word.text[0].isalpha():
            continue
        following = words[i + 1] if i + 1 < len(words) and words[i + 1].sentence == word.sentence else None
        after = following.lower if following else ""
        previous = words[i - 1].lower if i and words[i - 1].sentence == word.sentence else ""
        if lower in _PLAIN:
            form = "some" if after in _UNIVERSAL else "but not" if after in _ELLIPTIC else "not"
            denial = _denial(passage, i, i, 1, form)
            yield denial if denial.about else _denial(passage, i, i, 1, "but not", left=2)
        elif lower == "no" and after not in ("", ",", ".", ":", ")", "!", "?"):
            last = i + 1 if after in ("longer", "one") else i
            yield _denial(passage, i, last, 1, "not" if after == "longer" else "no", left=2)
        elif lower == "yet" and after == "to":
            yield _denial(passage, i, i + 1, 2, "complement")
        elif lower == "nor":
            yield _denial(passage, i, i, 3, "no", left=2)
        elif lower == "non" and after == "-":
            yield _denial(passage, i, i, 1, "affix", limit=1)
        elif lower in _PRONOUNS:
            yield _denial(passage, i, i, 1, "no", left=3)
        elif lower == "without":
            yield _denial(passage, i, i, 1, "without", left=2)
        elif lower in _RARELY:
            yield _denial(passage, i, i, 2, "rarely", word=i)
        elif (lower, previous) in _A_FEW:
            continue
        elif lower in ("few", "little"):
            yield _denial(passage, i, i, 3, "few", left=2)
        elif word.content and negative_word(lower):
            wide = frozenset(
                (i, *(_denial(passage, i, i, 1, "affix").wide if lower in _OF_WHAT_FOLLOWS else ()))
            )
            yield Denial(word.start, word.end, i, i, ("affix", word.base), (i,), False, 1, "affix", i, wide)
        elif (needs := _COMPLEMENT.get(word.base)) is not None and _complement(needs, word.base, after):
            yield _denial(passage, i, i, 2, "complement", word=i, left=5 if word.base == "absent" else 0)
        elif lower == "free" and (after in ("of", "from") or previous == "-"):
            yield _denial(passage, i, i, 3, "soft", word=i, left=1)
        elif (lower in ("rather", "instead", "other", "far") and after in ("than", "of", "from")) or (
            word.base == "rule" and after == "out"
        ):
            yield _denial(passage, i, i + 1, 3, "soft")
        elif word.base == "run" and after in ("out", "short"):
            yield _denial(passage, i, i + 1, 3, "soft", left=2)
        elif (word.base, after) in (("turn", "down"), ("remain", "to")):
            yield _denial(passage, i, i + 1, 3, "soft", left=4)
        elif lower == "too" and following and following.content:
            yield _denial(passage, i, i, 3, "soft")
        elif (
            lower.endswith("less")
            and len(lower) > 6
            and lower not in ("nevertheless", "nonetheless", "regardless")
        ):
            yield _denial(passage, i, i, 3, "soft", word=i, left=2)
        elif (lower in _CONFIRMING or word.base in _CONFIRMING) and lower not in ("short", "free", "other"):
            yield _denial(passage, i, i, 3, "soft", word=i if word.content else -1, left=3)
        elif word.base == "break" and any(w.base in _RULES for w in words[i + 1 : i + 4]):
            yield _denial(passage, i, i, 3, "soft", word=i)


def _complement(needs: str, base: str, after: str) -> bool:
    """Whether the words after a word can be the complement that it negates."""
    if needs == "to":
        return after == "to" or (after == "of" and base == "failure")
    if needs == "from":
        return after == "from"
    if needs == "ing":
        return after.endswith("ing")
    return True


def _denial(
    passage: Passage,
    first: int,
    last: int,
    tier: int,
    form: str,
    *,
    word: int = -1,
    left: int = 0,
    limit: int = _CLOSE,
) -> Denial:
    words = passage.words
    end = passage.first_word[words[first].sentence + 1]
    inside = any(w.content for w in words[passage.first_word[words[first].sentence] : first])
    close: list[int] = []
    wide: list[int] = []
    open_ = True
    joined: int | None = None
    for i in range(last + 1, end):
        lower = words[i].lower
        if lower in _PUNCTUATION or lower in _END or (lower == "that" and form == "complement"):
            break
        if close and lower in _PAUSE:
            open_ = False
            if joined is None and lower in ("and", "but"):
                joined = len(wide)
        if joined is not None and joined < len(wide) and lower in _FINITE and form == "not":
            del wide[joined:]  # "did not differ and no deaths were reported": a clause of its own
            break
        if close and (
            lower in _PLAIN
            or lower in ("no", "that")
            or (lower in _FINITE and (form not in ("no", "few") or inside))
        ):
            open_ = False
        if words[i].content and lower != "non":
            if open_ and len(close) < limit:
                close.append(i)
            wide.append(i)
            if len(wide) >= _WIDE or limit == 1:
                break
    if close and len(close) > 1 and words[close[0]].lower in _ADVERBS:
        close = [*close[1:], close[0]] if len(close) < 3 else [close[1], close[0], *close[2:]]
    before: list[int] = []
    i = first - 1
    while left and i >= passage.first_word[words[first].sentence] and len(before) < left:
        if words[i].lower in _PUNCTUATION or words[i].text in ",()":
            break
        if words[i].content:
            before.append(i)
        i -= 1
    if not close or words[first].base in ("absent", "remain"):
        close = before
    elif before and words[first].lower in _POSTPOSITIVE:
        close = [*before, *close]
    bases = tuple(words[k].base for k in close[:3])
    return Denial(
        words[first].start,
        words[last].end,
        first,
        last,
        (form, *bases),
        tuple(close),
        tier == 3,
        tier,
        form,
        word,
        frozenset((*wide, *before)),
    )


def likeness(
    a: Denial, b: Denial, own: set[int], first: set[int], heads: set[int], scope: set[int], wide: set[int]
) -> float:
    """How certainly two denials correspond; 0 if none of their denied words are linked. The sets are partners of a's words."""
    if b.word >= 0 and b.word in own:
        return 6.0
    if a.form == "soft" == b.form and a.value == b.value:
        return 5.0
    same = 0.5 if a.form == b.form else 0.0
    if 3 in (a.tier, b.tier):
        same = -1.6
    if not first.isdisjoint(b.about[:1]) or not own.isdisjoint(b.heads) or b.word in heads:
        return 4.0 + same
    if not heads.isdisjoint(b.about) or not scope.isdisjoint(b.heads):
        return 3.0 + same
    if not scope.isdisjoint(b.about):
        return 2.0 + same
    reaching = all(m.form != "affix" or len(m.wide) > 1 for m in (a, b))
    if reaching and (not first.isdisjoint(b.wide) or not wide.isdisjoint(b.about[:1])):
        return 1.4 + same
    if reaching and max(len(scope & b.wide), len(wide.intersection(b.about))) >= 2:
        return 1.4 + same
    if not wide.isdisjoint(b.wide):
        return 0.8 + same
    return 0.0
