"""Running an op forward, and the two recorders that record nothing: in `no_grad`, and outside."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy import ndarray

from minigrad.engine import ops
from minigrad.engine.errors import GraphError, OpError, TensorError
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.registry import OpRegistry, registry
from minigrad.engine.recorders import leave, recorders, set_default_recorder
from minigrad.engine.tensor import Tensor
from minigrad.engine.values import Operand, Values, frozen, frozen_copy, to_scalar


def as_tensors(op_name: str, operands: Sequence[Operand]) -> list[Tensor]:
    """Turn the operands of one call into tensors that have taken over what was edited."""
    inputs = []
    for operand in operands:
        if not isinstance(operand, Tensor):
            operand = constant(op_name, operand, operands)
        operand.settled()
        inputs.append(operand)
    return inputs


def constant(op_name: str, operand: Any, operands: Sequence[Operand]) -> Tensor:
    """Turn one operand into a frozen tensor; numbers and lists take the dtype of one beside it."""
    dtype = next((other.dtype for other in operands if isinstance(other, Tensor)), None)
    kind = type(operand)
    try:
        if dtype is not None and (kind is float or kind is int):
            return Tensor.of_values(to_scalar(float(operand), dtype))
        if isinstance(operand, np.ndarray | np.generic) and operand.dtype.kind == "f":
            dtype = None  # float arrays keep their own
        return Tensor(operand, dtype=dtype)
    except (TensorError, OverflowError) as error:
        raise TensorError(f"an operand of {op_name!r} cannot be used: {error}") from None


EDITABLE = (list, tuple, np.ndarray)
"""What holds parts that may be edited later; a tuple, since this is asked for every attribute."""


def own_attrs(attrs: dict[str, Any]) -> dict[str, Any]:
    """Return attributes that stay as they are now, whatever becomes of the caller's lists."""
    own = attrs.copy()
    for name, value in attrs.items():
        if isinstance(value, EDITABLE):
            own[name] = copy.deepcopy(value)
    return own


OP_FAILURES = (ValueError, IndexError, TypeError, KeyError, AttributeError, ZeroDivisionError)
"""What an op raises if it was not made for what it was given."""


def reason_of(error: Exception) -> str:
    """Say what an op raised."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).strip()


def check_count(op: Differentiable, op_name: str, inputs: Sequence[Tensor]) -> None:
    """Refuse another number of operands than the op has derivatives.

    Raises
    ------
    OpError
        With both numbers.
    """
    count = len(op.derivatives or inputs)
    if count != len(inputs):
        raise OpError(
            f"op {op_name!r} takes {count} operand{'' if count == 1 else 's'}, and "
            f"{len(inputs)} {'was' if len(inputs) == 1 else 'were'} given"
        )


def call(
    op: Differentiable,
    op_name: str,
    inputs: Sequence[Tensor],
    attrs: dict[str, Any],
    ops: OpRegistry,
) -> Tensor:
    """Run an op forward and return its output; what it does by operators is looked up in `ops`.

    Raises
    ------
    OpError
        If the number of operands is wrong, or the op's forward failed on them or returned
        anything but floats.
    """
    if len(op.derivatives or inputs) != len(inputs):
        check_count(op, op_name, inputs)
    # minigrad's own ops compute with arrays; others may use operators, which must not record
    outer = None if op.returns_new_arrays else recorders.set((*recorders.get(), Untracked(ops)))
    try:
        result: Any = op.forward(inputs, **attrs) if attrs else op.forward(inputs)
    except OP_FAILURES as error:
        shapes = ", ".join(str(tensor.shape) for tensor in inputs)
        raise OpError(
            f"forward of op {op_name!r} on shapes {shapes} failed: {reason_of(error)}"
        ) from error
    finally:
        if outer is not None:
            recorders.reset(outer)
    if outer is not None:
        result = _checked(result, op_name)
    elif type(result) is ndarray:
        result = frozen(result)
    return Tensor.of_values(result)


def _checked(result: Any, op_name: str) -> Values:
    """Return what a foreign op's forward returned as values that nobody else can edit."""
    if isinstance(result, Tensor):
        return result.settled()
    kind = getattr(getattr(result, "dtype", None), "kind", None)
    if kind != "f":
        got = type(result).__name__ if kind is None else f"an array of dtype {result.dtype}"
        raise OpError(
            f"forward of op {op_name!r} returned {got}; it must return a numpy array of floats "
            f"or a Tensor"
        )
    return frozen_copy(result)


class Untracked:
    """The recorder that records nothing: ops run, and their outputs are frozen tensors."""

    silent = True

    def __init__(self, ops: OpRegistry = registry) -> None:
        self.ops = ops

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        """Run an op, of the default registry if the own one has none, and return its output."""
        ops = self.ops if op_name in self.ops else registry
        return call(ops.get(op_name), op_name, as_tensors(op_name, operands), attrs, ops)


UNTRACKED = Untracked()


class Outside:
    """Who is asked when no ``with`` is open: it computes what is frozen, and refuses the rest."""

    ops = registry

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        """Run an op on frozen operands.

        Raises
        ------
        GraphError
            If an operand asks for a gradient: without a graph it would silently get none.
        """
        for operand in operands:
            if isinstance(operand, Tensor) and operand.requires_grad:
                own = op_name in ops.__all__
                named = f"mg.{op_name}(graph, …)" if own else f"graph.apply({op_name!r}, …)"
                raise GraphError(
                    f"{op_name!r} on {operand.label}, which requires a gradient, but no graph is "
                    f"active to record it; write it inside `with graph:`, or name the graph, as "
                    f"in {named}, or use `with mg.no_grad():` to get plain numbers"
                )
        return UNTRACKED.run(op_name, operands, attrs)


set_default_recorder(Outside())


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
    stack = recorders.get()
    inside = Untracked(stack[-1].ops)
    recorders.set((*stack, inside))
    try:
        yield
    finally:
        leave(inside)
