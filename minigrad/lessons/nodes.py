"""Notebook 03: what a node keeps of one call."""

from __future__ import annotations

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.lessons.answers import Answer
from minigrad.lessons.examples import Running, gradient, leaf
from minigrad.lessons.question import Mistake, Question


def _second_node() -> dict[str, Answer]:
    node = Running().graph.nodes[1]
    return {
        "op_name": node.op_name,
        "inputs": [tensor.item() for tensor in node.inputs],
        "output": node.output.item(),
        "grad": float(node.grad),
    }


def _shared() -> dict[str, Answer]:
    first, second = Running().graph.nodes
    return {"same_object": second.inputs[0] is first.output}


def _frozen() -> dict[str, Answer]:
    x, y = leaf(3.0), Tensor(4.0)
    graph = ComputationGraph()
    with graph:
        z = x * y
    backward(graph, z)
    return {"nodes": len(graph.nodes), "x_grad": gradient(x), "y_grad": str(y.grad)}


def _calls() -> dict[str, Answer]:
    graph, x = ComputationGraph(), leaf(2.0)
    with graph:
        a = x * x
        b = a * a
        _ = b * b
    return {"nodes": len(graph.nodes), "ops": len({id(node.op) for node in graph.nodes})}


second_node = Question(
    _second_node,
    [
        Mistake(
            "op_name", "mul", "that was the first call; which op makes `w` out of `z` and `x`?"
        ),
        Mistake("inputs", [3, 12], "right numbers, but in the order of the call: `z + x`."),
        Mistake("inputs", [12, 4], "`y` was used up in the product; what is added to `z`?"),
        Mistake("inputs", [3, 4], "those are the inputs of node #0."),
        Mistake("inputs", [3, 4, 3], "node #0 did `x*y` already; this call has two inputs."),
        Mistake("output", 12, "that is `z`, the output of node #0."),
        Mistake("grad", 1, "that comes with the backward pass; nothing has run yet."),
        Mistake("grad", 15, "that is the output; a gradient starts at nothing."),
    ],
    right="Its first input is the output of node #0.",
    help_text="The call was `z + x`, with z = 12 and x = 3.",
    explanation="The second call is an add of z = 12 and x = 3. Its gradient is zero until a "
    "backward pass fills it.",
)

shared = Question(
    _shared,
    [Mistake("same_object", False, "nothing was copied: the same `z` came out and went in.")],
    right="One tensor, kept by two nodes.",
    help_text="`z` is one Python object. Who holds it?",
    explanation="Nodes keep the tensors of the call themselves.",
)

frozen = Question(
    _frozen,
    [
        Mistake("nodes", 0, "`x` still asks for a gradient, and one such input is enough."),
        Mistake("nodes", 2, "a node is made for each call, not for each input."),
        Mistake("x_grad", 3, "that is `x` itself; a product passes on the other operand."),
        Mistake("x_grad", 0, "`x` is not the frozen one; its gradient is the other operand."),
        Mistake("y_grad", "0.0", "0.0 would be an answer, and nobody asked for one."),
        Mistake("y_grad", "3.0", "that is what `y` would get if it were not frozen."),
    ],
    right="`y` is in the node, since x.grad needs its value, but it gets no gradient.",
    help_text="A node is made if any input asks for a gradient. To know ∂z/∂x, whose value is "
    "needed?",
    explanation="One input asks for a gradient, so there is one full node. The frozen y is in it "
    "and gives x its 4, but keeps None for itself.",
    choices={"y_grad": ("None", "0.0", "3.0")},
)

calls = Question(
    _calls,
    [
        Mistake("nodes", 1, "that is how many ops there are; each call leaves a node of its own."),
        Mistake("nodes", 6, "there are six arrows, two into each node; count the calls."),
        Mistake("ops", 3, "that is how many calls there are; all three call the same `mul`."),
        Mistake("ops", 0, "`mul` is an object in the registry."),
    ],
    right="One op, three calls, three notes.",
    help_text="Count the `*` for the nodes. How many objects called `mul` are in the registry?",
    explanation="Each call leaves a node, and all of them point to the one mul of the registry.",
)
