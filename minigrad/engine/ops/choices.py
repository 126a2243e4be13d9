"""maximum, minimum, clip, where: ops that choose, elementwise.

Where two operands are equal they share the gradient equally; clip passes it at its bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray
from numpy.typing import ArrayLike

from minigrad.engine.errors import TensorError, told
from minigrad.engine.ops.base import Elementwise
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.selecting import select
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values, to_values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Maximum(Elementwise):
    """``z = max(a, b)``; the larger one has derivative 1, and equal ones have ½ each.

    If one of them is nan, so is the output, and the gradient of both is nan.
    """

    commutative = True
    derivatives = ("({0}>{1})", "({1}>{0})")
    passes_on = "to the larger operand"

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return the larger of the two."""
        return np.maximum(inputs[0].values, inputs[1].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass the gradient on to the larger operand."""
        a, b = inputs[0].values, inputs[1].values
        shared = _halved(grad_output, a == b)
        return [select(shared, a >= b, output.values), select(shared, b >= a, output.values)]


class Minimum(Elementwise):
    """``z = min(a, b)``; the smaller one has derivative 1, and equal ones have ½ each.

    If one of them is nan, so is the output, and the gradient of both is nan.
    """

    commutative = True
    derivatives = ("({0}<{1})", "({1}<{0})")
    passes_on = "to the smaller operand"

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return the smaller of the two."""
        return np.minimum(inputs[0].values, inputs[1].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass the gradient on to the smaller operand."""
        a, b = inputs[0].values, inputs[1].values
        shared = _halved(grad_output, a == b)
        return [select(shared, a <= b, output.values), select(shared, b <= a, output.values)]


class Clip(Elementwise):
    """``z = min(max(a, low), high)``, with ``∂z/∂a = 1`` from low to high, and 0 outside.

    The bounds are numbers or arrays that broadcast with `a`; None is no bound. They are no
    operands and get no gradient. The gradient of nan is nan.
    """

    derivatives = ("({0} within bounds)",)

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operand, but nothing below `low` or above `high`."""
        a = inputs[0].values
        low, high = _bounds(attrs, a)
        if np.any(low > high):
            raise ValueError(
                f"low is {attrs['low']} and high {attrs['high']}; low comes first, and is nowhere "
                f"above high"
            )
        return np.clip(a, low, high)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Let the gradient pass where nothing was cut off."""
        a = inputs[0].values
        low, high = _bounds(attrs, a)
        return [select(grad_output, (a >= low) & (a <= high), output.values)]


class Where(Elementwise):
    """``z = a`` where `condition` holds and ``b`` elsewhere; the gradient goes the same way.

    What was not taken gets 0, also if it is nan. But 0 is a gradient like others to the node that
    made it: that of log divides it by 0 at the border. Choose the operand as well, so that log
    does not come there: ``where(c, log(where(c, x, 1)), 0)``.
    """

    derivatives = ("(taken)", "(taken)")
    passes_on = "to the operand that was taken at each place"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return numbers of the one or the other operand."""
        return np.where(_condition(attrs), inputs[0].values, inputs[1].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Pass the gradient on to the operand that was taken at each place."""
        taken = _condition(attrs)
        return [select(grad_output, taken), select(grad_output, ~taken)]


def _halved(gradient: Values, ties: Any) -> Values:
    """Return half of the gradient where operands are equal, so that both share it."""
    if type(gradient) is ndarray or type(ties) is ndarray:
        return np.where(ties, gradient * 0.5, gradient)
    return gradient * 0.5 if ties else gradient


def _bounds(attrs: dict[str, Any], a: Values) -> tuple[Any, Any]:
    """Return both bounds in the dtype of the operand, infinite ones for None."""
    found = []
    for name, none in (("low", -np.inf), ("high", np.inf)):
        bound = none if attrs[name] is None else attrs[name]
        try:
            with np.errstate(over="ignore"):  # beyond the dtype's range is no bound
                values = to_values(bound, a.dtype)
        except TensorError:
            values = a.dtype.type(np.nan)
        if np.isnan(values).any():
            raise TypeError(
                f"{name} must be a number, an array of numbers, or None for no bound, and not "
                f"nan: {told(bound)} was given"
            )
        found.append(values)
    return found[0], found[1]


def _condition(attrs: dict[str, Any]) -> Any:
    """Return the condition as booleans; a number is none, since it may be meant as an operand."""
    given = attrs["condition"]
    try:
        condition = np.asarray(given)
    except Exception:  # ragged lists, or what is not made for numpy
        condition = np.asarray(None)
    if condition.dtype.kind != "b" and condition.size:
        raise TypeError(
            f"the condition must be true or false, or an array of that, such as x.data > 0, not "
            f"{told(given)}"
        )
    return condition.astype(bool, copy=False)[()]


for _name, _op in {
    "maximum": Maximum(),
    "minimum": Minimum(),
    "clip": Clip(),
    "where": Where(),
}.items():
    registry.register(_name, _op)


@spelled()
def maximum(a: Operand, b: Operand) -> Call:
    """Record the larger of two operands. Local derivative: 1 for it, 0 for the other, ½ if equal.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     mg.maximum(a, 2.0).backward([1, 1, 1])
    >>> a.grad.tolist()
    [0.0, 0.5, 1.0]
    """
    return (a, b), {}


@spelled()
def minimum(a: Operand, b: Operand) -> Call:
    """Record the smaller of two operands. Local derivatives: as those of `maximum`."""
    return (a, b), {}


@spelled()
def where(condition: ArrayLike, a: Operand, b: Operand) -> Call:
    """Record `a` where `condition`, an array of booleans, holds and `b` elsewhere."""
    return (a, b), {"condition": condition}


@spelled()
def clip(a: Operand, low: ArrayLike | None = None, high: ArrayLike | None = None) -> Call:
    """Record `a` cut off below `low` and above `high`. Local derivative: 1 within, 0 outside.

    The bounds are numbers or arrays that broadcast with `a`; None is no bound.
    """
    return (a,), {"low": low, "high": high}
