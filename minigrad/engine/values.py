"""Numbers as minigrad keeps them: real, floating, copied once and then never changed."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from minigrad.engine.errors import TensorError, told

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor

Values: TypeAlias = NDArray[Any]
"""A numpy array, or the numpy scalar that stands for a 0-d array and acts like one."""

Operand: TypeAlias = "Tensor | ArrayLike"
"""What an op may be called with; numbers and arrays become frozen tensors."""

FLOAT32 = np.dtype(np.float32)
ONE: dict[Any, Any] = {
    kind: kind(1) for kind in (np.float16, np.float32, np.float64, np.longdouble)
}
"""The number 1 as a numpy scalar of each floating type."""

FLOAT32_ONE = ONE[np.float32]


def to_values(data: ArrayLike | float, dtype: DTypeLike | None = None) -> Values:
    """Copy numbers into a read-only float array; a 0-d one becomes a numpy scalar.

    Raises
    ------
    TensorError
        If `data` is not made of real numbers in a regular grid, or `dtype` is not a
        floating dtype.
    """
    try:
        array = np.asarray(data)
    except Exception as error:  # lists of different lengths, or what is not made for numpy
        reason = f": {error}" if type(error) is ValueError else ""
        raise TensorError(
            f"tensor data must be a regular grid of numbers{reason}; {told(data)} is none"
        ) from None
    if isinstance(data, np.ma.MaskedArray) and np.ma.is_masked(data):
        raise TensorError(
            "tensor data has no place for masked numbers; fill them, as in data.filled(0.0), or "
            "leave them out: data.compressed()"
        )
    if array.dtype.kind not in "fiub":
        raise TensorError(
            f"tensor data must be real numbers (ints, floats, or arrays and nested lists of "
            f"them), not {told(data)}"
        )
    if dtype is None:
        is_numpy_float = isinstance(data, np.ndarray | np.generic) and array.dtype.kind == "f"
        target = array.dtype if is_numpy_float else FLOAT32
    else:
        try:
            target = np.dtype(dtype)
        except Exception:  # numpy's words for it are of many kinds
            raise TensorError(
                f"unknown dtype: {told(dtype)}; use a floating one: 'float32'"
            ) from None
        if target.kind != "f":
            raise TensorError(f"a tensor's dtype must be floating, not {target}; use 'float32'")
    return frozen_copy(array.astype(target, copy=False))


def to_scalar(number: float, dtype: np.dtype[Any]) -> Values:
    """Return a Python float as a numpy scalar, which stands for an array of shape ``()``."""
    # numpy multiplies in a third of the time that it takes to convert
    return ONE[dtype.type] * number  # type: ignore[no-any-return]


def own_copy(value: Any) -> Any:
    """Return a copy that stays as it is now; what cannot be copied is returned as it is."""
    try:
        return copy.deepcopy(value)
    except Exception:  # a generator, or what is not made for it: the op says what it takes
        return value


def summed(
    values: Values, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Values:
    """Sum as numpy does, but half precision in single: 5,000 rows of ones are not 2,048."""
    wide = np.float32 if values.dtype == np.float16 else None
    total: Values = values.sum(axis=axis, dtype=wide, keepdims=keepdims)
    return total if wide is None else total.astype(values.dtype)


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
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.itemsize > 8:
        # bytes between the numbers may differ, and there are no whole numbers of that size
        same = (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
        return bool(np.all(same))
    whole = f"u{a.itemsize}"
    return bool((a.view(whole) == b.view(whole)).all())
