"""Replace verbs by related ones with the same sense and construction, in the same form.

Synonyms and antonyms are those of verbs.txt, which lists the construction in which each can replace the verb; WordNet adds
those of verbs with only one sense. A word counts as a verb only if nothing suggests a noun, and the new sentence must not
be much less likely than the old one under a language model.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import numpy as np

from .. import lexicon, lm
from ..tagger import TaggedToken, inflect, net, tag
from . import Edit, EditPlan, Replacement, TextDocument, pick, shuffled

_FORMS = frozenset("VB VBP VBZ VBD VBN VBG".split())
_NOUNS = frozenset("NN NNS NNP".split())
_OBJECT = frozenset("DT NN NNS NNP JJ CD PRP$ OBJ PRPX PRP3 VBG VBN".split())
_PREPOSITIONS = frozenset("by for in of without after before while when and".split())
_PARTICLES = frozenset(
    "up out off down over away back through along apart about around within into under".split()
)
_SUBJECTS = frozenset("NN NNS NNP PRP3 PRPX HV BE BEN TO MD DO WP".split())
_NARROW = frozenset("to that whether if how as on onto upon".split())
_UNSEEN = frozenset("overlook miss".split())  # verbs for things that nobody does with care or on purpose
# Largest loss of log-probability (natural logarithm) of a sentence.
_LESS_LIKELY = 9.0

Related = Callable[[str, str], tuple[str, ...]]


def swaps(document: TextDocument, related: Related, rng: np.random.Generator, nothing: str) -> EditPlan:
    """An edit for each verb that has a related one."""
    edits: list[Edit] = []
    for i, (start, _) in enumerate(document.sentences):
        sentence = document.sentence(i)
        tokens = tag(sentence)
        for k, token in enumerate(tokens):
            if not is_verb_here(tokens, k):
                continue
            words = related(token.lemma, construction(tokens, k))
            if _is_deliberate(tokens, k):
                words = tuple(word for word in words if word not in _UNSEEN)
            forms = [
                form for word in words if (form := in_form(word, token.tag)) and _is_sure(tokens, k, word)
            ]
            draw = pick(max(len(forms), 1), rng)
            if not forms:
                continue
            new = forms[draw]
            if token.text[0].isupper():
                new = new[0].upper() + new[1:]
            pieces = [Replacement(token.start, token.end, new), *_article(sentence, token, new)]
            if _is_likely(sentence, token, new):
                edits.append(tuple(Replacement(p.start + start, p.end + start, p.new) for p in pieces))
    order = shuffled(len(edits), rng)
    return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)


def is_verb_here(tokens: list[TaggedToken], k: int) -> bool:
    """Whether a word with a verb's tag is not a noun and not part of a phrasal verb or a name."""
    token = tokens[k]
    word = token.text.lower()
    before = tokens[k - 1] if k else None
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    if token.tag not in _FORMS or not token.text.isalpha() or (token.text[0].isupper() and k):
        return False
    if after and (after.text.lower() in _PARTICLES or after.text in "-‐‑"):
        return False
    if _is_attributive(tokens, k):
        return False
    earlier = before.text.lower() if before else ""
    if token.tag == "VB":
        return earlier == "to" or bool(before and before.tag in ("MD", "DO"))
    if token.tag == "VBG":
        if before and before.tag in ("BE", "BEN"):
            return True
        return earlier in _PREPOSITIONS and bool(after and after.tag in ("DT", "PRP$"))
    if token.tag in ("VBZ", "VBP"):
        if earlier in ("it", "they", "we", "he", "she", "which", "that", "who", "this", "these"):
            return True
        if lexicon.is_noun(word):
            return bool(before and before.tag in _NOUNS and after and after.tag in ("DT", "PRP$") and k > 1)
        return bool(before and (before.tag in _NOUNS or before.tag == "RB"))
    # An -ed form is not a noun; directly before a noun it may be part of a term.
    return word.endswith("ed") or not lexicon.is_noun(word)


def _is_attributive(tokens: list[TaggedToken], k: int) -> bool:
    """Whether a participle precedes its noun, where it may be part of a term: "estimated GFR", "LPS induced injury"."""
    before = tokens[k - 1] if k else None
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    if tokens[k].tag not in ("VBN", "VBD") or after is None or after.tag not in ("NN", "NNS", "NNP", "JJ"):
        return False
    if before is not None and before.text[-1:].isupper() and before.text[:1].isupper():
        return tokens[k].lemma in ("induce", "mediate", "trigger")
    return before is None or before.tag not in _SUBJECTS


def _is_deliberate(tokens: list[TaggedToken], k: int) -> bool:
    """Whether something is done with care or on purpose: "carefully observed", "identified for review", "to detect"."""
    before = tokens[k - 1].text.lower() if k else ""
    after = tokens[k + 1].text.lower() if k + 1 < len(tokens) else ""
    return before.endswith("ly") or before == "to" or after == "for"


def construction(tokens: list[TaggedToken], k: int) -> str:
    """ "ta" with an object, "t" in the passive, "i" without; empty before "to", "that" or "on", where few verbs fit."""
    after = next((t for t in tokens[k + 1 :] if t.tag != "RB"), None)
    if after is not None and after.text.lower() in _NARROW:
        return ""
    if _is_dated(tokens, k):
        return ""
    if tokens[k].tag == "VBN" and not _is_perfect(tokens, k):
        return "t"
    if after is None or after.tag not in _OBJECT or after.text in ".,;:()":
        return "i"
    return "ta"


def _is_dated(tokens: list[TaggedToken], k: int) -> bool:
    """Whether a time or a place follows, which not every verb allows: "died in 1946", "fell in April"."""
    following = tokens[k + 1 : k + 3]
    return len(following) == 2 and following[0].text.lower() == "in" and following[1].tag in ("CD", "NNP")


def _is_perfect(tokens: list[TaggedToken], k: int) -> bool:
    """Whether a participle follows have: "has increased"."""
    before = [t for t in tokens[max(0, k - 3) : k] if t.tag != "RB"]
    return bool(before) and (before[-1].tag == "HV" or before[-1].text.lower() in ("have", "having"))


def in_form(word: str, tag_: str) -> str:
    """A verb in a form."""
    forms = inflect(word, tag_) if tag_ not in ("VB", "VBP") else (word,)
    return forms[0] if forms else ""


def _is_sure(tokens: list[TaggedToken], k: int, word: str) -> bool:
    """Whether a past form is unambiguous: if the new verb has two ("began", "begun"), be or have must decide."""
    if tokens[k].tag not in ("VBD", "VBN") or in_form(word, "VBD") == in_form(word, "VBN"):
        return True
    before = [t for t in tokens[max(0, k - 3) : k] if t.tag != "RB"]
    helped = bool(before) and before[-1].tag in ("BE", "BEN", "HV")
    return helped == (tokens[k].tag == "VBN")


def _article(sentence: str, token: TaggedToken, new: str) -> list[Replacement]:
    """The change that makes "a" before the word agree with the new word."""
    before = sentence[: token.start]
    for old, other in (("a", "an"), ("an", "a")):
        if before.endswith(f" {old} ") and (new[0].lower() in "aeio") == (other == "an"):
            end = token.start - 1
            return [Replacement(end - len(old), end, other)]
    return []


def _is_likely(sentence: str, token: TaggedToken, new: str) -> bool:
    changed = sentence[: token.start] + new + sentence[token.end :]
    losses, _ = lm.embedded().log_likelihood([sentence, changed])
    return bool(losses[1] - losses[0] <= _LESS_LIKELY)


@cache
def _listed() -> dict[str, tuple[str, str]]:
    """The list that comes with the package: verb -> synonyms, antonyms."""
    text = files(__package__).joinpath("verbs.txt").read_text("utf-8")
    rows = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            verb, _, rest = line.partition("=")
            same, _, opposite = rest.partition("|")
            rows[verb.strip()] = same.strip(), opposite.strip()
    return rows


def synonyms(base: str, construction: str = "ta") -> tuple[str, ...]:
    """Verbs that mean the same in a construction."""
    if base in _listed():
        return _fitting(_listed()[base][0], construction)
    return _only_sense(base) if construction else ()


def antonyms(base: str, construction: str = "ta") -> tuple[str, ...]:
    """Verbs that mean the opposite in a construction."""
    if base in _listed():
        return _fitting(_listed()[base][1], construction)
    return _only_antonyms(base) if construction else ()


def _fitting(words: str, construction: str) -> tuple[str, ...]:
    pairs = (word.split("/") for word in words.split())
    return tuple(word for word, needed in pairs if needed in construction)


@cache
def _only_sense(base: str) -> tuple[str, ...]:
    """Other single words of a verb's only sense that have only this sense, too."""
    known = net()
    senses = known.synsets(base, "v")
    if len(senses) != 1:
        return ()
    words = [w for w in senses[0].words if w.isalpha() and w.islower() and _spelling(w) != _spelling(base)]
    return tuple(dict.fromkeys(w for w in words if len(known.synsets(w, "v")) == 1))


@cache
def _only_antonyms(base: str) -> tuple[str, ...]:
    known = net()
    senses = known.synsets(base, "v")
    if len(senses) != 1:
        return ()
    words = [w for _, w in known.related_words(senses[0], base, "!") if w.isalpha()]
    return tuple(dict.fromkeys(words))


def _spelling(word: str) -> str:
    return word.lower().replace("z", "s").replace("our", "or")
