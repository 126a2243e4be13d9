"""Functions at their edges: zeros, ties, kinks, overflow."""

import warnings

import numpy as np
import pytest

import minigrad as mg


def leaf(value):
    return mg.Tensor(value, requires_grad=True)


def gradients(compute, *values):
    """Return the value and the gradients of a function at some place."""
    leaves = [leaf(value) for value in values]
    graph = mg.ComputationGraph()
    output = compute(graph, *leaves)
    output.backward(np.ones(output.shape))
    return output, [one.grad for one in leaves]


@pytest.mark.parametrize(
    ("power", "gradient"),
    [(2, 0.0), (1, 1.0), (0, 0.0), (0.5, np.inf), (-1, -np.inf), (3, 0.0)],
)
def test_a_power_at_zero_has_the_derivative_that_is_its_limit(power, gradient):
    with np.errstate(divide="ignore"):
        _, (found,) = gradients(lambda graph, x: mg.pow(graph, x, power), 0.0)
    assert found == gradient


def test_powers_of_tensors():
    output, (by_a, by_b) = gradients(mg.pow, 2.0, 3.0)
    assert (output.item(), by_a) == (8.0, 12.0)
    assert by_b == pytest.approx(5.545177)
    output, (by_x,) = gradients(lambda graph, x: mg.pow(graph, 2.0, x), 3.0)
    assert by_x == pytest.approx(5.545177)
    assert gradients(mg.pow, 0.0, 2.0)[1] == [0.0, 0.0]
    with np.errstate(invalid="ignore"):
        assert gradients(lambda graph, x: mg.pow(graph, x, 2), -3.0)[1] == [-6.0]


def test_operators_of_powers_and_absolute_values():
    x = leaf(-3.0)
    graph = mg.ComputationGraph()
    with graph:
        y = abs(x) + x**2 + 2.0**x
    y.backward()
    assert [node.op_name for node in graph.nodes] == ["abs", "pow", "add", "pow", "add"]
    assert y.item() == pytest.approx(3 + 9 + 0.125)
    assert x.grad == pytest.approx(-1 - 6 + 0.125 * np.log(2))


@pytest.mark.parametrize("op", [mg.abs, mg.relu])
def test_the_subgradient_at_a_kink_is_zero(op):
    assert gradients(op, 0.0)[1] == [0.0]


def test_equal_operands_share_the_gradient_equally():
    for op in (mg.maximum, mg.minimum):
        _, (by_a, by_b) = gradients(op, [1.0, 2.0, 3.0], [3.0, 2.0, 1.0])
        assert (by_a + by_b).tolist() == [1.0, 1.0, 1.0]
        assert by_a[1] == 0.5


def test_one_tensor_as_both_operands_of_maximum_gets_it_once():
    assert gradients(lambda graph, x: mg.maximum(graph, x, x), 3.0)[1] == [1.0]


def test_clip_passes_the_gradient_at_its_bounds():
    _, (found,) = gradients(
        lambda graph, x: mg.clip(graph, x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0]
    )
    assert found.tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]
    output, _ = gradients(lambda graph, x: mg.clip(graph, x, high=1.0), [-2.0, 2.0])
    assert output.data.tolist() == [-2.0, 1.0]


def test_saturated_activations_are_exact_and_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, (found,) = gradients(mg.tanh, [1000.0, -1000.0])
        assert (output.data.tolist(), found.tolist()) == ([1.0, -1.0], [0.0, 0.0])
        output, (found,) = gradients(mg.sigmoid, [-1000.0, 1000.0, 0.0])
        assert (output.data.tolist(), found.tolist()) == ([0.0, 1.0, 0.5], [0.0, 0.0, 0.25])


def test_sigmoid_keeps_its_digits_where_it_is_small():
    assert gradients(mg.sigmoid, -20.0)[0].item() == pytest.approx(2.0611537e-09, rel=1e-6)


ELEMENTWISE = [name for name in mg.registry.names() if mg.registry.get(name).elementwise]
ATTRIBUTES = {"clip": {"low": 0, "high": 1}, "where": {"condition": True}}


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (3,)], ids=str)
def test_every_elementwise_op_keeps_the_dtype(name, dtype, shape):
    graph = mg.ComputationGraph()
    count = len(mg.registry.get(name).derivatives)
    operands = [leaf(np.full(shape, number, dtype)) for number in (0.7, 0.3)[:count]]
    attributes = ATTRIBUTES.get(name, {})
    output = graph.apply(name, *operands, **attributes)
    output.backward(np.ones(shape))
    assert output.dtype == dtype
    for operand in operands:
        assert (operand.grad.dtype, operand.grad.shape) == (dtype, shape)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    "compute",
    [
        lambda a: a.sum(axis=1),
        lambda a: a.mean(axis=0),
        lambda a: a.max(axis=1),
        lambda a: a.min(),
        lambda a: a @ a,
        lambda a: a.reshape(4),
        lambda a: a.T,
        lambda a: a[0],
    ],
)
def test_ops_on_whole_arrays_keep_the_dtype(compute, dtype):
    a = leaf(np.array([[1, 2], [3, 4]], dtype))
    graph = mg.ComputationGraph()
    with graph:
        output = compute(a)
    output.backward(np.ones(output.shape))
    assert output.dtype == a.grad.dtype == dtype


def test_equal_largest_numbers_share_the_gradient_equally():
    _, (found,) = gradients(mg.max, [1.0, 3.0, 3.0])
    assert found.tolist() == [0.0, 0.5, 0.5]
    _, (found,) = gradients(lambda graph, x: mg.min(graph, x, axis=1), [[2.0, 2.0], [1.0, 5.0]])
    assert found.tolist() == [[0.5, 0.5], [1.0, 0.0]]


def test_differences_from_the_mean_do_not_depend_on_a_shift():
    x = leaf([1.0, 2.0, 6.0])
    graph = mg.ComputationGraph()
    with graph:
        y = x - x.mean()
    y.backward(np.ones(3))
    assert x.grad == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_an_index_with_repeats_adds_up_and_a_slice_leaves_the_rest_at_zero():
    x = leaf([1.0, 2.0, 3.0, 4.0, 5.0])
    graph = mg.ComputationGraph()
    with graph:
        y = x[[0, 0, 2]].sum()
    y.backward()
    assert x.grad.tolist() == [2.0, 0.0, 1.0, 0.0, 0.0]
    x.zero_grad()
    with graph:
        y = x[1:3].sum()
    y.backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0, 0.0, 0.0]


def test_an_index_that_is_edited_later_changes_nothing():
    x, places = leaf([1.0, 2.0, 3.0]), np.array([0, 1])
    graph = mg.ComputationGraph()
    with graph:
        y = x[places]
    places[:] = 2
    y.backward([1.0, 10.0])
    assert x.grad.tolist() == [1.0, 10.0, 0.0]


def test_what_a_view_shows_cannot_be_edited_behind_the_graphs_back():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    graph = mg.ComputationGraph()
    with graph:
        y = x.T
        z = y * y
    y.data[0, 0] = 99.0
    with pytest.raises(mg.MinigradError, match="have changed"):
        z.backward(np.ones((2, 2)))


def test_a_tensor_is_a_sequence_of_its_rows_and_no_truth_value():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    graph = mg.ComputationGraph()
    with graph:
        first, second = x
    assert (first.data.tolist(), second.data.tolist(), len(x)) == ([1.0, 2.0], [3.0, 4.0], 2)
    with pytest.raises(mg.MinigradError, match="neither true nor false"):
        bool(x)
    with pytest.raises(mg.MinigradError, match="no length"):
        len(leaf(1.0))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x.sum(axis=5),
        lambda x: x[7],
        lambda x: x["a"],
        lambda x: x.reshape(5),
        lambda x: x @ np.ones(3),
        lambda x: x.mean(axis="rows"),
    ],
)
def test_an_axis_an_index_or_a_shape_that_does_not_fit_is_told_with_the_op(wrong):
    graph = mg.ComputationGraph()
    with graph, pytest.raises(mg.MinigradError, match=r"forward of op '\w+' on shapes .* failed"):
        wrong(leaf([[1.0, 2.0], [3.0, 4.0]]))
    assert graph.nodes == []


def test_large_logits_stay_finite():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, (found,) = gradients(mg.log_softmax, [1000.0, 0.0])
        assert output.data.tolist() == [0.0, -1000.0]
        assert found.tolist() == [-1.0, 1.0]
        assert gradients(mg.softmax, [1000.0, -1000.0])[0].data.tolist() == [1.0, 0.0]
        loss, (found,) = gradients(lambda g, a: mg.cross_entropy(g, a, [1]), [[1000.0, 0.0]])
        assert (loss.item(), found.tolist()) == (1000.0, [[1.0, -1.0]])


def test_cross_entropy_is_the_mean_of_the_log_softmax_at_the_targets():
    logits = [[1.0, 2.0, 3.0], [0.5, 0.5, -1.0]]
    loss, _ = gradients(lambda g, a: mg.cross_entropy(g, a, [2, 0]), logits)
    logs, _ = gradients(mg.log_softmax, logits)
    assert loss.item() == pytest.approx(-(logs.data[0, 2] + logs.data[1, 0]) / 2)


@pytest.mark.parametrize("targets", [[3, 0], [-1, 0], [0.5, 1], [0], [[0, 1]], ["a", "b"]])
def test_targets_that_are_no_classes_are_refused(targets):
    with pytest.raises(mg.MinigradError, match="targets must be 2 whole numbers from 0 to 2"):
        mg.cross_entropy(mg.ComputationGraph(), leaf(np.zeros((2, 3))), targets)


def test_mse_needs_one_shape():
    with pytest.raises(mg.MinigradError, match="must have one shape"):
        mg.mse(mg.ComputationGraph(), leaf([1.0, 2.0]), [[1.0, 2.0]])


def test_detached_numbers_start_anew_and_only_leaves_can_be_frozen():
    x = leaf(3.0)
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, x)
    assert (y.detach().item(), y.detach().requires_grad) == (9.0, False)
    assert mg.Tensor(1.0).requires_grad_().requires_grad
    with pytest.raises(mg.MinigradError, match=r"detach\(\) gives a frozen tensor"):
        y.requires_grad_(False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g, x: mg.clip(g, x, 3.0, 1.0), "low is 3.0 and high 1.0"),
        (lambda g, x: mg.matmul(g, x, [[1.0, 2.0]]), "as long as the last but one"),
        (lambda g, x: mg.matmul(g, x, 2.0), "neither may be a single number"),
        (lambda g, x: mg.concatenate(g, x), r"concatenate\(graph, \[a, b\]\)"),
        (lambda g, x: mg.stack(g, []), r"stack\(graph, \[a, b\]\)"),
        (lambda g, x: mg.add(g, x, [1.0, 2.0, 3.0]), r"'add' on shapes \(2,\), \(3,\)"),
    ],
)
def test_operands_that_do_not_go_together_are_told_with_what_does(call, message):
    with pytest.raises(mg.MinigradError, match=message):
        call(mg.ComputationGraph(), leaf([1.0, 2.0]))
