"""Reads and inflects the list of plain phrases (phrases.txt).

The file itself explains its format. Reading has no requirements; inflecting needs lemminflect, so it is done when a model
is built and not when a text is simplified.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import InputError
from ..rules.meaning import lexical_change, meaning_change
from ..rules.word_facts import TAGS, WordForms, inflections
from .conditions import Condition, PhraseConditions, Test, parse_test

FILE = Path(__file__).with_name("phrases.txt")
KINDS = {  # the forms of the inflected word; none: as written
    "verb": ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN"),
    "noun": ("NN", "NNS"),
    "mass": ("NN",),
    "plural": ("NNS",),
    "adj": ("JJ",),
    "adv": ("RB",),
    "fixed": (),
}
_INFLECTED = ("verb", "noun")
_HEAD = "~"  # marks the inflected word, unless it is the first one of a verb or the last one of a noun


@dataclass(frozen=True)
class PlainPhrase:
    """One source of a line of the file."""

    kind: str
    source: str
    target: str
    forms: tuple[str, ...]
    tests: tuple[Test, ...]
    line: int
    # a person decided that it is right despite an objection of the lexicon or the ledger
    reviewed: bool = False


def read_phrases(path: Path = FILE) -> list[PlainPhrase]:
    """The entries of a file in its order; errors name the line."""
    phrases: list[PlainPhrase] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            phrases += _parse(line, number)
        except ValueError as problem:
            raise InputError(f"{path.name}, line {number}: {problem}.") from None
    return phrases


def _parse(line: str, number: int) -> Iterator[PlainPhrase]:
    entry, *conditions = (part.strip() for part in line.split(" ; "))
    kind, _, pair = entry.partition(" ")
    sources, arrow, target = pair.partition(" > ")
    if kind not in KINDS:
        raise ValueError(f"no kind {kind!r}; expected one of {', '.join(KINDS)}")
    if not arrow or not target.strip():
        raise ValueError(f"found {entry!r}, expected KIND source > target")
    forms = KINDS[kind]
    tests = []
    reviewed = False
    for condition in conditions:
        if condition == "reviewed":
            reviewed = True
        elif condition.startswith("forms "):
            forms = tuple(condition.split()[1:])
            if not set(forms) <= set(KINDS[kind]):
                raise ValueError(f"{condition!r}: a {kind} has the forms {' '.join(KINDS[kind])}")
        else:
            tests.append(parse_test(condition))
    # A comma between words separates sources; a comma on its own is a word.
    for source in f" {sources}".replace(" ,", " \0").split(", "):
        text = " ".join(source.replace("\0", ",").split())
        if text == target.strip():
            raise ValueError(f"{text!r} becomes itself")
        yield PlainPhrase(kind, text, " ".join(target.split()), forms, tuple(tests), number, reviewed)


def inflected(phrase: PlainPhrase) -> Iterator[tuple[str, str, Condition]]:
    """The source and the target in every form, each with the conditions on its place."""
    head = _head(phrase.source, phrase.kind)
    size = len(phrase.source.split())
    if phrase.kind not in _INFLECTED:
        # Phrases can be used as they are; a form is required of single words only.
        free = size > 1 or _only(phrase.source, phrase.forms)
        yield phrase.source, phrase.target, Condition(() if free else phrase.forms, phrase.tests)
        return
    forms: dict[tuple[str, str], list[str]] = {}
    for tag in phrase.forms:
        pair = _with_form(phrase.source, phrase.kind, tag), _with_form(phrase.target, phrase.kind, tag)
        if all(pair):
            forms.setdefault(pair, []).append(tag)
    for (source, target), tags in forms.items():
        word = source.split()[head]
        # A participle may precede a noun, so its place matters nevertheless.
        free = _only(word, tags) and not {"VBD", "VBN"} & set(tags)
        yield source, target, Condition(() if free else tuple(tags), phrase.tests, head)


def _only(word: str, tags: Sequence[str]) -> bool:
    """Whether a word has no other forms than these, so that its place need not be checked."""
    own = int(WordForms.of([word]).bits[0])
    return own != 0 and not own & ~sum(1 << TAGS.index(tag) for tag in tags)


def objectionable(phrases: Sequence[PlainPhrase], *, ledger: bool = True) -> list[str]:
    """The phrases to which the lexicon or the ledger objects and that nobody has reviewed: line, rule and reason."""
    change = meaning_change if ledger else lexical_change
    return [
        f"line {phrase.line}: {source} > {target} ({reason})"
        for phrase in phrases
        if not phrase.reviewed
        for source, target, _ in inflected(phrase)
        if (reason := change(source, target))
    ]


def phrase_conditions(phrases: Sequence[PlainPhrase]) -> PhraseConditions:
    """The rules of the phrases with their conditions; for a pair on several lines, one of the conditions must hold."""
    rules: dict[tuple[str, str], list[Condition]] = {}
    for phrase in phrases:
        for source, target, condition in inflected(phrase):
            if source != target:
                rules.setdefault((source, target), []).append(condition)
    return PhraseConditions({rule: tuple(conditions) for rule, conditions in rules.items()})


def digest(path: Path = FILE) -> str:
    """A digest of a list of phrases, which tells the list that a model was built from."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _head(phrase: str, kind: str) -> int:
    words = phrase.split()
    marked = [i for i, w in enumerate(words) if w.endswith(_HEAD)]
    if marked:
        return marked[0]
    return 0 if kind == "verb" else len(words) - 1


def _with_form(phrase: str, kind: str, tag: str) -> str:
    words = [w.rstrip(_HEAD) for w in phrase.split()]
    i = _head(phrase, kind)
    base = words[i]
    if tag in ("VB", "VBP", "NN"):
        form = base
        if base == "be" and tag == "VBP":  # "are" is the only different form
            form = "are"
    else:
        forms = inflections(base, "VERB" if kind == "verb" else "NOUN").get(tag, ())
        form = _IRREGULAR.get((base, tag)) or (forms[0] if forms else _regular(base, tag))
    words[i] = form
    return " ".join(words)


_IRREGULAR = {
    ("person", "NNS"): "people",
    ("be", "VBZ"): "is",
    ("be", "VBD"): "was",
    ("get", "VBN"): "got",
    ("show", "VBN"): "shown",
    ("prove", "VBN"): "proved",
    ("light", "VBD"): "lit",
    ("light", "VBN"): "lit",
    ("speed", "VBD"): "speeded",
    ("speed", "VBN"): "speeded",
    ("fit", "VBD"): "fitted",
    ("fit", "VBN"): "fitted",
}


def _regular(word: str, tag: str) -> str:
    """The regular form of a word that is not in the lists."""
    if tag in ("VBZ", "NNS"):
        if word.endswith(("s", "x", "z", "ch", "sh")):
            return word + "es"
        return word[:-1] + "ies" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "s"
    if tag in ("VBD", "VBN"):
        if word.endswith("e"):
            return word + "d"
        return word[:-1] + "ied" if word.endswith("y") and word[-2:-1] not in "aeiou" else word + "ed"
    return (word[:-1] if word.endswith("e") and not word.endswith("ee") else word) + "ing"
