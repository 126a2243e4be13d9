"""In which order a backward pass visits the nodes: the chapter's way, and the production way."""

from __future__ import annotations

from minigrad.engine.arguments import check_graph, last_position
from minigrad.engine.errors import GraphError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor


def topological_backward_order(graph: ComputationGraph) -> list[int]:
    """Return the positions of all nodes, last recorded first.

    Every node was recorded after the nodes it uses, so the list of nodes is a
    topological order already and only has to be read backwards. It knows of no
    particular output: a node that the output does not depend on is in it too.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
    >>> with graph:
    ...     w = x * x + x
    >>> mg.topological_backward_order(graph)
    [1, 0]
    """
    check_graph(graph)
    return list(range(len(graph.nodes) - 1, -1, -1))


def ancestor_backward_order(graph: ComputationGraph, output: Tensor) -> list[int]:
    """Return the positions of the nodes that `output` was computed from, last recorded first.

    This is what production engines walk: from the output along inputs only, so a node that
    `output` does not depend on is never visited. Every node stands after those it uses, so one
    look at each from the last to the first is enough. A leaf has no ancestors, and the list
    is empty.

    Raises
    ------
    GraphError
        If `output` was recorded by another graph, or before a reset.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)
    >>> with graph:
    ...     z = x * x
    ...     unused = x - 1
    ...     w = z + x
    >>> mg.ancestor_backward_order(graph, w)
    [2, 0]
    """
    check_graph(graph)
    last = last_position(graph, output)
    needed = bytearray(last + 1)
    needed[last:] = b"\1"
    order = []
    for position in range(last, -1, -1):
        if not needed[position]:
            continue
        order.append(position)
        for tensor in graph.nodes[position].inputs:
            maker = tensor.grad_fn_index
            if maker is not None:
                if maker >= position or graph.nodes[maker].output is not tensor:
                    raise GraphError(recorded_after(tensor, position))
                needed[maker] = True
    return order


def recorded_after(tensor: Tensor, position: int) -> str:
    """Say that the node at `position` uses a tensor that a later node made."""
    return (
        f"node #{position} uses {tensor.label}, which was recorded after it; "
        f"record a tensor as an output before it is used as an input"
    )
