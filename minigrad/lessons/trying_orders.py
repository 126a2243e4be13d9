"""Trying out a function that finds the ancestors of an output."""

from __future__ import annotations

from typing import Any

from minigrad.engine.graph import ComputationGraph
from minigrad.engine.order import ancestor_backward_order
from minigrad.engine.tensor import Tensor
from minigrad.lessons.examples import Running, leaf
from minigrad.lessons.task import answer_of


def diamond() -> tuple[ComputationGraph, Tensor]:
    """Return ``r = (x*y) * (x+y)``: two nodes that a third one uses."""
    x, y = leaf(2.0), leaf(3.0)
    graph = ComputationGraph()
    with graph:
        p = x * y
        q = x + y
        r = p * q
    return graph, r


def _uneven() -> tuple[ComputationGraph, Tensor]:
    """Return a graph where the walk along the first input finds a node before its user."""
    x = leaf(2.0)
    graph = ComputationGraph()
    with graph:
        a = x * x
        b = a + x
        unused = b * b
        c = a * b
        _ = unused + c
    return graph, c


def examine_ancestors(function: Any) -> str | None:
    """Return a hint at what is wrong with a function of graph and output, or None."""
    plain, dead = Running(), Running(unused=True)
    for graph, output in [
        (plain.graph, plain.w),
        (dead.graph, dead.w),
        diamond(),
        _uneven(),
    ]:
        right = ancestor_backward_order(graph, output)
        got = answer_of(function, graph, output)
        hint = _compare([int(position) for position in got], right, graph)
        if hint is not None:
            calls = ", ".join(f"#{k} {node.op_name}" for k, node in enumerate(graph.nodes))
            return f"{hint} (The graph was {calls}; you returned {list(got)}.)"
    return None


def _compare(got: list[int], right: list[int], graph: ComputationGraph) -> str | None:
    if len(set(got)) < len(got):
        return "A node is in your list more than once: remember which ones you have seen."
    dead = [position for position in got if position not in right]
    if dead:
        return f"#{dead[0]} is in your list, but the output was not computed from it."
    missing = [position for position in right if position not in got]
    if missing == right[:1]:
        return "The node that made the output is missing; it is visited first of all."
    if missing:
        return f"#{missing[0]} is missing: look at the inputs of the inputs too."
    if len(got) > 1 and got == right[::-1]:
        return "Right nodes, but in forward order: the last one recorded comes first."
    seen: set[int] = set()
    for position in got:
        users = [k for k in right if graph.nodes[position].output in graph.nodes[k].inputs]
        early = [user for user in users if user not in seen]
        if early:
            return f"#{position} stands before #{early[0]}, which uses its output."
        seen.add(position)
    return None
