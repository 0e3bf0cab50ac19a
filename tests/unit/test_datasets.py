"""Data sets on their real files: the first, the last and how many; joins, second readings, broken files."""

import difflib
import json
import re
import zipfile
import zlib

import numpy as np
import pytest
from scipy.stats import pearsonr

import plainmark as pm
from plainmark import datasets, files
from plainmark.datasets import _readers, _wikipedia
from plainmark.datasets.onestop_reading import ARTICLES
from plainmark.errors import InputError, MissingResourceError


def mark(sample):
    """A short number for the texts of a sample: nothing of the data is copied here."""
    return f"{zlib.crc32(chr(0).join([sample.source, sample.output, *sample.references]).encode()):08x}"


# Set: systems, samples of the first system, its first and its last sample.
EXPECTED = {
    "asset": (8, "ACCESS", 359, ("1", "96f5fb3e"), ("359", "8048bb22")),
    "asset_preferences": (3, "asset", 718, ("68/turkcorpus", "a57c8752"), ("179/hsplit", "c7b5d114")),
    "asset_ratings": (1, "unnamed", 100, ("8", "fabdb54d"), ("356", "678ba7bc")),
    "ats_eval": (11, "EditCL-Grade5", 60, ("26/1", "7cb191f0"), ("18/2", "01dbabcb")),
    "cells": (1, "reference", 283, ("0", "7e992131"), ("282", "18f3fb17")),
    "cochrane": (5, "bart-xsum", 120, ("1/UL", "a4364900"), ("30/GPT-4", "6e57b2e1")),
    "cochrane_pairs": (
        1,
        "reference",
        480,
        ("10.1002/14651858.CD001290.pub2", "46d21541"),
        ("10.1002/14651858.CD004795.pub4", "3a5e752d"),
    ),
    "dwiki": (1, "unnamed", 522, ("1.1", "adc30869"), ("100.5", "90fed248")),
    "hsplit": (1, "reference", 359, ("1", "d275c753"), ("359", "efeeff62")),
    "onestop_reading": (3, "Advanced", 162, ("1/1", "d2a870bb"), ("30/5", "2abd6062")),
    "onestopqa": (11, "EditCL-Grade5", 60, ("1", "7cb191f0"), ("60", "64e6cf07")),
    "perturbed": (2, "ChatGPT", 60, ("1", "8f4eda60"), ("60", "0a06a3e2")),
    "plaba": (1, "reference", 749, ("29857264", "e272311d"), ("29205277", "b194655e")),
    "pwkp": (12, "Complex", 100, ("1", "90096e5b"), ("100", "bd345102")),
    "simpeval": (24, "lstm_w_split", 100, ("0", "795289d6"), ("99", "ff2fa47e")),
    "simplicity_da": (6, "ACCESS", 100, ("268", "3805a047"), ("187", "ad035610")),
    "structural_simplicity": (25, "NTS-h1_default_model", 70, ("1", "e479db29"), ("70", "9b5fe9e1")),
    "swipe": (
        1,
        "reference",
        482,
        ("63640252d33a081ae910273d", "6c463238"),
        ("63a05954f59fb163b5118fdc", "42c84cb7"),
    ),
    "turkcorpus": (8, "ACCESS", 359, ("1", "6337addf"), ("359", "8c90e146")),
    "turkcorpus(split='tune')": (1, "reference", 2000, ("1", "d2f2d95d"), ("2000", "a256da8a")),
    "turkcorpus(tokens='tok')": (5, "SBMT-SARI", 359, ("1", "abab969b"), ("359", "8c2ce033")),
    "asset(split='valid')": (1, "reference", 2000, ("1", "1fc51c9b"), ("2000", "ad236eb7")),
    "pwkp(split='valid')": (1, "reference", 205, ("1", "e22e4e8d"), ("205", "a7ad97b2")),
    "cochrane_pairs(split='val')": (
        1,
        "reference",
        411,
        ("10.1002/14651858.CD000370", "8268c165"),
        ("10.1002/14651858.CD011112.pub2", "4d2e672c"),
    ),
    "perturbed(error='copy')": (2, "ChatGPT", 60, ("1", "8f4eda60"), ("60", "0a06a3e2")),
    "plaba(level='sentence')": (
        1,
        "reference",
        7612,
        ("29857264/1", "122a84b5"),
        ("29205277/13", "f1ac7ddf"),
    ),
    "cefr_sp": (1, "text", 7178, ("wikiauto/1", "a61093f7"), ("score/1188", "3a5f570e")),
    "clear": (1, "text", 3524, ("4821", "d16085bb"), ("3419", "8f316d6d")),
    "factuality": (5, "reference", 358, ("646723195548683", "9008d39e"), ("446902021665332", "729e4ad4")),
    "multicochrane": (5, "reference", 100, ("0", "2837b21c"), ("99", "3d2bf425")),
    "readme_pp": (1, "text", 2243, ("1", "65ff8582"), ("2243", "f90cebe8")),
    "tsar2025": (50, "Archaeology/claude_sonnet_4", 200, ("21-a2", "6ef2d7a4"), ("120-b1", "5d5cac5b")),
    "jades": (3, "BART", 200, ("1", "504f15ca"), ("448", "c53e8aca")),
    "jades(split='test')": (3, "BART", 200, ("2", "3d56a6d6"), ("494", "77243d20")),
    "textcomplexity_de": (1, "text", 1000, ("3", "57be996b"), ("1119", "3f6a4eb7")),
    "textcomplexity_de(part='pairs')": (1, "reference", 250, ("5", "0473d636"), ("1005", "aa1f08f0")),
    "deplain": (1, "reference", 384, ("1", "7c069199"), ("384", "92a53a54")),
    "wu2025": (3, "gpt", 1815, ("turk/94", "20d32c39"), ("simpa/229", "aefa46a0")),
    "cefr_sp(split='dev')": (1, "text", 1366, ("wikiauto/1", "5ab965e6"), ("score/665", "4cd3d108")),
    "multicochrane(language='es')": (7, "reference", 100, ("0", "aeaef2af"), ("99", "e7c4bd7c")),
    "multicochrane(language='fr')": (7, "reference", 100, ("0", "7b5ea9af"), ("99", "c610fe6f")),
    "readme_pp(language='ru', split='val')": (1, "text", 176, ("1", "8932e658"), ("176", "0f2c5168")),
    "tsar2025(split='trial')": (1, "reference", 40, ("01-a2", "2722f259"), ("20-b1", "42d54573")),
    "wu2025(part='asset')": (3, "gpt", 359, ("asset/252", "d18bf1e9"), ("asset/103", "2f68844d")),
    "wu2025(part='turk')": (3, "gpt", 359, ("turk/94", "ce9266cd"), ("turk/98", "95c55cb1")),
    "wu2025(part='simpa')": (2, "gpt", 1097, ("simpa/38", "67526e12"), ("simpa/229", "aefa46a0")),
}


@pytest.mark.parametrize("spec", EXPECTED)
def test_first_last_and_count(spec, data_sets):
    corpora = pm.dataset(spec).corpora()
    first = next(iter(corpora.values()))
    found = (len(corpora), first.name, len(first), *((s.id, mark(s)) for s in (first[0], first[-1])))
    assert found == EXPECTED[spec]


def test_texts_are_those_of_the_files(data_sets, asset, turkcorpus, outputs):
    for name, expected in (("asset", asset), ("turkcorpus", turkcorpus)):
        for system, corpus in pm.dataset(name).corpora().items():
            assert list(corpus) == list(expected.with_outputs(outputs(system)))


RATINGS = {
    "asset_preferences": (
        4308,
        ("asset", "68/turkcorpus", "fluency", "A2TBXASXZIRNNW", 0.5),
        ("hsplit", "179/hsplit", "simplicity", "A3C0NQ2IP5FTZQ", 0.0),
    ),
    "asset_ratings": (
        4500,
        ("unnamed", "8", "meaning", "7", 55.0),
        ("unnamed", "356", "fluency", "15", 51.0),
    ),
    "ats_eval": (
        3960,
        ("EditCL-Grade5", "26/1", "accuracy", "1", 0.0),
        ("ChatGPT", "18/2", "answerability", "3", 100.0),
    ),
    "cochrane": (
        720,
        ("bart-xsum", "1/UL", "readability", "1", 0.0),
        ("GPT-4", "30/GPT-4", "readability", "3", 0.0),
    ),
    "dwiki": (
        9000,
        ("unnamed", "1.1", "simplicity-word", "1", 5.0),
        ("unnamed", "100.5", "simplicity-overall", "6", 5.0),
    ),
    "onestop_reading": (
        215,
        ("Advanced", "15/3", "accuracy", "1", 100.0),
        ("Advanced", "3/5", "accuracy", "12", 100.0),
    ),
    "onestopqa": (
        3948,
        ("EditCL-Grade5", "1", "accuracy", "1", 0.0),
        ("EditCL-Grade7", "60", "answerability", "3", 100.0),
    ),
    "perturbed": (
        120,
        ("ChatGPT", "1", "deletion", "construction", 1.0),
        ("ChatGPT-perturbed", "60", "deletion", "construction", 0.0),
    ),
    "samsa_human": (
        14000,
        ("TSM", "1", "grammar", "A", 3.0),
        ("Reference", "100", "structural simplicity", "E", 2.0),
    ),
    "simpeval": (
        24000,
        ("lstm_w_split", "0", "overall", "1", 73.0),
        ("T5-large", "99", "overall-z", "5", 0.767437),
    ),
    "simplicity_da": (
        12000,
        ("Hybrid", "1", "simplicity", "8", 100.0),
        ("Hybrid", "112", "simplicity-z", "mean", -0.141521),
    ),
    "structural_simplicity": (
        10500,
        ("NTS-h1_default_model", "1", "structural simplicity", "1", 0.0),
        ("SBMT-SARI", "70", "simplicity", "mean", 0.333333),
    ),
    "perturbed(error='copy')": (
        120,
        ("ChatGPT", "1", "copy", "construction", 1.0),
        ("ChatGPT-perturbed", "60", "copy", "construction", 0.0),
    ),
    "cefr_sp": (14356, ("text", "wikiauto/1", "level", "A", 1.0), ("text", "score/1188", "level", "B", 5.0)),
    "clear": (
        3524,
        ("text", "4821", "easiness", "Bradley-Terry", -1.525113),
        ("text", "3419", "easiness", "Bradley-Terry", 0.162554),
    ),
    "factuality": (
        2370,
        ("reference", "646723195548683", "insertion", "agreed", 0.0),
        ("editNTS", "539208391710953", "substitution", "agreed", 0.0),
    ),
    "multicochrane": (
        3995,
        ("reference", "0", "hallucination", "3", 1.0),
        ("system2_0.5", "99", "simplicity", "2", 2.0),
    ),
    "readme_pp": (2243, ("text", "1", "level", "agreed", 4.0), ("text", "2243", "level", "agreed", 3.0)),
    "jades": (
        5400,
        ("BART", "1", "fluency", "0", 1.0),
        ("BART", "448", "simplicity", "5", 4.0),
    ),
    "textcomplexity_de": (
        3000,
        ("text", "3", "complexity", "mean", 1.888889),
        ("text", "1119", "lexical difficulty", "mean", 1.0),
    ),
    "deplain": (
        3456,
        ("reference", "1", "simplicity", "1", 1.0),
        ("reference", "384", "ambiguity", "2", 1.0),
    ),
    "wu2025": (39132, ("gpt", "turk/94", "fluency", "1", 3.0), ("t5", "turk/98", "simplicity", "3", 3.0)),
    "cefr_sp(split='dev')": (
        2732,
        ("text", "wikiauto/1", "level", "A", 1.0),
        ("text", "score/665", "level", "B", 5.0),
    ),
    "multicochrane(language='es')": (
        3490,
        ("reference", "0", "hallucination", "1", 0.0),
        ("gpt_trans_en", "99", "simplicity", "1", 1.0),
    ),
    "multicochrane(language='fr')": (
        3490,
        ("reference", "0", "hallucination", "1", 0.0),
        ("gpt_trans_en", "99", "simplicity", "1", 2.0),
    ),
    "readme_pp(language='ru', split='val')": (
        176,
        ("text", "1", "level", "agreed", 6.0),
        ("text", "176", "level", "agreed", 2.0),
    ),
    "wu2025(part='asset')": (
        9693,
        ("gpt", "asset/252", "fluency", "1", 3.0),
        ("t5", "asset/103", "simplicity", "3", 3.0),
    ),
    "wu2025(part='turk')": (
        9693,
        ("gpt", "turk/94", "fluency", "1", 3.0),
        ("t5", "turk/98", "simplicity", "3", 3.0),
    ),
    "wu2025(part='simpa')": (
        19746,
        ("gpt", "simpa/38", "fluency", "1", 3.0),
        ("qwen", "simpa/457", "simplicity", "3", 3.0),
    ),
}


@pytest.mark.parametrize("spec", RATINGS)
def test_first_last_and_count_of_ratings(spec, data_sets):
    ratings = pm.dataset(spec).ratings()
    shown = [(r.system, r.sample, r.dimension, r.rater, round(r.value, 6)) for r in (ratings[0], ratings[-1])]
    assert (len(ratings), *shown) == RATINGS[spec]


def means(ratings, dimension):
    """(system, sample) -> the mean over raters."""
    found = {}
    for r in ratings:
        if r.dimension == dimension:
            found.setdefault((r.system, r.sample), []).append(r.value)
    return {key: np.mean(values) for key, values in found.items()}


@pytest.mark.parametrize(
    ("name", "dimension", "expected"),
    [
        ("dwiki", "grammar", 0.2575340511403188),
        ("dwiki", "meaning", -0.02287130291147593),
        ("dwiki", "simplicity-overall", 0.3867651142387053),
        ("onestopqa", "accuracy", 0.14995284693275238),
        ("onestopqa", "answerability", 0.13589955230558895),
    ],
)
def test_pooled_correlations_are_those_of_the_agg_paper(name, dimension, expected, data_sets, nltk_data):
    """SARI's cells of Table 1, over all rows whatever their system."""
    data = pm.dataset(name)
    people = means(data.ratings(), dimension)
    metric = pm.metric("sari(variant='agg')")
    pairs = [
        (score, people[system, sample])
        for system, corpus in data.corpora().items()
        for sample, score in zip(corpus.ids, metric.sample_scores(corpus), strict=True)
    ]
    assert pearsonr(*zip(*pairs, strict=True)).statistic == pytest.approx(expected, abs=1e-9)


def test_preferences_give_the_kendall_like_cell_of_the_agg_paper(data_sets, nltk_data):
    data = pm.dataset("cochrane")
    people, metric = means(data.ratings(), "readability"), pm.metric("sari(variant='agg')")
    scores = {
        (system, sample): score
        for system, corpus in data.corpora().items()
        for sample, score in zip(corpus.ids, metric.sample_scores(corpus), strict=True)
    }
    agreed = []
    for sample in sorted({sample for _, sample in scores}):
        first, second = [system for system, own in scores if own == sample]
        assert people[first, sample] + people[second, sample] == pytest.approx(1)
        by_people = np.sign(people[first, sample] - people[second, sample])
        agreed.append(by_people * np.sign(scores[first, sample] - scores[second, sample]))
    assert len(agreed) == 120
    assert np.mean(agreed) == pytest.approx(-0.08333333333333333)


def test_dwiki_keeps_all_judgements_of_equal_outputs(data_sets):
    counts = {}
    for r in pm.dataset("dwiki").ratings():
        if r.dimension == "meaning":
            counts[r.sample] = counts.get(r.sample, 0) + 1
    # Six systems on a hundred paragraphs, three people each, however the rows were put together.
    assert sum(counts.values()) == 6 * 100 * 3
    assert set(counts.values()) == {3, 6, 9, 12, 15}


def test_perturbed_documents_share_the_ids_of_onestopqa(data_sets):
    original = pm.dataset("onestopqa").corpora()["ChatGPT"]
    for error in ("deletion", "indomain", "outdomain", "fluency", "coherence", "copy"):
        corpora = pm.dataset(f"perturbed(error='{error}')").corpora()
        unharmed, harmed = corpora["ChatGPT"], corpora["ChatGPT-perturbed"]
        own = dict(zip(original.ids, zip(original.sources, original.outputs, strict=True), strict=True))
        assert own == dict(
            zip(unharmed.ids, zip(unharmed.sources, unharmed.outputs, strict=True), strict=True)
        )
        assert unharmed.outputs != harmed.outputs


def test_second_readings_are_samples_of_their_own(data_sets):
    corpora = pm.dataset("ats_eval").corpora()
    muss = corpora["MUSS-Unsup"]
    assert {"17/1#2", "26/1#2"} <= set(muss.ids)
    assert set(corpora["KIS"].ids) - set(muss.ids) == {"20/1", "24/1"}
    texts = dict(zip(muss.ids, muss.outputs, strict=True))
    assert texts["17/1"] == texts["17/1#2"]
    accuracy = means(pm.dataset("ats_eval").ratings(), "accuracy")
    assert accuracy["MUSS-Unsup", "17/1"] == pytest.approx(200 / 3)
    assert accuracy["MUSS-Unsup", "17/1#2"] == 100


def test_ats_eval_scores_of_systems(data_sets):
    """Table 1 of the paper: a stray line break made 69.44 of EditCL-Grade7's 70.00."""
    ratings = pm.dataset("ats_eval").ratings()

    def percent(system, dimension):
        return np.mean([r.value for r in ratings if (r.system, r.dimension) == (system, dimension)])

    assert percent("EditCL-Grade7", "accuracy") == pytest.approx(70.0)
    assert percent("KIS", "accuracy") == pytest.approx(20.5555556)
    answers = pm.dataset("ats_eval").answers()
    assert len(answers) == 1980
    assert sum(not a.is_answered for a in answers) == 402


def test_laboratory_answers_are_joined_by_their_texts(data_sets, shared):
    """The laboratory numbered its articles otherwise; its questions are those of the paragraphs they are joined to."""
    questions = {(q.sample, q.number): q.question for q in pm.dataset("onestop_reading").questions()}
    assert len(questions) == 486
    found = 0
    path = str(shared / "data" / "onestop-qa" / "qa_mit_lab.tsv")
    for _, row in files.table_rows(path, ("item_id", "question", "source")):
        if row["source"] == "Onestop":
            article, paragraph, number, _ = re.fullmatch(r"os(\d+)_(\d+)_(\d)_(\w+)", row["item_id"]).groups()
            asked = questions[f"{ARTICLES[int(article)]}/{paragraph}", int(number)]
            assert difflib.SequenceMatcher(None, asked, row["question"]).ratio() > 0.8
            found += 1
    assert found == 215
    accuracy = [r.value for r in pm.dataset("onestop_reading").ratings()]
    assert np.mean(accuracy) == pytest.approx(100 * 205 / 215)


def test_samsa_scores(data_sets):
    """Meaning preservation and structural simplicity of the six systems rank against each other: rho = -.771."""
    ratings = pm.dataset("samsa_human(scores='paper')").ratings()
    systems = list(dict.fromkeys(r.system for r in ratings if r.system != "Reference"))
    meaning, structure = (
        [np.mean([r.value for r in ratings if (r.system, r.dimension) == (s, d)]) for s in systems]
        for d in ("P", "S")
    )
    ranks = np.argsort(np.argsort([meaning, structure], axis=1), axis=1)
    assert np.corrcoef(ranks)[0, 1] == pytest.approx(-0.771, abs=5e-4)
    row = {r.dimension: r.value for r in ratings if (r.system, r.sample, r.rater) == ("TSM", "1", "A")}
    # Answers 3, 1, 2, 2: no additions 3, no removals 2.
    assert row == {"G": 3, "P": 2.5, "S": 2, "AvgHuman": 2.5}


def test_released_means_are_the_means_of_the_grades(data_sets, shared):
    grades = means(pm.dataset("simplicity_da").ratings(), "simplicity")
    path = str(shared / "data" / "ratings" / "simplicity-da" / "simplicity_DA.csv")
    for _, row in files.table_rows(path, ("sys_name", "sent_id", "simplicity")):
        assert grades[row["sys_name"], row["sent_id"]] == pytest.approx(float(row["simplicity"]), abs=1e-6)


def test_references_come_from_another_set(data_sets):
    """Sample ids of ratings are lines of ASSET's test sentences, so sources must be equal but for spaces and signs."""

    def letters(text):
        return re.sub(r"\W", "", text).lower()

    asset = pm.dataset("asset").corpora()["ACCESS"]
    for name in ("asset_ratings", "simplicity_da", "structural_simplicity"):
        for corpus in pm.dataset(name).corpora().values():
            for sample in corpus:
                assert letters(sample.source) == letters(asset[int(sample.id) - 1].source)
                assert sample.references == asset[int(sample.id) - 1].references
    for corpus in pm.dataset("simpeval").corpora().values():
        by_source = {letters(s.source): s.references for s in asset}
        assert all(by_source[letters(s.source)] == s.references for s in corpus)
    bare = pm.dataset("simplicity_da(references='none')").corpora()["ACCESS"]
    assert bare.references is None
    assert pm.dataset("simplicity_da(references='turkcorpus')").corpora()["ACCESS"].reference_count == "8"
    with pytest.raises(InputError, match="sentence '360': expected a number from 1 to 359"):
        _wikipedia.line("360")


def test_plaba_sentences(data_sets):
    aligned = pm.dataset("plaba").aligned()
    documents = pm.dataset("plaba").corpora()["reference"]
    sentences = pm.dataset("plaba(level='sentence')").corpora()["reference"]
    assert sum(map(len, aligned.values())) == len(sentences) == 7612
    for sample in list(documents)[:50]:
        assert " ".join(a for a, _ in aligned[sample.id]) == sample.source
        assert " ".join(b for _, b in aligned[sample.id] if b) == sample.output
        assert sample.output in sample.references
    assert (sentences[0].source, sentences[0].output) == aligned[documents[0].id][0]


def test_swipe_edits_and_links(data_sets):
    data = pm.dataset("swipe")
    groups = [group for own in data.edits().values() for group in own]
    assert len(groups) == 3877
    assert len({group.category for group in groups}) == 19
    assert groups[0].deleted
    assert not groups[0].inserted
    links = data.links()
    assert len(links) == 349
    assert set(links) <= set(data.corpora()["reference"].ids)
    for linked in links.values():
        assert all(a < len(linked.source) and b < len(linked.output) for a, b, _ in linked.links)


# Where files are looked for.


def test_a_folder_of_the_users_own(data_sets, shared, tmp_path):
    inside = shared / "data" / "doc-meta"
    for folder in (inside, shared / "data"):
        assert len(pm.dataset("dwiki(folder=" + repr(str(folder)) + ")").ratings()) == 9000
    absent = pm.dataset("dwiki(folder=" + repr(str(tmp_path)) + ")")
    assert absent.missing() == f"needs doc-meta/dwiki_final.jsonl in {tmp_path}"


def test_the_download_folder_comes_second(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PLAINMARK_DATA", str(tmp_path / "own"))
    assert "plainmark datasets get ats_eval" in pm.dataset("ats_eval").missing()
    assert str(tmp_path / "own") in pm.dataset("ats_eval").missing()
    path = tmp_path / "data" / "plainmark" / "data" / "ats-eval" / "all-ann-final-model-paper.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes((shared / "data" / "ats-eval" / path.name).read_bytes())
    assert pm.dataset("ats_eval").missing() == ""
    monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert datasets.download_folder() == tmp_path / ".local" / "share" / "plainmark" / "data"


def test_a_derived_file_is_said_to_be_one(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAINMARK_DATA", str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"links_val.jsonl in .* by hand: derived from the groups"):
        pm.dataset("swipe").links()


@pytest.mark.parametrize("error", ["paraphrasing", "punctuation", "repetition"])
def test_sets_beside_those_of_the_paper_are_read_from_a_folder(error, tmp_path):
    data = pm.dataset(f"perturbed(error={error!r}, folder={str(tmp_path)!r})")
    with pytest.raises(
        MissingResourceError, match=rf"peturb_{error}.jsonl in .*, put there by hand: .*github"
    ):
        data.corpora()
    row = {
        "original": "Cats sleep a lot.",
        "rating_type": "pairwise",
        "references": ["Cats sleep."],
        "simplification1": "Cats sleep much.",
        "simplification2": "Cats sleep sleep much.",
        "system1": "ChatGPT",
        "system2": "ChatGPT-peturbed",
        "ratings": [{"name": error, "type": "binary", "value": [0], "agg_value": 0}],
    }
    (tmp_path / f"peturb_{error}.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    corpora = data.corpora()
    assert [c.outputs for c in corpora.values()] == [["Cats sleep much."], ["Cats sleep sleep much."]]
    assert [(r.system, r.dimension, r.value) for r in data.ratings()] == [
        ("ChatGPT", error, 1.0),
        ("ChatGPT-perturbed", error, 0.0),
    ]


def test_unknown_names_and_options():
    with pytest.raises(pm.PlainmarkError, match=r"no dataset is called 'dwikki'\. Did you mean 'dwiki'"):
        pm.dataset("dwikki")
    with pytest.raises(pm.PlainmarkError, match="split='dev' is not allowed; expected one of 'test', 'tune'"):
        pm.dataset("turkcorpus(split='dev')")


# Broken files.


def judged(**changes):
    row = {"original": "A.", "references": ["B."], "simplification": "C.", "system": "S"}
    row["ratings"] = [{"name": "Correct answer (out of 3)", "value": [True, False, True]}]
    return json.dumps(row | changes)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: found list, expected a JSON object"),
        ('{"original": "A."}', "line 2: no field 'ratings'"),
        (judged(original=3), "line 2: not as expected (found int, expected text)"),
        (judged(references=[3]), "line 2: not as expected (found int, expected text)"),
        (judged(ratings=[{"name": "taste", "value": [1]}]), "line 2: no field 'taste'"),
        (
            judged(ratings=[{"name": "taste", "value": ["much"]}]),
            "line 2: not as expected (could not convert",
        ),
        (
            judged(ratings=[{"name": "Non answer (out of 3)", "value": [7]}]),
            "line 2: not as expected (tuple index",
        ),
        ("\udcff", "line 2: byte 0xff is not UTF-8"),
    ],
)
def test_a_broken_line_is_named(line, complaint, tmp_path):
    path = tmp_path / "qa.jsonl"
    path.write_bytes(f"{judged()}\n{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as found:
        pm.dataset(f"onestopqa(folder={str(tmp_path)!r})").ratings()
    assert f"qa.jsonl, {complaint}" in str(found.value)


@pytest.mark.parametrize(
    ("file", "row", "complaint"),
    [
        ("human_ratings.csv", "A,B,x,meaning,1,50", "line 2: not as expected (invalid literal"),
        ("human_ratings.csv", "A,B,1,meaning,1,high", "line 2: 'high' is not a number"),
        ("human_ratings.csv", "A,B,1,meaning", "line 2: not as many cells as the 6 columns"),
    ],
)
def test_a_broken_row_is_named(file, row, complaint, tmp_path):
    (tmp_path / "human_ratings").mkdir()
    heading = "original,simplification,original_sentence_id,aspect,worker_id,rating"
    (tmp_path / "human_ratings" / file).write_text(f"{heading}\n{row}\n")
    with pytest.raises(InputError) as found:
        pm.dataset(f"asset_ratings(folder={str(tmp_path)!r}, references='none')").ratings()
    assert f"{file}, {complaint}" in str(found.value)


def test_a_winner_that_is_none_of_the_two(tmp_path):
    name = "asset_pairwise_comparisons_with_turkcorpus_and_hsplit.csv"
    (tmp_path / "human_ratings").mkdir()
    heading = (
        "worker_id,sentence_id,aspect,source,other_dataset,asset_simplification,other_simplification,winner"
    )
    (tmp_path / "human_ratings" / name).write_text(f"{heading}\nA,0,meaning,s,hsplit,a,b,nobody\n")
    with pytest.raises(InputError, match="line 2: winner 'nobody', expected asset, hsplit or similar"):
        pm.dataset(f"asset_preferences(folder={str(tmp_path)!r})").ratings()


def test_lines_out_of_step(tmp_path, shared):
    for name in pm.dataset("hsplit").files():
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((shared / "data" / name).read_bytes())
    (tmp_path / "hsplit" / "hsplit.tok.3").write_text("one line\n")
    with pytest.raises(InputError, match=r"hsplit.tok.3: 1 lines, expected 359\."):
        pm.dataset(f"hsplit(folder={str(tmp_path)!r})").corpora()


def test_a_version_without_its_original(tmp_path):
    questions = [f"{part}_{k}" for k in (1, 2, 3) for part in ("question", "answer", "correct_answer")]
    path = tmp_path / "all-ann-final-model-paper.csv"
    heading = ",".join(["article_id", "para_id", "Model", "paragraph", *questions])
    path.write_text(f"{heading}\n1,1,KIS,A text.{',x' * 9}\n")
    with pytest.raises(InputError, match="line 2: paragraph 1/1 has no version Original"):
        pm.dataset(f"ats_eval(folder={str(tmp_path)!r})").corpora()


# Spreadsheets.


def sheet(tmp_path, content, name="content.xml"):
    path = tmp_path / "x.ods"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return str(path)


TABLE = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'


def cells(inside):
    return f"<x {TABLE} {OFFICE}><table:table><table:table-row>{inside}</table:table-row></table:table></x>"


def test_cells_of_a_sheet(tmp_path):
    inside = '<table:table-cell table:number-columns-repeated="999999">a</table:table-cell>'
    assert _readers.read_sheet(sheet(tmp_path, cells(inside)), rows=5, columns=3) == [["a", "a", "a"]]
    inside = '<table:table-cell office:value="2"><p>two</p></table:table-cell><table:table-cell/>'
    assert _readers.read_sheet(sheet(tmp_path, cells(inside)), rows=5, columns=3) == [["2", ""]]


HOSTILE = {
    "has a document type": '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + cells("&b;"),
    "not an OpenDocument spreadsheet .*utf-8": ('<!DOCTYPE x [<!ENTITY a "a">]>' + cells("&a;")).encode(
        "utf-16"
    ),
    "is not XML": "<x>",
    "no sheet in it": "<x/>",
    "repeated '-1' times": cells('<table:table-cell table:number-columns-repeated="-1"/>'),
    "more than 5 rows": cells("</table:table-row><table:table-row>" * 9),
    "larger than 1 MB": cells(" " * (2 << 20)),
}


@pytest.mark.parametrize("complaint", HOSTILE)
def test_hostile_sheets(complaint, tmp_path, monkeypatch):
    monkeypatch.setattr(_readers, "LARGEST_SHEET", 1 << 20)
    with pytest.raises(InputError, match=complaint):
        _readers.read_sheet(sheet(tmp_path, HOSTILE[complaint]), rows=5, columns=3)


def test_an_archive_without_a_sheet(tmp_path):
    with pytest.raises(InputError, match=r"not an OpenDocument spreadsheet .*content\.xml"):
        _readers.read_sheet(sheet(tmp_path, "", "other.xml"), rows=5, columns=3)
