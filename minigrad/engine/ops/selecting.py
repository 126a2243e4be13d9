"""Passing a gradient on where something was chosen: what was not taken has no influence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from minigrad.engine.values import Values


def select(gradient: Values, taken: Any, output: Values | None = None) -> Values:
    """Return the gradient where numbers were taken, and 0 elsewhere, whatever the gradient is.

    A product with a mask is no selection: 0 times infinity is nan, and then the operand that an
    op did not take would spoil the gradient of the one that it took.

    Parameters
    ----------
    gradient : numpy.ndarray
        What is passed on where numbers were taken.
    taken : numpy.ndarray of bool
        Where that is; it broadcasts with the gradient.
    output : numpy.ndarray, optional
        What the op made, if its nan is to be told: which operand nan was chosen from is not
        known, so where the output is nan the gradient is nan, and never 0 or a number.

    Returns
    -------
    numpy.ndarray
        A new array, or a numpy scalar.

    Examples
    --------
    >>> import numpy as np
    >>> select(np.array([np.inf, 2.0]), np.array([False, True]))
    array([0., 2.])
    """
    if type(gradient) is ndarray or type(taken) is ndarray:
        if np.isfinite(gradient).all():
            # then a product is the same, and takes a fourth of the time
            selected = gradient * taken
            selected += 0  # which makes 0.0 of -0.0
        else:
            selected = np.where(taken, gradient, 0)
        if output is not None and (unknown := np.isnan(output)).any():
            selected = np.where(unknown, np.nan, selected)
        return selected  # type: ignore[no-any-return]
    if output is not None and output != output:
        return gradient.dtype.type(np.nan)  # type: ignore[no-any-return]
    return gradient if taken else gradient.dtype.type(0)
