"""A picture of a graph: what each step shows in it, where it stands, and in which colours."""

from minigrad.diagram.film import LARGEST, Film, Look, check_size, film_of, films_of, still
from minigrad.diagram.layout import Layout, lay_out
from minigrad.diagram.palette import Theme
from minigrad.diagram.render import render

__all__ = [
    "LARGEST",
    "Film",
    "Layout",
    "Look",
    "Theme",
    "check_size",
    "film_of",
    "films_of",
    "lay_out",
    "render",
    "still",
]
