"""The words of a comparison: its titles, and at each moment what differs and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.compare.alignment import have_same_structure
from minigrad.compare.trace_pair import Difference, TracePair
from minigrad.trace.numbers import as_start, format_values
from minigrad.trace.steps import Step
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex

Clause = tuple[str | int, ...]
"""Pieces of text; 0 and 1 stand for the words that tell the first side and the second."""

SIDES = ("on the left", "on the right")
MOST_TOLD = 3
"""Of tensors that differ; all of them stand in the table."""
MOST_FAULTS = 2
MOST_IN_TITLE = 2
"""Of what tells two sides apart; more would be no title."""


@dataclass(frozen=True)
class Verdict:
    """What is said about one moment.

    Attributes
    ----------
    title : str
        Whether anything differs.
    clauses : list of tuple
        What does, and why; see `Clause`.
    """

    title: str
    clauses: list[Clause]

    def text(self, sides: tuple[str, str] = SIDES) -> str:
        """Return it as one text, with these words for the first side and the second."""
        clauses = [
            "".join(sides[piece] if isinstance(piece, int) else piece for piece in clause)
            for clause in self.clauses
        ]
        return f"{self.title} {'; '.join(clauses)}." if clauses else self.title


def verdict_on(both: TracePair, moment: int) -> Verdict:
    """Find the words for a moment."""
    differences = both.differences(moment)
    count = len(differences)
    title = f"≠ {count} tensors differ." if count > 1 else "≠ One tensor differs."
    if not count:
        title = "= The same numbers on both sides."
    told = sorted(differences, key=lambda one: (not one.is_new, not one.gradient))
    clauses = [_difference(both, one, moment) for one in told[:MOST_TOLD]]
    if count > MOST_TOLD:
        clauses.append((f"{count - MOST_TOLD} more in the table",))
    clauses += _visits(both, moment)
    for side, trace in enumerate(both.traces):
        clauses += _faults(trace, both.moments[moment][side], side)
    clauses += _waits(both, moment)
    if not count and clauses:
        (start, *others) = clauses[0]
        clauses[0] = (str(start)[:1].upper() + str(start)[1:], *others)
    return Verdict(title, clauses)


def _difference(both: TracePair, one: Difference, moment: int) -> Clause:
    name = both.name(one.pair)
    if one.gradient:
        name, read = f"{name}.grad", both.gradient
    else:
        read = both.value
    ours, theirs = (as_start(read(side, one.pair[side], moment)) for side in (0, 1))
    if ours == theirs:
        return (f"{name} is {ours} on both sides, with other numbers in it",)
    return (f"{name}: {ours} ", 0, f", {theirs} ", 1)


def _visits(both: TracePair, moment: int) -> list[Clause]:
    """Tell which nodes are visited, if that is not the same one on both sides."""
    steps = [trace.steps[at] for trace, at in zip(both.traces, both.moments[moment], strict=True)]
    names = [_node(both, side, step) for side, step in enumerate(steps)]
    waits = both.waits(0, moment) or both.waits(1, moment)
    if waits or any(step.kind != "backward" for step in steps):
        return []
    if (steps[0].tensor, steps[1].tensor) in both.pairs:
        return []
    return [(f"{names[0]} is visited ", 0, f", {names[1]} ", 1)]


def _node(both: TracePair, side: int, step: Step) -> str:
    return f"#{step.position} {both.vertex(side, step.tensor).op_label}"


def _faults(trace: Trace, last: int, side: int) -> list[Clause]:
    """Tell what has been wrong with an order up to a step, the newest first."""
    faults = []
    for step in reversed(trace.steps[: last + 1]):
        if step.repeated:
            faults.append(f"node #{step.position} was visited once more ")
        elif step.missed:
            noun = "consumer" if len(step.missed) == 1 else "consumers"
            which = " and ".join(f"#{position}" for position in step.missed)
            faults.append(f"node #{step.position} was visited before its {noun} {which} ")
    if last == len(trace.steps) - 1:
        faults = [*(f"node #{one} was never visited " for one in trace.unvisited), *faults]
    clauses: list[Clause] = [(fault, side) for fault in faults[:MOST_FAULTS]]
    if len(faults) > MOST_FAULTS:
        clauses.append((f"{len(faults) - MOST_FAULTS} more visits out of order ", side))
    return clauses


def _waits(both: TracePair, moment: int) -> list[Clause]:
    clauses: list[Clause] = []
    for side, trace in enumerate(both.traces):
        if both.waits(side, moment) and not both.waits(1 - side, moment):
            is_over = both.moments[moment][side] == len(trace.steps) - 1
            what = "the pass has ended" if is_over else "there is no other step meanwhile"
            clauses.append((f"{what} ", side))
    return clauses


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
        ours, theirs = (", ".join(one[side] for one in found[:MOST_IN_TITLE]) for side in (0, 1))
        return ours, theirs
    first, second = ([node.op_label for node in _nodes(trace)] for trace in both.traces)
    only = [op for op in first if op not in second], [op for op in second if op not in first]
    if any(only):
        return _with(only[0], only[1]), _with(only[1], only[0])
    return "the first", "the second"


def _nodes(trace: Trace) -> list[Vertex]:
    return [vertex for vertex in trace.snapshot.vertices.values() if vertex.kind == "node"]


def _with(own: Sequence[str], others: Sequence[str]) -> str:
    names = list(dict.fromkeys(own or others))[:MOST_IN_TITLE]
    return f"{'with' if own else 'without'} {', '.join(names)}"
