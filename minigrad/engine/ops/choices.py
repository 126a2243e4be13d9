"""maximum, minimum, clip, where: ops that choose, elementwise.

Where two operands are equal they share the gradient equally; clip passes it at its bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from minigrad.engine.ops.base import Elementwise
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Maximum(Elementwise):
    """``z = max(a, b)``; the larger one has derivative 1, and equal ones have ½ each."""

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
        return [grad_output * _share(a > b, a == b), grad_output * _share(b > a, a == b)]


class Minimum(Elementwise):
    """``z = min(a, b)``; the smaller one has derivative 1, and equal ones have ½ each."""

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
        return [grad_output * _share(a < b, a == b), grad_output * _share(b < a, a == b)]


class Clip(Elementwise):
    """``z = min(max(a, low), high)``, with ``∂z/∂a = 1`` from low to high, and 0 outside."""

    derivatives = ("({0} within bounds)",)

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the operand, but nothing below `low` or above `high`."""
        if attrs["low"] > attrs["high"]:
            raise ValueError(f"low is {attrs['low']} and high {attrs['high']}; low comes first")
        return np.clip(inputs[0].values, attrs["low"], attrs["high"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Let the gradient pass where nothing was cut off."""
        a = inputs[0].values
        return [grad_output * ((a >= attrs["low"]) & (a <= attrs["high"]))]


class Where(Elementwise):
    """``z = a`` where `condition` holds and ``b`` elsewhere; the gradient goes the same way."""

    derivatives = ("(taken)", "(taken)")
    passes_on = "to the operand that was taken at each place"

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return numbers of the one or the other operand."""
        return np.where(attrs["condition"], inputs[0].values, inputs[1].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Pass the gradient on to the operand that was taken at each place."""
        taken = np.asarray(attrs["condition"], bool)
        return [grad_output * taken, grad_output * ~taken]


def _share(wins: Any, ties: Any) -> Any:
    """Return 1 where an operand wins, ½ where it ties, 0 where it loses, in no dtype's way."""
    return np.where(ties, np.float16(0.5), np.float16(1) * wins)


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
    return (a, b), {"condition": np.asarray(condition, bool)}


@spelled()
def clip(a: Operand, low: float = -np.inf, high: float = np.inf) -> Call:
    """Record `a` cut off below `low` and above `high`. Local derivative: 1 within, 0 outside."""
    return (a,), {"low": low, "high": high}
