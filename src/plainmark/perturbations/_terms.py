"""Names and terms of a text with their type, if they are complete noun phrases.

Terms are the drugs, diseases, body parts, organisms, professions and procedures of the lexicon; names are places from a
list, and persons and organisations identified by a title or a word such as "University". A term counts if the words around
it show that it is the whole phrase: "with asthma" but not "asthma attacks" or "severe asthma". Genes are symbols that the
text calls genes somewhere ("mutations in GLI3"), quantities are numbers with a unit of time, mass or volume.
"""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from .. import lexicon

_TOKEN = re.compile(r"[^\W\d_]+(?:['’]s)?(?:[-‐‑][^\W_]+)*|\d[\d.,]*|\S")
_LONGEST = 3
_CLASSES = frozenset(("drug", "disease", "body part", "organism", "profession", "procedure"))
# Too general to be swapped for another term of its type: "the disease" for "the asthma".
_GENERAL = frozenset(
    """
    disease diseases disorder disorders condition conditions illness illnesses infection infections syndrome syndromes drug
    drugs medicine medicines medication medications agent agents substance substances food foods product products device
    devices tool tools procedure procedures operation operations technique techniques method methods surgery treatment
    treatments therapy therapies test tests body organ organs part parts tissue tissues cell cells symptom symptoms pain
    organism organisms animal animals species plant plants person people man men woman women child children patient patients
    adult adults human humans subject subjects participant participants doctor doctors researcher researchers author authors
    scientist scientists expert experts compound compounds chemical chemicals material materials element elements system
    systems instrument instruments machine machines equipment side head face back body bodies model models control controls
    injury injuries lesion lesions attack attacks crisis complication complications problem problems complex acid base
    solution mixture extract water air gas oil salt fat serum plasma blood mouse mice rat rats virus viruses bacteria
    bacterium strain strains host hosts vector vectors family member members group groups sample samples dose placebo vaccine
    vaccines specialist specialists user users leader leaders worker workers volunteer volunteers provider providers
    investigator investigators clinician clinicians practitioner practitioners reader readers physician physicians antigen
    antibody antibodies inhibitor inhibitors hormone hormones enzyme enzymes protein proteins gene genes supplement
    supplements diet nutrient nutrients formula factor meal meals ingredient ingredients shock stress tumor tumors tumour
    tumours cancer cancers handicap defect defects carrier carriers relative relatives twin twins mother mothers father
    tobacco vitamin vitamins steroid steroids receptor receptors alcohol yeast inflammation trauma contagion extremity extremities fluid
    fluids water effect effects failure providers health care infusion injection vaccination immunization analysis imaging
    screening sequencing measurement examination evaluation assessment biopsy booster micronutrient micronutrients metal metals
    pathway pathways marker markers sera orthosis orthoses ointment ointments cream creams tablet tablets pill pills disability
    disabilities doses nucleus membrane membranes joint joints nerve nerves muscle muscles bone bones vessel vessels skin
    secretion secretions tract region regions area areas surface pathogen pathogens parasite parasites germ germs medicament
    overdose addiction dependence abuse intake consumption exposure deficiency surface lipid lipids hormone cyst cysts
    ion ions radical mineral minerals fathers parent parents infant infants baby babies fetus male males female females individual individuals population
    dysfunction malformation malformations glycemia glycaemia ketonemia ketonuria ketosis immunosuppression demyelination
    hyperactivity coronavirus coronaviruses covid adhesion adhesions misdiagnosis overload malnutrition fibrosis remission
    allele alleles autosome autosomes sputum valve valves waist dorsum synapse synapses bloodstream mesenchyme microflora
    plaque plaques fold folds mucosa epithelium endothelium fascia tunnel anti-inflammatory cocktail cocktails consultant
    consultants vaccinations leucocytosis proteinuria albuminuria polyuria hypovolemia asystole inheritance fontanelle hair
    organelles cytoplasm neuroleptic antihypertensive carpal sinuses ventricles genotype phenotype disability
    """.split()
)  # fmt: skip
_BEFORE = frozenset(
    """
    with without of from for by against on in into to as than during after before between among despite including like via
    per through about regarding the a an this these his her their its our your all most some any other both either
    treating treat treats treated preventing prevent prevents causes cause caused causing have has had having is are was were
    develop developed develops developing receive received receiving taking take took takes using use used
    """.split()
)
AFTER = frozenset(
    """
    and or but nor of in on at with without for from by to as than who which that is are was were be been has have had may can
    could might will would should must does do did not after before during between among while when where if because since
    although though despite through via per about over under within compared versus vs including such also only
    """.split()
)
# Finer than the lexicon's classes: a symptom is no disease, a cell no organ, a vitamin or hormone no drug.
_SYMPTOMS = """
    stridor flush flushes flashes
    fever nausea vomiting headache headaches diarrhea diarrhoea cough coughing fatigue chills dizziness itching pruritus rash
    rashes malaise myalgia arthralgia dysphagia dyspnea dyspnoea asthenia edema oedema constipation insomnia tremor tremors
    vertigo hoarseness wheezing sneezing sweating numbness weakness palpitations hemoptysis haematuria hematuria bleeding
    swelling redness cramps spasm spasms heartburn regurgitation lethargy drowsiness sedation hiccups tinnitus
    """
_FINER = {
    "symptom": re.compile(
        "|".join(
            [*_SYMPTOMS.split(), "sore throats?", "hot flashes", "(?:back|neck|muscle|joint|chest) pain"]
        )
    ),
    "cell": re.compile(r"\w+(?:cyte|phage|blast|phil)s?|platelets?|neurons?|nerve cells?"),
    "vitamin": re.compile(r"folates?|thiamine|riboflavin|niacin|folic acid|biotin|cobalamin|retinol"),
}
_TREATMENTS = (
    "sone",
    "solone",
    "steroid",
    "steroids",
    "corticoid",
    "corticoids",
)  # more often given as drugs than made by the body
# By the hypernyms of a term; terms with an empty type are never swapped.
_KINDS = {
    "hormone": frozenset(("hormone", "endocrine")),
    "": frozenset(("organelle", "cell organ", "marking", "vesicle", "cell wall", "lesion", "chemical element", "bodily process")),
    "plant": frozenset(("plant", "fruit", "herb", "vegetable", "tree", "edible fruit", "flavorer", "seasoning", "berry")),
    "animal": frozenset(("vertebrate", "mammal", "invertebrate", "bird", "fish", "insect")),
    "microbe": frozenset(("microorganism", "bacteria", "micro-organism")),
}  # fmt: skip
_SYMBOL = r"(?=[A-Z0-9-]*\d[A-Z0-9-]*\b|[A-Z]{4,8}\b)[A-Z][A-Z0-9]{2,8}(?:-[A-Z0-9]{1,3})?"
# Patterns in which a symbol is called a gene; "CF gene" is the gene of a disease, like many abbreviations of three letters.
_GENE = re.compile(
    rf"\b({_SYMBOL})\s+(?:gene|mutations?|polymorphisms?|genotypes?|haploinsufficiency)\b"
    rf"|\b(?i:genes?|mutations? (?:in|of)(?: the)?|encoded by(?: the)?)\s+\(?({_SYMBOL})(?![\w-])"
)
_NO_GENE = re.compile(r"COVID|SARS|MRNA|SNPS|ADPKD|COPD|ELISA|[A-Z]\d+[A-Z]")  # C677T is a variant
_UNIT = r"(?:second|minute|hour|day|week|month|year)s?(?: of age| old)?|(?:[mµμ]g|g|kg|ml|mL|dL|mm|cm|kcal)(?:/(?:kg|day|d|h|mL|dL|L))*"
_QUANTITY = re.compile(
    rf"(?<![\w.,/-])(?<!\d[-–±] )(?P<value>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)\s(?P<unit>{_UNIT})(?![\w/-]|\s?[-–]\s?\d)"
)
_IN_SERIES = re.compile(r"(?:\d|\b(?:to|and|or|vs\.?|versus|between)|[-–=(<>≤≥×±])\s*$", re.IGNORECASE)
# More figures of the same estimate follow ("4.7 years (95% CI, 4.2 to 5.2)"), or a needle, whose gauge is not a mass.
_NOT_ALONE = re.compile(r"\s?(?:(?:to|or|and|±|vs)\b|[±(\[]|,?\s*(?:range|SD|IQR|95)|(?:\w+\s)?needle)")
_DEFINITE = frozenset("the this these his her their its our your".split())
_JOINING = frozenset("and or , / nor".split())
_TITLES = r"(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Lady|President|Minister|Doctor|King|Queen|Mayor)"
_PERSON = re.compile(rf"\b{_TITLES}\.?,?\s+((?:[A-Z][\w'’-]+)(?:\s+[A-Z][\w'’-]+){{0,2}})")
_ORGANISATION = re.compile(
    r"\b((?:[A-Z][\w'’&-]+\s+){1,3}(?:University|Institute|College|Hospital|Clinic|Bank|Ministry|Agency|Association|Society|"
    r"Corporation|Council|Committee|Commission|Foundation|Museum))(?=\s*(?:[,.;:)]|and\b|in\b|for\b|has\b|is\b|was\b|$))"
)
_AFTER_PLACE = re.compile(r"\s*(?:[,.;:)]|(?:and|between|from|during|with|in|is|was|were|has|who|for)\b|$)")


class Term(NamedTuple):
    """A name or term in a text; `frame` is what a replacement must share (type, number, determiner)."""

    text: str
    start: int
    end: int
    frame: tuple[str, ...]


def terms(text: str) -> list[Term]:
    """The terms and names of a text in order, none of them inside another."""
    out: list[Term] = []
    mentions = [*_names(text), *_genes(text), *_quantities(text), *_lexical(text)]
    for term in sorted(mentions, key=lambda t: (t.start, -t.end)):
        if not out or term.start >= out[-1].end:
            out.append(term)
    return out


def _lexical(text: str) -> list[Term]:
    tokens = list(_TOKEN.finditer(text))
    words = [t.group() for t in tokens]
    out = []
    i = 0
    while i < len(tokens):
        for length in range(min(_LONGEST, len(tokens) - i), 0, -1):
            phrase = " ".join(words[i : i + length])
            kind = _kind(phrase) if text[tokens[i].start() : tokens[i + length - 1].end()] == phrase else ""
            if phrase[0].isupper() and i and words[i - 1] not in (".", ":"):
                continue  # part of a name
            if kind:
                determiner = _bracketed(words, i, i + length)
                # "Weakness of the valves" is not a symptom of a person.
                of = words[i + length : i + length + 1] == ["of"] and kind in ("symptom", "disease")
                if determiner is not None and not of:
                    number = "many" if _is_plural(words[i + length - 1]) else "one"
                    frame = (kind, number, determiner)
                    out.append(Term(phrase, tokens[i].start(), tokens[i + length - 1].end(), frame))
                i += length - 1
                break
        i += 1
    return out


def _bracketed(words: list[str], start: int, end: int) -> str | None:
    """The kind of determiner before words that are a whole noun phrase; None if they are part of a longer one."""
    before = words[start - 1].lower() if start else "."
    after = words[end].lower() if end < len(words) else "."
    if after not in AFTER and after not in ".,;:)":
        return None
    # "anxiety or mood disorders": the first term may share the noun of the second.
    if after in ("and", "or", ",", "/") and end + 1 < len(words) and not _closes(words, end + 1):
        return None
    if before in ("a", "an"):
        return "indefinite"
    if before in _DEFINITE:
        return "definite"
    if before in _JOINING:
        return "bare" if end - start == 1 else None
    if before in ".:;" or before in _BEFORE:
        return "bare"
    return None


def _closes(words: list[str], start: int) -> bool:
    """Whether the conjunct that begins here is not a longer phrase whose noun the term could share."""
    if words[start].lower() in ("and", "or"):
        start += 1
    following = [w.lower() for w in words[start : start + 2]]
    if not following:
        return True
    if following[0] in AFTER | _BEFORE or not following[0].isalpha():
        return True
    return len(following) < 2 or following[1] in AFTER or following[1] in ".,;:)("


@cache
def _kind(phrase: str) -> str:
    """The type of a term in lower case or with an initial capital; empty for general words and unknown ones."""
    lower = phrase.lower()
    *modifiers, head = lower.split()
    if len(lower) < 4 or phrase[1:] != lower[1:]:
        return ""
    # "kidney disease" is one of its kind, "genetic disease" a kind.
    if head in _GENERAL and not (modifiers and lexicon.term_class(modifiers[0]) == "body part"):
        return ""
    for kind, pattern in _FINER.items():
        if pattern.fullmatch(lower):
            return kind
    kind = lexicon.term_class(lower) or ""
    if head in _GENERAL and kind != "disease":
        return ""
    if kind not in _CLASSES or (" " not in lower and lexicon.is_verb(lower)):
        return ""
    if " " in lower and not all(part.isalpha() for part in lower.split()):
        return ""
    broader = lexicon.hypernyms(lower)
    finer = next((name for name, words in _KINDS.items() if words & broader), None)
    if finer == "hormone" and lower.endswith(_TREATMENTS):
        finer = "drug"
    if finer is not None:
        return finer
    return "" if kind == "organism" else kind


def _is_plural(word: str) -> bool:
    lower = word.lower()
    return lower.endswith("s") and not lower.endswith(("ss", "us", "is")) and lexicon.base(lower) != lower


def _names(text: str) -> list[Term]:
    out = [Term(m[1], m.start(1), m.end(1), ("person",)) for m in _PERSON.finditer(text)]
    out += [
        Term(m[1], m.start(1), m.end(1), (m[1].split()[-1],))
        for m in _ORGANISATION.finditer(text)
        if not m[1].startswith("The ")
    ]
    for match in _place_pattern().finditer(text):
        before = text[max(0, match.start() - 12) : match.start()].split()
        is_place = before and before[-1].lower() in ("in", "from", "across", "throughout", "to", "and")
        if is_place and _AFTER_PLACE.match(text, match.end()):
            out.append(Term(match.group(), match.start(), match.end(), (_places()[match.group()],)))
    return out


def _genes(text: str) -> list[Term]:
    """Every mention of the symbols that the text calls genes."""
    called = {symbol for match in _GENE.finditer(text) for symbol in match.groups() if symbol}
    symbols = {symbol for symbol in called if not _NO_GENE.fullmatch(symbol)}
    if not symbols:
        return []
    pattern = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    matches = re.finditer(rf"(?<![\w/-])(?:{pattern})(?![\w/-])", text)
    return [Term(m.group(), m.start(), m.end(), ("gene",)) for m in matches]


def _quantities(text: str) -> list[Term]:
    """Numbers with a unit that are not part of a range or a series; the type is the unit with the order of magnitude."""
    out = []
    for match in _QUANTITY.finditer(text):
        if _IN_SERIES.search(text[max(0, match.start() - 9) : match.start()]) or match["value"] == "1":
            continue
        if _NOT_ALONE.match(text, match.end()):
            continue
        value = float(match["value"].replace(",", ""))
        size = math.floor(math.log(value, 4)) if value > 0 else 0
        out.append(Term(match.group(), match.start(), match.end(), ("quantity", match["unit"], str(size))))
    return out


@cache
def _places() -> dict[str, str]:
    """Countries and cities, which come with the package, by name."""
    text = files(__package__).joinpath("places.txt").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line)
    return {name: kind for kind, names in rows for name in names.split(", ")}


@cache
def _place_pattern() -> re.Pattern[str]:
    names = sorted(_places(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
