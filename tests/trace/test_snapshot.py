"""What there is to draw of a graph, and which constants can be written inside other boxes."""

import minigrad as mg
from minigrad.trace import Snapshot, describe


def recorded(record):
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        record(x)
    return Snapshot.of(graph)


def inside(snapshot):
    """Return what is drawn of all of a graph, its constants inside other boxes."""
    return snapshot.part(range(len(snapshot.boxes)), constants=False)


def test_a_number_that_is_one_operand_of_one_node_can_stand_in_its_box():
    snapshot = recorded(lambda x: 3 - x * 0.5)
    assert {key: edge.target for key, edge in snapshot.loose_constants.items()} == {
        "t1": "n0",
        "t2": "n1",
    }
    drawn = inside(snapshot)
    assert list(drawn.vertices) == ["t0", "n0", "n1"]
    assert [(edge.key, edge.slot) for edge in drawn.edges] == [("e0", 0), ("e3", 1)]
    assert [drawn.box_of(key) for key in ("t0", "t1", "t2", "n1")] == ["t0", "n0", "n1", "n1"]


def test_what_is_told_of_the_graph_stays():
    snapshot = recorded(lambda x: 3 - x * 0.5)
    drawn = inside(snapshot)
    assert [one.name for one in drawn.operands("n1")] == ["3.0", "#0"]
    assert describe(drawn) == describe(snapshot)
    assert list(snapshot.vertices) == ["t0", "t1", "n0", "t2", "n1"]


def test_a_number_that_is_used_twice_has_a_box():
    two = mg.Tensor(2.0)
    by_two_nodes = recorded(lambda x: x * two + two)
    twice_by_one = recorded(lambda x: mg.stack([x, two, two]))
    for snapshot in (by_two_nodes, twice_by_one):
        assert snapshot.loose_constants == {}
        assert inside(snapshot) is snapshot


def test_a_number_with_a_name_and_an_array_have_boxes():
    half = mg.Tensor(0.5, name="half")
    assert recorded(lambda x: x * half).loose_constants == {}
    assert recorded(lambda x: x * [0.5, 0.25]).loose_constants == {}


def test_a_part_of_the_graph_shows_a_constant_that_is_used_elsewhere_too():
    two = mg.Tensor(2.0)
    snapshot = recorded(lambda x: x * two - 1.0 + two)
    first = snapshot.part(range(1), constants=False)
    assert list(first.vertices) == ["t0", "t1", "n0", "o0"]
    second = snapshot.part(range(1, 2), constants=False)
    assert list(second.vertices) == ["n0", "n1", "o1"]
    assert [second.box_of(key) for key in ("t2", "n1")] == ["n1", "n1"]


def test_a_leaf_that_no_node_uses_stays_in_the_picture_if_it_is_the_output():
    x, y = (mg.Tensor(2.0, requires_grad=True, name=name) for name in "xy")
    graph = mg.ComputationGraph()
    mg.mul(graph, x, 0.5)
    assert list(inside(Snapshot.of(graph, output=y)).vertices) == ["t0", "n0", "t2"]
