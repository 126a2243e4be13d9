"""Order, accumulation, seeds, stale values, and what is refused before anything changes."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import BackwardError, GraphError, OpError


def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)


@pytest.fixture
def graph():
    return mg.ComputationGraph()


def test_a_reused_intermediate(graph):
    a = leaf(1.0)
    with graph:
        b = a + a
        c = b + b
    c.backward()
    assert a.grad == 4.0


def test_a_diamond(graph):
    a, b = leaf(2.0), leaf(3.0)
    with graph:
        y = (a + b) * a
    y.backward()
    assert (a.grad, b.grad) == (7.0, 2.0)


def test_products_accumulate(graph):
    x, y, z = leaf(2.0), leaf(3.0), leaf(4.0)
    with graph:
        w = (x * y) * (x * z)
    w.backward()
    assert (w.item(), x.grad, y.grad, z.grad) == (48.0, 48.0, 16.0, 12.0)


@pytest.mark.parametrize(
    ("compute", "gradient"),
    [
        (lambda x: x * x, 6.0),
        (lambda x: x + x, 2.0),
        (lambda x: x - x, 0.0),
        (lambda x: x / x, 0.0),
    ],
)
def test_one_op_with_the_same_operand_twice(graph, compute, gradient):
    x = leaf(3.0)
    with graph:
        y = compute(x)
    y.backward()
    assert x.grad == pytest.approx(gradient, abs=1e-7)


def test_forty_doublings_take_forty_visits_and_not_a_trillion(graph):
    x = leaf(1.0)
    y = x
    with graph:
        for _ in range(40):
            y = y + y
    assert len(mg.ancestor_backward_order(graph, y)) == 40
    y.backward()  # a walk along every path would not end
    assert x.grad == 2.0**40


def test_a_node_that_the_output_does_not_need(graph):
    x = leaf(3.0)
    with graph:
        before = x * 7
        z = x * 2
        after = x * 5
    z.backward()
    assert x.grad == 2.0
    assert (before.grad, after.grad) == (None, None)
    assert (graph.nodes[0].grad, graph.nodes[2].grad) == (0.0, 0.0)


def test_the_output_need_not_be_the_last_node(graph):
    x, y = leaf(3.0), leaf(4.0)
    with graph:
        z = x * y
        z + x
    mg.backward(graph, z)
    assert (x.grad, y.grad) == (4.0, 3.0)


def test_without_an_output_the_last_node_is_taken(graph):
    x, y = leaf(3.0), leaf(4.0)
    mg.add(graph, mg.mul(graph, x, y), x)
    mg.backward(graph)
    assert (x.grad, y.grad) == (5.0, 3.0)


def test_a_second_run_starts_afresh_in_nodes_and_adds_up_in_leaves(graph):
    x = leaf(1.0)
    with graph:
        z = 2 * x
        w = 5 * z
    w.backward()
    w.backward()
    assert x.grad == 20.0
    assert (z.grad, graph.nodes[0].grad) == (5.0, 5.0)
    x.zero_grad()
    assert x.grad is None
    w.backward()
    assert x.grad == 10.0


def test_a_run_from_another_output_leaves_no_trace_of_the_one_before(graph):
    x = leaf(1.0)
    with graph:
        z = 2 * x
        w = 5 * z
    w.backward()
    z.backward()
    assert (z.grad, w.grad, graph.nodes[1].grad) == (1.0, None, 0.0)


def test_backward_from_a_leaf():
    x = leaf(3.0)
    x.backward()
    assert x.grad == 1.0


def test_backward_from_a_frozen_tensor_is_refused(graph):
    with pytest.raises(BackwardError, match="does not require a gradient"):
        mg.Tensor(3.0).backward()
    with pytest.raises(BackwardError, match="'k' does not require"):
        mg.backward(graph, mg.Tensor(3.0, name="k"))


def test_an_empty_graph_and_a_foreign_output_are_refused(graph):
    with pytest.raises(BackwardError, match="no nodes"):
        mg.backward(graph)
    w = mg.neg(mg.ComputationGraph(), leaf(1.0))
    with pytest.raises(GraphError, match="not in this graph"):
        mg.backward(graph, w)
    with pytest.raises(BackwardError, match="must be a Tensor"):
        mg.backward(graph, 3.0)
    with pytest.raises(GraphError, match=r"must be a ComputationGraph, not Tensor"):
        mg.backward(w)


def test_several_numbers_need_a_seed(graph):
    x = leaf([1.0, 2.0])
    y = mg.mul(graph, x, x)
    with pytest.raises(BackwardError, match=r"shape \(2,\).*seed=np.ones.*or sum"):
        y.backward()
    assert x.grad is None
    y.backward([1.0, 10.0])
    assert x.grad.tolist() == [2.0, 40.0]


@pytest.mark.parametrize("seed", [1.0, [1.0], np.ones((2, 2))])
def test_a_seed_of_another_shape_is_refused_with_both_shapes(graph, seed):
    y = mg.neg(graph, leaf([1.0, 2.0]))
    with pytest.raises(BackwardError, match=r"the seed has shape .*has shape \(2,\)"):
        y.backward(seed)


def test_a_seed_that_is_no_number_is_refused(graph):
    with pytest.raises(BackwardError, match="seed cannot be used"):
        mg.neg(graph, leaf(1.0)).backward("one")


def test_a_single_number_of_any_shape_needs_no_seed(graph):
    x = leaf([[3.0]])
    mg.mul(graph, x, x).backward()
    assert x.grad.tolist() == [[6.0]]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: setattr(x, "data", [5.0, 6.0]),
        lambda x: x.data.__setitem__(0, 5.0),
        lambda x: x.data.fill(0.0),
        lambda x: setattr(x, "data", x.data + 1),
    ],
)
def test_values_changed_after_recording_are_refused_by_name(graph, change):
    x, y = leaf([1.0, 2.0], "x"), leaf([3.0, 4.0], "y")
    w = mg.mul(graph, x, y)
    change(x)
    with pytest.raises(BackwardError, match="'x' have changed since node #0"):
        w.backward(np.ones(2))
    assert (x.grad, y.grad) == (None, None)


def test_an_edit_between_two_uses_is_refused(graph):
    x = leaf([1.0, 2.0], "x")
    y = mg.mul(graph, x, x)
    x.data[0] = 7.0
    w = mg.mul(graph, y, x)
    with pytest.raises(BackwardError, match="'x' have changed since node #0"):
        w.backward(np.ones(2))


def test_an_edit_through_an_array_taken_before_recording_is_refused(graph):
    x = leaf([1.0, 2.0], "x")
    held = x.data
    w = mg.mul(graph, x, x)
    held[1] = 9.0
    with pytest.raises(BackwardError, match="'x' have changed"):
        w.backward(np.ones(2))


def test_a_changed_output_is_refused(graph):
    x = leaf([1.0, 2.0])
    w = mg.mul(graph, x, x)
    w.data[0] = 0.0
    with pytest.raises(BackwardError, match="output of node #0 have changed"):
        w.backward(np.ones(2))


def test_reading_the_data_is_no_change(graph):
    x = leaf([1.0, np.nan])
    w = mg.mul(graph, x, x)
    x.data.sum()
    w.data.sum()
    w.backward(np.ones(2))
    assert x.grad[0] == 2.0


def test_a_change_undone_is_no_change(graph):
    x = leaf([1.0, 2.0])
    w = mg.mul(graph, x, x)
    x.data[0] = 5.0
    x.data[0] = 1.0
    w.backward(np.ones(2))
    assert x.grad.tolist() == [2.0, 4.0]


def test_two_leaves_do_not_share_a_gradient_array(graph):
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    mg.add(graph, x, y).backward(np.ones(2))
    x.grad[0] = 99.0
    assert y.grad.tolist() == [1.0, 1.0]


def test_a_change_of_requires_grad_after_recording_is_refused(graph):
    x = leaf(3.0, "x")
    with graph:
        z = x * x
        w = z * 2
    z.requires_grad = False
    with pytest.raises(BackwardError, match="output of node #0 have changed"):
        w.backward()
    assert x.grad is None


def test_gradients_of_nodes_are_read_only_and_those_of_leaves_are_ones_own(graph):
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    with graph:
        z = x + y
        w = z + x
    w.backward(np.ones(2))
    for shared in (z.grad, w.grad, graph.nodes[0].grad):
        with pytest.raises(ValueError, match="read-only"):
            shared[0] = 9.0
    x.grad *= 10
    assert y.grad.tolist() == [1.0, 1.0]


def test_an_op_that_edits_or_keeps_gradients_cannot_spoil_those_of_others(graph):
    kept = np.zeros(2)

    class Twice(mg.Differentiable):
        def forward(self, inputs):
            return np.multiply(inputs[0].values, 2, out=kept)

        def backward(self, grad_output, inputs, output):
            return [np.multiply(grad_output, 2, out=kept)]

    class Editing(Twice):
        def backward(self, grad_output, inputs, output):
            grad_output *= 2
            return [grad_output]

    ops = mg.OpRegistry()
    ops.register("twice", Twice())
    ops.register("editing", Editing())
    ops.register("add", mg.registry.get("add"))
    x, y = leaf([1.0, 2.0]), leaf([10.0, 20.0])
    own = mg.ComputationGraph(ops)
    a, b = own.apply("twice", x), own.apply("twice", y)
    assert a.data.tolist() == [2.0, 4.0]
    own.apply("add", a, own.apply("twice", b)).backward(np.ones(2))
    assert (x.grad.tolist(), y.grad.tolist()) == ([2.0, 2.0], [4.0, 4.0])
    with pytest.raises(mg.MinigradError, match=r"'editing'.*read-only"):
        own.apply("editing", x).backward(np.ones(2))


def test_a_gradient_has_its_tensors_shape_and_dtype(graph):
    x = leaf(np.ones((4, 3), np.float32))
    b = leaf(np.ones(3, np.float64))
    s = leaf(np.float16(2.0))
    with graph:
        y = x * b * s
    y.backward(np.ones((4, 3)))
    for tensor in (x, b, s, y):
        assert tensor.grad.shape == tensor.shape
        assert tensor.grad.dtype == tensor.dtype
    assert b.grad.tolist() == [8.0, 8.0, 8.0]


def test_broadcasting_is_undone(graph):
    bias = leaf(np.zeros(3))
    mg.add(graph, np.ones((4, 3)), bias).backward(np.ones((4, 3)))
    assert bias.grad.tolist() == [4.0, 4.0, 4.0]
    one = leaf([1.0])
    mg.mul(graph, one, np.ones((5, 4))).backward(np.ones((5, 4)))
    assert one.grad.tolist() == [20.0]
    scalar = leaf(2.0)
    mg.mul(graph, scalar, np.ones((2, 3))).backward(np.ones((2, 3)))
    assert (scalar.grad, scalar.grad.shape) == (6.0, ())


class TestOrders:
    def test_a_wrong_order_gives_a_wrong_answer_as_told(self, graph):
        a = leaf(1.0)
        with graph:
            c = (a + a) + (a + a)
        mg.backward(graph, c, order=[0, 2, 1])
        assert a.grad == 2.0  # node #0 was visited before its consumer #2 had passed anything on

    def test_a_node_visited_twice_counts_twice(self, graph):
        a = leaf(1.0)
        with graph:
            b = a + a
            c = b + b
        mg.backward(graph, c, order=[1, 0, 0])
        assert a.grad == 8.0

    def test_a_dead_node_with_an_infinite_derivative_does_no_harm(self, graph):
        x = leaf(0.0)
        with graph:
            w = x * 2
            with np.errstate(divide="ignore"):
                1 / x
        with np.errstate(all="ignore"):
            mg.backward(graph, w, order=mg.topological_backward_order(graph))
        assert x.grad == 2.0

    def test_a_leaf_that_only_dead_nodes_use_keeps_none(self, graph):
        x, y = leaf(1.0), leaf(1.0)
        with graph:
            w = x * 2
            y * 3
        mg.backward(graph, w, order=[1, 0])
        assert (x.grad, y.grad) == (2.0, None)

    @pytest.mark.parametrize("order", [[2], [-1], [0.5], [True], ["0"], "10"])
    def test_an_order_of_anything_but_positions_is_refused(self, graph, order):
        x = leaf(1.0)
        with graph:
            w = x * 2 + 1
        with pytest.raises(BackwardError, match=r"position"):
            mg.backward(graph, w, order=order)
        assert x.grad is None


class TestOpsThatBreakTheContract:
    @staticmethod
    def run(returned):
        class Odd(mg.Differentiable):
            def forward(self, inputs):
                return inputs[0].values * inputs[1].values

            def backward(self, grad_output, inputs, output):
                return returned

        ops = mg.OpRegistry()
        ops.register("odd", Odd())
        x, y = leaf([1.0, 2.0], "x"), leaf([3.0, 4.0], "y")
        graph = mg.ComputationGraph(ops)
        output = graph.apply("odd", x, y)
        try:
            output.backward(np.ones(2))
        finally:
            assert (x.grad, y.grad) == (None, None)

    def test_too_few_gradients(self):
        with pytest.raises(OpError, match=r"'odd' \(node #0\) returned 1 gradients for 2 operands"):
            self.run([np.ones(2)])

    def test_a_gradient_of_another_shape(self):
        with pytest.raises(
            OpError, match=r"operand 1 \(tensor 'y'\) what cannot be .*shape \(3,\)"
        ):
            self.run([np.ones(2), np.ones(3)])

    def test_no_gradient_for_an_operand_that_wants_one(self):
        with pytest.raises(OpError, match=r"operand 0 \(tensor 'x'\) what cannot be .*None"):
            self.run([None, np.ones(2)])

    @pytest.mark.parametrize("wrong", [np.array(["a", "b"]), object(), [[1], [1, 2]], "one", 1j])
    def test_a_gradient_that_is_no_number(self, wrong):
        with pytest.raises(OpError, match=r"operand 0 \(tensor 'x'\) what cannot be"):
            self.run([wrong, np.ones(2)])

    @pytest.mark.parametrize("returned", [None, 5, "ab", np.ones((2, 2)), mg.Tensor([1.0, 2.0])])
    def test_anything_but_a_list(self, returned):
        with pytest.raises(OpError, match=r"'odd' \(node #0\) returned .* return a list"):
            self.run(returned)


def test_a_leaf_with_a_gradient_of_another_shape_is_refused(graph):
    x = leaf([1.0, 2.0], "x")
    w = mg.mul(graph, x, x)
    x.grad = np.ones(3, np.float32)
    with pytest.raises(BackwardError, match=r"'x' of shape \(2,\) holds a gradient that is not"):
        w.backward(np.ones(2))
    x.grad = 0
    with pytest.raises(BackwardError, match=r"zero_grad\(\) forgets it"):
        w.backward(np.ones(2))


@pytest.mark.parametrize("before", ["another graph", "a reset"])
@pytest.mark.parametrize(
    "run",
    [
        lambda graph, w: mg.backward(graph, w, order=[1, 0]),
        lambda graph, w: mg.backward(graph, w, order=[]),
        lambda graph, w: mg.backward(graph, w),
        lambda graph, w: mg.step(graph, w, order=[1, 0]),
        lambda graph, w: mg.step(graph, w, order="append"),
        lambda graph, w: mg.why(graph, w, graph.nodes[0].inputs[0]),
        lambda graph, w: mg.nudge(graph, w),
        lambda graph, w: mg.first_nonfinite(graph, w),
        lambda graph, w: mg.ancestor_backward_order(graph, w),
    ],
)
def test_an_output_of_another_graph_or_of_before_a_reset_is_refused_by_every_pass(before, run):
    x, graph = leaf(2.0), mg.ComputationGraph()
    made_by = graph if before == "a reset" else mg.ComputationGraph()
    with made_by:
        w = x * x + x
    graph.reset()
    with graph, np.errstate(divide="ignore"):
        mg.log(graph, x * 0.0) + x  # not finite: that is looked for later than the output
    with pytest.raises(GraphError, match="not in this graph"):
        run(graph, w)
    assert x.grad is None


def test_nodes_that_were_taken_out_of_the_list_are_missed(graph):
    x = leaf(2.0)
    with graph:
        w = (x * x) * x
    del graph.nodes[0]
    with pytest.raises(GraphError, match="not in this graph"):
        mg.backward(graph, w, order=[0])
    with pytest.raises(GraphError, match="not in this graph"):
        mg.backward(graph)
    assert x.grad is None
