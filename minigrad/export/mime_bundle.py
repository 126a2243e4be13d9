"""`mime_bundle`: one picture in all forms that a notebook keeps of it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import suppress
from html import escape
from math import sqrt
from urllib.parse import quote

from minigrad.diagram.palette import darken

WIDEST = 1200
PIXELS_PER_POINT = 2
MOST_PIXELS = 3_000_000
"""Of a long picture; each notebook that shows it holds them."""
FOLLOWS = "mg-still"
"""The class of what is light in HTML, and dark where the page around is."""
DARK_STYLE = f"<style>{darken(f'.{FOLLOWS}')}</style>"
"""To stand beside it; where a page takes it out, as for a notebook that is not trusted, and where
none says that it is dark, what has that class stays light."""


def mime_bundle(svg: str, png: Callable[[], bytes], text: str) -> dict[str, str]:
    """Return a picture in the forms in which a notebook shows and keeps it.

    LaTeX takes the PNG, and of a widget a notebook that is not trusted too; who sees neither that
    nor the SVG reads the text.

    Parameters
    ----------
    svg : str
        The picture.
    png : callable
        Makes the same as a PNG; if it fails, since there is no font for a name, the other forms go
        without it.
    text : str
        What it shows, in words.
    """
    return {"image/svg+xml": svg, **png_if_drawable(png), "text/plain": text}


def html_image(svg: str, text: str, *, attributes: str) -> str:
    """Return an SVG as an image in HTML, which a notebook that is not trusted shows too.

    Parameters
    ----------
    svg : str
        The picture.
    text : str
        What it shows, in words.
    attributes : str
        More of the element.
    """
    return f'<img {attributes} alt="{escape(text)}" src="{svg_address(svg)}">'


def png_if_drawable(png: Callable[[], bytes]) -> dict[str, str]:
    """Return the form that is a PNG; none if that cannot be drawn."""
    with suppress(Exception):  # whatever it is: there are other forms, and they are shown
        return {"image/png": base64.b64encode(png()).decode()}
    return {}


def svg_address(svg: str) -> str:
    """Return the address under which an ``<img>`` shows an SVG, in a page that is not trusted too.

    Examples
    --------
    >>> svg_address('<svg xmlns="…"/>')
    'data:image/svg+xml,%3Csvg xmlns=%22%E2%80%A6%22/%3E'
    """
    return f"data:image/svg+xml,{quote(svg, safe=' !$()*+,-./:;=?@[]^_`|~')}"


def png_width(across: float, down: float) -> int:
    """Return how many pixels wide the PNG of a picture is, whose sides are given in points.

    Examples
    --------
    >>> png_width(300, 200), png_width(3_000, 200), png_width(300, 30_000)
    (600, 1200, 173)
    """
    return round(min(WIDEST, PIXELS_PER_POINT * across, sqrt(MOST_PIXELS * across / down)))
