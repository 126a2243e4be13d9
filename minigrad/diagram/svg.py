"""A frame as SVG: Graphviz's shapes, our texts, classes for the states, and no ids at all.

Without ids two pictures on one page cannot get in each other's way; boxes and edges
are found by their ``data-key``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from minigrad.diagram.dot import BOX_FONT_SIZE, EDGE_FONT_SIZE, PADDING
from minigrad.diagram.film import Film, Look
from minigrad.diagram.fonts import CSS_FAMILY
from minigrad.diagram.layout import Layout
from minigrad.diagram.palette import BACKGROUND, BOXES, DASHES, EDGES, Theme

SVG = "http://www.w3.org/2000/svg"
ET.register_namespace("", SVG)
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_svg(
    film: Film,
    looks: Mapping[str, Look],
    layout: Layout,
    theme: Theme = "light",
    background: str | None = None,
    description: str = "",
) -> str:
    """Draw one frame as a standalone SVG.

    Parameters
    ----------
    film, looks, theme, background
        As in `minigrad.diagram.dot.to_dot`.
    layout : Layout
        Where everything stands.
    description : str
        What the picture says, for those who don't see it.
    """
    root = ET.fromstring(layout.svg)
    drawing = root.find(f"{{{SVG}}}g")
    assert drawing is not None
    root.attrib.pop("class", None)
    root.set("role", "img")
    root.set("aria-label", xml_text(description))
    root.set("font-family", CSS_FAMILY)
    for attribute in ("id", "class"):
        drawing.attrib.pop(attribute, None)
    for child in list(drawing):
        if child.tag == f"{{{SVG}}}polygon":
            child.set("fill", background or BACKGROUND[theme])
            child.set("class", "background")
        elif child.tag == f"{{{SVG}}}title":
            drawing.remove(child)
        else:
            _dress(child, film, looks, layout, theme)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True)


def _dress(
    group: ET.Element, film: Film, looks: Mapping[str, Look], layout: Layout, theme: Theme
) -> None:
    key = group.attrib.pop("id")
    look = looks[key]
    title = group.find(f"{{{SVG}}}title")
    if title is not None:
        group.remove(title)
    row_size = BOX_FONT_SIZE if key in film.boxes else EDGE_FONT_SIZE
    texts = []
    for text in list(group.iter(f"{{{SVG}}}text")):
        if float(text.get("font-size", 0)) == row_size:
            texts.append(text)
        else:  # a blank that only gives a row its height
            group.remove(text)
    lines = [xml_text(line) for line in look.lines] + [""] * len(texts)
    if key in film.boxes:
        reel = film.boxes[key]
        style = BOXES[theme][f"{reel.kind} {look.state}"]
        group.set("class", f"box {reel.kind} {look.state}" + (" changed" if look.changed else ""))
        if reel.title:
            name = ET.Element(f"{{{SVG}}}title")
            name.text = xml_text(reel.title)
            group.insert(0, name)
    else:
        style = EDGES[theme][look.state]
        group.set("class", f"edge {look.state}")
        for text in texts:
            # centred on the label's place, so that a shorter text stays in the middle
            text.set("text-anchor", "middle")
            text.set("x", layout.edges[key]["lp"].split(",")[0])
    group.set("data-key", key)
    for row, (text, line) in enumerate(zip(texts, lines, strict=False)):
        text.text = line
        text.set("fill", style.text)
        text.attrib.pop("font-family", None)
        text.set("style", "white-space: pre")
        bold = style.bold or (key in film.boxes and row == 0)
        if look.changed and row == len(look.lines) - 1:
            bold = True
        text.attrib.pop("font-weight", None)
        if bold:
            text.set("font-weight", "bold")
    for shape in (*group.iter(f"{{{SVG}}}path"), *group.iter(f"{{{SVG}}}polygon")):
        shape.set("stroke", style.line)
        if shape.get("fill") != "none":
            shape.set("fill", style.fill or style.line)
        if shape.tag == f"{{{SVG}}}path":
            shape.set("stroke-width", f"{style.width:g}")
            shape.attrib.pop("stroke-dasharray", None)
            if style.dashed:
                shape.set("stroke-dasharray", DASHES)


def xml_text(text: str) -> str:
    """Replace the characters that XML cannot hold; all others stay as they are."""
    return NOT_IN_XML.sub("\ufffd", text)


def canvas_size(layout: Layout) -> tuple[float, float]:
    """Return width and height of the picture in points, with its padding."""
    width, height = layout.size
    return width + 2 * PADDING, height + 2 * PADDING
