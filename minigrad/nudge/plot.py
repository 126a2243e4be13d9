"""A small plot of an output against one input, with the straight line that a gradient promises."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from minigrad.diagram.svg import xml_text
from minigrad.trace.names import abridge
from minigrad.trace.numbers import format_number

WIDTH, HEIGHT = 420, 270
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 26, 36
DIGITS = 4
ROOM = 0.08
"""Above and below what is drawn, as a part of its height."""
Point = tuple[float, float]
Place = Callable[[Point], tuple[str, str]]
"""Where in the plot a point is, as it is written there."""


def plot_of(
    names: tuple[str, str],
    curve: Sequence[Point],
    start: Point | None,
    now: Point,
    slope: float | None,
    promised: float,
) -> str:
    """Return the plot as SVG; its colours are the page's.

    Parameters
    ----------
    names : tuple of str
        Of the input and of the output.
    curve : sequence of tuple of float
        Points of the curve, in order; those that are not finite are left out.
    start : tuple of float or None
        Where the gradient was taken, if that is on the curve.
    now : tuple of float
        Where the input is, and what came out.
    slope : float or None
        Of the straight line; without a gradient there is none.
    promised : float
        What the line says where the input is.
    """
    low, high = curve[0][0], curve[-1][0]
    line = []
    if slope is not None:
        line = [(x, promised + slope * (x - now[0])) for x in (low, high)]
    bottom, top = _range(
        [y for _, y in (*line, now, *([start] if start else []))], [y for _, y in curve]
    )
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(point: Point) -> tuple[str, str]:
        x = (point[0] - low) / (high - low) * width
        y = (top - point[1]) / (top - bottom) * height
        return f"{x:.1f}", f"{min(max(y, -9 * height), 9 * height):.1f}"

    shapes = [_polyline("mg-curve", stretch, place) for stretch in _finite(curve)]
    if line and all(math.isfinite(y) for _, y in line):
        shapes.append(_polyline("mg-tangent", line, place))
    if start is not None and math.isfinite(start[1]):
        shapes.append(_dot("mg-start", start, place, 4))
    if math.isfinite(now[1]):
        if slope is not None and math.isfinite(promised):
            there = (now[0], promised)
            shapes.append(_polyline("mg-gap", [there, now], place))
            shapes.append(_dot("mg-promised", there, place, 6))
        shapes.append(_dot("mg-exact", now, place, 5))
    label = (
        f"{names[1]} against {names[0]}: {names[1]} is {format_number(now[1])} where {names[0]} is"
    )
    label += f" {format_number(now[0])}"
    if slope is not None:
        label += f"; the gradient promised {format_number(promised)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'direction="ltr" aria-label="{_text(label, 200)}">',
        f'<rect class="mg-frame" x="{LEFT}" y="{TOP}" width="{width}" height="{height}"/>',
        f'<svg x="{LEFT}" y="{TOP}" width="{width}" height="{height}">{"".join(shapes)}</svg>',
        _label(LEFT, TOP - 9, "middle", names[1], bold=True),
        _label(LEFT - 6, TOP + 10, "end", format_number(top, DIGITS)),
        _label(LEFT - 6, HEIGHT - BOTTOM, "end", format_number(bottom, DIGITS)),
        _label(LEFT, HEIGHT - BOTTOM + 18, "start", format_number(low, DIGITS)),
        _label(WIDTH - RIGHT, HEIGHT - BOTTOM + 18, "end", format_number(high, DIGITS)),
        _label(LEFT + width / 2, HEIGHT - BOTTOM + 22, "middle", names[0], bold=True),
        "</svg>",
    ]
    return "".join(parts)


def _range(firm: Sequence[float], loose: Sequence[float]) -> Point:
    """Return bottom and top: all that is firm, and the rest as far as it is not far out."""
    firm = [y for y in firm if math.isfinite(y)] or [0.0]
    bottom, top = min(firm), max(firm)
    reach = (top - bottom) or max(1.0, abs(top))
    near = [min(max(y, bottom - reach), top + reach) for y in loose if math.isfinite(y)]
    bottom, top = min([bottom, *near]), max([top, *near])
    room = ROOM * (top - bottom) or 1.0
    return bottom - room, top + room


def _finite(curve: Sequence[Point]) -> list[list[Point]]:
    """Cut a curve where it is not finite."""
    stretches: list[list[Point]] = [[]]
    for point in curve:
        if math.isfinite(point[1]):
            stretches[-1].append(point)
        elif stretches[-1]:
            stretches.append([])
    return [stretch for stretch in stretches if stretch]


def _polyline(name: str, points: Sequence[Point], place: Place) -> str:
    return f'<polyline class="{name}" points="{" ".join(map(",".join, map(place, points)))}"/>'


def _dot(name: str, point: Point, place: Place, radius: int) -> str:
    x, y = place(point)
    return f'<circle class="{name}" cx="{x}" cy="{y}" r="{radius}"/>'


def _label(x: float, y: float, anchor: str, text: str, *, bold: bool = False) -> str:
    name = ' class="mg-name"' if bold else ""
    return f'<text{name} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{_text(text, 24)}</text>'


def _text(text: str, limit: int) -> str:
    return escape(xml_text(abridge(text, limit)), {'"': "&quot;"})
