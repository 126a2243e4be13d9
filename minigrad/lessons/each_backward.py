"""Notebook 07: the local derivative of each op, measured; and the running example to its end."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.ops import registry
from minigrad.lessons.answers import Answer, matches
from minigrad.lessons.examples import Running, contributions, gradient, leaf
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import Task, answer_of
from minigrad.lessons.trying_ops import OneOperand

WIDTH = 0.25  # far apart, so that each wrong formula gives another number


def central_difference(f: Callable[[float], float], x: float, h: float = 1e-4) -> float:
    """Measure the slope of `f` at `x`, from both sides.

    Examples
    --------
    >>> round(central_difference(lambda t: t**3, 2.0), 6)
    12.0
    """
    return (f(x + h) - f(x - h)) / (2 * h)


def _arithmetic() -> dict[str, Answer]:
    sub_a, sub_b = contributions(registry.get("sub"), 1.0, 6.0, 2.0)
    div_a, div_b = contributions(registry.get("div"), 1.0, 6.0, 2.0)
    return {"sub_a": sub_a, "sub_b": sub_b, "div_a": div_a, "div_b": div_b}


def _curves() -> dict[str, Answer]:
    return {
        "tanh_at_half": contributions(registry.get("tanh"), 1.0, 0.5)[0],
        "relu_at_minus_2": contributions(registry.get("relu"), 1.0, -2.0)[0],
    }


def _by_hand() -> dict[str, Answer]:
    example = Running()
    backward(example.graph, example.w, order=[1])
    after_add = gradient(example.x)
    example.x.zero_grad()
    x, y = example.gradients()
    return {
        "w_grad": gradient(example.w),
        "z_grad": gradient(example.z),
        "x_after_add": after_add,
        "x_after_mul": x,
        "y_after_mul": gradient(example.y) if y is None else y,
    }


def _squares() -> dict[str, Answer]:
    graph, x, y = ComputationGraph(), leaf(3.0), leaf(2.0)
    with graph:
        w = (x - y) * (x + y)
    backward(graph, w)
    return {"x_grad": gradient(x), "y_grad": gradient(y)}


def _examine_slope(slope: Any) -> str | None:
    def square(t: float) -> float:
        return t * t

    got = answer_of(slope, square, 3.0, WIDTH)
    right = central_difference(square, 3.0, WIDTH)
    if matches(got, right):
        cubed = answer_of(slope, lambda t: t**3, -2.0, 1e-4)
        return None if matches(cubed, 12.0) else f"For t³ at -2 it gives {cubed}; right is 12."
    wrongs: dict[str, Callable[[float], float]] = {
        "That starts from the middle: go from x - h to x + h.": lambda h: (square(3 + h) - 9) / h,
        "That stops in the middle: go from x - h to x + h.": lambda h: (9 - square(3 - h)) / h,
        "From x - h to x + h it is 2h, not h.": lambda h: right * 2,
        "Divide by the way from x - h to x + h, which is 2h.": lambda h: right * 2 * h,
        "Divide by 2h, with parentheses: in Python `/ 2 * h` multiplies by h.": (
            lambda h: right * h * h
        ),
        "The sign is wrong: f(x + h) comes first.": lambda h: -right,
    }
    for hint, formula in wrongs.items():
        if matches(got, formula(WIDTH)):
            return hint
    return f"For t² at 3 with h = {WIDTH} it gives {got}. {_SLOPE_HELP}"


_SLOPE_HELP = "How far does f get from x - h to x + h? Divide by how far x got, which is 2h."

slope = Task(
    _examine_slope,
    right="Rise over run, with the point in the middle.",
    help_text=_SLOPE_HELP,
    explanation="One way to write it:",
    code="""def slope(f, x, h=1e-4):
    return (f(x + h) - f(x - h)) / (2 * h)""",
)

arithmetic = Question(
    _arithmetic,
    [
        Mistake("sub_a", -1, "if `a` grows, `a - b` grows."),
        Mistake("sub_b", 1, "if `b` grows, `a - b` shrinks: mind the sign."),
        Mistake("sub_a", 6, "that is the value of `a`; a sum or difference just moves along."),
        Mistake("sub_b", 2, "that is the value of `b`; a sum or difference just moves along."),
        Mistake("div_a", 2, "that is `b`; `a` is divided by it."),
        Mistake("div_a", 3, "that is the value of `a/b`."),
        Mistake("div_b", 1.5, "if `b` grows, `a/b` shrinks: mind the sign."),
        Mistake("div_b", -3, "a/b · (-1/b): there is one more `b` below."),
        Mistake("div_b", -0.25, "that is -1/b²; the `a` above is still missing."),
        Mistake("div_b", 6, "that is the value of `a`; the derivative of 1/b is -1/b²."),
        Mistake("div_b", 0.5, "that is the derivative for `a`."),
    ],
    right="1 and -1; 1/b and -a/b².",
    help_text="Write a/b as a · b⁻¹ and use the power rule for `b`.",
    explanation="a - b moves with a and against b. a/b has 1/b for a, and -a/b² for b.",
)

curves = Question(
    _curves,
    [
        Mistake("tanh_at_half", 0.75, "1 - x²: square the output, not the input."),
        Mistake("tanh_at_half", math.tanh(0.5), "that is the output; the rule is 1 - output²."),
        Mistake("tanh_at_half", math.tanh(0.5) ** 2, "that is output²; it is taken from 1."),
        Mistake("relu_at_minus_2", 1, "that is so above 0; below 0 the output stays 0."),
        Mistake("relu_at_minus_2", -2, "below 0 the output stays 0, however x moves."),
    ],
    right="Both can be read off the output alone.",
    help_text="For tanh it is 1 - output², and `np.tanh(0.5)` is the output. relu is flat below 0.",
    explanation="tanh has 1 - tanh(0.5)²; relu stands still below 0.",
)

by_hand = Question(
    _by_hand,
    [
        Mistake("w_grad", 0, "before the seed, yes; the seed makes it 1: w moves just as w does."),
        Mistake("w_grad", 15, "that is the value of `w`."),
        Mistake("z_grad", 12, "that is the value of `z`; `add` passes on a gradient."),
        Mistake("z_grad", 4, "`add` passes its gradient on unchanged."),
        Mistake("x_after_add", 0, "`x` is an operand of `add` too."),
        Mistake("x_after_add", 3, "that is the value of `x`; `add` passes on a gradient."),
        Mistake("x_after_add", 5, "that is the end; `mul` has not been visited yet."),
        Mistake("x_after_mul", 4, "that is the new part; `x` held 1 already, and it is added."),
        Mistake("x_after_mul", 3, "a product passes on the other operand: `x` gets `y`."),
        Mistake("y_after_mul", 4, "a product passes on the other operand: `y` gets `x`."),
        Mistake("y_after_mul", 5, "that belongs to `x`; `y` has one arrow only."),
    ],
    right="That is the whole backward pass, by hand.",
    help_text="Seed 1 at `w`. `add` passes it on to `z` and to `x`. `mul` passes z.grad on, times "
    "the other operand, and adds.",
    explanation="The seed is 1. add hands it on to z and x. mul hands on 1 · 4 to x, which has 1 "
    "already, and 1 · 3 to y.",
)

sigmoid = Task(
    OneOperand(
        registry.get("sigmoid"),
        [0.5, -2.0],
        {
            1 / (1 + math.exp(0.5)): "Mind the sign: 1 / (1 + e⁻ˣ).",
            1 + math.exp(-0.5): "One more step: 1 over that.",
            math.tanh(0.5): "That is tanh.",
        },
        {
            "The upstream gradient is missing: multiply by `grad_output`.": (
                lambda x, s, up: s * (1 - s)
            ),
            "That only passes the upstream gradient on: multiply by s · (1 - s).": (
                lambda x, s, up: up
            ),
            "That is the rule for the output, but you gave it the input: `output` is s.": (
                lambda x, s, up: up * x * (1 - x)
            ),
            "That is the rule of tanh, 1 - s²; here it is s · (1 - s).": (
                lambda x, s, up: up * (1 - s * s)
            ),
            "The factor 1 - s is missing.": lambda x, s, up: up * s,
            "The factor s is missing.": lambda x, s, up: up * (1 - s),
        },
    ),
    right="And `backward` did not look at its input at all.",
    help_text="With s for the output: the local derivative is s · (1 - s). `output.values` is s; "
    "use np.exp in `forward`.",
    explanation="One way to write it:",
    code="""class Sigmoid(mg.Differentiable):
    def forward(self, inputs):
        return 1 / (1 + np.exp(-inputs[0].values))

    def backward(self, grad_output, inputs, output):
        s = output.values
        return [grad_output * s * (1 - s)]""",
)

squares = Question(
    _squares,
    [
        Mistake("x_grad", 5, "that is the part through x - y; `x` is in the other factor too."),
        Mistake("x_grad", 1, "that is the part through x + y; `x` is in the other factor too."),
        Mistake("y_grad", -5, "that is the part through x - y; `y` is in the other factor too."),
        Mistake("y_grad", 1, "that is the part through x + y; `y` is in the other factor too."),
        Mistake("y_grad", 4, "right size; which way does `w` move if `y` grows?"),
        Mistake("y_grad", 6, "through x - y the sign turns round: -5 + 1."),
    ],
    right="As it must be: w = x² - y², with the derivatives 2x and -2y.",
    help_text="The product passes 5 to x - y and 1 to x + y; then each of them passes it on.",
    explanation="The factor x - y = 1 gets 5, the factor x + y = 5 gets 1. So x gets 5 + 1, and y "
    "gets -5 + 1.",
)
