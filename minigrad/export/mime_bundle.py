"""`mime_bundle`: one picture in all forms that a notebook keeps of it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import suppress
from math import sqrt
from urllib.parse import quote

WIDEST = 1200
PIXELS_PER_POINT = 2
MOST_PIXELS = 3_000_000
"""Of a long picture; each notebook that shows it holds them."""


def mime_bundle(svg: str, png: Callable[[], bytes], text: str) -> dict[str, str]:
    """Return a picture in the forms in which a notebook shows and keeps it.

    The SVG is what JupyterLab shows. A notebook that is not trusted and LaTeX take the PNG, and
    who sees neither reads the text.

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
