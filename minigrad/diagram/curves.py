"""`Curve`: the line of an edge, and the head on it that tells of something passed back along it.

An arrow runs from an operand to the node that uses it. What the node passes back travels against
the arrow; a head on the line, nearer to the operand, points the way it went.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

Point = tuple[float, float]

WHERE_BACK = 0.3
"""How far along its edge such a head stands, from the operand, in parts of the edge's length."""
BACK_LENGTH = 22.0
"""Points; it is two triangles, one behind the other, so that nobody takes it for the arrow's own
head, which is one and smaller."""
HALF_WIDTH = 0.35
"""Of a triangle, in parts of its length; as Graphviz draws its heads."""
STRAIGHTS = 8
"""So many straight lines stand for a cubic piece where lengths are measured."""


class Spot(NamedTuple):
    """A place, and which way one goes there: a direction of length 1."""

    x: float
    y: float
    across: float
    up: float

    def ahead(self, distance: float) -> Point:
        """Return the place so far ahead, or behind it."""
        return self.x + distance * self.across, self.y + distance * self.up


class Curve:
    """A line made of cubic pieces.

    Parameters
    ----------
    points : sequence of tuple
        Where it starts, and of each piece two that it bends towards and its end.

    Attributes
    ----------
    places : list of tuple
        Points on it, from its start to its end; `STRAIGHTS` more with each piece.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self.places = [points[0]]
        for start in range(0, len(points) - 3, 3):
            piece = points[start : start + 4]
            self.places += [_on_piece(piece, k / STRAIGHTS) for k in range(1, STRAIGHTS + 1)]

    @staticmethod
    def read(text: str) -> Curve:
        """Read a curve as Graphviz writes it: ``e,x,y x,y x,y …``, the tip of its arrow first.

        Examples
        --------
        >>> Curve.read("e,40,0 0,0 10,0 20,0 30,0").at(0.5)
        Spot(x=15.0, y=0.0, across=1.0, up=0.0)
        """
        return _read(text)

    @classmethod
    def straight(cls, start: Point, end: Point) -> Curve:
        """Return the straight line from one place to another."""
        return cls([start, start, end, end])

    @property
    def length(self) -> float:
        """How long it is, in points."""
        return sum(math.dist(*pair) for pair in pairwise(self.places))

    def at(self, part: float) -> Spot:
        """Return the place at a part of the length, and the direction there, towards the end."""
        left = part * self.length
        spot = Spot(*self.places[0], 1.0, 0.0)
        for (x0, y0), (x1, y1) in pairwise(self.places):
            length = math.hypot(x1 - x0, y1 - y0)
            if not length:
                continue
            across, up = (x1 - x0) / length, (y1 - y0) / length
            spot = Spot(x0 + min(left, length) * across, y0 + min(left, length) * up, across, up)
            if left <= length:
                break
            left -= length
        return spot

    def back(self, length: float = BACK_LENGTH) -> Spot:
        """Return where the middle of the head is that points to the operand, and which way it does.

        On a short edge it stands as near to the operand as it can, or in the middle.
        """
        room = 0.6 * length / (self.length or 1.0)
        x, y, across, up = self.at(min(0.5, max(WHERE_BACK, room)))
        return Spot(x, y, -across, -up)


def back_corners(length: float = BACK_LENGTH) -> list[Point]:
    """Return the corners of such a head around its middle, pointing to the right: the tip first."""
    tip, half = length / 2, HALF_WIDTH * length / 2
    middle = (0.0, 0.0)
    first, second = [(0.0, half), middle], [(-tip, half), (-tip, -half)]
    return [(tip, 0.0), *first, *second, middle, (0.0, -half)]


def _on_piece(piece: Sequence[Point], part: float) -> Point:
    """Return the point of a cubic piece at a value of its parameter."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = piece
    rest = 1 - part
    a, b, c, d = rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3
    return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


@lru_cache(maxsize=2048)  # labels, heads and frames ask for the same ones
def _read(text: str) -> Curve:
    points = [one.split(",") for one in text.split() if one[0] not in "es"]
    return Curve([(float(x), float(y)) for x, y in points])
