"""The backward pass: one loop over an order of nodes, and nothing written until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from minigrad import tensor as tensor_module
from minigrad.errors import BackwardError, GraphError, OpError, TensorError
from minigrad.forward import UNTRACKED
from minigrad.graph import ComputationGraph
from minigrad.node import GraphNode, zeros_like
from minigrad.ops.base import Values
from minigrad.ops.broadcasting import unbroadcast
from minigrad.order import ancestor_backward_order
from minigrad.recording import recorders
from minigrad.request import check_order, check_seed, choose_output
from minigrad.tensor import Tensor
from minigrad.values import frozen, to_values


class Listener(Protocol):
    """Someone who watches a backward pass: the trace behind the stepper is one."""

    def seeded(self, output: Tensor, seed: Values, before: Values | None, after: Values) -> None:
        """Tell that the seed was added to the output's gradient."""

    def visited(self, position: int, upstream: Values | None) -> None:
        """Tell that the loop came to a node; `upstream` is None if nothing had reached it."""

    def contributed(
        self, slot: int, contribution: Values, before: Values | None, after: Values | None
    ) -> None:
        """Tell what the node visited last passed on to its operand number `slot`."""


class Gradients:
    """The gradients of one run, kept beside the graph until the run is complete."""

    def __init__(self, graph: ComputationGraph) -> None:
        self.of_nodes: list[Values | None] = [None] * len(graph.nodes)
        self.of_leaves: dict[int, tuple[Tensor, Values]] = {}

    def get(self, tensor: Tensor) -> Values | None:
        """Return the gradient so far; a leaf starts from what earlier runs left in it."""
        if tensor.grad_fn_index is not None:
            return self.of_nodes[tensor.grad_fn_index]
        kept = self.of_leaves.get(id(tensor))
        return tensor.grad if kept is None else kept[1]

    def put(self, tensor: Tensor, gradient: Values) -> None:
        """Keep a new gradient in place of the one so far."""
        if tensor.grad_fn_index is not None:
            self.of_nodes[tensor.grad_fn_index] = gradient
        else:
            self.of_leaves[id(tensor)] = (tensor, gradient)

    def write(self, graph: ComputationGraph) -> None:
        """Store the gradients where users read them: in the nodes and in the tensors.

        Leaves get arrays of their own, to scale or to clip; those of nodes are read-only.
        """
        for node, gradient in zip(graph.nodes, self.of_nodes, strict=True):
            node.output.grad = node._grad = gradient
        for tensor, gradient in self.of_leaves.values():
            tensor.grad = np.array(gradient) if gradient.ndim else gradient
        if graph._listeners:
            graph.tell_listeners()


def backward(
    graph: ComputationGraph,
    output: Tensor | None = None,
    seed: ArrayLike | None = None,
    order: Sequence[int] | None = None,
) -> None:
    r"""Compute the gradient of `output` with respect to everything it was computed from.

    The gradient of the output itself is the seed. Each node, visited after all of its
    consumers, multiplies its upstream gradient by its local derivatives and adds the
    contributions to its operands' gradients: the chain rule,

    .. math:: \frac{\partial w}{\partial x}
              = \sum_{z \text{ uses } x} \frac{\partial w}{\partial z}
                \cdot \frac{\partial z}{\partial x}

    Gradients of nodes start afresh in every run; those of leaves add up until `zero_grad`.
    If anything is wrong, an error is raised before any gradient is changed.

    Parameters
    ----------
    graph : ComputationGraph
        The graph that recorded `output`.
    output : Tensor, optional
        What to differentiate; by default the output of the last node.
    seed : array_like, optional
        The gradient to start from, in the shape of `output`. The default is 1.0, and is
        there only for an output of size 1.
    order : sequence of int, optional
        Positions in ``graph.nodes`` in the order of visiting; by default
        `ancestor_backward_order`. A wrong order is carried out as it is: that is for
        teaching.

    Raises
    ------
    BackwardError
        If the output is frozen, the seed is missing or of the wrong shape, the order is
        not a list of positions, or the values of a tensor changed since they were recorded.
    GraphError
        If `output` was recorded by another graph.
    OpError
        If an op's backward returned the wrong number, shape or kind of gradients.

    References
    ----------
    A. Griewank and A. Walther, *Evaluating Derivatives*, 2nd ed., SIAM 2008, chapter 3.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> graph = mg.ComputationGraph()
    >>> w = mg.add(graph, mg.mul(graph, x, y), x)
    >>> mg.backward(graph, w)
    >>> x.grad, y.grad
    (np.float32(5.0), np.float32(3.0))
    """
    walk(graph, output, seed, order).write(graph)


def walk(
    graph: ComputationGraph,
    output: Tensor | None = None,
    seed: ArrayLike | None = None,
    order: Sequence[int] | None = None,
    listener: Listener | None = None,
) -> Gradients:
    """Run the loop of `backward` and return the gradients without storing them anywhere."""
    output = choose_output(graph, output)
    ancestors = ancestor_backward_order(graph, output)
    start = check_seed(output, seed)
    positions = ancestors if order is None else check_order(graph, order)

    gradients = Gradients(graph)
    before = gradients.get(output)
    after = start if before is None else _sum(before, start, output)
    gradients.put(output, after)
    if listener is not None:
        listener.seeded(output, start, before, after)
    outer = recorders.set((UNTRACKED,))
    try:
        for position in positions:
            _visit(graph.nodes[position], position, gradients, listener)
    finally:
        recorders.reset(outer)
    return gradients


def _visit(node: GraphNode, position: int, gradients: Gradients, listener: Listener | None) -> None:
    changed = node.changed_tensor()
    if changed is not None:
        raise BackwardError(
            f"the values (or requires_grad) of {changed.label} have changed since node "
            f"#{position} ({node.op_name}) recorded them, so its gradient would be wrong; run the "
            f"forward pass again before backward (graph.reset() first)"
        )
    upstream = gradients.of_nodes[position]
    if listener is not None:
        listener.visited(position, upstream)
    contributions = _run_backward(node, position, upstream)
    for slot, operand in enumerate(node.inputs):
        if not node.wanted[slot]:
            continue
        contribution = contributions[slot]
        # two numpy scalars of one type agree in shape and dtype
        if type(contribution) is not type(operand._values) or type(contribution) is np.ndarray:
            contribution = _fit(contribution, node, position, slot)
        before = gradients.get(operand)
        if upstream is None:
            # a node that nothing reached has nothing to pass on; its backward ran for
            # nothing, and where it gave 0 times infinity, nan is no gradient of anything
            contribution, after = zeros_like(operand), before
        else:
            after = contribution if before is None else _sum(before, contribution, operand)
            gradients.put(operand, after)
        if listener is not None:
            listener.contributed(slot, contribution, before, after)


def _run_backward(node: GraphNode, position: int, upstream: Values | None) -> Sequence[Any]:
    given = zeros_like(node.output) if upstream is None else upstream
    if node.attrs:
        returned = node.op.backward(given, node.inputs, node.output, **node.attrs)
    else:
        returned = node.op.backward(given, node.inputs, node.output)
    if isinstance(returned, list | tuple) and len(returned) == len(node.inputs):
        return returned
    got = type(returned).__name__
    if isinstance(returned, list | tuple):
        got = f"{len(returned)} gradients"
    raise OpError(
        f"backward of op {node.op_name!r} (node #{position}) returned {got} for "
        f"{len(node.inputs)} operands; return a list with one gradient for each, in order"
    )


def _fit(contribution: Any, node: GraphNode, position: int, slot: int) -> Values:
    """Check what an op's backward returned for one operand, and give it its shape and dtype.

    What comes back is read-only: arrays may be shared by many gradients.
    """
    operand = node.inputs[slot]
    try:
        if contribution is None:
            raise TensorError("None")
        if isinstance(contribution, Tensor):
            contribution = contribution.values
        elif not node.op.returns_new_arrays:
            contribution = to_values(contribution, operand.dtype)
        if contribution.shape != operand.shape:
            if not node.op.elementwise or contribution.shape != node.output.shape:
                raise TensorError(f"shape {contribution.shape}")
            contribution = unbroadcast(contribution, operand.shape)
    except TensorError as error:
        raise OpError(
            f"backward of op {node.op_name!r} (node #{position}) returned for operand {slot} "
            f"({operand.label}) what cannot be its gradient: {error}; return an array of shape "
            f"{operand.shape}"
        ) from None
    return frozen(contribution.astype(operand.dtype, copy=False))


def _sum(before: Any, contribution: Values, tensor: Tensor) -> Values:
    if type(before) is type(contribution) and type(before) is not np.ndarray:
        return before + contribution
    if getattr(before, "shape", None) != contribution.shape:
        raise BackwardError(
            f"{tensor.label} of shape {tensor.shape} holds a gradient that is not an array of "
            f"that shape: {before!r}; zero_grad() forgets it"
        )
    total: Values = before + contribution
    return frozen(total.astype(tensor.dtype, copy=False))


def _backward_from(output: Tensor, seed: ArrayLike | None) -> None:
    """Run a backward pass from a tensor, in the graph that recorded it."""
    if output.grad_fn_index is None:
        graph: ComputationGraph | None = ComputationGraph()  # a leaf needs no node of any graph
    else:
        graph = output._graph() if output._graph is not None else None
    if graph is None:
        raise GraphError(
            f"{output.label} was recorded by a graph that no longer exists; keep the graph in a "
            f"variable for as long as you need its gradients"
        )
    backward(graph, output, seed)


tensor_module.run_backward = _backward_from  # the place that tensor.py keeps for it
