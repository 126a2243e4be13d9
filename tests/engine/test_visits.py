"""What the loop of the backward pass tells while it runs: the seed, and each visit once."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.backward import walk
from minigrad.engine.errors import OpError


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


def told_by(graph, output, seed=None, order=None):
    """Return the seed and the visits of a pass."""
    seeds, visits = [], []
    walk(graph, output, seed, order, seeds.append, visits.append)
    (seed,) = seeds
    return seed, visits


def test_each_visit_is_told_once_when_it_is_done(running):
    seed, visits = told_by(running.graph, running.w)
    assert seed == (running.w, 1.0, None, 1.0)
    assert [visit.position for visit in visits] == [1, 0]
    add, mul = visits
    assert add.upstream == 1.0
    assert add.passed_on == {
        0: (running.z, 1.0, None, 1.0),
        1: (running.x, 1.0, None, 1.0),
    }
    assert mul.passed_on == {
        0: (running.x, 4.0, 1.0, 5.0),
        1: (running.y, 3.0, None, 3.0),
    }


def test_both_uses_of_one_tensor_are_told():
    graph, x = mg.ComputationGraph(), leaf(3.0)
    _, (visit,) = told_by(graph, mg.mul(graph, x, x))
    assert visit.passed_on == {0: (x, 3.0, None, 3.0), 1: (x, 3.0, 3.0, 6.0)}


def test_a_frozen_operand_got_nothing():
    graph, x = mg.ComputationGraph(), leaf(3.0)
    _, (visit,) = told_by(graph, mg.mul(graph, 2.0, x))
    assert list(visit.passed_on) == [1]


def test_a_node_that_nothing_has_reached_is_told_in_an_order_of_ones_own_only(dead_node):
    count = len(dead_node.graph.nodes)
    _, visits = told_by(dead_node.graph, dead_node.w)
    assert len(visits) < count
    _, visits = told_by(dead_node.graph, dead_node.w, order=range(count - 1, -1, -1))
    assert len(visits) == count
    (wasted,) = [visit for visit in visits if visit.upstream is None]
    for addition in wasted.passed_on.values():
        assert addition.added == 0.0
        assert addition.after == addition.before


def test_a_leaf_as_the_output_and_what_it_held_before():
    graph, x = mg.ComputationGraph(), leaf(3.0)
    mg.neg(graph, x)
    x.grad = np.float32(2.0)
    seed, visits = told_by(graph, x)
    assert seed == (x, 1.0, 2.0, 3.0)
    assert visits == []


def test_of_a_visit_that_fails_nothing_is_told():
    class Broken(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0].values

        def backward(self, grad_output, inputs, output):
            return [grad_output, None]

    ops = mg.OpRegistry()
    ops.register("broken", Broken())
    ops.register("add", mg.registry.get("add"))
    graph, x = mg.ComputationGraph(ops), leaf(3.0)
    y = graph.apply("add", graph.apply("broken", x, x), 1.0)
    visits = []
    with pytest.raises(OpError, match="broken"):
        walk(graph, y, on_visit=visits.append)
    assert [visit.position for visit in visits] == [1]
    assert x.grad is None


def test_what_was_told_stays_as_it_is():
    graph, x = mg.ComputationGraph(), leaf([1.0, 2.0])
    with graph:
        y = (x * x + x * 3.0 + x).sum()
    _, visits = told_by(graph, y)
    kept = [
        [np.array(number) for number in addition[1:] if number is not None]
        for visit in visits
        for addition in visit.passed_on.values()
    ]
    y.backward()
    y.backward()
    again = [
        [number for number in addition[1:] if number is not None]
        for visit in visits
        for addition in visit.passed_on.values()
    ]
    np.testing.assert_equal(again, kept)
