"""Notebook 06: the chapter's five questions, and four on the traps."""

from __future__ import annotations

import numpy as np

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.ops import mul, registry
from minigrad.engine.order import ancestor_backward_order
from minigrad.engine.tensor import Tensor
from minigrad.lessons.answers import Answer
from minigrad.lessons.examples import Running, contributions, gradient, leaf
from minigrad.lessons.question import Mistake, Question

GARBAGE = 7.0
LETTERS = ("a", "b", "c")


def _two_nodes() -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    for position, node in enumerate(Running(5.0, 2.0).graph.nodes):
        found[f"op_{position}"] = node.op_name
        found[f"inputs_{position}"] = [tensor.item() for tensor in node.inputs]
        found[f"output_{position}"] = node.output.item()
        found[f"grad_{position}"] = float(node.grad)
    return found


def _both_frozen() -> dict[str, Answer]:
    graph, x, y = ComputationGraph(), Tensor(3.0), Tensor(4.0)
    result = mul(graph, x, y)
    return {
        "after_x": x.requires_grad,
        "after_y": x.requires_grad or y.requires_grad,
        "nodes": len(graph.nodes),
        "result": result.item(),
        "result_requires_grad": result.requires_grad,
    }


def _later_use() -> dict[str, Answer]:
    example = Running(unused=True)
    r = mul(example.graph, example.q, example.x)
    of_w = ancestor_backward_order(example.graph, example.w)
    without = Running().gradients()
    return {
        "order_of_w": of_w,
        "order_of_r": ancestor_backward_order(example.graph, r),
        "sub_leads_to_w": 1 in of_w,
        "x_grad_is_changed": example.gradients() != without,
    }


def _zeros() -> dict[str, Answer]:
    sub = registry.get("sub")
    right = Running().gradients()[0]
    return {
        "sub_adds": contributions(sub, 0.0, 3.0, 1.0)[0],
        "x_grad_with_garbage": right + contributions(sub, GARBAGE, 3.0, 1.0)[0],
        "why": "a",
    }


def _square() -> dict[str, Answer]:
    graph, x = ComputationGraph(), leaf(3.0)
    with graph:
        w = x * x
    backward(graph, w)
    return {"x_grad": gradient(x)}


def _twice() -> dict[str, Answer]:
    graph, x = ComputationGraph(), leaf(3.0)
    with graph:
        z = 2.0 * x
        w = 5.0 * z
    backward(graph, w)
    backward(graph, w)
    return {"x_grad": gradient(x), "z_grad": gradient(z)}


def _mean_removed() -> dict[str, Answer]:
    graph, x = ComputationGraph(), Tensor([1.0, 2.0, 6.0], requires_grad=True)
    with graph:
        total = (x - x.mean()).sum()
    backward(graph, total)
    return {"x_grad": np.asarray(x.grad).tolist()}


def _frozen_factor() -> dict[str, Answer]:
    graph, x, k = ComputationGraph(), leaf(3.0), Tensor(2.0)
    with graph:
        w = k * x + k * k
    backward(graph, w)
    return {"nodes": len(graph.nodes), "x_grad": gradient(x), "k_grad": str(k.grad)}


q1 = Question(
    _two_nodes,
    [
        Mistake("op_0", "add", "`x*y` is worked out first."),
        Mistake("op_1", "mul", "the last call makes `w` out of `z` and `x`."),
        Mistake("inputs_0", [2, 5], "right numbers, but in the order of the call: `x*y`."),
        Mistake("inputs_0", [3, 4], "those are the numbers of the running example; x = 5, y = 2."),
        Mistake("inputs_1", [5, 10], "right numbers, but in the order of the call: `z + x`."),
        Mistake("inputs_1", [10, 2], "`y` was used up in the product; what is added to `z`?"),
        Mistake("inputs_1", [5, 2], "those are the inputs of node #0."),
        Mistake("output_0", 7, "that is 5 + 2; node #0 multiplies."),
        Mistake("output_1", 12, "that is z + y; what is added is `x`."),
        Mistake("output_1", 10, "that is `z`; `x` is still to be added."),
        Mistake("grad_0", 1, "that comes with the backward pass; nothing has run yet."),
        Mistake("grad_1", 1, "that comes with the backward pass; nothing has run yet."),
    ],
    right="Both notes, field by field.",
    help_text="First `z = x*y`, then `w = z + x`, with x = 5 and y = 2. No backward pass has run.",
    explanation="z = 5 · 2 = 10 and w = 10 + 5 = 15; both gradients are zero from the start.",
)

q2 = Question(
    _both_frozen,
    [
        Mistake("after_x", True, "`x` is frozen: its `requires_grad` is False."),
        Mistake("after_y", True, "`y` is frozen too, so nothing ever makes it True."),
        Mistake(
            "nodes", 1, "no input asks for a gradient, so there is nothing to keep a note for."
        ),
        Mistake("result", 0, "the multiplication itself runs as always."),
        Mistake("result_requires_grad", True, "only a recorded output asks for a gradient."),
    ],
    right="The plain product comes back, as if there were no graph.",
    help_text="`wanted` starts as False, and an input that is not frozen makes it True.",
    explanation="Neither input makes `wanted` True, so the plain product comes back, untracked.",
)

q3 = Question(
    _later_use,
    [
        Mistake("order_of_w", [2, 1, 0], "`w` was computed from `z` and `x`; is `q` among them?"),
        Mistake("order_of_w", [3, 2, 1, 0], "that is the whole list; what did `w` need?"),
        Mistake("order_of_w", [0, 2], "right nodes, in forward order; the last one comes first."),
        Mistake("order_of_r", [3, 2, 1, 0], "that is the whole list; what did `r` need?"),
        Mistake("order_of_r", [3, 1, 0], "`r` was computed from `q` and `x`; is `z` among them?"),
        Mistake("order_of_r", [1, 3], "right nodes, in forward order; the last one comes first."),
        Mistake(
            "sub_leads_to_w", True, "`w` was finished before `r` came; its inputs are z and x."
        ),
        Mistake("x_grad_is_changed", True, "no gradient of `w` ever reaches the node of `q`."),
    ],
    right="What is computed later changes nothing about what `w` was made of.",
    help_text="Ask of each node: was its output used, directly or not, to compute `w`? And `r`?",
    explanation="r needs sub, and w does not. Visited or not, it passes on nothing from w.",
)

q4 = Question(
    lambda: {"debug": "a", "release": "b"},
    [
        Mistake("debug", "b", "in a debug build the assertion is checked before the look-up."),
        Mistake("debug", "c", "the assertion finds that the name is not there."),
        Mistake("release", "a", "that text belongs to the assertion, which is left out there."),
        Mistake("release", "c", "the look-up itself still needs the key."),
    ],
    right="A check that is left out cannot help anyone.",
    help_text="Which line speaks first in each build? Notebook 02 ran both.",
    explanation="The debug build stops at the assertion with its message; the release build has no "
    "assertion and fails in the look-up itself.",
    choices={"debug": LETTERS, "release": LETTERS},
)

q5 = Question(
    _zeros,
    [
        Mistake("sub_adds", 1, "that is its local derivative; what is it multiplied by?"),
        Mistake("sub_adds", 2, "that is the value of `q`; a gradient is passed on, not a value."),
        Mistake("x_grad_with_garbage", 5, "the node of `q` would pass its 7 on to `x` too."),
        Mistake("x_grad_with_garbage", 7, "the 7 would come on top of what is right."),
        Mistake("x_grad_with_garbage", 26, "the local derivative of `x - 1` is 1, not `x`."),
        Mistake("why", "b", "leaving it unset would be faster still; what would be read then?"),
        Mistake("why", "c", "∂w/∂q happens to be 0; but `z` starts at zero too, and ends at 1."),
    ],
    right="Zero is the one start that adds nothing to anyone.",
    help_text="`backward` of `x - 1` passes the node's gradient on to `x`, times 1.",
    explanation="From zero, sub adds 0 · 1 = 0. From 7 it would add 7 to the right 5.",
    choices={"why": LETTERS},
)

q6 = Question(
    _square,
    [
        Mistake("x_grad", 3, "that is one of the two arrows; both lead to `x`, and they add up."),
        Mistake("x_grad", 9, "that is the value of `w`; the question is how far it moves."),
        Mistake("x_grad", 2, "the derivative of x² is 2x, not 2."),
    ],
    right="Two arrows out of one box, 3 along each.",
    help_text="Nudge: 3.001 · 3.001. Or count the arrows from `x` to the node.",
    explanation="x is both operands: each gets the value of the other, 3, and they add up.",
)

q7 = Question(
    _twice,
    [
        Mistake("x_grad", 10, "that is one run; the second one is added in a leaf."),
        Mistake("x_grad", 30, "that would be so if z.grad were not started afresh in each run."),
        Mistake("x_grad", 100, "runs are added, not multiplied."),
        Mistake("z_grad", 10, "the gradient of a node starts afresh in each run."),
        Mistake("z_grad", 2, "that is ∂z/∂x; asked is ∂w/∂z."),
    ],
    right="Leaves add up over runs, nodes start afresh.",
    help_text="One run gives ∂w/∂x = 10. What does the second run do to a leaf, and to a node?",
    explanation="Each run brings x another 5 · 2 = 10, while z starts from zero each time.",
)

q8 = Question(
    _mean_removed,
    [
        Mistake("x_grad", [1, 1, 1], "that is the way straight down; `x` is in the mean too."),
        Mistake("x_grad", [-1, -1, -1], "the mean is taken away three times, by 1/3 each."),
        Mistake("x_grad", [2 / 3] * 3, "the mean is taken away from all three, not from one."),
        Mistake("x_grad", [-2, -1, 3], "those are the values of `x - mean(x)`."),
        Mistake("x_grad", [1 / 3] * 3, "that is the derivative of the mean alone."),
    ],
    right="The sum of `x - mean(x)` is 0 whatever `x` is, so nothing moves it.",
    help_text="Nudge one number by 0.003: what happens to it, to the mean, and to the sum of all?",
    explanation="Straight down each number counts 1. Through the mean it counts 1/3, taken away "
    "three times: 1 - 3 · 1/3 = 0.",
)

q9 = Question(
    _frozen_factor,
    [
        Mistake("nodes", 3, "`k * k` has frozen inputs only."),
        Mistake("nodes", 1, "the sum has `k * x` in it, so it is recorded too."),
        Mistake("nodes", 0, "`x` asks for a gradient, and one such input is enough."),
        Mistake("x_grad", 3, "that is `x` itself; a product passes on the other operand."),
        Mistake("x_grad", 6, "that is the value of `k * x`; the question is how far it moves."),
        Mistake("k_grad", "0.0", "0.0 would be an answer, and nobody asked for one."),
        Mistake("k_grad", "7.0", "that is what `k` would get if it were not frozen."),
    ],
    right="Frozen beside trainable makes a node, frozen beside frozen makes none.",
    help_text="Go through the three calls: does any input ask for a gradient?",
    explanation="k * x and the sum leave a node, k * k does not. x gets the value of k, and k "
    "stays without a gradient.",
    choices={"k_grad": ("None", "0.0", "7.0")},
)
