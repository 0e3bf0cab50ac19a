"""Add definitions: background that helps readers, and which a metric should not punish.

Up to three terms are explained, each after the sentence that mentions it first: terms of your glossary (glossary=FILE,
columns term and definition), then drugs, diseases, body parts, procedures, chemicals and organisms that are not common
words and have one sense in WordNet, the rarest first. Strength 1 is three definitions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Annotated

import numpy as np

from .. import kernels, lexicon, wordlists, wordnet
from ..options import Between
from . import Edit, EditPerturbation, EditPlan, TextDocument, insertion
from ._resources import VOWEL, read_table, table_digest
from ._terms import AFTER

_WORD = re.compile(r"[^\W\d_]{4,}(?:-[^\W\d_]+)*")
# Words after this rank in the list of common words may need explaining; unlisted words come first.
_COMMON = 7000
# Types of terms that a lay reader may not know and that are unambiguous.
_CLASSES = frozenset(("drug", "disease", "body part", "procedure", "chemical", "organism"))
_MICROBE = re.compile(r"bacteri|virus|fung|parasit|microorganism|microb|pathogen")
# Endings of words that are adjectives more often than nouns: "the trigeminal nerve".
_ADJECTIVAL = ("al", "ar", "ive", "ic", "ory")
# Known to most readers although rare in print, or with more senses than in WordNet (a ganglion is also a cyst).
_FAMILIAR = frozenset(
    """
    diabetes tumor tumour insulin ulcer pregnancy dysfunction obesity allergy vaccine vitamin asthma glucose antidepressant
    phobia anaesthesia anesthesia intestine tonsil tonsils chemotherapy antibody estrogen oestrogen arthritis migraine
    pneumonia eczema acne leukemia leukaemia hepatitis appendicitis bronchitis tonsillitis measles influenza coronavirus
    antibiotic antibiotics painkiller penicillin aspirin ibuprofen morphine caffeine nicotine alcohol cholesterol protein
    carbohydrate calorie hormone testosterone adrenaline steroid ultrasound pacemaker chromosome embryo fetus foetus placenta
    uterus ovary prostate bladder kidney liver pancreas spleen abdomen pelvis thigh waist diarrhea diarrhoea nausea insomnia
    sedative tranquilizer disinfectant antiseptic rodent mammal reptile legume vegetable mushroom fungus parasite bacterium
    oxygen hydrogen nitrogen carbon calcium sodium potassium magnesium iron zinc copper selenium iodine fluoride chlorine
    aluminum aluminium plastic houseplant ganglion injection infection inflammation malnutrition anxiety dementia autism epilepsy stroke sclerosis ester disability oxide
    """.split()
)


_DETERMINERS = frozenset("a an the any one either each some two three several all another".split())
# The first of these words ends the noun phrase at the beginning of a gloss.
_PHRASE_END = frozenset(
    "of in by from through along on for with to that which at as without and or similar resulting attributable".split()
)
# Endings of nouns that need no article: "inflammation of the skin", "surgical removal of a kidney".
_MASS = (
    "tion sion ing ity ness ia sis al ment cy ce ss gery pain tissue sugar pressure blood respiration heat fluid"
).split()

_COUNTED = frozenset(
    "cavity abnormality deformity substance condition animal mineral chemical crystal stimulant".split()
)


@dataclass(frozen=True)
class AddDefinitions(EditPerturbation):
    """Adds definitions of the rarest terms, each after its first mention."""

    glossary: Annotated[str, "a .csv, .tsv or .jsonl file with the columns term and definition"] = ""
    most: Annotated[Annotated[int, Between(1, 100)], "how many definitions are strength 1"] = 3

    criterion = "informativeness"
    effect = 1

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        definitions = self._from_glossary(document.text) if self.glossary else []
        if len(definitions) < self.most and wordnet.find() is not None:
            known = {term for _, term, _ in definitions}
            definitions += [row for row in _from_wordnet(document.text) if row[1] not in known]
        edits: list[Edit] = []
        ends = [end for _, end in document.sentences]
        for place, _, definition in definitions[: self.most]:
            gap = next((i + 1 for i, end in enumerate(ends) if place < end), len(ends))
            edits.append((insertion(document, gap, definition),))
        reason = f"only {len(edits)} terms have a definition" if edits else "no term has a definition"
        return EditPlan(edits, self.most, reason)

    def _from_glossary(self, text: str) -> list[tuple[int, str, str]]:
        """First mentions of the glossary's terms, in the order of the file: place, term, definition."""
        definitions = []
        for term, definition in read_table(self.glossary, "term", "definition"):
            if match := re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE):
                definitions.append((match.start(), term.lower(), _sentence(term, definition)))
        return definitions

    def missing(self) -> str:
        if not self.glossary and wordnet.find() is None:
            return f"needs a glossary (glossary=FILE) or WordNet: {wordnet.missing()}"
        return ""

    def resources(self) -> dict[str, str]:
        held = {"wordnet": wordnet.load().version} if wordnet.find() is not None else {}
        return held | (
            {"glossary": table_digest(self.glossary, "term", "definition")} if self.glossary else {}
        )


@cache
def _net() -> wordnet.WordNet:
    return wordnet.load()


def _from_wordnet(text: str) -> list[tuple[int, str, str]]:
    """First mentions of technical nouns that WordNet defines, the rarest first."""
    first: dict[str, int] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        if (
            word[1:] != word[1:].lower()
            or word.endswith(_ADJECTIVAL)
            or "-" in text[match.start() - 1 : match.start()]
            or not _is_whole(text, match.end())
        ):
            continue  # an abbreviation, or a part of a compound
        # A capital inside a sentence marks a name.
        if word[0].isupper() and not re.search(
            r"(?:^|[.!?]\s+)$", text[max(0, match.start() - 3) : match.start()]
        ):
            continue
        lemma = _noun(word.lower())
        kind = lexicon.term_class(lemma) if lemma and lemma not in _FAMILIAR else ""
        # Plants and animals are known, or their names are clear; microbes are not.
        if kind in _CLASSES and (kind != "organism" or _MICROBE.search(_gloss(lemma))):
            first.setdefault(lemma, match.start())
    # For a noun with several senses, the gloss may be that of another sense.
    terms = [t for t in first if len(_net().synsets(t, "n")) == 1 and _gloss(t)]
    rank = _ranks(tuple(terms))
    order = sorted(
        (i for i in range(len(terms)) if rank[i] >= _COMMON), key=lambda i: (-rank[i], first[terms[i]])
    )
    return [(first[terms[i]], terms[i], _sentence(terms[i], _gloss(terms[i]))) for i in order]


def _is_whole(text: str, end: int) -> bool:
    """Whether no further noun can follow a word: "ataxia telangiectasia" and "histone deacetylase" are other terms."""
    following = re.match(r"\s*([^\W\d_]+|\S|$)", text[end:])
    word = following[1].lower() if following else ""
    return (not word.isalpha() and word not in "-/") or word in AFTER or not word


@cache
def _noun(word: str) -> str:
    """The base form of a word that WordNet has as a noun and as nothing else."""
    net = _net()
    bases = net.base_forms(word, "n")
    if not bases or any(net.base_forms(word, p) for p in ("v", "a", "r")):
        return ""
    # Irregular plurals may be other words: stamina is not a plural of stamen.
    return bases[-1] if word in (bases[-1], *_plurals(bases[-1])) else ""


def _plurals(noun: str) -> tuple[str, ...]:
    return noun + "s", noun + "es", noun[:-1] + "ies", noun[:-2] + "es"


@cache
def _gloss(term: str) -> str:
    """The meaning of a noun, without remarks in brackets."""
    senses = _net().synsets(term, "n")
    definition = senses[0].definition if senses else ""
    gloss = re.sub(r"\s*\([^)]*\)\s*", " ", definition).split(";")[0].strip()
    # A circular definition does not help: "the act of immunizing".
    words = gloss.lower().split() or [""]
    unhelpful = any(word.startswith(term[:5]) for word in words) or len(gloss) < 15 or words[0].endswith("ed")
    return "" if unhelpful else _with_article(gloss)


def _with_article(gloss: str) -> str:
    """A gloss with the article that its noun needs ("hormone secreted by ..."); empty if it describes several things."""
    words = gloss.split()
    if words[0].lower() in _DETERMINERS:
        return gloss
    phrase = list(takewhile(lambda word: word.lower() not in _PHRASE_END, words))
    while len(phrase) > 1 and phrase[-1].endswith(("ed", "ing", "ly")):
        phrase.pop()
    head = phrase[-1].lower().rstrip(",") if phrase else ""
    if not head or words[0] in ("least", "most") or (re.search(r"[^su]s$", head) and head != "levels"):
        return ""
    if head == "levels" or (head.endswith(tuple(_MASS)) and head not in _COUNTED):
        return gloss
    return f"{'an' if VOWEL.match(gloss) else 'a'} {gloss}"


def _ranks(terms: tuple[str, ...]) -> list[int]:
    """Ranks in the list of common words; words that are not in it come after all others."""
    if not terms:
        return []
    ranks = wordlists.ranks(kernels.tokenize(list(terms), "none").hashes)
    return [int(r) if r >= 0 else 10**9 for r in ranks]


def _sentence(term: str, definition: str) -> str:
    """A definition as a sentence; a definition that is a sentence already is not changed."""
    if definition[0].isupper() and definition.endswith((".", "!", "?")):
        return definition
    return f"{term[0].upper()}{term[1:]} means {definition.rstrip('.')}."
