"""Notebook 05: in which order the nodes are visited, and what happens in a wrong one."""

from __future__ import annotations

from typing import Any

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.order import ancestor_backward_order, topological_backward_order
from minigrad.lessons.answers import Answer
from minigrad.lessons.examples import Running, gradient, leaf
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import Task
from minigrad.lessons.trying_orders import diamond, examine_ancestors

DEAD = 30


def _reversed() -> dict[str, Answer]:
    return {"order": topological_backward_order(Running().graph)}


def _dead_node() -> dict[str, Answer]:
    example = Running(unused=True)
    without = Running().gradients()[0]
    added = example.gradients(topological_backward_order(example.graph))[0] - without
    return {
        "whole_list": topological_backward_order(example.graph),
        "ancestors": ancestor_backward_order(example.graph, example.w),
        "sub_adds": added,
    }


def _wasted() -> dict[str, Answer]:
    example = Running()
    with example.graph:
        for _ in range(DEAD):
            _ = example.w * 2.0
    every = topological_backward_order(example.graph)
    return {"visits": len(every) - len(ancestor_backward_order(example.graph, example.w))}


def _forward_order() -> dict[str, Answer]:
    return {"x_grad": Running().gradients([0, 1])[0]}


def _doubled() -> dict[str, Answer]:
    found = {}
    # the walk without an order comes to the node of b once for each use of b
    for name, order in {"right": [1, 0], "walked": [1, 0, 0]}.items():
        graph, a = ComputationGraph(), leaf(1.0)
        with graph:
            b = a + a
            c = b + b
        backward(graph, c, order=order)
        found[name] = gradient(a)
    return dict(found)


def _examine_another(order: Any) -> str | None:
    graph, output = diamond()
    usual = topological_backward_order(graph)
    order = [int(position) for position in order]
    if order == usual:
        return "That is the list reversed, and it works. There is one more that works: find it."
    if sorted(order) != sorted(usual):
        return f"Each of the positions {sorted(usual)} must be there exactly once."
    if order == usual[::-1]:
        return "That is the forward order: `p` and `q` have nothing to pass on yet."
    backward(graph, output, order=order)
    found = [gradient(leaf_) if leaf_.grad is not None else 0.0 for leaf_ in graph.nodes[0].inputs]
    graph, output = diamond()
    backward(graph, output)
    if found == [gradient(leaf_) for leaf_ in graph.nodes[0].inputs]:
        return None
    return "A node comes before the one that uses its output, so it has nothing to pass on yet."


reversed_list = Question(
    _reversed,
    [
        Mistake("order", [0, 1], "that is the forward order; the last note is read first."),
        Mistake("order", [1], "`mul` must be visited too: `x` and `y` wait for it."),
        Mistake("order", [2, 1], "positions in a Python list start at 0."),
    ],
    right="The last one recorded is visited first.",
    help_text="Which node made `w`? From there backwards.",
    explanation="The nodes are #0 mul and #1 add, and the list is read from its end.",
)

dead_node = Question(
    _dead_node,
    [
        Mistake("whole_list", [0, 1, 2], "that is the forward order."),
        Mistake("whole_list", [2, 0], "the reversed list has every node in it, used or not."),
        Mistake("whole_list", [1, 0], "there are three nodes now, at positions 0, 1 and 2."),
        Mistake("ancestors", [2, 1, 0], "`w` was not computed from `q`, so #1 is no ancestor."),
        Mistake("ancestors", [0, 2], "right nodes, in forward order; the last one comes first."),
        Mistake("ancestors", [1, 0], "the new node took position 1; where is the `add` now?"),
        Mistake("ancestors", [0], "the node that made `w` is visited first of all."),
        Mistake("sub_adds", 1, "its local derivative is 1, but what upstream gradient reaches it?"),
        Mistake("sub_adds", 2, "that is the value of `q`; what upstream gradient reaches it?"),
    ],
    right="One visit for nothing: 0 times 1 is 0.",
    help_text="Write down the three nodes with their positions, and ask of each: does `w` need it?",
    explanation="The list is mul, sub, add. Reversed it has all three; w needs only add and mul. "
    "No gradient reaches sub, so it passes on 0 times 1.",
)

wasted = Question(
    _wasted,
    [
        Mistake("visits", DEAD + 2, "that is all of them; two visits are of use."),
        Mistake("visits", 2, "those are the useful ones."),
        Mistake("visits", DEAD + 1, "both `mul` and `add` are of use."),
    ],
    right="The longer the list of what nobody asks about, the more is wasted.",
    help_text="All nodes, less the ancestors of `w`.",
    explanation="There are two ancestors, and one dead node for each turn of the loop.",
)

forward_order = Question(
    _forward_order,
    [
        Mistake(
            "x_grad", 5, "that is what the right order gives; what does `mul` pass on at first?"
        ),
        Mistake("x_grad", 4, "`mul` is visited before anything reached `z`: it passes on nothing."),
        Mistake("x_grad", 0, "`add` does pass on the seed, to `z` and to `x`."),
        Mistake("x_grad", 2, "`add` uses `x` once."),
    ],
    right="The part through the product is lost.",
    help_text="First visit: z.grad is still zero. Second visit: `add` passes 1 to `z` and to `x`.",
    explanation="mul passes on nothing, as nothing has reached z yet. Then add passes on 1 to x. "
    "What it gives to z stays there.",
)

doubled = Question(
    _doubled,
    [
        Mistake("right", 2, "that is ∂b/∂a; `c` is twice `b`."),
        Mistake("right", 8, "put a = 1.001: `b` is 2.002, and `c` is 4.004."),
        Mistake("right", 1, "put a = 1.001: `b` is 2.002, and `c` is 4.004."),
        Mistake("walked", 4, "`c` uses `b` twice, so the walk comes to the node of `b` twice."),
        Mistake("walked", 2, "both visits of the node of `b` pass on b.grad, which is 2."),
        Mistake(
            "walked", 6, "when the first visit of the node of `b` begins, b.grad is 2 already."
        ),
        Mistake("walked", 16, "each visit passes b.grad = 2 to `a` twice; there are two visits."),
    ],
    right="4 becomes 8: what the node of `b` passes on is counted twice.",
    help_text="c = 2b = 4a. For the walk: what is b.grad when its node is visited, and how often "
    "is that?",
    explanation="c is 4a, so 4 is right. The walk visits the node of b twice, and each time it "
    "passes b.grad = 2 along both arrows to a.",
)

ancestors = Task(
    examine_ancestors,
    right="Only what the output needs, each node once, and none before its users.",
    help_text="Go through the positions from the output's down to 0. Keep a set of those that are "
    "needed; it starts with the output's own. If a position is needed, append it, and add to the "
    "set the makers of its inputs: `t.grad_fn_index`, unless it is None.",
    explanation="One way to write it:",
    code="""def ancestors(graph, output):
    needed, order = {output.grad_fn_index}, []
    for position in range(output.grad_fn_index, -1, -1):
        if position in needed:
            order.append(position)
            needed |= {t.grad_fn_index for t in graph.nodes[position].inputs}
    return order""",
)

another_order = Task(
    _examine_another,
    right="`p` and `q` don't wait for each other, so either may come first.",
    help_text="#2 has to be first. Does #0 use what #1 made, or the other way round?",
    explanation="#2 uses both others. Those two don't use each other, so they may be swapped:",
    code="[2, 0, 1]",
)
