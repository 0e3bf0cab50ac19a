"""Finds names by their capitals: their places, their words, and their sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..passage import FUNCTION_WORDS, Passage, Word
from ._name_words import (
    AMBIGUOUS,
    INNER,
    LINKS,
    LONGEST,
    NO_NAMES,
    ORGANISATIONS,
    PEOPLES,
    PLACES,
    REGIONS,
    TITLES,
    WEAK,
)
from ._spelling import common, fold, is_acronym, part

_OPENING = frozenset("\"“”‘'«„([{:;•·*-–—…>|/")
_LOCATED = frozenset("in at from near to across throughout outside inside around".split())
_HEADING = 0.6
# Endings of common words that are alone at the beginning of a sentence.
_ENDINGS = (
    *(
        "ing",
        "ed",
        "ly",
        "tion",
        "tions",
        "sion",
        "ity",
        "ities",
        "ness",
        "ment",
        "ments",
        "ism",
        "ists",
        "itis",
    ),
    *(
        "osis",
        "emia",
        "aemia",
        "ology",
        "ologists",
        "ers",
        "ors",
        "als",
        "ves",
        "ies",
        "ives",
        "able",
        "ible",
        "ous",
    ),
    *(
        "ful",
        "less",
        "ances",
        "ences",
        "cyte",
        "cytes",
        "gens",
        "phy",
        "thy",
        "sts",
        "ics",
        "omas",
        "ants",
        "ents",
    ),
)
_ADVERBS = frozenset(
    "yesterday today tomorrow however meanwhile moreover furthermore nevertheless nonetheless instead later earlier now then "
    "recently currently previously finally first firstly second secondly third thirdly last next once again perhaps maybe "
    "according despite due following including like unlike even still yet also indeed overall together between among "
    "since until unless whether whereas thanks yes no oh well so but and or nor plus minus under over above below within "
    "across along around behind beside besides beyond by during except inside outside near onto off out past per regarding "
    "through throughout toward towards up down upon via dear hello hi please both either neither every everyone everything "
    "someone something nobody nothing anyone anything much more less several such those these this that my your his her its "
    "our their only just former formerly new young old many most some few all any each another other others two three four "
    "five six seven eight nine ten".split()
)
_FIRST_WORDS = frozenset(form[0] for form in PLACES)
_NEVER = NO_NAMES - {"or", "am", "no"}
# Words that begin a name with "of" in it.
_HEADS_OF_NAMES = (
    ORGANISATIONS | REGIONS | frozenset("house isle duke lord war battle treaty act declaration".split())
)


class Name(NamedTuple):
    """Words first to last of a passage, as parts in plain lower case; `sort` is "" if nothing determines it."""

    first: int
    last: int
    parts: tuple[str, ...]
    sort: str
    weak: bool


def place_at(words: list[Word], i: int) -> tuple[str, int] | None:
    """The place of the table that starts at a word, and the index after it; the longest one."""
    if fold(words[i].text) not in _FIRST_WORDS:
        return None
    parts: list[str] = []
    match = None
    for k in range(i, min(i + LONGEST, len(words))):
        parts.append(fold(words[k].text))
        if (place := PLACES.get(tuple(parts))) is not None:
            match = place, k + 1
    if match and match[1] == i + 1 and parts[0] in AMBIGUOUS:
        word = words[i].text
        if not word[0].isupper() or (
            parts[0] in ("us", "un", "la") and word not in ("US", "U.S.", "UN", "U.N.", "LA")
        ):
            return None
    return match


def names(passage: Passage) -> list[Name]:
    """The names of a text, in order."""
    if not passage.has_capitals:
        return _without_capitals(passage)
    words = passage.words
    small = {w.lower for w in words if w.text[0].islower()}
    headings = {s for s in range(len(passage.sentences)) if _is_heading(passage, s)}
    out: list[Name] = []
    for run in _runs(passage):
        out += _cut(passage, run, small, words[run[0]].sentence in headings)
    inner = {p for n in out if not n.weak and not opens(passage, n.first) for p in n.parts}
    return [
        n._replace(weak=n.sort == "word" or n.parts[0] in small) if n.weak and n.parts[-1] in inner else n
        for n in out
    ]


def opens(passage: Passage, i: int) -> bool:
    """Whether a capital is due to its position: a sentence, a line, a quotation or a bracket begins."""
    word = passage.words[i]
    if i == passage.first_word[word.sentence]:
        return True
    previous = passage.words[i - 1]
    between = passage.text[previous.end : word.start]
    if previous.text == ")" and i > 1 and len(passage.words[i - 2].text) < 3:
        return True  # "(5) Sleep"
    return (previous.text in _OPENING and not (previous.text in "-–" and not between)) or "\n" in between


def _runs(passage: Passage) -> list[list[int]]:
    """Runs of capitalised words, including links such as "of" and figures as in "COVID-19" between them."""
    words, text = passage.words, passage.text
    runs: list[list[int]] = []
    run: list[int] = []
    pending: list[int] = []
    for i, word in enumerate(words):
        last = (pending or run)[-1] if pending or run else None
        joined = (
            last is not None
            and word.sentence == words[last].sentence
            and _joined(text[words[last].end : word.start], words[last], words[i - 1] if i else None)
            and i - last <= 2
        )
        capital = word.text[0].isupper() or (word.text[0].islower() and any(map(str.isupper, word.text[1:])))
        if (
            capital
            and (word.lower.replace(".", "") not in _NEVER or _surname(words, i, run, joined))
            and not (len(word.text) == 1 and (not joined or pending) and not _initial(passage, i))
        ):
            if joined:
                run += [*pending, i]
            else:
                runs += [run] if run else []
                run = [i]
            pending = []
        elif (
            run
            and not pending
            and word.text[0].isdigit()
            and words[run[-1]].sentence == word.sentence
            and text[words[run[-1]].end : word.start] in ("", "-", "–")
        ):
            run.append(i)
        elif (joined and last == i - 1 and word.text in INNER and len(pending) < 2) or (
            joined and last == i - 1 and word.text == "the" and pending
        ):
            pending.append(i)
        elif word.text in (".", "-", "–", "'", "’") and (run or pending) and last == i - 1:
            continue  # decided by the characters between the words
        else:
            runs += [run] if run else []
            run, pending = [], []
    return [*runs, run] if run else runs


def _surname(words: Sequence[Word], i: int, run: Sequence[int], joined: bool) -> bool:
    """Whether a word of the calendar follows a first name: "Theresa May"."""
    return (
        joined and words[i].lower in ("may", "june", "april", "august") and not common(words[run[-1]].lower)
    )


def _joined(between: str, last: Word, previous: Word | None) -> bool:
    if between in (" ", "\u00a0", "-", "‑", "'", "’", "") or (between.isspace() and "\n" not in between):
        return True
    return between.strip() == "." and "\n" not in between and (last.lower in TITLES or len(last.text) == 1)


def _initial(passage: Passage, i: int) -> bool:
    """Whether a single capital is the initial of a name: "J. Smith", "J Smith"."""
    words = passage.words
    following = words[i + 1 : i + 3]
    if following and following[0].text == ".":
        return len(following) == 2 and following[1].text[0].isupper() and not opens(passage, i)
    return False


def _is_heading(passage: Passage, sentence: int) -> bool:
    """Whether a sentence writes most of its longer words with a capital."""
    if passage.text[slice(*passage.sentences[sentence])].rstrip(' \n"”’)')[-1:] in ".!?:;":
        return False
    long = [
        w.text
        for i in passage.sentence_words(sentence)
        if len((w := passage.words[i]).text) > 3 and w.text.isalpha()
    ]
    large = sum(w[0].isupper() for w in long[1:])
    return (
        len(long) > 3
        and large > _HEADING * (len(long) - 1)
        and any(common(w.lower()) for w in long[1:] if w[0].isupper())
    )


def _cut(passage: Passage, run: list[int], small: set[str], heading: bool) -> list[Name]:
    """The names in a run: places and their adjectives are separate before a title, and titles and opening words are
    removed.
    """
    words = passage.words
    out: list[Name] = []
    opening = opens(passage, run[0])
    sort = ""
    while run:
        word = words[run[0]]
        lower = word.lower.replace(".", "")
        if (lower in TITLES and not is_acronym(word.text)) or word.text in LINKS:
            sort = "person" if lower in TITLES else ""
            opening = False
            run = run[1:]
        elif (
            opening
            and (word.lower in FUNCTION_WORDS or word.lower in _ADVERBS)
            and not (is_acronym(word.text) and len(word.text) < 6)
            and not (place_at(words, run[0]) and len(run) > 1)
        ) or (
            opening
            and len(run) > 1
            and common(word.lower)
            and (
                word.lower in small
                or is_acronym(words[run[1]].text)
                or (words[run[1]].text in LINKS and word.lower not in _HEADS_OF_NAMES)
            )
        ):
            opening = False
            run = run[1:]
        elif match := place_at(words, run[0]):
            place, end = match
            rest = [i for i in run if i >= end]
            if rest and words[rest[0]].lower not in TITLES and words[rest[0]].text not in LINKS:
                break
            out.append(Name(run[0], end - 1, (place,), "place", weak=False))
            run = rest
            opening = False
            sort = ""
        else:
            break
    while run and (
        words[run[-1]].text in LINKS
        or (len(run) > 1 and len(words[run[-1]].text) == 1 and words[run[-1]].text.isalpha())
    ):
        run = run[:-1]
    if not run:
        return out
    parts = tuple(p for i in run if (p := part(words[i].text)) and (words[i].text[0].isalnum()))
    if len(parts) > 1:  # "Ministry of Justice" is no judge
        parts = (
            tuple(p for k, p in enumerate(parts) if p not in TITLES or (k and parts[k - 1] in LINKS)) or parts
        )
    sort = _sort(passage, run, parts, sort)
    alone = len(run) == 1
    text = words[run[0]].text
    shout = all(words[i].text.isupper() and len(words[i].text) > 1 for i in run) and all(
        common(fold(words[i].text)) and (len(words[i].text) > 4 or len(run) > 1) for i in run
    )
    if shout and (len(run) > 1 or opening or parts[0] in FUNCTION_WORDS):
        return out
    plain = common(parts[0]) or parts[0] in small or parts[0].endswith(_ENDINGS)
    weak = (
        heading
        or (alone and parts[0] in WEAK)
        or (opening and alone and sort in ("", "word") and plain and not is_acronym(text))
    )
    if not weak and sort == "" and all(common(p) for p in parts):
        sort = "word"
    out.append(Name(run[0], run[-1], parts, sort, weak))
    return out


def _sort(passage: Passage, run: list[int], parts: tuple[str, ...], sort: str) -> str:
    words = passage.words
    if sort:
        return sort
    if any(p in ORGANISATIONS for p in parts):
        return "organisation"
    if any(p in REGIONS for p in parts):
        return "place"
    if (len(parts) == 1 or parts[-1].isdigit()) and is_acronym(words[run[0]].text):
        return "acronym"
    before = words[run[0] - 1] if run[0] > passage.first_word[words[run[0]].sentence] else None
    if before is not None and before.lower in _LOCATED and parts[0] not in PEOPLES:
        return "place"
    if len(parts) in (2, 3) and not any(words[i].text in LINKS for i in run) and not all(map(common, parts)):
        return "person"
    return ""


def _without_capitals(passage: Passage) -> list[Name]:
    """Names that can be found without capitals: the places of the table and the words after a title."""
    words = passage.words
    out: list[Name] = []
    i = 0
    while i < len(words):
        word = words[i]
        match = place_at(words, i) if word.lower not in AMBIGUOUS else None
        if match:
            out.append(Name(i, match[1] - 1, (match[0],), "place", weak=False))
            i = match[1]
            continue
        if word.lower in ("mr", "mrs", "ms", "dr", "prof", "sir") and i + 1 < len(words):
            k = i + 2 if words[i + 1].text == "." else i + 1
            last = k
            while (
                last < len(words)
                and last < k + 3
                and words[last].text.isalpha()
                and not common(words[last].lower)
            ):
                last += 1
            if last > k and words[k].sentence == word.sentence:
                out.append(
                    Name(k, last - 1, tuple(fold(w.text) for w in words[k:last]), "person", weak=False)
                )
                i = last
                continue
        i += 1
    return out
