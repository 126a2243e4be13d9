"""Where values went bad: the first nan or infinity, which node, which op, which operand."""

import numpy as np
import pytest

import minigrad as mg

pytestmark = pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")


def leaf(data, name=None):
    return mg.Tensor(data, requires_grad=True, name=name)


@pytest.fixture
def graph():
    return mg.ComputationGraph()


def test_finite_values_and_gradients_are_nothing_to_report(graph):
    x = leaf(2.0)
    with graph:
        w = mg.log(graph, x) * x
    assert mg.first_nonfinite(graph, w) is None
    assert x.grad is None


def test_the_first_node_with_a_bad_value_is_named_and_not_those_that_follow(graph):
    x = leaf([4.0, 0.5, 0.25], "x")
    with graph:
        z = x - 1
        y = mg.log(graph, z)
        (y * 2).sum()
    found = mg.first_nonfinite(graph)
    assert (found.phase, found.position, found.op_name, found.slot) == ("forward", 1, "log", None)
    assert found.place == (1,)
    assert np.isnan(found.value)
    assert str(found) == (
        "forward: node #1 (log) makes nan at (1,) out of -0.5 (the output of node #0)"
    )


def test_both_operands_are_told_of_an_op_on_two(graph):
    with graph:
        leaf([1.0, 2.0], "a") / leaf([[3.0, 3.0], [3.0, 0.0]], "b")
    found = mg.first_nonfinite(graph)
    assert (found.position, found.place, found.value) == (0, (1, 1), np.inf)
    assert "out of 2 (tensor 'a') and 0 (tensor 'b')" in found.message


def test_a_sum_that_overflows_tells_how_large_its_operand_is(graph):
    with graph:
        leaf(np.full(4, 3e38, np.float32), "x").sum()
    assert "makes inf out of tensor 'x' of shape (4,), all finite, up to 3e+38" in str(
        mg.first_nonfinite(graph)
    )


def test_a_leaf_that_holds_a_bad_value_is_named_with_the_node_that_uses_it(graph):
    x, y = leaf([1.0, np.inf], "x"), leaf([1.0, 1.0], "y")
    with graph:
        w = (y * x).sum()
    found = mg.first_nonfinite(graph, w)
    assert (found.phase, found.position, found.op_name, found.slot) == ("forward", 0, "mul", 1)
    assert str(found) == (
        "forward: tensor 'x' holds inf at (1,); node #0 (mul) uses it as operand 1"
    )


def test_a_gradient_that_turns_bad_on_the_way_back_is_named(graph):
    x, y = leaf([1.0, 0.0], "x"), leaf(2.0, "y")
    with graph:
        w = (y * mg.sqrt(graph, x)).sum()
    found = mg.first_nonfinite(graph, w)
    assert (found.phase, found.position, found.op_name) == ("backward", 0, "sqrt")
    assert (found.slot, found.place, found.value) == (0, (1,), np.inf)
    assert str(found) == (
        "backward: node #0 (sqrt) passes inf at (1,) to operand 0 (tensor 'x' = 0); "
        "its upstream gradient is 2"
    )
    assert (x.grad, y.grad) == (None, None)


def test_a_gradient_that_overflows_where_contributions_meet(graph):
    x = leaf(1.0, "x")
    with graph:
        w = x * np.float32(3e38) + x * np.float32(3e38)
    found = mg.first_nonfinite(graph, w)
    assert (found.phase, found.position, found.slot) == ("forward", 2, None)
    mg.backward(graph, graph.nodes[1].output)
    found = mg.first_nonfinite(graph, graph.nodes[0].output)
    assert found.phase == "forward"
    other = mg.ComputationGraph()
    with other:
        w = (x * np.float32(3e38)) * np.float32(1e-3)
    x.grad = np.float32(3e38)
    found = mg.first_nonfinite(other, w, seed=1e3)
    assert (found.phase, found.position, found.op_name, found.slot) == ("backward", 0, "mul", 0)
    assert "which was 3e+38 and becomes inf" in found.message


def test_a_seed_that_is_bad_is_told_as_such(graph):
    x = leaf(1.0)
    with graph:
        w = x * 2
    found = mg.first_nonfinite(graph, w, seed=np.nan)
    assert (found.position, found.slot) == (None, None)
    assert "the gradient of the output of node #0 starts with nan" in found.message
    assert repr(found) == f"NonFinite({found})"


def test_it_is_told_what_was_recorded_even_if_it_was_mended_since(graph):
    x = leaf(-1.0, "x")
    mg.log(graph, x)
    x.data = 1.0
    assert mg.first_nonfinite(graph).value != mg.first_nonfinite(graph).value  # nan
    with pytest.raises(mg.MinigradError, match="must be a ComputationGraph"):
        mg.first_nonfinite([])
