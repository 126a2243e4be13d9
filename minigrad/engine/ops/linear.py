"""matmul: products of vectors, matrices and batches of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.broadcasting import unbroadcast
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class MatMul(Differentiable):
    r"""``Z = A @ B``, with ``∂w/∂A = ∂w/∂Z @ Bᵀ`` and ``∂w/∂B = Aᵀ @ ∂w/∂Z``.

    As in numpy, a vector on the left is a row and one on the right a column, and leading
    axes are a batch that broadcasts. The rule follows from :math:`z_{ij} = \sum_k a_{ik} b_{kj}`.
    """

    symbol = "@"
    derivatives = ("{1}ᵀ", "{0}ᵀ")
    left_factors = (1,)
    passes_on = "multiplied by the other matrix, transposed"
    returns_new_arrays = True

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return ``A @ B``."""
        try:
            return inputs[0].values @ inputs[1].values
        except ValueError:
            raise ValueError(
                "the last axis of the first operand must be as long as the last but one of the "
                "second (or its only one), and neither may be a single number"
            ) from None

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Multiply by the other operand, transposed, on its own side."""
        a, b = inputs
        left, right = a.values, b.values
        if left.ndim == right.ndim == 2:
            return [
                grad_output @ right.T if a.requires_grad else None,
                left.T @ grad_output if b.requires_grad else None,
            ]
        # vectors become a row or a column, and batches that were repeated are summed
        gradient = grad_output
        if right.ndim == 1:
            right, gradient = right[:, np.newaxis], gradient[..., np.newaxis]
        if left.ndim == 1:
            left, gradient = left[np.newaxis, :], gradient[..., np.newaxis, :]
        by_a = by_b = None
        if a.requires_grad:
            full = gradient @ np.swapaxes(right, -1, -2)
            by_a = unbroadcast(full, left.shape).reshape(a.shape)
        if b.requires_grad:
            full = np.swapaxes(left, -1, -2) @ gradient
            by_b = unbroadcast(full, right.shape).reshape(b.shape)
        return [by_a, by_b]


registry.register("matmul", MatMul())


@spelled("a @ b")
def matmul(a: Operand, b: Operand) -> Call:
    """Record ``a @ b`` and return it: vectors, matrices or batches, as in numpy.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([[1.0, 2.0]], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     mg.matmul(a, [[3.0], [4.0]]).backward()
    >>> a.grad.tolist()
    [[3.0, 4.0]]
    """
    return (a, b), {}
