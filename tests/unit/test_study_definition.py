"""study.yaml: templates, the published schema, and what is said of every mistake, with its line and key."""

import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from plainmark.errors import DefinitionError, InputError, UnknownNameError
from plainmark.study import load, templates
from plainmark.study.definition.models import published_schema, schema
from plainmark.study.definition.questions import letter
from plainmark.study.definition.yaml_reader import MAX_FILE, YamlFile
from plainmark.study.planning import plan_of
from support import studies

GOLDEN = Path(__file__).parents[1] / "golden"

TEMPLATES = [
    "appls-pairwise",
    "collect-references",
    "grammar-meaning-simplicity",
    "marked-edits",
    "rank-and-rate",
    "readability-preference",
    "reading-apart",
    "reading-comprehension",
    "recall-after-delay",
    "samsa-ratings",
]


def test_all_templates_are_known():
    assert templates.names() == TEMPLATES


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_run_as_they_are(name, tmp_path):
    files = templates.copy(name, tmp_path / "new")
    assert files == ["items.jsonl", "study.yaml"]
    study = load(tmp_path / "new")
    assert study.definition.id == name
    assert len(templates.about(name)) > 80
    jsonschema.validate(yaml.safe_load((tmp_path / "new" / "study.yaml").read_text()), schema())


def test_the_published_schema_is_that_of_the_program():
    assert published_schema() == schema(), "write plainmark.study.definition.schema() to study.schema.json"
    jsonschema.Draft202012Validator.check_schema(schema())
    with pytest.raises(jsonschema.ValidationError, match="unexpected"):
        jsonschema.validate({**studies.definition(), "unexpected": 1}, schema())


def test_a_template_is_never_copied_over_something(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="exists and is not empty"):
        templates.copy(TEMPLATES[0], tmp_path)
    with pytest.raises(UnknownNameError, match="Did you mean 'rank-and-rate'"):
        templates.copy("rank-and-rat", tmp_path / "x")
    assert not (tmp_path / "x").exists()


BLOCK = """
id: s
title: A study
items: items.jsonl
conditions: [plain, hard, odd]
design: {per_participant: 2}
pages:
  - kind: block
    questions:
      - {id: q1, type: yesno, text: Is it?}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: A study", "titel: A study", "line 3: titel: no such key. Did you mean 'title'? Allowed: "),
        ("title: A study", "", "line 1: no 'title'; it is needed."),
        ("id: s", "id: My Study", "line 2: id: found 'My Study', expected lower-case letters"),
        ("id: s", "id: {a: 1}", "line 2: id: found keys and values, expected lower-case"),
        ("title: A study", "title:", "line 3: title: empty, expected text."),
        ("title: A study", "title: A\ntitle: B", "line 4: title: given twice."),
        ("title: A study", "title: !!python/object:os.system x", "line 3: title: the tag"),
        ("title: A study", "title: !custom x", "line 3: title: the tag '!custom' is not allowed"),
        ("title: A study", "mode: test\ntitle: x", "line 3: mode: found 'test', expected one of pilot, live."),
        ("title: A study", "title: &a x\nlanguage: *a", "line 4: an alias (*name)"),
        ("[plain, hard, odd]", "[plain, plain]", "line 5: conditions[1]: 'plain' is given twice."),
        ("[plain, hard, odd]", "[]", "line 5: conditions: empty"),
        ("[plain, hard, odd]", "[plain, 'a|b']", "conditions[1]: found 'a|b', expected a name"),
        ("per_participant: 2", "per_participant: 0", "line 6: design.per_participant: found '0', expected a whole number from 1"),
        ("per_participant: 2", "per_participant: two", "found 'two', expected a whole number"),
        ("per_participant: 2", "per_participant: 7", "found 7, but there are 6 items"),
        ("per_participant: 2", "overlap: 9", "design.overlap: found 9, but there are 6 items"),
        ("per_participant: 2", "order: latn", "found 'latn', expected one of random, latin, fixed. Did you mean 'latin'?"),
        ("per_participant: 2", "fill: perhaps", "found 'perhaps', expected true or false"),
        ("{per_participant: 2}", "[1]", "line 6: design: found a list, expected keys and values"),
        ("kind: block", "kind: blok", "line 8: pages[0].kind: found 'blok', expected one of consent, practice, block, survey. Did you mean 'block'?"),
        ("kind: block", "title: x", "line 8: pages[0]: no 'kind'; expected one of"),
        ("kind: block", "kind: survey", "line 7: pages: found 0 pages of kind block, expected at least one."),
        ("type: yesno", "type: yesnoo", "line 10: pages[0].questions[0].type: found 'yesnoo', expected one of mcq"),
        ("type: yesno", "type: yesno, points: 5", "line 10: pages[0].questions[0].points: no such key."),
        ("type: yesno, text: Is it?", "type: yesno", "expected either 'text' or 'text_field'"),
        ("{id: q1, type", "{id: 1q, type", "id: found '1q', expected a word of letters"),
        ("text: Is it?", "text: Is it?, labels: [a, b, c]", "labels: found 3 labels, expected 2."),
        ("text: Is it?", "text: Is it?, key: maybe", "key: found 'maybe', expected yes or no"),
        ("text: Is it?", "text: Is it?, screen_out: no", "screen_out: only the questions of a survey can screen out"),
        ("text: Is it?", "text: Is it?, show_if: {question: q0, equals: yes}", "show_if.question: no earlier question 'q0' on this page"),
        ("type: yesno, text: Is it?", "type: mcq, text: x", "expected either 'options' or 'options_field'"),
        ("type: yesno, text: Is it?", "type: mcq, text: x, options: [a]", "found 1 option, expected at least 2"),
        ("type: yesno, text: Is it?", "type: mcq, text: x, options: [a, a]", "an option is given twice"),
        ("type: yesno, text: Is it?", "type: mcq, text: x, options: [a, b], key: c", "key: found 'c', expected one of A, B. An option's text will do."),
        ("type: yesno, text: Is it?", "type: mcq, text: x, options_field: none", "item 'i0' has 0 options in 'none'"),
        ("type: yesno, text: Is it?", "type: mcq, text: x, options_field: options, key_field: question", "the key 'What is 0?' is none of its options"),
        ("type: yesno, text: Is it?", "type: mcq, text_field: nothing, options: [a, b]", "item 'i0' has no field 'nothing'"),
        ("type: yesno, text: Is it?", "type: likert, text: x, low: 5, high: 1", "high: found 1, expected more than low, which is 5"),
        ("type: yesno, text: Is it?", "type: likert, text: x, high: 50", "at most 11 points"),
        ("type: yesno, text: Is it?", "type: likert, text: x, labels: [a, b, c]", "found 3 labels, expected 0 or 2 or 5"),
        ("type: yesno, text: Is it?", "type: pairwise, text: x", "pairwise questions need a page that shows a pair"),
        ("type: yesno, text: Is it?", "type: rank, text: x", "rank needs options"),
        ("type: yesno, text: Is it?", "type: multiselect, text: x", "expected either 'options' or 'options_field'"),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options: [a, b], most: 3", "questions[0].most: found 3, but there are 2 options."),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options: [a, b, c], least: 3, most: 2", "most: found 2, expected at least 'least', which is 3."),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options: [a, b], least: 0", "least: found 0; a question that may stay empty has required: false."),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options: [a, b], exclusive: a", "exclusive: is also one of the options"),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options: [a, b], key: [a, d]", "key[1]: found 'd', expected one of A, B. An option's text will do."),
        ("type: yesno, text: Is it?", "type: multiselect, text: x, options_field: options, key: zzz", "item 'i0': the key 'zzz' is none of its options."),
        ("type: yesno, text: Is it?", "type: matrix, text: x, statements: [{id: a, text: b}]", "statements: found 1, expected at least 2; for one, use likert."),
        ("type: yesno, text: Is it?", "type: matrix, text: x, statements: [{id: a, text: b}, {id: a, text: c}]", "statements[1].id: 'a' is given twice."),
        ("type: yesno, text: Is it?", "type: matrix, text: x, high: 20, statements: [{id: a, text: b}, {id: c, text: d}]", "a matrix scale has at most 11 points"),
        ("type: yesno, text: Is it?", "type: spans, text: x, categories: []", "line 10: pages[0].questions[0].categories: empty"),
        ("type: yesno, text: Is it?", "type: spans, text: x, where: both, categories: [{id: a}]", "questions[0].where: found 'both', but the page shows text; show source+text."),
        ("type: yesno, text: Is it?", "type: spans, text: x, categories: [{id: a, where: source}]", "categories[0].where: found 'source', but the question marks only the text."),
        ("type: yesno, text: Is it?", "type: spans, text: x, categories: [{id: a}, {id: a}]", "categories[1].id: 'a' is given twice."),
        ("type: yesno, text: Is it?", "type: spans, text: x, severities: [a, a], categories: [{id: a}]", "severities: a severity is given twice."),
        ("type: yesno, text: Is it?", "type: spans, text: x, least: 9, most: 2, categories: [{id: a}]", "most: found 2, expected at least 'least', which is 9."),
        ("pages:\n", "pages:\n  - {kind: survey, questions: [{id: s, type: spans, text: x, categories: [{id: a}]}]}\n", "line 8: pages[0].questions[0].type: spans need a page that shows texts"),
        ("    questions:\n      - {id: q1, type: yesno, text: Is it?}", "    reading: apart\n    questions: [{id: s, type: spans, text: x, categories: [{id: a}]}]", "'s' is about a text that is not shown with it; use reading: first."),
        ("    questions:", "    questions_title: x\n    questions:", "pages[0].questions_title: the questions stand beside the text; needs reading: first or apart."),
        ("title: A study", "title: x\nchecks: {attention: [{after: 1, question: {id: a, type: mcq, text: x, options: [a, b], key: A}, others: [{id: b, type: yesno, text: y, key: yes}]}]}", "line 4: checks.attention[0].others[0].key: only 'question' counts; the others have no right answer."),
        ("title: A study", "title: x\nchecks: {attention: [{after: 1, question: {id: a, type: mcq, text: x, options: [a, b], key: A}, others: [{id: a, type: yesno, text: y}]}]}", "line 4: checks.attention[0]: 'a' is given twice on one page."),
        ("title: A study", "title: x\nchecks: {attention: [{after: 1, question: {id: a, type: mcq, text: x, options: [a, b], key: A}, others: [{id: b, type: yesno, text: y, show_if: {question: c, equals: yes}}]}]}", "checks.attention[0].others[0].show_if.question: no earlier question 'c' on this page."),
        ("title: A study", "title: x\nchecks: {attention: [{after: 1, question: {id: a, type: mcq, text: x, options: [a, b], key: A, show_if: {question: b, equals: yes}}, others: [{id: b, type: yesno, text: y}]}]}", "checks.attention[0].question.show_if: the question that counts is always asked."),
        ("    questions:", "    reading: alone\n    questions:", "reading: found 'alone', expected one of together, first, apart."),
        ("    questions:", "    one_per_screen: true\n    questions:", "one_per_screen: found 'true', expected one of never, phone, always."),
        ("title: A study", "title: x\nchecks: {minimum_reading_seconds: 5}", "line 4: checks.minimum_reading_seconds: needs a block whose reading is first or apart"),
        ("title: A study", "title: x\nexclusions: {minimum_reading_seconds: 5}", "exclusions.minimum_reading_seconds: needs a block"),
        ("title: A study", "title: x\nquotas: [{question: native, equals: yes, people: 2}]", "line 4: quotas[0].question: found 'native', expected one of none."),
        ("title: A study", "title: x\nquotas: [{question: q1, equals: yes, people: 0}]", "quotas[0].people: found '0', expected a whole number from 1"),
        ("pages:\n", "quotas: [{question: n, equals: maybe, people: 2}]\npages:\n  - {kind: survey, questions: [{id: n, type: yesno, text: x}]}\n", "quotas[0].equals: found 'maybe', expected one of yes, no."),
        ("pages:\n", "quotas: [{question: n, equals: 1, people: 2}]\npages:\n  - {kind: survey, questions: [{id: n, type: count, text: x}]}\n", "quotas[0].question: 'n' has no fixed answers to count."),
        ("      - {id: q1, type: yesno, text: Is it?}\n", "      - {id: q1, type: yesno, text: Is it?}\n  - {kind: survey, questions: [{id: n, type: yesno, text: x}]}\nquotas: [{question: n, equals: yes, people: 2}]\n", "quotas[0].question: is asked after the block; ask it on a survey page before it."),
        ("    questions:", "    show: pair\n    pairs: [plain]\n    questions:", "pairs[0]: found 'plain', expected two conditions"),
        ("    questions:", "    show: grid\n    sides: left\n    questions:", "sides: found 'left', expected one of random, fixed"),
        ("    questions:", "    source: true\n    questions:", "pages[0].source: is for pairs and grids; instead of text, show source+text."),
        ("    questions:", "    labels: [A, B]\n    questions:", "pages[0].labels: found 2 labels, expected 1, one for each text."),
        ("    questions:", "    show: grid\n    labels: [A, B]\n    questions:", "pages[0].labels: found 2 labels, expected 3, one for each text."),
        ("pages:", "pages:\n  - {kind: practice, show: pair, item: {texts: [one]}}", "pages[0].item: found 1 texts, expected 2 for pair."),
        ("pages:", "pages:\n  - {kind: practice, show: source+text, item: {texts: [one]}}", "pages[0].item: no 'source', and the page shows one."),
        ("pages:", "pages:\n  - {kind: practice, show: source+text, item: {source: s}}", "pages[0].item: found 0 texts, expected 1 for source+text."),
        ("title: A study", "title: x\nscores: [{id: P, of: q1}]", "scores[0].of: found 'q1', expected one of none"),
        ("title: A study", "title: x\nrecruit: {return_url: 'http://evil.example/{code}'}", "return_url: found 'http://evil.example/{code}', expected an https:// address with {code}"),
        ("title: A study", "title: x\nrecruit: {codes: {finished: a}}", "recruit.codes.finished: no such key"),
        ("title: A study", "title: x\noriginal: nobody", "original: found 'nobody', expected one of plain, hard, odd."),
        ("title: A study", "title: x\ntexts: {other: a.txt}", "texts.other: found 'other', expected one of plain"),
        ("items: items.jsonl", "items: ../items.jsonl", "leads out of the study's folder"),
        ("items: items.jsonl", "items: /etc/passwd", "leads out of the study's folder"),
        ("items: items.jsonl", "items: none.jsonl", "none.jsonl: no such file"),
        ("items: items.jsonl", "items: study.yaml", "found .yaml, expected .jsonl, .csv or .tsv"),
        ("[plain, hard, odd]", "[plain, hard, odd, simple]", "no text for condition 'simple' of items 'i0', 'i1', 'i2' and 3 more."),
        ("type: yesno, text: Is it?", "type: text, text: [a]", "line 10: pages[0].questions[0].text: found a list, expected text."),
        ("type: yesno, text: Is it?", "type: text, text: a, rewrite: {copying: 2}", "questions[0].rewrite.copying: found '2', expected a number from 0 to 1."),
        ("text: Is it?", "text: Is it?, show_if: ~", "questions[0].show_if: empty, expected keys and values."),
        ("text: Is it?", "text: Is it?, labels: {a: b}", "questions[0].labels: found keys and values, expected a list."),
        ("per_participant: 2", "per_participant: '2'", "found '2', expected a whole number from 1 to 1000."),
        ("per_participant: 2", "per_participant: yes", "found 'yes', expected a whole number from 1 to 1000."),
        ("per_participant: 2", "fill: 1", "design.fill: found '1', expected true or false."),
        ("title: A study", "title: x\nlease: .nan", "lease: found '.nan', expected a number from 1 to 100000."),
        ("title: A study", "titel: x", "Allowed: analysis, checks, conditions, design, exclusions, id,"),
        ("id: s\ntitle: A study", "mode: live", "line 1: no 'id', 'title'; they are needed."),
        ("title: A study", f"title: {'x' * 20_001}", "title: 20,001 characters, expected at most 20,000."),
        ("title: A study", "title: {a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: n}}}}}}}}}}}}}", "nested too deeply"),
        ("pages:", "pages: 7", "not YAML"),
        ("title: A study", "title: [", "not YAML"),
        ("title: A study", "? [a]\n: b", "line 3: a key must be a word."),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_line_and_key(tmp_path, old, new, message):
    studies.write(tmp_path)
    assert old in BLOCK
    (tmp_path / "study.yaml").write_text(BLOCK.replace(old, new, 1))
    with pytest.raises(DefinitionError) as found:
        load(tmp_path)
    assert message in str(found.value)
    assert "\n" not in str(found.value).strip()
    assert re.search(r"study\.yaml, line \d+: ", str(found.value))


def test_the_study_that_the_mistakes_are_made_in_is_right(tmp_path):
    studies.write(tmp_path)
    (tmp_path / "study.yaml").write_text(BLOCK)
    study = load(tmp_path)
    assert [a.id for a in study.arms] == ["plain", "hard", "odd"]
    assert study.definition.blocks[0].questions[0].labels == ("Yes", "No")


def test_words_that_yaml_takes_for_truth_stay_words(tmp_path):
    made = studies.definition()
    text = yaml.safe_dump(made).replace("- plain", "- yes")
    (tmp_path / "items.jsonl").write_text(
        "".join(json.dumps(r) + "\n" for r in studies.items(conditions=("yes", "hard", "odd")))
    )
    (tmp_path / "study.yaml").write_text(text)
    assert load(tmp_path).definition.conditions == ("yes", "hard", "odd")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("[1]", "line 1: found list, expected an object"),
        ("{", "line 1: not JSON"),
        ('{"source": "x"}', "line 1: no id"),
        ('{"id": "a", "source": 3}', "source is int, expected text"),
        ('{"id": "a", "texts": 3}', "texts must be an object"),
        ('{"id": "a", "texts": {"plain": 3}}', "plain is int, expected text"),
        ('{"id": "a", "plain": "x", "hard": "x", "odd": "x"}\n{"id": "a", "plain": "x"}', "line 2: item 'a' is already at items.jsonl, line 1"),
        ('{"id": "a", "plain": "x", "hard": " ", "odd": "x"}', "no text for condition 'hard' of item 'a'."),
        ("", "no items"),
        (json.dumps({"id": "x" * 500, "plain": "x", "hard": "x", "odd": "x"}), "the id has 500 characters"),
        (json.dumps({"id": "a", "plain": "x" * 100_001}), "plain has 100,001 characters"),
    ],
)  # fmt: skip
def test_mistakes_in_items(tmp_path, lines, message):
    studies.write(tmp_path)
    (tmp_path / "items.jsonl").write_text(lines)
    with pytest.raises(DefinitionError, match=re.escape(message)):
        load(tmp_path)


def test_items_in_csv_and_texts_in_files_of_their_own(tmp_path):
    made = studies.definition(items="items.csv", texts={"hard": "hard.txt", "odd": "odd.jsonl"})
    studies.write(tmp_path)
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(made))
    (tmp_path / "items.csv").write_text(
        "id,plain,question,options\n"
        + "".join(f'{k},"Plain, {k}",What?,yes {k} | no {k}\n' for k in range(3))
    )
    (tmp_path / "hard.txt").write_text("Hard 0\nHard 1\nHard 2\n")
    (tmp_path / "odd.jsonl").write_text(
        "".join(json.dumps({"id": str(2 - k), "text": f"Odd {2 - k}"}) + "\n" for k in range(3))
    )
    study = load(tmp_path)
    assert study.item("1").texts == {"plain": "Plain, 1", "hard": "Hard 1", "odd": "Odd 1"}
    assert study.item("1").list_of("options") == ["yes 1", "no 1"]
    (tmp_path / "hard.txt").write_text("one\n")
    with pytest.raises(DefinitionError, match=r"hard\.txt: 1 lines, but there are 3 items"):
        load(tmp_path)


def test_a_link_that_leads_out_is_refused(tmp_path):
    studies.write(tmp_path / "s")
    outside = tmp_path / "secret.jsonl"
    outside.write_text("{}")
    (tmp_path / "s" / "items.jsonl").unlink()
    (tmp_path / "s" / "items.jsonl").symlink_to(outside)
    with pytest.raises(DefinitionError, match="leads out of the study's folder"):
        load(tmp_path / "s")


def test_items_may_lack_texts_if_the_definition_says_so(tmp_path):
    rows = studies.items(4)
    del rows[2]["texts"]["odd"]
    study = studies.write(tmp_path, studies.definition(incomplete=True), rows)
    assert study.absent == {("i2", "odd")}
    for row in rows:
        row["texts"].pop("odd", None)
    with pytest.raises(DefinitionError, match="no text for condition 'odd'"):
        studies.write(tmp_path, studies.definition(incomplete=True), rows)


def test_the_digest_changes_with_what_people_see_and_only_then(tmp_path):
    first = studies.write(tmp_path)
    text = (tmp_path / "study.yaml").read_text()
    (tmp_path / "study.yaml").write_text("# a comment\n" + text)
    assert load(tmp_path).digest == first.digest
    assert studies.write(tmp_path, studies.definition(mode="live")).digest == first.digest
    assert studies.write(tmp_path, studies.definition(title="New")).digest != first.digest
    rows = studies.items()
    rows[0]["texts"]["plain"] += "!"
    assert studies.write(tmp_path, rows=rows).digest != first.digest


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("appls-pairwise", "db25e5194728e5eeeda8a5b58910079a643b68dabeffb7f1883b121ac4d44b45"),
        ("collect-references", "6801806e9c836a8bf4bb1ca5f7cba319989c625714417d71f440808757b62192"),
        ("grammar-meaning-simplicity", "75f860a5367bb5249fc2b174974decb8dc8e5e3d5c6e2a650eddbdbeb3ebceae"),
        ("rank-and-rate", "26a951bca3bc0452b7c264287967028be6441a1579c7861ddca56e7f910d7454"),
        ("readability-preference", "1107503a534343b6b77e12b98687432f784d4cd13864f8a656926c499ca07a88"),
        ("reading-comprehension", "0d7a79b260674d0a5c77a09ea055b0c0637ce0f1b480ebb5ccfe502da5dfdf3d"),
        ("samsa-ratings", "50c88374fcd2ffe2d1bb39f0a483f6d3214551d861c36986f114431c75dde761"),
    ],
)
def test_digests_stay_the_same_so_that_databases_can_be_opened_again(tmp_path, name, digest):
    files = json.loads((GOLDEN / "study_definitions.json").read_text("utf-8"))[name]
    for file, text in files.items():
        (tmp_path / file).write_text(text, "utf-8")
    assert load(tmp_path).digest == digest


def test_hostile_files(tmp_path):
    studies.write(tmp_path)
    file = tmp_path / "study.yaml"
    file.write_text("a: " + "x" * (MAX_FILE + 1))
    with pytest.raises(DefinitionError, match="characters, expected at most"):
        load(tmp_path)
    file.write_text("[" * 5000)
    with pytest.raises(DefinitionError, match="not YAML"):
        load(tmp_path)
    file.write_bytes(b"id: caf\xe9\n")
    with pytest.raises(DefinitionError, match="line 1: not UTF-8"):
        load(tmp_path)
    file.write_text("")
    with pytest.raises(DefinitionError, match="empty, expected a study definition"):
        load(tmp_path)
    file.unlink()
    with pytest.raises(DefinitionError, match=r"cannot be read.*study init"):
        load(tmp_path)
    with pytest.raises(DefinitionError, match="found 'x', expected keys and values"):
        YamlFile("x", "f").parse(type(load(Path(str(_fresh(tmp_path)))).definition))


def _fresh(folder):
    studies.write(folder / "fresh")
    return folder / "fresh"


def test_pairs_and_grids_are_arms(tmp_path):
    pair = {"kind": "block", "show": "pair", "questions": [{"id": "p", "type": "pairwise", "text": "Which?"}]}
    study = studies.write(tmp_path, studies.definition(pages=[pair]))
    assert [a.id for a in study.arms] == ["plain|hard", "plain|odd", "hard|odd"]
    chosen = studies.write(tmp_path, studies.definition(pages=[{**pair, "pairs": ["odd|plain"]}]))
    assert [a.conditions for a in chosen.arms] == [("odd", "plain")]
    grid = {"kind": "block", "show": "grid", "questions": [{"id": "r", "type": "rank", "text": "Rank."}]}
    assert [len(a.conditions) for a in studies.write(tmp_path, studies.definition(pages=[grid])).arms] == [3]


def test_return_addresses(tmp_path):
    study = studies.write(tmp_path, studies.definition(recruit={"codes": {"complete": "A B&c"}}))
    assert study.return_url("complete") == "https://app.prolific.com/submissions/complete?cc=A%20B%26c"
    assert study.return_url("full") == ""


def test_letters():
    assert [letter(i) for i in (0, 25, 26, 27)] == ["A", "Z", "A1", "B1"]


def test_attention_trials_that_give_themselves_away_are_noted(tmp_path):
    question = {"id": "look", "type": "mcq", "text": "Choose a.", "options": ["a", "b"], "key": "A"}
    (first, block, survey), second = studies.definition()["pages"], {**studies.MCQ, "id": "q2"}
    pages = [first, {**block, "questions": [studies.MCQ, second]}, survey]

    def noted(name, attention):
        made = studies.definition(pages=pages, checks={"attention": [{"after": 1, **attention}]})
        return [w for w in plan_of(studies.write(tmp_path / name, made)).warnings if "attention" in w]

    assert noted("alone", {"question": question}) == [
        "attention trial 1 has 1 question where other trials have 2, which gives it away; add some in others.",
        "attention trial 1 has 2 options where other trials have 4, which gives it away; give it as many.",
    ]
    alike = {**question, "options": ["a", "b", "c"], "unanswerable": "None."}
    assert (
        noted("alike", {"question": alike, "others": [{**copy.deepcopy(alike), "id": "other", "key": ""}]})
        == []
    )
