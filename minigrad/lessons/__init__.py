"""The checks, hints and solutions behind the notebooks."""

from minigrad.lessons import (
    each_backward,
    network,
    nodes,
    ops_and_registry,
    order,
    recording,
    self_check,
    start_here,
    why_a_graph,
)
from minigrad.lessons.environment import check_environment

__all__ = [
    "check_environment",
    "each_backward",
    "network",
    "nodes",
    "ops_and_registry",
    "order",
    "recording",
    "self_check",
    "start_here",
    "why_a_graph",
]
