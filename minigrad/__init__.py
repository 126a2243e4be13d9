"""minigrad: see reverse-mode automatic differentiation happen, node by node."""

from typing import TYPE_CHECKING, Any

from minigrad.backward import backward
from minigrad.errors import MinigradError
from minigrad.forward import no_grad
from minigrad.gradcheck import gradcheck
from minigrad.graph import ComputationGraph
from minigrad.node import GraphNode
from minigrad.ops import (
    Differentiable,
    OpRegistry,
    abs,
    add,
    clip,
    cos,
    div,
    exp,
    log,
    maximum,
    minimum,
    mul,
    neg,
    pow,
    registry,
    relu,
    sigmoid,
    sin,
    sqrt,
    sub,
    tanh,
)
from minigrad.order import ancestor_backward_order, topological_backward_order
from minigrad.tensor import Tensor

if TYPE_CHECKING:
    from minigrad.export.drawing import draw
    from minigrad.widgets import step, watch

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
    "clip",
    "cos",
    "div",
    "draw",
    "exp",
    "gradcheck",
    "log",
    "maximum",
    "minimum",
    "mul",
    "neg",
    "no_grad",
    "pow",
    "registry",
    "relu",
    "sigmoid",
    "sin",
    "sqrt",
    "step",
    "sub",
    "tanh",
    "topological_backward_order",
    "watch",
]


def _display(graph: ComputationGraph) -> dict[str, str]:
    from minigrad.export import show_graph

    return show_graph(graph)


ComputationGraph.display = staticmethod(_display)


def __getattr__(name: str) -> Any:
    # the engine alone needs numpy only; what draws is imported when it is first asked for
    if name == "draw":
        from minigrad.export.drawing import draw

        return draw
    if name in ("step", "watch"):
        from minigrad import widgets

        return getattr(widgets, name)
    raise AttributeError(f"module 'minigrad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
