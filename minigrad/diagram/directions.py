"""From left to right, or from top to bottom: the direction in which a picture fits its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from minigrad.engine.checks import one_of
from minigrad.engine.errors import DrawingError

Direction = Literal["right", "down"]
"""Where the result of an op stands, seen from its operands."""
Choice = Literal["auto", "right", "down"]
DIRECTIONS: tuple[Direction, ...] = ("right", "down")
AUTO: Choice = "auto"
WORTH_TURNING = 1.25
"""By so much larger a picture must be from top to bottom; else one reads from left to right."""


def check_direction(direction: object) -> Choice:
    """Return a direction, or ``'auto'``, if it is one.

    Raises
    ------
    DrawingError
        If it is none.
    """
    return cast(Choice, one_of(direction, "direction", (AUTO, *DIRECTIONS), DrawingError))


def best_direction(
    sizes: Mapping[Direction, tuple[float, float]], place: tuple[float, float]
) -> Direction:
    """Return the direction in which a picture is larger when all of it is seen.

    Parameters
    ----------
    sizes : mapping of str to tuple of float
        Width and height of the picture in each direction, in any unit.
    place : tuple of float
        Width and height of its place, in the same unit.

    Examples
    --------
    >>> best_direction({"right": (757, 179), "down": (402, 299)}, (900, 600))
    'right'
    >>> best_direction({"right": (2894, 560), "down": (1257, 927)}, (900, 600))
    'down'
    """
    scales = {direction: min(1.0, scale_in(place, size)) for direction, size in sizes.items()}
    turned = scales["down"] > WORTH_TURNING * scales["right"]
    return "down" if turned else "right"


def scale_in(place: tuple[float, float], size: tuple[float, float]) -> float:
    """Return the scale at which a picture just fits a place."""
    return min(place[0] / size[0], place[1] / size[1])
