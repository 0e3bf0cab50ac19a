"""Nouns that hide a verb, and several nouns in a row."""

from __future__ import annotations

from collections.abc import Iterator

from .. import lexicon
from ._analysis import Words
from ._findings import Finding, Rule, Sentence, Suggestion
from ._inflection import cased

# The verb that each noun hides.
_VERBS = {
    noun: verb
    for pair in """
    decision decide;assessment assess;investigation investigate;analysis analyse;evaluation evaluate;examination examine;
    assumption assume;contribution contribute;improvement improve;recommendation recommend;
    suggestion suggest;comparison compare;review review;inspection inspect;calculation calculate;measurement measure;
    payment pay;application apply;complaint complain;request request;announcement announce;statement state;
    agreement agree;arrangement arrange;judgement judge;judgment judge;selection select;choice choose;
    discussion discuss;explanation explain;description describe;estimate estimate;
    reference refer;reduction reduce;survey survey;
    attempt try;effort try;preparation prepare;provision provide;implementation implement;utilisation use;
    utilization use;establishment establish;completion complete;submission submit;identification identify;determination determine;
    consideration consider;introduction introduce;removal remove;collection collect;creation create;production produce;
    development develop;management manage;promotion promote;protection protect;prevention prevent;
    adoption adopt;addition add;administration give;application apply;modification change;alteration change;
    installation install;maintenance maintain;monitoring monitor;optimisation improve;
    optimization improve;achievement achieve;acquisition acquire;allocation allocate;approval approve;
    clarification clarify;confirmation confirm;construction build;consultation consult;deployment deploy;detection detect;
    distribution distribute;enforcement enforce;enhancement improve;exploration explore;facilitation help;formation form;
    formulation form;inclusion include;integration integrate;interpretation interpret;observation observe;
    participation participate;performance perform;planning plan;publication publish;realisation realise;replacement replace;
    resolution resolve;restoration restore;restriction restrict;simplification simplify;supervision supervise;
    transformation transform;treatment treat;verification verify;withdrawal withdraw;search search;study study;inquiry inquire;enquiry enquire
    """.replace("\n", "").split(";")
    for noun, verb in [pair.split()]
}
_SINGULAR = {
    f: n
    for n in _VERBS
    for f in (n, "analyses" if n == "analysis" else n + ("es" if n.endswith("ch") else "s"))
}
_LIGHT = {
    "make": "assumption decision contribution improvement recommendation suggestion comparison calculation measurement payment "
    "application complaint request announcement statement arrangement judgement judgment selection choice estimate "
    "reference reduction attempt effort provision modification alteration",
    "conduct": "assessment investigation analysis evaluation examination review inspection survey search study inquiry enquiry comparison",
    "perform": "assessment investigation analysis evaluation examination review inspection search comparison calculation measurement",
    "undertake": "assessment investigation analysis evaluation examination review inspection survey search study comparison",
    "carry out": "assessment investigation analysis evaluation examination review inspection survey search study comparison calculation measurement",
    "give": "explanation description consideration",
    "provide": "explanation description clarification protection estimate",
    "have": "discussion",
    "hold": "discussion consultation",
    "reach": "agreement decision",
    "come to": "agreement decision",
}
_FORMS = {
    "make": "make makes made making",
    "conduct": "conduct conducts conducted conducting",
    "perform": "perform performs performed performing",
    "undertake": "undertake undertakes undertook undertaking",
    "carry": "carry carries carried carrying",
    "give": "give gives gave giving",
    "provide": "provide provides provided providing",
    "have": "have has had having",
    "hold": "hold holds held holding",
    "reach": "reach reaches reached reaching",
    "come": "come comes came coming",
}
_FORM_OF = {form: (verb, k) for verb, forms in _FORMS.items() for k, form in enumerate(forms.split())}
_PARTICLE = {"carry": "out", "come": "to"}
_PHRASES = {verb.split()[0]: frozenset(nouns.split()) for verb, nouns in _LIGHT.items()}
_BE_HAVE = frozenset("is are was were be been being has have had 's 've".split())
_DETERMINERS = frozenset("a an the".split())
_SUBJECTS = {
    form: noun
    for form, noun in _SINGULAR.items()
    if noun
    in "assessment investigation analysis evaluation examination inspection comparison calculation measurement selection review"
    " search survey decision payment attempt".split()
}
_BE_FORMS = frozenset(
    "is are was were be been being has have had will can could should must may also not".split()
)
_DONE = frozenset("made performed conducted undertaken carried done".split())
# Prepositions after the noun that fit the verb, too; others are removed with the noun.
_DROPPED = {
    "assessment": "of", "investigation": "of into", "analysis": "of", "evaluation": "of", "examination": "of", "review": "of",
    "inspection": "of", "survey": "of", "study": "of", "comparison": "of", "calculation": "of", "measurement": "of",
    "discussion": "of about on", "explanation": "of", "description": "of", "estimate": "of", "reduction": "in of",
    "improvement": "to in of", "modification": "to of", "alteration": "to of", "request": "for", "consideration": "to",
    "announcement": "of", "selection": "of", "assumption": "of", "recommendation": "of", "suggestion": "of", "clarification": "of",
    "protection": "of to",
}  # fmt: skip
_KEPT = {"contribution": "to", "application": "for to", "complaint": "about", "reference": "to", "agreement": "on with", "decision": "to on",
         "payment": "for", "search": "for", "attempt": "to", "effort": "to", "consultation": "with on", "inquiry": "into", "enquiry": "into",
         "arrangement": "for to", "choice": "between", "judgement": "", "judgment": "", "statement": "that", "provision": "for"}  # fmt: skip
_BEFORE = {
    "for": "to",
    "in": "in",
    "by": "by",
    "through": "by",
    "via": "by",
    "after": "after",
    "before": "before",
    "without": "without",
}
_DOUBLED = frozenset("plan submit".split())
_PAST = {"choose": "chose", "pay": "paid", "give": "gave", "withdraw": "withdrew", "build": "built"}


def _verb_form(verb: str, k: int) -> str:
    """The base form, third person, past or -ing form of a verb."""
    if k == 0:
        return verb
    if k == 1:
        if verb.endswith(("s", "x", "ch", "sh")):
            return verb + "es"
        return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"
    double = verb + verb[-1] if verb in _DOUBLED else verb
    if k == 2:
        if verb in _PAST:
            return _PAST[verb]
        if verb.endswith("e"):
            return verb + "d"
        return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeiou" else double + "ed"
    return verb[:-1] + "ing" if verb.endswith("e") and not verb.endswith("ee") else double + "ing"


def _hidden_verbs(sentence: Sentence) -> Iterator[Finding]:
    words = sentence.words
    for i, word in enumerate(words.lower):
        if word in _FORM_OF:
            match = _light_verb(words, i)
        elif word in _BEFORE:
            match = _after_preposition(words, i)
        elif word in _SUBJECTS:
            match = _made(words, i)
        else:
            continue
        if match:
            end, noun, better = match
            start, stop = words.starts[i], words.ends[end]
            written = sentence.text[start:stop]
            offers = (Suggestion(cased(better, written), "rule"),) if better else ()
            yield Finding(
                "PM105",
                start,
                stop,
                f"“{written}” hides the verb “{_VERBS[noun]}” in a noun. The verb is shorter and says who acts.",
                offers,
            )


def _light_verb(words: Words, i: int) -> tuple[int, str, str] | None:
    """The last word of "make a decision", its noun, and the verb in the form of "make"."""
    verb, k = _FORM_OF[words.lower[i]]
    j = i + 1
    if verb in _PARTICLE:
        if j >= len(words) or words.lower[j] != _PARTICLE[verb]:
            return None
        j += 1
    if j < len(words) and words.lower[j] in _DETERMINERS:
        j += 1
    described = j
    while described < j + 2 and described < len(words) and words.is_form(described, "JJ", "VBN", "NN"):
        if _SINGULAR.get(words.lower[described], "") in _PHRASES[verb]:
            break
        described += 1
    if described >= len(words) or _SINGULAR.get(words.lower[described], "") not in _PHRASES[verb]:
        return None
    noun = _SINGULAR[words.lower[described]]
    bare = described == j and noun == words.lower[described]
    j = described
    if (
        j + 1 < len(words)
        and words.nouns[j + 1] >= 0.5
        and words.lower[j + 1].isalpha()
        and words.lower[j + 1] not in ("that", "to")
    ):
        return None  # "make decision support systems"
    # "was made", "had made": the form is not the past tense.
    if i and (words.lower[i - 1] in _BE_HAVE or words.lower[i - 1] in ("not", "also")) and k == 2:
        return None
    if j - i == 1 and verb in ("make", "give", "have"):
        return None  # without an article these are expressions of their own
    following = words.lower[j + 1] if j + 1 < len(words) else ""
    if not bare:  # an adjective would have to become an adverb
        return j, noun, ""
    if following in _DROPPED.get(noun, "").split():
        return j + 1, noun, _verb_form(_VERBS[noun], k)
    if following in _KEPT.get(noun, "").split() or (noun in _KEPT and following in (".", ",", ";", "")):
        return j, noun, _verb_form(_VERBS[noun], k)
    return j, noun, ""


def _made(words: Words, i: int) -> tuple[int, str, str] | None:
    """The last word of "analysis was performed" and its noun; the agent is not mentioned, so there is no suggestion."""
    j = i + 1
    while j < len(words) and words.lower[j] in _BE_FORMS:
        j += 1
    if j == i + 1 or j >= len(words) or words.lower[j] not in _DONE:
        return None
    if words.lower[j] == "carried":
        j += 1
        if j >= len(words) or words.lower[j] != "out":
            return None
    return j, _SUBJECTS[words.lower[i]], ""


def _after_preposition(words: Words, i: int) -> tuple[int, str, str] | None:
    """The last word of "by the introduction of", its noun, and "by introducing"."""
    if i + 3 >= len(words) or words.lower[i + 1] != "the" or words.lower[i + 3] != "of":
        return None
    noun = words.lower[i + 2]
    if noun not in _VERBS or not noun.endswith(("ion", "ment", "al", "ance")):
        return None
    before = _BEFORE[words.lower[i]]
    return i + 3, noun, f"{before} {_verb_form(_VERBS[noun], 0 if before == 'to' else 3)}"


_MANY = 4  # nouns in a row
_NOT_NOUNS = frozenset(
    "this that there which who what one other others more most less all both each many much such same own per percent "
    "today yesterday tomorrow however because while than then us me him them it he she they we you i like as may has why make makes steady".split()
)


def _noun_strings(sentence: Sentence) -> Iterator[Finding]:
    words = sentence.words
    i = 0
    while i < len(words):
        j = i
        while j < len(words) and _is_plain_noun(words, j) and (j == i or _goes_on(words, j)):
            j += 1
        if j - i >= _MANY and not (i and words.lower[i - 1] in _BEFORE_VERBS):
            start, end = words.starts[i], words.ends[j - 1]
            yield Finding(
                "PM106",
                start,
                end,
                f"“{sentence.text[start:end]}”: {j - i} nouns in a row. Take them apart with “of”, “for” or a verb.",
            )
        i = max(j, i + 1)


_BEFORE_VERBS = frozenset(
    "to can could may might will would should must not help helps people they we".split()
)


def _is_plain_noun(words: Words, i: int) -> bool:
    word = words.lower[i]
    if not word.isalpha() or len(word) < 3 or word in _NOT_NOUNS or not words.written(i).islower():
        return False
    if lexicon.is_noun(word):
        return float(words.nouns[i]) >= 0.5
    if word.endswith("s") and not word.endswith(("ss", "as", "is", "us")) and lexicon.is_verb(word):
        return False  # "the controller navigates"
    return float(words.nouns[i]) >= (0.75 if lexicon.is_verb(word) else 0.9)


def _goes_on(words: Words, i: int) -> bool:
    """Whether a noun belongs to those before it; after a word such as "increases" a new string begins."""
    before = words.lower[i - 1]
    return _is_next(words, i) and not (
        before.endswith("s") and not before.endswith("ss") and lexicon.is_verb(before)
    )


def _is_next(words: Words, i: int) -> bool:
    return words.text[words.ends[i - 1] : words.starts[i]].isspace()


RULES = (
    Rule(
        "PM105",
        "hidden verb",
        "A noun that hides a verb, with another verb to carry it: “make a decision” for “decide”. The verb alone is shorter and"
        " more direct.",
        "The board conducted an investigation of the fire.",
        "The board investigated the fire.",
        sentence=_hidden_verbs,
        judged=(89, 100),
    ),
    Rule(
        "PM106",
        "noun string",
        f"{_MANY} nouns or more in a row. The reader has to find out which belongs to which.",
        "The hospital staff sickness absence rate rose.",
        "More hospital staff were off sick.",
        sentence=_noun_strings,
        default=False,
        judged=(36, 58),
    ),
)
