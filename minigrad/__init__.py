"""minigrad: see reverse-mode automatic differentiation happen, node by node."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from minigrad.engine.backward import backward
from minigrad.engine.errors import (
    BackwardError,
    DrawingError,
    ExportError,
    GradcheckError,
    GraphError,
    MinigradError,
    OpError,
    TensorError,
    UnregisteredOpError,
)
from minigrad.engine.gradcheck import gradcheck
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.no_grad import no_grad
from minigrad.engine.node import GraphNode
from minigrad.engine.nonfinite import first_nonfinite
from minigrad.engine.ops import (
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
from minigrad.engine.order import ancestor_backward_order, topological_backward_order
from minigrad.engine.tensor import Tensor

if TYPE_CHECKING:
    from minigrad.compare.widget import compare
    from minigrad.export.draw import draw
    from minigrad.nudge.widget import nudge
    from minigrad.stepper.live import watch
    from minigrad.stepper.stepper import step
    from minigrad.why.why import why

__version__ = "0.1.0"
__all__ = [
    "BackwardError",
    "ComputationGraph",
    "Differentiable",
    "DrawingError",
    "ExportError",
    "GradcheckError",
    "GraphError",
    "GraphNode",
    "MinigradError",
    "OpError",
    "OpRegistry",
    "Tensor",
    "TensorError",
    "UnregisteredOpError",
    "abs",
    "add",
    "ancestor_backward_order",
    "backward",
    "broadcast_to",
    "clip",
    "compare",
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


# the engine alone needs numpy only; what draws is imported when it is first asked for
_IMPORTED_LATER = {
    "compare": "minigrad.compare.widget",
    "draw": "minigrad.export.draw",
    "nudge": "minigrad.nudge.widget",
    "step": "minigrad.stepper.stepper",
    "watch": "minigrad.stepper.live",
    "why": "minigrad.why.why",
}


def __getattr__(name: str) -> Any:
    if name in _IMPORTED_LATER:
        return getattr(import_module(_IMPORTED_LATER[name]), name)
    raise AttributeError(f"module 'minigrad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _Door(ModuleType):
    """The package: ``mg.why`` is the function, though ``why/`` is a room of that name too."""

    def __setattr__(self, name: str, value: object) -> None:
        # importing a room binds it to its name in here, where the function's name has to stay
        if not (name in _IMPORTED_LATER and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Door
