"""The script that measures detection and sentence splitting: cuts, cut texts, and paragraphs of help pages."""

import pytest
from evaluation import help_pages
from evaluation.languages import beginning, f1

from plainmark.errors import InputError

SENTENCES = ["One is here.", "Two is here.", "Three.", "Four.", "Five."]


def test_f1_of_cuts():
    assert f1(SENTENCES, lambda text: SENTENCES) == 100
    assert f1(SENTENCES, lambda text: [text]) == 0
    # Three of four cuts and one that is wrong: precision and recall are 3 / 4.
    assert f1(SENTENCES, lambda text: ["One is here. Two", "is here.", "Three.", "Four.", "Five."]) == 75


def test_texts_are_cut_at_words():
    assert beginning("aaa bbb ccc", 4) == "aaa bbb"
    assert beginning("aaa bbb ccc", 3) == "aaa"
    assert beginning("aaa", 9) == "aaa"


def test_paragraphs_of_help_pages_that_are_one_sentence(tmp_path):
    pages = {
        "en-US": '<p id="a">Click the <b>button</b> to go on.</p><p id="b">Two words. And a second sentence here.</p>'
        '<p id="c">Type the name of the file here.</p><p id="d">Same text in both languages, not translated.</p>',
        "de": '<p id="a">Klicken Sie auf\n die <b>Taste</b>.</p><p id="b">Eins. Zwei.</p><p id="c">name der Datei.</p>'
        '<p id="d">Same text in both languages, not translated.</p>',
    }
    for language, text in pages.items():
        folder = tmp_path / help_pages.PAGES / language / "text"
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(text, "utf-8")
    english = help_pages.paragraphs(tmp_path, "en")
    assert english["page.html#a"] == "Click the button to go on."
    assert help_pages.sentences(tmp_path, "de", english, 10) == ["Klicken Sie auf die Taste."]
    with pytest.raises(InputError, match="unpack libreoffice-help-fr"):
        help_pages.paragraphs(tmp_path, "fr")
