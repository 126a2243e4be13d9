"""`Canvas`: what a picture covers, and the rows of text that it has beside its diagram.

Frames that are to be flipped through get canvases of one size, so that nothing moves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

import graphviz
from lxml import etree

from minigrad.diagram.dot import CHARACTER_WIDTH, PADDING, POINTS_PER_INCH, drawn_text
from minigrad.diagram.fonts import FAMILY
from minigrad.diagram.layout import Layout
from minigrad.diagram.rows import text_width

SVG = "http://www.w3.org/2000/svg"
CORNER = 0.72
"""Points; Graphviz draws no point that is smaller."""
ARROW_LENGTH = 10
"""Points of Graphviz's arrow head."""
BASELINE = 0.36
"""From the middle of a row down to the line its letters stand on, in parts of the font size."""
PIXEL = 0.75
"""Points: Graphviz rounds the width of a letter to whole pixels, 96 to an inch."""


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
    """A straight arrow between two places, to the right; its head is as long as `head`."""

    start: tuple[float, float]
    end: tuple[float, float]
    head: float
    colour: str
    line_width: float
    dashed: bool = False

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
    """

    left: float
    bottom: float
    right: float
    top: float
    notes: tuple[Note, ...] = ()
    bands: tuple[Band, ...] = ()
    arrows: tuple[Arrow, ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        return self.right - self.left, self.top - self.bottom


def plain_canvas(layout: Layout) -> Canvas:
    """Return the canvas of a diagram alone, with a little space around it."""
    left, bottom, right, top = layout.borders
    return Canvas(left - PADDING, bottom - PADDING, right + PADDING, top + PADDING)


def put_on_canvas(dot: graphviz.Digraph, canvas: Canvas) -> None:
    """Let a graph whose places are pinned cover a canvas, and write the canvas's notes on it."""
    dot.graph_attr["pad"] = "0"
    dot.graph_attr.pop("bb", None)
    corners = [(canvas.left, canvas.bottom, 1), (canvas.right, canvas.top, -1)]
    for number, (x, y, inwards) in enumerate(corners):
        place = f"{x + inwards * CORNER / 2:.3f},{y + inwards * CORNER / 2:.3f}"
        dot.node(f"corner{number}", shape="point", width="0.01", style="invis", pos=place)
    for number, band in enumerate(canvas.bands):
        dot.node(
            f"band{number}",
            label="",
            style="filled" + (",rounded" if band.line else "") + (",dashed" if band.dashed else ""),
            penwidth=f"{band.line_width:.3f}",
            color=band.line or band.colour,
            fillcolor=band.colour,
            **_box(band.left, band.bottom, band.right, band.top),
        )
    for number, note in enumerate(canvas.notes):
        text = escape(drawn_text(note.text), {"\\": "\\\\", '"': "&quot;"})
        text = f"<B>{text}</B>" if note.bold else text
        dot.node(
            f"note{number}",
            label=f'<{text}<BR ALIGN="LEFT"/>>',
            style="",
            penwidth="0",
            fontname=FAMILY,
            fontsize=f"{note.size:.3f}",
            fontcolor=note.colour,
            **_box(
                note.left,
                note.middle - note.size / 2,
                note.left + note.width,
                note.middle + note.size / 2,
            ),
        )
    for arrow in canvas.arrows:
        _put_arrow(dot, arrow)


def _put_arrow(dot: graphviz.Digraph, arrow: Arrow) -> None:
    tip, *others = arrow.triangle
    back = ((others[0][0] + others[1][0]) / 2, (others[0][1] + others[1][1]) / 2)
    third = ((back[0] - arrow.start[0]) / 3, (back[1] - arrow.start[1]) / 3)
    points = [(arrow.start[0] + k * third[0], arrow.start[1] + k * third[1]) for k in range(4)]
    curve = " ".join(map(_place, points))
    dot.edge(
        "corner0",
        "corner1",
        pos=curve,
        arrowhead="none",
        color=arrow.colour,
        penwidth=f"{arrow.line_width:.3f}",
        style="dashed" if arrow.dashed else "solid",
    )
    # a head by itself: Graphviz makes the head of a thick line larger than was asked for
    dot.edge(
        "corner0",
        "corner1",
        pos=f"e,{_place(tip)} {' '.join([_place(points[2]), _place(points[3])] * 2)}",
        color=arrow.colour,
        penwidth="1",
        arrowsize=f"{arrow.head / ARROW_LENGTH:.3f}",
    )


def _place(point: tuple[float, float]) -> str:
    return f"{point[0]:.2f},{point[1]:.2f}"


def _box(left: float, bottom: float, right: float, top: float) -> dict[str, str]:
    return {
        "shape": "box",
        "fixedsize": "true",
        "margin": "0",
        "width": f"{(right - left) / POINTS_PER_INCH:.5f}",
        "height": f"{(top - bottom) / POINTS_PER_INCH:.5f}",
        "pos": f"{(left + right) / 2:.3f},{(bottom + top) / 2:.3f}",
    }


def spread_svg(root: etree._Element, drawing: etree._Element, canvas: Canvas) -> None:
    """Let an SVG that Graphviz drew cover a canvas, and write the canvas's notes on it."""
    width, height = canvas.size
    root.set("width", f"{width:.2f}pt")
    root.set("height", f"{height:.2f}pt")
    root.set("viewBox", f"0.00 0.00 {width:.2f} {height:.2f}")
    drawing.set("transform", f"translate({-canvas.left:.2f} {canvas.top:.2f})")
    for band in canvas.bands:
        attributes = {
            "x": f"{band.left:.2f}",
            "y": f"{-band.top:.2f}",
            "width": f"{band.right - band.left:.2f}",
            "height": f"{band.top - band.bottom:.2f}",
            "fill": band.colour,
        }
        if band.line:
            attributes |= {
                "rx": "12",
                "stroke": band.line,
                "stroke-width": f"{band.line_width:.2f}",
            }
        if band.dashed:
            attributes["stroke-dasharray"] = f"{4 * band.line_width:.2f},{3 * band.line_width:.2f}"
        etree.SubElement(drawing, f"{{{SVG}}}rect", attributes)
    for arrow in canvas.arrows:
        tip, left, right = ([x, -y] for x, y in arrow.triangle)
        back = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2]
        start = [arrow.start[0], -arrow.start[1]]
        attributes = {
            "d": f"M{_pair(start)} L{_pair(back)} M{_pair(tip)} L{_pair(left)} L{_pair(right)} Z",
            "fill": arrow.colour,
            "stroke": arrow.colour,
            "stroke-width": f"{arrow.line_width:.2f}",
        }
        etree.SubElement(drawing, f"{{{SVG}}}path", attributes)
    for note in canvas.notes:
        attributes = {
            "x": f"{note.left:.2f}",
            "y": f"{-note.middle + BASELINE * note.size:.2f}",
            "font-size": f"{note.size:.2f}",
            "fill": note.colour,
            "style": "white-space: pre",
        }
        if note.bold:
            attributes["font-weight"] = "bold"
        row = etree.SubElement(drawing, f"{{{SVG}}}text", attributes)
        row.text = drawn_text(note.text)


def _pair(point: list[float]) -> str:
    return f"{point[0]:.2f},{point[1]:.2f}"


def corners_of(canvas: Canvas) -> str:
    """Return the outline of a canvas as the ``points`` of an SVG polygon."""
    left, bottom, right, top = canvas.left, -canvas.bottom, canvas.right, -canvas.top
    places = ((left, bottom), (left, top), (right, top), (right, bottom), (left, bottom))
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
