"""Writes docs/formulas.md: the values that programs print for the same passage in each language, their names, and the
reasons.

    pip install textstat==0.7.3 textdescriptives==2.8.2 py-readability-metrics==1.4.5
    python scripts/make_formula_differences.py PATH/TO/nltk_data > docs/formulas.md

The passages were written for this page. Counting (how many words, syllables, sentences) and constants are two reasons for a
difference, so every number of another program is shown with the value of the same constants for plainmark's counts.
"""

import sys
from importlib.metadata import version

import nltk
import spacy
import textdescriptives  # noqa: F401 - registers spaCy's component
from readability import Readability
from textstat import textstat

import plainmark as pm
from plainmark.languages import LANGUAGES, language

PASSAGES = {
    "de": "Die Behörde hat den Antrag der Familie abgelehnt. Es fehlten wichtige Unterlagen, und die Frist war schon vorbei. "
    "Die Eltern können innerhalb eines Monats Widerspruch einlegen. Eine Beratungsstelle hilft ihnen dabei kostenlos.",
    "es": "La oficina rechazó la solicitud de la familia. Faltaban documentos importantes y el plazo ya había terminado. "
    "Los padres pueden presentar un recurso durante el mes siguiente. Un servicio de información les ayuda gratuitamente.",
    "fr": "Le bureau a refusé la demande de la famille. Il manquait des documents importants et le délai était déjà dépassé. "
    "Les parents peuvent faire appel pendant le mois suivant. Un service de conseil les aide gratuitement.",
    "it": "L'ufficio ha respinto la domanda della famiglia. Mancavano documenti importanti e il termine era già scaduto. "
    "I genitori possono presentare ricorso entro un mese. Un servizio di consulenza li aiuta gratuitamente.",
    "nl": "Het bureau heeft de aanvraag van het gezin afgewezen. Er ontbraken belangrijke documenten en de termijn was al voorbij. "
    "De ouders kunnen binnen een maand bezwaar maken. Een adviesdienst helpt hen daarbij gratis.",
    "pt": "O serviço recusou o pedido da família. Faltavam documentos importantes e o prazo já tinha terminado. "
    "Os pais podem apresentar recurso durante o mês seguinte. Um serviço de informação ajuda-os gratuitamente.",
    "ru": "Учреждение отклонило заявление семьи. Не хватало важных документов, и срок уже прошёл. "
    "Родители могут обжаловать решение в течение месяца. Консультация бесплатно помогает им в этом.",
}
# all formulas of plainmark for a language, in all versions
FORMULAS = {
    "de": ["amstad", "wstf", *(f"wstf(variant='{n}')" for n in "234")],
    "es": ["fernandez_huerta", "fernandez_huerta(variant='printed')", "szigriszt_pazos", "gutierrez_polini", "crawford", "mu"],
    "fr": ["kandel_moles", "kandel_moles(variant='209')"],
    "it": ["flesch_vacca", "flesch_vacca(variant='1972')", "flesch_vacca(variant='1972-60')", "gulpease"],
    "nl": ["douma", "douma(variant='textstat')", "douma(variant='korpus')", "brouwer"],
    "pt": ["martins", "martins(variant='alt')"],
    "ru": ["oborneva", "oborneva(variant='65.14')", "oborneva(variant='220.755')", "matskovskij"],
}  # fmt: skip
SOURCES = {
    "amstad": "Amstad 1978; textstat and Wordless have the same constants",
    "wstf": "Bamberger and Vanecek 1984; textstat has the same constants in all four",
    "fernandez_huerta": "Fernández Huerta 1959; Wordless has 60 per word as here",
    "szigriszt_pazos": "Szigriszt Pazos 1993; Wordless and textstat begin at 206.84",
    "gutierrez_polini": "Gutiérrez de Polini 1972; textstat and Wordless the same",
    "crawford": "Crawford 1989; textstat the same",
    "mu": "Muñoz Baquedano 2006; Wordless the same",
    "kandel_moles": "Kandel and Moles 1958, cited both ways: 207 in Wordless and textstat, 209 in koRpus",
    "flesch_vacca": "1986: Franchina and Vacca, as in Wordless. 1972: Vacca, 206 - 0.65 S - W on several Italian pages, others"
    " print 0.6 for 0.65 (`1972-60`)",
    "gulpease": "Lucisano and Piemontese 1988; Wordless and textstat the same",
    "douma": "Douma 1960, p. 453, as cited by Wordless",
    "brouwer": "Brouwer 1963; Wordless has 200 / 3 as here",
    "martins": "Martins et al. 1996; `alt`: the program alt-legibilidade 0.1.2",
    "oborneva": "Oborneva 2006, p. 13, as cited by Wordless (60.1); 65.14 is cited without a page; 220.755 is of the project"
    " plainrussian, cited by udar",
    "matskovskij": "Matskovskij 1973 and 1976; udar the same",
}
TEXTSTAT = {
    "de": {"flesch_reading_ease": "amstad", **{f"wiener_sachtextformel {n}": f"wstf(variant='{n}')" for n in "1234"}},
    "es": {
        "flesch_reading_ease": "fernandez_huerta", "fernandez_huerta": "fernandez_huerta", "szigriszt_pazos": "szigriszt_pazos",
        "gutierrez_polini": "gutierrez_polini", "crawford": "crawford",
    },
    "fr": {"flesch_reading_ease": "kandel_moles"},
    "it": {"flesch_reading_ease": "flesch_vacca", "gulpease_index": "gulpease"},
    "nl": {"flesch_reading_ease": "douma(variant='textstat')"},
    "pt": {"flesch_reading_ease": "martins"},
    "ru": {"flesch_reading_ease": "oborneva"},
}  # fmt: skip
WRONG = {
    ("it", "gulpease_index"): "counts punctuation marks as letters",
    ("pt", "flesch_reading_ease"): "has no Portuguese and takes English constants",
}


def own(spec, code):
    """plainmark's value."""
    return pm.metric(spec).score(pm.Corpus(None, [PASSAGES[code]], language=code)).value


def of_textstat(name, code):
    """textstat's value, not rounded."""
    textstat.set_lang(code)
    textstat.set_rounding(False)
    textstat._cache_clear()
    function, _, variant = name.partition(" ")
    return getattr(textstat, function)(PASSAGES[code], *([int(variant)] if variant else []))


def of_textdescriptives(code):
    """Flesch of TextDescriptives on a blank pipeline."""
    nlp = spacy.blank(code)
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("textdescriptives/readability")
    return nlp(PASSAGES[code])._.readability["flesch_reading_ease"]


def of_py_readability(code):
    """Flesch of py-readability-metrics, which requires a hundred words, so the passage is repeated."""
    return Readability(" ".join([PASSAGES[code]] * 6)).flesch().score


def counts(code):
    """Words, sentences and syllables as counted by plainmark and by textstat."""
    words, sentences, syllables = language(code).count_words([PASSAGES[code]])[0][:3]
    textstat.set_lang(code)
    textstat._cache_clear()
    theirs = (
        textstat.lexicon_count(PASSAGES[code]),
        textstat.sentence_count(PASSAGES[code]),
        textstat.syllable_count(PASSAGES[code]),
    )
    return (words, sentences, syllables), theirs


def main():
    """Print the page."""
    nltk.data.path.insert(0, sys.argv[1])
    tools = f"textstat {version('textstat')}, TextDescriptives {version('textdescriptives')} and py-readability-metrics {version('py-readability-metrics')}"
    print(f"""# Readability formulas: who prints what

The same formula, under the same name, gives different numbers in different programs. This page shows what each program prints, and
why: either the constants of the formula differ, or the program counts words, sentences or syllables differently. To see
plainmark's number for a German text:

    plainmark score text.txt -m "flesch(language='de')"

All values are of one passage of four sentences per language, with the same content in each, by {tools}
(`scripts/make_formula_differences.py` writes this page).

## Under the name Flesch reading ease

TextDescriptives and py-readability-metrics use Flesch's English constants for every language without saying so, and
py-readability-metrics counts English syllables too.

| language | plainmark | textstat | TextDescriptives | py-readability-metrics |
|---|---|---|---|---|""")
    for code in LANGUAGES[1:]:
        row = [
            own(f"flesch(language='{code}')", code),
            of_textstat("flesch_reading_ease", code),
            of_textdescriptives(code),
            of_py_readability(code),
        ]
        print(f"| {code} |", " | ".join(f"{value:.1f}" for value in row), "|")
    print("""
## Each formula in each version

Constants were checked in programs and pages that cite the originals; most of the originals themselves are out of print.

| language | formula | value | constants from |
|---|---|---|---|""")
    for code, specs in FORMULAS.items():
        for spec in specs:
            name, _, variant = spec.partition("(")
            print(f"| {code} | `{spec}` | {own(spec, code):.2f} | {'' if variant else SOURCES[name]} |")
    print("""
## textstat under its own names

Compare textstat's value with plainmark's constants on textstat's counts: where both are equal, textstat's constants are right and only
its counts differ. textstat counts syllables with Pyphen's hyphenation patterns ([often wrong](laboratory.md#syllables)), rounds the Wiener
Sachtextformel, and counts "L'ufficio" as one word.

| language | textstat's name | textstat | plainmark | plainmark, with textstat's counts | words, sentences, syllables: plainmark / textstat | error in textstat |
|---|---|---|---|---|---|---|""")
    for code, names in TEXTSTAT.items():
        ours, theirs = counts(code)
        for name, spec in names.items():
            metric = pm.metric(spec)
            again = ""
            if hasattr(metric, "constants"):
                base, length, weight = metric.constants[getattr(metric, "variant", "")]
                again = f"{base - length * theirs[0] / theirs[1] - weight * theirs[2] / theirs[0]:.2f}"
            counted = f"{', '.join(map(str, ours))} / {', '.join(map(str, theirs))}"
            values = f"{of_textstat(name, code):.2f} | {own(spec, code):.2f} | {again}"
            print(f"| {code} | `{name}` | {values} | {counted} | {WRONG.get((code, name), '')} |")


if __name__ == "__main__":
    main()
