"""sin, cos, tanh, sigmoid, relu: curves and activations, elementwise.

relu has no derivative at 0, and 0 is taken for it.
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


class Sin(Elementwise):
    """``z = sin a``, with ``∂z/∂a = cos a``."""

    derivatives = ("cos {0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``sin a``."""
        return np.sin(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by the cosine."""
        return [grad_output * np.cos(inputs[0].values)]


class Cos(Elementwise):
    """``z = cos a``, with ``∂z/∂a = -sin a``."""

    derivatives = ("-sin {0}",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``cos a``."""
        return np.cos(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by the negative of the sine."""
        return [grad_output * -np.sin(inputs[0].values)]


class Tanh(Elementwise):
    """``z = tanh a``, with ``∂z/∂a = 1 - z²``."""

    derivatives = ("1-{out}²",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``tanh a``."""
        return np.tanh(inputs[0].values)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by ``1 - z²``: nothing passes where the output is at its end."""
        return [grad_output * (1 - output.values * output.values)]


class Sigmoid(Elementwise):
    """``z = 1/(1 + exp(-a))``, with ``∂z/∂a = z·(1 - z)``."""

    derivatives = ("{out}·(1-{out})",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return the logistic function, by way of its logarithm so that nothing overflows."""
        result: Values = np.exp(-np.logaddexp(0, -inputs[0].values))
        return result

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by ``z·(1 - z)``."""
        return [grad_output * output.values * (1 - output.values)]


class Relu(Elementwise):
    """``z = max(a, 0)``, with ``∂z/∂a = 1`` for a > 0, and 0 elsewhere, at a = 0 too.

    The gradient of nan is nan.
    """

    derivatives = ("({0}>0)",)

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``a`` where it is positive, and 0 elsewhere."""
        return np.maximum(inputs[0].values, 0)

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Let the gradient pass where the operand was positive."""
        return [select(grad_output, inputs[0].values > 0, output.values)]


for _name, _op in {
    "sin": Sin(),
    "cos": Cos(),
    "tanh": Tanh(),
    "sigmoid": Sigmoid(),
    "relu": Relu(),
}.items():
    registry.register(_name, _op)


@spelled()
def sin(a: Operand) -> Call:
    """Record ``sin a`` and return it, elementwise. Local derivative: ``cos a``."""
    return (a,), {}


@spelled()
def cos(a: Operand) -> Call:
    """Record ``cos a`` and return it, elementwise. Local derivative: ``-sin a``."""
    return (a,), {}


@spelled()
def tanh(a: Operand) -> Call:
    """Record ``tanh a`` and return it. Local derivative: ``1 - tanh² a``."""
    return (a,), {}


@spelled()
def sigmoid(a: Operand) -> Call:
    """Record ``z = 1/(1 + exp(-a))`` and return it. Local derivative: ``z·(1 - z)``."""
    return (a,), {}


@spelled()
def relu(a: Operand) -> Call:
    """Record ``max(a, 0)`` and return it. Local derivative: 1 if a > 0, else 0.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([-1.0, 0.0, 2.0], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     a.relu().backward([1, 1, 1])
    >>> a.grad.tolist()
    [0.0, 0.0, 1.0]
    """
    return (a,), {}
