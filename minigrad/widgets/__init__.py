"""The live graph, the stepper and the nudges: what is seen and pressed in a notebook."""

from minigrad.widgets.live import LiveGraph, watch
from minigrad.widgets.nudging import Nudge, nudge
from minigrad.widgets.stepper import Stepper, step

__all__ = ["LiveGraph", "Nudge", "Stepper", "nudge", "step", "watch"]
