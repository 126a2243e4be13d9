"""The ops: what runs forward, what passes a gradient back, and the registry of both."""

from minigrad.engine.ops.arithmetic import add, div, mul, neg, sub
from minigrad.engine.ops.base import Differentiable
from minigrad.engine.ops.choices import clip, maximum, minimum, where
from minigrad.engine.ops.curves import cos, relu, sigmoid, sin, tanh
from minigrad.engine.ops.linear import matmul
from minigrad.engine.ops.losses import cross_entropy, log_softmax, mse, softmax
from minigrad.engine.ops.powers import abs, exp, log, pow, sqrt
from minigrad.engine.ops.reductions import max, mean, min, sum
from minigrad.engine.ops.registry import OpRegistry, registry
from minigrad.engine.ops.shapes import broadcast_to, concatenate, getitem, reshape, stack, transpose

__all__ = [
    "Differentiable",
    "OpRegistry",
    "abs",
    "add",
    "broadcast_to",
    "clip",
    "concatenate",
    "cos",
    "cross_entropy",
    "div",
    "exp",
    "getitem",
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
    "pow",
    "registry",
    "relu",
    "reshape",
    "sigmoid",
    "sin",
    "softmax",
    "sqrt",
    "stack",
    "sub",
    "sum",
    "tanh",
    "transpose",
    "where",
]
