"""The gradient table: each tensor's gradient before and after a step, as text."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.trace.history import is_told_at, last_before
from minigrad.trace.items import Item
from minigrad.trace.numbers import NOTHING_YET, format_values
from minigrad.trace.run import Trace
from minigrad.trace.snapshot import Snapshot


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
    return [_row(trace, item, index) for item in table_items(part)]


def table_items(part: Snapshot) -> list[Item]:
    """Return the leaves, then the nodes; frozen tensors have no gradient to show.

    Of a folded group, these are what it gives to others.
    """
    items = [
        one
        for item in part.items.values()
        for one in (item.outputs or [item])
        if one.kind in ("leaf", "node")
    ]
    return sorted(items, key=lambda item: item.kind == "node")


def recorded_at(trace: Trace, item: Item) -> int:
    """Return the step from which a tensor has a value; a leaf has one from the start."""
    return trace.snapshot.items[trace.snapshot.box_of(item.key)].position or 0


def row_name(item: Item) -> str:
    """Return what a row of the table is called: a node's name, with its position."""
    return item.name + (f" (#{item.position})" if item.kind == "node" and item.given_name else "")


def dead_from(trace: Trace, item: Item) -> int | None:
    """Return the step from which a node is told to be dead, the seed; None for any other."""
    if item.position is None or not trace.is_dead(recorded_at(trace, item)):
        return None
    return trace.history.seed


def _row(trace: Trace, item: Item, step: int) -> Row:
    index = trace.stop_at(step)
    before = _gradient(trace, item, index - 1)
    after = _gradient(trace, item, index)
    dead = dead_from(trace, item)
    is_dead = dead is not None and index >= dead
    return Row(
        row_name(item),
        format_values(item.values) if recorded_at(trace, item) <= index else NOTHING_YET,
        before,
        f"{after} dead" if is_dead else after,
        is_told_at(trace.history.gradients[item.key], index),
    )


def _gradient(trace: Trace, item: Item, index: int) -> str:
    gradient = last_before(trace.history.gradients[item.key], index + 1)
    return format_values(trace.initial_gradient(item.key) if gradient is None else gradient)
