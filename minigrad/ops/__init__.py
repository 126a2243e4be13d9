"""The ops: what runs forward, what passes a gradient back, and the registry of both."""

from minigrad.ops.arithmetic import add, div, mul, neg, sub
from minigrad.ops.base import Differentiable
from minigrad.ops.registry import OpRegistry, registry

__all__ = ["Differentiable", "OpRegistry", "add", "div", "mul", "neg", "registry", "sub"]
