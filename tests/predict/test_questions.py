"""The questions of predict mode: what is asked, what is right, which mistakes are recognised."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.engine.recorders import operate
from minigrad.predict.questions import questions_of
from minigrad.trace import Trace

BINARY = ["add", "sub", "mul", "div"]
UNARY = ["neg", "tanh", "sin", "relu"]


def leaf(value, name):
    return mg.Tensor(value, requires_grad=True, name=name)


def named(**tensors):
    for name, tensor in tensors.items():
        tensor.name = name


def doubled():
    graph, a = mg.ComputationGraph(), leaf(1.0, "a")
    with graph:
        b = a + a
        c = b + b
    named(b=b, c=c)
    return graph, c


def questions(graph, output, order="ancestors", grain="node", variables=None):
    trace = Trace.of(graph, output, order, None, variables or {})
    return list(questions_of(trace.by_edge() if grain == "edge" else trace).values())


def hint(question, value):
    """Return what is said to a wrong answer."""
    near = [
        one.hint
        for one in question.wrong_answers
        if abs(one.value - value) <= 1e-4 * abs(one.value)
    ]
    assert len(near) <= 1
    return near[0] if near else question.otherwise


class TestTheRunningExample:
    def test_is_asked_for_a_share_and_for_a_sum(self, running):
        first, second = questions(running.graph, running.w)
        assert (first.kind, first.answer) == ("share", 1.0)
        assert first.text == (
            "Next is node #1 add, w = z + x, with gradient 1.0. What does it pass on to x?"
        )
        assert first.about == "what node #1 passes on to x"
        assert (second.kind, second.answer) == ("gradient", 5.0)
        assert second.text == (
            "Next is node #0 mul, z = x × y, with gradient 1.0. x.grad is 1.0 so far; what will it "
            "be after this step?"
        )
        assert second.told == "x.grad is 5.0 after this step."
        assert second.about == "x.grad after node #0"

    def test_edge_by_edge(self, running):
        asked = questions(running.graph, running.w, grain="edge")
        assert [(one.kind, one.answer) for one in asked] == [
            ("node", 1),
            ("share", 1.0),
            ("gradient", 5.0),
            ("share", 3.0),
        ]

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (-1, "if x grows, w grows"),
            (0.5, "not shared out"),
            (3, "the value of x"),
            (15, "the value of w"),
            (12, "the value of z"),
            (0, "w was computed from x"),
            (7, "w.grad times the local derivative"),
        ],
    )
    def test_mistakes_about_what_add_passes_on(self, running, answer, said):
        assert said in hint(questions(running.graph, running.w)[0], answer)

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (4, "only the new part; x.grad is 1.0 already"),
            (1, "So it is before this step"),
            (3, "passes on the other factor: x gets z.grad times y. And it is added to the 1.0"),
            (2, "passes z.grad on as it is: multiply by the other factor, y"),
            (-3, "Mind the sign"),
            (12, "the value of z"),
            (0, "something is added to x.grad"),
            (99, "It is added to what is there"),
        ],
    )
    def test_mistakes_about_the_sum(self, running, answer, said):
        assert said in hint(questions(running.graph, running.w)[1], answer)

    def test_the_other_factor_of_y_is_x(self, running):
        asked = questions(running.graph, running.w, grain="edge")[-1]
        assert hint(asked, 4) == "A product passes on the other factor: y gets z.grad times x."

    def test_what_an_earlier_pass_left_is_counted(self, running):
        running.w.backward()
        (first, second) = questions(running.graph, running.w)
        assert (first.kind, first.answer, second.answer) == ("gradient", 6.0, 10.0)
        assert "x.grad is 5.0 so far" in first.text


class TestBothUsesOfOneTensor:
    def test_are_asked_for_together(self):
        first, second = questions(*doubled())
        assert [(one.kind, one.answer) for one in (first, second)] == [
            ("gradient", 2.0),
            ("gradient", 4.0),
        ]
        assert "b.grad is still empty; what will it be" in first.text
        assert "c uses b twice, and along each edge" in hint(first, 1)
        # one edge alone and a forgotten upstream gradient both give 2, and both are answered
        assert hint(second, 2) == (
            "b uses a twice, and along each edge it passes on b.grad = 2.0 times the local "
            "derivative."
        )
        assert "along each of the 2 edges to a" in hint(second, 77)

    def test_edge_by_edge_are_two_sums(self):
        asked = questions(*doubled(), grain="edge")
        assert [(one.kind, one.answer) for one in asked] == [
            ("node", 1),
            ("gradient", 2.0),
            ("node", 0),
            ("gradient", 4.0),
        ]
        assert "It passes on to a along edge 2 of 2. a.grad is 2.0 so far" in asked[3].text
        assert "only along edge 2 of 2 counts now" in hint(asked[3], 6)
        assert "upstream gradient is missing: multiply by b.grad = 2.0" in hint(asked[3], 3)

    def test_a_square(self):
        graph, x = mg.ComputationGraph(), leaf(3.0, "x")
        (asked,) = questions(graph, mg.mul(graph, x, x))
        assert asked.answer == 6.0
        assert "uses x twice" in hint(asked, 3)
        assert "added, not multiplied" in hint(asked, 9)


class TestOtherMistakes:
    def test_the_upstream_gradient_is_forgotten(self):
        graph, x, y = mg.ComputationGraph(), leaf(3.0, "x"), leaf(4.0, "y")
        with graph:
            z = x * y
            w = z * 7.0
        named(z=z, w=w)
        _, asked = questions(graph, w)
        assert asked.answer == 28.0
        assert hint(asked, 4) == "The upstream gradient is missing: multiply by z.grad = 7.0."
        assert "are multiplied, not added" in hint(asked, 11)
        assert "passes on the other factor" in hint(asked, 21)
        assert "multiply by the other factor, y" in hint(asked, 7)

    def test_the_sign_of_the_subtrahend_is_forgotten(self):
        graph, x, y = mg.ComputationGraph(), leaf(3.0, "x"), leaf(4.0, "y")
        w = mg.sub(graph, x, y)
        w.name = "w"
        (asked,) = questions(graph, w)
        assert asked.text.endswith("What does it pass on to y?")
        assert asked.answer == -1.0
        assert "if y grows, w shrinks" in hint(asked, 1)

    def test_a_local_derivative_is_forgotten(self):
        graph, x = mg.ComputationGraph(), leaf(0.5, "x")
        y = mg.tanh(graph, x)
        y.name = "y"
        (asked,) = questions(graph, y)
        assert asked.answer == pytest.approx(1 - np.tanh(0.5) ** 2, rel=1e-5)
        assert "multiply by the local derivative, (1-y²)" in hint(asked, 1)

    def test_the_value_of_a_constant_is_its_name(self):
        graph, x = mg.ComputationGraph(), leaf(3.0, "x")
        (asked,) = questions(graph, mg.add(graph, x, 2.0))
        assert "the value of" not in hint(asked, 2)

    def test_contributions_are_multiplied(self):
        graph, x, y = mg.ComputationGraph(), leaf(5.0, "x"), leaf(4.0, "y")
        with graph:
            w = x * y + x * 2.0
        _, _, asked = questions(graph, w)
        assert asked.answer == 6.0
        assert "not multiplied" in hint(asked, 8)


class TestWhichNodeComesNext:
    def three(self):
        graph, x, y = mg.ComputationGraph(), leaf(2.0, "x"), leaf(3.0, "y")
        with graph:
            p = x + y
            q = x - y
            dead = x * 2.0
            r = p + q
        named(p=p, q=q, dead=dead, r=r)
        return graph, r

    def test_with_hints_at_what_is_early_dead_done_or_equally_ready(self):
        graph, r = self.three()
        first, *_ = questions(graph, r, grain="edge")
        assert (first.kind, first.answer, first.about) == ("node", 3, "which node comes first")
        assert first.text == "Which node is visited first?"
        assert first.choices[0] == (0, "#0 add, p = x + y")
        assert hint(first, 0) == "That is too early: #3 uses p and must be visited before it."
        assert hint(first, 2) == "r was not computed from dead, so #2 is not visited."
        second = next(
            one for one in questions(graph, r, grain="edge") if one.answer == 1 and one.choices
        )
        assert second.text == (
            "Of the nodes that r depends on, the one recorded last goes first. Which node is "
            "visited next?"
        )
        assert "takes the one that was recorded last" in hint(second, 0)
        assert "#3 was visited already" in hint(second, 3)

    def test_the_whole_list_has_its_dead_nodes(self):
        graph, r = self.three()
        asked = questions(graph, r, "append")
        assert asked[1].text == (
            "The whole list is visited, from its end. Which node is visited next?"
        )
        assert (asked[1].answer, asked[1].told) == (2, "Node #2 mul comes next.")
        assert "its turn comes later" in hint(asked[1], 1)

    def test_of_matrices_only_that_is_asked(self):
        graph = mg.ComputationGraph()
        w = mg.Tensor(np.ones((3, 3)), requires_grad=True)
        with graph:
            loss = (w @ np.ones((3, 3)) + 1.0).sum()
        assert {one.kind for one in questions(graph, loss)} == {"node"}

    def test_of_many_nodes_a_few_are_offered(self):
        graph, x = mg.ComputationGraph(), leaf(1.0, "x")
        y = x
        with graph:
            for _ in range(12):
                y = mg.reshape(graph, y, (1, 1, 1, 1, 1))
        asked = [one for one in questions(graph, y) if one.kind == "node"]
        assert asked
        for one in asked:
            assert len(one.choices) == 5
            assert one.answer in dict(one.choices)


class TestWrongOrders:
    def test_a_visit_that_nothing_has_reached_adds_nothing(self, running):
        first, second = questions(running.graph, running.w, [0, 1])
        assert (first.kind, first.answer) == ("share", 0.0)
        assert first.text == (
            "Next is node #0 mul, z = x × y, but no gradient has reached z. How much does it add "
            "to x.grad?"
        )
        assert "if z.grad were 1; but nothing has reached it yet" in hint(first, 4)
        assert second.answer == 1.0

    def test_a_second_visit_counts_twice(self):
        last = questions(*doubled(), [1, 0, 0])[-1]
        assert last.text == (
            "Next is node #0 add, b = a + a, once more, with gradient 2.0. a.grad is 4.0 so far; "
            "what will it be after this step?"
        )
        assert last.answer == 8.0
        assert hint(last, 4) == "Node #0 passes its gradient on in each of its visits, so also now."

    def test_what_the_right_order_would_give_is_not_what_happens(self):
        graph, a = mg.ComputationGraph(), leaf(1.0, "a")
        with graph:
            b = a * 3.0
            c = b + a
        named(b=b, c=c)
        asked = questions(graph, c, [1, 0, 0])[-1]
        assert asked.answer == 7.0
        assert "each of its visits" in hint(asked, 4)

    def test_an_order_of_ones_own_is_not_asked_for(self, running):
        asked = questions(running.graph, running.w, [0, 1], grain="edge")
        assert {one.kind for one in asked} == {"share"}


class TestArrays:
    def test_one_element_of_a_small_array_stands_for_all(self):
        graph, x = mg.ComputationGraph(), leaf([1.0, 2.0], "x")
        with graph:
            y = x * x
            s = y.sum()
        named(y=y, s=s)
        first, second = questions(graph, s)
        assert (first.kind, second.kind) == ("node", "gradient")  # a sum has no local number
        assert second.text == (
            "Next is node #0 mul, y = x × x, with y.grad[1] = 1.0. x.grad[1] is still empty; what "
            "will it be after this step?"
        )
        assert second.answer == 4.0

    def test_four_shown_digits_are_enough_in_an_array(self):
        graph, x = mg.ComputationGraph(), leaf([0.51234, -0.2], "x")
        with graph:
            y = mg.tanh(graph, x)
            z = y * y
            s = z.sum()
        named(y=y, z=z, s=s)
        asked = questions(graph, s)[-1]
        assert asked.about == "what node #0 passes on to x[0]"
        # as the boxes show it: y is [0.4718 -0.1974], and its gradient twice that
        by_hand = 0.9436 * (1 - 0.4718**2)
        assert 0 < abs(asked.answer - by_hand) <= asked.tolerance < 0.001

    def test_a_broadcast_or_large_operand_is_not_asked_about(self):
        graph, x = mg.ComputationGraph(), leaf(2.0, "x")
        with graph:
            s = (x * np.ones(3)).sum() + (leaf(np.ones(50), "y") * 2.0).sum()
        assert all("x" not in one.about.split() for one in questions(graph, s))

    def test_numbers_that_are_not_finite_are_not_asked_for(self):
        graph, x = mg.ComputationGraph(), leaf(0.0, "x")
        with np.errstate(divide="ignore"):
            w = mg.sqrt(graph, x)
            assert questions(graph, w) == []


def test_what_is_trivial_is_not_asked_twice_in_a_row(dead_node):
    kinds = [one.kind for one in questions(dead_node.graph, dead_node.w, "append")]
    assert kinds == ["share", "node", "gradient"]


def test_six_shown_digits_are_enough_where_a_sum_almost_cancels():
    graph, x = mg.ComputationGraph(), leaf(2.0, "x")
    with graph:
        w = x * 1000.123 - x * 1000.0
    asked = questions(graph, w)[-1]
    assert asked.kind == "gradient"
    assert abs(asked.answer - 0.12) < asked.tolerance < 0.02


@st.composite
def graphs(draw):
    values = draw(st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=3))
    leaves = [leaf(value, f"x{place}") for place, value in enumerate(values)]
    graph, tensors = mg.ComputationGraph(), list(leaves)
    calls = st.tuples(st.sampled_from(BINARY + UNARY), st.integers(0, 99), st.integers(0, 99))
    with graph, np.errstate(all="ignore"):
        for op, first, second in draw(st.lists(calls, min_size=1, max_size=8)):
            operands = (tensors[first % len(tensors)], tensors[second % len(tensors)])
            tensors.append(operate(op, operands if op in BINARY else operands[:1]))
    count = len(graph.nodes)
    own = st.lists(st.integers(0, count - 1), max_size=6)
    return graph, draw(st.sampled_from(["ancestors", "append"]) | own)


@settings(deadline=None)
@given(graphs(), st.sampled_from(["node", "edge"]))
def test_every_answer_is_what_the_step_then_shows_and_no_mistake_is(drawn, grain):
    graph, order = drawn
    with np.errstate(all="ignore"):
        trace = Trace.of(graph, None, order)
        trace = trace.by_edge() if grain == "edge" else trace
        asked = questions_of(trace)
    for index, one in asked.items():
        step = trace.steps[index]
        if one.kind == "node":
            assert one.answer == step.position
            assert one.answer in dict(one.choices)
            assert set(dict(one.choices)) == {one.answer, *(m.value for m in one.wrong_answers)}
        else:
            received = step.contributions
            shown = [c.after if one.kind == "gradient" else c.value for c in received]
            assert one.answer in [pytest.approx(float(v)) for v in shown if v is not None] or (
                step.wasted and one.answer == 0
            )
        for wrong in one.wrong_answers:
            assert abs(wrong.value - one.answer) > one.tolerance
            assert wrong.hint
        values = [wrong.value for wrong in one.wrong_answers]
        assert len(set(values)) == len(values)
        assert one.text.endswith("?")
