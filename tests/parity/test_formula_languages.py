"""Flesch-type formulas of textstat 0.7.3 in other languages, live: its constants are these, and only its counts differ."""

import numpy as np
import pytest
from benchmarks.implementations.textstat import textstat

import plainmark as pm

# Pyphen leaves the file of a language open.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

TEXTS = {
    "amstad": ("de", "Die Behörde hat den Antrag abgelehnt. Es fehlten wichtige Unterlagen, und die Frist war vorbei."),
    "fernandez_huerta": ("es", "La oficina rechazó la solicitud. Faltaban documentos importantes y el plazo terminó."),
    "kandel_moles": ("fr", "Le bureau a refusé la demande. Il manquait des documents et le délai était dépassé."),
    "flesch_vacca": ("it", "Il comune ha respinto la domanda. Mancavano documenti importanti e il termine era scaduto."),
    "douma(variant='textstat')": ("nl", "Het bureau heeft de aanvraag afgewezen. Er ontbraken documenten en de termijn was voorbij."),
    "oborneva": ("ru", "Учреждение отклонило заявление семьи. Не хватало важных документов, и срок уже прошёл."),
}  # fmt: skip


@pytest.fixture(autouse=True)
def unrounded():
    textstat.set_rounding(False)
    yield
    textstat.set_rounding(True)
    textstat.set_lang("en_US")  # its default
    textstat._cache_clear()


def counts(code, text):
    textstat.set_lang(code)
    textstat._cache_clear()
    return textstat.lexicon_count(text), textstat.sentence_count(text), textstat.syllable_count(text)


@pytest.mark.parametrize("spec", TEXTS)
def test_flesch_has_the_same_constants(spec):
    code, text = TEXTS[spec]
    words, sentences, syllables = counts(code, text)
    metric = pm.metric(spec)
    base, length, weight = metric.constants[getattr(metric, "variant", "")]
    expected = base - length * words / sentences - weight * syllables / words
    assert textstat.flesch_reading_ease(text) == pytest.approx(expected, abs=0.02)


def test_textstat_has_no_portuguese_and_takes_english_constants():
    text = "O serviço recusou o pedido da família. Faltavam documentos e o prazo terminou."
    words, sentences, syllables = counts("pt", text)
    english = 206.835 - 1.015 * words / sentences - 84.6 * syllables / words
    assert textstat.flesch_reading_ease(text) == pytest.approx(english, abs=0.02)


@pytest.mark.parametrize("variant", "1234")
def test_wiener_sachtextformel(variant):
    text = TEXTS["amstad"][1]
    words, sentences, _ = counts("de", text)
    counted = {
        "words": words,
        "sentences": sentences,
        "polysyllables": textstat.polysyllabcount(text),
        "long_words": textstat.long_word_count(text),
        "monosyllables": textstat.monosyllabcount(text),
    }
    own = pm.metric(f"wstf(variant='{variant}')").formula({k: np.float64(v) for k, v in counted.items()})
    assert textstat.wiener_sachtextformel(text, int(variant)) == pytest.approx(float(own), abs=0.051)


def test_crawford():
    text = TEXTS["fernandez_huerta"][1]
    names = ("words", "sentences", "syllables")
    counted = dict(zip(names, map(np.float64, counts("es", text)), strict=True))
    assert textstat.crawford(text) == pytest.approx(float(pm.metric("crawford").formula(counted)), abs=1e-9)


def test_gulpease_of_textstat_counts_marks_as_letters():
    text = "Il comune ha respinto la domanda. Mancavano documenti importanti."
    words, _, _ = counts("it", text)
    own = pm.metric("gulpease").score(pm.Corpus(None, [text], language="it")).value
    assert textstat.gulpease_index(text) == pytest.approx(own - 10 * 2 / words, abs=1e-9)
