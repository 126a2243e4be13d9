"""Pictures to take away: one diagram or one step of a trace as svg, png or pdf."""

from minigrad.export.draw import draw, drawing_of, drawing_of_part, show_graph
from minigrad.export.drawing import Drawing

__all__ = ["Drawing", "draw", "drawing_of", "drawing_of_part", "show_graph"]
