"""Parts of speech by rules: enough to find the verbs of an English sentence and the form each is in.

Words of closed classes are listed here; others get every tag that WordNet and lemminflect allow for their form, weighted
by how often WordNet's tagged texts have the word in that class. The best sequence of tags is found by Viterbi's algorithm
with hand-set weights for pairs of tags; adverbs are looked through. A last pass makes clauses have one finite verb.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from . import wordnet
from .errors import MissingResourceError


class Token(NamedTuple):
    """A word or mark, its place in the sentence, its tag and, for verbs, its base form.

    Tags are Penn's, with PRP3 and PRPX for subjects that take "is" and "are", BE, HV, DO for finite auxiliaries in the
    wide sense (is, has, did), SC for subordinators and WP for relative pronouns.
    """

    text: str
    start: int
    end: int
    tag: str
    lemma: str = ""


FINITE = frozenset({"VBZ", "VBP", "VBD", "MD", "BE", "HV", "DO"})
_CLITIC = r"['’](?:s|re|ve|ll|d|m)\b"
_WORD = re.compile(
    rf"{_CLITIC}|n['’]t\b|[^\W\d_](?:[^\W_]|[-‐‑/&](?=\w)|\.(?=\w\.))*?(?=n['’]t\b|{_CLITIC})|[^\W_](?:[^\W_]|[-‐‑/&](?=\w)|[.,](?=\d))*|['’]|\S",
    re.IGNORECASE,
)

_LISTED: dict[str, tuple[str, ...]] = {}


def _list(tags: str, words: str) -> None:
    for word in words.split():
        _LISTED[word] = (*_LISTED.get(word, ()), *tags.split())


_list(
    "DT",
    "the a an this that these those each every some any no all both another either neither my your his her its "
    "our their whose which many several few most more such other own enough what various numerous certain",
)
_list(
    "PRP3",
    "he she it this that one everyone everybody someone somebody anyone nobody everything something nothing "
    "each another much neither either little",
)
_list("PRPX", "i we they you these those both many few several all some most others")
_list("EX", "there")
_list("OBJ", "him her them us me himself herself itself themselves it you each")
_list(
    "IN",
    "of in on at by for from with about against between into through during above below to over under within "
    "without among across behind beyond near off onto per since toward towards upon via despite except like "
    "around along as than before after until outside inside throughout versus regarding concerning including "
    "following according unlike amid beside besides due such up down out plus",
)
_list("VBP VB", "like")
_list(
    "SC",
    "because although though if when while since after before as until unless whereas whether that once "
    "wherever whenever why how where so than lest provided",
)
_list("WP", "who which that whom whose what")
_list("CC", "and or but nor yet plus &")
_list("TO", "to")
_list("MD", "can could may might must shall should will would 'll ’ll cannot ought")
_list("BE", "is are was were am 'm ’m 're ’re")
_list("HV", "has have had 've ’ve")
_list("DO", "do does did")
_list("BEN", "be been being")
_list(
    "RB",
    "not n't n’t never also often always usually sometimes already still just only even very too quite rather "
    "almost about then thus therefore however moreover furthermore here now today again soon well more most less "
    "least so perhaps maybe ever yet once together instead indeed nevertheless nonetheless hence meanwhile "
    "otherwise else there away back far long early later all both either neither up down out off over "
    "approximately further first second finally lastly additionally overall that no much",
)
_list(
    "CD",
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million billion dozen",
)
_list(
    "JJ",
    "other such own same many few much several more most less least different first second last next due likely "
    "able unable",
)
_list("NN", "one others something")
# Words that WordNet has as verbs, but that hardly ever are.
_list("UH", "yes please oh")

_PURE_ADVERBS = frozenset(
    "not n't n’t never also often always usually sometimes already still just even very too quite almost then thus "
    "therefore however moreover furthermore now again soon perhaps maybe ever nevertheless nonetheless hence meanwhile "
    "otherwise indeed instead finally lastly additionally together else recently".split()
)
_NOT_ADVERBS = frozenset(
    "family early daily apply supply reply rely imply comply multiply fly likely elderly friendly "
    "assembly anomaly monthly weekly yearly only unlikely deadly costly lonely lovely silly ally "
    "rally tally bully belly jelly butterfly comply homely lively leisurely timely orderly".split()
)

# Which finite and other forms the clitics stand for depends on what follows; see clitic_verb.
_TAGS = (
    "DT PRP3 PRPX EX OBJ IN SC WP CC TO MD BE HV DO BEN RB CD JJ NN NNS NNP VB VBP VBZ VBD VBN VBG PU UH POS END "
    "START"
).split()

_GOOD: dict[str, str] = {
    "START": "DT PRP3 PRPX EX IN SC NN NNS NNP JJ CD VBG CC TO WP RB-.7 UH BE DO HV MD VB-1.5 VBN-1.5 PU OBJ-4",
    "DT": "NN NNS JJ NNP CD VBN-1.5 VBG-1 DT-1.5 RB IN-3 PU-3 OBJ-9 VBZ-9 VBP-9 VBD-9 VB-9 MD-6 BE-5 HV-6 DO-9 CC-4 POS-9",
    "PRP3": "VBZ VBD BE HV MD DO RB VBP-6 VB-7 NN-5 JJ-3.5 IN-1.5 PU-1.5 WP-1.5 VBN-4 VBG-4 CC-2 TO-2.5 DT-4 NNS-6 SC-2",
    "PRPX": "VBP VBD BE HV MD DO RB VBZ-6 VB-7 NN-5 NNS-3 JJ-3 IN-1 PU-1.5 WP-1 VBN-3 VBG-3.5 CC-2 TO-2.5 DT-3.5 SC-2",
    "EX": "BE MD HV VBZ-1.5 VBP-1.5 VBD-1.5 RB-2",
    "OBJ": "IN PU CC TO RB VB-1 VBG-1 JJ-1 SC DT-1 VBN-1 NN-3 NNS-3 VBZ-6 VBP-6 VBD-6 MD-6 BE-6 HV-6 WP-1 CD-2 END",
    "IN": "DT NN NNS NNP JJ CD VBG OBJ PRP3-2.5 PRPX-2.5 WP-1.5 IN-1.5 RB-1 SC-2 VBN-3 TO-4 VB-9 VBP-9 VBZ-9 VBD-8 MD-9 BE-8 "
          "HV-9 DO-9 PU-2 CC-3",
    "SC": "DT PRP3 PRPX EX NN NNS NNP JJ CD VBG-1 VBN-1 IN-1.5 TO-1 RB MD-5 BE-4 VBZ-6 VBP-6 VBD-6 SC-2 PU-1.5 VB-7 HV-4 DO-3",
    "WP": "VBZ VBP VBD BE HV MD DO PRP3 PRPX DT-1 NN-1.5 NNS-1.5 NNP-1 JJ-1.5 IN-2 RB VB-8 VBN-6 VBG-6 PU-2 CD-2 OBJ-5",
    "CC": "DT NN NNS NNP JJ CD VBG VBN VBD VBZ VBP VB-.5 PRP3 PRPX IN RB SC WP TO MD BE HV DO EX OBJ-1",
    "TO": "VB BEN HV-.5 DO-.5 DT-1.5 NN-1.8 NNS-1.5 NNP-1 JJ-1.8 CD-1 OBJ-1 RB-1 VBG-2 PRP3-3 PRPX-3 VBN-5 VBZ-9 VBP-9 VBD-9 "
          "MD-9 BE-9",
    "MD": "VB BEN HV DO RB PRP3-1 PRPX-1 DT-2 NN-4 NNS-3 NNP-2 VBZ-9 VBP-9 VBD-8 VBN-6 PU-2 IN-3 TO-3 JJ-5 EX-1 CD-5 VBG-8",
    "BE": "VBN VBG JJ DT RB IN TO-.5 NN-1.2 NNS-1.5 NNP-1 CD PRP3-.7 PRPX-.7 EX SC BEN-.5 OBJ-2 PU-1 WP-1 CC-2 VB-8 VBZ-9 "
          "VBP-9 VBD-7 MD-9 BE-9 HV-9",
    "HV": "VBN BEN DT RB JJ-.5 NN-.7 NNS-.5 NNP-1 CD-.3 TO-.5 OBJ-1 PRP3-1 PRPX-1 HV-1 DO-2 IN-1.5 PU-1.5 VBD-7 VBZ-9 VBP-9 "
          "VB-7 VBG-4 CC-2",
    "DO": "VB RB PRP3 PRPX DT-.5 NN-1 NNS-1 NNP-1 JJ-1 CD-1 HV-1 DO-1.5 OBJ-1 IN-1.5 PU-1 BEN-2 TO-3 VBN-5 VBZ-9 VBD-9 VBG-4",
    "BEN": "VBN VBG JJ DT RB IN NN-1.2 NNS-1.5 NNP-1.5 CD-1 TO-1 VB-9 VBZ-9 VBP-9 VBD-7 PU-1 CC-1.5 SC-1 OBJ-2 HV-9 DO-9",
    "CD": "NN NNS JJ NNP-1 CD IN PU CC VBG-2 VBN-1.5 VBZ-2 VBP-1.5 VBD-1.5 BE HV MD-1 RB-1 TO-.5 DT-3 SC-2 WP-1.5 DO-3 VB-6 POS-2",
    "JJ": "NN NNS JJ NNP-1 CC IN PU TO-.3 VBG-1.5 VBN-2 CD-1.5 SC-.7 RB-1 DT-3 OBJ-3 PRP3-2.5 PRPX-2.5 WP-1.5 BE-1.5 HV-2.5 "
          "MD-2.5 VBZ-3.5 VBP-3 VBD-3 VB-7 DO-4",
    "NN": "IN PU CC NN-.4 NNS-.4 VBZ BE HV MD VBD DO-.5 VBN-.7 TO-.3 WP-.2 SC RB JJ-1.5 VBG-.8 NNP-2 CD-1.5 POS DT-2.5 "
          "PRP3-2.2 PRPX-2.2 EX-3 OBJ-5 VBP-4.5 VB-5.5",
    "NNS": "IN PU CC VBP BE HV MD VBD DO-.5 VBN-.5 TO-.3 WP-.2 SC RB JJ-1.2 VBG-.7 NN-2.2 NNS-2.5 NNP-2 CD-1.5 POS DT-2.5 "
           "PRP3-2.2 PRPX-2.2 EX-3 OBJ-5 VBZ-5 VB-5",
    "NNP": "NNP IN PU CC VBZ VBD BE HV MD DO-.5 NN-.5 NNS-.5 VBN-.7 TO-.4 WP-.3 SC-.5 RB JJ-1.5 VBG-1 CD-.7 POS DT-2.5 VBP-2 "
           "PRP3-2.5 PRPX-2.5 VB-5.5 OBJ-5",
    "POS": "NN NNS JJ NNP CD VBG-1 VBN-1.5 RB-2 DT-4 IN-2.5 PU-2 CC-3 BE-4 VBZ-5 VBD-5 MD-5",
    "VB": "DT NN-.3 NNS-.2 NNP-.4 JJ-.3 IN OBJ CD-.3 TO RB SC PU VBG-.5 VBN-1.2 PRP3-1 PRPX-1 CC-.5 WP-.5 EX-2 BEN-4 MD-6 BE-6 "
          "VBZ-7 VBP-7 VBD-7 HV-6 VB-2.5",
    "VBN": "IN PU CC TO-.2 RB SC-.3 DT-.8 NN-1 NNS-.8 NNP-.8 JJ-.9 CD-.8 OBJ-1 VBG-.8 VBN-1.5 PRP3-1.5 PRPX-1.5 WP-1 BE-1.5 HV-2 "
           "MD-2 VBZ-3.5 VBP-3 VBD-3 VB-5",
    "VBG": "DT NN-.3 NNS-.2 NNP-.4 JJ-.4 IN OBJ CD-.4 TO-.4 RB SC-.4 PU CC-.3 VBN-1 VBG-1.2 PRP3-1 PRPX-1 WP-.6 BE-.7 HV-1.2 "
           "MD-.8 VBZ-1.3 VBP-1.5 VBD-1.5 VB-5.5",
    "RB": "JJ VBN VBG VBD VBZ VBP VB RB IN PU CC DT NN-1.2 NNS-1.2 NNP-.7 CD PRP3-.5 PRPX-.5 EX-.5 SC TO MD-.5 BE-.5 HV-.5 DO-1 "
          "OBJ-2 WP-1",
    "PU": "DT PRP3 PRPX EX IN SC WP CC TO MD-.7 BE-.7 HV-.7 DO-.7 RB JJ NN NNS NNP CD VBG VBN VBD-.6 VBZ-.6 VBP-.6 VB-1.2 PU OBJ-2 UH "
          "BEN-3",
    "UH": "VB PU DT PRP3 PRPX BE DO MD NN NNS",
}  # fmt: skip
for _finite, _like in (("VBZ", "VB"), ("VBP", "VB"), ("VBD", "VB")):
    _GOOD[_finite] = _GOOD[_like]


@cache
def _pairs() -> dict[tuple[str, str], float]:
    table = {}
    for left, rights in _GOOD.items():
        for item in rights.split():
            found = re.fullmatch(r"([A-Z0-9]+?)(-[\d.]+)?", item)
            if found:
                table[left, found[1]] = float(found[2] or 0)
    return table


def missing() -> str:
    """What is not installed that tagging needs ("needs ..."); empty if it can run."""
    if find_spec("lemminflect") is None:
        return "needs the forms of English verbs; pip install 'plainmark[testbeds]'"
    if wordnet.find() is None:
        return f"needs WordNet: {wordnet.missing()}"
    return ""


def resources() -> dict[str, str]:
    """Versions of what the tags depend on."""
    from importlib.metadata import version

    return {"wordnet": wordnet.load().version, "lemminflect": version("lemminflect")}


def tag(sentence: str) -> list[Token]:
    """The words of a sentence with their tags.

    >>> [(t.text, t.tag) for t in tag("The virus has infected many people.")]
    [('The', 'DT'), ('virus', 'NN'), ('has', 'HV'), ('infected', 'VBN'), ('many', 'DT'), ('people', 'NNS'), ('.', 'PU')]
    """
    return list(_tagged(sentence))


@lru_cache(4096)
def _tagged(sentence: str) -> tuple[Token, ...]:
    net()
    words = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(sentence)]
    choices = [_choices(words, i) for i in range(len(words))]
    tags = _best(choices)
    tokens = [Token(w, a, b, t, lemma(w, t)) for (w, a, b), t in zip(words, tags, strict=True)]
    return tuple(_one_finite_verb(tokens, choices))


@cache
def net() -> wordnet.WordNet:
    """WordNet, looked for once; with the forms of verbs, or else the error says what to install."""
    if reason := missing():
        raise MissingResourceError(f"finding verbs {reason}")
    return wordnet.load()


def _choices(words: list[tuple[str, int, int]], i: int) -> dict[str, float]:
    """The tags that a word may have, with their weights."""
    word = words[i][0]
    lower = word.lower()
    if not any(c.isalnum() for c in word):
        return {"PU": 0.0}
    if lower in ("'s", "’s"):
        before = words[i - 1][0].lower() if i else ""
        verb = before in _SUBJECT_CLITICS
        return {"BE": 0.0} if verb else {"POS": 0.0}
    if lower in ("'d", "’d"):
        return {"MD": 0.0}
    if word[0].isdigit():
        return {"CD": 0.0}
    first = all(not any(c.isalnum() for c in w) for w, _, _ in words[:i])
    if lower in _PURE_ADVERBS:
        return {"RB": 0.0}
    listed = {t: -0.7 * k for k, t in enumerate(dict.fromkeys(_LISTED.get(lower, ())))}
    if "DT" in listed and "PRP3" in listed:
        listed["PRP3"] = listed["PRPX"] = -0.5
        listed = {t: w for t, w in listed.items() if t in _LISTED[lower]}
    listed |= _WEIGHTS.get(lower, {})
    if "MD" in listed and word[0].isupper() and not first:
        return {"NNP": 0.0, "MD": -3.0}  # in May
    if listed and not set(listed) <= {"CD", "JJ", "NN", "RB"}:
        return dict(listed)
    if word[0].isupper() and not first and word.isalpha() and not _common_form(lower):
        return {"NNP": 0.0}
    return dict(_open(lower)) | listed | ({"NNP": -1.0 if not first else -3.0} if word[0].isupper() else {})


_WEIGHTS: dict[str, dict[str, float]] = {
    "that": {"SC": 0.0, "WP": -0.3, "DT": -0.8, "PRP3": -1.5, "RB": -4.0},
}

_SUBJECT_CLITICS = frozenset(
    "it he she that there what who here where this how let one everyone everything".split()
)


@cache
def _common_form(word: str) -> bool:
    """Whether a word is one of the language rather than a name: WordNet has it as a verb, adjective or adverb."""
    known = net()
    return any(known.base_forms(word, p) for p in ("v", "a", "r"))


@cache
def _open(word: str) -> dict[str, float]:
    """Tags of a word of an open class, from its form and from what WordNet knows."""
    if "-" in word:
        head = word.rpartition("-")[2]
        if head.endswith(("ed", "ing")) or head in (
            "based",
            "related",
            "like",
            "free",
            "wide",
            "term",
            "old",
            "year",
            "like",
        ):
            return {"JJ": 0.0, "NN": -2.0}
        if not net().base_forms(word, "v"):
            return {t: w for t, w in _open(head).items() if not t.startswith("VB")} or {"NN": 0.0}
    counts: dict[str, float] = {}
    for tag_, base in verb_forms(word):
        share = _count(base, "v")
        counts[tag_] = max(counts.get(tag_, 0.0), share)
    known = net()
    for base in known.base_forms(word, "n"):
        plural = base != word and (word.endswith("s") or base not in (word,))
        counts["NNS" if plural or base == "people" else "NN"] = _count(base, "n")
    if word.endswith("s") and "NN" in counts and "NNS" in counts and not word.endswith(("ss", "us", "is")):
        counts["NN"] = min(counts["NN"], 0.3 * counts["NNS"])
    for base in known.base_forms(word, "a")[:1]:
        counts["JJ"] = _count(base, "a")
    if known.base_forms(word, "r"):
        counts["RB"] = _count(word, "r")
    if word.endswith("ly") and word not in _NOT_ADVERBS and len(word) > 4:
        return {"RB": 0.0}
    if not counts:
        return _guess(word)
    if word.endswith("ing") and "VBG" in counts:
        counts["VBG"] = max(counts["VBG"], 0.5 * counts.get("NN", 0.0))
    total = sum(counts.values())
    return {t: math.log(c / total) for t, c in counts.items()}


def _guess(word: str) -> dict[str, float]:
    for ending, tags in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return dict.fromkeys(tags.split(), 0.0)
    return {"NN": 0.0, "NNP": -1.0, "JJ": -3.0}


_ENDINGS = (
    ("ing", "VBG NN"), ("ed", "VBD VBN JJ"), ("ly", "RB"), ("ous", "JJ"), ("ic", "JJ"), ("al", "JJ NN"), ("ive", "JJ"),
    ("able", "JJ"), ("ible", "JJ"), ("ful", "JJ"), ("ary", "JJ NN"), ("ss", "NN"), ("sis", "NN"), ("us", "NN"), ("s", "NNS"),
)  # fmt: skip


@cache
def _counts() -> dict[tuple[str, str], int]:
    """How often WordNet's tagged texts have each word as a noun, verb, adjective or adverb."""
    path = net().folder / "cntlist.rev"
    found: dict[tuple[str, str], int] = {}
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            key, _, number = line.split(" ")
            word, _, rest = key.partition("%")
            kind = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}.get(rest[:1], "")
            found[word, kind] = found.get((word, kind), 0) + int(number)
    return found


def _count(word: str, pos: str) -> float:
    return _counts().get((word, pos), 0) + 0.5


@cache
def verb_forms(word: str) -> tuple[tuple[str, str], ...]:
    """The verb forms that a word may be: (tag, base form)."""
    known = net()
    return tuple(
        (tag_, base)
        for base in known.base_forms(word, "v")
        if base.isalpha() and base not in ("be", "have", "do", "can", "will", "may", "must")
        for tag_ in ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")
        if word in inflect(base, tag_) or (tag_ in ("VB", "VBP") and word == base)
    )


@cache
def inflect(base: str, tag_: str) -> tuple[str, ...]:
    """The forms of a verb, the usual one first.

    >>> inflect("take", "VBD")
    ('took',)
    """
    import lemminflect

    first: Any = lemminflect.getInflection(base, tag_, inflect_oov=False)
    # The dictionary lists one form; a second one follows from spelling rules (travelled, traveled).
    second: Any = lemminflect.getInflection(base, tag_, inflect_oov=True)
    extra = _DOUBLES.get((base, tag_), ())
    return tuple(dict.fromkeys([*first, *second, *extra]))


_DOUBLES = {("lie", "VBN"): ("lain",), ("lie", "VBD"): ("lay",)}


def lemma(word: str, tag_: str) -> str:
    """The base form of a verb in that form, or nothing."""
    lower = word.lower()
    if tag_ in ("BE", "BEN"):
        return "be"
    if tag_ in ("HV", "DO"):
        return "have" if tag_ == "HV" else "do"
    if not tag_.startswith("VB"):
        return ""
    bases = [b for t, b in verb_forms(lower) if t == tag_]
    if not bases:
        return _strip(lower, tag_)
    return max(bases, key=lambda b: (_count(b, "v"), b))


def _strip(word: str, tag_: str) -> str:
    ends = {"VBD": "ed", "VBN": "ed", "VBG": "ing", "VBZ": "s"}
    return word.removesuffix(ends.get(tag_, ""))


def _best(choices: list[dict[str, float]]) -> list[str]:
    """The best sequence of tags; adverbs between other words are looked through."""
    pairs = _pairs()
    path: dict[str, tuple[float, tuple[str, ...]]] = {"START": (0.0, ())}
    for options in choices:
        new: dict[str, tuple[float, tuple[str, ...]]] = {}
        for tag_, weight in options.items():
            # A pure adverb leaves the state as it is: "has recently shown".
            if len(options) == 1 and tag_ == "RB":
                for state, (score, tags) in path.items():
                    new[state] = (score, (*tags, "RB"))
                continue
            score, state = max(
                (value + pairs.get((state, tag_), -6.0), state) for state, (value, _) in path.items()
            )
            new[tag_] = (score + weight, (*path[state][1], tag_))
        path = new
    return list(max(path.values(), key=lambda p: p[0])[1]) if choices else []


def _one_finite_verb(tokens: list[Token], choices: list[dict[str, float]]) -> list[Token]:
    """A clause has one finite verb: of too many between two marks or conjunctions, the doubtful ones are something else."""
    out = list(tokens)
    needed = 1  # clauses that have begun and still want their verb
    begin = 0
    for i in range(len(out) + 1):
        opens = i < len(out) and (out[i].tag in ("WP", "SC") or _new_subject(out, i))
        if i < len(out) and not opens and out[i].tag not in ("CC", "PU"):
            continue
        finite = [j for j in range(begin, i) if out[j].tag in FINITE]
        doubtful = sorted(
            (j for j in finite if _others(out[j], choices[j])), key=lambda j: _doubt(out, choices, j)
        )
        for j in doubtful[: max(len(finite) - max(needed, 1), 0)]:
            others = _others(out[j], choices[j])
            chosen = (
                "VBN" if "VBN" in others and out[j].tag == "VBD" else max(others, key=lambda t: others[t])
            )
            out[j] = out[j]._replace(tag=chosen, lemma=lemma(out[j].text, chosen))
            finite.remove(j)
        needed = max(needed - len(finite), 0) + (1 if opens and i > 0 else 0)
        begin = i
    if needed and out and out[-1].text in ".!":
        _find_finite_verb(out, choices)
    return out


def _find_finite_verb(tokens: list[Token], choices: list[dict[str, float]]) -> None:
    """A sentence whose main clause has no verb yet: the likeliest word after a noun becomes it ("the book she bought cost")."""
    last = max((j for j, t in enumerate(tokens) if t.tag in FINITE), default=-1)
    found = []
    for j, token in enumerate(tokens):
        before = next((tokens[k] for k in range(j - 1, -1, -1) if tokens[k].tag != "RB"), None)
        options = [t for t in ("VBZ", "VBD", "VBP") if t in choices[j]]
        if not options or before is None or token.tag in FINITE:
            continue
        subject = before.tag in ("NN", "NNS", "NNP", "PU", "VBD", "VBZ", "VBP", "VBN", "RB")
        agrees = [
            t
            for t in options
            if not ((t == "VBZ" and before.tag == "NNS") or (t == "VBP" and before.tag == "NN"))
        ]
        if subject and agrees and j > 0 and token.tag in ("NN", "NNS", "VBN", "JJ", "VB", "IN"):
            best = max(agrees, key=lambda t: choices[j][t])
            found.append((j > last, choices[j][best], -j, best))
    if found:
        _, _, place, best = max(found)
        tokens[-place] = tokens[-place]._replace(tag=best, lemma=lemma(tokens[-place].text, best))


def _others(token: Token, options: dict[str, float]) -> dict[str, float]:
    """What a finite verb might be instead."""
    if token.tag in ("MD", "BE", "HV", "DO"):
        return {}
    return {t: w for t, w in options.items() if t not in FINITE and t != "VB"}


def _doubt(tokens: list[Token], choices: list[dict[str, float]], i: int) -> tuple[int, float, int]:
    """Small for verbs that are most likely none: "patients treated with aspirin", then by how rare the verb is."""
    after = tokens[i + 1].tag if i + 1 < len(tokens) else "PU"
    reduced = tokens[i].tag == "VBD" and "VBN" in choices[i] and after in ("IN", "TO")
    return (0 if reduced else 1, choices[i].get(tokens[i].tag, -9.0) if tokens[i].tag != "VBD" else 0.0, i)


def _new_subject(tokens: list[Token], i: int) -> bool:
    """Whether a subject pronoun begins a clause of its own ("the drug he takes")."""
    return tokens[i].tag in ("PRP3", "PRPX") and i > 0 and tokens[i].text.lower() in _SUBJECTS


_SUBJECTS = frozenset("i he she we they".split())
