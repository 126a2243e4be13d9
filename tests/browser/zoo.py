"""Graphs of many shapes, as the code of cells, and what a reader needs to see at each step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Any

import minigrad as mg

START = """
import numpy as np
import minigrad as mg
def leaf(value, name=None):
    return mg.Tensor(value, requires_grad=True, name=name)
graph = mg.ComputationGraph()
"""


def with_graph(leaves: str, body: str, shown: str) -> str:
    """Return a cell that makes leaves, records a body, and shows something."""
    recorded = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{START}{leaves}\nwith graph:\n{recorded}\n{shown}"


RUNNING = with_graph(
    "x, y = leaf(3.0, 'x'), leaf(4.0, 'y')", "z = x * y\nw = z + x", "s = mg.step(graph, w)\ns"
)
DEAD = with_graph(
    "x, y = leaf(3.0, 'x'), leaf(4.0, 'y')",
    "z = x * y\nq = x - 1.0\nw = z + x",
    "s = mg.step(graph, w)\ns",
)
NEURON = with_graph(
    "x1, x2, b = leaf(2.0, 'x1'), leaf(0.0, 'x2'), leaf(6.88, 'b')\n"
    "w1, w2 = leaf(-3.0, 'w1'), leaf(1.0, 'w2')",
    "out = (x1*w1 + x2*w2 + b).tanh()\nloss = (out - 0.5) ** 2",
    "s = mg.step(graph, loss)\ns",
)
LAYERS = """numbers = np.random.default_rng(0)
X = mg.Tensor(numbers.normal(size=(5, 4)), name='X')
W1, b1 = leaf(numbers.normal(size=(4, 3)), 'W1'), leaf(np.zeros(3), 'b1')
W2, b2 = leaf(numbers.normal(size=(3, 2)), 'W2'), leaf(np.zeros(2), 'b2')
"""
FORWARD = """with graph.scope('layer 1'):
    hidden = (X @ W1 + b1).tanh()
with graph.scope('layer 2'):
    scores = hidden @ W2 + b2
loss = mg.cross_entropy(scores, np.array([0, 1, 0, 1, 1]))"""
NETWORK = with_graph(LAYERS, FORWARD, "s = mg.step(graph, loss)\ns")

PARTS = {  # the leaves, the body and the stepper of a cell
    "a square": ("x = leaf(3.0, 'x')", "w = x * x", "w"),
    "a chain": ("x = leaf(0.5, 'x')", "y = x\nfor _ in range(12): y = (y * x).tanh()", "y"),
    "a chain of 60": ("x = leaf(1.0, 'x')", "y = x\nfor _ in range(30): y = y * x + 0.5", "y"),
    "a tree": (
        "xs = [leaf(float(k), f'x{k}') for k in range(16)]",
        "row = xs\nwhile len(row) > 1: row = [a * b for a, b in zip(row[::2], row[1::2])]",
        "row[0]",
    ),
    "a shared leaf": (
        "x = leaf(2.0, 'x')",
        "terms = [x * float(k) for k in range(1, 9)]\nw = terms[0]\n"
        "for term in terms[1:]: w = w + term",
        "w",
    ),
    "diamonds": (
        "x = leaf(0.5, 'x')",
        "y = x\nfor _ in range(8): y = mg.tanh(y) + mg.exp(-y)",
        "y",
    ),
    "a wide stack": (
        "xs = [leaf(float(k), f'x{k}') for k in range(12)]",
        "w = mg.stack(xs).sum()",
        "w",
    ),
    "a wide concatenation": (
        "xs = [leaf(np.ones(2) * k, f'x{k}') for k in range(9)]",
        "w = (mg.concatenate(xs) ** 2).sum()",
        "w",
    ),
    "a long sum": (
        "xs = [leaf(float(k), f'x{k}') for k in range(20)]",
        "w = xs[0]\nfor x in xs[1:]: w = w + x",
        "w",
    ),
    "long names": (
        "x = leaf(3.0, 'a_weight_of_the_first_layer')\ny = leaf(4.0, 'the_bias_of_the_last_layer')",
        "w = (x * y + x).tanh()\nw.name = 'what_comes_out_of_it_all'",
        "w",
    ),
    "deep scopes": (
        "x = leaf(0.5, 'x')",
        "y = x\nfor k in range(3):\n    with graph.scope(f'block {k}'), graph.scope('inside'):\n"
        "        y = (y * x).tanh()",
        "y",
    ),
    "matrices": (
        "W, V = leaf(np.arange(6.0).reshape(2, 3), 'W'), leaf(np.ones((3, 40)), 'V')",
        "w = (W @ V).tanh().sum()",
        "w",
    ),
    "a skip over everything": (
        "x = leaf(1.0, 'x')",
        "y = x\nfor _ in range(14): y = y.tanh()\nw = y * x",
        "w",
    ),
    "40 scalars": (
        "xs = [leaf(1.0 + k, f'x{k}') for k in range(3)]\n"
        "ws = [[leaf(0.1 * (j + k), f'w{j}{k}') for k in range(3)] for j in range(4)]",
        "hs = [(w[0]*xs[0] + w[1]*xs[1] + w[2]*xs[2] + 0.5).tanh() for w in ws]\n"
        "out = (hs[0]*hs[1] + hs[2]*hs[3]).tanh()\nloss = (out - 0.5) ** 2\n"
        "for x in xs: loss = loss * x",
        "loss",
    ),
}
ZOO = {
    "running example": RUNNING,
    "dead node": DEAD,
    "neuron": NEURON,
    "network": NETWORK,
    "network, folded": with_graph(LAYERS, FORWARD, "s = mg.step(graph, loss, fold=True)\ns"),
    "running example, edges": RUNNING.replace("(graph, w)", "(graph, w, grain='edge')"),
    "a wrong order": with_graph(
        "a = leaf(1.0, 'a')", "b = a + a\nc = b + b", "s = mg.step(graph, c, order=[1, 0, 0])\ns"
    ),
    "the whole list": DEAD.replace("(graph, w)", "(graph, w, order='append')"),
    **{
        name: with_graph(leaves, body, f"s = mg.step(graph, {output}, fold=False)\ns")
        for name, (leaves, body, output) in PARTS.items()
    },
}


@dataclass(frozen=True)
class Need:
    """What is to be seen at one step: the node at work and its operands.

    Attributes
    ----------
    step : int
        From 0.
    keys : list of str
        Boxes that must be there.
    others : list of str
        Boxes that must be seen if they are there: a number may be written into the box that
        uses it, and a part of a large graph has signs for what is not in it.
    """

    step: int
    keys: list[str]
    others: list[str]


def needs(stepper: Any, graph: mg.ComputationGraph) -> list[Need]:
    """Return what is needed at each step that a stepper stops at."""
    payload = stepper.payload
    variant = next(iter(payload["variants"].values()))
    operands = operands_of(graph)
    is_part = len(payload["windows"]) > 1
    found = []
    for number, step in enumerate(stepper.steps):
        around = [] if step.position is None or step.kind == "seed" else operands[step.position]
        if step.part is not None:
            around = [(one.tensor, True) for one in step.contributions]
        keys = {step.tensor} | {key for key, is_sure in around if is_sure and not is_part}
        others = {key for key, _ in around} - keys
        found.append(Need(number, sorted(keys), sorted(others)))
    return folded(found, payload, variant) if payload["groups"]["named"] else found


def operands_of(graph: mg.ComputationGraph) -> list[list[tuple[str, bool]]]:
    """Return the operands of each node by their keys, and whether they are sure to have a box."""
    keys: dict[int, str] = {}
    numbers = count()
    for position, node in enumerate(graph.nodes):
        for tensor in node.inputs:
            if id(tensor) not in keys:
                keys[id(tensor)] = f"t{next(numbers)}"
        keys[id(node.output)] = f"n{position}"
    return [
        [(keys[id(one)], one.requires_grad or one.name is not None) for one in node.inputs]
        for node in graph.nodes
    ]


def folded(found: list[Need], payload: dict[str, Any], variant: dict[str, Any]) -> list[Need]:
    """Return what is needed where groups of nodes are one box."""
    (view, *_) = payload["views"].values()
    shown = view["variants"][variant["same"]]
    stops = variant["stops"] or range(len(found))
    boxes = {key: key for key, one in shown["film"].items() if one["kind"] != "edge"}
    made = []
    for start, end in zip(stops, [*stops[1:], len(found)], strict=True):
        at_work = shown["steps"][start]
        needed = {key for need in found[start:end] for key in [*need.keys, *need.others]}
        if at_work["kind"] == "record":
            for key in needed:
                if key.startswith("n"):
                    boxes.setdefault(key, at_work["key"])
        keys = {at_work["key"]} | {boxes[key] for key in needed if key in boxes}
        made.append(Need(start, sorted(keys), []))
    return made


def boxes_of(stepper: Any) -> int:
    """Return how many boxes the first picture of a stepper has."""
    (view, *_) = stepper.payload["views"].values()
    film = next(iter(view["variants"].values()))["film"]
    return sum(one["kind"] != "edge" for one in film.values())
