"""What a graph refuses to record, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from minigrad.errors import GraphError
from minigrad.tensor import Tensor

if TYPE_CHECKING:
    from minigrad.graph import ComputationGraph


def check_new(op_name: str, inputs: Sequence[object], output: object) -> None:
    """Refuse to record anything but tensors, and an output that is known already."""
    for tensor in (*inputs, output):
        if not isinstance(tensor, Tensor):
            raise GraphError(
                f"record takes tensors as inputs and output, not {type(tensor).__name__}; "
                f"wrap numbers: mg.Tensor(…)"
            )
    assert isinstance(output, Tensor)
    if output.grad_fn_index is not None or any(tensor is output for tensor in inputs):
        raise GraphError(
            f"the output of {op_name!r} must be a new tensor, but {output.label} was already "
            f"used as an input or as the output of a node; let the op return a new Tensor"
        )


def refuse_foreign(graph: ComputationGraph, op_name: str, slot: int, tensor: Tensor) -> NoReturn:
    """Refuse an operand that another graph made, or this one before a reset."""
    owner = tensor._graph() if tensor._graph is not None else None
    where = "this graph before it was reset" if owner is graph else "another graph"
    raise GraphError(
        f"operand {slot} of {op_name!r} is {tensor.label} of {where}, so no edge can lead to "
        f"it; compute it again in this graph, or start a leaf from its numbers: "
        f"mg.Tensor(t.data, requires_grad=True)"
    )
