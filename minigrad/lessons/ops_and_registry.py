"""Notebook 02: an op is its forward and its backward; the registry knows them by name."""

from __future__ import annotations

from minigrad.engine.ops import Differentiable, registry
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values
from minigrad.lessons.examples import contributions
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import Task
from minigrad.lessons.trying_ops import OneOperand

ENDS = ("message", "key error", "nothing")


def _mul_backward() -> dict[str, float]:
    for_x, for_y = contributions(registry.get("mul"), 1.0, 3.0, 4.0)
    return {"for_x": for_x, "for_y": for_y}


def _with_upstream() -> dict[str, float]:
    for_x, for_y = contributions(registry.get("mul"), 2.0, 3.0, 4.0)
    return {"for_x": for_x, "for_y": for_y}


def _without_inputs() -> dict[str, str]:
    mul = registry.get("mul")
    # the same output and the same upstream gradient: with one answer for both, "yes" would be right
    same = contributions(mul, 1.0, 3.0, 4.0) == contributions(mul, 1.0, 2.0, 6.0)
    return {"possible": "yes" if same else "no"}


class _Cube(Differentiable):
    """The op that the task asks for."""

    def forward(self, inputs: list[Tensor]) -> Values:  # type: ignore[override]
        """Return ``x³``."""
        return inputs[0].values ** 3

    def backward(  # type: ignore[override]
        self, grad_output: Values, inputs: list[Tensor], output: Tensor
    ) -> list[Values]:
        """Multiply by ``3x²``."""
        return [grad_output * 3 * inputs[0].values ** 2]


mul_backward = Question(
    _mul_backward,
    [
        Mistake("for_x", 3, "that is `x` itself; if `x` moves, what is it multiplied by?"),
        Mistake("for_y", 4, "that is `y` itself; if `y` moves, what is it multiplied by?"),
        Mistake("for_x", 1, "that would be a sum; in a product a nudge of `x` is multiplied."),
        Mistake("for_y", 1, "that would be a sum; in a product a nudge of `y` is multiplied."),
        Mistake("for_x", 12, "that is the output; the question is how far it moves."),
        Mistake("for_y", 12, "that is the output; the question is how far it moves."),
    ],
    right="Each operand gets the value of the other one.",
    help_text="Nudge: 3.001 · 4 and 3 · 4.001.",
    explanation="The product moves y times as far as x, and x times as far as y.",
)

with_upstream = Question(
    _with_upstream,
    [
        Mistake("for_x", 4, "so far moves `z`; the result moves 2 times as far as `z`."),
        Mistake("for_y", 3, "so far moves `z`; the result moves 2 times as far as `z`."),
        Mistake("for_x", 6, "that belongs to `y`: each operand gets the value of the other."),
        Mistake("for_y", 8, "that belongs to `x`: each operand gets the value of the other."),
        Mistake("for_x", 2, "that is the upstream gradient alone; `z` moves faster than `x`."),
        Mistake("for_y", 2, "that is the upstream gradient alone; `z` moves faster than `y`."),
    ],
    right="Upstream gradient times local derivative, for each operand.",
    help_text="Two speeds one after the other are multiplied.",
    explanation="The result moves 2 times as far as z, and z moves 4 times as far as x and 3 times "
    "as far as y.",
)

without_inputs = Question(
    _without_inputs,
    [
        Mistake(
            "possible",
            "yes",
            "both calls give it the same two numbers, 1.0 and 12.0, but ask for other answers.",
        )
    ],
    right="From equal numbers it could only make equal answers.",
    help_text="Which numbers would it be given for the first call, and which for the second?",
    explanation="Both calls have the output 12 and the upstream gradient 1, but the first needs 4 "
    "and 3, and the second 6 and 2.",
    choices={"possible": ("yes", "no")},
)

unknown_name = Question(
    lambda: {"debug": "message", "release": "key error"},
    [
        Mistake("debug", "key error", "the `assert` stands before the look-up, and it is checked."),
        Mistake("debug", "nothing", "the `assert` finds that the name is not there."),
        Mistake("release", "message", "that text belongs to the `assert`, which is left out now."),
        Mistake("release", "nothing", "the look-up `ops[name]` still needs the name."),
    ],
    right="The assertion speaks only where it was not left out.",
    help_text="Read `find` line by line. In the release run, skip the line with `assert`.",
    explanation="With assertions on, the friendly message comes first. Without them the dictionary "
    "itself complains about a missing key.",
    choices={"debug": ENDS, "release": ENDS},
)

cube = Task(
    OneOperand(
        _Cube(),
        [2.0, -1.5, 0.0],
        {6.0: "That is three times x.", 4.0: "That is x squared."},
        {
            "The upstream gradient is missing: multiply by `grad_output`.": lambda x, z, up: (
                3 * x * x
            ),
            "That only passes the upstream gradient on: multiply by the derivative of x³.": (
                lambda x, z, up: up
            ),
            "The derivative of x³ is not 3x: the power goes down by one, from 3 to 2.": (
                lambda x, z, up: up * 3 * x
            ),
            "The derivative of x³ is not x²: the 3 comes down in front.": lambda x, z, up: (
                up * x * x
            ),
            "That multiplies by the output; the local derivative of x³ is wanted.": (
                lambda x, z, up: up * z
            ),
            "Upstream gradient and local derivative are multiplied, not added.": (
                lambda x, z, up: up + 3 * x * x
            ),
        },
    ),
    right="An op of your own, both ways.",
    help_text="The derivative of x³ is 3x². `backward` multiplies it by `grad_output` and returns "
    "a list with one number in it; `inputs[0].values` is x.",
    explanation="One way to write it:",
    code="""class Cube(mg.Differentiable):
    def forward(self, inputs):
        return inputs[0].values ** 3

    def backward(self, grad_output, inputs, output):
        return [grad_output * 3 * inputs[0].values ** 2]""",
)
