"""Who records what an operator does: a stack of recorders, one for each thread and task."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from minigrad.engine.values import Operand

if TYPE_CHECKING:
    from minigrad.engine.tensor import Tensor

NO_ATTRS: dict[str, Any] = {}


class Recorder(Protocol):
    """What an operator needs: someone who runs an op, and perhaps records it."""

    @property
    def ops(self) -> Any:
        """Where it looks ops up."""

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        """Run an op on the operands and return its output."""


class NamedRecorder:
    """A recorder that a call may name before its operands: the graph in ``mg.add(graph, x, y)``."""

    def run_named(
        self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]
    ) -> Tensor:
        """Run an op on the operands, and record the call unless nothing is to be recorded."""
        raise NotImplementedError


class _Default:
    """Lies below every ``with``, and asks whom `set_default_recorder` named: `forward.Outside`."""

    recorder: Recorder

    @property
    def ops(self) -> Any:
        return self.recorder.ops

    def run(self, op_name: str, operands: tuple[Operand, ...], attrs: dict[str, Any]) -> Tensor:
        return self.recorder.run(op_name, operands, attrs)


_default = _Default()
recorders: ContextVar[Sequence[Recorder]] = ContextVar("minigrad_recorders", default=(_default,))
"""Who records what operators do: innermost ``with`` last, one stack for each thread and task."""


def set_default_recorder(recorder: Recorder) -> None:
    """Say who is asked in all threads where no ``with`` is open."""
    _default.recorder = recorder


def operate(op_name: str, operands: tuple[Any, ...], attrs: dict[str, Any] = NO_ATTRS) -> Tensor:
    """Do what an operator or a method stands for: hand the call to the innermost recorder."""
    return recorders.get()[-1].run(op_name, operands, attrs)


def silent() -> bool:
    """Tell whether nothing is to be recorded: inside of `no_grad`, or while an op runs."""
    return getattr(recorders.get()[-1], "silent", False)


def leave(recorder: Recorder) -> None:
    """Take a recorder off the stack; others that were put on meanwhile stay.

    With generators, blocks need not end in the opposite order of their beginnings.
    """
    stack = recorders.get()
    if stack[-1] is recorder:
        recorders.set(stack[:-1])
        return
    for place in reversed(range(len(stack))):
        if stack[place] is recorder:
            recorders.set((*stack[:place], *stack[place + 1 :]))
            return
