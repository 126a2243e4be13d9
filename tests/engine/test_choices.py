"""Ops that choose: what was not taken has no influence, and nan is never passed off as 0."""

import warnings

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import OpError
from minigrad.engine.recorders import operate
from minigrad.trace import Trace

INF, NAN = np.inf, np.nan


def gradients(name, *values, seed=None, **attrs):
    """Return what an op gives for some operands, and the gradients of these."""
    leaves = [mg.Tensor(value, requires_grad=True) for value in values]
    with mg.ComputationGraph(), np.errstate(all="ignore"):
        output = operate(name, tuple(leaves), attrs)
        output.backward(np.ones(output.shape) if seed is None else seed)
    return output.data.tolist(), *[leaf.grad.tolist() for leaf in leaves]


# op, operands, attributes, and of which operand which place was taken: 1, shared: ½, or not: 0
CHOICES = {
    "relu": ([[-1.0, 0.0, -0.0, 2.0]], {}, [[0, 0, 0, 1]]),
    "abs": ([[0.0, -0.0, 2.0, -3.0]], {}, [[0, 0, 1, -1]]),
    "clip": ([[-1.0, 0.0, 1.0, 3.0]], {"low": 0, "high": 1}, [[0, 1, 1, 0]]),
    "maximum": ([[1.0, 2.0, 0.0], [3.0, 2.0, -0.0]], {}, [[0, 0.5, 0.5], [1, 0.5, 0.5]]),
    "minimum": ([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]], {}, [[1, 0.5, 0], [0, 0.5, 1]]),
    "where": ([[1.0, 2.0], [3.0, 4.0]], {"condition": [True, False]}, [[1, 0], [0, 1]]),
    "max": ([[1.0, 3.0, 3.0]], {"keepdims": True}, [[0, 0.5, 0.5]]),
    "min": ([[-INF, 3.0, 0.0]], {}, [[1, 0, 0]]),
    "getitem": ([[1.0, 2.0]], {"index": 1}, [[0, 1]]),
    "pow": ([[3.0, 0.0], [0.0, 0.0]], {}, [[0, 0], None]),
}


@pytest.mark.parametrize("seed", [1.0, INF, -INF, NAN], ids=str)
@pytest.mark.parametrize("name", CHOICES)
def test_what_was_not_taken_gets_nothing_of_any_gradient(name, seed):
    operands, attrs, shares = CHOICES[name]
    shape = np.shape(gradients(name, *operands, **attrs)[0])
    _, *found = gradients(name, *operands, seed=np.full(shape, seed), **attrs)
    for gradient, share in zip(found, shares, strict=True):
        if share is not None:
            wanted = [0.0 if part == 0 else part * seed for part in share]
            np.testing.assert_array_equal(gradient, wanted)


@pytest.mark.parametrize(
    ("compute", "place", "right"),
    [
        (lambda g, x: mg.sqrt(g, mg.relu(g, x)), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.relu(g, x)), 4.0, 0.25),
        (lambda g, x: mg.log(g, mg.relu(g, x)), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.clip(g, x, 0.0, 4.0)), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.maximum(g, x, 0.0)), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.minimum(g, x, 0.0)), 1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.where(g, x.data > 0, x, 0.0)), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.max(g, mg.stack(g, [x, 0.0]))), -1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.min(g, mg.stack(g, [x, 0.0]))), 1.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.abs(g, x)), 0.0, 0.0),
        (lambda g, x: mg.sqrt(g, mg.pow(g, x, 0) - 1.0), 3.0, 0.0),
    ],
)
def test_an_infinite_derivative_behind_a_choice_spoils_nothing(compute, place, right):
    x, graph = mg.Tensor(place, requires_grad=True), mg.ComputationGraph()
    with graph, np.errstate(divide="ignore"):
        y = compute(graph, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y.backward()
    assert x.grad == right


def test_what_a_softmax_keeps_out_has_no_influence_on_the_others():
    # p = (½, 0, ½): its gradient is p·(g - ½·1), whatever came to the one in the middle
    for nothing in (INF, NAN, 7.0):
        chances, found = gradients("softmax", [0.0, -INF, 0.0], axis=-1, seed=[1.0, nothing, 0.0])
        assert chances == [0.5, 0.0, 0.5]
        assert found == [0.25, 0.0, -0.25]
    assert gradients("log_softmax", [0.0, -INF], axis=-1, seed=[2.0, 0.0])[1] == [0.0, 0.0]
    loss, found = gradients("cross_entropy", [[0.0, 0.0, -INF]], targets=[0], seed=INF)
    assert loss == pytest.approx(np.log(2))
    assert found == [[-INF, INF, 0.0]]


@pytest.mark.parametrize("name", ["relu", "abs", "clip", "maximum", "minimum", "max", "min"])
@pytest.mark.parametrize("values", [[NAN, 2.0], NAN], ids=["array", "number"])
def test_the_gradient_of_nan_is_nan(name, values):
    operands = [values, 1.0] if name in ("maximum", "minimum") else [values]
    attrs = {"clip": {"low": 0.0, "high": 3.0}}.get(name, {})
    output, *found = gradients(name, *operands, **attrs)
    for gradient in found:
        nan = np.isnan(np.atleast_1d(gradient))
        assert nan[0]
        if np.ndim(gradient) and name not in ("max", "min"):
            assert nan.tolist() == np.isnan(output).tolist()


def test_the_nan_of_one_row_is_none_of_the_next():
    assert gradients("max", [[1.0, 3.0], [2.0, 1.0]], axis=1)[1] == [[0.0, 1.0], [1.0, 0.0]]
    _, found = gradients("min", [[NAN, 3.0], [2.0, 1.0]], axis=1)
    np.testing.assert_array_equal(found, [[NAN, NAN], [0.0, 1.0]])


def test_a_nan_that_where_does_not_take_gets_nothing_and_one_that_it_takes_gets_all():
    assert gradients("where", NAN, 2.0, condition=False)[1:] == (0.0, 1.0)
    assert gradients("where", NAN, 2.0, condition=True)[1:] == (1.0, 0.0)


@pytest.mark.parametrize(
    ("name", "operands", "right"),
    [
        ("sqrt", [0.0], [INF]),
        ("sqrt", [-0.0], [INF]),
        ("sqrt", [-1.0], [NAN]),
        ("log", [0.0], [INF]),
        ("log", [-0.0], [INF]),
        ("log", [-1.0], [NAN]),
        ("pow", [-0.0, 0.5], [INF, 0.0]),
        ("pow", [-0.0, 1.0], [1.0, 0.0]),
        ("pow", [-0.0, 3.0], [0.0, 0.0]),
        ("pow", [0.0, -2.0], [-INF, -INF]),
        ("pow", [-0.0, -2.0], [INF, -INF]),
        ("pow", [INF, -1.0], [0.0, 0.0]),
        ("pow", [0.5, INF], [0.0, 0.0]),
        ("pow", [NAN, 0.0], [0.0, NAN]),
        ("div", [1.0, 0.0], [INF, -INF]),
        ("div", [1.0, -0.0], [-INF, -INF]),
        ("div", [np.float32(0.0), np.float32(1e-39)], [INF, 0.0]),
    ],
)
def test_at_a_border_the_derivative_is_the_limit_from_inside(name, operands, right):
    for shape in ((), (2,)):
        _, *found = gradients(name, *[np.full(shape, one) for one in operands])
        for gradient, wanted in zip(found, right, strict=True):
            np.testing.assert_array_equal(gradient, np.full(shape, wanted))


@pytest.mark.parametrize("name", ["sqrt", "log", "div", "pow"])
def test_numpy_does_not_warn_of_an_infinite_derivative_that_is_right(name):
    leaves = [mg.Tensor(one, True) for one in ([0.0, 0.5] if name != "div" else [1.0, 0.0])]
    graph = mg.ComputationGraph()
    with np.errstate(divide="ignore"):
        y = graph.apply(name, *leaves[: len(mg.registry.get(name).derivatives)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y.backward()
    assert np.isinf(leaves[0].grad)


def test_bounds_may_be_arrays_or_missing_and_get_no_gradient():
    assert gradients("clip", [-1.0, 2.0], low=None, high=1) == ([-1.0, 1.0], [1.0, 0.0])
    assert gradients("clip", [0.5, 0.5], low=[0, 1], high=1.5) == ([0.5, 1.0], [1.0, 0.0])
    assert gradients("clip", 0.5, low=[[0.0], [1.0]], high=None) == ([[0.5], [1.0]], 1.0)
    x, graph = mg.Tensor([-1.0, 2.0], requires_grad=True), mg.ComputationGraph()
    assert mg.clip(graph, x, None, 1).data.tolist() == [-1.0, 1.0]
    assert mg.clip(graph, x, high=np.array([0.0, 9.0])).data.tolist() == [-1.0, 2.0]
    assert mg.clip(graph, x, -1e300, 1e300).data.tolist() == [-1.0, 2.0]
    with pytest.raises(OpError, match="'low' of op 'clip' holds a tensor that requires a gradient"):
        mg.clip(graph, 0.5, x, 3.0)


@pytest.mark.parametrize("bound", [NAN, [0.0, NAN], "0", 1j, [[1], [2, 3]], object(), 10**400])
def test_what_is_no_bound_is_refused(bound):
    for bounds in ({"low": bound, "high": 1.0}, {"low": 1.0, "high": bound}):
        with pytest.raises(OpError, match=r"(low|high) must be a number, an array of numbers, or"):
            mg.ComputationGraph().apply("clip", mg.Tensor([1.0, 2.0], True), **bounds)


def test_a_lower_bound_above_the_upper_one_is_refused_wherever_it_is():
    with pytest.raises(OpError, match="nowhere above high"):
        mg.clip(mg.ComputationGraph(), [1.0, 2.0], [0.0, 3.0], 2.5)


@pytest.mark.parametrize(
    "condition", ["yes", "", None, 1.0, [1, 0], [[True], [True, False]], mg.Tensor([1.0, 0.0])]
)
def test_a_condition_is_made_of_yes_and_no(condition):
    graph, x = mg.ComputationGraph(), mg.Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(OpError, match=r"the condition must be true or false.* x\.data > 0"):
        mg.where(graph, condition, x, 0.0)
    assert graph.nodes == []


@pytest.mark.parametrize("condition", [True, np.True_, [True, False], np.array([[True], [False]])])
def test_a_condition_may_be_one_yes_or_many(condition):
    taken = np.broadcast_to(condition, np.broadcast_shapes(np.shape(condition), (2,)))
    output, by_a, by_b = gradients("where", [1.0, 2.0], 5.0, condition=condition)
    assert output == np.where(taken, [1.0, 2.0], 5.0).tolist()
    assert by_a == np.atleast_2d(taken).sum(axis=0).tolist()
    assert by_b == (~taken).sum()


def test_many_small_parts_of_half_precision_are_not_lost():
    ones = np.ones((5_000, 2), np.float16)  # added up one by one they stop at 2,048
    x, bias = mg.Tensor(ones), mg.Tensor(ones[0], requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        assert x.sum(axis=0).data.tolist() == [5_000, 5_000]
        total = x + bias
    total.backward(ones)
    assert bias.grad.tolist() == [5_000, 5_000]
    row = mg.Tensor(ones[0], requires_grad=True)
    with graph:
        often = row[[0] * 5_000]
    often.backward(ones[:, 0])
    assert row.grad.tolist() == [5_000, 0]
    chances = gradients("softmax", np.zeros((5_000, 1), np.float16), axis=0)[0]
    assert chances[0][0] == pytest.approx(1 / 5_000, rel=1e-3)
    # the square of 300 is more than half precision holds, and the mean of it and 99 zeros is not
    apart = np.zeros(100, np.float16)
    apart[0] = 300
    assert gradients("mse", apart, apart * 0)[:2] == (900.0, [6.0, *[0.0] * 99])


def test_the_words_of_a_step_multiply_nothing_with_infinity():
    x, graph = mg.Tensor(-1.0, requires_grad=True, name="x"), mg.ComputationGraph()
    with graph:
        y = mg.sqrt(graph, mg.relu(graph, x))
    trace = Trace.of(graph, y)
    (formula,) = trace.explain(trace.steps[-1]).formulas
    assert formula.endswith("= none of inf = 0.0")
    assert "nan" not in str(trace.explain(trace.steps[-1]))
    assert repr(mg.why(graph, y, x)).startswith("∂y/∂x = 0.0: there is one path")
