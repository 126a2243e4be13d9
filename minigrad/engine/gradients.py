"""The gradients of one run: what ops returned is made to fit, and all is written at the end."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy import ndarray

from minigrad.engine.errors import BackwardError, OpError, TensorError, told
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.node import GraphNode
from minigrad.engine.ops.broadcasting import unbroadcast
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values, frozen_copy, to_values

Gradients: TypeAlias = tuple[list[Values | None], dict[Tensor, Values], dict[Tensor, Values]]
"""Of one run: the gradients of the nodes by position, those of the leaves, and what the leaves
held before, of those that held anything."""


def fit(contribution: Any, node: GraphNode, position: int, slot: int) -> Values:
    """Check what an op's backward returned for one operand, and give it its shape and dtype."""
    op, operand = node.op, node.inputs[slot]
    shape, dtype = operand.values.shape, operand.values.dtype
    try:
        if contribution is None:
            raise TensorError("None")
        if not op.returns_new_arrays:
            contribution = to_values(
                contribution.settled() if isinstance(contribution, Tensor) else contribution, dtype
            )
        if contribution.shape != shape:
            if not op.elementwise or contribution.shape != node.output.shape:
                raise TensorError(f"shape {contribution.shape}")
            contribution = unbroadcast(contribution, shape)
    except ValueError as error:  # a TensorError is one too
        raise OpError(
            f"backward of op {node.op_name!r} (node #{position}) returned for operand {slot} "
            f"({operand.label}) what cannot be its gradient: {error}; return an array of shape "
            f"{shape}"
        ) from None
    if contribution.dtype is not dtype:
        contribution = contribution.astype(dtype, copy=False)
    return contribution if shape else contribution[()]  # type: ignore[no-any-return]


def from_earlier_runs(leaf: Tensor, earlier: dict[Tensor, Values]) -> Values:
    """Return what earlier runs left in a leaf, and users may have put there since."""
    kept: Any = leaf.grad
    is_fit = isinstance(kept, np.ndarray | np.generic) and kept.shape == leaf.shape
    if not is_fit or kept.dtype.kind not in "fiu":
        raise BackwardError(
            f"{leaf.label} of shape {leaf.shape} holds a gradient that is not an array of real "
            f"numbers of that shape: {told(kept)}; zero_grad() forgets it"
        )
    earlier[leaf] = kept
    return kept.astype(leaf.dtype, copy=False)  # type: ignore[no-any-return]


def write(
    graph: ComputationGraph,
    of_nodes: list[Values | None],
    of_leaves: dict[Tensor, Values],
    earlier: dict[Tensor, Values],
) -> None:
    """Store gradients where users read them: in the nodes and in the tensors.

    Leaves get arrays of their own, to scale or to clip; those of nodes are read-only.
    """
    nodes = graph.nodes
    if len(nodes) != len(of_nodes):
        nodes = nodes[: len(of_nodes)]  # an op's backward recorded more, or reset the graph
    for position, node in enumerate(nodes):
        node.output.grad = node._grad = of_nodes[position]
    graph.earlier_gradients.clear()
    for tensor, gradient in of_leaves.items():
        was = earlier.get(tensor)
        if tensor.grad is not was:
            # an op's backward ran a backward of its own, which added to this leaf meanwhile
            gradient = gradient + (tensor.grad if was is None else tensor.grad - was)
        if was is not None:
            graph.earlier_gradients[tensor] = frozen_copy(was)
        if type(gradient) is ndarray and not gradient.flags.writeable:
            gradient = gradient.copy()  # others hold it too: see `returns_new_arrays`
        tensor.grad = gradient
    graph.tell_subscribers()
