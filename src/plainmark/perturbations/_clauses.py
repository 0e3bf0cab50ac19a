"""Clauses at the ends of sentences, which can be left out or added without a change to the rest."""

from __future__ import annotations

import re

from .. import lexicon

# What may go: why, when, although, which, with what result.
OMISSIBLE = re.compile(
    r",\s+(?:which|who|whose|where|because|although|though|whereas|while|since|unless|if|when|until|suggesting|indicating|implying"
    r"|resulting\s+in|leading\s+to|making|allowing|causing|thereby\s+\w+ing|thus\s+\w+ing|such\s+as|including|especially|particularly)"
    r"\s[^,;:()]{12,}(?=[.!?]$)"
)
# What may come: clauses and phrases that say something by themselves.
ADDITION = re.compile(
    r",?\s+(?P<clause>(?:because|although|whereas|while|suggesting\s+that|indicating\s+that|due\s+to|leading\s+to|resulting\s+in"
    r"|especially\s+in|particularly\s+in|even\s+in|mainly\s+in)\s[^,;:()\[\]\d%\"]{20,140})(?=\.$)"
)
# Words that refer to something that another text does not have.
_REFERRING = frozenset(
    """
    this these those that it its they them their theirs we our ours us he his she her both latter former such other others another
    here there same either neither each which who whose study review present current article paper authors findings case patient
    above below report group groups
    """.split()
)
_AUXILIARY = frozenset(
    "is are was were be been has have had can could may might must will would shall should do does did cannot".split()
)


_SUBJECTS = (["he"], ["she"], ["it"], ["we"], ["they"], ["you"])
_CONJUNCTIONS = ("because", "although", "whereas", "while")


def stands_alone(words: list[str]) -> bool:
    """Whether words are likely to have a finite verb: a subject pronoun, an auxiliary, or a word that is a verb and no noun."""
    return words[:1] in _SUBJECTS or any(
        w in _AUXILIARY or (lexicon.is_verb(w) and not lexicon.is_noun(w)) for w in words
    )


def clauses(sentence: str) -> list[str]:
    """The clause at the end of a sentence if it could be said of something else, as a list of one or none."""
    match = ADDITION.search(sentence)
    if match is None:
        return []
    clause = " ".join(match["clause"].split())
    words = re.findall(r"\w+", clause.lower())
    if _REFERRING.intersection(words[1:]) - ({"that"} if words[1] == "that" else set()):
        return []
    is_clause = words[1] == "that" or (words[0] in _CONJUNCTIONS and words[1] != "of")
    if is_clause and words[1].endswith("ing"):
        return []  # "while taking the drug": who takes it?
    has_verb = stands_alone(words[2:])
    return [clause] if has_verb == is_clause else []
