"""What every door checks: whether what it is given is what it takes.

Each check returns what was given in the form in which it is used from there on, or says in one
sentence what was given and what is allowed. None of them asks a thing whether it is true or equal
to something: an array has no answer, and what is not minigrad's own may raise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np

from minigrad.engine.errors import ArgumentError, PlaceError, told

LONGEST = 5_000_000
"""More things than that are not gone through: there may be no end of them."""

Kind = type[Exception]
"""What a check raises: the error that the function documents."""


def yes_or_no(given: object, name: str, error: Kind = ArgumentError) -> bool:
    """Return a yes or no; 1, "no" and an array are none.

    Examples
    --------
    >>> yes_or_no(np.bool_(True), "overwrite")
    True
    >>> yes_or_no("no", "overwrite")
    Traceback (most recent call last):
        ...
    minigrad.engine.errors.ArgumentError: overwrite must be True or False, not 'no'
    """
    if not isinstance(given, bool | np.bool_):
        raise error(f"{name} must be True or False, not {told(given)}")
    return bool(given)


def is_whole(given: object) -> bool:
    """Tell whether something is a whole number, of Python or of numpy; True and 1.0 are none."""
    return isinstance(given, int | np.integer) and not isinstance(given, bool | np.timedelta64)


def whole_number(
    given: Any,
    name: str,
    low: int | None = None,
    high: int | None = None,
    unit: str = "",
    error: Kind = ArgumentError,
) -> int:
    """Return a whole number within bounds.

    Examples
    --------
    >>> whole_number(np.int64(3), "most", 1)
    3
    >>> whole_number(0, "most", 1)
    Traceback (most recent call last):
        ...
    minigrad.engine.errors.ArgumentError: most must be a whole number from 1, not 0
    """
    if is_whole(given):
        number = int(given)
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    bounds = "" if low is None else f" from {low}"
    bounds += "" if high is None else f" to {high}"
    of = f" of {unit}" if unit else ""
    raise error(f"{name} must be a whole number{of}{bounds}, not {told(given)}")


def real_number(
    given: Any,
    name: str,
    low: float = -math.inf,
    high: float = math.inf,
    unit: str = "",
    error: Kind = ArgumentError,
) -> float:
    """Return a finite number within bounds as a float.

    Examples
    --------
    >>> real_number(np.float32(0.5), "delay", 0.02, 600, "seconds")
    0.5
    """
    if not isinstance(given, bool | np.timedelta64) and isinstance(given, Real):
        try:
            number = float(given)
        except Exception:  # of too many digits, or of a kind that has only the name of a number
            number = math.nan
        if low <= number <= high and math.isfinite(number):
            return number
    wanted = "a finite number" if low == -math.inf and high == math.inf else "a number"
    of = f" of {unit}" if unit else ""
    bounds = f" from {low:g}" if low > -math.inf else ""
    bounds += f" to {high:g}" if high < math.inf else ""
    raise error(f"{name} must be {wanted}{of}{bounds}, not {told(given)}")


def place_among(given: Any, count: int, what: str, error: Kind = ArgumentError) -> int:
    """Return the place of one of several things, from 0; those from the end are negative.

    Parameters
    ----------
    given : int
        From ``-count`` to ``count - 1``; otherwise a `PlaceError` is raised.
    count : int
        How many there are.
    what : str
        Of what, such as ``step``.
    error : type, optional
        What to raise if it is no whole number.

    Examples
    --------
    >>> place_among(-1, 5, "step")
    4
    >>> place_among(5, 5, "step")
    Traceback (most recent call last):
        ...
    minigrad.engine.errors.PlaceError: there is no step 5; there are steps 0 to 4
    """
    there = f"there are {what}s 0 to {count - 1}" if count else "there are none"
    if not is_whole(given):
        raise error(f"a {what} is a whole number, not {told(given)}; {there}")
    if not -count <= int(given) < count:
        raise PlaceError(f"there is no {what} {told(given)}; {there}")
    return int(given) % count


def one_of(given: object, name: str, allowed: Iterable[str], error: Kind = ArgumentError) -> str:
    """Return one of a few words.

    Examples
    --------
    >>> one_of(["dark"], "theme", ("light", "dark"))
    Traceback (most recent call last):
        ...
    minigrad.engine.errors.ArgumentError: unknown theme: ['dark'] (must be 'light' or 'dark')
    """
    words = list(allowed)
    if isinstance(given, str):
        plain = str.__str__(given)  # a subclass may compare itself in a way of its own
        if plain in words:
            return plain
    *others, last = map(repr, words)
    listed = f"{', '.join(others)} or {last}" if others else last
    raise error(f"unknown {name}: {told(given)} (must be {listed})")


def listed(given: Any, name: str, what: str, error: Kind = ArgumentError) -> list[Any]:
    """Return what can be gone through in an order: a list, a range, a generator, an array.

    Text, bytes, sets, dicts and tensors are refused: what they hold is not meant one by one, or
    has no order.

    Parameters
    ----------
    given : iterable
        What was given.
    name : str
        Of the argument.
    what : str
        What it is a list of, such as ``a list of positions in graph.nodes``.
    error : type, optional
        What to raise.
    """
    is_other = isinstance(given, str | bytes | bytearray | memoryview | Set | Mapping)
    # a tensor, of any library, gives rows: each of them would be recorded
    if not is_other and not hasattr(type(given), "requires_grad"):
        try:
            found = list(islice(given, LONGEST + 1))
            if len(found) <= LONGEST:
                return found
        except Exception:  # such as an array that is a single number, or whatever the thing raises
            pass
    raise error(f"{name} must be {what}, not {told(given)}")


def as_named(given: Any, name: str, error: Kind = ArgumentError) -> Mapping[str, object]:
    """Return a mapping whose keys are names, such as ``{"w": w}``."""
    if not isinstance(given, Mapping):
        raise error(
            f"{name} must be a dict from names to what they stand for, such as "
            f'{{"w": w}}, not {told(given)}'
        )
    try:
        keys = list(given)
    except Exception:  # what is not made for it, such as a closed database
        raise error(f"{name} must be a dict that can be read, not {told(given)}") from None
    for key in keys:
        if not isinstance(key, str):
            raise error(f"{name} must have names as its keys, and {told(key)} is none")
    return given


def some_of(names: Sequence[object], limit: int = 4) -> str:
    """Write the first of some names, for a sentence that says what there is."""
    return ", ".join(map(told, names[:limit])) + (", …" if len(names) > limit else "")
