"""Names in a text: runs of capitalised words, found by rules, or the entities of a spaCy pipeline.

A capital at the beginning of a sentence proves nothing: a single common word there is a weak name. The rules find no names
in text without capitals.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from ... import kernels, wordlists
from ...errors import MissingResourceError
from ...models import pipelines
from ...perturbations._figures import Mention

_TOKEN = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_][\w&]*(?:['’-][\w&]+)*")
_LINKS = frozenset("of de del della du da di la le van von der den bin ibn & the".split())
_GAP = re.compile(r"\s|\.?\s")  # "St. Louis"
_OPENING = re.compile(r"(?:^|[.!?:]['\"”’)\]]*\s+|\n\s*|[\"“‘(\[])\W*$")
_TITLES = frozenset("mr mrs ms dr prof sir st".split())
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december i i'm i've i'd i'll i’m i’ve i’d i’ll".split()
)
_FUNCTION = frozenset(
    "the a an this that these those in on at by for from with as and or but if then when while after before since "
    "during it he she they we you his her their our its there here what which who how why where although though "
    "because however some many most all both each no not is are was were to of".split()
)
# Labels of names in spaCy's English pipelines; numbers and dates belong to the rules for numbers.
_SPACY_LABELS = frozenset("PERSON NORP FAC ORG GPE LOC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE".split())


def entities(text: str, finder: str = "rules") -> list[Mention]:
    """The names in a text, in order; the key holds their words in lower case. `finder` may name a spaCy pipeline.

    >>> [(m.text, m.weak) for m in entities("Owls live in New York. The Bank of England said so.")]
    [('Owls', True), ('New York', False), ('Bank of England', False)]
    """
    if finder != "rules":
        return _by_spacy(text, finder)
    if text.isupper():
        return []
    mentions = []
    for run in _runs(text):
        opening = _opens_sentence(text, run[0].start())
        if opening and run[0].group().lower() in _FUNCTION and not _is_initialism(run[0].group()):
            run, opening = run[1:], False
        key = _key([t.group() for t in run])
        if not key:
            continue
        start, end = run[0].start(), run[-1].end()
        weak = opening and len(run) == 1 and _is_common(key[0]) and not _is_initialism(text[start:end])
        mentions.append(Mention(text[start:end], start, end, key, weak=weak))
    return mentions


def _runs(text: str) -> list[list[re.Match[str]]]:
    """Runs of capitalised words, including links such as "of" between them."""
    runs: list[list[re.Match[str]]] = []
    run: list[re.Match[str]] = []
    links: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        before = [*run, *links]
        joined = bool(before) and _GAP.fullmatch(text[before[-1].end() : token.start()]) is not None
        word = token.group()
        if word[0].isupper() and word.lower() not in _CALENDAR:
            if joined and not _ends_sentence(text, before[-1], token):
                run += [*links, token]
            else:
                runs += [run] if run else []
                run = [token]
            links = []
        elif joined and word in _LINKS and (word != "the" or links) and len(links) < 2:
            links.append(token)
        else:
            runs += [run] if run else []
            run, links = [], []
    return [*runs, run] if run else runs


def _ends_sentence(text: str, word: re.Match[str], following: re.Match[str]) -> bool:
    stop = "." in text[word.end() : following.start()]
    return stop and word.group().lower() not in _TITLES and len(word.group()) > 1


def _opens_sentence(text: str, place: int) -> bool:
    return _OPENING.search(text, max(0, place - 20), place) is not None or place == 0


def _is_initialism(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _key(words: list[str]) -> tuple[str, ...]:
    bare = [re.sub(r"['’]s?$", "", w.casefold()).replace(".", "") for w in words]
    return tuple(w for w in bare if w and w not in _TITLES)


@cache
def _is_common(word: str) -> bool:
    hashes = kernels.tokenize([word], "none").hashes
    return bool(len(hashes)) and bool((np.asarray(wordlists.ranks(hashes)) >= 0).all())


def missing(finder: str) -> str:
    """What the finder needs that is not installed ("needs ..."); empty if it can run."""
    if finder == "rules":
        return ""
    return pipelines.missing(finder)


def _by_spacy(text: str, pipeline: str) -> list[Mention]:
    if reason := missing(pipeline):
        raise MissingResourceError(f"finding names {reason}.")
    document = pipelines.load(pipeline)(text)
    return [
        Mention(e.text, e.start_char, e.end_char, _key(e.text.split()))
        for e in document.ents
        if e.label_ in _SPACY_LABELS and _key(e.text.split())
    ]
