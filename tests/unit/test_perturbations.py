"""Single perturbations on cases that can be checked by eye."""

import re

import numpy as np
import pytest

from plainmark import wordnet
from plainmark.errors import InputError, OptionError
from plainmark.perturbations import (
    Replacement,
    TextDocument,
    generator,
    perturbation,
    pooled,
    render,
    sentence_spans,
    steps,
)
from plainmark.perturbations._quotations import is_balanced, with_whole_quotations
from plainmark.perturbations._terms import terms
from plainmark.perturbations._verbs import antonyms, synonyms
from plainmark.perturbations.numbers import _spelt, eligible
from plainmark.perturbations.reorder import walk
from plainmark.perturbations.simplify import NO_VERSION
from support import perturbed_texts


def apply(name, document, strength=1.0, seed=1):
    p = perturbation(name)
    return p.apply(document, strength, generator(seed, p, getattr(document, "id", "")))


def changed(document, made):
    text = document if isinstance(document, str) else document.text
    return [(text[s.was_start : s.was_end], made.text[s.start : s.end]) for s in made.spans]


def test_render_and_spans():
    text, spans = render(
        "abcdef", [(Replacement(4, 5, "E"),), (Replacement(0, 0, "<"), Replacement(1, 3, ""))]
    )
    assert text == "<adEf"
    assert [tuple(s) for s in spans] == [(0, 1, 0, 0), (2, 2, 1, 3), (3, 4, 4, 5)]


def test_steps_are_rounded_half_up():
    assert [steps(x, 4) for x in (0, 0.1, 0.125, 0.3, 0.5, 0.9, 1)] == [0, 0, 1, 1, 2, 4, 4]


def test_sentences_end_with_lines():
    text = "One.  Two!\n\n Title\nThree goes on."
    assert [text[a:b] for a, b in sentence_spans(text)] == ["One.", "Two!", "Title", "Three goes on."]


# delete


def test_delete_leaves_one_sentence():
    made = apply("delete", "One cat. Two dogs. Three owls.")
    assert made.text in ("One cat.", "Two dogs.", "Three owls.")
    assert made.realised == pytest.approx(2 / 3)
    assert made.reason == "one sentence always stays"
    assert apply("delete", "One cat.").reason == "1 sentence, and one always stays"
    assert apply("delete", "").reason == "no sentences, and one always stays"


def test_the_most_telling_sentences_first():
    text = "Malaria kills. Rain fell today. Malaria parasites carry malaria."
    assert (
        apply("delete(order='salience')", text, 0.34).text
        == "Rain fell today. Malaria parasites carry malaria."
    )


# add


def test_sentences_never_come_from_the_same_document():
    documents = pooled(
        [TextDocument(f"Alpha {i}. Beta {i}. Gamma {i}. Delta {i}.", str(i)) for i in range(3)]
    )
    for seed in range(20):
        made = apply("add_in_domain", documents[0], 1.0, seed)
        new = [made.text[s.start : s.end].strip() for s in made.spans]
        assert len(new) == len(set(new)) == 4
        assert all(not s.endswith(" 0.") for s in new)


def test_parts_of_one_article_are_not_other_documents():
    documents = pooled(
        [TextDocument("A one. B one.", "1", article="x"), TextDocument("A two. B two.", "2", article="x")]
    )
    made = apply("add_in_domain", documents[0])
    assert (made.eligible, made.reason) == (0, "no other documents and no pool")


def test_a_pool_of_the_users(tmp_path):
    path = tmp_path / "pool.txt"
    path.write_text("Kites fly. Boats sail.\n")
    made = apply(f"add_out_of_domain(pool={str(path)!r})", "One cat. Two dogs. Three owls.")
    assert sorted(new.strip() for _, new in changed("One cat. Two dogs. Three owls.", made)) == [
        "Boats sail.",
        "Kites fly.",
    ]
    assert made.realised == pytest.approx(2 / 3)
    assert made.reason == "the pool has only 2 sentences"
    path.write_text("\n")
    with pytest.raises(InputError, match="no sentences, expected a text file with sentences to add"):
        apply(f"add_in_domain(pool={str(path)!r})", "One cat.")


@pytest.mark.wordnet
def test_definitions_stand_after_the_first_mention():
    text = "The patient had dyspnea. Dyspnea is common. He went home."
    made = apply("add_definitions", text)
    first = made.text.index("Dyspnea means")
    assert made.text[:first] == "The patient had dyspnea. "
    assert made.realised == pytest.approx(1 / 3)
    assert made.reason == "only 1 terms have a definition"


def test_a_glossary_comes_first(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text("term,definition\nward,A ward is a room in a hospital.\nferry,a boat that carries cars\n")
    text = "The ferry stopped. The ward was full."
    made = apply(f"add_definitions(glossary={str(path)!r}, most=2)", text)
    assert made.text == (
        "The ferry stopped. Ferry means a boat that carries cars. The ward was full. A ward is a room in a hospital."
    )
    path.write_text("word,meaning\na,b\n")
    with pytest.raises(InputError, match="no column term, definition; expected term, definition"):
        apply(f"add_definitions(glossary={str(path)!r})", text)
    lines = tmp_path / "terms.jsonl"
    lines.write_text('{"term": "ward"}\n')
    with pytest.raises(InputError, match="line 1: expected a JSON object with term and definition"):
        apply(f"add_definitions(glossary={str(lines)!r})", text)
    path.write_text("term,definition\n")
    with pytest.raises(InputError, match="no rows, expected term and definition"):
        apply(f"add_definitions(glossary={str(path)!r})", text)


def test_no_wordnet(monkeypatch):
    monkeypatch.setattr(wordnet, "find", lambda path=None: None)
    for name in ("add_definitions", "verb_synonyms", "verb_antonyms", "negate", "error_copy"):
        reason = perturbation(name).missing()
        assert reason.startswith("needs ")
        assert "install the Debian package wordnet-base" in reason
    for name in ("delete", "reorder", "numbers", "entities", "simplify", "error_grammar"):
        assert perturbation(name).missing() == ""


# simplify


def test_aligned_sentences():
    text = "The feline slumbered. It consumed fish. It departed."
    document = TextDocument(text, simpler=("The cat slept.", "It ate fish.", ""))
    assert apply("simplify", document).text == "The cat slept. It ate fish. It departed."
    assert apply("simplify", document).eligible == 2


def test_sentences_that_are_aligned_here():
    document = perturbed_texts.documents()[0]
    made = apply("simplify", document)
    assert "Dr Quill saw 35 of them two times." in made.text
    assert "The team opened a second ward" in made.text  # the simpler text has nothing like it
    assert apply("simplify", TextDocument("A cat sat.")).reason == NO_VERSION


def test_a_version_that_stands_in_a_reference_is_never_inserted():
    text = "The feline slumbered. It consumed fish. It departed."
    versions = ("The cat slept.", "It ate fish.", "It left.")
    document = TextDocument(text, simpler=versions, references=("the cat slept! Then, it left.",))
    assert apply("simplify", document).text == "The feline slumbered. It ate fish. It departed."
    references = ("The cat slept. It ate fish.", "It left.")
    result = apply("simplify", TextDocument(text, simpler=versions, references=references))
    assert (result.text, result.eligible) == (text, 0)
    assert result.reason == "every simpler version is a sentence of a reference"


# reorder


@pytest.mark.parametrize("n", [2, 3, 5, 8, 12, 40, 300])
def test_every_displacement_can_be_reached(n):
    units = n * n // 4
    orders = walk(n, list(range(units + 1)) if n < 50 else [1, units // 3, units], np.random.default_rng(0))
    for k, order in orders.items():
        assert sorted(order) == list(range(n))
        assert np.abs(order - np.arange(n)).sum() == 2 * k


@pytest.mark.parametrize("n", [2, 7, 12, 30])
def test_full_strength_is_the_reverse(n):
    text = " ".join(f"Sentence {i} ends." for i in range(n))
    made = apply("reorder", text)
    assert made.text == " ".join(f"Sentence {i} ends." for i in reversed(range(n)))
    assert made.realised == 1.0


def test_one_sentence_stays_a_sentence():
    made = apply("reorder", "Only one sentence here.")
    assert (made.text, made.eligible, made.realised) == ("Only one sentence here.", 0, 0.0)
    assert made.reason == "1 sentence, nothing to reorder"


def test_lines_stay_lines():
    made = apply("reorder", "Title\n\nOne cat. Two dogs.")
    assert made.text == "Two dogs.\n\nOne cat. Title"


# numbers


@pytest.mark.parametrize(
    "text",
    [
        "In 1998 it ended.",
        "COVID-19 and IL-6 rose.",
        "Trial NCT01234567 began.",
        "Type 2 diabetes is common.",
        "See Table 3 and Figure 4.",
        "On 5 May it rained.",
        "Version 1.2.3 is out.",
        "At 12:30 we ate [12, 13].",
        "No one came first.",
    ],
)
def test_what_is_no_figure(text):
    assert [m.text for m in eligible(text)] == []
    assert apply("numbers", text).reason == "no numbers that may be changed"


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("It hit 59 million people.", r"It hit 6[0-4] million people\."),
        ("It cost 1,998 pounds.", r"It cost (1,999|2,00[0-3]) pounds\."),
        ("It rose 3.7%.", r"It rose [4-8]\.7%\."),
        ("Twelve came.", r"(Thirteen|Fourteen|Fifteen|Sixteen|Seventeen) came\."),
        ("Two million ate.", r"(Three|Four|Five|Six|Seven) million ate\."),
        ("Two hundred and five died.", r"Two hundred and (six|seven|eight|nine|ten) died\."),
        ("A 12-week trial.", r"A 1[3-7]-week trial\."),
        ("It took 5mg.", r"It took ([6-9]|10)mg\."),
        ("From 8 to 10.", r"From [3-7] to 1[1-5]\."),
        ("It was 0.56 (P = .040).", r"It was 0\.(5[7-9]|6[01]) \(P = \.04[1-5]\)\."),
        ("About 98% came.", r"About (9[3-7]|99|100)% came\."),
        ("HR 0.85 (95% CI 0.83-0.87).", r"HR 0\.8[3-7] \(95% CI 0\.(7[89]|8[0-2])-0\.(8[89]|9[0-2])\)\."),
    ],
)
def test_figures_change_in_their_own_form(text, pattern):
    seen = {apply("numbers", text, seed=seed).text for seed in range(30)}
    assert all(re.fullmatch(pattern, t) for t in seen), seen
    assert len(seen) > 2


def test_spelling():
    assert [_spelt(n) for n in (0, 21, 40, 100, 105, 1500, 2_000_030)] == [
        "zero", "twenty-one", "forty", "one hundred", "one hundred and five", "one thousand five hundred",
        "two million thirty",
    ]  # fmt: skip


# entities


def test_names_of_the_same_type_from_other_documents():
    documents = pooled(
        [
            TextDocument(
                "It happened in Leeds, and she moved to Leeds. He had asthma. A dentist was there.", "1"
            ),
            TextDocument("He lives in Oslo. Most suffer from pneumonia. She saw an endocrinologist.", "2"),
        ]
    )
    made = apply("entities", documents[0])
    assert (
        made.text
        == "It happened in Oslo, and she moved to Oslo. He had pneumonia. An endocrinologist was there."
    )
    assert made.eligible == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patients with asthma and diabetes were ill.", ["asthma", "diabetes"]),
        ("It treats severe asthma.", []),  # part of a longer phrase
        ("It treats asthma attacks.", []),
        ("Breast and lung cancer kill.", []),  # the noun is shared
        ("This disease kills.", []),  # too general
        ("She works at the American College of Cardiologists.", []),  # part of a name
        ("They came to Japan from South Korea.", ["Japan", "South Korea"]),
        ("Dr Marta Quill saw it at Tongji Hospital.", ["Marta Quill", "Tongji Hospital"]),
    ],
)
def test_terms_are_whole_noun_phrases(text, expected):
    assert [term.text for term in terms(text)] == expected


def test_a_table_of_terms(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text("term,type\naspirin,drug\nibuprofen,drug\nasthma,disease\n")
    made = apply(f"entities(table={str(path)!r})", "Aspirin helps. She has asthma.")
    assert made.text == "Ibuprofen helps. She has asthma."
    assert made.eligible == 1


def test_models_choose_among_candidates(monkeypatch):
    documents = pooled(
        [
            TextDocument("The clinic is in Leeds.", "1"),
            TextDocument("She was in Oslo. He ran to Rome. We met in Turin.", "2"),
        ]
    )
    assert "Turin" in apply("entities(nli='support.oracles.prefers_turin', candidates=50)", documents[0]).text
    fluent = apply("entities(lm='ngram', candidates=50)", documents[0]).text
    assert fluent in {f"The clinic is in {c}." for c in ("Oslo", "Rome", "Turin")}
    for wrong in ("nowhere.at_all", "support.oracles._hidden", "support"):
        with pytest.raises(OptionError, match="nli="):
            apply(f"entities(nli={wrong!r}, candidates=50)", documents[0])


def test_no_names():
    assert apply("entities", "the cat sat.").reason == "no names or terms"
    assert apply("entities", "He went to Rome.").reason == (
        "no names or terms of a type that other documents have"
    )


# verbs


@pytest.mark.wordnet
def test_forms_are_kept():
    document = TextDocument(
        "The drug improved sleep. It improves the mood. They are improving it. To improve it is wrong."
    )
    made = apply("verb_antonyms", document)
    assert (
        made.text
        == "The drug worsened sleep. It worsens the mood. They are worsening it. To worsen it is wrong."
    )


@pytest.mark.wordnet
def test_auxiliaries_stay():
    made = apply("verb_synonyms", "It is cold. He has gone. We do it. They may be had.")
    assert all(
        old not in ("is", "has", "do", "may", "be", "had")
        for old, _ in changed("It is cold. He has gone. We do it. They may be had.", made)
    )


@pytest.mark.wordnet
@pytest.mark.parametrize(
    "text",
    [
        "They built up the army.",  # a phrasal verb
        "The mean difference was large.",  # no verbs
        "The use of aids reduces harm aids use.",
        "It needs to rain.",  # another verb would need another construction
    ],
)
def test_verbs_that_stay(text):
    assert "built" not in dict(changed(text, apply("verb_synonyms", text)))
    assert not {"mean", "use", "needs"} & set(dict(changed(text, apply("verb_synonyms", text))))


@pytest.mark.wordnet
def test_the_construction_decides():
    assert synonyms("increase", "ta") == ("raise",)
    assert synonyms("increase", "i") == ("rise", "grow")
    assert synonyms("explain", "t") == ()  # "was explained by age" is not "was clarified by age"
    assert synonyms("explain", "ta") == ("clarify",)


@pytest.mark.wordnet
def test_relations():
    assert antonyms("accept") == ("reject",)
    assert antonyms("photograph") == ()
    assert antonyms("overvalue") == ("undervalue",)  # WordNet's, of a verb with one sense
    assert synonyms("run") == ()  # too many senses


# the six errors


def test_longest_fifth_is_deleted():
    text = "One two. One two three four five. One. One two three. Go."
    assert apply("error_deletion", text).text == "One two. One. One two three. Go."
    assert (
        apply("error_deletion(variant='released')", text).text
        == "One two. One two three four five. One. One two three."
    )


def test_doses():
    documents = pooled(
        [
            TextDocument(
                " ".join(f"{w} runs over {i} hills today." for i in range(10)),
                w,
                source=f"{w} source. Other {w}.",
            )
            for w in ("Anna", "Ben")
        ]
    )
    d = documents[0]
    assert len(apply("error_grammar", d).spans) in range(6, 11)  # two sentences, four or five words each
    assert len(apply("error_coherence", d).spans) == 2
    assert len(apply("error_coherence(variant='released')", d).spans) == 3
    assert sentences(apply("error_out_document", d).text)[-2:] in (
        ["Ben source.", "Other Ben."], ["Other Ben.", "Ben source."],
    )  # fmt: skip
    assert len(apply("error_out_document(variant='released')", d).spans) == 1
    assert len(apply("error_in_document", d).spans) == 2
    copied = apply("error_copy(paraphraser='support.oracles.shouted')", d).text
    assert copied in ("ANNA SOURCE. Other Anna.", "Anna source. OTHER ANNA.")
    assert (
        apply("error_copy(paraphraser='support.oracles.shouted', variant='released')", d).text
        == "ANNA SOURCE. OTHER ANNA."
    )
    assert apply("error_copy", TextDocument("A cat.")).reason == "no source to copy"


def sentences(text):
    return [text[a:b] for a, b in sentence_spans(text)]


def test_words_are_swapped_not_lost():
    text = "The quick brown fox jumps over the lazy dog."
    made = apply("error_grammar", text)
    assert made.text != text
    assert sorted(re.findall(r"\w+", made.text)) == sorted(re.findall(r"\w+", text))
    assert apply("error_grammar", "Go on.").reason == "no sentence of four different words"


# beyond the papers


@pytest.mark.wordnet
def test_facts_contradict_the_source():
    source = "The drug reduced pain in 40 of 100 patients. It was given for 12 weeks in Leeds."
    document = TextDocument(
        "The drug reduced pain in 40 of 100 people. It was given for 12 weeks.", source=source
    )
    made = apply("injected_fact(kind='value')", document)
    assert made.eligible >= 1
    assert all(source.find(old) >= 0 and source.find(new) < 0 for old, new in changed(document.text, made))
    assert apply("injected_fact", TextDocument("It fell by 5.")).reason == "no source text"
    assert apply("injected_fact(kind='quotation')", document).reason.startswith(
        "no place for an error of the"
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "omit_clause",
            "It fell (by five whole points). He left, because it was very late.",
            "It fell. He left.",
        ),
        ("omit_clause", "He came, and it rained.", None),
        ("wrong_pronoun", "She took his coat. They saw US ships.", "He took her coat. We saw US ships."),
        ("wrong_pronoun", "The coat is his.", None),
        (
            "wrong_pronoun",
            "Drugs help. They work. Women did. They left.",
            "Drugs help. They work. Women did. We left.",
        ),
        ("omit_clause", "It fell (5%) in rats (RR). Cells, which divide more often when warm.", None),
        (
            "split_sentences",
            "It fell; it broke. He ran, but she sat.",
            "It fell. It broke. He ran. But she sat.",
        ),
        ("split_sentences", "Salt, and pepper.", None),
        (
            "join_sentences",
            "It fell twice. The cup broke. We left.",
            "It fell twice; the cup broke. We left.",
        ),
        (
            "join_sentences",
            "He met Dr. The cup is here at 5. The end. Leeds won. It rained. US ships left.",
            "He met Dr. The cup is here at 5. The end. Leeds won; it rained. US ships left.",
        ),
        ("join_sentences", "Leeds won. Rome lost. Is it so? The end.", None),
        ("double_samples", "One ran. Two sat.", "One ran. Two sat. One ran. Two sat."),
        ("double_samples", " ", None),
        ("halve_samples", "One ran. Two sat. Three slept.", "One ran. Two sat."),
        ("halve_samples", "One ran.", None),
        ("reverse_samples", "One ran. Two sat. Three slept.", "Three slept. Two sat. One ran."),
        ("reverse_samples", "One ran.", None),
    ],
)
def test_clauses_pronouns_and_controls(name, text, expected):
    made = apply(name, text)
    assert made.text == (expected or text)
    assert (made.eligible > 0) is (expected is not None)


def test_repeated_sentences_stand_at_the_end():
    made = apply("repeat_sentences", "One ran. Two sat.")
    assert made.text in ("One ran. Two sat. One ran. Two sat.", "One ran. Two sat. Two sat. One ran.")


# accepted by readers


@pytest.mark.parametrize(
    ("text", "unchanged"),
    [
        ("Values reached 96.5 and 96.2%, and no more.", "101"),  # two percentages share a sign
        ("One in 10,000 births is affected, 4 per 1000 of boys.", "1000"),
        ("They reduce the risk of severe disease 1-4.", "disease 1-4."),
    ],
)
def test_numbers_that_stay(text, unchanged):
    made = apply("numbers", text)
    assert (unchanged in made.text) == (unchanged in text)


def test_the_ends_of_a_range_in_words_stay_apart():
    text = "It takes around two to three minutes."
    for seed in range(5):
        assert "two to " in apply("numbers", text, seed=seed).text


def test_genes_and_quantities_are_swapped_for_their_like():
    documents = pooled(
        [
            TextDocument("Mutations in GLI3 are rare. GLI3 is large. It was given for 12 weeks in all.", "a"),
            TextDocument("The ALPL gene is known. It took 10 weeks of work. They were 50 years old.", "b"),
        ]
    )
    assert apply("entities", documents[0]).text == (
        "Mutations in ALPL are rare. ALPL is large. It was given for 10 weeks in all."
    )
    assert (
        apply("entities", TextDocument("4.7 years (95% CI, 4.2 to 5.2)", pool=documents[0].pool)).eligible
        == 0
    )


def test_a_clause_is_added_that_the_source_does_not_have(tmp_path):
    pool = tmp_path / "clauses.txt"
    pool.write_text("although it rained\nas was said before\n")
    document = TextDocument("It fell. He left, and she sat.", source="It fell, although it rained.")
    made = apply(f"add_clause(pool='{pool}')", document)
    assert made.text == "It fell, as was said before. He left, and she sat."
    assert apply("add_clause", "A list.").reason == "no sentence that can take a clause"
    assert re.fullmatch(r"It fell, [a-z0-9 ]+\.", apply("add_clause", "It fell.").text)


@pytest.mark.wordnet
def test_terms_are_not_cut_out_of_longer_ones():
    assert apply("add_definitions", "They studied ataxia telangiectasia genes.").eligible == 0
    assert apply("verb_synonyms", "The estimated GFR was low.").eligible == 0
    assert "carefully missed" not in apply("verb_antonyms", "It should be carefully identified.").text


def test_shifted_pairs_of_the_data_are_left_out():
    text = "Ibuprofen reduces fever in children. Trials were small."
    simpler = ("The weather was bad all week long in the north.", "The studies were small.")
    spans = ((0, 36), (37, 55))
    made = apply("simplify", TextDocument(text, simpler=simpler, spans=spans))
    assert made.text == "Ibuprofen reduces fever in children. The studies were small."


# rejected by a blind judge


@pytest.mark.parametrize(
    "text",
    [
        "It is homozygous for the 677C→ T form of the gene.",
        "They say that the Noor 2 plant is due to open.",
    ],
)
def test_numbers_in_names_stay(text):
    assert apply("numbers", text).eligible == 0


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Levels of oxytocin were low.", "Oxytocin means a hormone secreted by the posterior pituitary gland."),
        ("He had dermatitis.", "Dermatitis means inflammation of the skin."),
        ("It reached the oropharynx.", "Oropharynx means a cavity formed by the pharynx at the back of the mouth."),
    ],
)  # fmt: skip
def test_definitions_have_the_article_that_they_need(text, expected):
    assert apply("add_definitions", text).text == f"{text} {expected}"


@pytest.mark.wordnet
@pytest.mark.parametrize(
    "text", ["They tested stamina.", "He ate ants.", "She has few houseplants.", "It is made of aluminum."]
)
def test_what_everybody_knows_is_not_defined(text):
    assert apply("add_definitions", text).eligible == 0


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("negate", "Of these, 18,515 reported regularly taking afternoon naps."),
        ("verb_antonyms", "He died in 1946."),
        ("verb_antonyms", "The pipe opened onto the bay."),
        ("verb_synonyms", "All five trials reported on safety."),
        ("verb_synonyms", "He was started on gabapentin."),
    ],
)
def test_verbs_that_a_blind_judge_rejected_stay(name, text):
    assert not [new for _, new in changed(text, apply(name, text)) if "nap" in new or name != "negate"]


@pytest.mark.wordnet
def test_a_letter_of_a_name_is_no_article():
    made = apply("verb_antonyms", "Treatment with Quinomycin A reduced the weight of the cysts.")
    assert "Quinomycin A " in made.text


@pytest.mark.wordnet
def test_two_past_forms_are_not_confused():
    made = apply("verb_antonyms", "The first thing he did when the experiment ended was sleep.")
    assert "begun" not in made.text


def test_a_quantity_is_not_swapped_for_itself():
    documents = pooled(
        [
            TextDocument("It took 1.5 hours of work.", "a"),
            TextDocument("It took 1.5 hours of care.", "b"),
        ]
    )
    p = perturbation("entities")
    assert p.apply(documents[0], 1.0, generator(1, p, "a")).text == documents[0].text


# quotations over several sentences

QUOTED = "Ann came. “It rained. We stayed. Nobody slept,” she said. “Never again.” Bob left. He said: “I am old. I go.” All laughed."


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("“It rained. We stayed.” He left.", ["“It rained. We stayed.”", "He left."]),
        ('"It rained. We stayed." He left.', ['"It rained. We stayed."', "He left."]),
        ('He left ("It rained. It did."). So.', ['He left ("It rained. It did.").', "So."]),
        ("“It rained,” he said. “It did.” So.", ["“It rained,” he said.", "“It did.”", "So."]),
        ("“It rained.\n“We stayed. So.” He left.", ["“It rained.\n“We stayed. So.”", "He left."]),
        ('It has 5" pipes. So it is. "It is." Yes.', ['It has 5" pipes.', "So it is.", '"It is."', "Yes."]),
        ("“It rained. We stayed.", ["“It rained.", "We stayed."]),
        ("It rained. We stayed.” He left.", ["It rained.", "We stayed.”", "He left."]),
        ("", []),
    ],
)
def test_the_sentences_of_a_quotation_are_one(text, units):
    document = with_whole_quotations(TextDocument(text))
    assert [document.sentence(i) for i in range(len(document.sentences))] == units


def test_a_document_without_such_quotations_stays_itself():
    document = TextDocument("“It rained,” she said. He left.")
    assert with_whole_quotations(document) is document


@pytest.mark.parametrize(
    "text", [QUOTED, QUOTED.replace("“", '"').replace("”", '"')], ids=["curly", "straight"]
)
@pytest.mark.parametrize("name", ["delete", "delete(order='salience')", "reorder"])
def test_no_quotation_is_torn(name, text):
    units = with_whole_quotations(TextDocument(text))
    assert len(units.sentences) == 6
    whole = [units.sentence(i) for i in range(6)]
    for seed in range(10):
        for strength in (0.2, 0.4, 0.6, 0.8, 1.0):
            made = apply(name, text, strength, seed).text
            assert is_balanced(made)
            left = [unit for unit in whole if unit in made]
            assert sorted(" ".join(left)) == sorted(made)


def test_a_quotation_goes_or_moves_as_a_whole():
    made = apply("delete", "“It rained. We stayed.” He left.")
    assert made.text in ("“It rained. We stayed.”", "He left.")
    assert made.realised == 0.5
    assert apply("delete", "“It rained. We stayed.”").reason == "1 sentence, and one always stays"
    made = apply("reorder", "“It rained. We stayed.” He left.")
    assert (made.text, made.eligible) == ("He left. “It rained. We stayed.”", 2)


@pytest.mark.parametrize(
    ("sentence", "balanced"),
    [
        ("“Yes,” he said, “I do.”", True),
        ('"Yes," he said, "I do."', True),
        ("Nobody came.", True),
        ("I went,” he said, “and stayed.", False),
        ('I went," he said, "and stayed.', False),
        ("“I went.", False),
        ("I went.”", False),
    ],
)
def test_half_quotations_are_told_from_whole_ones(sentence, balanced):
    assert is_balanced(sentence) is balanced


def test_added_sentences_have_both_ends_of_a_quotation():
    documents = pooled(
        [
            TextDocument("One ran. Two sat.", "a"),
            TextDocument("“Some like ice. It is theft, as surely as this.” He left.", "b"),
            TextDocument("It is,” he said, “a theft.", "c"),
            TextDocument('It is," he said, "a theft.', "d"),
        ]
    )
    made = [apply("add_in_domain", documents[0], 1.0, seed).text for seed in range(8)]
    assert all(
        sorted(text[a:b] for a, b in sentence_spans(text)) == ["He left.", "One ran.", "Two sat."]
        for text in made
    )


@pytest.mark.wordnet
def test_identifiers_are_no_values_to_change():
    text = "The enzyme 1.14.16.2 makes it. The enzyme 1.14.16 is rare. It fell by 40 points."
    made = apply("injected_fact(kind='value')", TextDocument(text, source=text))
    assert "1.14.16.2" in made.text
