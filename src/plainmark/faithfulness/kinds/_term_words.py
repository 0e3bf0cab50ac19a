"""Word lists for technical terms: classes whose members exclude each other, and words that are not terms."""

from __future__ import annotations

from types import MappingProxyType

# Classes in addition to those of the lexicon; words of one class exclude each other. People in a relation (who lets and
# who rents, who sues and who is sued) form a class of their own, because a tenant may also be an employee.
_OWN = {
    "people": "man woman child adult infant baby boy girl teenager adolescent toddler newborn pensioner mother father "
    "parent husband wife son daughter brother sister grandmother grandfather uncle aunt nephew niece",
    "work": "employer employee apprentice contractor",
    "school": "teacher pupil student headteacher headmaster",
    "tenancy": "tenant landlord",
    "trade": "buyer seller wholesaler retailer",
    "lawsuit": "plaintiff defendant",
    "appeal": "appellant respondent",
    "credit": "lender borrower creditor debtor",
    "insurance": "insurer policyholder",
    "care": "carer patient",
    "hunt": "predator prey",
    "transplant": "donor recipient",
    "sport": "winner loser",
    "crime": "victim perpetrator offender",
    "journey": "driver passenger pedestrian cyclist",
    "staff": "doctor nurse pharmacist surgeon midwife physiotherapist dentist scientist lawyer judge psychologist",
    "treatment": "surgery chemotherapy radiotherapy acupuncture massage exercise physiotherapy psychotherapy hypnosis yoga "
    "dialysis vaccination transplantation antibiotic antidepressant antipsychotic corticosteroid steroid statin opioid "
    "antihistamine diuretic vaccine anticoagulant antiviral probiotic laxative painkiller antacid sedative vitamin",
    "body part": "blood skin eye nose bone ear hand foot arm leg tooth muscle heart brain lung hip knee finger toe hair chest "
    "stomach neck mouth tongue lip breast nerve joint tendon artery vein ankle wrist elbow thumb thigh belly bladder "
    "ovary placenta prostate rib diaphragm",
    "disease": "schizophrenia depression anxiety psychosis alcoholism addiction thrombosis embolism infertility "
    "jaundice gallstone scoliosis incontinence scurvy miscarriage stillbirth concussion bipolar",
    "substance": "diclofenac trimethoprim artemisinin ivermectin venlafaxine bupropion zopiclone zolpidem carbamazepine "
    "levetiracetam topiramate propofol cyclophosphamide ciclosporin cyclosporine misoprostol clomifene varenicline",
    "germ": "bacterium virus fungus parasite worm bacteria",
    "meal": "breakfast lunch dinner supper",
    "vehicle": "car train bus plane ship bicycle truck boat lorry tram",
    "season": "winter spring summer autumn",
}
CLASSES = MappingProxyType({word: name for name, words in _OWN.items() for word in words.split()})
# Sex and age of people (m, f, "" for either; a for adults, c for children): a mother is a woman, but not a man or a child.
PEOPLE = MappingProxyType(
    {
        "man": ("m", "a"), "woman": ("f", "a"), "boy": ("m", "c"), "girl": ("f", "c"), "adult": ("", "a"),
        "child": ("", "c"), "infant": ("", "c"), "baby": ("", "c"), "toddler": ("", "c"), "newborn": ("", "c"),
        "teenager": ("", "c"), "adolescent": ("", "c"), "pensioner": ("", "a"), "mother": ("f", "a"),
        "father": ("m", "a"), "husband": ("m", "a"), "wife": ("f", "a"), "son": ("m", ""), "daughter": ("f", ""),
        "brother": ("m", ""), "sister": ("f", ""), "grandmother": ("f", "a"), "grandfather": ("m", "a"),
        "uncle": ("m", "a"), "aunt": ("f", "a"), "nephew": ("m", ""), "niece": ("f", ""), "parent": ("", "a"),
    }
)  # fmt: skip
KIN = frozenset(
    "mother father husband wife son daughter brother sister grandmother grandfather uncle aunt nephew niece".split()
)
# Adjectives of parts of the body represent them.
ADJECTIVES = MappingProxyType(
    {
        "renal": "kidney",
        "hepatic": "liver",
        "pulmonary": "lung",
        "cardiac": "heart",
        "cerebral": "brain",
        "gastric": "stomach",
        "ocular": "eye",
        "nasal": "nose",
        "ovarian": "ovary",
        "uterine": "uterus",
        "pancreatic": "pancreas",
        "spinal": "spine",
        "intestinal": "intestine",
    }
)
# Common endings of the international names of drugs of one sort.
STEMS = (
    "azepam", "azolam", "barbital", "caine", "cillin", "coxib", "cycline", "dipine", "dronate", "floxacin", "flurane",
    "gliflozin", "gliptin", "glitazone", "limus", "mycin", "olol", "oxetine", "parin", "phylline", "platin", "prazole",
    "profen", "rubicin", "sartan", "setron", "tadine", "taxel", "tidine", "tinib", "trexate", "triptan", "triptyline",
    "trozole", "tilide", "umab", "ximab", "zumab", "vastatin", "xaban", "zosin", "conazole", "italopram", "norphine",
    "rizine", "ciclovir", "navir", "buvir",
)  # fmt: skip
# Classes of the lexicon, and the names under which they are compared.
LEXICON = MappingProxyType(
    {
        "drug": "substance",
        "chemical": "substance",
        "substance": "substance",
        "disease": "disease",
        "body part": "body part",
        "organism": "organism",
        "food": "organism",
    }
)
# A body part with one of these heads includes others.
REGIONS = frozenset(
    "system tract canal wall lobe fluid node cavity vessel cell cells tissue region area".split()
)
# Words of the lexicon's classes that mostly mean something else, or that denote their whole class.
GENERAL = frozenset(["side effect", "side effects"]) | frozenset(
    "drug medicine medication disease disorder illness condition infection syndrome symptom pain tumor tumour organ molecule "
    "body tissue cell animal plant person human patient part head face back side agent scar scarring metabolite "
    "compound chemical substance acid water air food placebo treatment injury wound damage problem system virus "
    "bacterium germ gene protein hormone enzyme vitamin mineral oil gas metal shock complication inflammation "
    "stress attack cold swelling bleeding lesion mass growth defect failure death line root leaf seed tract "
    "eats subject kind model control insect drink meal meat fruit vegetable serum plasma "
    "neurotransmitter inhibitor infusion electrolyte substrate dose pill tablet capsule supplement preparation therapy".split()
)
LETTERED = frozenset(
    "hepatitis vitamin type group class influenza grade stage phase category schedule appendix plan".split()
)
EXPLAINING = frozenset("( [ called named known".split())
