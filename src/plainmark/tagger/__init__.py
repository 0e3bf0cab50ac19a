"""A rule-based part-of-speech tagger, sufficient to find the verbs of an English sentence and their forms.

Words of closed classes are listed here; others get every tag that WordNet and lemminflect allow for their form, weighted
by how often WordNet's tagged texts have the word in that class. The best sequence of tags is found by Viterbi's algorithm
with hand-set weights for pairs of tags, which skip adverbs. A last pass ensures one finite verb per clause.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from .. import wordnet
from ..errors import MissingResourceError
from ._words import ENDINGS, LISTED, NOT_ADVERBS, PURE_ADVERBS, SUBJECT_CLITICS, WEIGHTS, pairs


class TaggedToken(NamedTuple):
    """A word or punctuation mark with its position in the sentence, its tag and, for verbs, its base form.

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


def missing() -> str:
    """What the tagger needs that is not installed ("needs ..."); empty if it can run."""
    if find_spec("lemminflect") is None:
        return "needs the forms of English verbs; pip install 'plainmark[testbeds]'"
    if wordnet.find() is None:
        return f"needs WordNet: {wordnet.missing()}"
    return ""


def resources() -> dict[str, str]:
    """Versions of the resources that the tags depend on."""
    from importlib.metadata import version

    return {"wordnet": wordnet.load().version, "lemminflect": version("lemminflect")}


def tag(sentence: str) -> list[TaggedToken]:
    """The words of a sentence with their tags.

    >>> [(t.text, t.tag) for t in tag("The virus has infected many people.")]
    [('The', 'DT'), ('virus', 'NN'), ('has', 'HV'), ('infected', 'VBN'), ('many', 'DT'), ('people', 'NNS'), ('.', 'PU')]
    """
    return list(_tagged(sentence))


@lru_cache(4096)
def _tagged(sentence: str) -> tuple[TaggedToken, ...]:
    net()
    words = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(sentence)]
    choices = [_choices(words, i) for i in range(len(words))]
    tags = _best(choices)
    tokens = [TaggedToken(w, a, b, t, lemma(w, t)) for (w, a, b), t in zip(words, tags, strict=True)]
    return tuple(_one_finite_verb(tokens, choices))


@cache
def net() -> wordnet.WordNet:
    """WordNet, located once; an error says what to install if WordNet or the forms of verbs are missing."""
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
        verb = before in SUBJECT_CLITICS
        return {"BE": 0.0} if verb else {"POS": 0.0}
    if lower in ("'d", "’d"):
        return {"MD": 0.0}
    if word[0].isdigit():
        return {"CD": 0.0}
    first = all(not any(c.isalnum() for c in w) for w, _, _ in words[:i])
    if lower in PURE_ADVERBS:
        return {"RB": 0.0}
    listed = {t: -0.7 * k for k, t in enumerate(dict.fromkeys(LISTED.get(lower, ())))}
    if "DT" in listed and "PRP3" in listed:
        listed["PRP3"] = listed["PRPX"] = -0.5
        listed = {t: w for t, w in listed.items() if t in LISTED[lower]}
    listed |= WEIGHTS.get(lower, {})
    if "MD" in listed and word[0].isupper() and not first:
        return {"NNP": 0.0, "MD": -3.0}  # in May
    if listed and not set(listed) <= {"CD", "JJ", "NN", "RB"}:
        return dict(listed)
    if word[0].isupper() and not first and word.isalpha() and not _common_form(lower):
        return {"NNP": 0.0}
    return dict(_open(lower)) | listed | ({"NNP": -1.0 if not first else -3.0} if word[0].isupper() else {})


@cache
def _common_form(word: str) -> bool:
    """Whether a word is a common word and not a name: WordNet has it as a verb, adjective or adverb."""
    known = net()
    return any(known.base_forms(word, p) for p in ("v", "a", "r"))


@cache
def _open(word: str) -> dict[str, float]:
    """Tags of a word of an open class, from its form and from WordNet."""
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
    if word.endswith("ly") and word not in NOT_ADVERBS and len(word) > 4:
        return {"RB": 0.0}
    if not counts:
        return _guess(word)
    if word.endswith("ing") and "VBG" in counts:
        counts["VBG"] = max(counts["VBG"], 0.5 * counts.get("NN", 0.0))
    total = sum(counts.values())
    return {t: math.log(c / total) for t, c in counts.items()}


def _guess(word: str) -> dict[str, float]:
    for ending, tags in ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return dict.fromkeys(tags.split(), 0.0)
    return {"NN": 0.0, "NNP": -1.0, "JJ": -3.0}


@cache
def _counts() -> dict[tuple[str, str], int]:
    """How often WordNet's tagged texts have each word as a noun, verb, adjective or adverb."""
    path = net().folder / "cntlist.rev"
    counts: dict[tuple[str, str], int] = {}
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            key, _, number = line.split(" ")
            word, _, rest = key.partition("%")
            kind = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}.get(rest[:1], "")
            counts[word, kind] = counts.get((word, kind), 0) + int(number)
    return counts


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
    """The base form of a verb in this form; empty if unknown."""
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
    """The best sequence of tags; adverbs between other words are skipped."""
    weights = pairs()
    path: dict[str, tuple[float, tuple[str, ...]]] = {"START": (0.0, ())}
    for options in choices:
        new: dict[str, tuple[float, tuple[str, ...]]] = {}
        for tag_, weight in options.items():
            # A pure adverb does not change the state: "has recently shown".
            if len(options) == 1 and tag_ == "RB":
                for state, (score, tags) in path.items():
                    new[state] = (score, (*tags, "RB"))
                continue
            score, state = max(
                (value + weights.get((state, tag_), -6.0), state) for state, (value, _) in path.items()
            )
            new[tag_] = (score + weight, (*path[state][1], tag_))
        path = new
    return list(max(path.values(), key=lambda p: p[0])[1]) if choices else []


def _one_finite_verb(tokens: list[TaggedToken], choices: list[dict[str, float]]) -> list[TaggedToken]:
    """Leave one finite verb per clause: if there are more between two marks or conjunctions, the doubtful ones get other
    tags.
    """
    out = list(tokens)
    needed = 1  # clauses that have begun and still need their verb
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
            best_tag = (
                "VBN" if "VBN" in others and out[j].tag == "VBD" else max(others, key=lambda t: others[t])
            )
            out[j] = out[j]._replace(tag=best_tag, lemma=lemma(out[j].text, best_tag))
            finite.remove(j)
        needed = max(needed - len(finite), 0) + (1 if opens and i > 0 else 0)
        begin = i
    if needed and out and out[-1].text in ".!":
        _find_finite_verb(out, choices)
    return out


def _find_finite_verb(tokens: list[TaggedToken], choices: list[dict[str, float]]) -> None:
    """Find a verb for a main clause without one: the likeliest word after a noun ("the book she bought cost")."""
    last = max((j for j, t in enumerate(tokens) if t.tag in FINITE), default=-1)
    candidates = []
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
            candidates.append((j > last, choices[j][best], -j, best))
    if candidates:
        _, _, place, best = max(candidates)
        tokens[-place] = tokens[-place]._replace(tag=best, lemma=lemma(tokens[-place].text, best))


def _others(token: TaggedToken, options: dict[str, float]) -> dict[str, float]:
    """The other possible tags of a finite verb."""
    if token.tag in ("MD", "BE", "HV", "DO"):
        return {}
    return {t: w for t, w in options.items() if t not in FINITE and t != "VB"}


def _doubt(tokens: list[TaggedToken], choices: list[dict[str, float]], i: int) -> tuple[int, float, int]:
    """Small for verbs that are probably not finite: "patients treated with aspirin", then by the rarity of the verb."""
    after = tokens[i + 1].tag if i + 1 < len(tokens) else "PU"
    reduced = tokens[i].tag == "VBD" and "VBN" in choices[i] and after in ("IN", "TO")
    return (0 if reduced else 1, choices[i].get(tokens[i].tag, -9.0) if tokens[i].tag != "VBD" else 0.0, i)


def _new_subject(tokens: list[TaggedToken], i: int) -> bool:
    """Whether a subject pronoun begins a clause of its own ("the drug he takes")."""
    return tokens[i].tag in ("PRP3", "PRPX") and i > 0 and tokens[i].text.lower() in _SUBJECTS


_SUBJECTS = frozenset("i he she we they".split())
