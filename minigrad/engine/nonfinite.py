"""`first_nonfinite`: where a nan or an infinity came from, on the way forward or back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from minigrad.engine.arguments import check_graph, check_seed, choose_output
from minigrad.engine.backward import Addition, Visit, walk
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.node import GraphNode, printable
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Values


@dataclass(frozen=True, repr=False)
class NonFinite:
    """The first value that is nan or infinite.

    Attributes
    ----------
    phase : {'forward', 'backward'}
        Whether it is a value of the forward pass or a gradient.
    position : int or None
        Of the node that made it, or, for a leaf that holds it, of the first node that uses it;
        None if it came with the seed.
    op_name : str or None
        The op of that node.
    slot : int or None
        The operand that held it, or was passed it on the way back; None where a forward op
        made it out of finite operands.
    place : tuple of int
        Its index in the array; ``()`` in a single number.
    value : float
        nan, inf or -inf.
    message : str
        All of that in a sentence; what ``print`` shows.
    """

    phase: str
    position: int | None
    op_name: str | None
    slot: int | None
    place: tuple[int, ...]
    value: float
    message: str

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"NonFinite({self.message})"


def first_nonfinite(
    graph: ComputationGraph, output: Tensor | None = None, seed: ArrayLike | None = None
) -> NonFinite | None:
    """Find the first nan or infinity of a forward pass, or else of the backward pass.

    All recorded values are looked at in the order in which they were computed. If they are
    finite, a backward pass is rehearsed, which writes no gradient, and each contribution and
    each sum is looked at in the order of visiting.

    Parameters
    ----------
    graph : ComputationGraph
        Where to look.
    output, seed : optional
        As in `minigrad.backward`.

    Returns
    -------
    NonFinite or None
        None if everything is finite.

    Raises
    ------
    GraphError, BackwardError, OpError
        As `minigrad.backward` does: for what was given at once, and for the rest once the values
        of the forward pass are finite.

    Examples
    --------
    >>> import minigrad as mg
    >>> x, graph = mg.Tensor(0.0, requires_grad=True, name="x"), mg.ComputationGraph()
    >>> with graph:
    ...     w = x.sqrt() * 2
    >>> print(mg.first_nonfinite(graph, w))
    backward: node #0 (sqrt) passes inf to operand 0 (tensor 'x' = 0); its upstream gradient is 2
    """
    check_graph(graph)
    if output is not None:
        choose_output(graph, output)
    if seed is not None:
        check_seed(choose_output(graph, output), seed)
    for position, node in enumerate(graph.nodes):
        found = _in_values(node, position)
        if found is not None:
            return found
    watch = _Watch(graph)
    with np.errstate(all="ignore"):
        walk(graph, output, seed, None, watch.look_at_seed, watch.look_at_visit)
    return watch.found


def _in_values(node: GraphNode, position: int) -> NonFinite | None:
    *operands, output = node.recorded_values
    for slot, values in enumerate(operands):
        place = _first_place(values)
        if place is not None:
            number = float(values[place])
            message = (
                f"forward: {node.inputs[slot].label} holds {number}{_at(place)}; "
                f"node #{position} ({printable(node.op_name)}) uses it as operand {slot}"
            )
            return NonFinite("forward", position, node.op_name, slot, place, number, message)
    place = _first_place(output)
    if place is None:
        return None
    number = float(output[place])
    message = (
        f"forward: node #{position} ({printable(node.op_name)}) makes {number}{_at(place)} out of "
    )
    if node.op.elementwise and _broadcast(operands, output):
        parts = [
            f"{_short(np.broadcast_to(values, output.shape)[place])} ({tensor.label})"
            for tensor, values in zip(node.inputs, operands, strict=True)
        ]
    else:
        parts = [
            f"{tensor.label} of shape {tensor.shape}, all finite, up to "
            f"{_short(abs(values).max(initial=0))}"
            for tensor, values in zip(node.inputs, operands, strict=True)
        ]
    message += " and ".join(parts)
    return NonFinite("forward", position, node.op_name, None, place, number, message)


class _Watch:
    """Looks at the seed and at each visit of a pass, for the first gradient that is not finite."""

    def __init__(self, graph: ComputationGraph) -> None:
        self.found: NonFinite | None = None
        self._nodes = graph.nodes

    def look_at_seed(self, seed: Addition) -> None:
        if seed.after is None or (place := _first_place(seed.after)) is None:
            return
        number = float(seed.after[place])
        where = f"backward: the gradient of {seed.tensor.label}"
        message = f"{where} starts with {number}{_at(place)}"
        self.found = NonFinite("backward", None, None, None, place, number, message)

    def look_at_visit(self, visit: Visit) -> None:
        for slot, addition in visit.passed_on.items():
            if self.found is None:
                self.found = self._in_addition(visit, slot, addition)

    def _in_addition(self, visit: Visit, slot: int, addition: Addition) -> NonFinite | None:
        node = self._nodes[visit.position]
        operand, contribution, before, after = addition
        where = f"backward: node #{visit.position} ({printable(node.op_name)})"
        place = _first_place(contribution)
        if place is not None:
            number = float(contribution[place])
            message = (
                f"{where} passes {number}{_at(place)} to operand {slot} ({operand.label}"
                f" = {_short(operand.values[place])}); its upstream gradient is "
                f"{_tell_upstream(visit.upstream, operand, place)}"
            )
        elif before is None or after is None or (place := _first_place(after)) is None:
            return None
        else:
            number = float(after[place])
            message = (
                f"{where} adds {_short(contribution[place])} to the gradient of operand {slot} "
                f"({operand.label}), which was {_short(before[place])}{_at(place)} and "
                f"becomes {number}"
            )
        return NonFinite("backward", visit.position, node.op_name, slot, place, number, message)


def _tell_upstream(upstream: Values | None, operand: Tensor, place: tuple[int, ...]) -> str:
    if upstream is not None and upstream.shape == operand.shape:
        return _short(upstream[place])
    return "finite"


def _broadcast(operands: list[Values], output: Values) -> bool:
    """Tell whether the operands broadcast to the shape of the output, as they should."""
    try:
        return np.broadcast_shapes(*(one.shape for one in operands)) == output.shape
    except ValueError:
        return False


def _first_place(values: Values) -> tuple[int, ...] | None:
    """Return the index of the first number that is not finite."""
    bad = ~np.isfinite(values)
    if not bad.any():
        return None
    return tuple(int(index) for index in np.argwhere(bad)[0])


def _at(place: tuple[int, ...]) -> str:
    return f" at {place}" if place else ""


def _short(number: Values) -> str:
    return f"{float(number):.6g}"
