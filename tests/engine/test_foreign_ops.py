"""Ops, edits and orders that nobody expected: numbers stay right, or it is said."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import GradcheckError, GraphError, OpError, TensorError
from minigrad.engine.ops.arithmetic import Add


def leaf(value):
    return mg.Tensor(value, requires_grad=True)


def graph_with(**ops):
    """Return a graph with minigrad's ops and some more."""
    registry = mg.OpRegistry()
    for name in mg.registry.names():
        registry.register(name, mg.registry.get(name))
    for name, op in ops.items():
        registry.register(name, op)
    return mg.ComputationGraph(registry)


class Doubled(mg.Differentiable):
    def forward(self, inputs):
        return inputs[0].values * 2

    def backward(self, grad_output, inputs, output):
        return [grad_output * 2]


def test_a_subclass_of_a_built_in_op_does_not_inherit_its_promises():
    class TwiceTheSum(Add):
        def forward(self, inputs):
            return (inputs[0].values + inputs[1].values) * 2

        def backward(self, grad_output, inputs, output):
            same = grad_output * 2
            return [same, same]

    x, y = leaf([1.0, 1.0]), leaf([1.0, 1.0])
    graph = graph_with(twice=TwiceTheSum())
    with graph:
        w = (graph.apply("twice", x, y) + y * 5.0).sum()
    w.backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([2.0, 2.0], [7.0, 7.0])


def test_the_result_of_a_subclass_of_a_built_in_op_is_checked():
    class Number(Add):
        def forward(self, inputs):
            return 1.0

    with pytest.raises(OpError, match="'number' returned float"):
        graph_with(number=Number()).apply("number", leaf(1.0), 2.0)


@pytest.mark.parametrize("used_first", [True, False])
def test_a_backward_that_runs_a_backward_of_its_own_loses_nothing(used_first):
    w, x = leaf(5.0), leaf(2.0)

    class Product(mg.Differentiable):
        def forward(self, inputs):
            return inputs[0] * w

        def backward(self, grad_output, inputs, output):
            a = mg.Tensor(inputs[0], requires_grad=True)
            with mg.ComputationGraph() as inner:
                r = a * w
            mg.backward(inner, r, grad_output)
            return [a.grad]

    graph = graph_with(product=Product())
    with graph:
        z = graph.apply("product", x * w if used_first else x)
        z = z if used_first else z * w
    z.backward()
    assert (z.item(), w.grad, x.grad) == (50.0, 20.0, 25.0)


def test_a_backward_that_records_into_its_own_graph_does_no_harm():
    class Recording(Doubled):
        def backward(self, grad_output, inputs, output):
            with graph:
                inputs[0] * 2.0
            return [grad_output * 2]

    graph = graph_with(recording=Recording())
    x = leaf(2.0)
    y = graph.apply("recording", x)
    y.backward()
    assert (x.grad, len(graph.nodes)) == (2.0, 2)


def test_operators_inside_a_forward_use_the_ops_of_its_graph():
    class Thousandfold(type(mg.registry.get("mul"))):
        def forward(self, inputs):
            return inputs[0].values * inputs[1].values * 1000

    class Square(Doubled):
        def forward(self, inputs):
            return inputs[0] * inputs[0]

    graph = graph_with(mul=Thousandfold(), square=Square())
    assert graph.apply("square", leaf(2.0)).item() == 4000.0


def test_a_backward_that_fails_is_named():
    class Failing(Doubled):
        def backward(self, grad_output, inputs, output):
            return [grad_output @ grad_output]

    graph = graph_with(failing=Failing())
    with pytest.raises(OpError, match=r"backward of op 'failing' \(node #0\) failed: unsupported"):
        graph.apply("failing", leaf(1.0)).backward()


def test_an_elementwise_op_that_does_not_broadcast_is_named():
    class Pair(Doubled):
        elementwise = True

        def forward(self, inputs):
            return np.ones(2)

        def backward(self, grad_output, inputs, output):
            return [grad_output]

    graph = graph_with(pair=Pair())
    y = graph.apply("pair", leaf(np.ones(3)))
    with pytest.raises(OpError, match=r"'pair' \(node #0\) returned for operand 0"):
        mg.backward(graph, y, [1, 1])


def test_every_array_that_was_handed_out_stays_connected_to_its_tensor():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    row = x.data[0]
    x.data *= 2
    row[:] = 0
    assert x.data.tolist() == [[0.0, 0.0], [6.0, 8.0]]
    x.data = [[1, 1], [1, 1]]
    row[0] = 5
    graph = mg.ComputationGraph()
    assert mg.sum(graph, x).item() == 8.0


def test_an_edit_that_is_undone_is_no_change_even_if_it_was_looked_at():
    x = leaf([1.0, 2.0])
    graph = mg.ComputationGraph()
    with graph:
        y = (x * x).sum()
    x.data[0] += 1
    with mg.no_grad():
        assert (x * x).sum().item() == 8.0
    x.data[0] -= 1
    x.data = x.data
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_data_keeps_its_shape_and_dtype():
    x = leaf([1.0, 2.0])
    x.data.shape = (2, 1)
    with pytest.raises(TensorError, match=r"float32 of shape \(2,\).*of shape \(2, 1\) in place"):
        x.settled()
    assert x.data.shape == (2,)


def test_extended_precision_is_compared_by_its_numbers():
    x = leaf(np.longdouble(1) / 7)
    graph = mg.ComputationGraph()
    with graph:
        y = mg.sqrt(graph, (x * x).sum())
        z = y * 3.0
    assert y.data == y.values  # to look at it is to have it compared from now on
    z.backward()
    assert x.grad == pytest.approx(3)


def test_attributes_are_kept_as_they_were():
    x, graph, axes = leaf(np.arange(8.0).reshape(2, 2, 2)), mg.ComputationGraph(), [1, 2, 0]
    weights = np.arange(8.0).reshape(2, 2, 2)
    with graph:
        total = (mg.transpose(graph, x, axes) * weights).sum()
    axes[:] = [0, 1, 2]
    total.backward()
    assert x.grad.ravel().tolist() == [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0]


def test_arrays_given_to_ops_may_be_edited_afterwards():
    graph = mg.ComputationGraph()
    rows, mask, classes = np.array([0, 1]), np.array([True, False]), np.array([1, 0])
    x, y = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([[0.0, 0.0], [0.0, 0.0]])
    picked = mg.getitem(graph, x, (rows, [0, 0]))
    chosen = mg.where(graph, mask, mg.getitem(graph, x, 0), [9.0, 9.0])
    loss = mg.cross_entropy(graph, y, classes)
    rows[:], mask[:], classes[:] = 1, [False, True], 0
    mg.backward(graph, picked, [1, 10])
    assert x.grad.tolist() == [[1.0, 0.0], [10.0, 0.0]]
    x.zero_grad()
    mg.backward(graph, chosen, [1, 10])
    assert x.grad.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    loss.backward()
    assert y.grad.tolist() == [[0.25, -0.25], [-0.25, 0.25]]


def test_attributes_that_backward_does_not_know_are_refused():
    graph = mg.ComputationGraph()
    with pytest.raises(OpError, match="unknown attribute 'where'; there are axis and keepdims"):
        graph.apply("sum", leaf([1.0, 2.0]), where=[True, False])
    with pytest.raises(OpError, match="'high' is missing"):
        graph.apply("clip", leaf(1.0), low=0.0)


def test_means_of_many_half_precision_numbers_have_a_gradient():
    x, graph = leaf(np.ones(100_000, np.float16)), mg.ComputationGraph()
    mg.mean(graph, x).backward()
    assert x.grad[0] == np.float16(1e-5)
    logits = leaf(np.zeros((70_000, 2), np.float16))
    mg.cross_entropy(graph, logits, np.zeros(70_000, int)).backward()
    assert logits.grad[0].tolist() == [
        -float(np.float16(0.5 / 70_000)),
        float(np.float16(0.5 / 70_000)),
    ]


def test_a_leaf_that_another_graph_made_its_output_is_no_edge():
    x, p, q = leaf(1.0), leaf(2.0), leaf(3.0)
    graph = mg.ComputationGraph()
    with graph:
        p * 2
        y = x * 3
    mg.ComputationGraph().record("mul", [p, q], x)
    with pytest.raises(GraphError, match="recorded after it"):
        y.backward()
    with pytest.raises(GraphError, match="recorded after it"):
        mg.ancestor_backward_order(graph, y)
    assert p.grad is None


def test_record_counts_the_operands():
    with pytest.raises(OpError, match="takes 2 operands, and 1 was given"):
        mg.ComputationGraph().record("add", [leaf(1.0)], mg.Tensor(1.0))


def test_lists_of_lists_of_tensors_are_refused_too():
    with pytest.raises(TensorError, match="lose their gradients"):
        mg.Tensor([[leaf(1.0)], [leaf(2.0)]])


@pytest.mark.parametrize("operand", [[0.1, 0.2], 10**23, np.array([16_777_217, 1])])
def test_numbers_beside_a_tensor_take_its_dtype(operand):
    x = leaf(np.ones(2))
    y = mg.mul(mg.ComputationGraph(), x, operand)
    assert y.data.tolist() == (np.ones(2) * np.asarray(operand, float)).tolist()


def test_a_gradient_of_a_single_number_is_a_numpy_scalar():
    graph = mg.ComputationGraph()
    for compute in (
        lambda t: t[()],
        lambda t: t.sum(),
        lambda t: t.reshape(1, 1),
        lambda t: t.mean(),
    ):
        x = leaf(3.0)
        with graph:
            y = compute(x)
        y.backward()
        assert isinstance(x.grad, np.float32)


def test_a_single_number_may_be_summed_along_its_last_axis():
    x, graph = leaf(2.0), mg.ComputationGraph()
    mg.sum(graph, x, axis=-1).backward()
    assert x.grad == 1.0


def test_what_a_leaf_held_before_is_a_copy():
    x, graph = leaf([1.0]), mg.ComputationGraph()
    y = mg.neg(graph, x)
    y.backward()
    before = x.grad
    y.backward()
    before *= 100
    assert graph.earlier_gradients[x].tolist() == [-1.0]


@pytest.mark.parametrize("wrong", [mg.Tensor(0.0), 1j, "a", np.complex64(1)])
def test_a_gradient_that_is_no_real_array_is_refused(wrong):
    x, graph = leaf(2.0), mg.ComputationGraph()
    x.grad = wrong
    with pytest.raises(mg.MinigradError, match="zero_grad"):
        mg.neg(graph, x).backward()


def test_gradcheck_of_nothing_says_so():
    with pytest.raises(GradcheckError, match="does not depend on its inputs"):
        mg.gradcheck(lambda a: mg.Tensor(1.0), [leaf(1.0)])
    with pytest.raises(GradcheckError, match="nothing to check"):
        mg.gradcheck(lambda a: a.sum(), [leaf(np.ones(0))])
    mg.gradcheck(lambda a: a * a, (t for t in [leaf(1.0)]))


def test_reshape_takes_a_shape_too():
    with mg.ComputationGraph():
        assert leaf(np.ones(4)).reshape((2, 2)).shape == (2, 2)


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_the_mean_of_nothing_can_be_located():
    graph = mg.ComputationGraph()
    mg.mean(graph, leaf(np.ones(0)))
    assert "node #0 (mean) makes nan" in str(mg.first_nonfinite(graph))
