"""Running an op forward, and the two recorders that record nothing: in `no_grad`, and outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from minigrad.engine import ops
from minigrad.engine.errors import GraphError, OpError, TensorError
from minigrad.engine.op_state import changed_attributes, state_of
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.registry import OpRegistry, registry
from minigrad.engine.recorders import recorders, set_default_recorder
from minigrad.engine.tensor import Tensor, tensors_in
from minigrad.engine.values import Operand, Values, frozen, frozen_copy, own_copy, to_scalar


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


def own_attrs(op_name: str, attrs: dict[str, Any]) -> dict[str, Any]:
    """Return attributes that stay as they are now, whatever becomes of the caller's lists.

    Raises
    ------
    OpError
        If a tensor among them requires a gradient, which only operands get.
    """
    own = attrs.copy()
    for name, value in attrs.items():
        if not isinstance(value, EDITABLE):
            continue
        if any(tensor.requires_grad for tensor in tensors_in(value)):
            raise OpError(
                f"attribute {name!r} of op {op_name!r} holds a tensor that requires a gradient, "
                f"and would get none: only operands do. Pass it as an operand, or its numbers "
                f"as they are now: t.data"
            )
        own[name] = own_copy(value)
    return own


EDITABLE = (list, tuple, dict, set, np.ndarray, Tensor)
"""What a caller may change after the call."""

OP_FAILURES = (
    ValueError,
    IndexError,
    TypeError,
    KeyError,
    AttributeError,
    ArithmeticError,
    MemoryError,
)
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


def check_shape(
    op: Differentiable,
    op_name: str,
    inputs: Sequence[Tensor],
    output: Tensor,
    attrs: dict[str, Any],
) -> None:
    """Refuse to record an output of another shape than the op gives, as far as that is known.

    An op that returns arrays that nobody keeps can be run once more. Of an elementwise one of
    others it is known that its operands broadcast, and that no axis of theirs is lost.

    Raises
    ------
    GraphError
        With both shapes.
    OpError
        If the operands do not go together.
    """
    if op.returns_new_arrays:
        with np.errstate(all="ignore"):
            shape = call(op, op_name, inputs, attrs, registry).shape
        fits = output.shape == shape
    elif op.elementwise:
        shapes = [tensor.shape for tensor in inputs]
        try:
            shape = np.broadcast_shapes(*shapes)
            fits = np.broadcast_shapes(shape, output.shape) == output.shape
        except ValueError:
            shape, fits = None, False
    else:
        return
    if not fits:
        raise GraphError(
            f"the output of {op_name!r} has shape {output.shape}, and on operands of shapes "
            f"{', '.join(str(tensor.shape) for tensor in inputs)} the op gives {shape}; record "
            f"what the op returned, or let the graph call it: graph.apply({op_name!r}, …)"
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
        If the number of operands is wrong, or the op's forward failed on them, returned
        anything but floats, or kept something on the op.
    """
    if len(op.derivatives or inputs) != len(inputs):
        check_count(op, op_name, inputs)
    # minigrad's own ops compute with arrays; others may use operators, which must not record
    outer = state = None
    if not op.is_of_house:
        state = state_of(op)
        outer = recorders.set((*recorders.get(), Untracked(ops)))
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
    if state is not None:
        _check_kept_nothing(op, op_name, state)
        result = _checked(result, op_name)
    elif type(result) is ndarray:
        result = frozen(result)
    return Tensor.of_values(result)


def _check_kept_nothing(op: Differentiable, op_name: str, before: dict[str, Any]) -> None:
    """Refuse an op whose forward left something on the op, where the next call replaces it."""
    names = changed_attributes(op, before)
    if names:
        raise OpError(
            f"forward of op {op_name!r} changed {', '.join(names)} of the op itself, which serves "
            f"every call: backward would find there what the last call left, and give wrong "
            f"gradients. Backward is given inputs and output to read, and the attributes of its "
            f"call: pass what else it needs as graph.apply({op_name!r}, …, name=value), and set "
            f"constants in __init__"
        )


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
