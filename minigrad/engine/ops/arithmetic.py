"""add, sub, mul, div, neg: the ops of school arithmetic, elementwise with broadcasting.

Each class is the op; the function under it records one call of it in a graph. The
derivatives are those of any calculus text; what broadcasting repeated is summed by the
backward pass.
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


class Add(Elementwise):
    """``z = a + b``, with ``∂z/∂a = 1`` and ``∂z/∂b = 1``."""

    symbol = "+"
    derivatives = ("1", "1")
    passes_on = "unchanged, to both operands"
    commutative = True

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a + b``."""
        a, b = inputs
        return a.values + b.values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass the upstream gradient on unchanged, to both."""
        a, b = inputs
        return [
            grad_output if a.requires_grad else None,
            grad_output if b.requires_grad else None,
        ]


class Sub(Elementwise):
    """``z = a - b``, with ``∂z/∂a = 1`` and ``∂z/∂b = -1``."""

    symbol = "-"
    derivatives = ("1", "-1")

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a - b``."""
        a, b = inputs
        return a.values - b.values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass the upstream gradient on to `a`, and its negative to `b`."""
        a, b = inputs
        return [
            grad_output if a.requires_grad else None,
            -grad_output if b.requires_grad else None,
        ]


class Mul(Elementwise):
    """``z = a · b``, with ``∂z/∂a = b`` and ``∂z/∂b = a``."""

    symbol = "×"
    derivatives = ("{1}", "{0}")
    passes_on = "multiplied by the other operand"
    commutative = True

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a * b``."""
        a, b = inputs
        return a.values * b.values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass the upstream gradient on, times the other operand."""
        a, b = inputs
        return [
            grad_output * b.values if a.requires_grad else None,
            grad_output * a.values if b.requires_grad else None,
        ]


class Div(Elementwise):
    """``z = a / b``, with ``∂z/∂a = 1/b`` and ``∂z/∂b = -a/b²``."""

    symbol = "÷"
    derivatives = ("1/{1}", "-{0}/{1}²")

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a / b``."""
        a, b = inputs
        return a.values / b.values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Divide the upstream gradient by `b`; for `b` itself, times ``-z/b``."""
        a, b = inputs
        if type(b.values) is np.ndarray or not b.values:
            # forward has told of a division by zero, and an infinite derivative is a right one
            with np.errstate(divide="ignore", invalid="ignore"):
                return _divided(grad_output, a, b, output.values)
        return _divided(grad_output, a, b, output.values)


def _divided(upstream: Values, a: Tensor, b: Tensor, z: Values) -> Sequence[Values | None]:
    # z/b first: 1/b may be infinite where z is 0
    return [
        upstream / b.values if a.requires_grad else None,
        upstream * -(z / b.values) if b.requires_grad else None,
    ]


class Neg(Elementwise):
    """``z = -a``, with ``∂z/∂a = -1``."""

    symbol = "-"
    derivatives = ("-1",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``-a``."""
        return -inputs[0].values

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Pass on the negative of the upstream gradient."""
        return [-grad_output]


for _name, _op in {"add": Add(), "sub": Sub(), "mul": Mul(), "div": Div(), "neg": Neg()}.items():
    registry.register(_name, _op)


@spelled("a + b")
def add(a: Operand, b: Operand) -> Call:
    """Record ``a + b`` and return the sum.

    The operands broadcast as in numpy; Python numbers and arrays become frozen
    tensors. Local derivatives: 1 and 1.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph = mg.ComputationGraph()
    >>> mg.add(graph, mg.Tensor(12.0, requires_grad=True), 3.0).item()
    15.0
    """
    return (a, b), {}


@spelled("a - b")
def sub(a: Operand, b: Operand) -> Call:
    """Record ``a - b`` and return the difference. Local derivatives: 1 and -1."""
    return (a, b), {}


@spelled("a * b")
def mul(a: Operand, b: Operand) -> Call:
    """Record ``a * b`` and return the product. Local derivatives: `b` and `a`.

    Examples
    --------
    >>> import minigrad as mg
    >>> graph = mg.ComputationGraph()
    >>> x, y = mg.Tensor(3.0, requires_grad=True), mg.Tensor(4.0, requires_grad=True)
    >>> mg.mul(graph, x, y).item(), len(graph.nodes)
    (12.0, 1)
    """
    return (a, b), {}


@spelled("a / b")
def div(a: Operand, b: Operand) -> Call:
    """Record ``a / b`` and return the quotient. Local derivatives: 1/b and -a/b²."""
    return (a, b), {}


@spelled("-a")
def neg(a: Operand) -> Call:
    """Record ``-a`` and return it. Local derivative: -1."""
    return (a,), {}
