"""The graphs that several lessons ask about."""

from __future__ import annotations

from minigrad.engine.backward import backward
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.ops import Differentiable, add, mul, sub
from minigrad.engine.tensor import Tensor


def leaf(value: float, name: str | None = None) -> Tensor:
    """Return a leaf that asks for a gradient."""
    return Tensor(value, requires_grad=True, name=name)


def gradient(tensor: Tensor) -> float:
    """Return a gradient that is there as a Python float."""
    if tensor.grad is None:
        raise ValueError(f"{tensor.label} has no gradient yet; run a backward pass first")
    return float(tensor.grad)


class Running:
    """The running example, ``w = x*y + x``, perhaps with ``q = x - 1`` in between.

    Examples
    --------
    >>> example = Running()
    >>> backward(example.graph, example.w)
    >>> gradient(example.x), gradient(example.y)
    (5.0, 3.0)
    """

    def __init__(self, x: float = 3.0, y: float = 4.0, *, unused: bool = False) -> None:
        self.x, self.y = leaf(x, "x"), leaf(y, "y")
        self.graph = ComputationGraph()
        self.z = mul(self.graph, self.x, self.y)
        if unused:
            self.q = sub(self.graph, self.x, 1.0)
        self.w = add(self.graph, self.z, self.x)

    def gradients(self, order: list[int] | None = None) -> tuple[float, float | None]:
        """Run a backward pass from `w` and return the gradients of `x` and `y`."""
        backward(self.graph, self.w, order=order)
        return gradient(self.x), None if self.y.grad is None else gradient(self.y)


def contributions(op: Differentiable, upstream: float, *values: float) -> list[float]:
    """Return what an op's backward passes to each of its operands."""
    inputs = [leaf(value) for value in values]
    result = op.forward(inputs)
    output = result if isinstance(result, Tensor) else Tensor(result)
    # a numpy number of the output's own kind, as the backward pass would give it
    passed = op.backward(Tensor(upstream).values, inputs, output)
    return [float(one) for one in passed]  # type: ignore[arg-type]
