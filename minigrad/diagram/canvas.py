"""`Canvas`: what a picture covers, and the rows of text that it has beside its diagram.

Frames that are flipped through get canvases of one size, so that nothing moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from minigrad.diagram.curves import Curve, Spot
from minigrad.diagram.dot import CHARACTER_WIDTH, PADDING
from minigrad.diagram.layout import Layout
from minigrad.diagram.rows import text_width

LARGEST_PAGE = 14_400
"""Points: larger pages of a PDF some programs don't open."""
PIXEL = 0.75
"""Points: Graphviz rounds the width of a letter to whole pixels, 96 to an inch."""

BACK_SIZE = 2.5
"""How much longer than an arrow's own head the one is that points back."""


def even_size(size: float) -> float:
    """Return the largest font size, up to one, at which rounding changes no letter's width."""
    return max(1, int(size * CHARACTER_WIDTH / PIXEL)) * PIXEL / CHARACTER_WIDTH


@dataclass(frozen=True)
class Note:
    """One row of text.

    Attributes
    ----------
    left, middle : float
        Where it begins, and the height of its middle: in points, y upwards, as in a `Layout`.
    text : str
        The row.
    size : float
        Of the font, in points.
    colour : str
        Of the text.
    bold : bool
        Whether it is bold.
    """

    left: float
    middle: float
    text: str
    size: float
    colour: str
    bold: bool = False

    @property
    def width(self) -> float:
        """Points from the first letter to the last, in a font of fixed width."""
        return text_width(self.text) * self.size * CHARACTER_WIDTH


@dataclass(frozen=True)
class Band:
    """A coloured rectangle under rows of text.

    Attributes
    ----------
    left, bottom, right, top : float
        Its borders, in points.
    colour : str
        What it is filled with.
    line, line_width, dashed
        Its outline, if it has one; then its corners are round.
    """

    left: float
    bottom: float
    right: float
    top: float
    colour: str
    line: str = ""
    line_width: float = 0.0
    dashed: bool = False


@dataclass(frozen=True)
class Arrow:
    """A straight arrow between two places, to the right; its head is as long as `head`.

    If something was passed back along it, it has a second head that says so.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    head: float
    colour: str
    line_width: float
    dashed: bool = False
    passed_back: bool = False

    @property
    def back(self) -> tuple[Spot, float]:
        """Where the second head stands and which way it points, and how long it is."""
        length = BACK_SIZE * self.head
        return Curve.straight(self.start, self.end).back(length), length

    @property
    def triangle(self) -> list[tuple[float, float]]:
        """The corners of its head: the tip, then the two others."""
        (x0, y0), (x1, y1) = self.start, self.end
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        along, across = (x1 - x0) / length * self.head, (y1 - y0) / length * self.head
        x, y = x1 - along, y1 - across
        return [self.end, (x - across / 3, y + along / 3), (x + across / 3, y - along / 3)]


@dataclass(frozen=True)
class Canvas:
    """What a picture covers, in the points of its layout, y upwards.

    Attributes
    ----------
    left, bottom, right, top : float
        Its borders.
    notes : tuple of Note
        Rows of text on it.
    bands : tuple of Band
        Rectangles under them.
    arrows : tuple of Arrow
        Arrows over them.
    paper : tuple of float, optional
        Width and height in points at which vector graphics are shown; by default as large as the
        canvas, if a page can be.
    """

    left: float
    bottom: float
    right: float
    top: float
    notes: tuple[Note, ...] = ()
    bands: tuple[Band, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    paper: tuple[float, float] | None = None

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.right - self.left, self.top - self.bottom

    @property
    def page(self) -> tuple[float, float]:
        """Width and height of a page with it, in points."""
        if self.paper:
            return self.paper
        width, height = self.size
        scale = min(1.0, LARGEST_PAGE / width, LARGEST_PAGE / height)
        return width * scale, height * scale


def plain_canvas(layout: Layout) -> Canvas:
    """Return the canvas of a diagram alone, with a little space around it."""
    left, bottom, right, top = layout.borders
    return Canvas(left - PADDING, bottom - PADDING, right + PADDING, top + PADDING)
