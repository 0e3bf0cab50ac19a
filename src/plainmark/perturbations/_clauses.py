"""Finds clauses at the ends of sentences that can be left out, and checks that the rest is a sentence."""

from __future__ import annotations

import re

from .. import lexicon

# clauses that may be removed: reasons, times, concessions, relative clauses, results
OMISSIBLE = re.compile(
    r",\s+(?:which|who|whose|where|because|although|though|whereas|while|since|unless|if|when|until|suggesting|indicating|implying"
    r"|resulting\s+in|leading\s+to|making|allowing|causing|thereby\s+\w+ing|thus\s+\w+ing"
    r"|(?:such\s+as|including|especially|particularly)(?![^,;:()]*\s(?:is|are|was|were|has|have|had)\s))"
    r"\s[^,;:()]{12,}(?=[.!?]$)"
)
_AUXILIARY = frozenset(
    "is are was were be been has have had can could may might must will would shall should do does did cannot".split()
)


_SUBJECTS = (["he"], ["she"], ["it"], ["we"], ["they"], ["you"])


def stands_alone(words: list[str]) -> bool:
    """Whether words probably contain a finite verb: a subject pronoun, an auxiliary, or a word that is only a verb."""
    return words[:1] in _SUBJECTS or any(
        w in _AUXILIARY or (lexicon.is_verb(w) and not lexicon.is_noun(w)) for w in words
    )
