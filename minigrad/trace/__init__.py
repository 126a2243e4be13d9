"""What happened, step by step, and the words that explain it."""

from minigrad.trace.items import Edge, Item
from minigrad.trace.run import Trace
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.visit_words import Words
from minigrad.trace.words import describe, explain

__all__ = [
    "Contribution",
    "Edge",
    "Item",
    "Snapshot",
    "Step",
    "Trace",
    "Words",
    "describe",
    "explain",
]
