"""One frame of a film in a file format: svg, png or pdf."""

from __future__ import annotations

import struct
from functools import lru_cache

import graphviz

from minigrad.diagram.canvas import Canvas, plain_canvas
from minigrad.diagram.dot import POINTS_PER_INCH, drawn_text, to_dot
from minigrad.diagram.film import Film
from minigrad.diagram.fonts import check_drawable
from minigrad.diagram.graphviz.workers import own_worker
from minigrad.diagram.layout import Layout
from minigrad.diagram.on_canvas import cover_dot
from minigrad.diagram.palette import Theme, check_background
from minigrad.diagram.svg import to_svg
from minigrad.engine.checks import is_whole
from minigrad.engine.errors import DrawingError, told

DEFAULT_WIDTH = 1600
WIDEST_DEFAULT = 8000
SMALLEST_WIDTH = 16
PIXELS_PER_POINT = 2
LARGEST_SIDE = 32_000
"""The image library under Graphviz ends at 32,767 pixels."""


def render(
    film: Film,
    step: int,
    layout: Layout,
    file_format: str,
    theme: Theme = "light",
    width: int | None = None,
    background: str | None = None,
    description: str = "",
    canvas: Canvas | None = None,
) -> bytes:
    """Render one frame.

    Parameters
    ----------
    film : Film
        The film.
    step : int
        Which frame.
    layout : Layout
        Where everything stands.
    file_format : {'svg', 'png', 'pdf'}
        SVG keeps texts as text; PDF embeds its fonts.
    theme : {'light', 'dark'}
        Which colours to use.
    width : int, optional
        Of a PNG, in pixels; the height follows. By default 1600, and more for a picture
        whose text would be too small then.
    background : str, optional
        A colour, or ``transparent``; by default that of the theme.
    description : str
        For those who don't see the picture (SVG only).
    canvas : Canvas, optional
        What to cover, and notes to write on it; by default the diagram alone.

    Raises
    ------
    DrawingError
        If Graphviz fails, no font can draw a text, or the width is out of bounds.
    """
    looks = film.frame(step)
    colour = check_background(background, theme)
    if file_format == "svg":
        return to_svg(film, looks, layout, theme, colour, description, canvas).encode()
    canvas = canvas or plain_canvas(layout)
    rows = [line for look in looks.values() for line in look.lines]
    check_drawable([drawn_text(row) for row in [*rows, *(note.text for note in canvas.notes)]])
    dot = to_dot(film, looks, theme, layout, colour)
    cover_dot(dot, canvas)
    if file_format == "png":
        pixels = check_width(width, canvas)
        dot.graph_attr["dpi"] = _dpi_for(canvas.size, pixels)
    if file_format == "pdf" and canvas.page != canvas.size:
        dot.graph_attr["size"] = (
            ",".join(f"{side / POINTS_PER_INCH:.5f}" for side in canvas.page) + "!"
        )
    (data,) = own_worker().render(dot.source, "nop2", [file_format])
    return data


def check_width(width: int | None, canvas: Canvas) -> int:
    """Return how many pixels wide a canvas is to be; None stands for as many as it needs.

    Raises
    ------
    DrawingError
        If the width is out of bounds.
    """
    across, down = canvas.size
    largest = min(LARGEST_SIDE, int(LARGEST_SIDE * across / down))
    if width is None:
        readable = max(DEFAULT_WIDTH, round(PIXELS_PER_POINT * across))
        width = min(readable, WIDEST_DEFAULT, largest)
    if not is_whole(width) or width < SMALLEST_WIDTH:
        raise DrawingError(
            f"width must be a whole number of pixels from {SMALLEST_WIDTH} to {largest}, "
            f"not {told(width)}"
        )
    if width > largest:
        raise DrawingError(
            f"this picture can be at most {largest} pixels wide, not {told(width)}; for more, save "
            f"it as .pdf or .svg, which stay sharp at any size"
        )
    return int(width)


@lru_cache(maxsize=64)
def _dpi_for(size: tuple[float, float], width: int) -> str:
    """Return at which resolution Graphviz draws a canvas so many pixels wide.

    It rounds the canvas to pixels in a way of its own, so it is asked, with an empty one,
    until it agrees.
    """
    empty = graphviz.Digraph()
    cover_dot(empty, Canvas(0, 0, *size))
    pixels = float(width)
    for _ in range(4):
        dpi = repr(pixels / size[0] * POINTS_PER_INCH)
        empty.graph_attr["dpi"] = dpi
        (png,) = own_worker().render(empty.source, "nop2", ["png"])
        got = png_size(png)[0]
        if got == width:
            return dpi
        pixels += width - got
    raise DrawingError(f"Graphviz drew {got} pixels instead of {width}; try a width nearby")


def png_size(png: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG in pixels, from its header."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height
