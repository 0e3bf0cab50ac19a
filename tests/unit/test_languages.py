"""Languages: detection, refusal, sentences, words, syllables, and what a folder must have."""

import shutil

import numpy as np
import pytest

import plainmark as pm
from plainmark.cli._main import main
from plainmark.errors import LanguageError, OptionError
from plainmark.languages import FOLDER, LANGUAGES, PIECES, check_code, language, load
from plainmark.languages.detection import detect
from plainmark.metrics.flesch import CONSTANTS

GERMAN = ["Die Bundesregierung hat gestern ein neues Gesetz beschlossen.", "Es soll die Steuern senken."]

# Written for this test, 40 to 60 characters each.
TEXTS = {
    "de": "Gestern haben wir im Garten lange gearbeitet.",
    "en": "Yesterday we worked in the garden for a long time.",
    "es": "Ayer trabajamos mucho tiempo en el jardín de casa.",
    "fr": "Hier nous avons longtemps travaillé dans le jardin.",
    "it": "Ieri abbiamo lavorato a lungo nel nostro giardino.",
    "nl": "Gisteren hebben we lang in de tuin gewerkt.",
    "pt": "Ontem trabalhámos muito tempo no jardim da casa.",
    "ru": "Вчера мы долго работали в саду возле дома.",
    "sv": "Igår arbetade vi länge i trädgården hemma.",
    "pl": "Wczoraj długo pracowaliśmy w ogrodzie za domem.",
    "ja": "昨日私たちは庭で長い時間働きました。",
    "zh": "昨天我们在花园里工作了很长时间。",
}


@pytest.mark.parametrize(("code", "text"), TEXTS.items())
def test_detection(code, text):
    assert detect(text).code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Haus",  # one word
        "42 %, 1,200 and 3.5",
        "ACGTACGTTAGC CGATCGATTACG GCTAGCTAGCTA",
        "x" * 5000,
        "xkcd qwerty asdfgh zxcvbn uiop hjkl mnbv",
        "Privet, kak dela? Segodnya my idem v kino smotret novyy film.",  # transliterated
        "Dies ist ein Test. This is a test. Das Wetter ist schön. The weather is nice.",  # mixed
        "Hinterrhein is a district in Graubünden, Switzerland.",  # English with foreign names
    ],
)
def test_nothing_is_refused_where_the_language_is_not_plain(text):
    pm.metric("fkgl").check(pm.Corpus(None, [text]))


def test_english_formulas_refuse_german():
    with pytest.raises(LanguageError) as error:
        pm.metric("fkgl").score(pm.Corpus(None, GERMAN))
    assert str(error.value) == (
        "fkgl is for English; this looks German (99 %). Use flesch(language='de') or wstf, or --language en to insist."
    )
    assert pm.metric("fkgl").score(pm.Corpus(None, GERMAN, language="en")).value > 0


def test_formulas_of_other_languages_refuse_english():
    texts = ["The council decided yesterday to build a new school in the town."]
    with pytest.raises(LanguageError, match="amstad is for German; this looks English"):
        pm.metric("amstad").score(pm.Corpus(None, texts))


def test_a_detected_language_is_taken_and_signed():
    table = pm.score({"x": GERMAN}, metrics="flesch")
    assert table.language.note == "language: German (detected, 99 %)"
    assert table["x", "flesch(language='de')"].signature.split("|")[-2] == "language:de"
    assert table.to_dict()[0]["language"] == "de"


def test_english_signatures_stay_as_they_were():
    score = pm.metric("flesch").score(pm.Corpus(None, ["The owls hunt at night and sleep all day long."]))
    assert score.signature.startswith("flesch|side:output|variant:plainmark|rounded:no|v:")


def test_a_signature_with_a_language_reads_back():
    metric = pm.metric("lix(language='nl')")
    assert pm.metric(metric.signature()) == metric


def test_japanese_and_chinese_get_sacrebleus_tokenisers():
    chinese = pm.Corpus(["昨天我们在花园里工作。"], ["我们昨天工作。"], [["昨天我们工作。"]], language="zh")
    table = pm.score(chinese, metrics="sari,bleu")
    assert [m.spec for m in table.metrics] == ["sari(tokenizer='zh')", "bleu(tokenizer='zh')"]
    with pytest.raises(LanguageError, match="sentence_length is for English; the texts are Chinese"):
        pm.score(chinese, metrics="sentence_length")


def test_the_command_line_refuses_in_one_line(tmp_path, capsys):
    path = tmp_path / "out.txt"
    path.write_text("\n".join(GERMAN), "utf-8")
    assert main(["score", str(path), "-m", "fkgl"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["score", str(path), "-m", "flesch", "--language", "de"]) == 0
    assert "language: German (given)" in capsys.readouterr().err
    assert main(["score", str(path), "-m", "flesch", "--language", "klingon"]) == 2
    assert "Counted in full: en, de, es, fr, it, nl, pt, ru" in capsys.readouterr().err


def test_codes():
    assert [check_code(c) for c in ("de", "DE-at", "pt_BR", "German")] == ["de", "de", "pt", "de"]
    with pytest.raises(LanguageError, match="no such code"):
        check_code("xx")
    with pytest.raises(LanguageError, match="no rules for it; expected one of de, es"):
        language("sv")


def test_flesch_refuses_a_language_without_constants(monkeypatch):
    monkeypatch.delitem(CONSTANTS, "nl")
    with pytest.raises(OptionError, match="no constants for language='nl'; expected one of en, de"):
        pm.metric("flesch(language='nl')")


def test_who_counts_is_a_choice_for_english_only():
    with pytest.raises(OptionError, match="one way to count"):
        pm.metric("flesch(variant='textstat', language='de')")


@pytest.mark.parametrize("code", LANGUAGES[1:])
@pytest.mark.parametrize("piece", PIECES)
def test_a_missing_piece_is_named(code, piece, tmp_path):
    folder = tmp_path / code
    shutil.copytree(FOLDER / code, folder)
    (folder / piece).unlink()
    with pytest.raises(LanguageError, match=piece):
        load(folder)


SENTENCES = {
    "de": ["Am 3. Mai kam Dr. Müller z. B. nach Bonn.", "Er blieb bis 2020.", "Warum? «Weil er wollte.»"],
    "es": ["El Sr. García llegó a las 10.", "¿Por qué?", "¡No lo sé!"],
    "fr": ["M. Dupont habite à Paris.", "Il a 30 ans, cf. p. 12 du livre.", "Pourquoi ?"],
    "it": ["Il dott. Rossi abita a Roma.", "È nato nel 1990.", "Perché?"],
    "nl": ["Mevr. De Vries kocht o.a. twee boeken.", "Dat zijn de pagina's.", "Waarom?"],
    "pt": ["O Sr. Silva chegou às 10.", "Veja a pág. 12 do livro.", "Porquê?"],
    "ru": ["Он родился в 1990 г. в Москве.", "А. С. Пушкин писал стихи, прозу и т.д.", "Почему?"],
}


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_sentences(code):
    expected = [
        s for t in SENTENCES[code] for s in ([t] if code != "de" else t.replace("? «", "?|«").split("|"))
    ]
    assert language(code).sentences(" ".join(SENTENCES[code])) == expected


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("es", ["Dijo que no.", "Después salió de la casa núm. 5."]),
        ("de", ["Das sind Fragen dieser Art.", "Sie stehen in Art. 5 des Gesetzes."]),
        ("pt", ["Ele olhava para o mar.", "Depois foi para casa."]),
        ("ru", ["Нажмите кнопку ОК.", "Это стоит ок. 5 рублей."]),
        ("de", ["Wählen Sie Format – Absatz… – Register: Umrandung.", "Er schwieg…", "Dann ging er."]),
    ],
)
def test_abbreviations_that_are_words_too(code, sentences):
    assert language(code).sentences(" ".join(sentences)) == sentences


def test_words_are_cut_after_articles():
    assert language("fr").words("L’homme d'aujourd'hui l'a vu.") == [
        "L'",
        "homme",
        "d'",
        "aujourd'hui",
        "l'",
        "a",
        "vu",
    ]
    assert language("it").words("dell'amica, 3,5 km") == ["dell'", "amica", "3,5", "km"]


SYLLABLES = {
    "de": "Haus:1 Familie:4 Nation:2 Geräusche:3 Bundesregierung:5",
    "es": "historia:3 país:2 ciudad:2 también:2 guerra:2 ahora:3",
    "fr": "femme:1 nation:2 parlent:1 théâtre:2 client:2 également:4",
    "it": "Italia:3 zia:2 paura:3 giorno:2 città:2",
    "nl": "zijn:1 belangrijk:3 geïnteresseerd:5 nieuw:1",
    "pt": "não:1 história:3 nacional:4 água:2 saúde:3",
    "ru": "история:4 его:2 здравствуйте:3",
}


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_syllables(code):
    pairs = [pair.split(":") for pair in SYLLABLES[code].split()]
    assert {w: language(code).syllables(w) for w, _ in pairs} == {w: int(n) for w, n in pairs}


def test_ranks():
    assert language("de").ranks(["der", "und"]).max() < 10
    assert language("de").ranks(["Xylophonbauerin"]).tolist() == [-1]


# Values worked by hand from these counts.
COUNTS = {"words": 100.0, "sentences": 5.0, "syllables": 180.0, "letters": 500.0, "letters_squared": 3000.0,
          "polysyllables": 20.0, "four_syllables": 10.0, "long_words": 30.0, "monosyllables": 50.0}  # fmt: skip
VALUES = {
    "amstad": 180 - 20 - 105.3,
    "fernandez_huerta": 206.84 - 20.4 - 108,
    "fernandez_huerta(variant='printed')": 206.84 - 5.1 - 108,
    "szigriszt_pazos": 206.835 - 112.14 - 20,
    "gutierrez_polini": 95.2 - 48.5 - 7,
    "crawford": -1.025 + 8.82 - 3.407,
    "mu": 100 * 100 / 99 * 5 / 5,  # variance 30 - 25
    "kandel_moles": 207 - 20.3 - 132.48,
    "kandel_moles(variant='209')": 209 - 23 - 122.4,
    "flesch_vacca": 217 - 26 - 108,
    "flesch_vacca(variant='1972')": 206 - 20 - 117,
    "flesch_vacca(variant='1972-60')": 206 - 20 - 108,
    "gulpease": 89 + (1500 - 5000) / 100,
    "douma": 206.84 - 18.6 - 138.6,
    "douma(variant='korpus')": 206.835 - 6.6 - 138.6,
    "brouwer": 195 - 40 - 120,
    "martins": 248.835 - 20.3 - 152.28,
    "martins(variant='alt')": 226 - 20.8 - 129.6,
    "oborneva": 206.835 - 26 - 108.18,
    "oborneva(variant='65.14')": 206.836 - 30.4 - 117.252,
    "oborneva(variant='220.755')": 220.755 - 26.3 - 90.18,
    "matskovskij": 12.4 + 1.23 + 0.051,
    "wstf": 3.87 + 3.344 + 3.891 - 1.635 - 0.875,
    "wstf(variant='2')": 4.014 + 3.364 + 4.119 - 2.779,
    "wstf(variant='3')": 5.926 + 3.81 - 1.1144,
    "wstf(variant='4')": 5.488 + 5.312 - 1.693,
    "lix": 20 + 30,
    "rix": 6,
}


@pytest.mark.parametrize(("spec", "value"), VALUES.items())
def test_formulas_by_hand(spec, value):
    assert float(pm.metric(spec).formula({k: np.float64(v) for k, v in COUNTS.items()})) == pytest.approx(
        value
    )


def test_counts_by_hand():
    # Die(1) Re-gie-rung(3) be-schließt(2) Ge-set-ze(3). Es(1) ist(1) gut(1).
    corpus = pm.Corpus(None, ["Die Regierung beschließt Gesetze. Es ist gut."], language="de")
    score = pm.metric("amstad").score(corpus)
    assert score.parts == {"words": 7, "sentences": 2, "syllables": 12}
    assert score.value == pytest.approx(180 - 3.5 - 58.5 * 12 / 7)


@pytest.mark.parametrize("code", ["de", "es", "fr", "it", "nl", "ru"])
def test_constants_are_textstats(code):
    known = pytest.importorskip("textstat.textstat").langs[code]
    constant, length, weight = CONSTANTS[code]
    per_word = known["fre_syll_per_word"] * (100 if code in ("es", "it") else 1)  # per hundred words
    assert (length, weight) == (known["fre_sentence_length"], pytest.approx(per_word))
    assert constant == pytest.approx(known["fre_base"], abs=0.006)
