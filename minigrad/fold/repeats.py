"""Finding what repeats: a loop that was unrolled into a long chain of small, equal patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

LONGEST_PATTERN = 24
"""Nodes; larger ones are seldom found by chance and seldom told by a few words."""
FEWEST_REPEATS = 8
FEWEST_NODES = 40
"""In all; fewer can be seen as they are."""

Sources = Sequence[Sequence[int | None]]
"""Of each node, the positions of the nodes that made its operands; None for a leaf."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A stretch of equal patterns: `length` nodes each, `count` times from `start` on."""

    start: int
    length: int
    count: int

    @property
    def positions(self) -> range:
        """All of its nodes."""
        return range(self.start, self.start + self.length * self.count)

    def says_it_all(self, run: range, length: int) -> bool:
        """Tell whether a run of longer patterns is this one, taken several at a time."""
        mine = self.positions
        return length % self.length == 0 and mine.start <= run.start and run.stop <= mine.stop

    def pattern(self, number: int) -> range:
        """Return the nodes of one repetition, counted from 0."""
        first = self.start + self.length * number
        return range(first, first + self.length)


def find_repeats(codes: Sequence[int], sources: Sources, stretch: range) -> list[Repeat]:
    """Find the longest runs of equal patterns, in order; they don't overlap.

    Nodes are alike if they have one code, and if their operands come from alike places: from as
    far back, from one and the same node, or from leaves.

    Parameters
    ----------
    codes : sequence of int
        Of each node of the graph, what it is: an op and a shape.
    sources : Sources
        Of each node of the graph.
    stretch : range
        Where to look.

    Examples
    --------
    >>> codes = [7] + [1, 2, 3] * 20 + [9]
    >>> sources = [[None]] + [[position] for position in range(61)]
    >>> find_repeats(codes, sources, range(62))
    [Repeat(start=1, length=3, count=20)]
    """
    if len(stretch) < FEWEST_NODES:
        return []
    kinds = np.asarray(codes[stretch.start : stretch.stop])
    found: list[Repeat] = []
    for length in range(1, LONGEST_PATTERN + 1):
        least = max(FEWEST_NODES, FEWEST_REPEATS * length) - length
        for first, last in _runs(kinds[:-length] == kinds[length:], least):
            run = range(stretch.start + first, stretch.start + last + length)
            if not any(one.says_it_all(run, length) for one in found):
                found += _checked(sources, run, length)
    # the longest ones first, and of two descriptions of one run the one by the smallest pattern
    found.sort(key=lambda repeat: (-len(repeat.positions), repeat.length, repeat.start))
    taken = np.zeros(len(stretch), bool)
    chosen = []
    for repeat in found:
        places = slice(
            repeat.positions.start - stretch.start, repeat.positions.stop - stretch.start
        )
        if not taken[places].any():
            taken[places] = True
            chosen.append(repeat)
    return sorted(chosen, key=lambda repeat: repeat.start)


def _runs(
    equal: np.ndarray[tuple[int], np.dtype[np.bool_]], least: int
) -> Iterator[tuple[int, int]]:
    """Return where the runs of True begin and end that are at least so long."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], equal, [False])).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    long = ends - starts >= least
    return zip(starts[long].tolist(), ends[long].tolist(), strict=True)


def _checked(sources: Sources, run: range, length: int) -> Iterator[Repeat]:
    """Return the patterns of a run of equal codes whose operands are alike too.

    The first pattern of a loop may start from leaves, where the others go on from the one before.
    """
    first = run.start
    for position in run[length:]:
        is_second = position < first + 2 * length
        if not _alike(sources, position, length, may_start=is_second):
            yield from _made(first, position, length)
            first = position
    yield from _made(first, run.stop, length)


def _made(first: int, end: int, length: int) -> Iterator[Repeat]:
    if end - first >= max(FEWEST_NODES, FEWEST_REPEATS * length):
        yield Repeat(first, length, (end - first) // length)


def _alike(sources: Sources, position: int, length: int, *, may_start: bool) -> bool:
    now, before = sources[position], sources[position - length]
    if len(now) != len(before):
        return False
    for one, earlier in zip(now, before, strict=True):
        if one == earlier:  # both leaves, or one node for all
            continue
        if one is None:
            return False
        if earlier is None:
            if not may_start:
                return False
        elif one - earlier != length and not may_start:
            return False
    return True
