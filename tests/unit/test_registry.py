"""Names and specifications: what is read, what is refused, and with which words. Nothing is ever evaluated."""

import re
import sys
import types
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import OptionError, UnknownNameError
from plainmark.metrics.bleu import BLEU
from plainmark.metrics.mean import Mean
from plainmark.metrics.sari import SARI
from plainmark.options import Between, check_option, describe_type, option_help, option_types

OPTIONS_OF_MEAN = "Its options are: metric."


@pytest.mark.parametrize(
    ("spec", "metric"),
    [
        ("sari", SARI()),
        ("  sari\n", SARI()),
        ("sari()", SARI()),
        ("(sari)", SARI()),
        ("sari(variant='hf')", SARI(variant="hf")),
        ('sari(variant="hf")', SARI(variant="hf")),
        ("sari(variant=hf)", SARI(variant="hf")),
        ("sari('hf')", SARI(variant="hf")),
        ("sari(hf, none)", SARI(variant="hf", tokenizer="none")),
        ("sari(variant=easse-delprec)", SARI(variant="easse-delprec")),
        ("sari(variant=easse_delprec)", SARI(variant="easse-delprec")),
        ("sari(variant='easse-delprec')", SARI(variant="easse-delprec")),
        ("sari(tokenizer=13a)", SARI(tokenizer="13a")),
        ("sari(tokenizer = 13a, order=3)", SARI(tokenizer="13a", order=3)),
        ("bleu(smoothing=add-k)", BLEU(smoothing="add-k")),
        ("bleu(smoothing=floor, smoothing_value=1e-2)", BLEU(smoothing="floor", smoothing_value=0.01)),
        ("bleu(smoothing=floor, smoothing_value=0x10)", BLEU(smoothing="floor", smoothing_value=16)),
        ("sari(\n  variant='hf',\n)", SARI(variant="hf")),
        ("sari(order=None)", SARI()),
        ("mean(sari)", Mean(SARI())),
        ("mean(bleu(order=2))", Mean(BLEU(order=2))),
        ("mean('bleu(order=2)')", Mean(BLEU(order=2))),
        ("mean(metric=bleu(tokenizer=13a))", Mean(BLEU())),
        ("mean(mean(bleu))", Mean(Mean(BLEU()))),
        ("SARI", SARI()),
        ("Bleu(order=2)", BLEU(order=2)),
        ("mean(BLEU)", Mean(BLEU())),
        ("plainmark.metrics.sari", SARI()),
        ("plainmark.metrics.sari.SARI(variant=hf)", SARI(variant="hf")),
    ],
)
def test_specifications(spec, metric):
    assert pm.metric(spec) == metric


@pytest.mark.parametrize("name", ["exact-copies", "exact_copies"])
def test_names_may_have_hyphens(name):
    assert pm.metric(name).name == "exact_copies"
    assert pm.METRICS.find(name).name == "exact_copies"


def test_a_metric_is_its_own_specification():
    metric = SARI(variant="hf")
    assert pm.metric(metric) is metric


EXPECTED = "expected a name, or name(option=value), such as sari(variant='hf')."


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        ("sarii", UnknownNameError, "no metric is called 'sarii'. Did you mean 'sari'? `plainmark list metrics` shows all."),
        ("zzz", UnknownNameError, "no metric is called 'zzz'. `plainmark list metrics` shows all."),
        ("mean(zzz)", UnknownNameError, "no metric is called 'zzz'. `plainmark list metrics` shows all."),
        ("", OptionError, f"cannot read ''; {EXPECTED}"),
        ("sari(", OptionError, f"cannot read 'sari('; {EXPECTED}"),
        ("sari bleu", OptionError, f"cannot read 'sari bleu'; {EXPECTED}"),
        ("sari\x00", OptionError, f"cannot read 'sari\\x00'; {EXPECTED}"),
        ("sari,bleu", OptionError, "cannot read 'sari,bleu'; expected the name of a metric."),
        ("'sari'", OptionError, "cannot read \"'sari'\"; expected the name of a metric."),
        ("sari()()", OptionError, "cannot read 'sari()()'; expected the name of a metric."),
        ("mean(1)", OptionError, "cannot read 'mean(1)'; expected the name of a metric."),
        ("mean(metrc=sari)", OptionError, f"mean: no option 'metrc'. Did you mean 'metric'? {OPTIONS_OF_MEAN}"),
        ("mean(**{'metric': sari})", OptionError, f"mean: no option '**'. {OPTIONS_OF_MEAN}"),
        ("mean(sari, bleu)", OptionError, "mean: 2 values given, but it has 1 options."),
        ("mean(sari, metric=bleu)", OptionError, "mean: option 'metric' is given twice."),
        ("sari(variant=hf, variant=agg)", OptionError, "sari: option 'variant' is given twice."),
        ("sari(order=2+2)", OptionError, "cannot read the option '2 + 2' in 'sari(order=2+2)'."),
        ("sari(order='4')", OptionError, "sari: option order='4' is not allowed; expected a whole number from 1 to 100."),
        ("sari(order=True)", OptionError, "sari: option order=True is not allowed; expected a whole number from 1 to 100."),
        ("sari(order=0)", OptionError, "sari: option order=0 is not allowed; expected a whole number from 1 to 100."),
        ("sari(lowercase=1)", OptionError, "sari: option lowercase=1 is not allowed; expected True or False."),
        ("sari(empty_ratio=2)", OptionError, "sari: option empty_ratio=2 is not allowed; expected one of 0, 1."),
        ("chrf(beta=-1)", OptionError, "chrf: option beta=-1 is not allowed; expected a number from 0 to 1000."),
        (
            "chrf(char_order=0)",
            OptionError,
            "chrf: char_order and word_order are both 0; expected n-grams of one kind at least.",
        ),
        (
            "bleu(smoothing=exponential)",
            OptionError,
            "bleu: option smoothing='exponential' is not allowed; expected one of 'exp', 'floor', 'add-k', 'none'.",
        ),
        (
            "os.getcwd",
            UnknownNameError,
            "os.getcwd is no metric; found builtin_function_or_method, expected a class derived from plainmark.metric.Metric.",
        ),
        (
            "pathlib.Path",
            UnknownNameError,
            "pathlib.Path is no metric; found another class, expected a class derived from plainmark.metric.Metric.",
        ),
        (
            "a.b.C",
            UnknownNameError,
            "cannot import 'a.b.C': no module 'a' in the current folder or among the installed packages; expected "
            "package.module.Class of a metric.",
        ),
        ("a._b.C", UnknownNameError, "cannot import 'a._b.C'; expected package.module.Class of a metric."),
        (
            "plainmark.metrics.sari.Sari",
            UnknownNameError,
            "cannot import 'plainmark.metrics.sari.Sari': plainmark.metrics.sari has no 'Sari'. Did you mean 'SARI'?",
        ),
        ("plainmark.metric.Metric", UnknownNameError, "plainmark.metric.Metric is the base of others, not a metric."),
        ("plainmark.metric.MeanMetric()", UnknownNameError, "plainmark.metric.MeanMetric is the base of others, not a metric."),
        ("plainmark.metrics", UnknownNameError, "plainmark.metrics defines no metric."),
        (None, OptionError, "found NoneType, expected a metric, its name or its specification."),
        (b"sari", OptionError, "found bytes, expected a metric, its name or its specification."),
    ],
)  # fmt: skip
def test_messages(spec, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        pm.metric(spec)


HOSTILE = [
    "__import__('os').system('exit 1')",
    "sari(variant=__import__('os').getcwd())",
    "sari(variant=open('x', 'w'))",
    "sari.__class__",
    "sari.__init__.__globals__",
    "plainmark.__main__",
    "plainmark.__main__.x",
    "plainmark._x.Y",
    "().__class__.__bases__[0].__subclasses__()",
    "sari(variant=(lambda: 'hf')())",
    "lambda: sari",
    "sari(variant=f'hf')",
    "f'{sari}'",
    "sari(variant=f\"{__import__('os')}\")",
    "[sari for sari in (1,)]",
    "sari if True else bleu",
    "(sari := 1)",
    "sari(variant=(x := 'hf'))",
    "await sari",
    "(yield)",
    "sari; bleu",
    "sari\nimport os",
    "sari(*['hf'])",
    "{sari}",
    "...",
    "sari(variant=...)",
    "sari[0]",
    "-sari",
    "sari + bleu",
    "sari(variant=b'hf')",
    "sari(order=1j)",
    "sari(order=[4])",
    "(" * 5000 + "sari" + ")" * 5000,
    "mean(" * 500 + "sari" + ")" * 500,
    "a." * 400 + "b",
    "a." * 4900 + "b",
    "sari(order=" + "-" * 3000 + "1)",
    "sari(order=" + "1+" * 2000 + "1)",
    "sari(variant=" + "not " * 1000 + "1)",
    "sari(order=" + "9" * 5000 + ")",
    "sari(variant='" + "x" * 9000 + "')",
    "sari(" + "x" * 9000 + "=1)",
    "x" * 9000,
    "x" * 10_000_000,
    "sari(variant='hf" + "\\" * 999,
    "\ud800",
    "sari(variant='\ud800')",
    "sari|order:" + "(" * 3000,
    "sari|order:" + "-" * 100_000 + "1|v:1",
    "mean|metric:" + "mean(" * 500 + "|v:1",
    "|" * 10_000,
]


@pytest.mark.parametrize("spec", HOSTILE, ids=lambda s: repr(s[:40]))
def test_hostile_specifications_are_refused_in_one_short_line(spec):
    with pytest.raises(pm.PlainmarkError) as caught:
        pm.metric(spec)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_reading_a_specification_imports_nothing_private(monkeypatch):
    """Importing runs a module; `package.__main__` must not be run by naming it."""
    before = set(sys.modules)
    with pytest.raises(UnknownNameError):
        pm.metric("plainmark.__main__.Score")
    assert "plainmark.__main__" not in set(sys.modules) - before


@settings(max_examples=300)
@given(st.text(max_size=30) | st.text("sari(bleu)='\",.-|:0123f{}[]* \n", max_size=30))
def test_any_text_is_a_metric_or_a_typed_error(spec):
    try:
        metric = pm.metric(spec)
    except pm.PlainmarkError:
        return
    assert isinstance(metric, pm.Metric)


def test_third_parties_by_dotted_path(monkeypatch):
    module = types.ModuleType("their_metrics")

    @dataclass(frozen=True)
    class Constant(pm.MeanMetric):
        """Always the same."""

        value: Annotated[float, "the score"] = 1.0
        name = "constant"
        higher_is_better = None

        def values(self, corpus):
            return [self.value] * len(corpus)

    Constant.__module__ = "their_metrics"
    module.Constant = Constant
    monkeypatch.setitem(sys.modules, "their_metrics", module)
    corpus = pm.Corpus(None, ["a"])
    assert pm.metric("their_metrics.Constant(value=2)").score(corpus).value == 2
    with pytest.raises(UnknownNameError, match=r"cannot import 'their_metrics\.Missing'"):
        pm.metric("their_metrics.Missing")


def test_names_are_sorted_and_can_all_be_made():
    names = pm.METRICS.names()
    assert names == sorted(names)
    assert {"sari", "bleu", "levenshtein"} <= set(names)
    assert all(pm.metric(name).name == name for name in names)


@pytest.mark.parametrize(
    ("hint", "good", "bad", "words"),
    [
        (bool, [True, False], [0, 1, None, "yes"], "True or False"),
        (int, [0, -3], [True, 1.0, "1"], "a whole number"),
        (float, [1, 1.5, float("inf")], [True, "1"], "a number"),
        (str, ["", "x"], [1, None], "text"),
        (Literal["a", 1], ["a", 1], ["b", True, 1.0], "one of 'a', 1"),
        (int | None, [1, None], ["1"], "a whole number"),
        (Literal["a"] | int, ["a", 3], ["b"], "one of 'a' or a whole number"),
        (Literal["a"] | Literal["b"], ["a", "b"], ["c"], "one of 'a', 'b'"),
        (tuple[int, ...], [(1, 2)], [[1, 2]], "a list"),
        (Annotated[int, Between(1, 3)], [1, 3], [0, 4, 2.0, True], "a whole number from 1 to 3"),
        (Annotated[int, "help", Between(1)], [1, 10**9], [0], "a whole number of at least 1"),
        (Annotated[float, Between(0, 1)], [0, 0.5], [-0.1, float("nan")], "a number from 0 to 1"),
        (Annotated[int, Between(1, 3)] | None, [1, None], [4], "a whole number from 1 to 3"),
        (pm.Metric, [SARI()], ["sari"], "metric"),
        (Any, [1, None], [], "any"),
    ],
)
def test_types(hint, good, bad, words):
    for value in good:
        check_option("x", "y", value, hint)
    for value in bad:
        with pytest.raises(OptionError, match=f"x: option y={re.escape(repr(value))} is not allowed"):
            check_option("x", "y", value, hint)
    assert describe_type(hint) == words


def test_types_and_help_of_options():
    assert option_types(BLEU)["lowercase"] is bool
    assert option_help(BLEU)["lowercase"] == "ignore case"
    assert option_help(BLEU)["order"] == "longest n-gram"
    assert describe_type(option_types(BLEU)["order"]) == "a whole number from 1 to 100"
