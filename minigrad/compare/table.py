"""The table of a comparison: each tensor with its numbers on both sides, and a sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minigrad.compare.alignment import Pair, have_same_structure
from minigrad.compare.trace_pair import Difference, TracePair
from minigrad.engine.values import Values
from minigrad.trace import Trace, Vertex
from minigrad.trace.numbers import NOTHING_YET, format_values
from minigrad.trace.table import dead_from

MOST_TOLD = 2
"""Of what tells two sides apart; more would be no title."""

Reel = list[list[Any]]
"""``[first moment, text]``, in order."""


def common_rows(both: TracePair) -> list[dict[str, Any]]:
    """Return the rows: keys, name, values and gradients of both sides, and what differs.

    Frozen tensors have a row only if they differ.
    """
    marks: dict[Pair, dict[int, str]] = {}
    for moment in range(len(both.moments)):
        for one in both.differences(moment):
            marks.setdefault(one.pair, {})[moment] = _mark(one)
    return [
        {
            "keys": pair,
            "name": both.row_name(pair),
            "values": [_reel(both, side, pair, both.value) for side in (0, 1)],
            "gradients": [_gradients(both, side, pair) for side in (0, 1)],
            "marks": _changes(
                {turn: marks.get(pair, {}).get(turn, "") for turn in both.turns(pair)}
            ),
        }
        for pair in both.pairs
        if pair in marks or _gets_gradient(both, pair)
    ]


def _gets_gradient(both: TracePair, pair: Pair) -> bool:
    return any(
        both.vertex(side, key).kind != "frozen" for side, key in enumerate(pair) if key is not None
    )


def _mark(one: Difference) -> str:
    if one.value and one.gradient:
        return "≠ both"
    return "≠ value" if one.value else "≠ grad"


def _reel(
    both: TracePair, side: int, pair: Pair, read: Callable[[int, str, int], Values | None]
) -> Reel | None:
    """Return what is read at each moment, as text; None for a tensor that is not on this side."""
    key = pair[side]
    if key is None:
        return None
    return _changes({turn: format_values(read(side, key, turn)) for turn in both.turns(pair)})


def _gradients(both: TracePair, side: int, pair: Pair) -> Reel | None:
    key, reel = pair[side], _reel(both, side, pair, both.gradient)
    if key is None or reel is None or both.vertex(side, key).kind == "frozen":
        return None
    dead = dead_from(both.traces[side], both.vertex(side, key))
    if dead is None:
        return reel
    first = next(at for at, moment in enumerate(both.moments) if moment[side] >= dead)
    return [*reel, [first, f"{NOTHING_YET} dead"]]


def _changes(told: Mapping[int, str]) -> Reel:
    """Keep the moments at which a text is another than before."""
    reel: Reel = []
    for moment, text in told.items():
        if not reel or reel[-1][1] != text:
            reel.append([moment, text])
    return reel


def titles_of(both: TracePair, orders: Sequence[str]) -> tuple[str, str]:
    """Find what tells the two sides apart: their orders, their leaves, or their ops."""
    left, right = both.traces
    if have_same_structure(left.snapshot, right.snapshot) and left.positions != right.positions:
        return f"order: {orders[0]}", f"order: {orders[1]}"
    found: list[tuple[str, str]] = []
    for one in both.differences(0):
        vertices = [both.vertex(side, key) for side, key in enumerate(one.pair)]
        if one.value and all(vertex.position is None for vertex in vertices):
            name = both.name(one.pair)
            texts = [f"{name} = {format_values(vertex.values)}" for vertex in vertices]
            found.append((texts[0], texts[1]))
    if found:
        ours, theirs = (", ".join(one[side] for one in found[:MOST_TOLD]) for side in (0, 1))
        return ours, theirs
    first, second = ([node.op_name for node in _nodes(trace)] for trace in both.traces)
    only = [op for op in first if op not in second], [op for op in second if op not in first]
    if any(only):
        return _with(only[0], only[1]), _with(only[1], only[0])
    return "the first", "the second"


def _nodes(trace: Trace) -> list[Vertex]:
    return [vertex for vertex in trace.snapshot.vertices.values() if vertex.kind == "node"]


def _with(own: Sequence[str], others: Sequence[str]) -> str:
    names = list(dict.fromkeys(own or others))[:MOST_TOLD]
    return f"{'with' if own else 'without'} {', '.join(names)}"
