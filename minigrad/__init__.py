"""minigrad: see reverse-mode automatic differentiation happen, node by node."""

from typing import TYPE_CHECKING, Any

from minigrad.backward import backward
from minigrad.errors import MinigradError
from minigrad.forward import no_grad
from minigrad.gradcheck import gradcheck
from minigrad.graph import ComputationGraph
from minigrad.node import GraphNode
from minigrad.nonfinite import first_nonfinite
from minigrad.ops import (
    Differentiable,
    OpRegistry,
    abs,
    add,
    broadcast_to,
    clip,
    concatenate,
    cos,
    cross_entropy,
    div,
    exp,
    getitem,
    log,
    log_softmax,
    matmul,
    max,
    maximum,
    mean,
    min,
    minimum,
    mse,
    mul,
    neg,
    pow,
    registry,
    relu,
    reshape,
    sigmoid,
    sin,
    softmax,
    sqrt,
    stack,
    sub,
    sum,
    tanh,
    transpose,
    where,
)
from minigrad.order import ancestor_backward_order, topological_backward_order
from minigrad.tensor import Tensor

if TYPE_CHECKING:
    from minigrad.export.graphs import draw
    from minigrad.export.why import why
    from minigrad.widgets import nudge, step, watch

__version__ = "0.1.0"
__all__ = [
    "ComputationGraph",
    "Differentiable",
    "GraphNode",
    "MinigradError",
    "OpRegistry",
    "Tensor",
    "abs",
    "add",
    "ancestor_backward_order",
    "backward",
    "broadcast_to",
    "clip",
    "concatenate",
    "cos",
    "cross_entropy",
    "div",
    "draw",
    "exp",
    "first_nonfinite",
    "getitem",
    "gradcheck",
    "log",
    "log_softmax",
    "matmul",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mse",
    "mul",
    "neg",
    "no_grad",
    "nudge",
    "pow",
    "registry",
    "relu",
    "reshape",
    "sigmoid",
    "sin",
    "softmax",
    "sqrt",
    "stack",
    "step",
    "sub",
    "sum",
    "tanh",
    "topological_backward_order",
    "transpose",
    "watch",
    "where",
    "why",
]


def _display(graph: ComputationGraph) -> dict[str, str]:
    from minigrad.export import show_graph

    return show_graph(graph)


ComputationGraph.display = staticmethod(_display)


def __getattr__(name: str) -> Any:
    # the engine alone needs numpy only; what draws is imported when it is first asked for
    if name == "draw":
        from minigrad.export.graphs import draw

        return draw
    if name == "why":
        from minigrad.export.why import why

        return why
    if name in ("nudge", "step", "watch"):
        from minigrad import widgets

        return getattr(widgets, name)
    raise AttributeError(f"module 'minigrad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
