"""Undoing numpy's broadcasting on the way back."""

from __future__ import annotations

from minigrad.engine.values import Values, summed


def unbroadcast(gradient: Values, shape: tuple[int, ...]) -> Values:
    r"""Sum a gradient over the axes along which an operand was broadcast.

    Broadcasting uses one element many times, and a value that is used many times
    collects a contribution from each use:

    .. math:: \frac{\partial w}{\partial b_j} = \sum_i \frac{\partial w}{\partial B_{ij}},
              \qquad B_{ij} = b_j

    Parameters
    ----------
    gradient : numpy.ndarray
        Has the shape of the op's output.
    shape : tuple of int
        The operand's own shape, which broadcasts to that of `gradient`.

    Returns
    -------
    numpy.ndarray
        Of shape `shape`.

    Examples
    --------
    >>> import numpy as np
    >>> unbroadcast(np.ones((4, 3)), (3,))
    array([4., 4., 4.])
    """
    if gradient.shape == shape:
        return gradient
    added = gradient.ndim - len(shape)
    stretched = tuple(
        added + axis
        for axis, size in enumerate(shape)
        if size == 1 and gradient.shape[added + axis] != 1
    )
    total: Values = summed(gradient, tuple(range(added)) + stretched).reshape(shape)[()]
    return total
