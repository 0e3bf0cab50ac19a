"""Negate sentences: each says the opposite, in grammatical English.

The finite verb of the main clause is denied: "has infected" -> "has not infected", "kills" -> "does not kill", "Take" ->
"Do not take", "Is it safe?" -> "Isn't it safe?". Verbs that share the subject follow ("did not fall and break"). Sentences
that already deny something, and those without a finite verb, are not eligible. Strength is the share of the eligible
sentences that were negated, one negation each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import lexicon
from ..tagger import FINITE, TaggedToken, missing, resources, tag
from . import Edit, EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

_CONTRACTED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "has": "hasn't", "have": "haven't",
    "had": "hadn't", "do": "don't", "does": "doesn't", "did": "didn't", "can": "can't", "could": "couldn't",
    "must": "mustn't", "should": "shouldn't", "will": "won't", "would": "wouldn't", "might": "mightn't",
    "shall": "shan't", "am": "aren't",
}  # fmt: skip
# A sentence that already negates something; "not only", "no doubt" and "No. 5" negate nothing.
_DENIES = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely|least))|cannot|no(?!\s+doubt\b|\.\s*\d)|never|none|nobody|nothing|nowhere"
    r"|neither|without)\b|(?:(?<=\w)|\b)n['’]t\b",
    re.IGNORECASE,
)
_EXPANDED = {"ll": "will", "ve": "have"}
_SUPPORT = {"VBD": "did", "VBZ": "does", "VBP": "do"}
_EMBEDDING = ("SC", "WP")
_SUBJECTS = frozenset("i he she we they".split())
_OPENING = frozenset(
    "because although though if when while since after before as until unless whereas whether once wherever whenever "
    "even".split()
)
_INVERTING = frozenset("so too nor neither than as".split())
_AUXILIARIES = frozenset("having have has had be been being is are was were".split())
_RELATIVE = frozenset("which whose whom who".split())
_SUBORDINATORS = frozenset("before because until unless although whereas if when while".split())
_OPENERS = frozenset("that which who whose ; : how what whether".split())
_SINGULAR = frozenset("this it he she that".split())
_CLAUSES = frozenset("that whether how why what".split())
_LONG = 12
_SUBJECT_WORDS = _SUBJECTS | frozenset("it you which that who this these those there".split())
# Adverbs of the whole sentence precede "not": "is probably not", "are also not".
_BEFORE_NOT = frozenset("probably possibly presumably apparently certainly also still".split())
_WH = frozenset("what who which why how when where whose whom".split())


@dataclass(frozen=True)
class Negate(EditPerturbation):
    """Negates the finite verb of sentences, with do-support if English requires it."""

    form: Annotated[Literal["full", "contracted"], "is not or isn't"] = "full"

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        edits = []
        for i, (start, _) in enumerate(document.sentences):
            if edit := negation(document.sentence(i), self.form):
                edits.append(tuple(Replacement(p.start + start, p.end + start, p.new) for p in edit))
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[i] for i in order], len(edits), "" if edits else "no sentence that may be negated"
        )

    def missing(self) -> str:
        return missing()

    def resources(self) -> dict[str, str]:
        return resources()


def negation(sentence: str, form: str = "full") -> Edit:
    """The edits that negate a sentence; empty if it has no finite verb or already negates something.

    >>> negation("It works.")
    (Replacement(start=3, end=8, new='does not work'),)
    """
    if _DENIES.search(sentence):
        return ()
    tokens = tag(sentence)
    question = sentence.rstrip("\"'”’) ").endswith("?")
    verb = main_verb(tokens, question)
    if verb is None or not (question or _is_certain(tokens, verb)):
        return ()
    if question and _is_inverted(tokens, verb):
        return _in_question(tokens, verb)
    return _in_statement(tokens, verb, form)


def _is_certain(tokens: list[TaggedToken], i: int) -> bool:
    """Whether a verb is certainly finite: not a noun ("cell counts") and not a participle ("patients treated with")."""
    verb = tokens[i]
    before = next((t for t in reversed(tokens[:i]) if t.tag != "RB"), None)
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    earlier = before.text.lower() if before else ""
    if i and tokens[i - 1].text.lower() in _INVERTING:
        return False
    if _is_relative(tokens, i) or (after is not None and after.text == ":"):
        return False
    if earlier == "," and after is not None and after.tag == "CC":
        return False  # "in their ear, nose or throat"
    if verb.tag in _SUPPORT:
        if i and tokens[i - 1].tag == "RB" and tokens[i - 1].text.endswith("ly"):
            return False  # "completely did not stop" is no English
        if earlier in _SINGULAR and verb.tag == "VBP":
            return False
        if _has_rival(tokens, i):
            return False
    if verb.tag in ("VBZ", "VBP"):
        if before is None or earlier in _SUBJECT_WORDS:
            return True
        takes_object = after is not None and (after.tag in ("DT", "PRP$") or after.text.lower() in _CLAUSES)
        joined = bool(after and after.tag == "CC" and [t.tag for t in tokens[i + 2 : i + 3]] == [verb.tag])
        alone = joined or not (_has_finite(tokens, i + 1) or (after and after.text in ":(,"))
        # reported taking afternoon naps; an “out of the ordinary” decline in numbers
        past = (after is None or after.text in ".,;") and any(t.tag in ("VBD", "VBG") for t in tokens[:i])
        unlike = (not takes_object and not alone) or past or earlier in ("”", '"')
        if lexicon.is_noun(verb.text.lower()) and unlike:
            return False
        if before.tag in FINITE:
            return any(t.tag in _EMBEDDING for t in tokens[:i])
        if before.tag not in ("NN", "NNS"):
            return before.tag in ("NNP", "PU", "CD", "VBG")
        return (before.tag == "NNS" or any(t.tag == "CC" for t in tokens[:i])) == (verb.tag == "VBP")
    if verb.tag == "VB" and _has_rival(tokens, i):
        return False  # "Mean age was ..."
    if verb.tag == "VB" and after and after.tag == "IN":
        return not lexicon.is_noun(verb.text.lower())  # "Use of assessment tools ..."
    if verb.tag == "MD" and after and after.text.lower() == "well":
        return False
    if (
        verb.tag == "HV"
        and after
        and after.tag not in ("RB", "BEN", "VBN")
        and any(t.tag == "BEN" for t in tokens[i:])
    ):
        return False  # "has since then been known"
    if verb.tag == "VBD":
        if earlier in _AUXILIARIES or (before and before.tag in ("IN", "CC", "DT")):
            return False
        if after is None or not after.text[0].isalnum():
            # "... the quantity of zinc absorbed."
            return not (verb.text.endswith("ed") and i > _LONG)
        opens_phrase = after.tag in ("IN", "CC", "TO")
        return not (opens_phrase and verb.text.endswith("ed") and _has_finite(tokens, i + 1))
    return not (after and after.text.lower() in ("some", "few", "little"))


def _is_relative(tokens: list[TaggedToken], i: int) -> bool:
    """Whether the verb is the first one after a relative pronoun or a subordinator: "the way in which it works"."""
    subordinators = _SUBORDINATORS
    for token in reversed(tokens[1:i]):
        if token.tag in FINITE:
            return False
        if token.text == ",":
            subordinators = frozenset()
        if token.text.lower() in _RELATIVE or token.text.lower() in subordinators:
            return True
    return False


def _has_rival(tokens: list[TaggedToken], i: int) -> bool:
    """Whether a later finite verb is neither coordinated nor in a clause of its own, so that this one may not be finite."""
    for token in tokens[i + 1 :]:
        if token.tag in (*_EMBEDDING, "CC", "PRP3", "PRPX") or token.text.lower() in _OPENERS:
            return False
        if token.tag in FINITE:
            return True
    return False


def main_verb(tokens: list[TaggedToken], question: bool = False) -> int | None:
    """The finite verb of the main clause, or the verb of a command."""
    i = _beginning(tokens)
    if i >= len(tokens):
        return None
    if question or tokens[i].tag in ("MD", "BE", "HV", "DO"):
        verb = _question_verb(tokens, i)
        if verb is not None:
            return verb
    if tokens[i].tag == "VB":
        return i
    if tokens[i].text.lower() in _OPENING:
        i = _after_clause(tokens, i)
    pending = depth = 0
    last_embedded = -9
    for j in range(i, len(tokens)):
        token = tokens[j]
        if token.text in "([":
            depth += 1
        elif token.text in ")]":
            depth = max(depth - 1, 0)
        if depth:
            continue
        if (j > i and (token.tag in _EMBEDDING and _is_clause(tokens, j))) or (
            j > i
            and token.text.lower() in _SUBJECTS | {"it", "you"}
            and tokens[j - 1].tag in ("NN", "NNS", "NNP")
        ):
            pending += 1
        elif token.tag in FINITE:
            if pending:
                pending, last_embedded = pending - 1, j
            elif _goes_on(tokens, last_embedded, j) and _has_finite(tokens, j + 1):
                last_embedded = j
            else:
                return j
    return None


def _beginning(tokens: list[TaggedToken]) -> int:
    """The index of the first word after marks, conjunctions and adverbs at the beginning of the sentence."""
    i = 0
    while i < len(tokens) and (tokens[i].tag in ("PU", "CC", "RB", "UH") or tokens[i].text in "([{"):
        i += 1
    # "Then, carefully, take ..." and "In summary, take ..."
    if i < len(tokens) and tokens[i].tag == "IN":
        comma = next((j for j in range(i, len(tokens)) if tokens[j].text in ",:"), None)
        if comma is not None and comma + 1 < len(tokens) and not _has_finite(tokens[:comma], i):
            after = comma + 1 + _beginning(tokens[comma + 1 :])
            is_verb = after < len(tokens) and tokens[after].tag in ("VB", "VBP")
            if is_verb and not _has_finite(tokens, after + 1):
                return after
    return i


def _after_clause(tokens: list[TaggedToken], i: int) -> int:
    """The index at which the main clause begins after a clause such as "If it rains,"."""
    clause = False
    for j in range(i + 1, len(tokens)):
        if tokens[j].tag in FINITE:
            clause = True
        # The comma that ends the clause: the words after it contain a finite verb of their own.
        if tokens[j].text == "," and _has_finite(tokens, j + 1) and (clause or _is_phrase(tokens, i)):
            rest = tokens[j + 1 :]
            k = _beginning(rest)
            if k < len(rest) and rest[k].tag in ("VB", "VBP") and not any(t.tag in FINITE for t in rest[:k]):
                return j + 1 + k
            if rest and rest[0].tag != "CC" and rest[0].tag != "WP":
                return j + 1
    first = next((j for j in range(i + 1, len(tokens)) if tokens[j].tag in FINITE), None)
    if first is not None and _has_finite(tokens, first + 1):
        return first + 1
    return i + 1


def _is_phrase(tokens: list[TaggedToken], i: int) -> bool:
    """Whether a subordinator opens a phrase without a finite verb: "After eating,", "As shown,"."""
    return i + 1 < len(tokens) and tokens[i + 1].tag in ("VBG", "VBN", "JJ", "IN", "NN", "NNS", "DT", "CD")


def _is_clause(tokens: list[TaggedToken], j: int) -> bool:
    """Whether the words after a subordinator contain a finite verb before the next mark; "as a result" has none."""
    for k in range(j + 1, len(tokens)):
        if tokens[k].tag in FINITE:
            return True
        if tokens[k].text in ",;:()" and tokens[j].tag != "WP":
            return False
    return False


def _has_finite(tokens: list[TaggedToken], start: int) -> bool:
    return any(t.tag in FINITE for t in tokens[start:])


def _goes_on(tokens: list[TaggedToken], embedded: int, j: int) -> bool:
    """Whether verb j is coordinated with the verb of a clause inside the subject: "people who smoke and drink die"."""
    between = tokens[embedded + 1 : j]
    joint = [t.tag for t in between if t.tag not in ("RB", "PU")]
    return embedded >= 0 and bool(joint) and joint[-1] == "CC"


def _question_verb(tokens: list[TaggedToken], i: int) -> int | None:
    """The auxiliary of a question: at its beginning, or after the question word and its noun."""
    if tokens[i].tag in ("MD", "BE", "HV", "DO"):
        return i
    if tokens[i].text.lower() in _WH:
        return next((j for j in range(i + 1, len(tokens)) if tokens[j].tag in FINITE), None)
    return None


def _is_inverted(tokens: list[TaggedToken], i: int) -> bool:
    """Whether an auxiliary precedes its subject."""
    if tokens[i].tag not in ("MD", "BE", "HV", "DO") or tokens[i].text.lower() not in _CONTRACTED:
        return False
    first = _beginning(tokens)
    if i == first:
        return True
    if tokens[first].text.lower() not in _WH or i + 1 >= len(tokens):
        return False
    after = next((t for t in tokens[i + 1 :] if t.tag != "RB"), tokens[-1])
    # "Who has left?" asks for the subject itself.
    return after.tag in ("DT", "PRP3", "PRPX", "NN", "NNS", "NNP", "EX", "CD", "OBJ") or (
        after.tag == "JJ" and tokens[i].tag == "DO"
    )


def _in_question(tokens: list[TaggedToken], i: int) -> Edit:
    verb = tokens[i]
    return (Replacement(verb.start, verb.end, _cased(_CONTRACTED[verb.text.lower()], verb.text)),)


def _in_statement(tokens: list[TaggedToken], i: int, form: str) -> Edit:
    verb = tokens[i]
    word = verb.text.lower()
    after = [t for t in tokens[i + 1 :] if t.tag != "RB"]
    following = after[0] if after else None
    beside = tokens[i + 1] if i + 1 < len(tokens) else None
    if beside and beside.text.lower() in ("better", "best") and word in ("had", "'d", "’d"):
        return (Replacement(beside.end, beside.end, " not"),)
    if verb.tag == "VB":
        return _in_command(tokens, i, form)
    if word.startswith(("'", "’")):
        return _after_clitic(verb, following)
    if word == "ought":
        return (Replacement(verb.end, verb.end, " not"),)
    if verb.tag == "HV" and not (following and _is_participle(following)):
        return _with_support(tokens, i, {"had": "VBD", "has": "VBZ", "have": "VBP"}[word], "have", form)
    if verb.tag == "DO" and (not following or following.tag not in ("VB", "HV", "DO", "BEN")):
        return _with_support(tokens, i, {"did": "VBD", "does": "VBZ", "do": "VBP"}[word], "do", form)
    if verb.tag in _SUPPORT:
        if word == "used" and following and following.text.lower() == "to":
            return (Replacement(verb.start, verb.end, f"{_support('VBD', form)} use"),)
        return _with_support(tokens, i, verb.tag, verb.lemma, form)
    if word == "can":
        return (
            Replacement(verb.start, verb.end, _cased("cannot" if form == "full" else "can't", verb.text)),
        )
    if form == "contracted" and word in _CONTRACTED and word not in ("am", "shall", "might"):
        return (Replacement(verb.start, verb.end, _cased(_CONTRACTED[word], verb.text)),)
    if beside and beside.text.lower() in _BEFORE_NOT:
        verb = beside
    return (Replacement(verb.end, verb.end, " not"),)


def _is_participle(token: TaggedToken) -> bool:
    return token.tag in ("VBN", "BEN") or token.text.lower() in ("had", "done")


def _in_command(tokens: list[TaggedToken], i: int, form: str) -> Edit:
    verb = tokens[i]
    word = verb.text.lower()
    if word == "let" and i + 1 < len(tokens) and tokens[i + 1].text.lower() in ("us", "'s", "’s"):
        return (Replacement(tokens[i + 1].end, tokens[i + 1].end, " not"),)
    new = _cased("do not" if form == "full" else "don't", verb.text)
    return (Replacement(verb.start, verb.end, f"{new} {word}"),)


def _after_clitic(verb: TaggedToken, following: TaggedToken | None) -> Edit:
    ending = verb.text.lower()[1:]
    if ending == "d":
        full = (
            "had"
            if following and following.tag in ("VBN", "VBD", "BEN") and following.text.lower() != "be"
            else "would"
        )
        return (Replacement(verb.start, verb.end, f" {full} not"),)
    if ending in _EXPANDED:
        return (Replacement(verb.start, verb.end, f" {_EXPANDED[ending]} not"),)
    return (Replacement(verb.end, verb.end, " not"),)


def _with_support(tokens: list[TaggedToken], i: int, tense: str, base: str, form: str) -> Edit:
    """do, does or did before the base form; coordinated verbs take their base form too."""
    verb = tokens[i]
    pieces = [Replacement(verb.start, verb.end, _cased(f"{_support(tense, form)} {base}", verb.text))]
    # An adverb directly before the verb stays there: "usually helps" -> "usually does not help".
    for j in range(i + 1, len(tokens)):
        token = tokens[j]
        if token.tag in ("SC", "WP", "PRP3", "PRPX", "EX") or token.text in ".;:()?!":
            break
        if token.tag == tense and _is_coordinated(tokens, j) and token.lemma != token.text:
            pieces.append(Replacement(token.start, token.end, token.lemma))
        elif token.tag in FINITE:
            break
    return tuple(pieces)


def _is_coordinated(tokens: list[TaggedToken], j: int) -> bool:
    before = [t for t in tokens[:j] if t.tag != "RB"]
    return bool(before) and (before[-1].tag == "CC" or before[-1].text == ",")


def _support(tense: str, form: str) -> str:
    full = _SUPPORT[tense]
    return f"{full} not" if form == "full" else _CONTRACTED[full]


def _cased(new: str, like: str) -> str:
    """The words, capitalised if the word that they replace is."""
    return new[0].upper() + new[1:] if like[:1].isupper() and not re.fullmatch(r"I|[A-Z]{2,}", like) else new
