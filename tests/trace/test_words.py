"""What is said about each step."""

import numpy as np

import minigrad as mg
from minigrad.trace import Snapshot, Trace, describe
from minigrad.trace.words import expression


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


def words(graph, output, order="ancestors", seed=None, **variables):
    trace = Trace.of(graph, output, order, seed, variables)
    return [trace.explain(step) for step in trace.steps]


def test_titles_of_the_running_example(running):
    assert [told.title for told in words(running.graph, running.w)] == [
        "Recording node #0, mul.",
        "Recording node #1, add.",
        "The seed.",
        "Backward through node #1, add.",
        "Backward through node #0, mul.",
    ]


def test_formulas_of_the_running_example(running):
    assert [told.formulas for told in words(running.graph, running.w)] == [
        ("z = x × y = 3.0 × 4.0 = 12.0",),
        ("w = z + x = 12.0 + 3.0 = 15.0",),
        ("w.grad = 1.0",),
        (
            "z.grad: ∂w/∂w · 1 = 1.0 × 1.0 = 1.0",
            "x.grad: ∂w/∂w · 1 = 1.0 × 1.0 = 1.0",
        ),
        (
            "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0",
            "y.grad: ∂w/∂z · x = 1.0 × 3.0 = 3.0",
        ),
    ]


def test_the_sentence_of_mul_speaks_of_the_other_operand(running):
    assert words(running.graph, running.w)[4].sentence == (
        "z = x × y passes its gradient on, multiplied by the other operand. "
        "The pass is complete: x.grad = 5.0, y.grad = 3.0."
    )


def test_a_dead_visit_is_called_wasted():
    x = leaf(3.0, "x")
    graph = mg.ComputationGraph()
    with graph:
        z = x * x
        q = x - 1
        w = z + x
    told = words(graph, w, "append", q=q, w=w)[-2]
    assert "q does not lead to w" in told.sentence
    assert "wasted" in told.sentence
    assert told.formulas == ("x.grad: 1.0 + ∂w/∂q · 1 = 1.0 + 0.0 = 1.0",)


def test_a_wrong_order_is_explained_where_it_goes_wrong():
    a = leaf(1.0, "a")
    graph = mg.ComputationGraph()
    with graph:
        b = a + a
        c = b + b
    told = words(graph, c, [0, 1], b=b, c=c)
    assert "the order is wrong here: #1 uses b and must be visited first" in told[3].sentence
    assert told[3].formulas == ("a.grad: nothing to add to it = —",) * 2
    assert told[4].sentence.endswith(
        "The pass ends here, with a.grad = — (the right order gives 4.0). "
        "1 of 2 visits contributed nothing."
    )
    assert "right order" not in words(graph, c, [1, 0], b=b, c=c)[4].sentence
    assert "counted once more" in words(graph, c, [1, 0, 0], b=b, c=c)[5].sentence


def test_a_frozen_operand_is_said_to_get_nothing():
    x, k = leaf(3.0, "x"), mg.Tensor(4.0, name="k")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, k)
    assert words(graph, y)[-1].sentence.startswith(
        "#0 = x × k passes its gradient on: to x multiplied by k; k is frozen and gets nothing."
    )


def test_a_constant_is_not_called_frozen_and_a_minus_is_told_for_whom_it_is():
    graph, x = mg.ComputationGraph(), leaf(3.0, "x")
    with graph:
        y = 1 - x
        z = y - x
    told = words(graph, z, y=y, z=z)
    assert (
        "y = 1.0 - x passes its gradient on: to x negated; 1.0 is a constant" in told[-1].sentence
    )
    assert "z = y - x passes its gradient on: to y unchanged, to x negated." in told[-2].sentence


def test_the_same_operand_twice_is_said_to_be_the_same():
    graph, x = mg.ComputationGraph(), leaf(3.0, "x")
    y = mg.mul(graph, x, x)
    assert "inputs x and x (the same tensor twice), output y" in words(graph, y, y=y)[0].sentence
    z = mg.neg(graph, y)
    assert "input y, output z" in words(graph, z, y=y, z=z)[1].sentence


def test_a_given_seed_is_not_explained_as_one(running):
    told = words(running.graph, running.w, seed=2.0)[2]
    assert "given" in told.sentence
    assert told.formulas == ("w.grad = 2.0",)


def test_a_negative_rule_and_a_quotient_are_put_in_parentheses():
    x, y = leaf(6.0, "x"), leaf(2.0, "y")
    graph = mg.ComputationGraph()
    with graph:
        q = x / y
        w = -q
    told = words(graph, w, q=q, w=w)
    assert told[-2].formulas == ("q.grad: ∂w/∂w · (-1) = 1.0 × (-1.0) = -1.0",)
    assert told[-1].formulas == (
        "x.grad: ∂w/∂q · (1/y) = (-1.0) × 0.5 = -0.5",
        "y.grad: ∂w/∂q · (-x/y²) = (-1.0) × (-1.5) = 1.5",
    )


def test_a_sum_over_broadcast_axes_is_told():
    x, b = leaf(np.ones((4, 3)), "x"), leaf(np.ones(3), "b")
    graph = mg.ComputationGraph()
    y = mg.add(graph, x, b)
    told = words(graph, y, seed=np.ones((4, 3)), y=y)[-1]
    assert told.formulas[1] == "b.grad: sum(∂y/∂y · 1) = [4.0 4.0 4.0]"
    assert "b was broadcast, so what it gets is summed to shape (3,)" in told.sentence


def test_a_scalar_that_was_broadcast_is_a_sum_too():
    x, q = leaf([1.0, 2.0, 3.0], "x"), leaf(2.0, "q")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, q)
    told = words(graph, y, seed=[1.0, -1.0, 0.5], y=y)[-1]
    assert told.formulas == (
        "x.grad: ∂y/∂y · q = [2.0 -2.0 1.0]",
        "q.grad: sum(∂y/∂y · x) = 0.5",
    )


def test_an_op_without_words_of_its_own_still_has_a_sentence():
    class Cube(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0].values ** 3

        def backward(self, grad_output, inputs, output):
            return [grad_output * 3 * inputs[0].values ** 2]

    ops = mg.OpRegistry()
    ops.register("cube", Cube())
    graph = mg.ComputationGraph(ops)
    y = graph.apply("cube", leaf(2.0, "x"))
    told = words(graph, y, y=y)
    assert told[0].formulas == ("y = cube(x) = cube(2.0) = 8.0",)
    assert told[-1].sentence.startswith(
        "y = cube(x) passes its gradient on: to x multiplied by ∂y/∂x."
    )
    assert told[-1].formulas == ("x.grad: ∂y/∂y · ∂y/∂x = 1.0 × 12.0 = 12.0",)


def test_a_graph_is_described_in_words(running):
    assert describe(Snapshot.of(running.graph)) == (
        "Computation graph of 2 nodes: #0 mul, z = x × y = 12.0; #1 add, w = z + x = 15.0."
    )


def test_a_description_of_many_nodes_is_cut():
    graph, x = mg.ComputationGraph(), leaf(1.0)
    for _ in range(30):
        x = mg.neg(graph, x)
    assert describe(Snapshot.of(graph)).endswith("and 10 more.")


def test_a_prefix_op_is_written_before_its_operand():
    graph, x = mg.ComputationGraph(), leaf(-2.0, "x")
    mg.neg(graph, x)
    snapshot = Snapshot.of(graph)
    assert expression(snapshot, "n0") == "-x"
    assert expression(snapshot, "n0", numbers=True) == "-(-2.0)"


def test_the_factors_of_a_matrix_product_stand_on_their_own_sides():
    graph = mg.ComputationGraph()
    a, b = leaf([[1.0, 2.0], [3.0, 4.0]], "A"), leaf([[1.0], [0.5]], "B")
    z = mg.matmul(graph, a, b)
    told = words(graph, z, seed=[[1.0], [10.0]], z=z)[-1]
    assert told.formulas == (
        "A.grad: ∂z/∂z · Bᵀ = [[1.0 0.5] [10.0 5.0]]",
        "B.grad: Aᵀ · ∂z/∂z = [[31.0] [42.0]]",
    )


def test_ops_on_whole_arrays_are_told_with_their_attributes():
    graph, x = mg.ComputationGraph(), leaf([[1.0, 2.0], [3.0, 4.0]], "x")
    with graph:
        rows = x.sum(axis=1)
        total = rows.mean()
    told = words(graph, total, rows=rows, total=total)
    assert told[0].formulas == ("rows = sum(x, axis=1) = [3.0 7.0]",)
    assert told[-1].formulas == ("x.grad: ∂total/∂rows · 1 = [[0.5 0.5] [0.5 0.5]]",)
    assert "passes its gradient on unchanged, to every number that was summed" in told[-1].sentence
    assert "divided by their number, to every number" in told[-2].sentence


def test_an_order_that_leaves_out_a_node_says_which(running):
    told = words(running.graph, running.w, [1], x=running.x, y=running.y)
    assert told[-1].sentence.endswith("(the right order gives 3.0). #0 was never visited.")


def test_a_first_visit_that_passed_nothing_on_is_no_repetition(running):
    told = words(running.graph, running.w, [0, 1, 0], x=running.x, y=running.y)
    assert "counted once more" not in told[-1].sentence


def test_another_right_order_is_not_called_wrong_because_of_rounding():
    rng = np.random.default_rng(0)
    for _ in range(30):
        x = mg.Tensor(rng.normal(), requires_grad=True)
        graph = mg.ComputationGraph()
        a, b, c = rng.normal(size=3).tolist()
        with graph:
            m0 = x * a
            m1 = x * b
            s = m0 + m1
            m2 = x * c
            w = s + m2
        told = words(graph, w, [4, 2, 0, 1, 3])
        assert "The pass is complete" in told[-1].sentence
