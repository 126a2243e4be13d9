"""Windows: of a large graph, a picture shows the part in which the step happens."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minigrad.engine.errors import DrawingError, told
from minigrad.trace import Snapshot, Trace
from minigrad.trace.timeline import Timeline

LARGEST_WHOLE = 200
"""Graphs of up to so many nodes are drawn whole; by a stepper, up to `fold.groups.MOST_WHOLE`."""
WINDOW = 40
"""Of larger ones, so many boxes at a time: as they were recorded, one after the other."""


def windows_of(count: int, largest: int = LARGEST_WHOLE) -> list[range]:
    """Cut the places of the boxes of nodes and groups into windows.

    Parameters
    ----------
    count : int
        How many boxes there are.
    largest : int
        How many are shown whole.

    Examples
    --------
    >>> windows_of(200), windows_of(210)[-2:]
    ([range(0, 200)], [range(140, 175), range(175, 210)])
    """
    if count <= largest:
        return [range(count)]
    # as large as each other, so that the last one is no mere rest
    size = math.ceil(count / math.ceil(count / WINDOW))
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def check_nodes(nodes: object, snapshot: Snapshot) -> range:
    """Return the places of the boxes to draw in one picture; None stands for all.

    Raises
    ------
    DrawingError
        If there are too many, or it is no range of positions.
    """
    count = len(snapshot.boxes)
    if nodes is None and count > LARGEST_WHOLE:
        what = "boxes left to draw" if snapshot.is_folded else "nodes"
        raise DrawingError(
            f"the graph has {count} {what}, and one picture holds up to {LARGEST_WHOLE}; choose "
            f"some, as in mg.draw(graph, nodes=range(100, 125)), group them with graph.scope, or "
            f"walk through all of them with mg.step(graph)"
        )
    chosen = range(count) if nodes is None else nodes
    if not isinstance(chosen, range) or chosen.step != 1 or not chosen:
        raise DrawingError(f"nodes must be a range such as range(0, {count}), not {told(nodes)}")
    if chosen.start < 0 or chosen.stop > count or len(chosen) > LARGEST_WHOLE:
        raise DrawingError(
            f"nodes must be up to {LARGEST_WHOLE} positions from 0 to {count - 1}, not "
            f"{told(nodes)}"
        )
    return chosen


def windows_in_time(trace: Trace, windows: Sequence[range]) -> Timeline[int]:
    """Return the number of the window that is shown, from when on."""
    shown: Timeline[int] = Timeline()
    size = len(windows[0]) or 1
    snapshot = trace.snapshot
    for index in trace.stops:
        step = trace.shown(index)
        place = snapshot.place_of(step.tensor) if snapshot.is_folded else step.position or 0
        shown.change(index, place // size)
    return shown


def scenes_in(shown: Timeline[int], number: int, length: int) -> list[range]:
    """Return the stretches of steps that happen in one window.

    Parameters
    ----------
    shown : Timeline of int
        What `windows_in_time` found.
    number : int
        Of the window.
    length : int
        How many steps there are in all.
    """
    ends = [*shown.starts[1:], length]
    return [
        range(first, end) for (first, one), end in zip(shown, ends, strict=True) if one == number
    ]
