"""What happened, step by step, and the words that explain it."""

from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Edge, Vertex
from minigrad.trace.words import Words, describe

__all__ = [
    "Contribution",
    "Edge",
    "Snapshot",
    "Step",
    "Trace",
    "Vertex",
    "Words",
    "describe",
]
