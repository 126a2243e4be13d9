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


@pytest.mark.parametrize("name", mg.registry.names())
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (3,)], ids=str)
def test_every_op_keeps_the_dtype(name, dtype, shape):
    graph = mg.ComputationGraph()
    count = len(mg.registry.get(name).derivatives)
    operands = [leaf(np.full(shape, number, dtype)) for number in (0.7, 0.3)[:count]]
    attributes = {"clip": {"low": 0, "high": 1}}.get(name, {})
    output = graph.apply(name, *operands, **attributes)
    output.backward(np.ones(shape))
    assert output.dtype == dtype
    for operand in operands:
        assert (operand.grad.dtype, operand.grad.shape) == (dtype, shape)
