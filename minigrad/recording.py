"""Who records what an operator does: a stack of recorders, one for each thread and task."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from minigrad.tensor import Tensor

Operand: TypeAlias = "Tensor | ArrayLike"
NO_ATTRS: dict[str, Any] = {}


class Recorder(Protocol):
    """What an operator needs: someone who runs an op, and perhaps records it."""

    ops: Any

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        """Run an op on the operands and return its output."""


recorders: ContextVar[tuple[Recorder, ...]] = ContextVar("minigrad_recorders", default=())
"""Who records what operators do: innermost ``with`` last, one stack for each thread."""


def operate(op_name: str, *operands: Any) -> Tensor:
    """Do what an operator stands for: hand the call to the innermost recorder."""
    return _innermost().run(op_name, operands, NO_ATTRS)


def operate_with(attrs: dict[str, Any], op_name: str, *operands: Any) -> Tensor:
    """Do what a method with attributes, such as an axis, stands for."""
    return _innermost().run(op_name, operands, attrs)


def _innermost() -> Recorder:
    stack = recorders.get()
    if stack:
        return stack[-1]
    # built on this module, so it can only be fetched when it is needed
    from minigrad.forward import OUTSIDE

    return OUTSIDE


def leave(recorder: Recorder) -> None:
    """Take a recorder off the stack; others that were put on meanwhile stay.

    With generators, blocks need not end in the opposite order of their beginnings.
    """
    stack = recorders.get()
    for place in reversed(range(len(stack))):
        if stack[place] is recorder:
            recorders.set(stack[:place] + stack[place + 1 :])
            return
