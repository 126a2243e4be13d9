"""Numbers as minigrad keeps them: real, floating, copied once and then never changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from minigrad.errors import TensorError
from minigrad.ops.base import Values

FLOAT32 = np.dtype(np.float32)


def to_values(data: ArrayLike | float, dtype: DTypeLike | None = None) -> Values:
    """Copy numbers into a read-only float array; a 0-d one becomes a numpy scalar.

    Raises
    ------
    TensorError
        If `data` is not made of real numbers in a regular grid, or `dtype` is not a
        floating dtype.
    """
    if type(data) is float and dtype is None:
        # most leaves of a first lesson, which need none of the checks
        return FLOAT32.type(data)  # type: ignore[return-value]  # a scalar acts like an array
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise TensorError(f"tensor data must be a regular grid of numbers: {error}") from None
    if array.dtype.kind not in "fiub":
        raise TensorError(
            f"tensor data must be real numbers (ints, floats, or arrays and nested lists of "
            f"them), not {_describe(data)}"
        )
    if dtype is None:
        is_numpy_float = isinstance(data, np.ndarray | np.generic) and array.dtype.kind == "f"
        target = array.dtype if is_numpy_float else FLOAT32
    else:
        try:
            target = np.dtype(dtype)
        except TypeError:
            raise TensorError(f"unknown dtype: {dtype!r}; use a floating one: 'float32'") from None
        if target.kind != "f":
            raise TensorError(f"a tensor's dtype must be floating, not {target}; use 'float32'")
    return frozen_copy(array.astype(target, copy=False))


def _describe(data: object) -> str:
    if isinstance(data, np.ndarray):
        return f"an array of dtype {data.dtype}"
    text = repr(data)
    return f"{text if len(text) <= 40 else text[:40] + '…'} ({type(data).__name__})"


def frozen(values: Values) -> Values:
    """Make an array read-only, and a 0-d one a numpy scalar, without a copy."""
    if type(values) is np.ndarray:
        if values.ndim == 0:
            return values[()]
        values.flags.writeable = False
    return values


def frozen_copy(array: NDArray[Any]) -> Values:
    """Copy an array so that nobody can edit the copy; a 0-d one becomes a numpy scalar."""
    return frozen(np.array(array))


def same_bits(a: NDArray[Any], b: Values) -> bool:
    """Tell whether two arrays are equal to the bit: nan equals itself, and 0.0 is not -0.0."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
