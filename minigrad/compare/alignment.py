"""Which tensors of two traces belong together, and which of their steps happen at one moment."""

from __future__ import annotations

from minigrad.trace.snapshot import Snapshot
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex

Pair = tuple[str | None, str | None]
"""Keys in the left and in the right graph; None where one of them has no such tensor."""


def pairs_of(left: Trace, right: Trace) -> list[Pair]:
    """Pair the tensors of two graphs: leaves first, then nodes, each where the left has it.

    Tensors of one name belong together. So do, if both graphs have the same structure, those that
    stand at one place; if not, the outputs, nodes of one op at one position, and leaves that are
    the same operand of such a node.
    """
    matched = _by_name(left.snapshot, right.snapshot)

    def add(one: str, other: str) -> None:
        if one not in matched and other not in matched.values():
            matched[one] = other

    same = have_same_structure(left.snapshot, right.snapshot)
    if not same:
        add(left.output, right.output)
    places = {
        _place(right.snapshot, vertex, same): key for key, vertex in right.snapshot.vertices.items()
    }
    for key, vertex in left.snapshot.vertices.items():
        place = _place(left.snapshot, vertex, same)
        if place in places:
            add(key, places[place])
    pairs: list[tuple[Vertex, Pair]] = [
        (vertex, (key, matched.get(key))) for key, vertex in left.snapshot.vertices.items()
    ]
    found = set(matched.values())
    pairs += [
        (vertex, (None, key)) for key, vertex in right.snapshot.vertices.items() if key not in found
    ]
    return [pair for vertex, pair in sorted(pairs, key=lambda one: one[0].kind == "node")]


def have_same_structure(left: Snapshot, right: Snapshot) -> bool:
    """Tell whether two graphs have the same nodes on the same operands, whatever their ops."""
    return left.count == right.count and left.edges == right.edges


def _by_name(left: Snapshot, right: Snapshot) -> dict[str, str]:
    """Pair what has a name that is used once in each graph."""
    ours, theirs = _named(left), _named(right)
    return {key: theirs[name] for name, key in ours.items() if name in theirs}


def _named(snapshot: Snapshot) -> dict[str, str]:
    keys: dict[str, list[str]] = {}
    for key, vertex in snapshot.vertices.items():
        keys.setdefault(vertex.given_name, []).append(key)
    return {name: found[0] for name, found in keys.items() if name and len(found) == 1}


def _place(snapshot: Snapshot, vertex: Vertex, same: bool) -> tuple[object, ...]:
    """Return what tells a tensor by where it stands; of a leaf, its first use."""
    if same:
        return (vertex.key,)
    if vertex.position is not None:
        return (vertex.position, vertex.op_name)
    for edge in snapshot.edges:
        if edge.source == vertex.key:
            node = snapshot.vertices[edge.target]
            return (node.position, node.op_name, edge.slot)
    return (vertex.key, vertex.kind)  # a leaf that is differentiated by itself


def moments_of(left: Trace, right: Trace) -> list[tuple[int, int]]:
    """Pair the steps: records by their index, then the seeds, then visits by their index.

    Whoever has fewer of them waits at the last one. Where a visit is several steps, these are
    paired within it.
    """
    records = [trace.history.seed for trace in (left, right)]
    moments = [
        (_at_most(index, records[0] - 1), _at_most(index, records[1] - 1))
        for index in range(max(records))
    ]
    moments.append((records[0], records[1]))
    visits = [_visits(left), _visits(right)]
    for number in range(max(map(len, visits))):
        ours, theirs = (
            _visit(of, number, trace) for of, trace in zip(visits, (left, right), strict=True)
        )
        moments += [
            (ours[_at_most(part, len(ours) - 1)], theirs[_at_most(part, len(theirs) - 1)])
            for part in range(max(len(ours), len(theirs)))
        ]
    return moments


def _at_most(index: int, last: int) -> int:
    return max(min(index, last), 0)


def _visits(trace: Trace) -> list[list[int]]:
    """Return the steps of each visit, in their order."""
    visits: list[list[int]] = []
    for index in range(trace.history.seed + 1, len(trace.steps)):
        if trace.steps[index].is_first_part:
            visits.append([])
        visits[-1].append(index)
    return visits


def _visit(visits: list[list[int]], number: int, trace: Trace) -> list[int]:
    return visits[number] if number < len(visits) else [len(trace.steps) - 1]
