"""By how much a function moves with one number: what can be measured, and how well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

SMALLER, LARGER = 9, 6
"""So many powers of ten the step is made smaller, and larger if that does not help."""
RELATIVE = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Steps near 0, as parts of the number: a border at 0 is further away than they are."""


class Unusable(Exception):  # noqa: N818 - it ends one measurement, and is no error of anybody's
    """Says why a function has no usable value at some place."""


@dataclass(frozen=True)
class Value:
    """What a function gives at one place.

    Attributes
    ----------
    number : float
        The value, maybe a sum.
    rounding : float
        How far off it may be, since its parts are rounded.
    """

    number: float
    rounding: float


@dataclass(frozen=True)
class Slope:
    """What was measured around one place.

    Attributes
    ----------
    number : float
        The best central difference.
    error : float
        How far off it may be; infinite if nothing could be measured.
    sides : tuple of float or None
        The slopes to the left and to the right, where they differ however small the step is.
    reason : str
        What is in the way of a better measurement, if anything is.
    """

    number: float
    error: float
    sides: tuple[float, float] | None = None
    reason: str = ""


@dataclass(frozen=True)
class _Difference:
    """The central difference of one step, and those of its two halves."""

    step: float
    slope: float
    left: float
    right: float
    rounding: float

    @property
    def bend(self) -> float:
        return self.right - self.left


def measure(
    value_at: Callable[[float], Value],
    place: float,
    step: float,
    is_enough: Callable[[float], bool],
    nothing: float,
) -> Slope:
    """Measure how steep a function is at a place, with smaller steps where that is needed.

    Parameters
    ----------
    value_at : callable
        The function; it raises `Unusable` where there is no value.
    place : float
        Where to measure; there is a value here.
    step : float
        What to begin with.
    is_enough : callable
        Tells whether a slope is what one hoped for; if that of the first step is, no other is
        tried.
    nothing : float
        What counts as no slope at all; larger ones are measured the better the smaller their
        error is beside them.
    """
    try:
        here = value_at(place)
    except Unusable as one:  # there was a value before: it is not the same each time
        return Slope(0.0, float("inf"), reason=str(one))
    found: list[_Difference] = []
    reason, nearest = "", float("inf")
    for size in _sizes(place, step):
        try:
            difference = _difference(value_at, here, place, size)
        except Unusable as one:
            if size < nearest:
                reason, nearest = str(one), size
            continue
        if size == step and is_enough(difference.slope):
            return Slope(difference.slope, 0.0)
        found.append(difference)
    error, best, smaller = _most_exact(found, nothing)
    if best is None or smaller is None:
        return Slope(found[0].slope if found else 0.0, error, reason=reason)
    steepest = max(abs(best.left), abs(best.right))
    if abs(best.bend) > 1e-3 * steepest + 4 * best.rounding:
        # of a smooth function, the bend shrinks with the step
        growth = abs(smaller.bend) / abs(best.bend)
        if growth > 3:
            reason = "it jumps there, or is the steeper the closer one looks"
            return Slope(best.slope, float("inf"), reason=reason)
        if growth > 0.5:
            return Slope(best.slope, error, (smaller.left, smaller.right))
    return Slope(best.slope, error, reason=reason)


def _most_exact(
    found: list[_Difference], nothing: float
) -> tuple[float, _Difference | None, _Difference | None]:
    """Return how exact the best difference is, it, and one of a smaller step beside it."""
    result: tuple[float, _Difference | None, _Difference | None] = (float("inf"), None, None)
    best = float("inf")
    ordered = sorted(found, key=lambda one: -one.step)
    for place, one in enumerate(ordered):
        smaller = next((other for other in ordered[place:] if other.step < 0.2 * one.step), None)
        if smaller is not None:
            error = abs(one.slope - smaller.slope) + one.rounding
            if error / (abs(one.slope) + nothing) < best:
                best = error / (abs(one.slope) + nothing)
                result = error, one, smaller
    return result


def _sizes(place: float, step: float) -> Iterator[float]:
    """Yield the steps to try, the given one first."""
    yield step
    for power in range(1, SMALLER + 1):
        yield step * 10.0**-power
    if 0 < abs(place) < step:
        for part in RELATIVE:
            yield abs(place) * part
    for power in range(1, LARGER + 1):
        yield step * 10.0**power


def _difference(
    value_at: Callable[[float], Value], here: Value, place: float, size: float
) -> _Difference:
    low, high = place - size, place + size  # which are rounded: what counts is where they are
    if not low < place < high:
        raise Unusable("steps that small make no difference to the input")
    below, above = value_at(low), value_at(high)
    return _Difference(
        size,
        (above.number - below.number) / (high - low),
        (here.number - below.number) / (place - low),
        (above.number - here.number) / (high - place),
        (above.rounding + below.rounding) / (high - low),
    )
