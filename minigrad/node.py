"""`GraphNode`: the note that one call of one op leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.ops.base import Differentiable, Values
from minigrad.ops.registry import registry
from minigrad.tensor import Tensor
from minigrad.values import frozen


class GraphNode:
    """One call of one op: which tensors went in, which came out, and its gradient.

    Attributes
    ----------
    op_name : str
        The name under which the op is registered.
    inputs : list of Tensor
        The very tensors of the call, shared and not copied.
    output : Tensor
        What the call returned.
    grad : numpy.ndarray
        The gradient of `output`: zeros from the start, filled by a backward pass.
    requires_grad : bool
        Always True; a call that needs no gradient leaves no node.
    attrs : dict
        What else the op was called with, such as an axis.
    wanted : tuple of bool
        Which of the inputs required a gradient when the op ran.
    """

    __slots__ = (
        "_grad",
        "_recorded",
        "attrs",
        "inputs",
        "op",
        "op_name",
        "output",
        "requires_grad",
        "wanted",
    )

    def __init__(
        self,
        op_name: str,
        inputs: Sequence[Tensor],
        output: Tensor,
        op: Differentiable | None = None,
        attrs: dict[str, Any] | None = None,
        wanted: list[bool] | None = None,
    ) -> None:
        self.op_name = op_name
        self.inputs = inputs = list(inputs)
        self.output = output
        self.requires_grad = True
        self.op = registry.get(op_name) if op is None else op
        self.attrs = attrs or {}  # of its own: calls without any share one empty dict
        # tuples of what the garbage collector need not look into
        self.wanted = tuple([t.requires_grad for t in inputs] if wanted is None else wanted)
        self._grad: Values | None = None
        self._recorded = (*[tensor.values for tensor in inputs], output.values)

    @property
    def grad(self) -> Values:
        """The gradient of the output; it is zero until a backward pass reaches the node."""
        if self._grad is None:
            self._grad = zeros_like(self.output)
        return self._grad

    @grad.setter
    def grad(self, gradient: Values | None) -> None:
        self._grad = gradient

    def tensors(self) -> list[Tensor]:
        """Return the inputs, then the output."""
        return [*self.inputs, self.output]

    def changed_tensor(self) -> Tensor | None:
        """Return the first input or output that is no longer as it was recorded, if any."""
        recorded = self._recorded
        for slot, tensor in enumerate(self.inputs):
            if tensor.values is not recorded[slot] or tensor.requires_grad is not self.wanted[slot]:
                return tensor
        return self.output if self.output.values is not recorded[-1] else None

    @property
    def recorded_values(self) -> list[Values]:
        """The values of the inputs, then of the output, as they were when the op ran."""
        return list(self._recorded)

    def __getstate__(self) -> dict[str, Any]:
        # arrays become other objects in a copy, so "the same object" is kept as a yes or no
        same = [t.values is v for t, v in zip(self.tensors(), self._recorded, strict=True)]
        return {"same": same} | {slot: getattr(self, slot) for slot in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        same = state.pop("same")
        for slot, value in state.items():
            setattr(self, slot, value)
        recorded = zip(self.tensors(), self._recorded, same, strict=True)
        self._recorded = tuple(t.values if same else frozen(v) for t, v, same in recorded)

    def __repr__(self) -> str:
        inputs = ", ".join(map(_in_short, self.inputs))
        grad = str(self.grad) if self.grad.ndim == 0 else f"of shape {self.grad.shape}"
        return (
            f"GraphNode({self.op_name!r}, inputs=[{inputs}], output={_in_short(self.output)}, "
            f"grad={grad})"
        )


def zeros_like(tensor: Tensor) -> Values:
    """Return zeros of a tensor's shape and dtype."""
    return frozen(np.zeros(tensor.shape, tensor.dtype))


def _in_short(tensor: Tensor) -> str:
    value = str(tensor.item()) if tensor.shape == () else f"of shape {tensor.shape}"
    return f"{tensor.name}={value}" if tensor.name else value
