"""Folding: groups of nodes as one box each, and what happens in them as one step.

What enters a box and leaves it is a sum over its nodes: each of its outputs has the gradient that
all who use it gave it, and each tensor that is used inside gets what all uses inside come to.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from minigrad.ops.base import Values
from minigrad.trace.groups import Folding, Group, Groups, partly_folded
from minigrad.trace.items import Edge, Item
from minigrad.trace.names import shorten
from minigrad.trace.steps import Contribution, Step

if TYPE_CHECKING:
    from minigrad.trace.snapshot import Snapshot

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
    made = copy.copy(snapshot)
    for counted in ("_users", "_places"):
        made.__dict__.pop(counted, None)
    made.open_groups = opened
    partly = partly_folded(boxes)
    made.framed = [one for one in opened if one.is_scope or one.repeat or one.key in partly]
    made.spans = _spans(snapshot) if opened else {}
    shut = [box for box in boxes if isinstance(box, Group)]
    if not shut:
        return made
    made._box_of = {f"n{position}": group.key for group in shut for position in group.positions}
    inner = _leaves_inside(snapshot, made._box_of, shut)
    made._box_of |= {leaf: group for group, leaves in inner.items() for leaf in leaves}
    outputs = _outputs(snapshot, made._box_of, shut)
    made.boxes = [f"n{box}" if isinstance(box, int) else box.key for box in boxes]
    made.items, made._edges_of = {}, {}
    for box in boxes:
        positions = box.positions if isinstance(box, Group) else range(box, box + 1)
        key = box.key if isinstance(box, Group) else f"n{box}"
        edges = [edge for p in positions for edge in snapshot.edges_into(f"n{p}")]
        if isinstance(box, Group):
            made._edges_of[key] = _joined(edges, key, made._box_of)
        else:
            made._edges_of[key] = [replace(e, source=made.box_of(e.tensor)) for e in edges]
        for edge in made._edges_of[key]:
            if edge.source not in made.items:
                made.items[edge.source] = snapshot.items[edge.source]
        if isinstance(box, Group):
            hidden = [snapshot.items[leaf] for leaf in inner[key]]
            made.items[key] = _as_item(box, outputs[key], hidden)
        else:
            made.items[key] = snapshot.items[key]
    if snapshot.output is not None and made.box_of(snapshot.output) not in made.items:
        made.items[snapshot.output] = snapshot.items[snapshot.output]
    made.edges = [edge for edges in made._edges_of.values() for edge in edges]
    return made


def folded(snapshot: Snapshot, folding: Folding, largest: int) -> Snapshot:
    """Return the snapshot as it is shown, as `Groups.chosen` finds it."""
    groups = Groups(snapshot)
    return fold(snapshot, groups, groups.chosen(folding, largest)) if groups.all else snapshot


def _spans(snapshot: Snapshot) -> dict[str, range]:
    spans: dict[str, range] = {}
    for edge in snapshot.edges:
        item = snapshot.items[edge.source]
        if item.position is None and not is_input(item):
            user = int(edge.target[1:])
            spans[item.key] = range(spans.get(item.key, range(user, user)).start, user + 1)
    return spans


def is_input(item: Item) -> bool:
    """Tell whether a leaf is shown whoever uses it: data has a name, and constants have none."""
    return item.kind == "frozen" and bool(item.given_name)


def _joined(edges: Sequence[Edge], target: str, box_of: Mapping[str, str]) -> list[Edge]:
    """Return the edges into a group: one for each tensor that comes from outside."""
    by_tensor: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        if box_of.get(edge.tensor, edge.tensor) != target:
            by_tensor[edge.tensor].append(edge)
    return [
        Edge(uses[0].key, box_of.get(tensor, tensor), target, slot, tensor, len(uses))
        for slot, (tensor, uses) in enumerate(by_tensor.items())
    ]


def _leaves_inside(
    snapshot: Snapshot, box_of: Mapping[str, str], shut: Sequence[Group]
) -> dict[str, list[str]]:
    """Return, for each folded group, the leaves that are used in it alone and not shown."""
    users: dict[str, set[str]] = defaultdict(set)
    repeats: dict[str, set[int]] = defaultdict(set)
    groups = {group.key: group for group in shut}
    for edge in snapshot.edges:
        item = snapshot.items[edge.source]
        if item.position is None:
            box = box_of.get(edge.target, edge.target)
            users[edge.source].add(box)
            if box in groups:
                repeats[edge.source].add(_number(groups[box], int(edge.target[1:])))
    inside: dict[str, list[str]] = {group.key: [] for group in shut}
    for leaf, boxes in users.items():
        item = snapshot.items[leaf]
        (box, *others) = boxes
        if others or box not in groups or is_input(item) or leaf == snapshot.output:
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
    snapshot: Snapshot, box_of: Mapping[str, str], shut: Sequence[Group]
) -> dict[str, list[Item]]:
    """Return what each folded group gives to others, or to nobody."""
    used: set[str] = set()
    outside: set[str] = {snapshot.output} if snapshot.output is not None else set()
    for edge in snapshot.edges:
        used.add(edge.source)
        if box_of.get(edge.source) != box_of.get(edge.target):
            outside.add(edge.source)
    return {
        group.key: [
            snapshot.items[key]
            for key in (f"n{position}" for position in group.positions)
            if key in outside or key not in used
        ]
        for group in shut
    }


def _as_item(group: Group, outputs: Sequence[Item], hidden: Sequence[Item]) -> Item:
    last = outputs[-1]
    times = f" × {group.count:,}" if group.count > 1 else ""
    return Item(
        group.key,
        group.name,
        f"{shorten(group.name)}{times}",
        "group",
        last.values,
        last.gradient,
        group.positions.start,
        group=group,
        outputs=tuple(outputs),
        hidden=tuple(hidden),
    )


def merged_steps(steps: Sequence[Step], snapshot: Snapshot) -> dict[int, Step]:
    """Return the steps that are shown, each by the index of the first one that it stands for.

    Steps that follow each other in one folded group come to one; the seed is always by itself.

    Parameters
    ----------
    steps : sequence of Step
        Of the trace with nothing folded.
    snapshot : Snapshot
        With groups folded.
    """
    runs: list[tuple[int, str, list[Step]]] = []
    for index, step in enumerate(steps):
        box = snapshot.box_of(step.tensor) if step.kind != "seed" else ""
        goes_on = runs and box == runs[-1][1] and step.kind == runs[-1][2][0].kind
        if goes_on and box != step.tensor:
            runs[-1][2].append(step)
        else:
            runs.append((index, box, [step]))
    return {
        index: run[0] if box in ("", run[0].tensor) else _merged(run, box, snapshot)
        for index, box, run in runs
    }


def _merged(run: Sequence[Step], box: str, snapshot: Snapshot) -> Step:
    position = snapshot.items[box].position
    if run[0].kind == "record":
        return Step("record", box, position)
    by_tensor: dict[str, list[Contribution]] = defaultdict(list)
    for step in run:
        for contribution in step.contributions:
            by_tensor[contribution.tensor].append(contribution)
    outputs = {one.key for one in snapshot.items[box].outputs}
    inside = {
        key: gradient
        for step in run
        for key, gradient in step.gradients().items()
        if key in outputs and not step.wasted
    }
    upstream = next((step.upstream for step in run if step.upstream is not None), None)
    return Step(
        "backward",
        box,
        position,
        upstream,
        tuple(
            _summed(edge, by_tensor[edge.tensor])
            for edge in snapshot.edges_into(box)
            if edge.tensor in by_tensor
        ),
        missed=tuple(dict.fromkeys(late for step in run for late in step.missed)),
        repeated=any(step.repeated for step in run),
        inside=tuple(inside.items()),
    )


def _summed(edge: Edge, parts: Sequence[Contribution]) -> Contribution:
    """Return what all uses of one tensor inside a box come to."""
    given = [part for part in parts if part.value is not None]
    total: Values | None = None
    for part in given:
        assert part.value is not None
        total = part.value if total is None else total + part.value
    ends = given or parts
    return Contribution(
        edge.key, edge.tensor, edge.slot, "", None, total, ends[0].before, ends[-1].after
    )
