"""Words in capitals, which are slow to read and seem to shout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import lexicon
from ._findings import Finding, Rule, Sentence, Suggestion

_RUN = re.compile(
    r"(?<![\w-])[A-Z]{2,}(?:['’][A-Z]+)?(?:(?:[ \t]+|-|,[ \t]|[ \t]?[&/][ \t]?)(?:[A-Z]{2,}(?:['’][A-Z]+)?))+(?![\w-])|(?<![\w-])[A-Z]{4,}(?![\w-])"
)
_WORD = re.compile(r"[A-Z]{2,}")
# The name of a gene, or another name followed by its abbreviation: "SET DOMAIN GROUP 7 (SDG7)".
_DEFINED = re.compile(r"\s*\w{0,8}\s*\(\s*[A-Z][A-Za-z]*\d*\s*\)|\s+\w{0,8}\d")
_MOST_LETTERS = 4
_SHOWN = 60  # longest quotation in a message, in characters
_STRESSED = frozenset(
    "NEVER ALWAYS IMPORTANT WARNING CAUTION DANGER PLEASE MUST EVERY BEFORE AFTER DOES CANNOT SHOULD EITHER NEITHER BETTER"
    " URGENT NOTICE ATTENTION REALLY WITHOUT".split()
)


def _capitals(sentence: Sentence) -> Iterator[Finding]:
    for match in _RUN.finditer(sentence.text):
        words = _WORD.findall(match.group())
        known = [w for w in words if len(w) > 2 and lexicon.is_known(w.lower())]
        if len(words) == 1 and words[0] not in _STRESSED:
            continue
        # two abbreviations side by side are not words in capitals
        if len(words) > 1 and (
            len(known) < 2 or 2 * len(known) < len(words) or not any(len(w) > _MOST_LETTERS for w in known)
        ):
            continue
        if _DEFINED.match(sentence.text, match.end()):
            continue
        lower = match.group().lower()
        text = lower[:1].upper() + lower[1:] if not sentence.text[: match.start()].strip() else lower
        shown = match.group() if len(match.group()) <= _SHOWN else match.group()[:_SHOWN] + "…"
        yield Finding(
            "PM303",
            *match.span(),
            f"“{shown}” is in capitals. Small letters are easier to read; use bold for weight.",
            (Suggestion(text, "rule"),),
        )


RULES = (
    Rule(
        "PM303",
        "all capitals",
        "Words in capitals are slow to read, and some screen readers spell them out. Write them in small letters. Abbreviations are"
        " left alone.",
        "You MUST NOT DRIVE after taking this medicine.",
        "You must not drive after taking this medicine.",
        sentence=_capitals,
        judged=(28, 33),
    ),
)
