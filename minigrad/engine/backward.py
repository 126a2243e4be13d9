"""The backward pass: one loop over an order of nodes, and nothing written until it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike

from minigrad.engine.arguments import check_order, check_seed, choose_output
from minigrad.engine.errors import BackwardError, GraphError, OpError
from minigrad.engine.forward import OP_FAILURES, UNTRACKED, reason_of
from minigrad.engine.gradients import Gradients, fit, from_earlier_runs, write
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.node import GraphNode, printable
from minigrad.engine.order import recorded_after
from minigrad.engine.recorders import recorders
from minigrad.engine.tensor import Tensor, zeros_like
from minigrad.engine.values import Values


class Addition(NamedTuple):
    """Something that a backward pass added to the gradient of one tensor.

    Attributes
    ----------
    tensor : Tensor
        Whose gradient.
    added : numpy.ndarray
        A contribution, or the seed.
    before, after : numpy.ndarray or None
        The gradient; None stands for "nothing yet".
    """

    tensor: Tensor
    added: Values
    before: Values | None
    after: Values | None


class Visit(NamedTuple):
    """What one visit to a node came to.

    Attributes
    ----------
    position : int
        The node's position in ``graph.nodes``.
    upstream : numpy.ndarray or None
        The gradient of its output; None if nothing had reached it.
    passed_on : dict of int to Addition
        By their slots, what the operands got; those that are frozen get nothing.
    """

    position: int
    upstream: Values | None
    passed_on: dict[int, Addition]


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
    If anything is wrong, an error is raised before any gradient is changed. Numpy warns of what
    becomes nan or overflows, as in the forward pass, but not of a derivative that is infinite, as
    that of √x at 0: `minigrad.first_nonfinite` tells where it was.

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
    >>> with mg.ComputationGraph() as graph:
    ...     w = x * y + x
    >>> mg.backward(graph, w)
    >>> x.grad, y.grad
    (np.float32(5.0), np.float32(3.0))
    """
    write(graph, *walk(graph, output, seed, order))


def walk(
    graph: ComputationGraph,
    output: Tensor | None = None,
    seed: ArrayLike | None = None,
    order: Sequence[int] | None = None,
    on_seed: Callable[[Addition], None] | None = None,
    on_visit: Callable[[Visit], None] | None = None,
) -> Gradients:
    """Run the loop of `backward` and return the gradients without storing them anywhere.

    Parameters
    ----------
    graph, output, seed, order
        As in `backward`.
    on_seed : callable, optional
        Is told of the seed, once it has been added to the gradient of the output.
    on_visit : callable, optional
        Is told of each visit when it is done. The trace behind the stepper listens here.

    Raises
    ------
    BackwardError, GraphError, OpError
        As `backward` does; of a visit that fails, `on_visit` is not told.
    """
    output = choose_output(graph, output)
    start = check_seed(output, seed)
    if order is None:
        # from the output down the list: what nothing has reached by its turn is no ancestor
        last = -1 if output.grad_fn_index is None else output.grad_fn_index
        positions: Iterable[int] = range(last, -1, -1)
    else:
        positions = check_order(graph, order)

    nodes = graph.nodes
    of_nodes: list[Values | None] = [None] * len(nodes)
    of_leaves: dict[Tensor, Values] = {}
    earlier: dict[Tensor, Values] = {}
    before, after = None, start
    if output.grad_fn_index is not None:
        of_nodes[output.grad_fn_index] = start
    else:
        if output.grad is not None:
            before = from_earlier_runs(output, earlier)
            after = before + start
        of_leaves[output] = after
    if on_seed is not None:
        on_seed(Addition(output, start, before, after))
    for position in positions:
        upstream = of_nodes[position]
        if upstream is not None or order is not None:
            _visit(nodes, position, upstream, of_nodes, of_leaves, earlier, on_visit)
    if order is not None:  # which may leave out nodes, or come to them too early
        for gradient in of_nodes:
            if type(gradient) is ndarray:
                gradient.flags.writeable = False
    return of_nodes, of_leaves, earlier


def _visit(
    nodes: list[GraphNode],
    position: int,
    upstream: Values | None,
    of_nodes: list[Values | None],
    of_leaves: dict[Tensor, Values],
    earlier: dict[Tensor, Values],
    on_visit: Callable[[Visit], None] | None,
) -> None:
    """Let a node pass on its gradient: add a contribution to the gradient of each operand."""
    node = nodes[position]
    if type(upstream) is ndarray:
        upstream.flags.writeable = False  # complete, and others may hold it from now on
    passed_on: dict[int, Addition] | None = None if on_visit is None else {}
    contributions = contributions_of(node, position, upstream)
    slot = -1
    for operand in node.inputs:
        slot += 1
        if not operand._wanted:
            continue
        contribution = contributions[slot]
        kind = type(contribution)
        if kind is ndarray or kind is not type(operand.values):
            # two numpy scalars of one type agree in shape and dtype; all else is looked at
            contribution = fit(contribution, node, position, slot)
        maker = operand.grad_fn_index
        if maker is not None:
            if maker >= position or nodes[maker].output is not operand:
                raise GraphError(recorded_after(operand, position))
            before = of_nodes[maker]
        elif operand in of_leaves:
            before = of_leaves[operand]
        else:
            before = None if operand.grad is None else from_earlier_runs(operand, earlier)
        if upstream is None:
            # a node that nothing reached has nothing to pass on; its backward ran for
            # nothing, and where it gave 0 times infinity, nan is no gradient of anything
            contribution, after = zeros_like(operand), before
        else:
            if before is None:
                after = contribution
            elif passed_on is None and kind is ndarray and contribution.flags.writeable:
                after = np.add(before, contribution, out=contribution)  # which is nobody else's
            else:
                after = before + contribution
            if maker is None:
                of_leaves[operand] = after
            else:
                of_nodes[maker] = after
        if passed_on is not None:
            passed_on[slot] = Addition(operand, contribution, before, after)
    if on_visit is not None and passed_on is not None:
        on_visit(Visit(position, upstream, passed_on))


def contributions_of(node: GraphNode, position: int, upstream: Values | None) -> Sequence[Any]:
    """Return what an op's backward gives for each operand, as it gives it.

    Raises
    ------
    BackwardError
        If an operand or the output changed since the node recorded them.
    OpError
        If the op fails, or gives another number of gradients than it has operands.
    """
    changed = node.changed_tensor()
    if changed is not None:
        raise BackwardError(
            f"the values (or requires_grad) of {changed.label} have changed since node "
            f"#{position} ({printable(node.op_name)}) recorded them, so its gradient would be "
            f"wrong; run the forward pass again before backward (graph.reset() first)"
        )
    op = node.op
    given = zeros_like(node.output) if upstream is None else upstream
    # ops of others may compute with tensors, and that must not be recorded
    outer = None if op.returns_new_arrays else recorders.set((UNTRACKED,))
    try:
        if node._attrs:
            returned = op.backward(given, node.inputs, node.output, **node.attrs)
        else:
            returned = op.backward(given, node.inputs, node.output)
    except OP_FAILURES as error:
        raise OpError(
            f"backward of op {node.op_name!r} (node #{position}) failed: {reason_of(error)}"
        ) from error
    finally:
        if outer is not None:
            recorders.reset(outer)
    is_sequence = type(returned) is list or isinstance(returned, list | tuple)
    if is_sequence and len(returned) == len(node.inputs):
        return returned
    got = f"{len(returned)} gradients" if is_sequence else type(returned).__name__
    raise OpError(
        f"backward of op {node.op_name!r} (node #{position}) returned {got} for "
        f"{len(node.inputs)} operand{'' if len(node.inputs) == 1 else 's'}; return a list with "
        f"one gradient for each, in order"
    )


def contribution_along(node: GraphNode, position: int, slot: int, upstream: Values) -> Values:
    """Return what a node passes on to one of its operands if a gradient arrives at it.

    Raises
    ------
    BackwardError, OpError
        As `contributions_of` does, or if it is no gradient of that operand.
    """
    return fit(contributions_of(node, position, upstream)[slot], node, position, slot)


def backward_from(output: Tensor, seed: ArrayLike | None) -> None:
    """Run a backward pass from a tensor, in the graph that recorded it: `Tensor.backward`."""
    if output.grad_fn_index is None:
        graph: ComputationGraph | None = ComputationGraph()  # a leaf needs no node of any graph
    else:
        graph = output.recorded_by()
    if graph is None:
        raise GraphError(
            f"{output.label} was recorded by a graph that no longer exists, or is a copy of what a "
            f"graph recorded; keep the graph in a variable for as long as you need its gradients, "
            f"or copy all of it"
        )
    backward(graph, output, seed)
