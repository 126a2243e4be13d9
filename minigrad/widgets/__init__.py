"""The live graph and the stepper: what is seen and pressed in a notebook."""

from minigrad.widgets.live import LiveGraph, watch
from minigrad.widgets.stepper import Stepper, step

__all__ = ["LiveGraph", "Stepper", "step", "watch"]
