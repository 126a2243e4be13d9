"""Folded groups: their boxes, what enters and leaves them, and the steps they come to."""

from contextlib import ExitStack

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.diagram import film_of
from minigrad.engine.errors import DrawingError
from minigrad.fold.groups import MOST_OPEN, Groups
from minigrad.fold.snapshot import fold
from minigrad.fold.trace import fold_trace
from minigrad.trace import Trace, describe


def shown_folded(graph, output=None, folding=True, order="ancestors"):
    trace = Trace.of(graph, output, order)
    groups = Groups(trace.snapshot)
    return fold_trace(trace, fold(trace.snapshot, groups, groups.chosen(folding)))


@pytest.fixture
def layers():
    """Return h = (x·a + b)² and w = h·c + x, in two scopes, with x = 2, a = 3, b = 1, c = 5."""
    x, a, b, c = (
        mg.Tensor(value, requires_grad=True, name=name)
        for value, name in [(2.0, "x"), (3.0, "a"), (1.0, "b"), (5.0, "c")]
    )
    graph = mg.ComputationGraph()
    with graph:
        with graph.scope("hidden"):
            h = x * a + b
            h = h * h
            h.name = "h"
        with graph.scope("out"):
            w = h * c + x
            w.name = "w"
    return graph, w


def test_a_folded_scope_is_one_box_with_one_edge_for_each_tensor_that_goes_in(layers):
    snapshot = shown_folded(*layers).snapshot
    # a, b and c are used in one scope alone, and are in its box
    assert list(snapshot.vertices) == ["t0", "s0", "s1"]
    assert [(e.source, e.target, e.tensor, e.uses) for e in snapshot.edges] == [
        ("t0", "s0", "t0", 1),
        ("s0", "s1", "n2", 1),
        ("t0", "s1", "t0", 1),
    ]
    assert [leaf.name for leaf in snapshot.vertices["s0"].hidden] == ["a", "b"]
    assert [one.name for one in snapshot.vertices["s0"].outputs] == ["h"]


def test_a_folded_scope_is_recorded_in_one_step_and_visited_in_one(layers):
    trace = shown_folded(*layers)
    assert list(trace.stops) == [0, 3, 5, 6, 8]
    assert [trace.shown(stop).kind for stop in trace.stops] == [
        *["record", "record", "seed"],
        *["backward", "backward"],
    ]
    assert trace.covered(7) == range(6, 8)
    assert trace.shown(7) is trace.shown(6)


def test_what_leaves_a_box_is_the_sum_of_what_its_nodes_pass_on(layers):
    trace = shown_folded(*layers)
    out, hidden = trace.shown(6), trace.shown(8)
    # ∂w/∂h = c = 5 and, past h, ∂w/∂x = 1; then h = 7², so that ∂w/∂x grows by 5 · 2·7 · 3
    assert [(c.tensor, c.before, c.value, c.after) for c in out.contributions] == [
        ("n2", None, 5.0, 5.0),
        ("t0", None, 1.0, 1.0),
    ]
    assert [(c.before, c.value, c.after) for c in hidden.contributions] == [(1.0, 210.0, 211.0)]


def test_the_words_tell_of_what_goes_in_and_comes_out(layers):
    trace = shown_folded(*layers)
    told = [trace.explain(trace.shown(stop)) for stop in trace.stops]
    assert told[0].title == "Recording hidden: nodes #0 to #2."
    assert "mul, add and mul. What comes out is h from x, with a and b." in told[0].sentence
    assert told[3].title == "Backward through out: nodes #4 to #3."
    assert told[4].title == "Backward through hidden: nodes #2 to #0."
    assert "a and b get their gradients inside." in told[4].sentence
    assert told[4].formulas == ("x.grad: 1.0 + 210.0 = 211.0", "a.grad = 140.0", "b.grad = 70.0")
    assert "#0 to #2 folded to hidden, which gives h = 49.0" in describe(trace.snapshot)


def test_an_open_scope_between_folded_ones(layers):
    trace = shown_folded(*layers, folding=["out"])
    assert list(trace.snapshot.vertices) == ["t0", "t1", "n0", "t2", "n1", "n2", "s1"]
    assert [group.name for group in trace.snapshot.open_groups] == ["hidden"]
    assert list(trace.stops) == [0, 1, 2, 3, 5, 6, 8, 9, 10]


def test_a_name_that_no_scope_has_is_refused(layers):
    with pytest.raises(DrawingError, match=r"no scope 'middle' to fold; .* 'hidden', 'out'"):
        shown_folded(*layers, folding=["middle"])


@pytest.mark.parametrize("folding", [3, 2.5, object()])
def test_what_names_no_scopes_is_refused(layers, folding):
    with pytest.raises(DrawingError, match="fold must be True, False, or names of scopes"):
        shown_folded(*layers, folding=folding)


def test_one_name_can_be_given_by_itself(layers):
    assert "s1" in shown_folded(*layers, folding="out").snapshot.vertices


def test_a_frozen_tensor_with_a_name_stays_outside():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    data = mg.Tensor(3.0, name="data")
    graph = mg.ComputationGraph()
    with graph, graph.scope("all"):
        w = x * data + 1
    trace = shown_folded(graph, w)
    assert [trace.snapshot.vertices[key].name for key in trace.snapshot.vertices] == ["data", "all"]
    (visit,) = (trace.shown(stop) for stop in trace.stops if trace.shown(stop).kind == "backward")
    assert [c.value for c in visit.contributions] == [None]


def test_an_output_that_is_used_inside_too_gets_both_shares():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        with graph.scope("both"):
            y = x * x
            z = y * x
        w = z + y + x
    trace = shown_folded(graph, w)
    visit = trace.shown(len(trace.steps) - 1)
    # w = x³ + x² + x: y gets 1 from the sum outside, and x = 2 from the product inside
    assert visit.inside == (("n0", 3.0),)
    assert list(trace.history.gradients["n0"]) == [(6, 1.0), (7, 3.0)]
    assert [(c.before, c.after) for c in visit.contributions] == [(1.0, 17.0)]


def test_a_dead_scope_is_dead_and_one_with_any_living_node_is_not():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        with graph.scope("used"):
            y = x * x
            _ = y + x
        with graph.scope("dead"):
            _ = x + x
        w = y * x
        w.name = "w"
    trace = shown_folded(graph, w, order="append")
    dead = {group: trace.is_dead(trace.snapshot.vertices[group].position) for group in ("s0", "s1")}
    assert dead == {"s0": False, "s1": True}
    visit = next(s for s in map(trace.shown, trace.stops) if s.kind == "backward" and s.wasted)
    assert (visit.tensor, "does not lead to w" in trace.explain(visit).sentence) == ("s1", True)


def test_a_wrong_order_is_told_of_at_the_box(layers):
    graph, w = layers
    trace = shown_folded(graph, w, order=[2, 1, 0, 4, 3])
    visits = [s for s in map(trace.shown, trace.stops) if s.kind == "backward"]
    assert [(visit.tensor, visit.missed) for visit in visits] == [("s0", (3,)), ("s1", ())]
    assert "the order is wrong here: #3" in trace.explain(visits[0]).sentence


def test_visits_that_are_torn_apart_are_several_steps(layers):
    graph, w = layers
    trace = shown_folded(graph, w, order=[4, 2, 3, 1, 0])
    visits = [s for s in map(trace.shown, trace.stops) if s.kind == "backward"]
    assert [visit.tensor for visit in visits] == ["s1", "s0", "s1", "s0"]


def test_a_nested_scope_is_seen_once_the_one_around_it_is_open():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph, graph.scope("outer"):
        y = x * x
        with graph.scope("inner"):
            y = y * x
            y = y + x
    groups = Groups(Trace.of(graph, y).snapshot)
    assert [group.depth for group in groups.all.values()] == [0, 1]
    boxes = {
        keys: [
            box if isinstance(box, int) else box.name for box in groups.boxes(frozenset(keys))[0]
        ]
        for keys in [("s0", "s1"), ("s1",), ()]
    }
    assert boxes == {("s0", "s1"): ["outer"], ("s1",): [0, "inner"], (): [0, 1, 2]}


def scoped(count, size):
    x = mg.Tensor(1.0, requires_grad=True, name="x")
    graph, y = mg.ComputationGraph(), x
    with graph:
        for number in range(count):
            with graph.scope("abcdefgh"[number]):
                for _ in range(size):
                    y = y * x
    return graph, y


def test_scopes_start_folded_where_there_would_be_too_many_boxes():
    few, many = (Groups(Trace.of(*scoped(5, size)).snapshot) for size in (6, 7))
    assert few.count == MOST_OPEN
    assert (few.chosen(None), many.chosen(None)) == (frozenset(), frozenset(many.all))


def test_one_scope_around_everything_is_opened_at_the_start():
    x = mg.Tensor(1.0, requires_grad=True, name="x")
    graph, y = mg.ComputationGraph(), x
    with graph, graph.scope("network"):
        for name in "abcde":
            with graph.scope(name):
                for _ in range(8):
                    y = y * x
    groups = Groups(Trace.of(graph, y).snapshot)
    folded = groups.chosen(None)
    assert [groups.all[key].name for key in sorted(groups.all.keys() - folded)] == ["network"]


@st.composite
def scoped_traces(draw):
    """Draw a random graph with random scopes, an order that may be wrong, and what is folded."""
    tensors = [mg.Tensor(np.float64(k + 1), requires_grad=k < 2, name="abc"[k]) for k in range(3)]
    graph = mg.ComputationGraph()
    with graph, ExitStack() as everything:
        stacks = []
        for number in range(draw(st.integers(3, 12))):
            if draw(st.booleans()):
                inner = everything.enter_context(ExitStack())
                inner.enter_context(graph.scope(f"s{number}"))
                stacks.append(inner)
            op = draw(st.sampled_from([mg.add, mg.mul, mg.sub]))
            left, right = (draw(st.integers(0, len(tensors) - 1)) for _ in range(2))
            tensors.append(op(graph, tensors[left], tensors[right]))
            if stacks and draw(st.booleans()):
                stacks.pop().close()
    count = len(graph.nodes)
    output = graph.nodes[draw(st.integers(0, count - 1))].output if count else tensors[0]
    own = draw(st.permutations(range(count)))
    trace = Trace.of(graph, output, draw(st.sampled_from(["ancestors", "append", own])))
    if draw(st.booleans()):
        trace = trace.by_edge()
    groups = Groups(trace.snapshot)
    folded = draw(st.sets(st.sampled_from(sorted(groups.all)))) if groups.all else set()
    return trace, fold(trace.snapshot, groups, frozenset(folded))


@settings(max_examples=150, deadline=None)
@given(scoped_traces())
def test_what_enters_and_leaves_a_box_are_the_sums_over_its_nodes(made):
    whole, snapshot = made
    trace = fold_trace(whole, snapshot)
    for stop in trace.stops:
        step = trace.shown(stop)
        parts = [whole.steps[index] for index in trace.covered(stop)]
        if step.kind != "backward" or step is parts[0]:
            continue
        inside = {snapshot.box_of(part.tensor) for part in parts}
        assert inside == {step.tensor}
        for contribution in step.contributions:
            given = [
                c
                for part in parts
                for c in part.contributions
                if c.tensor == contribution.tensor and c.value is not None
            ]
            if not given:
                assert contribution.value is None
                continue
            assert contribution.value == pytest.approx(sum(c.value for c in given))
            assert contribution.before == given[0].before
            assert contribution.after == given[-1].after
        # and nothing that leaves the box is left out
        leaving = {
            c.tensor
            for part in parts
            for c in part.contributions
            if snapshot.box_of(c.tensor) != step.tensor
        }
        assert leaving == {c.tensor for c in step.contributions}


@settings(max_examples=100, deadline=None)
@given(scoped_traces())
def test_the_boxes_end_with_the_gradients_of_the_whole_trace(made):
    whole, snapshot = made
    trace = fold_trace(whole, snapshot)
    shown = [one for item in snapshot.vertices.values() for one in (item.outputs or [item])]
    for item in shown:
        history = trace.history.gradients[item.key]
        found = history.values[-1] if history else trace.initial_gradient(item.key)
        expected = whole.final_gradient(item.key)
        assert (found is None) == (expected is None)
        assert found is None or found == expected
    assert sorted(index for stop in trace.stops for index in trace.covered(stop)) == list(
        range(len(whole.steps))
    )
    positions = [p for key in snapshot.boxes for p in snapshot.covered(key)]
    assert positions == list(range(snapshot.count))


def test_a_constant_is_written_inside_the_box_of_a_node_and_not_of_a_group():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        with graph.scope("layer"):
            y = x * 0.5 + 1.0
        z = y * 3.0
    trace = shown_folded(graph, z)
    assert [one.name for one in trace.snapshot.vertices["s0"].hidden] == ["x", "0.5", "1.0"]
    drawn = trace.snapshot.part(range(2), constants=False)
    assert list(drawn.vertices) == ["s0", "n2"]
    assert drawn.is_folded
    assert [drawn.box_of(key) for key in ("t1", "n1", "t3")] == ["s0", "s0", "n2"]
    film = film_of(trace, drawn)
    assert film.frame(4)["n2"].rows[0].split() == ["#2", "mul", "×", "3.0"]
    opened = shown_folded(graph, z, False).snapshot.part(range(3), constants=False)
    assert list(opened.vertices) == ["t0", "n0", "n1", "n2"]
