"""pow, sqrt, exp, log, abs: powers and their kin, elementwise.

abs has no derivative at 0, and 0 is taken for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad.engine.ops.base import Elementwise
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Pow(Elementwise):
    """``z = a**b``, with ``∂z/∂a = b·a**(b-1)`` and ``∂z/∂b = z·ln a``.

    At a = 0 both are the limits where there are any: the derivative of a⁰ is 0, and that of
    0**b by b is 0 for b > 0. For a < 0 there is no derivative by b, and it is nan.
    """

    symbol = "**"
    derivatives = ("{1}·{0}**({1}-1)", "{out}·ln {0}")

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a ** b``."""
        a, b = inputs
        return a.values**b.values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Apply the power rule, and the rule of the exponential function."""
        a, b = inputs
        x, y = a.values, b.values
        by_a = by_b = None
        with np.errstate(divide="ignore", invalid="ignore"):
            if a.requires_grad:
                by_a = grad_output * np.where(y == 0, x.dtype.type(0), y * x ** (y - 1))
            if b.requires_grad:
                at_zero = (x == 0) & (y > 0)
                by_b = grad_output * np.where(at_zero, y.dtype.type(0), output.values * np.log(x))
        return [by_a, by_b]


class Sqrt(Elementwise):
    """``z = √a``, with ``∂z/∂a = 1/(2z)``, which is inf at a = 0."""

    symbol = "√"
    derivatives = ("1/(2{out})",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``√a``."""
        return np.sqrt(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Divide by twice the root."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return [grad_output / (2 * output.values)]


class Exp(Elementwise):
    """``z = exp a``, with ``∂z/∂a = z``."""

    derivatives = ("{out}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``exp a``."""
        return np.exp(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by the output itself."""
        return [grad_output * output.values]


class Log(Elementwise):
    """``z = ln a``, with ``∂z/∂a = 1/a``."""

    derivatives = ("1/{0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``ln a``."""
        return np.log(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Divide by the operand."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return [grad_output / inputs[0].values]


class Abs(Elementwise):
    """``z = |a|``, with ``∂z/∂a = sign a``, and 0 at a = 0."""

    derivatives = ("sign {0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``|a|``."""
        return np.abs(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Keep or turn the sign."""
        return [grad_output * np.sign(inputs[0].values)]


for _name, _op in {"pow": Pow(), "sqrt": Sqrt(), "exp": Exp(), "log": Log(), "abs": Abs()}.items():
    registry.register(_name, _op)


@spelled("a ** b")
def pow(a: Operand, b: Operand) -> Call:
    """Record ``a ** b`` and return it; the operands broadcast.

    Local derivatives: ``b·a**(b-1)`` and ``a**b·ln a``, or their limits at a = 0.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor(2.0, requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     mg.pow(a, 3).backward()
    >>> a.grad
    np.float32(12.0)
    """
    return (a, b), {}


@spelled()
def sqrt(a: Operand) -> Call:
    """Record ``√a`` and return it, elementwise. Local derivative: ``1/(2√a)``."""
    return (a,), {}


@spelled()
def exp(a: Operand) -> Call:
    """Record ``exp a`` and return it, elementwise. Local derivative: ``exp a``."""
    return (a,), {}


@spelled()
def log(a: Operand) -> Call:
    """Record ``ln a`` and return it, elementwise. Local derivative: ``1/a``."""
    return (a,), {}


@spelled("abs(a)")
def abs(a: Operand) -> Call:
    """Record ``|a|`` and return it, elementwise. Local derivative: the sign of `a`."""
    return (a,), {}
