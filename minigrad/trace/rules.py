"""The local derivative of a node for each operand: in symbols, and in numbers where it has them."""

from __future__ import annotations

import re
from contextlib import nullcontext

import numpy as np

from minigrad.engine.no_grad import no_grad
from minigrad.engine.node import GraphNode
from minigrad.engine.values import Values
from minigrad.trace.notation import SMALL, visible
from minigrad.trace.snapshot import Snapshot

POWERS = frozenset("".join(SMALL["^"].values())) - {","}


def rules_of(snapshot: Snapshot, position: int, node: GraphNode) -> list[str]:
    """Write the local derivative for each operand in symbols, such as ``y`` or ``-x/y²``."""
    key = f"n{position}"
    names = [vertex.name for vertex in snapshot.operands(key)]
    output = snapshot.vertices[key].name
    known = [_filled(rule, names, output) for rule in node.op.derivatives[: len(names)]]
    return known + [f"∂{output}/∂{name}" for name in names[len(known) :]]


def _filled(rule: str, names: list[str], output: str) -> str:
    """Put names into a rule; in one that has more to it, w² stands in parentheses: ``-x/(w²)²``."""
    if not re.fullmatch(r"\{\w+\}", rule):
        names = [f"({name})" if POWERS.intersection(name) else name for name in names]
    return visible(rule).format(*names, out=output)


def local_derivatives(node: GraphNode) -> list[Values | None]:
    """Return the local derivative for each operand, where it is one number for each element.

    An op's backward multiplies the upstream gradient by the local derivative, so with an
    upstream gradient of ones it gives the local derivative itself.
    """
    output = node.output
    known = [
        operand.requires_grad
        and operand.shape == output.shape
        and (node.op.elementwise or output.values.size == 1)
        for operand in node.inputs
    ]
    if not any(known):
        return [None] * len(node.inputs)
    ones = np.ones(output.shape, output.dtype)[()]
    # ops of others may compute with tensors, and that must not be recorded
    untracked = nullcontext() if node.op.returns_new_arrays else no_grad()
    with np.errstate(all="ignore"), untracked:
        gradients = node.op.backward(ones, node.inputs, output, **node.attrs)
    return [
        np.asarray(gradient)[()] if is_known else None
        for is_known, gradient in zip(known, gradients, strict=True)
    ]
