"""pow, sqrt, exp, log, abs: powers and their kin, elementwise.

abs has no derivative at 0, and 0 is taken for it. At the border of a domain the derivative is
the limit from inside, for 0.0 and -0.0 alike: sqrt and log have inf at both. Where a power has
limits on both sides, as 1/a² has, the sign of zero tells from which side 0 is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad.engine.ops.base import Elementwise
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.selecting import select
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Pow(Elementwise):
    """``z = a**b``, with ``∂z/∂a = b·a**(b-1)`` and ``∂z/∂b = z·ln a``.

    Both are the limits where there are any: the derivative of a⁰ is 0 for all a, and that by b is
    0 where all powers are 0: of a = 0 for b > 0, and of infinity for b < 0. Then nothing is passed
    on, not even of an infinite gradient. For a < 0 there is no derivative by b, and it is nan.
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
                power = x ** (y - 1)
                by_a = select(grad_output * select(y * power, power != 0), y != 0)
            if b.requires_grad:
                varies = ~((x == 0) & (y > 0) | (x == np.inf) & (y < 0))
                by_b = select(grad_output * (output.values * np.log(x)), varies)
        return [by_a, by_b]


class Sqrt(Elementwise):
    """``z = √a``, with ``∂z/∂a = 1/(2z)``, which is inf at a = 0, and at -0.0 too."""

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
            return [grad_output / (2 * np.abs(output.values))]  # the root of -0.0 is -0.0


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
    """``z = ln a``, with ``∂z/∂a = 1/a``, which is inf at a = 0, and at -0.0 too; nan for a < 0."""

    derivatives = ("1/{0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``ln a``."""
        return np.log(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Divide by the operand."""
        with np.errstate(divide="ignore", invalid="ignore"):
            # -0.0 + 0 is 0.0
            return [select(grad_output / (inputs[0].values + 0), True, output.values)]


class Abs(Elementwise):
    """``z = |a|``, with ``∂z/∂a = sign a``, and 0 at a = 0. The gradient of nan is nan."""

    derivatives = ("sign {0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``|a|``."""
        return np.abs(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Keep or turn the sign."""
        a = inputs[0].values
        return [select(grad_output * np.copysign(1, a), a != 0, output.values)]


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
