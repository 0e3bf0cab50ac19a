"""Wrong pronouns: he for she, her for his, it for they: the text is about someone else. Strength is the share of pronouns."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

# "Her" and "his" may stand alone or before a noun; only words that are swapped without a change of the verb are here.
_OTHER = {
    "he": "she", "she": "he", "him": "her", "his": "her", "himself": "herself", "herself": "himself", "we": "they",
    "they": "we", "our": "their", "their": "our", "us": "them", "them": "us", "ours": "theirs", "theirs": "ours",
    "ourselves": "themselves", "themselves": "ourselves",
}  # fmt: skip
_PRONOUN = re.compile(rf"(?<![\w'’-])(?:{'|'.join(_OTHER)})(?![\w'’-])", re.IGNORECASE)
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
            if word.lower() == "his" and not _NOUN_FOLLOWS.match(document.text, match.end()):
                continue  # "it is his" would be "hers"
            new = _OTHER[word.lower()]
            edits.append((Replacement(*match.span(), new.capitalize() if word[0].isupper() else new),))
        order = shuffled(len(edits), rng)
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else "no pronouns")
