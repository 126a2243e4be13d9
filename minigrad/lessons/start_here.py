"""The prediction in the first notebook: the gradients of ``w = x*y + x`` at x = 3, y = 4."""

from __future__ import annotations

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.lessons.examples import gradient, leaf
from minigrad.lessons.question import Mistake, Question


def _truth() -> dict[str, float]:
    x, y = leaf(3.0), leaf(4.0)
    graph = ComputationGraph()
    with graph:
        w = x * y + x
    backward(graph, w)
    return {"x_grad": gradient(x), "y_grad": gradient(y)}


question = Question(
    _truth,
    [
        Mistake(
            "x_grad", 4, "that is what comes through the product; x is used in a second place."
        ),
        Mistake("x_grad", 1, "that is what comes through the sum; x is used in the product too."),
        Mistake("x_grad", 3, "that is the value of x; ask how much w moves when x moves."),
        Mistake("x_grad", 15, "that is the value of w; ask how much w moves when x moves."),
        Mistake("y_grad", 4, "a product passes on the other operand, and for y that is x."),
        Mistake("y_grad", 5, "that belongs to x; y is used in one place only."),
    ],
    right="Now see where each part comes from.",
    help_text="Nudge it: put 3.001 in place of 3, and see by how many thousandths w moves.",
    explanation="x reaches w along two paths: through the product, where it counts y = 4 times, "
    "and directly, where it counts once. y reaches w through the product only, x = 3 times.",
)
check, hint, solution = question.check, question.hint, question.solution
