"""The words for a nudge: the promise, what happened, and how the error shrinks."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.trace.numbers import format_number
from minigrad.trace.what_if import Moment, WhatIf

MOST_TERMS = 3
NOISE = 1e-11
"""What float64 leaves of a difference of two numbers of size 1."""
CLEAR = 1e3
"""An error so many times the noise still has its digits after it is divided by 100."""
DIGITS = 6


@dataclass(frozen=True)
class NudgeWords:
    """What is said about a moment.

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


def tell_nudge(what_if: WhatIf, moment: Moment) -> NudgeWords:
    """Find the words for a moment."""
    items = what_if.snapshot.items
    output = items[what_if.output].name
    terms = [
        f"{_factor(moment.gradients[key])} × {_factor(nudge)}"
        for key, nudge in moment.nudges.items()
    ]
    if len(terms) > MOST_TERMS:
        terms = [f"{len(terms)} products of a gradient and a nudge"]
    promised = " + ".join([_number(moment.start), *terms])
    if terms:
        promised += f" = {_number(moment.promised)}"
    error = moment.errors[0]
    is_exact = _is_noise(moment, error)
    shrinking = ""
    if moment.nudges and not is_exact:
        _, half, tenth, _ = (format_number(_clean(moment, one), 3) for one in moment.errors)
        shrinking = f"off by {half} at half the nudge, by {tenth} at a tenth"
    return NudgeWords(
        promised,
        _number(moment.exact),
        _number(_clean(moment, error)),
        shrinking,
        _sentence(what_if, moment, output),
    )


def _sentence(what_if: WhatIf, moment: Moment, output: str) -> str:
    names = {handle.key: handle.name for handle in what_if.handles}
    nudged = [names[key] for key in moment.nudges]
    if not nudged:
        return (
            f"Move an input, and see what {output} does. The gradient was taken here, at the "
            f"start, and promises the rest."
        )
    if all(_is_noise(moment, error) for error in moment.errors):
        how = f"Nudging {nudged[0]} alone" if len(nudged) == 1 else "Nudged in this proportion"
        return f"{how}, {output} moves along a straight line: the gradient's promise is exact."
    return (
        f"The promise is good near the start, and {output} bends away from it. {_shrinks(moment)}"
    )


def _shrinks(moment: Moment) -> str:
    """Say how the error shrinks with the nudge, as far as it was measured."""
    whole, _, tenth, hundredth = map(abs, moment.errors)
    large, small = (tenth, hundredth) if tenth > CLEAR * _noise(moment) else (whole, tenth)
    if _is_noise(moment, small):
        return "Close to the start there is no error that could be measured."
    ratio = small / large
    if 0.005 < ratio < 0.02:
        return "The error shrinks like Δ²: a tenth of the nudge leaves a hundredth of it."
    if ratio <= 0.005:
        return "The error shrinks even faster than Δ²."
    if ratio > 0.05:
        return "The error does not shrink like Δ²: at the start there is a kink."
    return "The error shrinks faster than the nudge."


def _noise(moment: Moment) -> float:
    return NOISE * max(1.0, abs(moment.start), abs(moment.exact), abs(moment.promised))


def _is_noise(moment: Moment, error: float) -> bool:
    return abs(error) <= _noise(moment)


def _clean(moment: Moment, error: float) -> float:
    """Return an error, or 0 where it is what float64 leaves of it."""
    return 0.0 if _is_noise(moment, error) else error


def _number(number: float) -> str:
    return format_number(round(number, 12), DIGITS)


def _factor(number: float) -> str:
    text = _number(number)
    return f"({text})" if text.startswith("-") else text
