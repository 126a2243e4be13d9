"""Numbers as short text: the same wherever a person reads them."""

from __future__ import annotations

import numpy as np

from minigrad.engine.values import Values

NOTHING_YET = "—"
"""Stands where nothing has been computed; never 0.0, which would be an answer."""
NONE_YET = "none"
"""Says the same in a sum or a sentence, where a dash would be a minus sign."""
DIGITS = 6
DIGITS_IN_ARRAYS = 4
DIGITS_OF_RANGES = 3
INLINE_SIZE = 4
"""Arrays of up to so many numbers are written out; of larger ones the range is given."""


def format_number(number: float, digits: int = DIGITS) -> str:
    """Write one number with up to six significant digits, and always as a float.

    Examples
    --------
    >>> format_number(3), format_number(12345.6789), format_number(-1e-300)
    ('3.0', '12345.7', '-1e-300')
    """
    text = f"{float(number):.{digits}g}"
    return text + ".0" if text.lstrip("-").isdigit() else text


def format_shape(shape: tuple[int, ...]) -> str:
    """Write a shape as numpy does, without spaces: ``(4,3)``."""
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def format_values(values: Values | None) -> str:
    """Write a number, a short array, the range of a long one, or a dash for None.

    Examples
    --------
    >>> import numpy as np
    >>> format_values(np.float32(12)), format_values(np.ones(3)), format_values(np.ones((4, 3)))
    ('12.0', '[1.0 1.0 1.0]', '4×3: all 1.0')
    >>> format_values(np.arange(6.0)), format_values(None)
    ('6: 0.0…5.0', '—')
    """
    if values is None:
        return NOTHING_YET
    if values.ndim == 0:
        return format_number(values.item())
    if values.size <= INLINE_SIZE and values.size:
        return _format_array(values)
    size = "×".join(map(str, values.shape))
    if not values.size:
        return f"{size}: empty"
    numbers = values[~np.isnan(values)]
    holes = values.size - numbers.size
    if not numbers.size:
        return f"{size}: all nan"
    low, high = (
        format_number(end.item(), DIGITS_OF_RANGES) for end in (numbers.min(), numbers.max())
    )
    if holes:
        return f"{size}: {low}…{high}, {holes} nan"
    return f"{size}: all {low}" if low == high else f"{size}: {low}…{high}"


def _format_array(values: Values) -> str:
    if values.ndim == 0:
        return format_number(values.item(), DIGITS_IN_ARRAYS)
    return f"[{' '.join(map(_format_array, values))}]"


def with_sign(values: Values) -> str:
    """Write a contribution as something that is added: ``+4.0``, ``-1.0``, ``+ [1.0 2.0]``."""
    text = format_values(values)
    if values.ndim:
        return f"+ {text}"
    return text if text.startswith("-") else f"+{text}"


def as_start(values: Values | None) -> str:
    """Write what a sum begins with: a number, or that there is none.

    Examples
    --------
    >>> import numpy as np
    >>> as_start(np.float32(-1)), as_start(None)
    ('-1.0', 'none')
    """
    return NONE_YET if values is None else format_values(values)


def as_factor(values: Values) -> str:
    """Write a value inside a sum or a product: a negative number gets its parentheses."""
    text = format_values(values)
    return f"({text})" if text.startswith("-") else text
