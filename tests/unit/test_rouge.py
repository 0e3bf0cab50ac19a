"""ROUGE, worked by hand."""

import pytest

import plainmark as pm


def parts(spec, output, *references):
    score = pm.metric(spec).score(pm.Corpus(None, [output], [list(references)]))
    return [score.value, *score.parts.values()]


def test_unigrams():
    # the, cat, sat of 3 and 4 words
    assert parts("rouge(kind=1)", "the cat sat", "the cat sat down") == pytest.approx(
        [100 * 6 / 7, 100 * 6 / 7, 100, 75]
    )


def test_bigrams_are_clipped():
    # "a b" twice in the output, once in the reference
    assert parts("rouge(kind=2, part='precision')", "a b a b", "a b c") == pytest.approx(
        [100 / 3, 40, 100 / 3, 50]
    )


def test_longest_common_subsequence():
    # a c e
    assert parts("rouge", "a b c e", "a x c d e") == pytest.approx([200 / 3, 200 / 3, 75, 60])


def test_lines():
    # Lin's example of the union: w1 w2 with the first line, w1 w3 w5 with the second, four of five words together.
    reference = "w1 w2 w3 w4 w5"
    output = "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"
    assert parts("rouge(kind='Lsum', part='recall')", output, reference)[0] == pytest.approx(80)


def test_the_best_reference_counts():
    best = parts("rouge(kind=1)", "a b c", "a b c")
    assert parts("rouge(kind=1)", "a b c", "x y", "a b c", "a") == best == [100, 100, 100, 100]


def test_stems():
    # "running" has the stem "run"; "happily" has "happili", but "happy" has "happi"
    assert parts("rouge(kind=1, stemmer=True)", "running happily", "run happy")[0] == 50
    assert parts("rouge(kind=1)", "running happily", "run happy")[0] == 0


def test_kinds_that_do_not_exist():
    with pytest.raises(pm.PlainmarkError, match=r"kind='W' is not allowed; expected one of '1', '2'"):
        pm.metric("rouge(kind='W')")


@pytest.mark.parametrize("kind", ["1", "9", "L", "Lsum"])
def test_signatures_read_back(kind):
    metric = pm.metric(f"rouge(kind={kind})")
    assert metric.kind == kind
    assert pm.metric(metric.signature("3")) == pm.metric(metric.spec) == metric


def test_mean_of_three():
    corpus = pm.Corpus(None, ["the cat sat on a mat"], [["a cat sat on the mat"]])
    three = [pm.metric(f"rouge(kind='{kind}')").score(corpus).value for kind in ("1", "2", "L")]
    assert pm.metric("rouge(kind='mean')").score(corpus).value == pytest.approx(sum(three) / 3)
