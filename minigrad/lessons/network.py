"""Notebook 08: a neuron, a network that learns, and the same in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minigrad.engine.backward import backward
from minigrad.engine.checks import listed, real_number, whole_number
from minigrad.engine.errors import ArgumentError, told
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.ops import cross_entropy
from minigrad.engine.tensor import Tensor
from minigrad.lessons.answers import Answer
from minigrad.lessons.examples import gradient, leaf
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import NotTriedError, Task

TURNS = 300
SAME = ("same", "different")


def two_moons(count: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return points on two half circles that reach into each other, and which one each is on.

    Parameters
    ----------
    count : int
        How many points.
    seed : int
        Of the random numbers: the same seed gives the same points.

    Examples
    --------
    >>> points, kinds = two_moons(100)
    >>> points.shape, kinds.shape, int(kinds.sum())
    ((100, 2), (100,), 50)
    """
    count = whole_number(count, "count", 1)
    numbers = np.random.default_rng(whole_number(seed, "seed", 0))
    kinds = np.arange(count) % 2
    angle = numbers.uniform(0, np.pi, count)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    points = np.where(kinds[:, None] == 0, upper, lower) + numbers.normal(0, 0.1, (count, 2))
    return points.astype(np.float32), kinds


def downhill(weights: Sequence[Tensor], rate: float) -> None:
    """Move each weight a little against its gradient, and take the gradient away.

    Parameters
    ----------
    weights : sequence of Tensor
        All have a gradient; otherwise an `ArgumentError` is raised and none is moved.
    rate : float
        How far to go for a gradient of 1.

    Examples
    --------
    >>> weight = Tensor(3.0, requires_grad=True)
    >>> weight.grad = weight.values * 0 + 2
    >>> downhill([weight], 0.5)
    >>> weight
    Tensor(2.0, requires_grad=True)
    """
    weights = listed(weights, "weights", "a list of tensors with gradients")
    rate = real_number(rate, "rate")
    for weight in weights:
        if not isinstance(weight, Tensor) or weight.grad is None:
            raise ArgumentError(
                f"each weight must be a tensor with a gradient, not {told(weight)}; call backward "
                f"first"
            )
    for weight in weights:
        weight.data -= rate * np.asarray(weight.grad)
        weight.zero_grad()


def _neuron() -> dict[str, Answer]:
    x1, x2 = Tensor(2.0), Tensor(4.0)
    w1, w2, b = leaf(0.5), leaf(-0.25), leaf(0.0)
    graph = ComputationGraph()
    with graph:
        out = (w1 * x1 + w2 * x2 + b).tanh()
    backward(graph, out)
    return {"w1_grad": gradient(w1), "w2_grad": gradient(w2), "b_grad": gradient(b)}


def _node_count() -> dict[str, Answer]:
    points, kinds = two_moons(4)
    graph = ComputationGraph()
    first, first_bias = Tensor(np.ones((2, 3)), True), Tensor(np.ones(3), True)
    second, second_bias = Tensor(np.ones((3, 2)), True), Tensor(np.ones(2), True)
    with graph:
        hidden = (Tensor(points) @ first + first_bias).tanh()
        cross_entropy(hidden @ second + second_bias, kinds)
    return {"with_reset": len(graph.nodes), "without_reset": TURNS * len(graph.nodes)}


def _examine_descend(descend: Any) -> str | None:
    start = [Tensor([1.0, -2.0], requires_grad=True), leaf(3.0)]
    graph = ComputationGraph()
    with graph:
        loss = (start[0] * start[0]).sum() + start[1] * start[1]
    backward(graph, loss)
    before = [np.array(weight.values) for weight in start]
    steps = [np.array(weight.grad) for weight in start]
    returned = descend(start, 0.25)
    after = [np.asarray(weight.settled()) for weight in start]

    def moved_by(factor: float) -> bool:
        pairs = zip(after, before, steps, strict=True)
        return all(np.allclose(new, old + factor * step) for new, old, step in pairs)

    if moved_by(0.0):
        untouched = all(weight.grad is not None for weight in start)
        if untouched and (returned is None or returned is ...):
            raise NotTriedError
        return "The weights are what they were: change `weight.data`."
    if moved_by(0.25):
        return "That goes uphill: the loss grows along the gradient, so subtract."
    if moved_by(-1.0):
        return "That goes the whole gradient; multiply it by `rate`."
    if moved_by(1.0):
        return "That goes uphill, and the whole gradient: subtract `rate` times the gradient."
    if not moved_by(-0.25):
        if np.allclose(after[0], before[0] - 0.25 * steps[0]):
            return "Only the first weight has moved: go through all of them."
        return "Each weight must move by -rate · gradient."
    if any(weight.grad is not None for weight in start):
        return (
            "The old gradients are still there, and the next run would add to them: `zero_grad()`."
        )
    return None


neuron = Question(
    _neuron,
    [
        Mistake("w1_grad", 0.5, "that is the weight; a product passes on the other operand."),
        Mistake("w2_grad", -0.25, "that is the weight; a product passes on the other operand."),
        Mistake("w1_grad", 1, "so much reaches the product; it multiplies by the other operand."),
        Mistake("w2_grad", 1, "so much reaches the product; it multiplies by the other operand."),
        Mistake("w1_grad", 4, "that is the input beside `w2`."),
        Mistake("w2_grad", 2, "that is the input beside `w1`."),
        Mistake("w1_grad", 0, "1 - output² with the output 0 is 1, not 0."),
        Mistake("w2_grad", 0, "1 - output² with the output 0 is 1, not 0."),
        Mistake("b_grad", 0, "that is the value of `b`; a sum passes its gradient on unchanged."),
    ],
    right="A weight gets the input that it is multiplied by.",
    help_text="The sum is 0, so tanh passes 1 - 0² = 1 on. Sums hand it on, products multiply it "
    "by the other operand.",
    explanation="tanh(0) has the slope 1. The sums hand that on, and the products multiply it by "
    "their inputs.",
)

node_count = Question(
    _node_count,
    [
        Mistake("with_reset", 2, "each layer is more than one call: `@`, `+`, `tanh`."),
        Mistake("with_reset", 5, "the loss leaves a node too."),
        Mistake("with_reset", TURNS, "each turn has more than one call; and the list is emptied."),
        Mistake("with_reset", 6 * TURNS, "`reset()` empties the list at the start of each turn."),
        Mistake("without_reset", 6, "nothing empties the list then."),
        Mistake("without_reset", TURNS, "each turn leaves six nodes."),
    ],
    right="One short list, filled anew in each turn.",
    help_text="Count the calls in `scores` and the loss. The loop has 300 turns.",
    explanation="Two matrix products, two sums, one tanh and the loss.",
)

descend = Task(
    _examine_descend,
    right="Downhill, and with clean gradients for the next turn.",
    help_text="For each weight: subtract `rate * weight.grad` from `weight.data`, then call "
    "`weight.zero_grad()`.",
    explanation="One way to write it:",
    code="""def descend(weights, rate):
    for weight in weights:
        weight.data -= rate * weight.grad
        weight.zero_grad()""",
)

pytorch = Question(
    lambda: {
        "leaves_add_up": "same",
        "only_ancestors": "same",
        "history_in_tensors": "different",
        "with_graph": "different",
    },
    [
        Mistake("leaves_add_up", "different", "there, too, one calls zero_grad before a new run."),
        Mistake(
            "only_ancestors", "different", "it walks from the one output along its inputs too."
        ),
        Mistake(
            "history_in_tensors", "same", "minigrad has one list; there each tensor owns a part."
        ),
        Mistake("with_graph", "same", "there no graph is opened; it records wherever you are."),
    ],
    right="The same chain rule, kept in another place.",
    help_text="Think of notebook 04: who owns the history in each of the two?",
    explanation="Both add up in leaves, and both walk the ancestors of one output. PyTorch keeps "
    "the history in the tensors, so it needs no `with graph:`.",
    choices=dict.fromkeys(
        ("leaves_add_up", "only_ancestors", "history_in_tensors", "with_graph"), SAME
    ),
)
