"""The gradient table: each tensor's gradient before and after a step, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.trace.numbers import NOTHING_YET, format_values
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.timeline import Timeline
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


@dataclass(frozen=True)
class RowInTime:
    """One row of the table through all steps.

    Attributes
    ----------
    name : str
        What the tensor is called.
    value, before, after : Timeline of str
        What each cell says, from when on.
    changed : list of int
        The steps that set the gradient.
    """

    name: str
    value: Timeline[str]
    before: Timeline[str]
    after: Timeline[str]
    changed: list[int]

    def at(self, step: int) -> Row:
        """Return the row at a step."""
        value, before, after = (one.at(step) or "" for one in (self.value, self.before, self.after))
        return Row(self.name, value, before, after, step in self.changed)


def gradient_rows(trace: Trace, index: int, part: Snapshot) -> list[Row]:
    """Return the rows of the gradient table at a step of a trace, for a part of its graph."""
    stop = trace.stop_at(index)
    return [table_row(trace, vertex).at(stop) for vertex in table_vertices(part)]


def table_row(trace: Trace, vertex: Vertex, scenes: Sequence[range] | None = None) -> RowInTime:
    """Return the row of a tensor; if only some stretches of steps are shown, for these."""
    value: Timeline[str] = Timeline([(0, NOTHING_YET)])
    value.change(recorded_at(trace, vertex), format_values(vertex.values))
    history = trace.history.gradients[vertex.key]
    told = list(history) if scenes is None else history.during(scenes)
    start = format_values(trace.initial_gradient(vertex.key))
    before, after = Timeline([(0, start)]), Timeline([(0, start)])
    dead = dead_from(trace, vertex)
    if dead is not None:
        after.change(dead, f"{start} dead")
    for index, gradient in told:
        text = format_values(gradient)
        before.add(index + 1, text)
        after.add(index, text if dead is None else f"{text} dead")
    return RowInTime(row_name(vertex), value, before, after, [index for index, _ in told])


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
