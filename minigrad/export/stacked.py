"""Several pictures in one, each under its title: for viewers that show no widgets."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from lxml import etree

from minigrad.diagram.canvas import Canvas, Note, even_size, plain_canvas
from minigrad.diagram.dot import CHARACTER_WIDTH
from minigrad.diagram.fonts import CSS_FAMILY
from minigrad.diagram.on_canvas import SVG
from minigrad.diagram.palette import BACKGROUND, INKS
from minigrad.diagram.svg import svg_size, xml_text
from minigrad.export.caption import wrap
from minigrad.export.drawing import Drawing
from minigrad.export.mime_bundle import png_width

TITLE_SIZE = 15
"""Points; a title and the space around it take twice as much."""


def described(pictures: Sequence[tuple[str, Drawing]]) -> str:
    """Return what pictures say, each behind its title."""
    return " ".join(f"{title}: {drawing.description}" for title, drawing in pictures)


def stacked_svg(pictures: Sequence[tuple[str, Drawing]]) -> str:
    """Return an SVG with pictures below each other, each under its title."""
    root = etree.Element(f"{{{SVG}}}svg", nsmap={None: SVG})
    height = width = 0.0
    for title, drawing in pictures:
        height += 2 * TITLE_SIZE
        text = etree.SubElement(root, f"{{{SVG}}}text", x=f"{TITLE_SIZE}", y=f"{height - 8:g}")
        text.text = xml_text(title)
        for name, value in (
            ("font-size", f"{TITLE_SIZE}"),
            ("font-weight", "bold"),
            ("fill", INKS["light"].plain),
        ):
            text.set(name, value)
        picture = etree.fromstring(drawing.svg.encode())
        own_width, own_height = svg_size(drawing.layout)
        for name, length in (("y", height), ("width", own_width), ("height", own_height)):
            picture.set(name, f"{length:g}")
        root.append(picture)
        height += own_height
        width = max(width, own_width)
    paper = etree.Element(f"{{{SVG}}}rect", width="100%", height="100%", fill=BACKGROUND["light"])
    root.insert(0, paper)
    root.set("width", f"{width:g}pt")
    root.set("height", f"{height:g}pt")
    root.set("viewBox", f"0 0 {width:g} {height:g}")
    root.set("role", "img")
    root.set("aria-label", xml_text(described(pictures)))
    root.set("font-family", CSS_FAMILY)
    root.set("direction", "ltr")
    return str(etree.tostring(root, encoding="unicode"))


def stacked_png(pictures: Sequence[tuple[str, Drawing]]) -> bytes:
    """Return the same as a PNG."""
    from PIL import Image

    sizes = [plain_canvas(drawing.layout).size for _, drawing in pictures]
    across = max(own_across for own_across, _ in sizes)
    width = png_width(across, sum(down for _, down in sizes))
    images = []
    for title, drawing in pictures:
        canvas = _titled(drawing, title, across, width)
        images.append(Image.open(io.BytesIO(drawing.render("png", width=width, canvas=canvas))))
    whole = Image.new("RGB", (width, sum(image.height for image in images)))
    height = 0
    for image in images:
        whole.paste(image, (0, height))
        height += image.height
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


def _titled(drawing: Drawing, title: str, across: float, pixels: int) -> Canvas:
    """Return a canvas so many points wide, for a picture below its title."""
    canvas = plain_canvas(drawing.layout)
    size = even_size(TITLE_SIZE * max(1.0, across / pixels))  # to be read, however small it gets
    rows = wrap(title, max(1, int((across - 2 * size) / (size * CHARACTER_WIDTH))))
    top = canvas.top + 2 * size * len(rows)
    notes = [
        Note(canvas.left + size, top - (2 * row + 1) * size, text, size, INKS["light"].plain, True)
        for row, text in enumerate(rows)
    ]
    return replace(canvas, right=canvas.left + across, top=top, notes=tuple(notes))
