"""Notebook 01: what a computation forgets, and by how much a result moves."""

from __future__ import annotations

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.lessons.examples import Running, gradient, leaf
from minigrad.lessons.question import Mistake, Question


def _nudge() -> dict[str, float]:
    return {"times": Running().gradients()[0]}


def _nudge_y() -> dict[str, float]:
    example = Running()
    example.gradients()
    return {"times": gradient(example.y)}


def _paths() -> dict[str, float]:
    in_product, in_sum, y = leaf(3.0), leaf(3.0), leaf(4.0)
    graph = ComputationGraph()
    with graph:
        w = in_product * y + in_sum
    backward(graph, w)
    return {"in_product": gradient(in_product), "in_sum": gradient(in_sum)}


def _another() -> dict[str, float]:
    x, y = leaf(2.0), leaf(5.0)
    graph = ComputationGraph()
    with graph:
        w = (x + y) * x
    backward(graph, w)
    return {"x_grad": gradient(x), "y_grad": gradient(y)}


nudge = Question(
    _nudge,
    [
        Mistake("times", 4, "that is what comes through the product `x*y`; `x` is added too."),
        Mistake("times", 1, "that is what comes from adding `x`; it is in the product too."),
        Mistake("times", 3, "that is the value of `x`; the question is how far `w` moves."),
        Mistake("times", 15, "that is the value of `w`; the question is how far it moves."),
        Mistake("times", 0.005, "that is how far `w` moves; how many times 0.001 is it?"),
    ],
    right="`w` moves five times as far as `x`.",
    help_text="Work out `w` for x = 3.001 and y = 4, and see what is new in it.",
    explanation="3.001 · 4 + 3.001 is 15.005: 0.004 more from the product, 0.001 more from the "
    "sum.",
)

nudge_y = Question(
    _nudge_y,
    [
        Mistake("times", 4, "that is `y` itself; in the product `y` is counted `x` times."),
        Mistake("times", 5, "that belongs to `x`, which is used twice; `y` is used once."),
        Mistake("times", 1, "`y` is multiplied by `x` before it reaches `w`."),
    ],
    right="`y` reaches `w` through the product only, and there it is counted `x` = 3 times.",
    help_text="Work out `w` for x = 3 and y = 4.001.",
    explanation="3 · 4.001 + 3 is 15.003.",
)

paths = Question(
    _paths,
    [
        Mistake("in_product", 1, "that is the other place; here a nudge is multiplied by `y`."),
        Mistake("in_product", 3, "in the product a nudge of `x` is multiplied by `y`, not by `x`."),
        Mistake("in_product", 5, "that is both places together; nudge only the one in `x*y`."),
        Mistake("in_sum", 4, "that is the other place; nothing multiplies the `x` that is added."),
        Mistake("in_sum", 3, "that is the value of `x`; a nudge of 0.001 is added as 0.001."),
        Mistake("in_sum", 5, "that is both places together; nudge only the one that is added."),
    ],
    right="Two places, two parts: 4 and 1. Together they are the 5 from before.",
    help_text="Put 3.001 in one place and leave 3 in the other.",
    explanation="3.001 · 4 + 3 is 15.004, and 3 · 4 + 3.001 is 15.001.",
)

another = Question(
    _another,
    [
        Mistake("x_grad", 7, "that is the part through the second factor; `x` is in the sum too."),
        Mistake("x_grad", 2, "that is the part through `x + y`; `x` is the second factor too."),
        Mistake("x_grad", 14, "that is the value of `w`; the question is how far it moves."),
        Mistake("y_grad", 7, "that belongs to the second factor, which is `x`."),
        Mistake("y_grad", 1, "so far moves the sum; then the product multiplies it by `x`."),
        Mistake("y_grad", 5, "that is `y` itself; what multiplies the sum that `y` is part of?"),
    ],
    right="You followed every path from `x` to `w`.",
    help_text="Nudge: compare (2.001 + 5) · 2.001 with 14, then (2 + 5.001) · 2 with 14.",
    explanation="Through the sum, `x` counts twice as it is multiplied by x = 2; as the second "
    "factor it counts x + y = 7 times. `y` has the first of these paths only.",
)
