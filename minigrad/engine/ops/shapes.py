"""reshape, transpose, broadcast_to, getitem, concatenate, stack: the same numbers elsewhere.

Backward brings each gradient back to where its number came from; a number that was taken
several times collects a contribution from each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.engine.errors import OpError, told
from minigrad.engine.ops.attributes import check_axes, check_one_axis, check_shape
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.broadcasting import unbroadcast
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Movement(Differentiable):
    """What all ops of this module have in common."""

    returns_new_arrays = True


class Reshape(Movement):
    """``z = a`` in another shape; the gradient goes back into the old one."""

    derivatives = ("1",)
    passes_on = "unchanged, in the operand's shape"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the numbers in another shape."""
        check_shape(attrs["shape"], -1)
        return np.reshape(inputs[0].values, attrs["shape"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Return the gradient in the shape of the operand."""
        return [np.reshape(grad_output, inputs[0].shape)]


class Transpose(Movement):
    """``z = aᵀ``, or its axes in another order; the gradient is put back into the old one."""

    derivatives = ("1",)
    passes_on = "unchanged, with the axes put back"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operand with its axes in another order."""
        check_axes(attrs["axes"], inputs[0].values.ndim)
        return np.transpose(inputs[0].values, attrs["axes"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Put the axes back."""
        axes = attrs["axes"]
        back = None if axes is None else np.argsort([a % len(axes) for a in axes])
        return [np.transpose(grad_output, back)]


class BroadcastTo(Movement):
    """``z`` repeats `a` to fill a shape; the gradient is summed over the repetitions."""

    derivatives = ("1",)
    passes_on = "summed over what was repeated"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operand, repeated."""
        check_shape(attrs["shape"])
        return np.broadcast_to(inputs[0].values, attrs["shape"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Sum over what was repeated."""
        return [unbroadcast(grad_output, inputs[0].shape)]


class GetItem(Movement):
    """``z = a[index]``; the gradient is added up at the places that were taken, 0 elsewhere."""

    derivatives = ("1",)
    passes_on = "to the places that were taken; the others get 0"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return what the index takes."""
        try:
            return inputs[0].values[attrs["index"]]  # type: ignore[no-any-return]
        except KeyError:  # there is no index
            raise
        except Exception as error:  # what is no index numpy refuses in many ways
            raise IndexError(
                f"{told(attrs['index'])} is no index of it: {str(error).strip()}"
            ) from None

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Add the gradient up at the places that were taken."""
        (a,) = inputs
        # a number that is taken often adds up in single precision, as sums do: see `summed`
        gradient = np.zeros(a.shape, np.promote_types(a.dtype, np.float32))
        np.add.at(gradient, attrs["index"], grad_output)
        return [gradient.astype(a.dtype, copy=False)]


class Concatenate(Movement):
    """``z`` joins its operands along `axis`; the gradient is cut into their pieces."""

    passes_on = "cut into pieces, one for each operand"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operands, joined."""
        if inputs and not inputs[0].values.ndim:
            raise ValueError("single numbers have no axis to be joined along; write mg.stack")
        check_one_axis(attrs["axis"], inputs[0].values.ndim if inputs else 1)
        return np.concatenate([tensor.values for tensor in inputs], attrs["axis"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Cut the gradient into pieces."""
        ends = np.cumsum([tensor.shape[attrs["axis"]] for tensor in inputs])
        return np.split(grad_output, ends[:-1], attrs["axis"])


class Stack(Movement):
    """``z`` puts operands of one shape side by side along a new `axis`; each gets its part back."""

    passes_on = "cut into parts, one for each operand"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operands side by side."""
        check_one_axis(attrs["axis"], inputs[0].values.ndim + 1 if inputs else 1)
        return np.stack([tensor.values for tensor in inputs], attrs["axis"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Take the gradient apart."""
        return list(np.moveaxis(grad_output, attrs["axis"], 0))


for _name, _op in {
    "reshape": Reshape(),
    "transpose": Transpose(),
    "broadcast_to": BroadcastTo(),
    "getitem": GetItem(),
    "concatenate": Concatenate(),
    "stack": Stack(),
}.items():
    registry.register(_name, _op)


@spelled()
def reshape(a: Operand, shape: int | tuple[int, ...]) -> Call:
    """Record `a` in another shape and return it; one length may be -1, as in numpy."""
    shape = (shape,) if isinstance(shape, int) else shape
    return (a,), {"shape": tuple(shape) if isinstance(shape, Iterator) else shape}


@spelled("a.T")
def transpose(a: Operand, axes: tuple[int, ...] | None = None) -> Call:
    """Record `a` with its axes in another order, reversed by default, and return it."""
    return (a,), {"axes": axes}


@spelled()
def broadcast_to(a: Operand, shape: tuple[int, ...]) -> Call:
    """Record `a` repeated to fill a shape, by numpy's rules, and return it."""
    return (a,), {"shape": shape}


@spelled("a[index]", method=False)
def getitem(a: Operand, index: Any) -> Call:
    """Record ``a[index]`` and return it; slices, integers, lists, integer and boolean arrays.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     a[[0, 0, 2]].backward([1, 1, 1])
    >>> a.grad.tolist()
    [2.0, 0.0, 1.0]
    """
    return (a,), {"index": index}


@spelled(method=False)
def concatenate(operands: Sequence[Operand], axis: int = 0) -> Call:
    """Record the operands joined along an axis that they have, and return the whole."""
    return _several("concatenate", operands), {"axis": axis}


@spelled(method=False)
def stack(operands: Sequence[Operand], axis: int = 0) -> Call:
    """Record operands of one shape side by side along a new axis, and return the whole."""
    return _several("stack", operands), {"axis": axis}


def _several(op_name: str, operands: Any) -> tuple[Any, ...]:
    """Refuse a single operand, whose rows would be taken for the operands."""
    if not isinstance(operands, list | tuple) or not operands:
        raise OpError(
            f"{op_name} takes a list of operands, not {told(operands)}; write "
            f"mg.{op_name}([a, b]), or mg.{op_name}(graph, [a, b])"
        )
    return tuple(operands)
