"""A picture of a graph: what each step shows in it, where it stands, and in which colours."""

from minigrad.diagram.film import Film, Look, film_of, still
from minigrad.diagram.layout import Layout, lay_out
from minigrad.diagram.palette import Theme
from minigrad.diagram.render import render

__all__ = ["Film", "Layout", "Look", "Theme", "film_of", "lay_out", "render", "still"]
