"""Running an op forward without recording it: what every recorder does first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minigrad.errors import GraphError, OpError
from minigrad.ops.base import Differentiable
from minigrad.ops.registry import OpRegistry, registry
from minigrad.tensor import Operand, Tensor, recorders
from minigrad.values import frozen_copy


def as_tensors(operands: Sequence[Operand]) -> list[Tensor]:
    """Turn the operands of one call into tensors; a Python number takes the others' dtype."""
    dtypes = [operand.dtype for operand in operands if isinstance(operand, Tensor)]
    return [
        operand
        if isinstance(operand, Tensor)
        else Tensor(operand, dtype=dtypes[0] if dtypes and type(operand) in (int, float) else None)
        for operand in operands
    ]


def compute(
    ops: OpRegistry, op_name: str, operands: Sequence[Operand], attrs: dict[str, Any]
) -> tuple[Differentiable, list[Tensor], Tensor]:
    """Run an op forward and return the op, its inputs and its output.

    Raises
    ------
    UnregisteredOpError
        If `ops` has no op of that name.
    OpError
        If the op's forward returned anything but real floating numbers.
    """
    op = ops.get(op_name)
    inputs = as_tensors(operands)
    outer = recorders.set((UNTRACKED,))
    try:
        result = op.forward(inputs, **attrs)
    finally:
        recorders.reset(outer)
    if isinstance(result, Tensor):
        result = result.values
    kind = getattr(getattr(result, "dtype", None), "kind", None)
    if kind != "f":
        got = type(result).__name__ if kind is None else f"an array of dtype {result.dtype}"
        raise OpError(
            f"forward of op {op_name!r} returned {got}; it must return a numpy array of floats "
            f"or a Tensor"
        )
    if any(tensor.exposed for tensor in inputs):
        # an op that returned (a view of) .data must not leave its output open to later edits
        result = frozen_copy(result)
    return op, inputs, Tensor.of_values(result)


class Untracked:
    """The recorder that records nothing: ops run, and their outputs are frozen tensors."""

    def apply(self, op_name: str, *operands: Operand, **attrs: Any) -> Tensor:
        """Run an op of the default registry and return its output."""
        return compute(registry, op_name, operands, attrs)[2]


class Outside(Untracked):
    """Who is asked when no ``with`` is open: it computes what is frozen, and refuses the rest."""

    def apply(self, op_name: str, *operands: Operand, **attrs: Any) -> Tensor:
        """Run an op on frozen operands.

        Raises
        ------
        GraphError
            If an operand asks for a gradient: without a graph it would silently get none.
        """
        for operand in operands:
            if isinstance(operand, Tensor) and operand.requires_grad:
                raise GraphError(
                    f"{op_name!r} on {operand.label}, which requires a gradient, but no graph is "
                    f"active to record it; write it inside `with graph:`, or call "
                    f"mg.{op_name}(graph, …), or use `with mg.no_grad():` to get plain numbers"
                )
        return super().apply(op_name, *operands, **attrs)


UNTRACKED = Untracked()
OUTSIDE = Outside()


@contextmanager
def no_grad() -> Iterator[None]:
    """Run what is inside without recording it, whichever graph is active.

    Examples
    --------
    >>> import minigrad as mg
    >>> x = mg.Tensor(3.0, requires_grad=True)
    >>> with mg.no_grad():
    ...     (x * 2).requires_grad
    False
    """
    recorders.set((*recorders.get(), UNTRACKED))
    try:
        yield
    finally:
        recorders.set(recorders.get()[:-1])
