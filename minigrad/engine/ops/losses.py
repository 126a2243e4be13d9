"""softmax, log_softmax, cross_entropy, mse: what a first network ends with.

All of them subtract the largest number first, so that exp cannot overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from minigrad.engine.errors import told
from minigrad.engine.ops.attributes import check_axis
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.registry import registry
from minigrad.engine.ops.selecting import select
from minigrad.engine.ops.spelling import Call, spelled
from minigrad.engine.values import Operand, Values, summed

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor


class Softmax(Differentiable):
    r"""``zᵢ = exp aᵢ / Σ exp aⱼ`` along `axis`, with ``∂zᵢ/∂aⱼ = zᵢ·(δᵢⱼ - zⱼ)``.

    What -inf keeps out gets 0, and the gradient that comes to it has no influence on the others.
    """

    derivatives = ("{out}·(δ-{out})",)
    returns_new_arrays = True

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return numbers between 0 and 1 that add up to 1."""
        check_axis(attrs["axis"], inputs[0].values.ndim)
        return _softmax(inputs[0].values, attrs["axis"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Multiply what stands above the weighted mean of the gradient."""
        z = output.values
        upstream = select(grad_output, inputs[0].values != -np.inf)
        mean = summed(upstream * z, axis=attrs["axis"], keepdims=True)
        return [z * (upstream - mean)]


class LogSoftmax(Differentiable):
    r"""``zᵢ = aᵢ - ln Σ exp aⱼ`` along `axis`, with ``∂zᵢ/∂aⱼ = δᵢⱼ - exp zⱼ``."""

    derivatives = ("(δ-exp {out})",)
    returns_new_arrays = True

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the logarithm of the softmax."""
        check_axis(attrs["axis"], inputs[0].values.ndim)
        return _log_softmax(inputs[0].values, attrs["axis"])

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Take from each gradient its share of their sum."""
        z = output.values
        total = summed(grad_output, axis=attrs["axis"], keepdims=True)
        return [grad_output - np.exp(z) * select(total, z != -np.inf)]


class CrossEntropy(Differentiable):
    r"""``z = -mean ln softmax(a)ₜ`` for target classes `t`.

    With ``∂z/∂a = (softmax(a) - eₜ)/n``, where ``eₜ`` is 1 at the target and 0 elsewhere.
    """

    derivatives = ("(softmax {0} - e)/n",)
    returns_new_arrays = True

    def forward(self, inputs: Sequence[Tensor], **attrs: Any) -> Values:
        """Return the mean of how improbable the targets are, in nats."""
        places = _places(attrs["targets"], inputs[0].shape)
        logs = _log_softmax(inputs[0].values, -1)
        return -logs[places].mean()  # type: ignore[no-any-return]

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor, **attrs: Any
    ) -> Sequence[Values | None]:
        """Return what was predicted less what was true."""
        chances = _softmax(inputs[0].values, -1)
        places = _places(attrs["targets"], chances.shape)
        chances[places] -= 1
        scaled = grad_output * (1 / max(len(places[0]), 1))
        return [chances * select(scaled, chances != 0)]


class Mse(Differentiable):
    """``z = mean (a - b)²``, with ``∂z/∂a = 2·(a - b)/n`` and ``∂z/∂b = -2·(a - b)/n``."""

    derivatives = ("2·({0}-{1})/n", "-2·({0}-{1})/n")
    returns_new_arrays = True

    def forward(self, inputs: Sequence[Tensor]) -> Values:
        """Return the mean squared difference."""
        a, b = inputs
        if a.shape != b.shape:
            raise ValueError(f"both must have one shape, not {a.shape} and {b.shape}")
        apart = a.values - b.values
        squares = np.square(apart, dtype=np.promote_types(apart.dtype, np.float32))
        return squares.mean().astype(apart.dtype)  # type: ignore[no-any-return]

    def backward(
        self, grad_output: Values, inputs: Sequence[Tensor], output: Tensor
    ) -> Sequence[Values | None]:
        """Return twice the difference over the number of numbers, to both sides."""
        a, b = inputs
        pull = grad_output * (2 / max(a.values.size, 1)) * (a.values - b.values)
        return [pull, -pull]


def _log_softmax(values: Values, axis: int) -> Values:
    shifted = values - values.max(axis=axis, keepdims=True)
    logs: Values = shifted - np.log(summed(np.exp(shifted), axis=axis, keepdims=True))
    return logs


def _softmax(values: Values, axis: int) -> Values:
    powers: Values = np.exp(values - values.max(axis=axis, keepdims=True))
    powers /= summed(powers, axis=axis, keepdims=True)
    return powers


def _places(targets: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the index of the target class of each row, for logits of this shape."""
    if not 1 <= len(shape) <= 2 or 0 in shape:
        raise ValueError(
            "logits must be (rows, classes) or (classes,), with at least one row and one class"
        )
    try:
        classes = np.atleast_1d(targets)
    except Exception:  # lists of different lengths, or what is not made for numpy
        classes = np.array([None])
    count = shape[0] if len(shape) == 2 else 1
    fit = classes.shape == (count,) and classes.dtype.kind in "iu"
    if not fit or classes.min() < 0 or classes.max() >= shape[-1]:
        raise ValueError(
            f"targets must be {count} whole number{'' if count == 1 else 's'} from 0 to "
            f"{shape[-1] - 1}, one for each row, not {told(targets)}"
        )
    return (np.arange(count), classes) if len(shape) == 2 else (classes,)


for _name, _op in {
    "softmax": Softmax(),
    "log_softmax": LogSoftmax(),
    "cross_entropy": CrossEntropy(),
    "mse": Mse(),
}.items():
    registry.register(_name, _op)


@spelled()
def softmax(a: Operand, axis: int = -1) -> Call:
    """Record the softmax of `a` along `axis`: positive numbers that add up to 1."""
    return (a,), {"axis": axis}


@spelled()
def log_softmax(a: Operand, axis: int = -1) -> Call:
    """Record the logarithm of the softmax of `a`, finite where that of `softmax` is not."""
    return (a,), {"axis": axis}


@spelled()
def cross_entropy(logits: Operand, targets: ArrayLike) -> Call:
    """Record the mean cross entropy of rows of logits and their target classes.

    Parameters
    ----------
    logits : Tensor or array_like
        Of shape (rows, classes), or (classes,) for a single row.
    targets : array_like of int
        The right class of each row, from 0.

    Examples
    --------
    >>> import minigrad as mg
    >>> a = mg.Tensor([[0.0, 0.0]], requires_grad=True)
    >>> with mg.ComputationGraph():
    ...     mg.cross_entropy(a, [1]).backward()
    >>> a.grad.tolist()
    [[0.5, -0.5]]
    """
    return (logits,), {"targets": targets}


@spelled()
def mse(a: Operand, b: Operand) -> Call:
    """Record the mean squared difference of two operands of one shape."""
    return (a, b), {}
