"""What a caller may ask for: a graph, and of a backward pass an output, a seed and an order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from minigrad.engine.checks import is_whole, listed
from minigrad.engine.errors import BackwardError, GraphError, TensorError, told
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import ONE, Values, frozen, to_values


def check_graph(graph: object) -> None:
    """Refuse anything but a graph.

    Raises
    ------
    GraphError
        Naming what was given.
    """
    if not isinstance(graph, ComputationGraph):
        raise GraphError(
            f"the first argument must be a ComputationGraph, not {told(graph)}; for instance "
            f"graph = mg.ComputationGraph(), with the forward pass inside `with graph:`"
        )


def check_tensor(given: object, name: str) -> None:
    """Refuse anything but a tensor.

    Raises
    ------
    BackwardError
        Naming what was given.
    """
    if not isinstance(given, Tensor):
        raise BackwardError(f"{name} must be a Tensor of the graph, such as w, not {told(given)}")


def choose_output(graph: ComputationGraph, output: Tensor | None) -> Tensor:
    """Return the tensor to differentiate: the given one, or what the last node made.

    Raises
    ------
    BackwardError
        If the graph is empty and no output was given, or the output is frozen or no tensor.
    GraphError
        If another graph recorded the output, or this one before a reset.
    """
    check_graph(graph)
    if output is None:
        if not graph.nodes:
            raise BackwardError(
                "the graph has no nodes, so there is nothing to differentiate; record a forward "
                "pass first, with at least one tensor that has requires_grad=True"
            )
        output = graph.nodes[-1].output
    check_tensor(output, "output")
    if not output.requires_grad:
        raise BackwardError(
            f"{output.label} does not require a gradient: it is frozen, or was computed from "
            f"frozen tensors only; make a leaf that it depends on with requires_grad=True"
        )
    last_position(graph, output)
    return output


def last_position(graph: ComputationGraph, output: Tensor) -> int:
    """Return the position of the node that made `output`; -1 for a leaf.

    Raises
    ------
    GraphError
        If `output` was recorded by another graph, or before a reset.
    """
    position = output.grad_fn_index
    if position is None:
        return -1
    if not graph.holds(output):
        raise GraphError(
            f"{output.label} is not in this graph (it has {len(graph.nodes)} nodes); pass the "
            f"graph that recorded it, or record it again after a reset"
        )
    return position


def check_seed(output: Tensor, seed: ArrayLike | None) -> Values:
    """Return the seed as values of the output's shape and dtype; 1.0 if none was given.

    Raises
    ------
    BackwardError
        If the output has more than one number and no seed came, or the seed does not fit.
    """
    if seed is None:
        values = output.values
        one: Values | None = ONE.get(type(values))
        if one is not None:
            return one  # the output is a single number
        if values.size != 1:
            raise BackwardError(
                f"backward from {output.label} of shape {output.shape} needs a seed of that shape, "
                f"for instance seed=np.ones({output.shape}); or sum it to a single number first"
            )
        return frozen(np.ones_like(values))
    try:
        values = to_values(seed.settled() if isinstance(seed, Tensor) else seed, output.dtype)
    except TensorError as error:
        raise BackwardError(f"the seed cannot be used: {error}") from None
    if values.shape != output.shape:
        raise BackwardError(
            f"the seed has shape {values.shape}, but {output.label} has shape {output.shape}; "
            f"the seed must have the shape of the output"
        )
    return values


def check_order(graph: ComputationGraph, order: Sequence[int] | str) -> list[int]:
    """Return an order as a list of positions; it may be wrong, incomplete or repeat itself.

    Raises
    ------
    BackwardError
        If anything in it is not a position in ``graph.nodes``.
    """
    count = len(graph.nodes)
    what = "a list of positions in graph.nodes, as mg.topological_backward_order(graph) gives one"
    positions = listed(order, "order", what, BackwardError)
    for position in positions:
        if not is_whole(position) or not 0 <= position < count:
            raise BackwardError(
                f"{told(position)} in the order is not a position in graph.nodes; allowed are "
                f"whole numbers from 0 to {count - 1}"
            )
    return [int(position) for position in positions]
