"""Notebook 04: which calls leave a node, and who owns the history."""

from __future__ import annotations

from itertools import product
from typing import Any

from minigrad.engine.graph import ComputationGraph
from minigrad.engine.ops import add, mul
from minigrad.engine.tensor import Tensor
from minigrad.lessons.answers import Answer
from minigrad.lessons.examples import leaf
from minigrad.lessons.question import Mistake, Question
from minigrad.lessons.task import Task, answer_of

OWNERS = ("list", "tensors")


def _four_lines() -> tuple[ComputationGraph, Tensor, Tensor]:
    graph = ComputationGraph()
    x, a, b = leaf(3.0), Tensor(2.0), Tensor(5.0)
    c = mul(graph, a, b)
    d = add(graph, c, 1.0)
    e = mul(graph, d, x)
    return graph, e, add(graph, e, a)


def _count() -> dict[str, Answer]:
    return {"nodes": len(_four_lines()[0].nodes)}


def _positions() -> dict[str, Answer]:
    _, e, f = _four_lines()
    return {"e_index": e.grad_fn_index, "f_index": f.grad_fn_index}  # type: ignore[dict-item]


def _recorded() -> dict[str, Answer]:
    graph, x = ComputationGraph(), leaf(3.0)
    a, b = Tensor(2.0), Tensor(5.0)
    with graph:
        _ = (x - a) * x + a * b
    return {"op_names": [node.op_name for node in graph.nodes]}


def _rule(inputs: list[Tensor]) -> bool:
    """Ask the engine whether a call with these inputs leaves a node."""
    graph = ComputationGraph()
    total = inputs[0]
    with graph:
        for other in inputs[1:]:
            total = total + other
        if len(inputs) == 1:
            _ = -total
    return len(graph.nodes) > 0


def _examine_rule(function: Any) -> str | None:
    kinds = [kinds for count in (1, 2, 3) for kinds in product((True, False), repeat=count)]
    cases = [[Tensor(2.0, requires_grad=wanted) for wanted in wanteds] for wanteds in kinds]
    got = [answer_of(function, list(case)) for case in cases]
    right = [_rule(case) for case in cases]
    if got == right:
        return None
    if got == [all(wanted) for wanted in kinds]:
        return (
            "You skip the node as soon as one input is frozen. A frozen input beside one that "
            "asks for a gradient still needs the node: to skip it, all must be frozen."
        )
    if got == [not one for one in right]:
        return "That is the rule for skipping a node; return True where a node is made."
    if got == [True] * len(right):
        return "With every input frozen, nobody will ever ask; then there is no node."
    if got == [wanteds[0] for wanteds in kinds]:
        return "You look at the first input only; the one that asks may stand anywhere."
    if got == [wanteds[-1] for wanteds in kinds]:
        return "You look at the last input only: does a later one overwrite what an earlier said?"
    wrong = next(k for k in range(len(right)) if got[k] != right[k])
    return f"For inputs with requires_grad = {list(kinds[wrong])} you return {got[wrong]!r}."


count = Question(
    _count,
    [
        Mistake("nodes", 4, "that is one for each line; two of them have frozen inputs only."),
        Mistake("nodes", 3, "does `c + 1` have any input that asks for a gradient?"),
        Mistake("nodes", 1, "`e` came out of a node, so it asks for a gradient too."),
        Mistake("nodes", 0, "`x` asks for a gradient; what is computed from it leaves a node."),
    ],
    right="Only what `x` has a part in leaves a node.",
    help_text="Line by line: does any input ask for a gradient? The output of a node does.",
    explanation="c and d are made of frozen numbers only. e uses x, and f uses e.",
)

positions = Question(
    _positions,
    [
        Mistake("e_index", 1, "positions in a Python list start at 0."),
        Mistake("e_index", 2, "that counts lines; the first two left no node."),
        Mistake("f_index", 2, "positions in a Python list start at 0."),
        Mistake("f_index", 3, "that counts lines; the first two left no node."),
    ],
    right="Plain positions in `graph.nodes`.",
    help_text="`e` came out of the first node that was recorded.",
    explanation="The first node has position 0, the second has 1, and lines without a node don't "
    "count.",
)

owners = Question(
    lambda: {"shows_all": "list", "needs_no_graph": "tensors", "frees_itself": "tensors"},
    [
        Mistake(
            "shows_all",
            "tensors",
            "`q` was made and never used, so from `w` no way leads to it; who still lists it?",
        ),
        Mistake("needs_no_graph", "list", "look at the calls: who has to hand `graph` in?"),
        Mistake(
            "frees_itself",
            "list",
            "the list keeps every node until `reset()`, whether anyone holds its tensor or not.",
        ),
    ],
    right="Each way pays for what it is good at.",
    help_text="Look at the two printed histories, and at the lines that call `mul` and `add`.",
    explanation="The list has every call in it, but it must be handed in and emptied. Tensors that "
    "own their history carry it along and let go of it, but no one place has all.",
    choices=dict.fromkeys(("shows_all", "needs_no_graph", "frees_itself"), OWNERS),
)

rule = Task(
    _examine_rule,
    right="The same answer as the engine's for every mix of one, two and three inputs.",
    help_text="Go through the inputs, and return True as soon as one has `requires_grad`.",
    explanation="One way to write it:",
    code="""def needs_node(inputs):
    return any(t.requires_grad for t in inputs)""",
)

recorded = Question(
    _recorded,
    [
        Mistake("op_names", ["sub", "mul", "mul", "add"], "`a * b` has frozen inputs only."),
        Mistake("op_names", ["sub", "mul", "add", "mul"], "`a * b` has frozen inputs only."),
        Mistake("op_names", ["add", "mul", "sub"], "that is the backward order; which ran first?"),
        Mistake("op_names", ["mul", "add"], "`x - a` has `x` in it: one such input is enough."),
        Mistake(
            "op_names", ["sub", "mul"], "the sum has a product of `x` in it, so it is recorded."
        ),
        Mistake("op_names", ["mul", "sub", "add"], "the parentheses are worked out first."),
    ],
    right="In the order in which Python worked them out.",
    help_text="Which op runs first? Skip those whose inputs are all frozen.",
    explanation="Python subtracts, multiplies, multiplies the two frozen numbers, which leaves no "
    "node, and adds.",
)
