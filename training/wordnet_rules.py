"""Rules from WordNet: synonyms of words in the same form."""

from __future__ import annotations

from collections.abc import Sequence

from plainmark import wordnet
from plainmark.simplifier.rules.building import RuleSource
from plainmark.simplifier.rules.sources import Pair
from plainmark.simplifier.rules.word_facts import inflections


def wordnet_rules(words: Sequence[str]) -> RuleSource:
    """Synonyms of words by WordNet's commonest senses, in the same form as the word."""
    net = wordnet.load()
    pairs: dict[Pair, None] = {}
    for word in words:
        if not word.isalpha() or not word.isascii() or len(word) < 4:
            continue
        for pos, part in (("n", "NOUN"), ("v", "VERB"), ("a", "ADJ"), ("r", "ADV")):
            for base in net.base_forms(word, pos)[:1]:  # type: ignore[arg-type]
                tags = [t for t, forms in inflections(base, part).items() if word in forms]
                for synset in net.synsets(base, pos)[:2]:  # type: ignore[arg-type]
                    for other in synset.words[:4]:
                        if not other.islower() or other == base or not other.isalpha():
                            continue
                        inflected = inflections(other, part)
                        for tag in tags:
                            for form in inflected.get(tag, ())[:1]:
                                if form != word:
                                    pairs[(word,), (form.lower(),)] = None
    return RuleSource("wordnet", sorted(pairs))
