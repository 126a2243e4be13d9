"""Answers of several kinds: how each is compared with the truth, and how it is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from minigrad.engine.errors import told
from minigrad.trace.numbers import format_number

TOLERANCE = 1e-4
LONGEST_SHOWN = 64

Answer: TypeAlias = float | str | Sequence[float] | Sequence[str]
"""A number, a yes or no, a word, or a list of numbers or of words; the truth tells which."""


def is_blank(answer: object) -> bool:
    """Tell whether the dots still stand there, alone or inside a list.

    Examples
    --------
    >>> is_blank(...), is_blank([1, ...]), is_blank(0)
    (True, True, False)
    """
    if isinstance(answer, list | tuple):
        return any(map(is_blank, (one for one in answer if one is not answer)))
    return answer is None or answer is ... or (isinstance(answer, str) and not answer.strip())


def matches(answer: object, expected: Any) -> bool:
    """Tell whether an answer is the expected one: words whatever their case, numbers nearly.

    Examples
    --------
    >>> matches("B", "b"), matches(5.00001, 5.0), matches([2, 1, 0], [2, 1, 0]), matches(1, True)
    (True, True, True, False)
    """
    if isinstance(expected, bool):
        return isinstance(answer, bool | np.bool_) and bool(answer) is expected
    if isinstance(expected, str):
        return isinstance(answer, str) and answer.strip().lower() == expected.lower()
    if isinstance(expected, int | float | np.generic):
        number = _as_number(answer)
        return number is not None and math.isclose(
            number, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE
        )
    listed = _as_list(answer)
    return (
        listed is not None
        and len(listed) == len(expected)
        and all(matches(one, other) for one, other in zip(listed, expected, strict=True))
    )


def complaint(name: str, answer: object, expected: Answer) -> str | None:
    """Say that an answer is not even of the kind that was asked for, or return None."""
    if isinstance(expected, bool):
        fits, kind = isinstance(answer, bool | np.bool_), "True or False"
    elif isinstance(expected, str):
        fits, kind = isinstance(answer, str), "a word in quotes"
    elif isinstance(expected, int | float | np.generic):
        fits, kind = _as_number(answer) is not None, "a number"
    else:
        fits, kind = _as_list(answer) is not None, "a list, such as [1, 2]"
    return None if fits else f"{name} must be {kind}, not {told(answer)}."


def show(value: Any, like: Any = 0.0) -> str:
    """Write an answer, or the truth, as short text; a count is written without a point.

    Examples
    --------
    >>> show(5), show(5, like=3), show([2, 1.5]), show([2, 0], like=[1, 0])
    ('5.0', '5', '[2.0, 1.5]', '[2, 0]')
    >>> show(["mul", "add"]), show(True), show("b"), show("a" * 100)[-3:]
    ('[mul, add]', 'True', 'b', 'aa…')
    """
    listed, likes = _as_list(value), _as_list(like)
    is_word = isinstance(value, bool | np.bool_) or isinstance(like, str)
    number = None if is_word else _as_number(value)
    if listed is not None:
        kind = likes[0] if likes else 0.0
        text = f"[{', '.join(show(one, kind) for one in listed[:LONGEST_SHOWN])}]"
    elif number is None:
        text = value if isinstance(value, str) else told(value)
    else:
        text = format_number(number)
        if isinstance(like, int | np.integer):
            text = text.removesuffix(".0")
    return _shorten(text)


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _as_number(answer: Any) -> float | None:
    if isinstance(answer, np.ndarray) and answer.ndim:
        return None
    try:
        return float(answer)
    except Exception:  # whatever was answered is no number
        return None


def _as_list(answer: Any) -> list[Any] | None:
    if isinstance(answer, np.ndarray) and answer.ndim:
        return list(answer)
    return list(answer) if isinstance(answer, list | tuple) else None
