"""What numpy, math and Python's own functions do with a tensor: nothing is lost in silence."""

import cmath
import math
import random
import re
from math import exp

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import TensorError


@pytest.fixture
def w():
    return mg.Tensor(15.0, requires_grad=True, name="w")


@pytest.fixture
def x():
    return mg.Tensor([1.0, 2.0], requires_grad=True, name="x")


ANY = "lose the gradient|setting an array element"
LOST = "would give plain numbers and lose the gradient"


@pytest.mark.parametrize(
    ("compute", "way"),
    [
        (lambda x: np.exp(x), r"x\.exp\(\) or mg\.exp\(x\)"),
        (lambda x: np.exp([x[0], x[1]]), r"x\.exp\(\)"),
        (lambda x: np.maximum(x, 0), r"mg\.maximum\(x, y\)"),
        (lambda x: np.multiply(x, 2), r"x \* y"),
        (lambda x: np.sum(x), r"mg\.sum\(x"),
        (lambda x: np.add.reduce(x), r"mg\.sum\(x"),
        (lambda x: np.add.reduce([x[0], x[1]]), r"mg\.sum\(x"),
        (lambda x: np.prod(x), r"x \* y"),
        (lambda x: np.prod([x[0], x[1]]), r"numpy\.prod .*x \* y"),
        (lambda x: np.mean([x[0], x[1]]), r"mg\.mean\(x"),
        (lambda x: np.dot([x[0], x[1]], [1, 2]), "x @ y"),
        (lambda x: np.stack([x, x]), r"mg\.stack\("),
        (lambda x: np.linalg.norm([x[0], x[1]]), r"mg\.sqrt\("),
        (lambda x: np.ones(2) * [x[0], x[1]], r"mg\.stack\(\[x, y\]\)"),
        (lambda x: np.tan(x), r"mg\.sin\(x\) / mg\.cos\(x\)"),
        (lambda x: np.sinc(x), "no op of that name"),
        (lambda x: math.exp(x[0]), r"math\.exp .*x\.exp\(\)"),
        (lambda x: exp(x[0]), r"math\.exp .*x\.exp\(\)"),
        (lambda x: cmath.exp(x[0]), r"x\.exp\(\)"),
        (lambda x: math.fsum([x[0], x[1]]), r"x \+ y"),
        (lambda x: np.vstack([x, x]), r"mg\.stack\("),
        (lambda x: np.vdot(x, x), r"mg\.sum\(x \* y\)"),
    ],
)
def test_functions_are_refused_with_the_way_to_write_them(x, compute, way):
    with mg.ComputationGraph(), pytest.raises(TensorError, match=f"{LOST}.*write .*{way}|{way}"):
        compute(x)


def store(x):
    np.zeros(2)[0] = x[0]


def store_slice(x):
    np.zeros(2)[:] = x


def add_to_an_element(x):
    a = np.ones(2)
    a[0] += x[0]


def add_a_list(x):
    a = np.ones(2)
    a += [x[0], x[1]]


@pytest.mark.parametrize("put", [store, store_slice, add_to_an_element, add_a_list])
def test_nothing_is_lost_in_an_array(x, put):
    with mg.ComputationGraph(), pytest.raises(ValueError, match=ANY) as told:
        put(x)
    # numpy puts a ValueError of its own on top where it is to store one number
    error = told.value if isinstance(told.value, TensorError) else told.value.__cause__
    assert isinstance(error, TensorError)
    assert re.search(rf"{LOST}; write .*mg\.stack\(\[x, y\]\)", str(error))
    with mg.no_grad():
        put(x)


def test_an_array_cannot_take_a_tensor_in(x):
    array = np.ones(2)
    with mg.ComputationGraph(), pytest.raises(TensorError, match=r"write a = a \* t"):
        array *= x


@pytest.mark.parametrize(
    "read",
    [
        float,
        int,
        round,
        np.asarray,
        np.float64,
        math.isfinite,
        math.floor,
        math.trunc,
        lambda w: np.array([w, w]),
        lambda w: np.testing.assert_allclose([w], [15.0]),
        lambda w: np.testing.assert_allclose(w, 15.0),
        lambda w: np.allclose(w, 15.0) and np.allclose([w], [15.0]),
        lambda w: math.isclose(w, 15.0),
        lambda w: np.isnan(w),
        lambda w: np.shape(w),
        lambda w: np.argmax(w),
        lambda w: np.zeros_like(w),
        lambda w: np.random.default_rng(0).normal(w),
        lambda w: random.choice([w]),
        lambda w: "%.2f" % w,  # noqa: UP031 - that form is the test
        lambda w: math.exp(float(w)),
    ],
)
def test_numbers_are_given_where_no_gradient_is_lost(w, read):
    read(w)


def test_losses_can_be_plotted(w):
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    (line,) = axes.plot([w, w])
    assert line.get_ydata().tolist() == [15.0, 15.0]
    axes.scatter([w], [w])


def test_where_no_gradient_is_wanted_math_may_have_the_numbers(w):
    class Exponential(mg.Differentiable):
        def forward(self, inputs):
            return np.float32(math.exp(inputs[0]))

        def backward(self, grad_output, inputs, output):
            return [grad_output * math.exp(inputs[0])]

    ops = mg.OpRegistry()
    ops.register("e", Exponential())
    graph, zero = mg.ComputationGraph(ops), mg.Tensor(0.0, True)
    graph.apply("e", zero).backward()
    assert zero.grad == 1.0
    with mg.no_grad():
        assert math.sqrt(w) == pytest.approx(15**0.5)
    assert math.sqrt(w.detach()) == pytest.approx(15**0.5)


@pytest.mark.parametrize(
    "compare",
    [
        lambda w: w == 15.0,
        lambda w: w != 15.0,
        lambda w: 15 == w,  # noqa: SIM300 - a number on the left is the test
        lambda w: w == np.float32(15),
        lambda w: np.float64(15) == w,
        lambda w: np.ones(2) == w,
        lambda w: w == [15.0],
        lambda w: w == [[15]],
    ],
)
def test_a_tensor_is_not_compared_with_numbers_by_equality(w, compare):
    with pytest.raises(TensorError, match=r"same tensor.*t\.item\(\) == 15"):
        compare(w)


def test_equality_of_tensors_is_identity_for_dicts_sets_and_lists(w, x):
    other = mg.Tensor(15.0)
    assert (w == w, w == other, w != other) == (True, False, True)
    assert {w: 1, other: 2}[w] == 1
    assert len({w, other, w}) == 2
    assert [other, x, w].index(w) == 2
    assert w in [other, w]
    assert w not in [other, x]
    assert (w == None, w == "w", w == [], w == [other]) == (False,) * 4  # noqa: E711
    assert w == pytest.approx(15.0)


@pytest.mark.parametrize(
    "compute",
    [
        lambda w: w // 2,
        lambda w: 7 % w,
        lambda w: divmod(w, 2),
        lambda w: divmod(np.float64(7), w),
        lambda w: np.ones(2) // w,
    ],
)
def test_quotients_that_jump_are_refused(w, compute):
    with pytest.raises(TensorError, match="use / for a quotient"):
        compute(w)


def test_an_order_with_an_array_on_the_left_is_told_as_with_a_tensor(x):
    with pytest.raises(TensorError, match=r"t\.item\(\) > 0"):
        np.ones(2) < x  # noqa: B015


def test_numbers_are_written_and_rounded(w, x):
    assert (f"{w:.2f}", f"{w:8.1f}", f"{x:.1f}") == ("15.00", "    15.0", "[1.0, 2.0]")
    assert f"{w}" == str(w)
    assert (int(mg.Tensor(2.7)), round(mg.Tensor(2.7)), round(mg.Tensor(2.71), 1)) == (2, 3, 2.7)
    assert (x.tolist(), w.tolist(), x.ndim, x.size) == ([1.0, 2.0], 15.0, 1, 2)
    x.numpy()[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    for ask in (int, float, round):
        with pytest.raises(TensorError, match=r"shape \(2,\)"):
            ask(x)
    with pytest.raises(TensorError, match="cannot be written as 'q'"):
        f"{w:q}"
    with pytest.raises(TensorError, match="nan"):
        int(mg.Tensor(math.nan))
