"""`graph.replay`: the recorded nodes run again on new leaf values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import GraphError, TensorError
from minigrad.engine.recorders import operate
from minigrad.engine.replay import run_again

BINARY = ["add", "sub", "mul", "maximum"]
UNARY = ["neg", "tanh", "sin", "relu"]
VALUES = st.floats(-2, 2, width=32)


def record(leaves, calls):
    """Record calls ``(op, operand, operand)`` whose operands are positions of what is there."""
    graph = mg.ComputationGraph()
    tensors = list(leaves)
    with graph:
        for op, first, second in calls:
            operands = [tensors[first % len(tensors)], tensors[second % len(tensors)]]
            tensors.append(operate(op, tuple(operands if op in BINARY else operands[:1])))
    return graph, tensors


@st.composite
def programs(draw):
    count = draw(st.integers(1, 4))
    wishes = [True, *draw(st.lists(st.booleans(), min_size=count - 1, max_size=count - 1))]
    shape = draw(st.sampled_from([(), (3,), (2, 2)]))
    arrays = st.lists(VALUES, min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    values = st.lists(arrays, min_size=count, max_size=count)
    calls = st.tuples(st.sampled_from(BINARY + UNARY), st.integers(0, 30), st.integers(0, 30))
    before, after = draw(values), draw(values)
    shaped = [[np.reshape(one, shape) for one in some] for some in (before, after)]
    return wishes, *shaped, draw(st.lists(calls, min_size=1, max_size=12))


def leaves_of(values, wishes):
    return [mg.Tensor(v, w, dtype="float32") for v, w in zip(values, wishes, strict=True)]


@settings(deadline=None)
@given(programs())
def test_on_random_graphs_it_equals_recording_anew(program):
    wishes, before, after, calls = program
    graph, old = record(leaves_of(before, wishes), calls)
    anew_graph, anew = record(leaves_of(after, wishes), calls)
    used = {id(tensor) for node in graph.nodes for tensor in node.inputs}
    new_values = {leaf: value for leaf, value in zip(old, after, strict=False) if id(leaf) in used}
    earlier = [node.output.values.tobytes() for node in graph.nodes]
    replayed = graph.replay(new_values)
    assert [node.op_name for node in replayed.graph.nodes] == [n.op_name for n in anew_graph.nodes]
    assert [node.output.values.tobytes() for node in graph.nodes] == earlier
    if not graph.nodes:
        return
    frozen_results = {id(t) for t in old[len(wishes) :] if t.grad_fn_index is None}
    if frozen_results & used:
        return  # what frozen leaves alone came to was never recorded, so it cannot follow them
    for one, other in zip(replayed.graph.nodes, anew_graph.nodes, strict=True):
        np.testing.assert_array_equal(one.output.values, other.output.values)
    output = graph.nodes[-1].output
    seed = np.ones(output.shape)
    mg.backward(replayed.graph, replayed[output], seed)
    mg.backward(anew_graph, anew_graph.nodes[-1].output, seed)
    for leaf, other in zip(old[: len(wishes)], anew, strict=False):
        if id(leaf) in used:
            np.testing.assert_array_equal(replayed[leaf].grad, other.grad)
            assert leaf.grad is None


def test_the_running_example_at_another_point(running):
    again = running.graph.replay({running.x: 5, running.y: 2.0})
    assert again[running.w].item() == 15.0  # 5·2 + 5
    again[running.w].backward()
    assert (again[running.x].grad, again[running.y].grad) == (3.0, 5.0)
    assert (running.w.item(), running.x.grad, running.x.item()) == (15.0, None, 3.0)


def test_names_stay_and_untouched_leaves_keep_their_values(running):
    again = running.graph.replay({running.x: 5.0})
    assert [again[t].name for t in (running.x, running.y, running.z, running.w)] == list("xyzw")
    assert again[running.y].item() == 4.0
    assert again[running.y] is not running.y
    assert again.graph.nodes[1].inputs[0] is again[running.z]


def test_without_new_values_it_runs_on_what_the_leaves_hold_now(running):
    running.x.data = 5.0
    assert running.graph.replay()[running.w].item() == 25.0


def test_a_frozen_leaf_can_be_changed_and_stays_frozen():
    x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0)
    graph = mg.ComputationGraph()
    with graph:
        w = x * y
    again = graph.replay({y: 7.0})
    again[w].backward()
    assert (again[w].item(), again[x].grad) == (21.0, 7.0)
    assert not again[y].requires_grad


def test_attributes_and_the_recorded_op_are_used_again():
    x = mg.Tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        total = x.sum(axis=0)
    again = graph.replay({x: [[5.0, 6.0], [7.0, 8.0]]})
    np.testing.assert_array_equal(again[total].values, [12.0, 14.0])
    assert again.graph.nodes[0].attrs == graph.nodes[0].attrs
    assert again.graph.nodes[0].attrs is not graph.nodes[0].attrs


def test_a_replay_can_be_replayed_and_gradients_start_fresh(running):
    running.w.backward()
    once = running.graph.replay({running.x: 5.0})
    twice = once.graph.replay({once[running.y]: 1.0})
    assert once[running.x].grad is None
    assert twice[once[running.w]].item() == 10.0


def test_a_very_deep_graph_is_replayed():
    y = x = mg.Tensor(0.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(20_000):
            y = y + 1.0
    assert graph.replay({x: 5.0})[y].item() == 20_005.0


def test_it_shows_the_learners_own_code(running):
    graph = mg.ComputationGraph()
    graph.keeps_source = True
    with graph:
        w = running.x * running.x
    again = graph.replay()
    assert again.graph.nodes[0].source == graph.nodes[0].source
    assert again.graph.keeps_source
    assert again[w].item() == 9.0


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda r: {r.x: [1.0, 2.0]}, TensorError, r"shape \(2,\) for tensor 'x' of shape \(\)"),
        (lambda r: {r.x: "three"}, TensorError, "new values for tensor 'x' cannot be used"),
        (lambda r: {r.x: None}, TensorError, "new values for tensor 'x' cannot be used"),
        (lambda r: {r.z: 1.0}, GraphError, "'z' was computed by node #0"),
        (lambda r: {mg.Tensor(1.0): 2.0}, GraphError, "no leaf of this graph.*'x'.*'y'"),
        (lambda r: {"x": 1.0}, GraphError, "'x' is none; use the leaf itself"),
        (lambda r: [1.0], GraphError, "a dict from leaves to new values.*not \\[1.0\\]"),
    ],
)
def test_what_it_refuses(running, wrong, error, message):
    with pytest.raises(error, match=message):
        running.graph.replay(wrong(running))
    assert len(running.graph.nodes) == 2


def test_a_tensor_that_was_not_replayed_is_not_found(running):
    again = running.graph.replay()
    with pytest.raises(GraphError, match="no tensor of the graph that was replayed"):
        again[mg.Tensor(1.0)]
    with pytest.raises(GraphError, match="'w' is no tensor"):
        again["w"]


def test_nodes_run_again_for_their_values_alone_leave_no_node(running):
    leaves = {running.x: mg.Tensor(5.0, requires_grad=True), running.y: mg.Tensor(2.0)}
    made = run_again(running.graph, leaves)
    assert (made[running.z].item(), made[running.w].item()) == (10.0, 15.0)
    assert made[running.x] is leaves[running.x]
    assert made[running.w].grad_fn_index is None
    assert len(running.graph.nodes) == 2


def test_a_tensor_that_was_recorded_after_its_use_cannot_be_replayed():
    graph = mg.ComputationGraph()
    a, x = mg.Tensor(1.0, requires_grad=True), mg.Tensor(2.0, requires_grad=True, name="x")
    mg.neg(graph, x)
    graph.record("neg", [a], x)
    with pytest.raises(GraphError, match="'x' is no tensor of the graph that was replayed"):
        graph.replay()


def test_a_replay_remembers_no_other_code_than_the_learners(running):
    graph = mg.ComputationGraph()
    graph.keeps_source = False
    mg.neg(graph, running.x)
    graph.keeps_source = True
    mg.neg(graph, running.x)
    without, having = graph.replay().graph.nodes
    assert without.source is None
    assert having.source == graph.nodes[1].source
