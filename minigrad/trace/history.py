"""`History`: at which steps each gradient was set, and each edge travelled along."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TypeVar

from minigrad.ops.base import Values
from minigrad.trace.steps import Contribution, Step

Told = TypeVar("Told")


class History:
    """What changed when, in the steps of a trace; each list is in the order of the steps.

    Parameters
    ----------
    keys : iterable of str
        The tensors.
    steps : iterable of tuple
        The steps, each behind its index.

    Attributes
    ----------
    gradients : dict of str to list
        Of each tensor, the steps that set its gradient, and to what.
    edges : dict of str to list
        Of each edge, the steps that went along it, and what was passed on.
    visits : dict of int to list
        Of each node, by its position, the steps that visited it.
    seed : int
        The step of the seed.
    """

    def __init__(self, keys: Iterable[str], steps: Iterable[tuple[int, Step]]) -> None:
        self.gradients: dict[str, list[tuple[int, Values]]] = {key: [] for key in keys}
        self.edges: dict[str, list[tuple[int, Contribution]]] = {}
        self.visits: dict[int, list[int]] = {}
        self.seed = 0
        for index, step in steps:
            if step.kind == "seed":
                self.seed = index
            elif step.kind == "backward" and step.position is not None:
                self.visits.setdefault(step.position, []).append(index)
            for contribution in step.contributions:
                self.edges.setdefault(contribution.edge, []).append((index, contribution))
            # a visit that contributed nothing left all as it was
            if not step.wasted:
                for key, gradient in step.gradients().items():
                    self.gradients[key].append((index, gradient))

    def was_visited(self, position: int, step: int) -> bool:
        """Tell whether a node was visited before a step."""
        return position in self.visits and self.visits[position][0] < step


def last_before(entries: Sequence[tuple[int, Told]], step: int) -> Told | None:
    """Return what was told last before a step; None if nothing was.

    Examples
    --------
    >>> last_before([(3, "a"), (7, "b")], 7), last_before([(3, "a")], 3)
    ('a', None)
    """
    place = bisect_left(entries, step, key=lambda entry: entry[0])
    return entries[place - 1][1] if place else None


def is_told_at(entries: Sequence[tuple[int, Told]], step: int) -> bool:
    """Tell whether something was told at a step."""
    place = bisect_left(entries, step, key=lambda entry: entry[0])
    return place < len(entries) and entries[place][0] == step


def told_during(
    entries: Sequence[tuple[int, Told]], scenes: Sequence[range]
) -> list[tuple[int, Told]]:
    """Return what was told during some stretches of steps, or last before one of them.

    Examples
    --------
    >>> told_during([(0, "a"), (4, "b"), (6, "c"), (9, "d")], [range(5, 8)])
    [(4, 'b'), (6, 'c')]
    """
    places: dict[int, None] = {}
    for scene in scenes:
        first = bisect_left(entries, scene.start, key=lambda entry: entry[0])
        end = bisect_left(entries, scene.stop, key=lambda entry: entry[0])
        places.update(dict.fromkeys(range(max(first - 1, 0), end)))
    return [entries[place] for place in places]
