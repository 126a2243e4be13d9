"""The plot beside the sliders: a curve, a straight line, and where both are."""

import re

from lxml import etree

from minigrad.nudge.plot import plot_of

CURVE = [(float(x), float(x * x)) for x in range(5)]


def points(svg, name):
    """Return the points of each line of a class."""
    found = re.findall(rf'class="{name}" points="([^"]*)"', svg)
    return [[tuple(map(float, one.split(","))) for one in line.split()] for line in found]


def circle(svg, name):
    (found,) = re.findall(rf'class="{name}" cx="([^"]*)" cy="([^"]*)"', svg)
    return tuple(map(float, found))


def test_the_dots_are_on_their_lines():
    svg = plot_of(("x", "w"), CURVE, (2.0, 4.0), (3.0, 9.0), 4.0, 8.0)
    etree.fromstring(svg)
    (curve,), (tangent,) = points(svg, "mg-curve"), points(svg, "mg-tangent")
    assert circle(svg, "mg-exact") == curve[3]
    assert circle(svg, "mg-start") == curve[2]
    (left, start_y), (right, end_y) = tangent
    promised = circle(svg, "mg-promised")
    assert abs(promised[1] - (start_y + (end_y - start_y) * 3 / 4)) < 0.2
    assert promised[0] == curve[3][0]
    assert (left, right) == (curve[0][0], curve[-1][0])


def test_the_straight_line_touches_the_curve_at_the_start():
    svg = plot_of(("x", "w"), CURVE, (2.0, 4.0), (2.0, 4.0), 4.0, 4.0)
    assert circle(svg, "mg-promised") == circle(svg, "mg-start") == circle(svg, "mg-exact")


def test_without_a_gradient_there_is_no_promise():
    svg = plot_of(("c", "w"), CURVE, None, (3.0, 9.0), None, 9.0)
    assert "mg-tangent" not in svg
    assert "mg-promised" not in svg
    assert "the gradient promised" not in svg


def test_a_curve_is_cut_where_it_is_not_finite():
    curve = [(0.0, float("nan")), (1.0, 1.0), (2.0, float("inf")), (3.0, 3.0), (4.0, 4.0)]
    svg = plot_of(("x", "w"), curve, None, (3.0, 3.0), 1.0, 3.0)
    assert [len(line) for line in points(svg, "mg-curve")] == [1, 2]
    assert "nan" not in svg


def test_no_dot_where_there_is_no_number():
    svg = plot_of(("x", "w"), CURVE, None, (3.0, float("nan")), 1.0, 3.0)
    assert "mg-exact" not in svg
    assert "w is nan" in svg


def test_a_pole_does_not_flatten_the_rest():
    curve = [(x, 1e9 if x == 0 else 1 / x) for x in (0.0, 1.0, 2.0, 3.0, 4.0)]
    svg = plot_of(("x", "w"), curve, (2.0, 0.5), (2.0, 0.5), -0.25, 0.5)
    top = float(re.search(r'y="36"[^>]*>([^<]*)<', svg)[1])
    assert top < 5


def test_a_constant_is_drawn_too():
    svg = plot_of(("x", "w"), [(0.0, 2.0), (1.0, 2.0)], (0.0, 2.0), (0.5, 2.0), 0.0, 2.0)
    assert circle(svg, "mg-exact") == circle(svg, "mg-promised")


def test_names_are_text_and_nothing_else():
    svg = plot_of(('<img src="x">', 'a"b&c'), CURVE, None, (3.0, 9.0), None, 9.0)
    root = etree.fromstring(svg)
    assert "<img" not in svg
    assert 'a"b&c against <img' in root.get("aria-label")
