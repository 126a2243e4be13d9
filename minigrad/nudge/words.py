"""The words for a nudge: the promise, what happened, and how the error shrinks."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.nudge.nudged_graph import NudgedGraph, NudgeResult
from minigrad.trace.numbers import format_number

MOST_TERMS = 3
NOISE = 1e-11
"""What float64 leaves of a difference of two numbers of size 1."""
CLEAR = 1e3
"""An error so many times the noise still has its digits after it is divided by 100."""
DIGITS = 6


@dataclass(frozen=True)
class NudgeWords:
    """What is said about a result.

    Attributes
    ----------
    promised, exact, difference : str
        Each a line of numbers.
    shrinking : str
        The error for smaller nudges; empty where there is none.
    sentence : str
        What one is to see.
    """

    promised: str
    exact: str
    difference: str
    shrinking: str
    sentence: str


def tell_nudge(nudged: NudgedGraph, result: NudgeResult) -> NudgeWords:
    """Find the words for a result."""
    vertices = nudged.snapshot.vertices
    output = vertices[nudged.output].name
    terms = [
        f"{_factor(result.gradients[key])} × {_factor(nudge)}"
        for key, nudge in result.nudges.items()
    ]
    if len(terms) > MOST_TERMS:
        terms = [f"{len(terms)} products of a gradient and a nudge"]
    promised = " + ".join([_number(result.start), *terms])
    if terms:
        promised += f" = {_number(result.promised)}"
    error = result.errors[0]
    is_exact = _is_noise(result, error)
    shrinking = ""
    if result.nudges and not is_exact:
        _, half, tenth, _ = (format_number(_clean(result, one), 3) for one in result.errors)
        shrinking = f"off by {half} at half the nudge, by {tenth} at a tenth"
    return NudgeWords(
        promised,
        _number(result.exact),
        _number(_clean(result, error)),
        shrinking,
        _sentence(nudged, result, output),
    )


def _sentence(nudged: NudgedGraph, result: NudgeResult, output: str) -> str:
    names = {handle.key: handle.label for handle in nudged.handles}
    moved = [names[key] for key in result.nudges]
    if not moved:
        return (
            f"Move an input, and see what {output} does. The gradient was taken here, at the "
            f"start, and promises the rest."
        )
    if all(_is_noise(result, error) for error in result.errors):
        how = f"Nudging {moved[0]} alone" if len(moved) == 1 else "Nudged in this proportion"
        return f"{how}, {output} moves along a straight line: the gradient's promise is exact."
    return (
        f"The promise is good near the start, and {output} bends away from it. {_shrinks(result)}"
    )


def _shrinks(result: NudgeResult) -> str:
    """Say how the error shrinks with the nudge, as far as it was measured."""
    whole, _, tenth, hundredth = map(abs, result.errors)
    large, small = (tenth, hundredth) if tenth > CLEAR * _noise(result) else (whole, tenth)
    if _is_noise(result, small):
        return "Close to the start there is no error that could be measured."
    ratio = small / large
    if 0.005 < ratio < 0.02:
        return "The error shrinks like Δ²: a tenth of the nudge leaves a hundredth of it."
    if ratio <= 0.005:
        return "The error shrinks even faster than Δ²."
    if ratio > 0.05:
        return "The error does not shrink like Δ²: at the start there is a kink."
    return "The error shrinks faster than the nudge."


def _noise(result: NudgeResult) -> float:
    return NOISE * max(1.0, abs(result.start), abs(result.exact), abs(result.promised))


def _is_noise(result: NudgeResult, error: float) -> bool:
    return abs(error) <= _noise(result)


def _clean(result: NudgeResult, error: float) -> float:
    """Return an error, or 0 where it is what float64 leaves of it."""
    return 0.0 if _is_noise(result, error) else error


def _number(number: float) -> str:
    return format_number(round(number, 12), DIGITS)


def _factor(number: float) -> str:
    text = _number(number)
    return f"({text})" if text.startswith("-") else text
