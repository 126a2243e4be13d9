"""The table of a comparison: each tensor with its numbers on both sides, and a sign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minigrad.compare.alignment import Pair
from minigrad.compare.trace_pair import Difference, TracePair
from minigrad.trace import Snapshot
from minigrad.trace.numbers import NOTHING_YET, format_values
from minigrad.trace.table import dead_from
from minigrad.trace.timeline import Timeline


def table_rows(both: TracePair, drawn: Sequence[Snapshot]) -> list[dict[str, Any]]:
    """Return the rows: boxes, name, values and gradients of both sides, and what differs.

    What changes from moment to moment is told as a timeline of texts. Frozen tensors have a row
    only if they differ. The boxes are those in which the tensors are in what is `drawn` on each
    side.
    """
    marks: dict[Pair, dict[int, str]] = {}
    for moment in range(len(both.moments)):
        for one in both.differences(moment):
            marks.setdefault(one.pair, {})[moment] = _mark(one)
    return [
        _row(both, drawn, pair, marks.get(pair, {}))
        for pair in both.pairs
        if pair in marks or _gets_gradient(both, pair)
    ]


def _mark(one: Difference) -> str:
    if one.value and one.gradient:
        return "≠ both"
    return "≠ value" if one.value else "≠ grad"


def _gets_gradient(both: TracePair, pair: Pair) -> bool:
    return any(
        both.vertex(side, key).kind != "frozen" for side, key in enumerate(pair) if key is not None
    )


def _row(
    both: TracePair, drawn: Sequence[Snapshot], pair: Pair, marks: Mapping[int, str]
) -> dict[str, Any]:
    turns = both.turns(pair)
    boxes = zip(drawn, pair, strict=True)
    return {
        "keys": [None if key is None else part.box_of(key) for part, key in boxes],
        "name": both.row_name(pair),
        "values": [_values(both, side, key, turns) for side, key in enumerate(pair)],
        "gradients": [_gradients(both, side, key, turns) for side, key in enumerate(pair)],
        "marks": list(_timeline((turn, marks.get(turn, "")) for turn in turns)),
    }


def _values(
    both: TracePair, side: int, key: str | None, turns: Sequence[int]
) -> list[tuple[int, str]] | None:
    if key is None:
        return None
    return list(_timeline((turn, format_values(both.value(side, key, turn))) for turn in turns))


def _gradients(
    both: TracePair, side: int, key: str | None, turns: Sequence[int]
) -> list[tuple[int, str]] | None:
    if key is None or both.vertex(side, key).kind == "frozen":
        return None
    told = _timeline((turn, format_values(both.gradient(side, key, turn))) for turn in turns)
    dead = dead_from(both.traces[side], both.vertex(side, key))
    if dead is not None:
        first = next(at for at, moment in enumerate(both.moments) if moment[side] >= dead)
        told.add(first, f"{NOTHING_YET} dead")
    return list(told)


def _timeline(texts: Iterable[tuple[int, str]]) -> Timeline[str]:
    told: Timeline[str] = Timeline()
    for moment, text in texts:
        told.change(moment, text)
    return told
