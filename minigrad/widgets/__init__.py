"""The live graph, the stepper, comparisons and nudges: what is seen and pressed in a notebook."""

from minigrad.widgets.comparing import Comparison, compare
from minigrad.widgets.live import LiveGraph, watch
from minigrad.widgets.nudging import Nudge, nudge
from minigrad.widgets.stepper import Stepper, step

__all__ = ["Comparison", "LiveGraph", "Nudge", "Stepper", "compare", "nudge", "step", "watch"]
