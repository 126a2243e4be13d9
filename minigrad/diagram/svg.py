"""A frame as SVG: Graphviz's shapes, our texts, classes for the states, and no ids at all.

Without ids two pictures on one page cannot get in each other's way; boxes and edges
are found by their ``data-key``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from lxml import etree

from minigrad.diagram.canvas import Canvas
from minigrad.diagram.dot import BOX_FONT_SIZE, EDGE_FONT_SIZE
from minigrad.diagram.film import Film, Look
from minigrad.diagram.fonts import CSS_FAMILY
from minigrad.diagram.layout import Layout
from minigrad.diagram.on_canvas import SVG, corners_of, spread_svg
from minigrad.diagram.palette import (
    BACKGROUND,
    BOXES,
    DASHES,
    EDGES,
    TRANSPARENT,
    Style,
    Theme,
)

# Graphviz's own output, whose document type nobody needs to fetch
PARSER = etree.XMLParser(
    remove_comments=True, resolve_entities=False, no_network=True, load_dtd=False
)
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_svg(
    film: Film,
    looks: Mapping[str, Look],
    layout: Layout,
    theme: Theme = "light",
    background: str | None = None,
    description: str = "",
    canvas: Canvas | None = None,
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
    canvas : Canvas, optional
        What to cover; by default the diagram alone.
    """
    root = etree.fromstring(layout.svg.encode(), PARSER)
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
            if background == TRANSPARENT:
                drawing.remove(child)  # programs for slides draw the colour of that name black
                continue
            child.set("fill", background or BACKGROUND[theme])
            child.set("class", "background")
            if canvas is not None:
                child.set("points", corners_of(canvas))
        elif child.tag == f"{{{SVG}}}title":
            drawing.remove(child)
        else:
            _dress(child, film, looks, layout, theme)
    if canvas is not None:
        spread_svg(root, drawing, canvas)
    return str(etree.tostring(root, encoding="unicode"))


def _dress(
    group: etree._Element, film: Film, looks: Mapping[str, Look], layout: Layout, theme: Theme
) -> None:
    """Give the shapes and texts that Graphviz drew for one box or edge the look of a frame."""
    key = group.attrib.pop("id")
    look = looks[key]
    group.set("data-key", key)
    for title in group.findall(f"{{{SVG}}}title"):
        group.remove(title)
    if key in film.boxes:
        reel = film.boxes[key]
        style = BOXES[theme][f"{reel.kind} {look.state}"]
        group.set("class", f"box {reel.kind} {look.state}" + (" changed" if look.changed else ""))
        _write_rows(_rows(group, BOX_FONT_SIZE), look.lines, look.bold_rows, style)
        if reel.title:
            name = etree.Element(f"{{{SVG}}}title", nsmap={None: SVG})
            name.text = xml_text(reel.title)
            group.insert(0, name)
    else:
        style = EDGES[theme][look.state]
        group.set("class", f"edge {look.state}")
        rows = _rows(group, EDGE_FONT_SIZE)
        for row in rows:
            # centred on the label's place, so that a shorter text stays in the middle
            row.set("text-anchor", "middle")
            row.set("x", layout.edges[key]["lp"].split(",")[0])
        _write_rows(rows, look.lines, [style.bold] * len(rows), style)
    _paint(group, style)


def _rows(group: etree._Element, font_size: int) -> list[etree._Element]:
    """Return the rows of text, after taking out the blanks that only give them their height."""
    texts = list(group.iter(f"{{{SVG}}}text"))
    rows = [text for text in texts if float(text.get("font-size", 0)) == font_size]
    for text in texts:
        if text not in rows:
            group.remove(text)
    return rows


def _write_rows(
    rows: Sequence[etree._Element], lines: Sequence[str], bold: Sequence[bool], style: Style
) -> None:
    for text, line, is_bold in zip_longest(rows, lines[: len(rows)], bold[: len(rows)]):
        text.text = xml_text(line or "")
        text.set("fill", style.text)
        text.set("style", "white-space: pre")
        text.attrib.pop("font-family", None)
        text.attrib.pop("font-weight", None)
        if is_bold:
            text.set("font-weight", "bold")


def _paint(group: etree._Element, style: Style) -> None:
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
