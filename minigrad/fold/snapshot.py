"""Folding a graph: groups of nodes as one box each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from minigrad.fold.groups import FoldChoice, Groups, partly_folded
from minigrad.trace.names import one_line
from minigrad.trace.snapshot import LONGEST_NAME, Snapshot
from minigrad.trace.vertices import Edge, Group, Vertex

MOST_OF_ONE_REPEAT = 3
"""Leaves that a single repeat uses are shown up to so many: it may be where a loop starts from."""


def fold(snapshot: Snapshot, groups: Groups, folded: frozenset[str]) -> Snapshot:
    """Return the snapshot with some groups folded; those of the others that are seen are open.

    Parameters
    ----------
    snapshot : Snapshot
        With nothing folded.
    groups : Groups
        Of that snapshot.
    folded : frozenset of str
        Keys of the groups to fold.
    """
    boxes, opened = groups.boxes(folded)
    partly = partly_folded(boxes)
    made = replace(
        snapshot,
        open_groups=opened,
        clustered=[one for one in opened if one.is_scope or one.repeat or one.key in partly],
        spans=_spans(snapshot) if opened else {},
    )
    shut = [box for box in boxes if isinstance(box, Group)]
    if not shut:
        return made
    group_of = {f"n{position}": group.key for group in shut for position in group.positions}
    inner = _leaves_inside(snapshot, group_of, shut)
    group_of |= {leaf: group for group, leaves in inner.items() for leaf in leaves}
    outputs = _outputs(snapshot, group_of, shut)
    vertices: dict[str, Vertex] = {}
    inputs: dict[str, list[Edge]] = {}
    for box in boxes:
        if isinstance(box, Group):
            key, positions = box.key, box.positions
        else:
            key, positions = f"n{box}", range(box, box + 1)
        edges = [edge for p in positions for edge in snapshot.edges_into(f"n{p}")]
        if isinstance(box, Group):
            inputs[key] = _joined(edges, key, group_of)
        else:
            inputs[key] = [replace(e, source=group_of.get(e.tensor, e.tensor)) for e in edges]
        for edge in inputs[key]:
            if edge.source not in vertices:
                vertices[edge.source] = snapshot.vertices[edge.source]
        if isinstance(box, Group):
            hidden = [snapshot.vertices[leaf] for leaf in inner[key]]
            vertices[key] = _as_vertex(box, outputs[key], hidden)
        else:
            vertices[key] = snapshot.vertices[key]
    output = snapshot.output
    if output is not None and group_of.get(output, output) not in vertices:
        vertices[output] = snapshot.vertices[output]
    return replace(
        made,
        vertices=vertices,
        edges=[edge for edges in inputs.values() for edge in edges],
        inputs=inputs,
        boxes=[f"n{box}" if isinstance(box, int) else box.key for box in boxes],
        group_of=group_of,
    )


def fold_as_chosen(snapshot: Snapshot, choice: FoldChoice, largest: int) -> Snapshot:
    """Return the snapshot with the groups folded that `Groups.chosen` finds."""
    groups = Groups(snapshot)
    return fold(snapshot, groups, groups.chosen(choice, largest)) if groups.all else snapshot


def _spans(snapshot: Snapshot) -> dict[str, range]:
    spans: dict[str, range] = {}
    for edge in snapshot.edges:
        vertex = snapshot.vertices[edge.source]
        if vertex.position is None and not is_input(vertex):
            user = snapshot.position_of(edge.target)
            spans[vertex.key] = range(spans.get(vertex.key, range(user, user)).start, user + 1)
    return spans


def is_input(vertex: Vertex) -> bool:
    """Tell whether a leaf is shown whoever uses it: data has a name, and constants have none."""
    return vertex.kind == "frozen" and bool(vertex.given_name)


def _joined(edges: Sequence[Edge], target: str, group_of: Mapping[str, str]) -> list[Edge]:
    """Return the edges into a group: one for each tensor that comes from outside."""
    by_tensor: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        if group_of.get(edge.tensor, edge.tensor) != target:
            by_tensor[edge.tensor].append(edge)
    return [
        Edge(uses[0].key, group_of.get(tensor, tensor), target, slot, tensor, len(uses))
        for slot, (tensor, uses) in enumerate(by_tensor.items())
    ]


def _leaves_inside(
    snapshot: Snapshot, group_of: Mapping[str, str], shut: Sequence[Group]
) -> dict[str, list[str]]:
    """Return, for each folded group, the leaves that are used in it alone and not shown."""
    users: dict[str, set[str]] = defaultdict(set)
    repeats: dict[str, set[int]] = defaultdict(set)
    groups = {group.key: group for group in shut}
    for edge in snapshot.edges:
        vertex = snapshot.vertices[edge.source]
        if vertex.position is None:
            box = group_of.get(edge.target, edge.target)
            users[edge.source].add(box)
            if box in groups:
                repeats[edge.source].add(_number(groups[box], snapshot.position_of(edge.target)))
    inside: dict[str, list[str]] = {group.key: [] for group in shut}
    for leaf, boxes in users.items():
        vertex = snapshot.vertices[leaf]
        (box, *others) = boxes
        if others or box not in groups or is_input(vertex) or leaf == snapshot.output:
            continue
        if groups[box].count == 1 or len(repeats[leaf]) == 1:
            inside[box].append(leaf)
    for group in shut:
        if group.count > 1 and len(inside[group.key]) <= MOST_OF_ONE_REPEAT:
            inside[group.key] = []
    return inside


def _number(group: Group, position: int) -> int:
    """Return in which of its repeats a node is."""
    return (position - group.positions.start) * group.count // len(group.positions)


def _outputs(
    snapshot: Snapshot, group_of: Mapping[str, str], shut: Sequence[Group]
) -> dict[str, list[Vertex]]:
    """Return what each folded group gives to others, or to nobody."""
    used: set[str] = set()
    outside: set[str] = {snapshot.output} if snapshot.output is not None else set()
    for edge in snapshot.edges:
        used.add(edge.source)
        if group_of.get(edge.source) != group_of.get(edge.target):
            outside.add(edge.source)
    return {
        group.key: [
            snapshot.vertices[key]
            for key in (f"n{position}" for position in group.positions)
            if key in outside or key not in used
        ]
        for group in shut
    }


def _as_vertex(group: Group, outputs: Sequence[Vertex], hidden: Sequence[Vertex]) -> Vertex:
    last = outputs[-1]
    times = f" × {group.count:,}" if group.count > 1 else ""
    return Vertex(
        group.key,
        group.name,
        f"{one_line(group.label, LONGEST_NAME)}{times}",
        "group",
        last.values,
        last.gradient,
        group.positions.start,
        group=group,
        outputs=tuple(outputs),
        hidden=tuple(hidden),
    )
