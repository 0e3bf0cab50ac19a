"""Wrong pronouns: he for she, her for his, we for they: the text is about someone else.

"They" and its forms are swapped only if a word for people precedes them, in the same sentence or the one before:
"these drugs and our side effects" is no error that a writer would make. Strength is the share of such pronouns that were
swapped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from .. import lexicon
from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

# "Her" and "his" may be alone or before a noun; the table has only words that can be swapped without changing the verb.
_OTHER = {
    "he": "she", "she": "he", "him": "her", "his": "her", "himself": "herself", "herself": "himself", "we": "they",
    "they": "we", "our": "their", "their": "our", "us": "them", "them": "us", "ours": "theirs", "theirs": "ours",
    "ourselves": "themselves", "themselves": "ourselves",
}  # fmt: skip
_PRONOUN = re.compile(rf"(?<![\w'’-])(?:{'|'.join(_OTHER)})(?![\w'’-])", re.IGNORECASE)
_THEY = frozenset("they them their theirs themselves".split())
_PEOPLE = re.compile(
    r"\b(?:patient|participant|subject|individual|volunteer|adult|child|adolescent|infant|newborn|woman|man|girl|boy|mother|father|parent"
    r"|famil(?:y|ies)|person|people|clinician|physician|doctor|nurse|student|author|researcher|worker|survivor|carrier|smoker|relative"
    r"|women|men|children|members|donors|recipients|(?:s?he|we|they)\b)\w*",
    re.IGNORECASE,
)
_NOUN_FOLLOWS = re.compile(r"\s+[^\W\d_]")


@dataclass(frozen=True)
class WrongPronoun(EditPerturbation):
    """Swaps pronouns for others of the same form."""

    criterion = "faithfulness"
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        edits = []
        for match in _PRONOUN.finditer(document.text):
            word = match.group()
            if word.isupper() and len(word) > 1:
                continue  # an abbreviation: US, HE
            if word.lower() in _THEY and not _is_about_people(document, match.start()):
                continue
            if word.lower() == "his" and not _NOUN_FOLLOWS.match(document.text, match.end()):
                continue  # "it is his" would be "hers"
            new = _OTHER[word.lower()]
            edits.append((Replacement(*match.span(), new.capitalize() if word[0].isupper() else new),))
        order = shuffled(len(edits), rng)
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else "no pronouns")


def _is_about_people(document: TextDocument, place: int) -> bool:
    """Whether the nearest plural that a pronoun can refer to is a word for people."""
    before = [i for i, (start, _) in enumerate(document.sentences) if start <= place]
    start = document.sentences[max(before[-1] - 1, 0)][0] if before else 0
    nouns = re.findall(r"[^\W\d_]+", document.text[start:place])
    plurals = [
        w for w in nouns if _PEOPLE.fullmatch(w) or (lexicon.is_noun(w.lower()) and _is_plural(w.lower()))
    ]
    return bool(plurals) and bool(_PEOPLE.fullmatch(plurals[-1]))


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and lexicon.base(word) != word
