"""One frame of a film in a file format: svg, png or pdf."""

from __future__ import annotations

import struct

import graphviz

from minigrad.diagram.dot import drawn_text, to_dot
from minigrad.diagram.film import Film
from minigrad.diagram.fonts import check_drawable
from minigrad.diagram.graphviz_process import graphviz_process
from minigrad.diagram.layout import Layout
from minigrad.diagram.palette import Theme
from minigrad.diagram.svg import canvas_size, to_svg
from minigrad.errors import DrawingError

POINTS_PER_INCH = 72
WIDEST_PNG = 20_000


def render(
    film: Film,
    step: int,
    layout: Layout,
    file_format: str,
    theme: Theme = "light",
    width: int = 1600,
    background: str | None = None,
    description: str = "",
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
    width : int, default 1600
        Of a PNG, in pixels; the height follows.
    background : str, optional
        A colour; by default that of the theme.
    description : str
        For those who don't see the picture (SVG only).

    Raises
    ------
    DrawingError
        If Graphviz fails, no font can draw a text, or the width is out of bounds.
    """
    looks = film.frame(step)
    if file_format == "svg":
        return to_svg(film, looks, layout, theme, background, description).encode()
    check_drawable([drawn_text(line) for look in looks.values() for line in look.lines])
    dot = to_dot(film, looks, theme, layout, background)
    if file_format == "png":
        return _png(dot, layout, width)
    (pdf,) = graphviz_process.render(dot.source, "nop2", [file_format])
    return pdf


def _png(dot: graphviz.Digraph, layout: Layout, width: int) -> bytes:
    if not isinstance(width, int) or not 16 <= width <= WIDEST_PNG:
        raise DrawingError(
            f"width must be a whole number of pixels from 16 to {WIDEST_PNG}, not {width!r}"
        )
    points = canvas_size(layout)[0]
    pixels = float(width)
    # Graphviz rounds the canvas to pixels in a way of its own, so it is asked until it agrees
    for _ in range(4):
        dot.graph_attr["dpi"] = repr(pixels / points * POINTS_PER_INCH)
        (png,) = graphviz_process.render(dot.source, "nop2", ["png"])
        got = png_size(png)[0]
        if got == width:
            return png
        pixels += width - got
    return png


def png_size(png: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG in pixels, from its header."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height
