"""What every registered metric keeps, whoever wrote it."""

import re
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import MissingResourceError
from plainmark.families import FAMILIES
from plainmark.metric import add_up, from_signature
from plainmark.options import option_help
from support import stand_ins

pytestmark = [
    pytest.mark.filterwarnings("ignore::plainmark.errors.UndefinedWarning"),  # of empty outputs
    pytest.mark.filterwarnings("ignore::plainmark.errors.OtherLanguageWarning"),  # of the third sample
]

SOURCES = [
    "The committee, which convened in 1998, promulgated 3 regulations concerning maritime commerce.",
    "Owls are nocturnal birds of prey. They subsist predominantly on small mammals.",
    "🦉 الطيور الجارحة ليلية naïve café, don't you think?",
    "Water boils.",
    "He purchased approximately 1,200 antiquated volumes; nobody could ascertain why.",
]
OUTPUTS = [
    "The group met in 1998. It made 3 rules about sea trade.",
    "Owls are birds that hunt at night. They mostly eat small animals.",
    "🦉 الطيور ليلية café, right?",
    "Water boils.",
    "",
]
REFERENCES = [
    ["The group met in 1998 and made 3 rules about trade at sea.", "In 1998 the committee made three rules."],
    ["Owls hunt at night. They eat small animals.", "Owls are birds of prey. They eat mostly small mammals."],
    ["🦉 الطيور الجارحة", "café"],
    ["Water boils.", "Water gets hot."],
    ["He bought about 1,200 old books.", "He bought many old books. No one knew why."],
]


# A metric that needs a package or a model that is absent must say so; it runs with a stand-in for it.
ABSENT = [name for name in pm.METRICS.names() if pm.METRICS.find(name)().missing()]


@pytest.fixture(params=pm.METRICS.names())
def cls(request):
    return pm.METRICS.find(request.param)


@pytest.fixture
def metric(cls):
    with stand_ins.runnable(cls) as metric:
        yield metric


def language(metric):
    """The texts are English; a formula for German is told that they are German, and counts them."""
    return (metric.spoken() or ("en",))[0]


@pytest.fixture
def corpus(request):
    spoken = language(request.getfixturevalue("cls")()) if "cls" in request.fixturenames else "en"
    return pm.Corpus(SOURCES, OUTPUTS, REFERENCES, language=spoken)


def same(a, b, metric=None):
    """Whether values are equal; torch's single precision depends on what else is in a batch."""
    tolerance = 1e-5 if metric is not None and metric.name in stand_ins.WITH_TORCH else 1e-9
    return np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


def test_shapes(metric, corpus):
    stats = metric.stats(corpus)
    assert stats.dtype == np.float64
    assert stats.ndim == 2
    assert len(stats) == len(corpus)
    assert np.isfinite(stats).all()
    assert metric.reduce(stats).shape == (len(corpus), len(metric.part_names))


def test_rows_may_be_added_in_any_order_and_any_pieces(metric, corpus):
    whole = metric.reduce(add_up(metric.stats(corpus)))
    shuffled = corpus.subset([3, 0, 4, 2, 1])
    assert same(metric.reduce(add_up(metric.stats(shuffled))), whole, metric)
    halves = add_up(metric.stats(corpus[:2])) + add_up(metric.stats(corpus[2:]))
    assert same(metric.reduce(halves), whole, metric)
    streamed = metric.score_stream([corpus[:2], corpus[2:]])
    assert same(streamed.value, metric.score(corpus).value, metric)


def test_samples_that_are_undefined_are_counted_and_change_nothing(metric, corpus):
    defined = metric.defined(metric.stats(corpus))
    score = metric.score(corpus)
    assert (score.defined, score.samples) == (defined.sum(), len(corpus))
    assert metric.score_stream([corpus[:2], corpus[2:]]).extent == score.extent
    if defined.any():
        assert same(metric.score(corpus.subset(np.flatnonzero(defined).tolist())).value, score.value, metric)
    else:
        assert np.isnan(score.value)


def test_reduce_is_vectorised(metric, corpus):
    stats = metric.stats(corpus)
    stacked = np.stack([stats, stats[::-1]])
    assert same(metric.reduce(stacked)[0], metric.reduce(stats))
    assert same(metric.reduce(stacked)[1], metric.reduce(stats)[::-1])
    one_by_one = np.stack([metric.reduce(row) for row in stats])
    assert same(metric.reduce(stats), one_by_one)


def test_a_corpus_of_one_scores_as_its_sample(metric, corpus):
    scores = metric.sample_scores(corpus)
    for i in range(len(corpus)):
        alone = metric.sample_metric().score(corpus[i : i + 1]).value
        assert same(alone, scores[i], metric)


def test_a_second_system_scores_as_if_it_were_the_first(metric, corpus):
    fresh = metric.score(pm.Corpus(SOURCES, SOURCES, REFERENCES, language=corpus.language))
    metric.score(corpus)
    assert same(metric.score(corpus.with_outputs(SOURCES)).value, fresh.value, metric)


def test_bounds_hold(metric, corpus):
    low, high = metric.bounds
    scores = np.append(metric.sample_scores(corpus), metric.score(corpus).value)
    scores = scores[np.isfinite(scores)]
    assert (scores >= low - 1e-9).all()
    assert (scores <= high + 1e-9).all()


@pytest.mark.parametrize(
    "output",
    [
        "",
        " ",
        "word",
        "\x00",
        "a\x00b",
        "\n",
        "...",
        "🦉",
        "مرحبا بالعالم",
        "e\u0301",
        "\ud800",
        "- -- ---",
        "1,000.5",
        "x" * 5000,
    ],
    ids=lambda text: repr(text)[:20],
)
def test_odd_texts_do_not_crash(metric, output):
    for source in ("A plain source.", output):
        corpus = pm.Corpus([source], [output], [[source, output]])
        assert len(metric.sample_scores(corpus)) == 1


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_missing_is_said(name, corpus):
    metric = pm.METRICS.find(name)()
    assert metric.missing().startswith("needs ")
    for use in (metric.score, metric.sample_scores, metric.stats):
        with pytest.raises(MissingResourceError, match=re.escape(metric.missing())):
            use(corpus)


def test_needs_are_checked(metric):
    bare = pm.Corpus(None, OUTPUTS, language=language(metric))
    if metric.required():
        with pytest.raises(pm.PlainmarkError, match="needs"):
            metric.score(bare)
    else:
        metric.score(bare)


def test_equal_options_make_equal_metrics(cls):
    assert cls() == cls()
    assert hash(cls()) == hash(cls())
    assert replace(cls()) == cls()


def test_spec_and_signature_read_back(cls):
    metric = cls()
    assert pm.metric(metric.spec) == metric
    assert from_signature(metric.signature("2")) == metric
    assert metric.signature("2").startswith(metric.name)
    assert metric.signature("2").endswith(f"|v:{pm.__version__}")


def test_metrics_are_values(cls):
    with pytest.raises(FrozenInstanceError):
        cls().name = "other"


def test_documented(cls):
    assert cls.__doc__, "a metric says in one line what it is"
    assert not cls.__doc__.startswith(cls.__name__ + "("), "the docstring is dataclass's, not a description"
    assert cls.citation or cls.higher_is_better is None or cls.__module__.startswith("plainmark") is False
    for option in fields(cls):
        assert option_help(cls)[option.name], f"option {option.name} has no help text"


def test_an_unknown_option_names_the_known_ones(cls):
    with pytest.raises(pm.PlainmarkError, match="no option 'nonsense'"):
        pm.metric(f"{cls.name}(nonsense=1)")


def test_every_metric_of_the_package_has_a_family():
    own = [cls for cls in map(pm.METRICS.find, pm.METRICS.names()) if cls.__module__.startswith("plainmark.")]
    assert [cls.name for cls in own if cls.family not in FAMILIES or cls.family == "other"] == []
