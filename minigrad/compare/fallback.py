"""Two pictures in one, each under its title: for viewers that show no widgets."""

from __future__ import annotations

import io
from collections.abc import Sequence

from lxml import etree

from minigrad.compare.words import described
from minigrad.diagram.fonts import CSS_FAMILY, bundled_folder
from minigrad.diagram.on_canvas import SVG
from minigrad.diagram.palette import BACKGROUND, INKS
from minigrad.diagram.svg import svg_size, xml_text
from minigrad.export import Drawing
from minigrad.export.embedding import FILES

TITLE_SIZE = 15
"""Points; a title and the space around it take twice as much."""


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


def stacked_png(pictures: Sequence[tuple[str, Drawing]], width: int) -> bytes:
    """Return the same as a PNG of that many pixels in width."""
    from PIL import Image, ImageDraw, ImageFont

    widths = [svg_size(drawing.layout)[0] for _, drawing in pictures]
    scale = width / max(widths)
    size = max(TITLE_SIZE, round(TITLE_SIZE * scale))  # pixels, however small the pictures get
    band = 2 * size
    images = []
    for (title, drawing), own_width in zip(pictures, widths, strict=True):
        picture = Image.open(io.BytesIO(drawing.png(round(scale * own_width))))
        image = Image.new("RGB", (width, picture.height + band), BACKGROUND["light"])
        font = ImageFont.truetype(bundled_folder() / FILES["bold"], size)
        start = (size, band / 4)
        ImageDraw.Draw(image).text(start, title, INKS["light"].plain, font)
        image.paste(picture, (0, band))
        images.append(image)
    whole = Image.new("RGB", (width, sum(image.height for image in images)))
    height = 0
    for image in images:
        whole.paste(image, (0, height))
        height += image.height
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()
