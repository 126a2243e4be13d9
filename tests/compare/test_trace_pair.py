"""Two traces side by side: which tensors and steps belong together, and what differs, in words."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.compare.trace_pair import TracePair
from minigrad.compare.words import verdict_on
from minigrad.trace import Trace


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


def doubled():
    a = leaf(1.0, "a")
    graph = mg.ComputationGraph()
    with graph:
        b = a + a
        c = b + b
    b.name, c.name = "b", "c"
    return graph


def told(both):
    return [verdict_on(both, moment).text() for moment in range(len(both.moments))]


class TestPairs:
    def test_two_orders_of_one_graph(self, running):
        both = TracePair(Trace.of(running.graph), Trace.of(running.graph, order=[0, 1]))
        assert both.pairs == [("t0", "t0"), ("t1", "t1"), ("n0", "n0"), ("n1", "n1")]

    def test_names_come_before_places(self):
        graphs = []
        for swapped in (False, True):
            x, y = leaf(3.0, "x"), leaf(4.0, "y")
            graph = mg.ComputationGraph()
            mg.sub(graph, *((y, x) if swapped else (x, y)))
            graphs.append(graph)
        both = TracePair(*map(Trace.of, graphs))
        assert both.pairs == [("t0", "t1"), ("t1", "t0"), ("n0", "n0")]

    def test_in_graphs_of_one_structure_what_has_no_name_is_found_by_its_place(self, running):
        both = TracePair(
            Trace.of(running.graph), Trace.of(running.graph.replay({running.x: 5.0}).graph)
        )
        assert both.pairs[2:] == [("n0", "n0"), ("n1", "n1")]
        assert [both.row_name(pair) for pair in both.pairs] == ["x", "y", "z (#0)", "w (#1)"]

    def test_in_other_graphs_the_op_and_the_position_must_agree(self):
        x = leaf(3.0, "x")
        one, other = mg.ComputationGraph(), mg.ComputationGraph()
        with one:
            x * x * 2.0 + 1.0
        with other:
            (x + x) * x + 5.0 - 1.0
        both = TracePair(Trace.of(one), Trace.of(other))
        # #0 mul and #0 add do not belong together; #1 is mul in both, and the outputs are outputs
        assert ("n1", "n1") in both.pairs
        assert ("n2", "n3") in both.pairs
        assert ("n0", None) in both.pairs
        assert (None, "n0") in both.pairs
        assert (None, "n2") in both.pairs
        assert ("t0", "t0") in both.pairs

    def test_a_name_that_is_used_twice_tells_nothing(self):
        graphs = []
        for _ in range(2):
            graph = mg.ComputationGraph()
            mg.sub(graph, leaf(1.0, "x"), leaf(2.0, "x"))
            graphs.append(graph)
        both = TracePair(*map(Trace.of, graphs))
        assert both.pairs == [("t0", "t0"), ("t1", "t1"), ("n0", "n0")]

    def test_other_names_at_one_place_are_both_told(self):
        one, other = mg.ComputationGraph(), mg.ComputationGraph()
        mg.mul(one, leaf(3.0, "x"), leaf(2.0, "y"))
        mg.mul(other, leaf(5.0, "x5"), leaf(2.0, "y"))
        both = TracePair(Trace.of(one), Trace.of(other))
        assert both.name(("t0", "t0")) == "x / x5"
        assert both.pairs == [("t0", "t0"), ("t1", "t1"), ("n0", "n0")]


class TestMoments:
    def test_of_one_structure_steps_are_paired_by_their_index(self, running):
        both = TracePair(Trace.of(running.graph), Trace.of(running.graph, order=[0, 1]))
        assert both.moments == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]

    def test_the_shorter_one_waits_at_its_end(self):
        graph = doubled()
        both = TracePair(Trace.of(graph), Trace.of(graph, order=[1, 0, 0]))
        assert both.moments[-2:] == [(4, 4), (4, 5)]
        assert (both.waits(0, 5), both.waits(1, 5)) == (True, False)
        assert told(both)[-1].endswith("the pass has ended on the left.")

    def test_of_other_structures_the_seeds_are_at_one_moment(self, running, dead_node):
        both = TracePair(Trace.of(running.graph), Trace.of(dead_node.graph))
        assert both.moments == [(0, 0), (1, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
        assert "There is no other step meanwhile on the left" in told(both)[2]

    def test_where_a_visit_is_several_steps_they_are_paired_within_it(self, running):
        again = Trace.of(running.graph, order=[0, 1]).by_edge()
        both = TracePair(Trace.of(running.graph).by_edge(), again)
        # #1 add has two edges that get something; #0 mul, which nothing has reached, is one step
        assert [len(trace.steps) for trace in both.traces] == [7, 7]
        assert both.moments[3:] == [(3, 3), (4, 4), (5, 5), (6, 6)]


class TestWords:
    def test_two_orders_of_a_doubled_sum(self):
        graph = doubled()
        words = told(TracePair(Trace.of(graph), Trace.of(graph, order=[1, 0, 0])))
        assert words[:5] == ["= The same numbers on both sides."] * 5
        assert words[5] == (
            "≠ One tensor differs. a.grad: 4.0 on the left, 8.0 on the right; node #0 was visited "
            "once more on the right; the pass has ended on the left."
        )

    def test_a_node_visited_before_its_consumer(self):
        graph = doubled()
        words = told(TracePair(Trace.of(graph), Trace.of(graph, order=[0, 1])))
        assert "#1 add is visited on the left, #0 add on the right" in words[3]
        assert words[3].startswith("≠ One tensor differs. b.grad: 2.0 on the left, none")
        assert words[4] == (
            "≠ One tensor differs. a.grad: 4.0 on the left, none on the right; "
            "#0 add is visited on the left, #1 add on the right; "
            "node #0 was visited before its consumer #1 on the right."
        )

    def test_the_same_graph_at_another_input(self, running):
        again = running.graph.replay({running.x: 5.0}).graph
        words = told(TracePair(Trace.of(running.graph), Trace.of(again)))
        assert words[0] == (
            "≠ 2 tensors differ. x: 3.0 on the left, 5.0 on the right; "
            "z: 12.0 on the left, 20.0 on the right."
        )
        # ∂w/∂x = y + 1 is the same, ∂w/∂y = x is not
        assert words[4] == (
            "≠ 4 tensors differ. y.grad: 3.0 on the left, 5.0 on the right; x: 3.0 on the left, "
            "5.0 on the right; z: 12.0 on the left, 20.0 on the right; 1 more in the table."
        )

    def test_a_node_that_is_left_out(self, running):
        words = told(TracePair(Trace.of(running.graph), Trace.of(running.graph, order=[1])))
        assert "node #0 was never visited on the right" in words[-1]

    def test_many_visits_out_of_order_are_counted(self):
        y = leaf(1.0)
        graph = mg.ComputationGraph()
        with graph:
            for _ in range(5):
                y = y + 1.0
        words = told(TracePair(Trace.of(graph), Trace.of(graph, order=[0, 1, 2, 3, 4])))
        assert words[-1].count("was visited before its consumer") == 2
        assert "2 more visits out of order on the right" in words[-1]

    def test_arrays_that_are_written_alike_and_differ(self):
        graphs = []
        for numbers in ([0, 1, 1, 0, 1], [0, 0, 1, 1, 1]):
            graph = mg.ComputationGraph()
            mg.sum(graph, mg.mul(graph, leaf(np.array(numbers, "float64"), "W"), 2.0))
            graphs.append(graph)
        words = told(TracePair(*map(Trace.of, graphs)))
        assert "W is 5: 0.0…1.0 on both sides, with other numbers in it" in words[0]

    def test_rounding_makes_no_difference_and_nan_is_equal_to_nan(self):
        graphs = []
        for tiny in (0.0, 1e-12):
            graph = mg.ComputationGraph()
            mg.mul(graph, leaf(np.array([1.0, np.nan, 3.0 + tiny]), "W"), 2.0).name = "w"
            graphs.append(graph)
        both = TracePair(*(Trace.of(graph, seed=np.ones(3)) for graph in graphs))
        assert [both.differences(moment) for moment in range(3)] == [[], [], []]

    @pytest.mark.parametrize("order", ["ancestors", "append"])
    def test_a_trace_beside_itself_never_differs(self, dead_node, order):
        trace = Trace.of(dead_node.graph, dead_node.w, order)
        assert set(told(TracePair(trace, trace))) == {"= The same numbers on both sides."}
