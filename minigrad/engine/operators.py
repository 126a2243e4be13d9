"""The operators and methods of a tensor: other ways to write calls of ops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from minigrad.engine.errors import TensorError
from minigrad.engine.recorders import operate
from minigrad.engine.values import Operand, own_copy

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Operators:
    """Each operator hands its op to whoever records: see `minigrad.engine.recorders.operate`."""

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

    def __abs__(self) -> Tensor:
        return operate("abs", (self,))

    def __matmul__(self, other: Operand) -> Tensor:
        return operate("matmul", (self, other))

    def __rmatmul__(self, other: Operand) -> Tensor:
        return operate("matmul", (other, self))

    def __getitem__(self, index: Any) -> Tensor:
        # the graph needs the index as it is now, whatever becomes of the array
        return operate("getitem", (self,), {"index": own_copy(index)})

    def __bool__(self) -> bool:
        raise TensorError(
            "a tensor is neither true nor false; compare numbers: t.item() > 0, or t is None"
        )

    def _compare(self, other: object) -> NoReturn:
        raise TensorError(
            "tensors are not compared with < and >, which have no gradient; compare their numbers: "
            "t.item() > 0, or t.data > 0"
        )

    __lt__ = __le__ = __gt__ = __ge__ = _compare

    def sum(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the sum along `axis`, or of all numbers: see `minigrad.sum`."""
        return operate("sum", (self,), {"axis": axis, "keepdims": keepdims})

    def mean(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the mean along `axis`, or of all numbers: see `minigrad.mean`."""
        return operate("mean", (self,), {"axis": axis, "keepdims": keepdims})

    def max(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the largest number along `axis`, or of all: see `minigrad.max`."""
        return operate("max", (self,), {"axis": axis, "keepdims": keepdims})

    def min(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the smallest number along `axis`, or of all: see `minigrad.min`."""
        return operate("min", (self,), {"axis": axis, "keepdims": keepdims})

    def reshape(self, *shape: Any) -> Tensor:
        """Return the numbers in another shape: see `minigrad.reshape`."""
        if len(shape) == 1 and isinstance(shape[0], tuple | list):
            shape = tuple(shape[0])
        return operate("reshape", (self,), {"shape": shape})

    @property
    def T(self) -> Tensor:  # noqa: N802 - numpy's name
        """The tensor with its axes reversed: see `minigrad.transpose`."""
        return operate("transpose", (self,), {"axes": None})
