"""The list of steps: what is in it, and that it comes from the loop that backward runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.errors import BackwardError
from minigrad.trace import Trace


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


def test_the_running_example_has_five_steps(running):
    steps = Trace.of(running.graph, running.w).steps
    assert [(s.kind, s.position) for s in steps] == [
        ("record", 0),
        ("record", 1),
        ("seed", 1),
        ("backward", 1),
        ("backward", 0),
    ]


def test_the_seed_sets_the_gradient_of_the_output(running):
    seed = Trace.of(running.graph, running.w).steps[2]
    assert (seed.tensor, seed.before, seed.after, seed.upstream) == ("n1", None, 1.0, 1.0)


def test_each_contribution_has_its_rule_its_numbers_and_before_and_after(running):
    add, mul = Trace.of(running.graph, running.w).steps[3:]
    told = [(c.tensor, c.rule, c.local, c.value, c.before, c.after) for c in add.contributions]
    assert told == [("n0", "1", 1.0, 1.0, None, 1.0), ("t0", "1", 1.0, 1.0, None, 1.0)]
    told = [(c.tensor, c.rule, c.local, c.value, c.before, c.after) for c in mul.contributions]
    assert told == [("t0", "y", 4.0, 4.0, 1.0, 5.0), ("t1", "x", 3.0, 3.0, None, 3.0)]


def test_a_trace_is_a_rehearsal_that_changes_no_gradient(running):
    Trace.of(running.graph, running.w)
    assert [t.grad for t in (running.x, running.y, running.z, running.w)] == [None] * 4
    assert [node.grad for node in running.graph.nodes] == [0.0, 0.0]


def test_later_edits_do_not_change_a_trace(running):
    trace = Trace.of(running.graph, running.w)
    running.x.data[...] = 100.0
    running.y.data = 7.0
    running.graph.reset()
    assert trace.snapshot.vertices["t0"].values == 3.0
    assert trace.steps[4].contributions[0].after == 5.0


def test_both_edges_of_a_square_are_there():
    x = leaf(3.0, "x")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, x)
    trace = Trace.of(graph, y)
    first, second = trace.steps[-1].contributions
    assert (first.before, first.value, first.after) == (None, 3.0, 3.0)
    assert (second.before, second.value, second.after) == (3.0, 3.0, 6.0)
    assert [edge.source for edge in trace.snapshot.edges] == ["t0", "t0"]


def test_a_frozen_operand_gets_nothing():
    x, k = leaf(3.0, "x"), mg.Tensor(4.0, name="k")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, k)
    step = Trace.of(graph, y).steps[-1]
    assert step.contributions[1].value is None
    assert step.contributions[1].local is None
    assert set(step.gradients()) == {"t0"}


def test_ancestors_leave_the_dead_node_out_and_the_whole_list_visits_it(dead_node):
    assert Trace.of(dead_node.graph, dead_node.w).positions == [2, 0]
    trace = Trace.of(dead_node.graph, dead_node.w, "append")
    assert trace.positions == [2, 1, 0]
    assert trace.wasted_visits == 1
    dead = trace.steps[5]
    assert (dead.position, dead.upstream, dead.wasted) == (1, None, True)
    to_x = dead.contributions[0]
    assert (to_x.value, to_x.before, to_x.after) == (0.0, 1.0, 1.0)
    assert trace.is_dead(1)
    assert not trace.is_dead(0)


def test_a_visit_before_a_consumer_is_noticed():
    a = leaf(1.0, "a")
    graph = mg.ComputationGraph()
    with graph:
        b = a + a
        c = b + b
    trace = Trace.of(graph, c, [0, 1])
    assert trace.steps[3].missed == (1,)
    assert trace.steps[4].missed == ()
    assert trace.history.gradients["t0"].values == []
    assert (trace.final_gradient("t0"), trace.right_gradients) == (None, {"t0": 4.0})
    right = Trace.of(graph, c)
    assert right.history.gradients["t0"].values[-1] == 4.0


def test_a_second_visit_is_noticed():
    a = leaf(1.0, "a")
    graph = mg.ComputationGraph()
    with graph:
        b = a + a
        c = b + b
    trace = Trace.of(graph, c, [1, 0, 0])
    assert [s.repeated for s in trace.steps[3:]] == [False, False, True]
    assert trace.history.gradients["t0"].values[-1] == 8.0


@pytest.mark.parametrize("order", ["backwards", 5, [9], [1.5]])
def test_an_unknown_order_is_refused(running, order):
    with pytest.raises(BackwardError, match="order"):
        Trace.of(running.graph, running.w, order)


def test_a_leaf_that_does_not_start_from_nothing_shows_where_from(running):
    running.w.backward()
    trace = Trace.of(running.graph, running.w)
    assert trace.initial_gradient("t0") == 5.0
    assert trace.history.gradients["t0"].values[-1] == 10.0
    assert "x already holds 5.0 and y already holds 3.0 from" in (
        trace.explain(trace.steps[2]).sentence
    )
    end = trace.explain(trace.steps[-1]).sentence
    assert "x.grad = 10.0 (5.0 of it from an earlier pass), y.grad = 6.0 (3.0 of it" in end
    assert running.x.grad == 5.0


def test_a_gradient_edited_in_place_later_does_not_change_a_trace():
    x = leaf([1.0, 2.0], "x")
    graph = mg.ComputationGraph()
    w = mg.mul(graph, x, x)
    w.backward([1.0, 1.0])
    trace = Trace.of(graph, w, seed=[1.0, 1.0])
    x.grad[:] = 99.0
    assert trace.initial_gradient("t0").tolist() == [2.0, 4.0]
    assert trace.steps[-1].contributions[0].before.tolist() == [2.0, 4.0]


def test_a_gradient_set_to_a_plain_zero_can_be_drawn(running):
    running.x.grad = 0
    assert "grad  0.0" in mg.draw(running.graph).svg


def test_a_leaf_can_be_traced_by_itself():
    x = leaf(3.0, "x")
    trace = Trace.of(mg.ComputationGraph(), x)
    assert [s.kind for s in trace.steps] == ["seed"]
    assert trace.steps[0].after == 1.0
    x.backward(1e8)
    again = Trace.of(mg.ComputationGraph(), x)
    assert (again.steps[0].before, again.steps[0].upstream) == (1e8, 1.0)
    assert again.explain(again.steps[0]).formulas == ("x.grad = 1e+08 + 1.0 = 1e+08",)


def test_names_come_from_the_tensor_the_variables_or_the_place():
    x, y = leaf(3.0), leaf(4.0, "given")
    graph = mg.ComputationGraph()
    with graph:
        w = x * y + 2
    items = Trace.of(graph, w, variables={"x": x, "y": y, "w": w}).snapshot.vertices
    assert {key: item.name for key, item in items.items()} == {
        "t0": "x",
        "t1": "given",
        "n0": "#0",
        "t2": "2.0",
        "n1": "w",
    }
    assert items["t2"].kind == "frozen"


def test_the_local_derivative_of_a_broadcast_operand_is_not_one_number_for_each_element():
    x, b = leaf(np.ones((4, 3)), "x"), leaf(np.ones(3), "b")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, b)
    to_x, to_b = Trace.of(graph, y, seed=np.ones((4, 3))).steps[-1].contributions
    assert to_x.local.shape == (4, 3)
    assert to_b.local is None
    assert to_b.value.tolist() == [4.0, 4.0, 4.0]


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "sub", "mul"]), st.integers(0, 9), st.integers(0, 9)),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from(["ancestors", "append"]),
)
@settings(max_examples=60, deadline=None)
def test_the_last_gradients_of_a_trace_are_those_that_backward_writes(program, order):
    graph = mg.ComputationGraph()
    results = [leaf(2.0), leaf(-1.0)]
    for name, first, second in program:
        a, b = results[first % len(results)], results[second % len(results)]
        results.append(getattr(mg, name)(graph, a, b))
    trace = Trace.of(graph, results[-1], order)
    mg.backward(graph, results[-1])
    for tensor in {id(t): t for node in graph.nodes for t in [*node.inputs, node.output]}.values():
        history = trace.history.gradients[trace.snapshot.key(tensor)]
        assert (history.values[-1] if history else None) == tensor.grad
    for step in trace.steps:
        for c in step.contributions:
            if step.wasted:
                assert (c.value, c.after) == (0.0, c.before)
            else:
                assert c.after == (0.0 if c.before is None else c.before) + c.value
                assert c.value == step.upstream * c.local
