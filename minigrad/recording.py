"""Who records what an operator does: a stack of recorders, one for each thread and task."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from minigrad.tensor import Tensor

Operand: TypeAlias = "Tensor | ArrayLike"


class Recorder(Protocol):
    """What an operator needs: someone who runs an op, and perhaps records it."""

    ops: Any

    def apply(self, op_name: str, *operands: Operand, **attrs: Any) -> Tensor:
        """Run an op on the operands and return its output."""


recorders: ContextVar[tuple[Recorder, ...]] = ContextVar("minigrad_recorders", default=())
"""Who records what operators do: innermost ``with`` last, one stack for each thread."""


def operate(op_name: str, *operands: Operand) -> Tensor:
    """Do what an operator stands for: hand the call to the innermost recorder."""
    stack = recorders.get()
    if stack:
        return stack[-1].apply(op_name, *operands)
    # built on this module, so it can only be fetched when it is needed
    from minigrad.forward import OUTSIDE

    return OUTSIDE.apply(op_name, *operands)


def leave(recorder: Recorder) -> None:
    """Take a recorder off the stack; others that were put on meanwhile stay.

    With generators, blocks need not end in the opposite order of their beginnings.
    """
    stack = list(recorders.get())
    for place in reversed(range(len(stack))):
        if stack[place] is recorder:
            del stack[place]
            break
    recorders.set(tuple(stack))
