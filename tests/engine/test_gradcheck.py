"""`gradcheck` near borders and kinks: a right backward is not blamed, and a wrong one is."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import GradcheckError
from minigrad.engine.recorders import operate


def leaf(value):
    return mg.Tensor(np.asarray(value, float), requires_grad=True)


def op(name, **attrs):
    return lambda *operands: operate(name, operands, attrs)


@pytest.mark.parametrize(
    ("function", "places"),
    [
        ("log", [[1e-9]]),
        ("log", [1e-300]),
        ("sqrt", [1e-12]),
        ("div", [1.0, 1e-9]),
        ("div", [1.0, -1e-9]),
        ("pow", [1e-10, 0.5]),
        ("pow", [1e-8, -1.5]),
        ("relu", [1e-7]),
        ("relu", [-1e-9]),
        ("abs", [[1e-8, -1e-10]]),
        ("exp", [-700.0]),
        (lambda x: op("log")(x + 1e-9), [0.0]),
        (lambda x: op("sqrt")(op("relu")(x)), [-1.0]),
        (lambda x: op("log")(op("sqrt")(x)), [1e-20]),
        (lambda x: op("clip", low=0.0, high=1.0)(x), [1 - 1e-7]),
        (lambda x: x[x.data > 0] * 2, [[1e-8, 1.0]]),
        (lambda x: op("where", condition=x.data > 0)(x, x * 0.0 + 5.0), [[1e-8, 1.0]]),
        (lambda x: x * x + 1e10, [1.0]),
        (lambda x: x * np.float32(3), [3.0]),
    ],
)
def test_a_right_backward_is_not_blamed_however_near_the_border(function, places):
    mg.gradcheck(function, [leaf(place) for place in places])


@pytest.mark.parametrize(
    ("function", "place", "message"),
    [
        ("relu", 0.0, r"a kink there, with slope 0 below and 1 above; analytic 0"),
        (op("clip", low=0.0, high=1.0), 1.0, "a kink there, with slope 1 below and 0 above"),
        ("sqrt", 0.0, "cannot be measured: with .* the function gives nan: it ends near there"),
        (lambda x: x**1.5, 0.0, "the function gives nan: it ends near there"),
        ("log", 0.0, "the function gives -inf at these inputs, where there is no slope"),
        ("log", -1.0, "the function gives nan at these inputs"),
        (lambda x: x[x.data > 0] * 2, [0.0, 1.0], "gives shape .2,., and not .1,.: a mask or an"),
        (lambda x: (x[x.data > 0] + 1.0).sum(), [0.0, 1.0], "it jumps there"),
        (lambda x: op("where", condition=x.data > 0)(x, x + 5.0), 0.0, "it jumps there"),
    ],
)
def test_what_cannot_be_measured_is_told_as_that(function, place, message):
    with pytest.raises(GradcheckError, match=message) as told:
        mg.gradcheck(function, [leaf(place)])
    assert "look at the backward" not in str(told.value)


def test_randomness_is_told_as_that():
    rng, calls = np.random.default_rng(0), []

    def counting(x):
        calls.append(x)
        return x * float(len(calls))

    for function in (
        lambda x: x * rng.random(),
        lambda x: x * (rng.random(4) < 0.5),
        lambda x: x[: rng.integers(1, 5)],
        counting,
    ):
        with pytest.raises(GradcheckError, match=r"called again .* there is randomness in it, or"):
            mg.gradcheck(function, [leaf(np.ones(4))])


def test_a_function_with_a_graph_of_its_own_is_told_so():
    def square(x):
        with mg.ComputationGraph():
            return x * x

    with pytest.raises(GradcheckError, match="records into a graph of its own"):
        mg.gradcheck(square, [leaf(3.0)])


WRONG = {
    "one percent off": (np.log, lambda g, a: [g / a * 1.01], [2.0]),
    "one percent off, at the border": (np.log, lambda g, a: [g / a * 1.01], [1e-9]),
    "one percent off, where it is steep": (
        lambda a: 1 / a,
        lambda g, a: [g / a**2 * -1.01],
        [1e-9],
    ),
    "one percent off, beside a kink": (np.abs, lambda g, a: [g * np.sign(a) * 0.99], [1e-8]),
    "one percent off, far from zero": (lambda a: a * a + 1e10, lambda g, a: [g * a * 2.02], [1.0]),
    "the wrong sign": (np.log, lambda g, a: [-g / a], [1e-9]),
    "a forgotten factor": (np.sqrt, lambda g, a: [g / np.sqrt(a)], [1e-12]),
    "a forgotten term": (lambda a, b: a * b + a, lambda g, a, b: [g * b, g * a], [3.0, 1e-9]),
    "not transposed": (
        np.dot,
        lambda g, a, b: [g @ b, a.T @ g],
        [[[1, 2], [3, 5]], [[1, 2], [4, 3]]],
    ),
    "beyond both sides of a kink": (lambda a: np.maximum(a, 0), lambda g, a: [g * 7], [0.0]),
    "infinite": (np.sin, lambda g, a: [g * np.inf], [1.0]),
    "nan": (np.sin, lambda g, a: [g * np.nan], [1.0]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_backward_is_still_found(name):
    function, rule, places = WRONG[name]

    class Wrong(mg.Differentiable):
        def forward(self, inputs):
            return function(*[one.values for one in inputs])

        def backward(self, grad_output, inputs, output):
            return rule(grad_output, *[one.values for one in inputs])

    mg.registry.register("wrong", Wrong())
    try:
        with pytest.raises(
            GradcheckError, match=r"differs: numeric .*, analytic .*look at the back"
        ):
            mg.gradcheck("wrong", [leaf(place) for place in places])
    finally:
        del mg.registry._ops["wrong"]  # other tests look at all registered ops


def test_a_function_that_fails_now_and_then_is_told_as_that():
    calls = []

    def function(t):
        calls.append(t)
        if len(calls) == 4:
            raise ValueError("now and then")
        return t * 2

    with pytest.raises(GradcheckError, match="cannot be measured: with 3 the function fails"):
        mg.gradcheck(function, [mg.Tensor(3.0, requires_grad=True)])
