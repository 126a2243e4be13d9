"""The operators and methods of a tensor: other ways to write calls of ops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from minigrad.engine import ops
from minigrad.engine.errors import OpError, TensorError
from minigrad.engine.numpy_calls import (
    are_numbers,
    on_function,
    on_ufunc,
    refuse_equality,
    refuse_order,
    refuse_remainder,
)
from minigrad.engine.ops.spelling import as_method
from minigrad.engine.recorders import operate
from minigrad.engine.values import Operand, to_values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Operators:
    """Each hands its op to whoever records: see `minigrad.engine.recorders.operate`.

    A method that is called as its op is the op's function itself, with the tensor as its operand.
    """

    __slots__ = ()

    def __add__(self, other: Operand) -> Tensor:
        return operate("add", (self, other))

    def __radd__(self, other: Operand) -> Tensor:
        return operate("add", (other, self))

    def __sub__(self, other: Operand) -> Tensor:
        return operate("sub", (self, other))

    def __rsub__(self, other: Operand) -> Tensor:
        return operate("sub", (other, self))

    def __mul__(self, other: Operand) -> Tensor:
        return operate("mul", (self, other))

    def __rmul__(self, other: Operand) -> Tensor:
        return operate("mul", (other, self))

    def __truediv__(self, other: Operand) -> Tensor:
        return operate("div", (self, other))

    def __rtruediv__(self, other: Operand) -> Tensor:
        return operate("div", (other, self))

    def __pow__(self, other: Operand) -> Tensor:
        return operate("pow", (self, other))

    def __rpow__(self, other: Operand) -> Tensor:
        return operate("pow", (other, self))

    def __neg__(self) -> Tensor:
        return operate("neg", (self,))

    def __pos__(self) -> Tensor:
        return self  # type: ignore[return-value]  # nothing is computed, so there is no node

    def __abs__(self) -> Tensor:
        return operate("abs", (self,))

    def __matmul__(self, other: Operand) -> Tensor:
        return operate("matmul", (self, other))

    def __rmatmul__(self, other: Operand) -> Tensor:
        return operate("matmul", (other, self))

    def __getitem__(self, index: Any) -> Tensor:
        return operate("getitem", (self,), {"index": index})

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **named: Any) -> Any:
        return on_ufunc(ufunc, method, operands, named)

    def __array_function__(
        self, function: Any, types: object, given: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        return on_function(function, f"numpy.{function.__name__}", given, named)

    def __bool__(self) -> bool:
        raise TensorError(
            "a tensor is neither true nor false; compare numbers: t.item() > 0, or t is None"
        )

    def __eq__(self, other: object) -> bool:
        if are_numbers(other):
            refuse_equality()
        return NotImplemented  # so that Python looks whether they are the same object

    __hash__ = object.__hash__

    def _order(self, other: object) -> NoReturn:
        refuse_order()

    __lt__ = __le__ = __gt__ = __ge__ = _order

    def _remainder(self, other: object) -> NoReturn:
        refuse_remainder()

    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _remainder

    add = as_method(ops.add)
    sub = as_method(ops.sub)
    mul = as_method(ops.mul)
    div = as_method(ops.div)
    neg = as_method(ops.neg)
    pow = as_method(ops.pow)
    matmul = as_method(ops.matmul)
    exp = as_method(ops.exp)
    log = as_method(ops.log)
    sqrt = as_method(ops.sqrt)
    abs = as_method(ops.abs)
    sin = as_method(ops.sin)
    cos = as_method(ops.cos)
    tanh = as_method(ops.tanh)
    sigmoid = as_method(ops.sigmoid)
    relu = as_method(ops.relu)
    maximum = as_method(ops.maximum)
    minimum = as_method(ops.minimum)
    clip = as_method(ops.clip)
    softmax = as_method(ops.softmax)
    log_softmax = as_method(ops.log_softmax)
    cross_entropy = as_method(ops.cross_entropy)
    mse = as_method(ops.mse)
    sum = as_method(ops.sum)
    mean = as_method(ops.mean)
    max = as_method(ops.max)
    min = as_method(ops.min)
    broadcast_to = as_method(ops.broadcast_to)

    def where(self: Any, condition: Any, b: Operand) -> Tensor:
        """Return this tensor where `condition` holds, and `b` elsewhere: see `minigrad.where`."""
        return ops.where(condition, self, b)

    def reshape(self: Any, *lengths: Any, shape: Any = None) -> Tensor:
        """Return the numbers in another shape, as one tuple or number by number.

        See `minigrad.reshape`.
        """
        return ops.reshape(self, _one_way("reshape", "shape", lengths, shape))

    def flatten(self: Any) -> Tensor:
        """Return all numbers in one row: ``reshape(-1)``."""
        return ops.reshape(self, -1)

    ravel = flatten

    def transpose(self: Any, *order: Any, axes: Any = None) -> Tensor:
        """Return the tensor with its axes in another order, or reversed if none is given.

        The order is a tuple or is given axis by axis, and names all axes, as in numpy: not the two
        that change places, as in PyTorch. See `minigrad.transpose`.
        """
        given = order or (None,) if axes is None else order
        return ops.transpose(self, _one_way("transpose", "axes", given, axes))

    @property
    def T(self: Any) -> Tensor:  # noqa: N802 - numpy's name
        """The tensor with its axes reversed: see `minigrad.transpose`."""
        return ops.transpose(self)

    def dot(self: Any, other: Operand) -> Tensor:
        """Return the product of vectors or matrices, or that with a single number, as in numpy.

        It is recorded as what it is: `minigrad.matmul` or `minigrad.mul`.
        """
        right: Any = other if isinstance(other, Operators) else to_values(other)
        axes = self.ndim, right.ndim
        if max(axes) > 2:
            raise OpError(
                f"dot takes vectors and matrices, and these have {axes[0]} and {axes[1]} axes; "
                f"for products of batches of matrices write a @ b"
            )
        return ops.matmul(self, other) if min(axes) else ops.mul(self, other)


def _one_way(method: str, name: str, given: tuple[Any, ...], named: Any) -> Any:
    """Return what was given one by one, as one tuple, or by its name."""
    if named is None:
        return given[0] if len(given) == 1 else given
    if given:
        raise OpError(f"{method} takes {name}=… or the numbers one by one, not both")
    return named
