"""Chains of equal patterns: found, cut at the right places, and shown with their count."""

import pytest

import minigrad as mg
from minigrad.fold.groups import Groups
from minigrad.fold.snapshot import fold, fold_as_chosen
from minigrad.trace import Trace


def groups_of(graph):
    return Groups(Trace.of(graph).snapshot)


def loop(count, before=0):
    """Return s = tanh(s·w + x), so many times, behind some other nodes."""
    w = mg.Tensor(0.5, requires_grad=True, name="w")
    x = mg.Tensor(0.3, requires_grad=True, name="x")
    graph, s = mg.ComputationGraph(), x
    with graph:
        for _ in range(before):
            s = s - x
        for _ in range(count):
            s = mg.tanh(graph, s * w + x)
    return graph, s


def test_an_unrolled_loop_is_one_group_of_its_iterations():
    groups = groups_of(loop(20)[0])
    first, second, *_ = groups.all.values()
    assert (first.name, first.positions, first.count) == ("mul, add, tanh", range(60), 20)
    assert (second.name, second.positions) == ("repeat 1", range(3))
    assert len(groups.all) == 21


def test_it_begins_where_the_loop_begins():
    groups = groups_of(loop(20, before=2)[0])
    assert next(iter(groups.all.values())).positions == range(2, 62)


def test_a_chain_of_one_op_has_no_groups_inside():
    graph, y = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    for _ in range(50):
        y = mg.neg(graph, y)
    (group,) = groups_of(graph).all.values()
    assert (group.name, group.count) == ("neg", 50)


def test_a_short_chain_is_left_as_it_is():
    assert groups_of(loop(13)[0]).all == {}


@pytest.mark.parametrize("break_at", [25, 40])
def test_an_operand_from_elsewhere_ends_the_pattern(break_at):
    w = mg.Tensor(0.5, requires_grad=True, name="w")
    graph, s = mg.ComputationGraph(), w
    made = []
    with graph:
        for number in range(120):
            s = (made[3] if number == break_at else s) * w
            made.append(s)
    stretches = [group.positions for group in groups_of(graph).all.values()]
    # of the two pieces, those that are long enough; the new one starts where the other breaks off
    assert stretches == ([range(25, 120)] if break_at == 25 else [range(40), range(40, 120)])


def in_scopes(count, name):
    """Return s = tanh(s·w), so many times, each in a scope of its own with a numbered name."""
    w = mg.Tensor(0.5, requires_grad=True, name="w")
    graph, s = mg.ComputationGraph(), w
    with graph:
        for number in range(count):
            with graph.scope(f"{name} {number}"):
                s = mg.tanh(graph, s * w)
    return graph


def test_scopes_that_follow_each_other_with_one_content_are_a_repeat():
    groups = groups_of(in_scopes(9, "step"))
    repeat = groups.all["r0"]
    assert (repeat.name, repeat.count, repeat.positions) == ("step", 9, range(18))
    assert [groups.all[f"s{number}"].depth for number in range(9)] == [1] * 9


def test_a_few_equal_layers_are_no_repeat():
    assert list(groups_of(in_scopes(4, "layer")).all) == ["s0", "s1", "s2", "s3"]


def test_what_the_loop_shares_and_starts_from_stays_visible():
    graph, _ = loop(30)
    snapshot = fold_as_chosen(Trace.of(graph).snapshot, True, 0)
    assert [item.name for item in snapshot.vertices.values()] == ["x", "w", "mul, add, tanh × 30"]
    uses = {snapshot.vertices[edge.source].name: edge.uses for edge in snapshot.edges}
    assert uses == {"x": 31, "w": 30}


def test_an_input_of_each_iteration_is_in_the_box():
    w = mg.Tensor(0.5, requires_grad=True, name="w")
    graph, s = mg.ComputationGraph(), w
    with graph:
        for number in range(30):
            s = mg.tanh(graph, s * w + mg.Tensor(float(number)))
    snapshot = fold_as_chosen(Trace.of(graph).snapshot, True, 0)
    names = [item.name for item in snapshot.vertices.values()]
    assert names == ["w", "mul, add, tanh × 30"]
    assert len(snapshot.vertices["r0"].hidden) == 30


def test_a_loop_that_is_open_all_through_has_no_frames():
    graph, _ = loop(30)
    snapshot = fold_as_chosen(Trace.of(graph).snapshot, False, 0)
    assert [(group.name, group.count) for group in snapshot.open_groups] == [("mul, add, tanh", 30)]
    assert snapshot.clustered == []


def test_a_repetition_among_folded_ones_has_a_frame():
    graph, _ = loop(30)
    whole = Trace.of(graph).snapshot
    groups = Groups(whole)
    keys = frozenset(groups.all) - {"r0", "r0-4"}
    assert [group.name for group in fold(whole, groups, keys).clustered] == [
        "mul, add, tanh",
        "repeat 5",
    ]
