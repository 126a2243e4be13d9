"""`NudgedGraph`: what a nudge comes to, what was promised, and how the error shrinks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import BackwardError, TensorError
from minigrad.nudge.nudged_graph import POINTS, NudgedGraph
from minigrad.nudge.words import tell_nudge


def leaf(value, name, *, requires_grad=True):
    return mg.Tensor(value, requires_grad=requires_grad, name=name)


def told(nudged, **values):
    """Return the words for values given by name."""
    keys = {nudged.key_of(name): value for name, value in values.items()}
    return tell_nudge(nudged, nudged.at(keys))


@pytest.fixture
def example(running):
    return NudgedGraph(running.graph, running.w)


def test_at_the_start_nothing_is_nudged(example):
    result = example.at({})
    assert (result.start, result.promised, result.exact) == (15.0, 15.0, 15.0)
    assert result.nudges == {}
    assert list(result.gradients.values()) == [5.0, 3.0]
    words = tell_nudge(example, result)
    assert (words.promised, words.exact, words.difference, words.shrinking) == (
        "15.0",
        "15.0",
        "0.0",
        "",
    )


def test_x_from_3_to_5_is_promised_exactly(example):
    result = example.at({example.key_of("x"): 5.0})
    assert (result.promised, result.exact) == (25.0, 25.0)
    assert result.values["n0"] == 20.0
    words = tell_nudge(example, result)
    assert words.promised == "15.0 + 5.0 × 2.0 = 25.0"
    assert words.sentence == (
        "Nudging x alone, w moves along a straight line: the gradient's promise is exact."
    )


def test_of_both_the_error_is_the_product_of_the_nudges(example):
    result = example.at({example.key_of("x"): 5.0, example.key_of("y"): 5.0})
    assert (result.promised, result.exact) == (28.0, 30.0)
    np.testing.assert_allclose(result.errors, [2.0, 0.5, 0.02, 0.0002], rtol=1e-6)
    words = tell_nudge(example, result)
    assert words.shrinking == "off by 0.5 at half the nudge, by 0.02 at a tenth"
    assert "shrinks like Δ²" in words.sentence


def test_a_negative_gradient_and_nudge_have_parentheses():
    x = leaf(1.0, "x")
    graph = mg.ComputationGraph()
    with graph:
        w = 5.0 - x * 2.0
    assert told(NudgedGraph(graph, w), x=0.5).promised == "3.0 + (-2.0) × (-0.5) = 4.0"


def test_many_terms_are_counted():
    leaves = [leaf(float(k), f"x{k}") for k in range(5)]
    graph = mg.ComputationGraph()
    with graph:
        w = leaves[0]
        for one in leaves[1:]:
            w = w + one
    words = told(NudgedGraph(graph, w), x0=1.0, x1=2.0, x2=3.0, x3=4.0)
    assert words.promised == "10.0 + 4 products of a gradient and a nudge = 14.0"


def test_a_frozen_leaf_moves_the_start_and_has_no_part_in_the_promise():
    x, c = leaf(3.0, "x"), leaf(2.0, "c", requires_grad=False)
    graph = mg.ComputationGraph()
    with graph:
        w = x * c
    nudged = NudgedGraph(graph, w)
    assert [(one.name, one.is_frozen) for one in nudged.handles] == [("x", False), ("c", True)]
    assert told(nudged, c=3.0).promised == "9.0"
    assert told(nudged, c=3.0, x=4.0).promised == "9.0 + 3.0 × 1.0 = 12.0"


def test_a_constant_is_called_by_its_value_and_the_node_that_uses_it(running):
    graph = mg.ComputationGraph()
    with graph:
        w = running.x * 2.0
    assert [one.name for one in NudgedGraph(graph, w).handles] == ["x", "2.0 in #0"]


def test_a_kink_is_told():
    x = leaf(0.0, "x")
    graph = mg.ComputationGraph()
    w = mg.relu(graph, x)
    assert "there is a kink" in told(NudgedGraph(graph, w), x=1.0).sentence


def test_a_kink_further_off_does_no_harm_to_small_nudges():
    x = leaf(1.0, "x")
    graph = mg.ComputationGraph()
    w = mg.relu(graph, x)
    assert "no error that could be measured" in told(NudgedGraph(graph, w), x=-3.0).sentence


def test_at_a_turning_point_of_the_slope_it_shrinks_faster():
    x = leaf(0.0, "x")
    graph = mg.ComputationGraph()
    w = mg.sin(graph, x)
    assert "even faster than Δ²" in told(NudgedGraph(graph, w), x=1.0).sentence


def test_the_graph_and_its_tensors_stay_as_they_are(running):
    running.w.backward()
    example = NudgedGraph(running.graph, running.w)
    example.at({example.key_of("x"): 5.0})
    example.curve(example.key_of("x"), {})
    assert (running.x.item(), running.x.grad, running.w.item()) == (3.0, 5.0, 15.0)
    assert len(running.graph.nodes) == 2


def test_a_start_is_what_was_written_and_not_what_float32_made_of_it():
    x = leaf(3.1, "x")
    graph = mg.ComputationGraph()
    nudged = NudgedGraph(graph, mg.mul(graph, x, x))
    assert nudged.starts == {"t0": 3.1}
    assert nudged.at({}).exact == pytest.approx(9.61, abs=1e-12)


@pytest.mark.parametrize(
    ("start", "step", "steps"),
    [(3.0, 0.05, 60), (0.0, 0.02, 50), (-0.3, 0.02, 50), (1000.0, 20.0, 50), (8.0, 0.1, 80)],
)
def test_a_slider_reaches_as_far_as_the_start_is_from_zero(start, step, steps):
    x = leaf(start, "x")
    graph = mg.ComputationGraph()
    (handle,) = NudgedGraph(graph, mg.mul(graph, x, x)).handles
    assert (handle.step, handle.steps) == (step, steps)


def test_the_curve_covers_the_slider_and_where_the_leaf_is(example):
    curve = example.curve(example.key_of("x"), {})
    assert len(curve) == POINTS
    assert (curve[0], curve[-1]) == ((0.0, 0.0), (6.0, 30.0))
    far = example.curve(example.key_of("x"), {example.key_of("x"): 10.0, example.key_of("y"): 1.0})
    assert far[-1] == (10.0, 20.0)


def test_what_is_not_finite_is_shown_and_warns_nobody():
    x = leaf(1.0, "x")
    graph = mg.ComputationGraph()
    nudged = NudgedGraph(graph, mg.log(graph, x))
    assert math.isinf(nudged.at({"t0": 0.0}).exact)
    assert told(nudged, x=-1.0).exact == "nan"
    assert sum(math.isfinite(w) for _, w in nudged.curve("t0", {})) == POINTS - 1


@settings(deadline=None, max_examples=25)
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_on_smooth_graphs_the_error_is_bounded_by_the_square_of_the_nudge(a, b, da, db):
    x, y = (
        mg.Tensor(v, requires_grad=True, name=n, dtype="float64") for v, n in ((a, "x"), (b, "y"))
    )
    graph = mg.ComputationGraph()
    with graph:
        w = mg.sin(graph, x) * mg.tanh(graph, y)
    nudged = NudgedGraph(graph, w)
    result = nudged.at({nudged.key_of("x"): a + da, nudged.key_of("y"): b + db})
    # no second derivative of sin(x)·tanh(y) is above 1
    assert abs(result.errors[0]) <= (abs(da) + abs(db)) ** 2 + 1e-12


def test_arrays_stay_where_they_are():
    x, row = leaf(2.0, "x"), mg.Tensor([1.0, 2.0], requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        w = (row * x).sum()
    nudged = NudgedGraph(graph, w)
    assert [one.name for one in nudged.handles] == ["x"]
    assert nudged.at({nudged.key_of("x"): 3.0}).exact == 9.0


def test_an_output_of_several_numbers_is_refused():
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        w = x * 2.0
    with pytest.raises(BackwardError, match=r"single numbers.*shape \(2,\); sum it first"):
        NudgedGraph(graph, w)


def test_a_graph_of_arrays_alone_has_nothing_to_nudge():
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    graph = mg.ComputationGraph()
    w = mg.sum(graph, x)
    with pytest.raises(BackwardError, match="there is none to nudge"):
        NudgedGraph(graph, w)


def test_an_unknown_name_is_refused(example):
    with pytest.raises(TensorError, match="no 'z' to nudge; there are: x, y"):
        example.key_of("z")
