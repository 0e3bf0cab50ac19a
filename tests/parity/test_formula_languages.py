"""Flesch-type formulas of textstat 0.7.3 in other languages, live: its constants are these, and only its counts differ."""

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
    textstat.set_lang("en")
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
    """Words whose syllables both count alike; textstat rounds to a tenth."""
    text = "Der Mann liest ein altes Buch. Die Frau schreibt einen langen Brief an das Ministerium."
    textstat.set_lang("de")
    textstat._cache_clear()
    own = pm.metric(f"wstf(variant='{variant}')").score(pm.Corpus(None, [text], language="de")).value
    assert textstat.wiener_sachtextformel(text, int(variant)) == pytest.approx(own, abs=0.051)


def test_gulpease_and_crawford():
    italian = "Il comune ha respinto la domanda. Mancavano documenti importanti."
    spanish = "La casa tiene una puerta. El perro come poco."
    textstat.set_lang("it")
    textstat._cache_clear()
    own = pm.metric("gulpease").score(pm.Corpus(None, [italian], language="it")).value
    marks = 2  # which textstat counts as letters
    assert textstat.gulpease_index(italian) == pytest.approx(own - 10 * marks / 9, abs=0.051)
    textstat.set_lang("es")
    textstat._cache_clear()
    own = pm.metric("crawford").score(pm.Corpus(None, [spanish], language="es")).value
    assert textstat.crawford(spanish) == pytest.approx(own, abs=0.051)
