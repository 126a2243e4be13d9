"""Pictures to take away: one diagram or one step of a trace as svg, png or pdf."""

from minigrad.export.drawing import Drawing, draw, show_graph
from minigrad.export.frames import export_frame

__all__ = ["Drawing", "draw", "export_frame", "show_graph"]
