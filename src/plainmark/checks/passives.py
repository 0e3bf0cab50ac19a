"""Passives, with a hint how to turn them."""

from __future__ import annotations

from collections.abc import Iterator

from .. import lexicon
from ._analysis import Words
from ._findings import Finding, Rule, Sentence

_BE = frozenset("am is are was were be been being 're 'm isn't aren't wasn't weren't".split())
_IRREGULAR = frozenset(
    "beaten begun bitten blown bought bound bred broken brought built burnt caught chosen cut dealt done drawn driven dug "
    "eaten fed fought found forbidden forgotten forgiven frozen given grown heard held hidden hit hung hurt kept known laid "
    "led lent lit lost made meant met overcome paid proven put read ridden run said seen sent set shaken shot shown shut sold "
    "sought spent split spoken spread stolen struck sung sunk sworn swept taken taught thought thrown told torn understood "
    "undertaken upheld withdrawn won worn woven written overseen overthrown rebuilt rewritten mistaken sewn felt drunk".split()
)
# After "be" these say how something is, not what somebody does.
_STATES = frozenset(
    "tired interested married related involved concerned supposed excited worried pleased surprised ashamed scared bored "
    "confused disappointed delighted annoyed amazed limited dedicated committed advanced experienced complicated educated "
    "talented retired divorced united aged crowded sophisticated unprecedented naked sacred wicked beloved rugged wretched "
    "associated correlated located situated interrelated satisfied frightened relaxed determined detailed varied mixed "
    "skilled qualified inclined prepared embarrassed frustrated exhausted depressed stressed addicted distressed devoted "
    "motivated engaged finished accustomed opposed acquainted headed faced so-called lined gone become born indeed need red "
    "hundred bed seed feed breed speed exceed proceed succeed embed shed sled bleed greed weed deed steed reed tweed creed "
    "infrared kindred left set overweight obsessed convinced disabled injured outdated underweight deceased well-known "
    "based composed comprised equipped infected affected interconnected closed open-ended fed-up wed".split()
)
_BETWEEN = frozenset(
    "not n't also then now never often still only always already just even later first once again".split()
)
_ARTICLES = frozenset(
    "the a an his her its their our my your this that these those some many several two three".split()
)
_STOPS = frozenset(
    ", . ; : ! ? -lrb- -rrb- - -- – — who which that and or but in on at for from with to of when where".split()
)
_LONGEST_AGENT = 6  # words
_NEAR = 4  # words between the verb and "by"


def find_passives(words: Words) -> Iterator[tuple[int, int]]:
    """The numbers of the words of each passive: its form of "be" and its participle."""
    for i, word in enumerate(words.lower):
        if word not in _BE:
            continue
        j = i + 1
        while j < len(words) and j <= i + 3 and (_is_adverb(words, j) or words.lower[j] == "being"):
            j += 1
        if j < len(words) and _is_participle(words, j):
            yield i, j


def _is_adverb(words: Words, i: int) -> bool:
    word = words.lower[i]
    return word in _BETWEEN or (word.endswith("ly") and len(word) > 4 and not words.is_form(i, "JJ"))


def _is_participle(words: Words, i: int) -> bool:
    word = words.lower[i]
    if word in _STATES or not words.written(i).islower():
        return False
    if word in _IRREGULAR:
        return not (word in ("cut", "put", "set", "read", "run", "hit") and words.is_form(i, "NN"))
    if not word.endswith("ed") or len(word) < 5 or lexicon.negative(word) is not None:
        return False
    nouns = float(words.nouns[i])
    return lexicon.is_verb(word) and nouns < 0.5 and not _before_noun(words, i)


def _before_noun(words: Words, i: int) -> bool:
    """Whether a participle describes a noun that follows: "was reduced mobility"."""
    return (
        i + 1 < len(words)
        and words.lower[i + 1] not in _STOPS
        and float(words.nouns[i + 1]) >= 0.8
        and (
            not words.lower[i + 1].endswith("ly")
            and words.lower[i + 1] not in ("today", "yesterday", "daily", "home", "this")
        )
    )


def _agent(words: Words, participle: int) -> tuple[int, int] | None:
    """Who does it, if "by" says so: first and last of the words."""
    for i in range(participle + 1, min(participle + 1 + _NEAR, len(words))):
        if words.lower[i] in (".", ";", ","):
            return None
        if words.lower[i] == "by":
            break
    else:
        return None
    start = end = i + 1
    while end < len(words) and end < start + _LONGEST_AGENT and words.lower[end] not in _STOPS:
        end += 1
    if start >= end or words.is_form(start, "VBG") or any(map(str.isdigit, words.lower[start])):
        return None
    if end < len(words) and words.lower[end] not in (
        ",",
        ".",
        ";",
        "!",
        "?",
        "in",
        "on",
        "at",
        "and",
        "who",
        "which",
        "when",
    ):
        return None
    if words.nouns[end - 1] < 0.5 and words.written(end - 1).islower():
        return None
    return start, end


def _passive(sentence: Sentence) -> Iterator[Finding]:
    words = sentence.words
    for i, j in find_passives(words):
        written = sentence.text[words.starts[i] : words.ends[j]]
        agent = _agent(words, j)
        if agent:
            who = sentence.text[words.starts[agent[0]] : words.ends[agent[1] - 1]]
            hint = f"“{who}” does it: put that first, with the verb in the active."
        else:
            hint = f"Who {_past(words.lower[j])} it? If the reader needs to know, say so first."
        yield Finding("PM202", words.starts[i], words.ends[j], f"“{written}” is a passive. {hint}")


_PAST = {
    "done": "did", "seen": "saw", "given": "gave", "taken": "took", "written": "wrote", "known": "knew", "shown": "showed",
    "chosen": "chose", "drawn": "drew", "driven": "drove", "eaten": "ate", "broken": "broke", "spoken": "spoke",
    "stolen": "stole", "thrown": "threw", "worn": "wore", "torn": "tore", "begun": "began", "forgotten": "forgot",
    "forbidden": "forbade", "hidden": "hid", "frozen": "froze", "grown": "grew", "beaten": "beat", "sung": "sang",
    "sworn": "swore", "shaken": "shook", "undertaken": "undertook", "withdrawn": "withdrew", "blown": "blew",
    "bitten": "bit", "overcome": "overcame", "run": "ran", "ridden": "rode", "proven": "proved", "sunk": "sank",
    "woven": "wove", "overseen": "oversaw", "overthrown": "overthrew", "rewritten": "rewrote", "mistaken": "mistook",
    "sewn": "sewed", "drunk": "drank", "forgiven": "forgave",
}  # fmt: skip


def _past(participle: str) -> str:
    return _PAST.get(participle, participle)


RULES = (
    Rule(
        "PM202",
        "passive",
        "A passive leaves out who does something, or puts it last. Name who does it first and use the active verb. Where nobody"
        " needs to know who, a passive is fine.",
        "The form was signed by the nurse.",
        "The nurse signed the form.",
        sentence=_passive,
    ),
)
