"""The gradient table: each tensor's gradient before and after a step, as text."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.trace.numbers import NOTHING_YET, format_values
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex


@dataclass(frozen=True)
class Row:
    """One tensor at one step: what it is called, its value, and its gradient twice.

    Attributes
    ----------
    name, value, before, after : str
        As they are shown.
    changed : bool
        Whether this step set the gradient.
    """

    name: str
    value: str
    before: str
    after: str
    changed: bool


def gradient_rows(trace: Trace, index: int, part: Snapshot) -> list[Row]:
    """Return the rows of the gradient table at a step of a trace, for a part of its graph."""
    return [_row(trace, vertex, index) for vertex in table_vertices(part)]


def table_vertices(part: Snapshot) -> list[Vertex]:
    """Return the leaves, then the nodes; frozen tensors have no gradient to show.

    Of a folded group, these are what it gives to others.
    """
    vertices = [
        one
        for vertex in part.vertices.values()
        for one in (vertex.outputs or [vertex])
        if one.kind in ("leaf", "node")
    ]
    return sorted(vertices, key=lambda vertex: vertex.kind == "node")


def recorded_at(trace: Trace, vertex: Vertex) -> int:
    """Return the step from which a tensor has a value; a leaf has one from the start."""
    return trace.snapshot.vertices[trace.snapshot.box_of(vertex.key)].position or 0


def row_name(vertex: Vertex) -> str:
    """Return what a row of the table is called: a node's name, with its position."""
    return vertex.name + (
        f" (#{vertex.position})" if vertex.kind == "node" and vertex.given_name else ""
    )


def dead_from(trace: Trace, vertex: Vertex) -> int | None:
    """Return the step from which a node is told to be dead, the seed; None for any other."""
    if vertex.position is None or not trace.is_dead(recorded_at(trace, vertex)):
        return None
    return trace.history.seed


def _row(trace: Trace, vertex: Vertex, step: int) -> Row:
    index = trace.stop_at(step)
    before = format_values(trace.gradient_at(vertex.key, index - 1))
    after = format_values(trace.gradient_at(vertex.key, index))
    dead = dead_from(trace, vertex)
    is_dead = dead is not None and index >= dead
    return Row(
        row_name(vertex),
        format_values(vertex.values) if recorded_at(trace, vertex) <= index else NOTHING_YET,
        before,
        f"{after} dead" if is_dead else after,
        trace.history.gradients[vertex.key].begins_at(index),
    )
