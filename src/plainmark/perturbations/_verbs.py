"""Swapping verbs for related ones, in the form that they are in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ..tagger import TaggedToken, inflect, net, tag
from . import Edit, EditPlan, Replacement, TextDocument, pick, shuffled

# Verbs that carry little meaning of their own; auxiliaries have tags of their own and are never swapped.
_LIGHT = frozenset("be have do get let need dare".split())
_PARTICLES = frozenset("up out off on in down over away back through along apart about around".split())
_FORMS = frozenset("VB VBP VBZ VBD VBN VBG".split())

Related = Callable[[str], tuple[str, ...]]


def swaps(document: TextDocument, related: Related, rng: np.random.Generator, nothing: str) -> EditPlan:
    """An edit for each verb that has a related one."""
    edits: list[Edit] = []
    for i, (start, _) in enumerate(document.sentences):
        tokens = tag(document.sentence(i))
        for k, token in enumerate(tokens):
            if token.tag in _FORMS and (new := _swap(tokens, k, related, rng)):
                end, text = new
                edits.append((Replacement(start + token.start, start + end, text),))
    order = shuffled(len(edits), rng)
    return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)


def _swap(
    tokens: list[TaggedToken], k: int, related: Related, rng: np.random.Generator
) -> tuple[int, str] | None:
    """Where the verb ends and what replaces it; a verb with its particle ("carry out") is one verb."""
    token = tokens[k]
    if token.lemma in _LIGHT or not token.text.isalpha():
        return None
    end, base = token.end, token.lemma
    if k + 1 < len(tokens) and tokens[k + 1].text.lower() in _PARTICLES:
        phrase = f"{base}_{tokens[k + 1].text.lower()}"
        if is_verb(phrase):
            end, base = tokens[k + 1].end, phrase
    candidates = [form for word in related(base) if (form := in_form(word, token.tag))]
    draw = pick(max(len(candidates), 1), rng)
    if not candidates:
        return None
    new = candidates[draw]
    return end, new[0].upper() + new[1:] if token.text[0].isupper() else new


def in_form(word: str, tag_: str) -> str:
    """A verb in a form; of a verb with a particle the first word changes."""
    head, _, rest = word.partition("_")
    forms = inflect(head, tag_) if tag_ not in ("VB", "VBP") else (head,)
    return " ".join([forms[0], *([rest.replace("_", " ")] if rest else [])]) if forms else ""


@cache
def is_verb(phrase: str) -> bool:
    return phrase in net().base_forms(phrase, "v")


@cache
def synonyms(base: str) -> tuple[str, ...]:
    """Other single words of the commonest sense that has any."""
    known = net()
    for synset in known.synsets(base, "v"):
        if base not in (w.lower() for w in synset.words):
            continue
        # Another spelling (analyze, analyse) is no other word.
        others = [w for w in synset.words if w.isalpha() and w.islower() and _spelling(w) != _spelling(base)]
        if others:
            return tuple(dict.fromkeys(others))
    return ()


@cache
def antonyms(base: str) -> tuple[str, ...]:
    """The direct antonyms of a verb, of its commonest sense that has any."""
    known = net()
    for synset in known.synsets(base, "v"):
        words = [w for _, w in known.related_words(synset, base, "!") if w.replace("_", "").isalpha()]
        if words:
            return tuple(dict.fromkeys(words))
    return ()


def _spelling(word: str) -> str:
    return word.lower().replace("z", "s").replace("our", "or")
