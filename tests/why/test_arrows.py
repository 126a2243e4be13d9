"""`Arrows`: what the paths from all tensors share is found once."""

import pytest

import minigrad as mg
from minigrad.engine.backward import walk
from minigrad.trace import Snapshot, Trace
from minigrad.trace.rules import local_derivatives
from minigrad.why import arrows as arrows_module
from minigrad.why.arrows import Arrows
from minigrad.why.paths import Paths
from minigrad.why.payload import LARGEST_TOLD, why_payload


@pytest.fixture
def large():
    """A graph of as many nodes as paths are told of."""
    x = mg.Tensor(0.5, requires_grad=True, name="x")
    graph, y = mg.ComputationGraph(), x
    with graph:
        for k in range(LARGEST_TOLD // 2):
            y = mg.tanh(graph, y) * x if k % 3 else (y + x) * 0.5
    assert len(graph.nodes) == LARGEST_TOLD
    return graph, y


def count_calls(monkeypatch, where, name, function):
    """Count how often a module calls a function of its own or of another."""
    calls = []

    def counted(*arguments, **named):
        calls.append(arguments)
        return function(*arguments, **named)

    monkeypatch.setattr(where, name, counted)
    return calls


def test_the_paths_of_a_whole_graph_take_one_pass_and_each_local_derivative_once(
    large, monkeypatch
):
    graph, y = large
    trace = Trace.of(graph, y)
    snapshots = count_calls(monkeypatch, Snapshot, "of", Snapshot.of)
    walks = count_calls(monkeypatch, arrows_module, "walk", walk)
    derived = count_calls(monkeypatch, arrows_module, "local_derivatives", local_derivatives)
    told = why_payload(graph, trace)["told"]
    assert len(told) == LARGEST_TOLD + 1
    assert (len(snapshots), len(walks), len(derived)) == (0, 1, LARGEST_TOLD)


def test_a_stepper_makes_a_snapshot_for_each_order_at_most(large, monkeypatch):
    made = count_calls(monkeypatch, Snapshot, "of", Snapshot.of)
    stepper = mg.step(*large)
    stepper.close()
    assert len(made) <= 2


def test_paths_from_every_tensor_are_those_that_are_found_alone(dead_node):
    graph, output = dead_node.graph, dead_node.w
    shared = Arrows(graph, output)
    tensors = {t: None for node in graph.nodes for t in (*node.inputs, node.output)}
    for source in tensors:
        if source.requires_grad:
            together, alone = Paths(shared, source), Paths.of(graph, output, source)
            assert together.heaviest(9) == alone.heaviest(9)
            assert together.gradient == alone.gradient
            assert together.products_by_backward == alone.products_by_backward


def test_what_a_leaf_held_before_is_no_part_of_its_gradient(running):
    running.w.backward()
    running.w.backward()
    arrows = Arrows(running.graph, running.w)
    assert [arrows.gradient(t) for t in (running.x, running.y, running.w)] == [5.0, 3.0, 1.0]
    assert running.x.grad == 10.0
