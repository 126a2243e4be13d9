"""A canvas in DOT text and in SVG: how far a picture reaches, and the text around the diagram."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

import graphviz
from lxml import etree

from minigrad.diagram.canvas import Arrow, Canvas
from minigrad.diagram.curves import BACK_LENGTH, Spot, back_corners
from minigrad.diagram.dot import HEAD_LENGTH, POINTS_PER_INCH, back_head, drawn_text
from minigrad.diagram.fonts import FAMILY

SVG = "http://www.w3.org/2000/svg"
CORNER = 0.72
"""Points; Graphviz draws no point that is smaller."""
BASELINE = 0.36
"""From the middle of a row down to the line its letters stand on, in parts of the font size."""


def cover_dot(dot: graphviz.Digraph, canvas: Canvas) -> None:
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
        arrowsize=f"{arrow.head / HEAD_LENGTH:.3f}",
    )
    if arrow.passed_back:
        dot.edge("corner0", "corner1", **back_head(*arrow.back, arrow.colour))


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


def cover_svg(root: etree._Element, drawing: etree._Element, canvas: Canvas) -> None:
    """Let an SVG that Graphviz drew cover a canvas, and write the canvas's notes on it."""
    for name, length in zip(("width", "height"), canvas.page, strict=True):
        root.set(name, f"{length:.2f}pt")
    width, height = canvas.size
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
        if arrow.passed_back:
            head = svg_head(*arrow.back)
            head.set("fill", arrow.colour)
            drawing.append(head)
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


def svg_head(spot: Spot, length: float = BACK_LENGTH) -> etree._Element:
    """Return the head that points to an operand, drawn around its middle and put at its place.

    In a page each edge has one, so it is written in few letters.
    """
    head = etree.Element(f"{{{SVG}}}polygon", nsmap={None: SVG})
    turn = -math.degrees(math.atan2(spot.up, spot.across))
    head.set("class", "back")
    head.set("points", " ".join(f"{x:.3g},{y:.3g}" for x, y in back_corners(length)))
    head.set("transform", f"translate({spot.x:.1f} {-spot.y:.1f}) rotate({turn:.0f})")
    return head


def _pair(point: list[float]) -> str:
    return f"{point[0]:.2f},{point[1]:.2f}"


def corners_of(canvas: Canvas) -> str:
    """Return the outline of a canvas as the ``points`` of an SVG polygon."""
    left, bottom, right, top = canvas.left, -canvas.bottom, canvas.right, -canvas.top
    places = ((left, bottom), (left, top), (right, top), (right, bottom), (left, bottom))
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
