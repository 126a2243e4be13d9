"""`Received`: what one operand gets in one step, as the plain numbers that can be asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from minigrad.engine.values import Values
from minigrad.trace.numbers import INLINE_SIZE
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex
from minigrad.trace.words import expression

Place = tuple[int, ...]


@dataclass(frozen=True)
class Received:
    """What a node passes on to one of its operands, along one edge or along all of them.

    Of a small array, it is about one of its elements.

    Attributes
    ----------
    node, target : Vertex
        The node that is visited, and the operand that gets something.
    formula : str
        What the node computed, as ``z = x × y``.
    others : tuple of Vertex
        The node's other operands.
    place : tuple of int
        Where in the operand; empty for a single number.
    upstream : float or None
        The gradient of the node's output; None if nothing has reached it.
    rules : tuple of str
        Of each edge, the local derivative in symbols.
    slopes : tuple of float
        Of each edge, the local derivative in numbers.
    shares : tuple of float
        Of each edge, what is passed on along it.
    before, after : float or None
        The operand's gradient; None for nothing yet.
    edge : tuple of int or None
        If the step is one of several edges between the two: which one, from 1, and of how many.
    repeated : bool
        Whether the node was visited before.
    """

    node: Vertex
    target: Vertex
    formula: str
    others: tuple[Vertex, ...]
    place: Place
    upstream: float | None
    rules: tuple[str, ...]
    slopes: tuple[float, ...]
    shares: tuple[float, ...]
    before: float | None
    after: float | None
    edge: tuple[int, int] | None
    repeated: bool

    @property
    def added(self) -> float:
        """What is passed on in all."""
        return math.fsum(self.shares)

    @property
    def accumulates(self) -> bool:
        """Whether something is added up: to what is there, or along several edges."""
        return self.before is not None or len(self.shares) > 1

    @property
    def is_unchanged(self) -> bool:
        """Whether the upstream gradient is handed on as it is."""
        return set(self.rules) == {"1"}

    @property
    def largest(self) -> float:
        """The largest of the numbers that are added, without its sign."""
        return max(map(abs, (self.before or 0.0, *self.shares)))

    def value_of(self, vertex: Vertex) -> float | None:
        """Return the value of a tensor in this place, if it has one there."""
        if vertex.values.shape == self.target.values.shape:
            return float(vertex.values[self.place])
        return float(vertex.values) if vertex.values.ndim == 0 else None


def received_in(trace: Trace, step: Step, *, repeated: bool) -> list[Received]:
    """Return what each operand gets in a step, where that is a matter of plain numbers.

    Parameters
    ----------
    trace : Trace
        Where the step comes from.
    step : Step
        A visit, or one edge of it.
    repeated : bool
        Whether the node had passed something on in an earlier visit.
    """
    by_target: dict[str, list[Contribution]] = {}
    for contribution in step.contributions:
        if contribution.value is not None:
            by_target.setdefault(contribution.tensor, []).append(contribution)
    made = (_received(trace, step, key, group, repeated) for key, group in by_target.items())
    return [received for received in made if received is not None]


def _received(
    trace: Trace, step: Step, key: str, group: list[Contribution], repeated: bool
) -> Received | None:
    node, target = (trace.snapshot.vertices[one] for one in (step.tensor, key))
    size = target.values.size
    # a local derivative is known where operand and output have one shape
    if not 0 < size <= INLINE_SIZE or any(one.local is None for one in group):
        return None
    shares = [one.value for one in group if one.value is not None]
    place = _telling_place(shares)
    before, after = group[0].before, group[-1].after
    edges = [edge for edge in trace.snapshot.edges_into(node.key) if edge.source == key]
    among = [edge.key for edge in edges].index(group[0].edge) + 1
    received = Received(
        node,
        target,
        f"{node.name} = {expression(trace.snapshot, node.key)}",
        tuple(one for one in trace.snapshot.operands(node.key) if one is not target),
        place,
        None if step.upstream is None else _at(step.upstream, place),
        tuple(one.rule for one in group),
        tuple(_at(one.local, place) for one in group if one.local is not None),
        tuple(_at(share, place) for share in shares),
        None if before is None else _at(before, place),
        None if after is None else _at(after, place),
        (among, len(edges)) if len(edges) > len(group) else None,
        repeated,
    )
    told = (received.upstream, *received.slopes, *received.shares, received.before, received.after)
    return received if all(one is None or math.isfinite(one) for one in told) else None


def _telling_place(shares: list[Values]) -> Place:
    """Return where the most is passed on."""
    with np.errstate(all="ignore"):
        total = np.abs(np.sum(shares, axis=0))
    return tuple(int(one) for one in np.unravel_index(np.argmax(total), total.shape))


def _at(values: Values, place: Place) -> float:
    return float(values[place]) if values.ndim else float(values)
