"""sum, mean, max, min: many numbers become one, over all axes or some."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from minigrad.engine.checks import yes_or_no
from minigrad.engine.errors import OpError
from minigrad.engine.ops.attributes import check_axis
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.selecting import select
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values, summed

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor

Axis: TypeAlias = int | tuple[int, ...] | None


class Reduction(Differentiable):
    """What all ops of this module have in common: the attributes `axis` and `keepdims`."""

    returns_new_arrays = True


class Sum(Reduction):
    r"""``z = Σ a`` along `axis`, with ``∂z/∂aᵢ = 1``: each number gets the gradient of its sum."""

    derivatives = ("1",)
    passes_on = "unchanged, to every number that was summed"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the sum."""
        return summed(inputs[0].values, **_only(attrs, inputs[0]))

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Spread the gradient over the shape of the operand."""
        return [np.broadcast_to(_kept(grad_output, inputs[0], attrs), inputs[0].shape)]


class Mean(Reduction):
    """``z = Σ a / n`` along `axis`, with ``∂z/∂aᵢ = 1/n``."""

    derivatives = ("1/n",)
    passes_on = "divided by their number, to every number of the operand"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the mean."""
        return np.mean(inputs[0].values, **_only(attrs, inputs[0]))  # type: ignore[no-any-return]

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Divide the gradient by the number of numbers, and spread it."""
        (a,) = inputs
        count = builtins.max(a.values.size // builtins.max(output.values.size, 1), 1)
        return [np.broadcast_to(_kept(grad_output, a, attrs) * (1 / count), a.shape)]


class Extreme(Reduction):
    """The largest or smallest number; where several are equal, they share the gradient equally.

    Of numbers with a nan among them it is nan, and so is the gradient of all of them.
    """

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Pass the gradient on to the number that was taken."""
        (a,) = inputs
        extreme = _kept(output.values, a, attrs)
        taken = a.values == extreme
        count = np.maximum(taken.sum(axis=attrs.get("axis"), keepdims=True), 1)
        share = _kept(grad_output, a, attrs) / count
        return [select(share, taken, extreme).astype(a.dtype)]


class Max(Extreme):
    """``z = max a`` along `axis`; its derivative is 1 at the largest number, and 0 elsewhere."""

    derivatives = ("(largest)",)
    passes_on = "to the largest number"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the largest number."""
        return np.max(inputs[0].values, **_only(attrs, inputs[0]))  # type: ignore[no-any-return]


class Min(Extreme):
    """``z = min a`` along `axis`; its derivative is 1 at the smallest number, and 0 elsewhere."""

    derivatives = ("(smallest)",)
    passes_on = "to the smallest number"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the smallest number."""
        return np.min(inputs[0].values, **_only(attrs, inputs[0]))  # type: ignore[no-any-return]


def _only(attrs: dict[str, Any], operand: Tensor) -> dict[str, Any]:
    """Refuse what numpy would take and backward does not know, such as ``where``."""
    if unknown := set(attrs) - {"axis", "keepdims"}:
        raise TypeError(f"unknown attribute {sorted(unknown)[0]!r}; there are axis and keepdims")
    check_axis(attrs.get("axis"), operand.values.ndim)
    if "keepdims" not in attrs:
        return attrs
    return {**attrs, "keepdims": yes_or_no(attrs["keepdims"], "keepdims", ValueError)}


def _kept(values: Values, operand: Tensor, attrs: dict[str, Any]) -> Values:
    """Give back the axes that the reduction took away, with length 1."""
    axis = attrs.get("axis")
    if not operand.values.ndim:
        return values  # numpy lets a single number be summed along its last axis
    if attrs.get("keepdims") or axis is None:
        return np.reshape(values, (1,) * operand.values.ndim) if axis is None else values
    return np.expand_dims(values, axis)


for _name, _op in {"sum": Sum(), "mean": Mean(), "max": Max(), "min": Min()}.items():
    registry.register(_name, _op)


@spelled()
def sum(a: Operand, axis: Axis = None, keepdims: bool = False) -> Call:
    """Record the sum of `a` along `axis` (all of them by default). Local derivatives: 1.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     mg.sum(a * a).backward()
    >>> a.grad.tolist()
    [2.0, 4.0, 6.0]
    """
    return (a,), {"axis": axis, "keepdims": keepdims}


@spelled()
def mean(a: Operand, axis: Axis = None, keepdims: bool = False) -> Call:
    """Record the mean of `a` along `axis`. Local derivatives: 1 over the number of numbers."""
    return (a,), {"axis": axis, "keepdims": keepdims}


@spelled()
def max(a: Operand, axis: Axis = None, keepdims: bool = False) -> Call:
    """Record the largest of `a` along `axis`. Equal ones share the gradient equally."""
    _refuse_second_operand("max", axis)
    return (a,), {"axis": axis, "keepdims": keepdims}


@spelled()
def min(a: Operand, axis: Axis = None, keepdims: bool = False) -> Call:
    """Record the smallest of `a` along `axis`. Equal ones share the gradient equally."""
    _refuse_second_operand("min", axis)
    return (a,), {"axis": axis, "keepdims": keepdims}


def _refuse_second_operand(name: str, axis: object) -> None:
    if hasattr(type(axis), "requires_grad"):
        raise OpError(
            f"{name} takes one operand, and the axis along which to look, not a second operand; "
            f"of two tensors write mg.{name}imum(x, y)"
        )
