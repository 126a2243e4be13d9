"""`Groups`: the parts of a graph that can be folded to one box, scopes and repeats."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

import numpy as np

from minigrad.engine.checks import listed, some_of
from minigrad.engine.errors import DrawingError, told
from minigrad.engine.scopes import Scope
from minigrad.fold.repeats import FEWEST_REPEATS, find_repeats
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.vertices import Group

MOST_OPEN = 30
"""Boxes; of graphs with more nodes the scopes are folded at the start."""
MOST_WHOLE = 60
"""And what repeats in graphs with more than so many, which a stepper does not show whole."""
FEWEST_BOXES = 2
"""A picture of no more says nothing."""
MOST_OPS_NAMED = 3
LAST_NUMBER = re.compile(r"[\s_.\-#]*\d+$")

FoldChoice = bool | Iterable[str] | None
"""What to fold: everything, nothing, scopes by their names, or None for what is too large."""


class Groups:
    """All groups of a graph.

    Parameters
    ----------
    snapshot : Snapshot
        The graph; nothing in it is folded.

    Attributes
    ----------
    all : dict of str to Group
        By key; each after those around it.
    count : int
        How many nodes the graph has.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.count = snapshot.count
        codes: dict[tuple[object, ...], int] = {}
        nodes = [snapshot.vertices[key] for key in snapshot.boxes]
        self._codes = [codes.setdefault((n.op_name, n.values.shape), len(codes)) for n in nodes]
        self._ops = [node.op_name for node in nodes]
        self._sources = [
            [snapshot.vertices[edge.source].position for edge in snapshot.edges_into(key)]
            for key in snapshot.boxes
        ]
        self._repeats = 0
        found = _nested(snapshot.scopes)
        inside: dict[str | None, list[Group]] = defaultdict(list)
        for group, key in found:
            inside[key].append(group)
        everything = Group("", "", range(self.count), depth=-1)
        made = [group for group, _ in found]
        for around in (everything, *made[:]):
            made += self._repeats_in(around, inside[around.key or None])
        by_start = sorted(made, key=lambda one: (one.positions.start, -len(one.positions)))
        self.all = {group.key: group for group in _deepened(by_start)}

    def _repeats_in(self, around: Group, scopes: list[Group]) -> list[Group]:
        """Return the repeats among the scopes of a group, and among its other nodes."""
        made = []
        for run in self._alike_runs(scopes):
            stretch = range(run[0].positions.start, run[-1].positions.stop)
            name = LAST_NUMBER.sub("", run[0].name) or run[0].name
            made.append(Group(self._next_key(), name, stretch, count=len(run)))
        start = around.positions.start
        for scope in [*scopes, None]:
            stop = around.positions.stop if scope is None else scope.positions.start
            for repeat in find_repeats(self._codes, self._sources, range(start, stop)):
                key = self._next_key()
                ops = self._ops[repeat.start : repeat.start + repeat.length]
                name = ", ".join(ops[:MOST_OPS_NAMED]) + (
                    ", …" if len(ops) > MOST_OPS_NAMED else ""
                )
                made.append(Group(key, name, repeat.positions, count=repeat.count))
                if repeat.length > 1:
                    made += [
                        Group(
                            f"{key}-{number}",
                            f"repeat {number + 1}",
                            repeat.pattern(number),
                            repeat=key,
                        )
                        for number in range(repeat.count)
                    ]
            start = stop if scope is None else scope.positions.stop
        return made

    def _next_key(self) -> str:
        self._repeats += 1
        return f"r{self._repeats - 1}"

    def _alike_runs(self, scopes: Sequence[Group]) -> list[list[Group]]:
        runs: list[list[Group]] = []
        for scope in scopes:
            if runs and self._continues(runs[-1][-1], scope):
                runs[-1].append(scope)
            else:
                runs.append([scope])
        return [run for run in runs if len(run) >= FEWEST_REPEATS]

    def _continues(self, before: Group, scope: Group) -> bool:
        one, other = before.positions, scope.positions
        return (
            one.stop == other.start
            and LAST_NUMBER.sub("", before.name) == LAST_NUMBER.sub("", scope.name)
            and self._codes[one.start : one.stop] == self._codes[other.start : other.stop]
        )

    def boxes(self, folded: frozenset[str]) -> tuple[list[int | Group], list[Group]]:
        """Return what is drawn: positions and folded groups in order, and the open groups.

        Of a repeat that is open all through, there is nothing to see of its single repetitions.
        """
        starting: dict[int, list[Group]] = defaultdict(list)
        for group in self.all.values():
            starting[group.positions.start].append(group)
        boxes: list[int | Group] = []
        opened: list[Group] = []
        position = 0
        while position < self.count:
            box: int | Group = position
            for group in starting.get(position, ()):
                if group.key in folded:
                    box = group
                    break
                opened.append(group)
            boxes.append(box)
            position = position + 1 if isinstance(box, int) else box.positions.stop
        partly = partly_folded(boxes)
        return boxes, [one for one in opened if not one.repeat or one.repeat in partly]

    def chosen(self, choice: FoldChoice, largest: int = MOST_WHOLE) -> frozenset[str]:
        """Return the keys of the groups to fold.

        Parameters
        ----------
        choice : bool, iterable of str or None
            As in `minigrad.step`.
        largest : int
            If None was given, repeats are folded in graphs of more nodes.

        Raises
        ------
        DrawingError
            If a name is that of no scope, or it is something else than names.
        """
        if choice is None:
            return self._to_start_with(largest)
        if isinstance(choice, bool | np.bool_):
            return frozenset(self.all) if choice else frozenset()
        names = _names_in(choice)
        known = {group.name for group in self.all.values()}
        for name in names:
            if not isinstance(name, str) or name not in known:
                some = some_of(sorted(known)) or "none"
                raise DrawingError(
                    f"there is no scope {told(name)} to fold; the scopes of this graph are: "
                    f"{some}; or say fold=True for all, fold=False for none"
                )
        return frozenset(key for key, group in self.all.items() if group.name in names)

    def _to_start_with(self, largest: int) -> frozenset[str]:
        if self.count <= MOST_OPEN:
            return frozenset()
        folded = frozenset(
            key for key, group in self.all.items() if group.is_scope or self.count > largest
        )
        while True:
            boxes, _ = self.boxes(folded)
            shut = {box.key for box in boxes if isinstance(box, Group)}
            if not shut or len(boxes) > FEWEST_BOXES:
                return folded
            opened, _ = self.boxes(folded - shut)
            if len(opened) > MOST_OPEN:
                return folded
            folded -= shut


def _names_in(choice: FoldChoice) -> list[object]:
    """Return the names that are asked for: one, or several in whatever order."""
    if isinstance(choice, str):
        return [choice]
    if isinstance(choice, Set):
        return list(choice)
    what = "True, False, or names of scopes such as ['layer 1']"
    return listed(choice, "fold", what, DrawingError)


def partly_folded(boxes: Iterable[int | Group]) -> set[str]:
    """Return the keys of the repeats of which a single repetition is drawn as a box."""
    return {box.repeat for box in boxes if isinstance(box, Group) and box.repeat}


def _nested(scopes: Sequence[Scope]) -> list[tuple[Group, str | None]]:
    """Return the scopes as groups, each with the key of the one around it."""
    found = []
    around: list[Group] = []
    for number, scope in enumerate(scopes):
        while around and around[-1].positions.stop <= scope.start:
            around.pop()
        group = Group(f"s{number}", scope.name, scope.positions)
        found.append((group, around[-1].key if around else None))
        around.append(group)
    return found


def _deepened(groups: Sequence[Group]) -> list[Group]:
    """Give each group its depth; they come by their start, the larger ones first."""
    deep = []
    around: list[Group] = []
    for group in groups:
        while around and around[-1].positions.stop <= group.positions.start:
            around.pop()
        deep.append(replace(group, depth=len(around)))
        around.append(group)
    return deep
