"""Buttons and messages of studies: every language is complete, plural forms, a study's own file, and what is wrong with one."""

import ast
import json
import re
from pathlib import Path

import pytest

import plainmark
from plainmark.cli import main
from plainmark.errors import DefinitionError
from plainmark.study.definition.models import OUTCOMES
from plainmark.study.messages import ENGLISH, LANGUAGES, for_language
from plainmark.study.pages import make_page, read_form
from plainmark.web.study.participant import NOTES
from support import studies

PACKAGE = Path(plainmark.__file__).parent
ARABIC = """
plural = "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5"
[button]
continue = "متابعة"
[page]
page_of = "صفحة {number} من {total}"
[rewriting]
words = ["لا كلمات ({count})", "كلمة", "كلمتان", "{count} كلمات", "{count} كلمة", "{count} كلمة"]
"""


def write(folder, content="", **changes):
    if content:
        folder.mkdir(exist_ok=True)
        (folder / "own.toml").write_text(content, "utf-8")
        changes = {"messages": "own.toml", **changes}
    return studies.write(folder, studies.definition(**changes))


def test_the_languages_are_those_that_plainmark_counts_in():
    assert LANGUAGES == ("de", "en", "es", "fr", "it", "nl", "pt", "ru")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shipped_language_has_every_message(language):
    messages = for_language(language)
    assert messages.untranslated == 0
    assert set(messages.by_key) == set(ENGLISH.by_key)


@pytest.mark.parametrize("language", [c for c in LANGUAGES if c != "en"])
def test_few_messages_are_the_same_as_in_english(language):
    messages = for_language(language).by_key
    same = {key for key, message in messages.items() if message.forms == ENGLISH.by_key[key].forms}
    assert same <= {"page.original", "page.text", "page.text_letter", "page.quoted", "default.no"}


def used_keys():
    """Keys in quotation marks in modules and templates, and those that modules put together."""
    words = set()
    for path in [*PACKAGE.glob("study/**/*.py"), *PACKAGE.glob("web/study/*.py")]:
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        words |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    for path in PACKAGE.glob("web/study/templates/*.html"):
        words |= set(re.findall(r'\bt\("([\w.]+)"', path.read_text("utf-8")))
    titled = [f"end.{outcome}" for outcome in (*OUTCOMES, "paused")]
    titled += ["end.quota", *(f"session.{state}" for state in ("early", "due", "late"))]
    titled += [
        word for word in words if re.fullmatch(r"(link|error)\.\w+|withdrawal\.(done|unknown|before)", word)
    ]
    script = (PACKAGE / "web/study/static/study.js").read_text("utf-8")
    marking = (PACKAGE / "web/study/static/marks.js").read_text("utf-8")
    return (
        words
        | {f"{key}.{part}" for key in titled for part in ("title", "text")}
        | {f"note.{note}" for note in NOTES}
        | {f"session.in_{unit}" for unit in ("minutes", "hours", "days")}
        | {f"default.{name}" for name in ("agree", "decline", "yes", "no")}
        | {f"marking.{name}" for name in re.findall(r"\bmessages\.(\w+)", marking)}
        | {f"live.{name}" for name in re.findall(r"\bsay\.(\w+)", script)}
    )


def test_every_message_is_used_and_every_key_exists():
    used = used_keys()
    assert set(ENGLISH.by_key) - used == set()
    sections = {key.split(".")[0] for key in ENGLISH.by_key}
    called = set()
    for path in PACKAGE.glob("web/study/templates/*.html"):
        called |= set(re.findall(r'\bt\("([\w.]+)"', path.read_text("utf-8")))
    for path in [*PACKAGE.glob("study/**/*.py"), *PACKAGE.glob("web/study/*.py")]:
        called |= set(re.findall(r'messages\(\s*"([\w.]+)"', path.read_text("utf-8")))
    assert called - set(ENGLISH.by_key) == set()
    assert {key.split(".")[0] for key in called} <= sections


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["0 words", "1 word", "2 words", "5 words", "11 words", "21 words"]),
        ("de", ["0 Wörter", "1 Wort", "2 Wörter", "5 Wörter", "11 Wörter", "21 Wörter"]),
        ("fr", ["0 mot", "1 mot", "2 mots", "5 mots", "11 mots", "21 mots"]),
        ("ru", ["0 слов", "1 слово", "2 слова", "5 слов", "11 слов", "21 слово"]),
    ],
)
def test_plural_forms(language, expected):
    messages = for_language(language)
    assert [messages("rewriting.words", count=n) for n in (0, 1, 2, 5, 11, 21)] == expected


def test_numbers_have_the_separator_of_the_language_from_five_digits_on():
    shown = {c: for_language(c)("page.page_of", number=1234, total=12345) for c in ("en", "de", "fr", "ru")}
    assert shown == {
        "en": "Page 1234 of 12,345",
        "de": "Seite 1234 von 12.345",
        "fr": "Page 1234 sur 12\u202f345",
        "ru": "Страница 1234 из 12\u202f345",
    }


@pytest.mark.parametrize(
    ("tag", "direction", "button"),
    [
        ("de-CH", "ltr", "Weiter"),
        ("pt-BR", "ltr", "Continuar"),
        ("ar", "rtl", "Continue"),
        ("he-IL", "rtl", "Continue"),
        ("az-Arab", "rtl", "Continue"),
        ("ar-Latn", "ltr", "Continue"),
        ("ja", "ltr", "Continue"),
    ],
)
def test_regions_have_the_messages_of_their_language_and_others_those_in_english(tag, direction, button):
    messages = for_language(tag)
    assert (messages.direction, messages("button.continue")) == (direction, button)
    assert (messages.untranslated == 0) == (button != "Continue")


def test_what_a_person_wrote_is_not_read_as_a_placeholder():
    assert ENGLISH("page.only_if", answers="{question}", question="{answers} {x}") == (
        "Only if you answered {question} to “{answers} {x}”."
    )


def test_a_study_without_words_of_its_own_has_those_of_its_language(tmp_path):
    question = {"id": "y", "type": "yesno", "text": "Stimmt das?"}
    own = {"id": "z", "type": "yesno", "text": "Wirklich?", "labels": ["Doch", "Nein"]}
    pages = [{"kind": "consent", "text": "Dürfen wir?"}, {"kind": "block", "questions": [question, own]}]
    study = write(tmp_path / "study", language="de", pages=pages)
    consent, block = study.definition.pages
    assert (consent.agree, consent.decline) == ("Ja, ich nehme teil", "Ich bin nicht einverstanden")
    assert [q.labels for q in block.questions] == [("Ja", "Nein"), ("Doch", "Nein")]
    page = make_page(consent, {}, token="t", messages=study.messages)
    assert page.questions[0].text == "Sind Sie einverstanden?"
    assert read_form(page, {})[1][0].message == "Bitte beantworten Sie diese Frage."


def test_the_digest_of_an_english_study_is_as_before_there_were_languages(tmp_path):
    """Databases hold it: an answer belongs to a revision."""
    assert write(tmp_path / "study").digest.startswith("e98453983947")


def test_a_rewriting_in_german_is_split_by_german_rules(tmp_path):
    rewriting = {"id": "r", "type": "text", "text": "Wie?", "rewrite": {"shortest": 0, "longest": 10}}
    study = write(
        tmp_path / "study", language="de", pages=[{"kind": "block", "show": "text", "questions": [rewriting]}]
    )
    item = study.items[0]
    page = make_page(
        study.definition.blocks[0],
        {"texts": ["plain"], "options": {}},
        token="t",
        item=item,
        messages=study.messages,
    )
    assert read_form(page, {"q1": "Am 3. Mai kam Dr. Weber, d. h. der Arzt."})[1] == []
    assert read_form(page, {"q1": "Am 3. Mai kam er. Dann ging er."})[1][0].message.startswith(
        "Bitte schreiben Sie einen"
    )


def test_a_study_may_bring_messages_for_another_language(tmp_path, capsys):
    study = write(tmp_path / "study", ARABIC, language="ar")
    messages = study.messages
    assert (messages("button.continue"), messages("button.start")) == ("متابعة", "Start")
    assert [messages("rewriting.words", count=n) for n in (1, 2, 3, 11)] == [
        "كلمة",
        "كلمتان",
        "3 كلمات",
        "11 كلمة",
    ]
    assert messages("answer.too_long", count=2, written=3).startswith("Please write at most 2 characters")
    assert main(["study", "check", str(tmp_path / "study")]) == 0
    assert (
        f"note: language ar: {len(ENGLISH.by_key) - 3} of {len(ENGLISH.by_key)} buttons"
        in capsys.readouterr().out
    )


def test_a_study_may_reword_a_shipped_message(tmp_path):
    messages = write(tmp_path / "study", '[button]\ncontinue = "Los!"\n', language="de").messages
    assert (messages("button.continue"), messages("button.start")) == ("Los!", "Beginnen")
    assert messages("page.page_of", number=1, total=20_000) == "Seite 1 von 20.000"
    assert messages.untranslated == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[button]\ncontinu = 'x'", "own.toml: button.continu: no such message. Did you mean 'button.continue'?"),
        ("[button]\ncontinue = 3", "own.toml: button.continue: expected text."),
        ("[button]\ncontinue = ' '", "own.toml: button.continue: expected text."),
        ("[page]\npage_of = '{number}'", "own.toml: page.page_of: found {number}, expected {number}, {total}, as in en.toml."),
        ("[button]\nstart = '{x.__class__}{}'", "own.toml: button.start: found {}, expected nothing in braces"),
        ("[rewriting]\nwords = '{count}'", "own.toml: rewriting.words: found 1 texts, expected 2"),
        ("[button]\nstart = ['a', 'b']", "own.toml: button.start: found 2 texts, expected 1"),
        ("plural = 'n ?'", "own.toml: plural: found 'n ?', expected a rule as gettext writes it, such as 'n != 1'."),
        ("plural = '__import__(1)'", "own.toml: plural: found '__import__(1)'"),
        ("plural = '1/0'", "own.toml: plural: found '1/0'"),
        ("plural = 1", "own.toml: 'plural' and 'thousands' must be text."),
        ("plural = ", "own.toml: not TOML in UTF-8"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(tmp_path, content, problem):
    with pytest.raises(DefinitionError) as caught:
        write(tmp_path / "study", content)
    assert f"messages: {problem}" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["../own.toml", "/etc/passwd", "none.toml"])
def test_a_file_of_messages_stays_in_the_folder_of_the_study(tmp_path, name):
    (tmp_path / "own.toml").write_text("")
    with pytest.raises(DefinitionError, match="messages: "):
        write(tmp_path / "study", messages=name)


def test_the_script_has_the_messages_as_json():
    assert json.dumps(for_language("fr").section("live")).count("{written}") == 1
