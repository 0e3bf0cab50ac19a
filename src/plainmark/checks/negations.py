"""Double negations: two that cancel each other, so that the reader has to work out what is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import lexicon
from ._findings import Finding, Rule, Sentence

_NOT = frozenset("not n't never cannot".split())
_BETWEEN = frozenset(
    "be been being entirely altogether wholly completely totally at all always necessarily so very an a really seen as".split()
)
_DENYING = re.compile(r"(?:un|in|im|ir|il|dis|non-?)[a-z]{4,}")
# Words that look negative but are not felt to be, or that "not" does not reverse.
_PLAIN = frozenset(
    "uncle under until unto unit united unique universe universal university union unless understand understood important "
    "increase increased include included including indeed india indian individual industry inside instead interest into "
    "investigate invest invite involve involved improve impact imply impose distance district distinct discuss display "
    "distribute disease discover discovered independent independence independents different indicate indicated influence inform information initial "
    "immediately immediate independently differ disclose disclosed dispute disputed discontinue discontinued uniform "
    "unveil unveiled unite interrupt disappear disappeared undertake undertaken unlike unlikely uncertain unclear unable "
    "unknown unusual invariably unfortunately".split()
)
# words that are negative nevertheless
_KEPT = frozenset("unlike unlikely uncertain unclear unable unknown unusual".split())
_PATTERNS = re.compile(
    r"""
      \b(?:not|never|n['’]t)\s+(?:(?:actually|been|entirely|go|goes|gone|perhaps|quite)\s+)?without\b(?!\s+(?:saying|precedent\s+that))
    | (?P<condition>
          \b(?:not|never|n['’]t)\s+(?!is\b|are\b|was\b|from\b)\w+\s+without\b(?!\s+saying)
        | \b(?:cannot|can['’]t|could\s+not|couldn['’]t|do\s+not|does\s+not|did\s+not|don['’]t|doesn['’]t|didn['’]t|may\s+not|must\s+not|will\s+not|won['’]t)\s+(?:\w+\s+){1,5}?(?<!from\s)(?:without|unless)\b
      )(?!\s+a\s+fight\b)
    | \b(?:never|not|n['’]t)\s+fail(?:s|ed)?\s+to\b
    | \bnot?\s+(?:\w+\s+)?(?:lack|lacking|absence)\b
    | \bunless\s+(?:\w+\s+){1,4}?(?:not|never|n['’]t)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "Do not take it unless …" is the plain way to give an instruction.
_INSTRUCTS = re.compile(r"do\s+not|don['’]t|never", re.IGNORECASE)
_OPENS = re.compile(r"(?:^|[^\w\s%)\]]|\b(?:please|and|or|but|then|so))\s*$", re.IGNORECASE)
_SIGNS = ("without", "unless", "fail", "lack", "absence")  # every match of the patterns contains one of these


def _double(sentence: Sentence) -> Iterator[Finding]:
    done = []
    lower = sentence.text.lower()
    for match in _PATTERNS.finditer(sentence.text) if any(sign in lower for sign in _SIGNS) else ():
        if not match["condition"]:
            done.append(match.span())
            yield _finding(sentence, *match.span(), "")
        elif not _instructs(sentence.text, match):
            done.append(match.span())
            yield _condition(*match.span(), match.group())
    words = sentence.words
    for i, word in enumerate(words.lower):
        if word not in _NOT:
            continue
        j = i + 1
        while j < len(words) and j <= i + 3 and words.lower[j] in _BETWEEN:
            j += 1
        if j >= len(words) or not _is_denying(words.lower[j]):
            continue
        if i and words.lower[i - 1] == "if":  # "difficult, if not impossible"
            continue
        start, end = words.starts[i], words.ends[j]
        if word == "n't" and i:
            start = words.starts[i - 1]
        if all(end <= a or b <= start for a, b in done):
            positive = lexicon.negative(words.lower[j]) or ""
            yield _finding(sentence, start, end, positive)


def _instructs(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence tells the reader not to do something: "must not", or "do not" and "never" without a subject."""
    if match.group().lower().startswith("must"):
        return True
    opens = _OPENS.search(text, max(match.start() - 20, 0), match.start())
    return opens is not None and _INSTRUCTS.match(match.group()) is not None


def _is_denying(word: str) -> bool:
    if word in _KEPT:
        return True
    return (
        word not in _PLAIN
        and not word.startswith("non")
        and _DENYING.fullmatch(word) is not None
        and lexicon.negative(word) is not None
    )


def _finding(sentence: Sentence, start: int, end: int, positive: str) -> Finding:
    hint = f" Perhaps with “{positive}”?" if positive else ""
    return Finding("PM203", start, end, f"“{sentence.text[start:end]}” denies twice. Say it directly.{hint}")


def _condition(start: int, end: int, written: str) -> Finding:
    plainer = "“only if”" if written.lower().endswith("unless") else "“only with” or “need”"
    return Finding(
        "PM203",
        start,
        end,
        f"“{written}” has two negations. Can you say it directly, perhaps with {plainer}?",
    )


RULES = (
    Rule(
        "PM203",
        "double negation",
        "Two negations in one statement. Readers have to turn both round to see what is meant. Say what is the case. A condition"
        " such as “cannot … without” or “will not … unless” is a question: sometimes “only if” is easier. Instructions such as “Do not"
        " take it unless …” and “You must not drive without …” are left alone.",
        "Side effects are not uncommon.",
        "Side effects are common.",
        sentence=_double,
        judged=(88, 100),
    ),
)
