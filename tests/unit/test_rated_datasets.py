"""Data sets of ratings, error labels and levels on their real files: structure, counts, means, and what is odd in them."""

import json
from collections import Counter

import numpy as np
import pytest

import plainmark as pm
from plainmark.datasets import multicochrane, tsar2025
from plainmark.datasets.wu2025 import ErrorLabel, locate
from plainmark.errors import InputError


def mean(ratings, dimension):
    return np.mean([r.value for r in ratings if r.dimension == dimension])


def raters(ratings):
    return Counter(r.rater for r in ratings)


# wu2025


def test_wu2025_grades(data_sets):
    data = pm.dataset("wu2025")
    ratings = data.ratings()
    assert {d: round(mean(ratings, d), 4) for d in data.card.dimensions} == {
        "fluency": 2.9893,
        "meaning": 2.8187,
        "simplicity": 2.8889,
    }
    assert raters(ratings) == {"1": 13044, "2": 13044, "3": 13044}
    # 281, 211 and 620 grades of 1 for meaning.
    worst = Counter(r.system for r in ratings if (r.dimension, r.value) == ("meaning", 1))
    assert worst == {"gpt": 281, "qwen": 211, "t5": 620}


def test_wu2025_parts(data_sets):
    sizes = {
        part: {s: len(c) for s, c in pm.dataset(f"wu2025(part='{part}')").corpora().items()}
        for part in ("asset", "turk", "simpa")
    }
    assert sizes == {
        "asset": {"gpt": 359, "qwen": 359, "t5": 359},
        "turk": {"gpt": 359, "qwen": 359, "t5": 359},
        "simpa": {"gpt": 1097, "qwen": 1097},
    }


def letters(text):
    return "".join(filter(str.isalnum, text.lower()))


@pytest.mark.parametrize(("part", "origin"), [("asset", "asset"), ("turk", "turkcorpus")])
def test_wu2025_numbers_are_lines_of_the_test_sentences(part, origin, data_sets):
    lines = pm.dataset(origin).corpora()["ACCESS"]
    for corpus in pm.dataset(f"wu2025(part='{part}')").corpora().values():
        for sample in corpus:
            own = lines[int(sample.id.removeprefix(f"{part}/")) - 1]
            assert letters(sample.source) == letters(own.source)
            assert sample.references == own.references


def test_wu2025_errors(data_sets):
    data = pm.dataset("wu2025")
    errors, corpora = data.errors(), data.corpora()
    assert {s: (len(own), sum(not e for e in own.values())) for s, own in errors.items()} == {
        "gpt": (900, 731),
        "qwen": (900, 774),
        "t5": (600, 395),
    }
    labels = [label for own in errors.values() for found in own.values() for label in found]
    assert Counter(label.category for label in labels) == {
        "Altered Meaning-L": 249,
        "Lack of Sim-L": 157,
        "Lack of Sim-S": 41,
        "Hallucination": 35,
        "Altered Meaning-S": 32,
        "Coreference": 12,
        "Repetition": 8,
    }
    assert sum(label.times for label in labels) == 573
    places = []
    for system, own in errors.items():
        outputs = dict(zip(corpora[system].ids, corpora[system].outputs, strict=True))
        assert set(own) <= set(outputs)
        places += [place for i, found in own.items() for label in found for place in label.places(outputs[i])]
    # Pieces that are there twice, or that annotators mistyped, have no place.
    assert (len(places), places.count(None)) == (572, 40)


def test_marked_pieces_are_found_whatever_their_spaces():
    label = ErrorLabel("Coreference", (), ("the ( old ) cat", "a dog", "it", ""), 3)
    assert label.places("It saw the (old) cat, and it ate it.") == [(7, 20), None, None, None]
    assert locate("it", "It ate it.") == (7, 9)


# factuality


def test_factuality_levels(data_sets):
    data = pm.dataset("factuality")
    labels = data.labels()
    assert {s: len(own) for s, own in labels.items()} == {
        "reference": 358,
        "access": 119,
        "controlTS": 121,
        "dress": 123,
        "editNTS": 125,
    }
    levels = Counter((k, v) for own in labels.values() for found in own.values() for k, v in found.items())
    assert [levels["insertion", k] for k in (-1, 0, 1, 2)] == [20, 747, 47, 6]
    assert [levels["deletion", k] for k in (-1, 0, 1, 2)] == [20, 496, 203, 88]
    assert [levels["substitution", k] for k in (-1, 0, 1, 2)] == [20, 686, 69, 28]
    ratings = data.ratings()
    assert {r.value for r in ratings} == {0, 1, 2}
    assert [mean(ratings, k) for k in data.card.dimensions] == pytest.approx([59 / 800, 379 / 787, 125 / 783])
    # 326, 86, 111, 121 and 118 outputs have all three.
    assert sum(len(found) == 3 for own in labels.values() for found in own.values()) == 762


def test_factuality_outputs_share_references_by_id(data_sets):
    corpora = pm.dataset("factuality").corpora()
    simple = dict(zip(corpora["reference"].ids, corpora["reference"].outputs, strict=True))
    for corpus in corpora.values():
        assert all(sample.references == (simple[sample.id],) for sample in corpus)


def factuality_files(tmp_path, **changes):
    for name in pm.dataset("factuality").files():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = path.stem.rpartition("_")[2].capitalize()
        row = {"ExampleId": 1, "Complex": "A feline sat.", "Simplified": "A cat sat.", kind: 0}
        path.write_text(json.dumps([row | changes.get(path.stem, {})]))
    return pm.dataset(f"factuality(folder={str(tmp_path)!r})")


def test_factuality_files_that_do_not_fit(tmp_path):
    data = factuality_files(tmp_path)
    assert len(data.ratings()) == 15
    assert [len(c) for c in data.corpora().values()] == [1] * 5
    with pytest.raises(
        InputError, match=r"insertion\.json, item 1: not as expected \(level 3, expected -1, 0"
    ):
        factuality_files(tmp_path, wikilarge_insertion={"Insertion": 3}).labels()
    with pytest.raises(InputError, match=r"deletion\.json, item 1: another text than in the file before"):
        factuality_files(tmp_path, access_wikilarge_deletion={"Simplified": "A dog sat."}).corpora()
    other = {
        f"dress_wikilarge_{kind}": {"ExampleId": 7} for kind in ("insertion", "deletion", "substitution")
    }
    with pytest.raises(InputError, match="ExampleId 7 has no simple sentence"):
        factuality_files(tmp_path, **other).corpora()


# multicochrane


def test_multicochrane_labels(data_sets):
    data = pm.dataset("multicochrane")
    labels = data.labels()
    assert Counter((x.system, x.rater) for x in labels) == {
        ("reference", "3"): 100,
        ("reference", "2"): 99,  # one was skipped
        ("system1_0", "3"): 100,
        ("system1_0", "2"): 100,
        ("system2_0.5", "3"): 100,
        ("system2_0.5", "2"): 100,
        ("flan_t5", "3"): 100,
        ("flan_t5_zs", "3"): 100,
    }
    own = [x for x in labels if (x.system, x.rater) == ("system1_0", "2")]
    assert (sum(x.hallucination for x in own), sum(x.deletion for x in own)) == (42, 11)
    assert Counter(x.factual for x in own) == {0: 54, 1: 19, 2: 27}
    assert Counter(x.fluency for x in own) == {0: 72, 1: 13, 2: 15}
    assert Counter(x.simplicity for x in own) == {-2: 2, -1: 5, 0: 43, 1: 44, 2: 6}
    skipped = [x for x in labels if x.sample == "54" and x.system == "reference"]
    assert [x.rater for x in skipped] == ["3"]


@pytest.mark.parametrize(
    ("language", "ratings", "means"),
    [
        ("en", 3995, (0.3016, 0.1752, 1.4481, 1.6859, 1.4743)),
        ("es", 3490, (0.3653, 0.0917, 1.3023, 1.5946, 1.1691)),
        ("fr", 3490, (0.3567, 0.3625, 1.2106, 1.4183, 1.5831)),
    ],
)
def test_multicochrane_ratings(language, ratings, means, data_sets):
    data = pm.dataset(f"multicochrane(language='{language}')")
    found = data.ratings()
    assert len(found) == ratings
    assert tuple(round(mean(found, d), 4) for d in data.card.dimensions) == means


def test_multicochrane_grades_turn_into_ratings(data_sets):
    """The grade -2 and the grade 2 are as far from a text that is simple enough."""
    data = pm.dataset("multicochrane")
    label = next(x for x in data.labels() if x.simplicity == -2)
    key = (label.system, label.sample, label.rater)
    values = {r.dimension: r.value for r in data.ratings() if (r.system, r.sample, r.rater) == key}
    assert values == {
        "hallucination": label.hallucination,
        "deletion": label.deletion,
        "factuality": 2 - label.factual,
        "fluency": 2 - label.fluency,
        "simplicity": 0,
    }


def test_multicochrane_oversimplified_outputs_are_the_short_ones(data_sets):
    """What -2 and 2 mean is not in the files; outputs graded -2 are short and lack something, those graded 2 are long."""
    data = pm.dataset("multicochrane")
    texts = {(s, x.id): x for s, corpus in data.corpora().items() for x in corpus}
    lengths = {-2: [], 0: [], 2: []}
    for label in data.labels():
        if label.simplicity in lengths:
            sample = texts[label.system, label.sample]
            lengths[label.simplicity].append(len(sample.output.split()) / len(sample.source.split()))
    assert [round(np.mean(v), 2) for v in lengths.values()] == [0.46, 0.95, 1.18]
    assert all(x.deletion for x in data.labels() if x.simplicity == -2)


def test_multicochrane_sentences(data_sets):
    corpora = {
        lang: pm.dataset(f"multicochrane(language='{lang}')").corpora()["reference"]
        for lang in ("en", "es", "fr")
    }
    assert corpora["en"].sources == corpora["es"].sources
    assert sum(a == b for a, b in zip(corpora["en"].sources, corpora["fr"].sources, strict=True)) == 30
    assert {lang: 100 - len(set(c.sources)) for lang, c in corpora.items()} == {"en": 17, "es": 17, "fr": 25}
    outputs = pm.dataset("multicochrane(language='es')").corpora()["gpt_trans_en"].outputs
    assert all(output == output.strip() for output in outputs)


def sheet(tmp_path, rows):
    path = tmp_path / "sheet.csv"
    columns = ["", *multicochrane.COLUMNS, multicochrane.OUTPUT]
    path.write_text("\r\n".join([",".join(columns), *rows]), "utf-8")
    return str(path), tuple(columns[1:])


def test_multicochrane_sums_and_remarks_are_no_labels(tmp_path):
    rows = ["0.0,A.,B.,y,n,0.0,1.0,-1.0,C.,a remark", "1.0,A.,B.", ',,,"=COUNTIF(D2:D3, ""N"")"', "7.0,x"]
    found = [row for _, row in multicochrane._labelled(*sheet(tmp_path, rows))]
    assert [row["id"] for row in found] == ["0", "1"]
    assert [row["Simplicity"] for row in found] == ["-1.0", ""]
    with pytest.raises(InputError, match="line 2: 'first', expected the number of a sentence"):
        list(multicochrane._labelled(*sheet(tmp_path, ["first,A.,B."])))
    path, columns = sheet(tmp_path, [])
    with pytest.raises(InputError, match=r"sheet\.csv: no column mood; expected"):
        list(multicochrane._labelled(path, (*columns, "mood")))


# Single texts with levels.


def test_single_texts_are_their_own_sources(data_sets):
    for name in ("clear", "cefr_sp", "readme_pp"):
        (corpus,) = pm.dataset(name).corpora().values()
        assert corpus.name == "text"
        assert corpus.sources == corpus.outputs
        assert corpus.references is None


def test_clear(data_sets):
    data = pm.dataset("clear")
    easiness = {r.sample: r.value for r in data.ratings()}
    assert (min(easiness.values()), max(easiness.values())) == (-3.676267773, 1.711389827)
    assert mean(data.ratings(), "easiness") == pytest.approx(-0.962792)
    errors = data.standard_errors()
    assert set(errors) == set(easiness)
    assert np.mean([*errors.values()]) == pytest.approx(0.491309, abs=1e-6)
    assert Counter(data.categories().values()) == {"Lit": 1815, "Info": 1709}


@pytest.mark.parametrize("value", ["NaN", "Infinity", '"x"', "null", "true"])
def test_clear_refuses_what_is_no_number(value, tmp_path):
    path = tmp_path / "clear.jsonl"
    path.write_text(f'{{"id": 1, "category": "Lit", "text": "A.", "easiness": {value}, "se": 0.5}}\n')
    (tmp_path / "ratings" / "clear").mkdir(parents=True)
    path.rename(tmp_path / "ratings" / "clear" / "clear.jsonl")
    data = pm.dataset(f"clear(folder={str(tmp_path)!r})")
    assert data.standard_errors() == {"1": 0.5}
    with pytest.raises(InputError, match=r"clear\.jsonl, line 1: not as expected \(found"):
        data.ratings()


@pytest.mark.parametrize(
    ("spec", "agreed", "level"),
    [
        ("cefr_sp", 3098, 3.3316),
        ("cefr_sp(split='dev')", 503, 3.2346),
        ("cefr_sp(part='wikiauto')", 2632, 3.5611),
        ("cefr_sp(part='score')", 466, 2.1742),
    ],
)
def test_cefr_sp_raters(spec, agreed, level, data_sets):
    ratings = pm.dataset(spec).ratings()
    levels = {rater: [r.value for r in ratings if r.rater == rater] for rater in "AB"}
    differences = np.abs(np.subtract(levels["A"], levels["B"]))
    assert (sum(differences == 0), max(differences)) == (agreed, 1)
    assert round(mean(ratings, "level"), 4) == level


@pytest.mark.parametrize(
    ("language", "train", "val"),
    [
        ("en", (2243, 3.2934), (283, 3.3498)),
        ("fr", (1319, 3.3321), (165, 3.3939)),
        ("ru", (1404, 3.0), (176, 2.9773)),
        ("ar", (1543, 3.7181), (196, 3.8061)),
        ("hi", (1179, 3.302), (149, 3.1879)),
    ],
)
def test_readme_pp_languages(language, train, val, data_sets):
    for split, expected in (("train", train), ("val", val)):
        data = pm.dataset(f"readme_pp(language='{language}', split='{split}')")
        ratings = data.ratings()
        assert (len(ratings), round(mean(ratings, "level"), 4)) == expected
        assert {r.value for r in ratings} == {1, 2, 3, 4, 5, 6}


def test_readme_pp_domains(data_sets):
    domains = pm.dataset("readme_pp").domains()
    assert len({domain for domain, _ in domains.values()}) == 20
    assert len(set(domains.values())) == 63
    sentences = pm.dataset("readme_pp").corpora()["text"].outputs
    assert len(sentences) - len(set(sentences)) == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("A cat sat .\t1", "line 1: 2 cells, expected a sentence and two levels"),
        ("A cat sat .\t1\t7", "line 1: level '7', expected 1"),
        ("A cat sat .\t1\tnan", "line 1: level 'nan', expected 1"),
        ("A cat sat .\tA1\t2", "line 1: 'A1' is not a number"),
    ],
)
def test_levels_that_are_none(line, complaint, tmp_path):
    (tmp_path / "cefr" / "cefr-sp").mkdir(parents=True)
    (tmp_path / "cefr" / "cefr-sp" / "CEFR-SP_SCoRE_train.txt").write_text(line + "\n")
    with pytest.raises(InputError, match=complaint):
        pm.dataset(f"cefr_sp(part='score', folder={str(tmp_path)!r})").ratings()


# tsar2025


def test_tsar2025_items(data_sets):
    data = pm.dataset("tsar2025")
    corpora, levels = data.corpora(), data.levels()
    assert Counter(levels.values()) == {"A2": 100, "B1": 100}
    assert all(sample.endswith(level.lower()) for sample, level in levels.items())
    sizes = {system: len(c) for system, c in corpora.items() if len(c) != 200}
    assert sizes == {
        "UoL-UPF/uol-upf_submission2": 160,
        "oneNRC/onenrc_output_run2_qwen332b_withtoolcall": 197,
    }
    assert len({system.partition("/")[0] for system in corpora}) == 20
    for corpus in corpora.values():  # whatever the order of the submission
        assert corpus.ids == [sample for sample in levels if sample in set(corpus.ids)]
        assert all(output.strip() for output in corpus.outputs)
    trial = pm.dataset("tsar2025(split='trial')")
    assert Counter(trial.levels().values()) == {"A2": 20, "B1": 20}  # in lower case in the file
    assert all(sample.references == (sample.output,) for sample in trial.corpora()["reference"])


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (['{"text_id": "9-c1", "simplified": "x"}'], "line 1: text_id '9-c1' is not an item"),
        (['{"text_id": "1-a2", "simplified": "x"}'] * 2, "line 2: text_id '1-a2' is there twice"),
        (['{"text_id": "1-a2"}'], "line 1: no field 'simplified'"),
        (['{"text_id": "1-a2", "simplified": null}'], "line 1: not as expected"),
    ],
)
def test_tsar2025_submissions_that_do_not_fit(lines, complaint, tmp_path, monkeypatch):
    monkeypatch.setattr(tsar2025, "SUBMISSIONS", {"us/run1": "tsar2025/submissions/us/run1.jsonl"})
    (tmp_path / "tsar2025" / "submissions" / "us").mkdir(parents=True)
    item = {"text_id": "1-a2", "original": "A.", "target_cefr": "C2", "reference": "B."}
    (tmp_path / "tsar2025" / "tsar2025_test.jsonl").write_text(json.dumps(item) + "\n")
    (tmp_path / "tsar2025" / "submissions" / "us" / "run1.jsonl").write_text("\n".join(lines) + "\n")
    data = pm.dataset(f"tsar2025(folder={str(tmp_path)!r})")
    with pytest.raises(InputError, match=complaint):
        data.corpora()
    with pytest.raises(InputError, match="target_cefr 'C2', expected A2 or B1"):
        data.levels()


# jades, textcomplexity_de, deplain


def test_jades_gives_the_test_part_no_grades(data_sets, shared):
    """The release repeats the grades of the validation part, row by row, beside other texts."""
    parts = json.loads(
        (shared / "data" / "ratings" / "jades" / "jades_manual_scores.json").read_text("utf-8")
    )
    grades = [
        [{k: v for k, v in row.items() if k.startswith("score_")} for row in parts[part]]
        for part in ("valid", "test")
    ]
    assert grades[0] == grades[1]
    assert len(pm.dataset("jades/test").ratings()) == 0

    def mean(system):
        values = [
            r.value for r in pm.dataset("jades").ratings() if (r.system, r.dimension) == (system, "fluency")
        ]
        return sum(values) / len(values)

    assert mean("Reference") > mean("BART") > mean("EditNTS")


def test_textcomplexity_de_is_decoded(data_sets):
    texts = pm.dataset("textcomplexity_de").corpora()["text"].outputs
    assert "Vergänglichkeit wurde ,Seifenblase‘ zu einer Metapher" in texts[2]
    assert set(pm.dataset("textcomplexity_de").judgements().values()) == {
        "Etwas einfacher",
        "Deutlich einfacher",
        "Nicht einfacher / konnte nicht vereinfacht werden",
    }


def test_deplain_means_are_those_of_its_readme(data_sets):
    values = {}
    for rating in pm.dataset("deplain").ratings():
        values.setdefault(rating.dimension, []).append(rating.value)
    means = {dimension: round(sum(v) / len(v), 2) for dimension, v in values.items()}
    assert {
        d: means[d] for d in ("simplicity", "lexical simplicity", "structural simplicity", "meaning")
    } == {
        "simplicity": 1.04,
        "lexical simplicity": 0.67,
        "structural simplicity": 0.95,
        "meaning": 4.29,
    }
    assert (means["coherence"], means["grammar"], means["ease"]) == (3.08, 1.96, 4.46)
    assert set(pm.dataset("deplain").domains().values()) == {"bible", "fiction", "language learner"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "no list 'valid'"),
        ('{"valid": []}', "no list 'valid'"),
        ('{"valid": [{"idx_sentence": 1}]}', "no field 'sentence_origin'"),
        ('{"valid": [7]}', "not as expected"),
    ],
)
def test_jades_files_that_are_something_else(tmp_path, content, message):
    (tmp_path / "jades_manual_scores.json").write_text(content)
    folder = tmp_path / "ratings" / "jades"
    folder.mkdir(parents=True)
    (folder / "jades_manual_scores.json").write_text(content)
    with pytest.raises(InputError, match=message):
        pm.dataset(f"jades(folder={str(tmp_path)!r})").corpora()
