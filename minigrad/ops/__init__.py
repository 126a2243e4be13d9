"""The ops: what runs forward, what passes a gradient back, and the registry of both."""

from minigrad.ops.arithmetic import add, div, mul, neg, sub
from minigrad.ops.base import Differentiable
from minigrad.ops.choices import clip, maximum, minimum
from minigrad.ops.curves import cos, relu, sigmoid, sin, tanh
from minigrad.ops.powers import abs, exp, log, pow, sqrt
from minigrad.ops.registry import OpRegistry, registry

__all__ = [
    "Differentiable",
    "OpRegistry",
    "abs",
    "add",
    "clip",
    "cos",
    "div",
    "exp",
    "log",
    "maximum",
    "minimum",
    "mul",
    "neg",
    "pow",
    "registry",
    "relu",
    "sigmoid",
    "sin",
    "sqrt",
    "sub",
    "tanh",
]
