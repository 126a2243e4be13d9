"""The operators and methods of a tensor: other ways to write calls of ops."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minigrad.errors import TensorError
from minigrad.recording import Operand, operate, operate_with

if TYPE_CHECKING:
    from minigrad.tensor import Tensor


class Operators:
    """Each operator hands its op to whoever records: see `minigrad.recording.operate`."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[int, ...]:
            """Of the tensor that this is."""

    def __add__(self, other: Operand) -> Tensor:
        return operate("add", self, other)

    def __radd__(self, other: Operand) -> Tensor:
        return operate("add", other, self)

    def __sub__(self, other: Operand) -> Tensor:
        return operate("sub", self, other)

    def __rsub__(self, other: Operand) -> Tensor:
        return operate("sub", other, self)

    def __mul__(self, other: Operand) -> Tensor:
        return operate("mul", self, other)

    def __rmul__(self, other: Operand) -> Tensor:
        return operate("mul", other, self)

    def __truediv__(self, other: Operand) -> Tensor:
        return operate("div", self, other)

    def __rtruediv__(self, other: Operand) -> Tensor:
        return operate("div", other, self)

    def __pow__(self, other: Operand) -> Tensor:
        return operate("pow", self, other)

    def __rpow__(self, other: Operand) -> Tensor:
        return operate("pow", other, self)

    def __neg__(self) -> Tensor:
        return operate("neg", self)

    def __abs__(self) -> Tensor:
        return operate("abs", self)

    def __matmul__(self, other: Operand) -> Tensor:
        return operate("matmul", self, other)

    def __rmatmul__(self, other: Operand) -> Tensor:
        return operate("matmul", other, self)

    def __getitem__(self, index: Any) -> Tensor:
        # the graph needs the index as it is now, whatever becomes of the array
        return operate_with({"index": copy.deepcopy(index)}, "getitem", self)

    def __len__(self) -> int:
        if not self.shape:
            raise TensorError("a tensor with a single number has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[place] for place in range(len(self)))

    def __bool__(self) -> bool:
        raise TensorError(
            "a tensor is neither true nor false; compare numbers: t.item() > 0, or t is None"
        )

    def sum(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the sum along `axis`, or of all numbers: see `minigrad.sum`."""
        return operate_with({"axis": axis, "keepdims": keepdims}, "sum", self)

    def mean(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the mean along `axis`, or of all numbers: see `minigrad.mean`."""
        return operate_with({"axis": axis, "keepdims": keepdims}, "mean", self)

    def max(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the largest number along `axis`, or of all: see `minigrad.max`."""
        return operate_with({"axis": axis, "keepdims": keepdims}, "max", self)

    def min(self, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
        """Return the smallest number along `axis`, or of all: see `minigrad.min`."""
        return operate_with({"axis": axis, "keepdims": keepdims}, "min", self)

    def reshape(self, *shape: int) -> Tensor:
        """Return the numbers in another shape: see `minigrad.reshape`."""
        return operate_with({"shape": shape}, "reshape", self)

    @property
    def T(self) -> Tensor:  # noqa: N802 - numpy's name
        """The tensor with its axes reversed: see `minigrad.transpose`."""
        return operate_with({"axes": None}, "transpose", self)
