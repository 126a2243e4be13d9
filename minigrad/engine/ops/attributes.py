"""The attributes that several ops have, `axis`, `axes` and `shape`: what they may be.

An op checks them when it runs forward, before anything is recorded; whoever runs it adds which op
it was, and on which shapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.engine.checks import is_whole, listed, whole_number
from minigrad.engine.errors import told


def check_axis(axis: Any, count: int) -> None:
    """Refuse what is neither an axis, nor several in a tuple, nor None for all of them.

    Parameters
    ----------
    axis : int, tuple of int or None
        Counted from the end if negative.
    count : int
        How many axes there are. A single number has none, and numpy lets it have a last one.
    """
    if axis is None:
        return
    for one in axis if isinstance(axis, tuple) else (axis,):
        check_one_axis(one, max(count, 1), "or a tuple of them, or None for all")


def check_one_axis(axis: Any, count: int, otherwise: str = "") -> None:
    """Refuse what is no axis of so many."""
    if not is_whole(axis) or not -count <= axis < count:
        raise ValueError(
            f"axis must be a whole number from {-count} to {count - 1}"
            f"{f', {otherwise}' if otherwise else ''}, not {told(axis)}"
        )


def check_axes(axes: Any, count: int) -> None:
    """Refuse what is no order of all axes; None stands for the reverse."""
    if axes is None:
        return
    what = f"a tuple with each of the {count} axes once, or None to reverse them"
    order = listed(axes, "axes", what, ValueError)
    whole = all(is_whole(one) and -count <= one < count for one in order)
    if not whole or sorted(one % count for one in order) != list(range(count)):
        raise ValueError(f"axes must be {what}, not {told(axes)}")


def check_shape(shape: Any, smallest: int = 0) -> None:
    """Refuse what is neither a length nor a list of lengths.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    smallest : int
        Of a length: -1 where one of them may be left open.
    """
    what = "a whole number, or a tuple of them"
    lengths = [shape] if is_whole(shape) else listed(shape, "shape", what, ValueError)
    for length in lengths:
        whole_number(
            length, "each length of a shape", smallest, np.iinfo(np.intp).max, error=ValueError
        )
