"""Plots are well-formed, labelled, and put marks where the numbers say."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.report import formatting
from plainmark.report.svg import axes, binning, plots
from plainmark.report.svg.elements import element, group

SVG = "{http://www.w3.org/2000/svg}"
SAID = {"title": 'A <title> & "quotes"', "description": "What it shows"}


def parse(drawn):
    """The figure as XML, as a browser would read it inside HTML."""
    drawn = str(drawn)
    root = ElementTree.fromstring(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert root.get("role") == "img"
    assert "NaN" not in drawn
    assert "nan" not in drawn
    assert "style=" not in drawn, "the page's policy forbids style attributes"
    assert not re.search(r'(fill|stroke)="', drawn), "colours are the style sheet's"
    return root


def test_elements_escape_texts_and_attributes():
    drawn = element("text", "<b> & 'x'\x00\ud800", class_='a"b', data_x="<", x=1.25, y=2, r=None)
    assert str(drawn) == (
        '<text class="a&quot;b" data-x="&lt;" x="1.2" y="2">&lt;b&gt; &amp; &#x27;x&#x27;\ufffd\ufffd</text>'
    )
    assert (
        str(group([element("rect", rx=4)], title="a < b")) == '<g><title>a &lt; b</title><rect rx="4"/></g>'
    )
    assert drawn.__html__() == str(drawn), "templates show it as it is"


def marks(root, kind):
    return [e for e in root.iter() if kind in e.get("class", "").split()]


@pytest.mark.parametrize(
    ("low", "high", "count", "expected"),
    [
        (0, 100, 5, [0, 20, 40, 60, 80, 100]),
        (0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-3, 7, 5, [-2, 0, 2, 4, 6]),
        (33.9, 41.2, 5, [34, 36, 38, 40]),
        (5, 5, 5, [5]),  # no width: the value itself
        (math.nan, 1, 5, []),
    ],
)
def test_ticks_are_round(low, high, count, expected):
    assert axes.ticks(low, high, count) == expected


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 8))
def test_ticks_lie_inside_and_evenly(low, width, count):
    found = axes.ticks(low, low + width, count)
    assert len(found) <= count + 2
    assert all(low - 1e-6 * width <= t <= low + width + 1e-6 * width for t in found)
    assert np.allclose(np.diff(found, 2), 0, atol=1e-6 * width)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.005, "1.00"), (-1.5, "−1.50"), (-0.001, "0.00"), (math.nan, "–"), (math.inf, "∞"), (-math.inf, "−∞")],
)
def test_numbers(value, text):
    assert formatting.number(value) == text


def test_long_names_keep_both_ends():
    assert formatting.short("a-rather-long-system-name-7") == "a-rather…em-name-7"
    assert len(formatting.short("x" * 99)) == 18
    assert formatting.short("just-eighteen-long") == "just-eighteen-long"


def test_scale_maps_ends_to_ends():
    scale = axes.Scale(10, 20, 100, 300)
    assert [scale(10), scale(15), scale(20)] == [100, 200, 300]


@pytest.mark.parametrize(
    ("values", "low", "high"), [([], 0, 1), ([math.nan], 0, 1), ([3], 2, 4), ([0, 100], -6, 106)]
)
def test_scale_around_values(values, low, high):
    scale = axes.Scale.around(values, 0, 1)
    assert (scale.low, scale.high) == (low, high)


@pytest.mark.parametrize(
    ("peak", "top"), [(0, 2), (1, 2), (3, 4), (5, 6), (9, 10), (11, 20), (47, 60), (999, 1000)]
)
def test_even_top(peak, top):
    assert axes.even_top(peak) == top


def test_dot_intervals_put_dots_and_whiskers_in_order():
    rows = [
        plots.Interval("a", 40, 38, 42, True),
        plots.Interval("b", 30, 29, 31),
        plots.Interval("c", math.nan),
    ]
    root = parse(plots.dot_intervals(rows, **SAID))
    dots = [float(d.get("cx")) for d in marks(root, "dot")]
    assert len(dots) == 2, "an undefined score has no dot"
    assert dots[0] > dots[1]
    assert len(marks(root, "whisker")) == 2
    assert [t.text for t in marks(root, "value")] == ["40.00", "30.00", "–"]
    assert [g[0].text for g in marks(root, "row")] == [
        "a: 40.00 (38.00 to 42.00)",
        "b: 30.00 (29.00 to 31.00)",
        "c: –",
    ]
    left, right = (
        float(n) for n in re.match(r"M([\d.]+) [\d.]+H([\d.]+)", marks(root, "whisker")[0].get("d")).groups()
    )
    assert (left + right) / 2 == pytest.approx(dots[0], abs=0.11)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1, 1000, [1, 10, 100, 1000]),
        (0.05, 2, [0.05, 0.1, 0.2, 0.5, 1, 2]),  # few powers: 2 and 5 times them too
        (3, 4, []),
        (1e-6, 1e6, [1e-6, 1e-3, 1, 1e3, 1e6]),
    ],
)
def test_powers_of_ten(low, high, expected):
    assert axes.powers(low, high) == pytest.approx(expected)


@given(st.floats(1e-9, 1e9), st.floats(1.01, 1e9))
def test_powers_lie_inside_and_are_few(low, factor):
    found = axes.powers(low, low * factor)
    assert len(found) <= 9
    assert all(low * (1 - 1e-6) <= p <= low * factor * (1 + 1e-6) for p in found)


def test_equal_factors_are_equally_far_apart():
    scale = axes.Scale(1, 10_000, 0, 400, log=True)
    assert [scale(v) for v in (1, 10, 100, 1000, 10_000)] == pytest.approx([0, 100, 200, 300, 400])
    assert not math.isfinite(scale(0))
    around = axes.Scale.around([10, 1000, 0, -1, math.nan], 0, 1, margin=0.5, log=True)
    assert (around.low, around.high) == pytest.approx((1, 10_000)), "what has no logarithm is left out"
    assert axes.Scale.around([], 0, 1, log=True).ticks() == [1, 2, 5, 10]
    one = axes.Scale.around([5], 0, 1, log=True)
    assert (one.low, one.high) == (0.5, 50)


def test_ratios_have_a_line_at_1():
    rows = [plots.Interval("a", 100, 90, 110), plots.Interval("b", 10, 9, 11), plots.Interval("c", 0.5)]
    root = parse(plots.dot_intervals(rows, ratios=True, **SAID))
    (line,) = marks(root, "zero")
    a, b, c = (float(d.get("cx")) for d in marks(root, "dot"))
    one = float(re.match(r"M([\d.]+)", line.get("d"))[1])
    assert c < one < b < a
    assert a - b == pytest.approx(b - one, abs=0.2)


def test_growth_is_straight_on_axes_of_factors():
    sizes = [1000, 10_000, 100_000]
    series = [
        plots.Series("ours", sizes, [2, 20, 200]),
        plots.Series("slope 1", sizes, [1, 10, 100], guide=True),
    ]
    root = parse(plots.lines(series, log="xy", **SAID))
    (line,) = marks(root, "line")
    places = [tuple(map(float, p.split())) for p in line.get("d")[1:].split("L")]
    steps = np.diff(places, axis=0)
    assert np.allclose(steps[0], steps[1], atol=0.2)
    assert len(marks(root, "guide")) == 1
    assert [t.text for t in marks(root, "name")] == ["ours"], "a guide has no name at its end"
    assert {"1k", "10k", "100k", "1", "10", "100"} <= {t.text for t in marks(root, "tick")}


def test_a_least_value_is_shown():
    root = parse(plots.lines([plots.Series("a", [1, 2], [100, 101])], least=0.0, **SAID))
    assert "0" in {t.text for t in marks(root, "tick")}


def test_ridges_say_median_and_quartiles():
    root = parse(plots.ridges([("a", [1, 2, 3, 4, 5]), ("nothing", [math.nan])], **SAID))
    assert [g[0].text for g in marks(root, "row")] == [
        "a: median 3.0, middle half 2.0 to 4.0, 5 samples",
        "nothing: no defined values",
    ]
    assert len(marks(root, "ridge")) == 1


def test_histogram_heights_follow_counts_and_sides_differ():
    root = parse(plots.histogram([1, 4, 2], [-3, -1, 1, 3], diverging=True, **SAID))
    bars = marks(root, "bar")
    assert [round(float(b.get("height")) / float(bars[0].get("height"))) for b in bars] == [1, 4, 2]
    assert [b.get("class") for b in bars] == ["bar negative", "bar", "bar positive"]
    assert [b[0].text for b in bars] == ["−3.0 to −1.0: 1", "−1.0 to 1.0: 4", "1.0 to 3.0: 2"]
    assert [t.text for t in marks(root, "tick-count")] == ["0", "2", "4"]


def test_histogram_reversed_calls_low_good():
    root = parse(plots.histogram([1, 1], [-1, 0, 1], diverging=True, reverse=True, **SAID))
    assert [b.get("class") for b in marks(root, "bar")] == ["bar positive", "bar negative"]


def test_scatter_draws_every_defined_point_inside_the_frame():
    x, y = np.array([0, 5, 10, 99, math.nan]), np.array([0, 5, 10, -99, 1])
    root = parse(plots.scatter(x, y, x_range=(0, 10), y_range=(0, 10), **SAID))
    frame = marks(root, "frame")[0]
    left, top, width, height = (float(frame.get(k)) for k in ("x", "y", "width", "height"))
    points = re.findall(r"M([\d.]+) ([\d.]+)h0", marks(root, "points")[0].get("d"))
    assert [(float(a), float(b)) for a, b in points] == [
        (left, top + height),
        (left + width / 2, top + height / 2),
        (left + width, top),
        (left + width, top + height),  # beyond the range: at the rim
    ]
    assert (frame.get("data-x"), frame.get("data-y")) == ("0 10", "0 10")


def test_scatter_with_labels_names_each_dot_without_hiding_another_label():
    names = ["Alpha", "Beta", "Gamma"]
    root = parse(plots.scatter([1, 1.01, 1.02], [1, 1.01, 1.0], labels=names, **SAID))
    texts = marks(root, "name")
    assert [t.text for t in texts] == names
    boxes = [(float(t.get("x")), float(t.get("y"))) for t in texts]
    for i, (x, y) in enumerate(boxes):
        for u, v in boxes[i + 1 :]:
            assert abs(y - v) >= 12 or abs(x - u) >= 7 * 4


def test_lines_differ_in_marker_and_name_their_ends():
    series = [plots.Series(f"s{i}", [0, 1], [i, i], [i - 1, i - 1], [i + 1, i + 1]) for i in range(9)]
    root = parse(plots.lines(series, **SAID))
    assert [t.text for t in marks(root, "name")] == [s.label for s in series]
    shapes = {m.get("class") for m in marks(root, "marker")}
    assert len(shapes) == 8
    heights = sorted(float(t.get("y")) for t in marks(root, "name"))
    assert min(np.diff(heights)) >= 13.9, "names do not overlap"


def test_heat_map_cells_show_sign_size_and_significance():
    values = np.array([[np.nan, 2.0], [-1.0, np.nan]])
    root = parse(
        plots.heat_map(
            values,
            ["r0", "r1"],
            ["c0", "c1"],
            texts=lambda i, j: (f"{values[i, j]:+.0f}", "p"),
            titles=lambda i, j: f"{i} against {j}",
            marked=lambda i, j: i == 0,
            keys=[7, 3],
            **SAID,
        )
    )
    cells = marks(root, "cell")
    assert [(c.get("data-row"), c.get("data-column")) for c in cells] == [("7", "3"), ("3", "7")]
    assert [c.get("class") for c in cells] == ["cell", "cell faint"]
    assert [c[1].get("class") for c in cells] == ["positive", "negative"]
    assert float(cells[0][1].get("fill-opacity")) > float(cells[1][1].get("fill-opacity"))
    assert [c[2].text for c in cells] == ["+2", "-1"]
    assert len(marks(root, "empty")) == 2


def test_bars_start_at_zero():
    root = parse(plots.bars([("up", 2.0), ("down", -1.0), ("none", math.nan)], **SAID))
    up, down = marks(root, "bar")
    assert float(up.get("x")) == pytest.approx(float(down.get("x")) + float(down.get("width")), abs=0.11)
    assert float(up.get("width")) == pytest.approx(2 * float(down.get("width")), abs=0.2)


def test_group_means_are_means_of_equal_groups():
    x, y = np.arange(20.0), np.arange(20.0) * 2
    gx, gy = binning.group_means(x[::-1].copy(), y[::-1].copy(), groups=4)
    assert gx.tolist() == [2, 7, 12, 17]
    assert gy.tolist() == [4, 14, 24, 34]
    assert [len(v) for v in binning.group_means(np.array([math.nan]), np.array([1.0]))] == [0, 0]


@pytest.mark.parametrize("name", ["<b>", "a" * 60, "🦉\ud800", "العربية", ""])
def test_any_name_makes_a_well_formed_plot(name):
    parse(plots.dot_intervals([plots.Interval(name, 1, 0, 2)], **SAID))
    parse(plots.ridges([(name, [1, 2])], **SAID))
    parse(plots.scatter([1], [2], labels=[name], **SAID))
    parse(plots.bars([(name, 1)], **SAID))
    parse(plots.lines([plots.Series(name, [0], [1])], **SAID))


@pytest.mark.parametrize("values", [[], [math.nan], [1.0], [1.0, 1.0], [0.0, 1e9], [math.inf, 1.0]], ids=repr)
def test_odd_values_make_a_well_formed_plot(values):
    parse(plots.ridges([("a", values)], **SAID))
    parse(plots.scatter(values, values, **SAID))
    parse(plots.dot_intervals([plots.Interval("a", v, v, v) for v in values], **SAID))
    parse(plots.bars([("a", v) for v in values], **SAID))
