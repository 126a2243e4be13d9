"""A picture of a graph: what each step shows in it, where it stands, and in which colours."""

from minigrad.diagram.film import Film, Look, still
from minigrad.diagram.layout import Layout, Layouts, lay_out
from minigrad.diagram.palette import Theme
from minigrad.diagram.render import render
from minigrad.diagram.scenes import film_of, films_of
from minigrad.diagram.windows import LARGEST_WHOLE, windows_of

__all__ = [
    "LARGEST_WHOLE",
    "Film",
    "Layout",
    "Layouts",
    "Look",
    "Theme",
    "film_of",
    "films_of",
    "lay_out",
    "render",
    "still",
    "windows_of",
]
