"""A frame as SVG: Graphviz's shapes, our texts, classes for the states, and no ids at all.

Without ids two pictures on one page cannot get in each other's way; boxes and edges
are found by their ``data-key``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
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
    CLUSTERS,
    DASHES,
    EDGES,
    TRANSPARENT,
    Style,
    Theme,
)

XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
ATTRIBUTES_OF_THE_PAGE = (
    *("stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "style"),
    *("text-anchor", XML_SPACE, "fill"),
)
"""What the stylesheet says of the page's pictures, by the class of a box or an edge."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
CORNER = 9
"""Radius in points; that of a circle closest to the corner that Graphviz draws."""
LONG_FRACTION = re.compile(r"(\.\d)\d+")
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
    template = _template(layout)
    root = copy.deepcopy(template.frame)
    drawing = root[0]
    root.set("role", "img")
    root.set("aria-label", xml_text(description))
    root.set("font-family", CSS_FAMILY)
    paper = drawing[0]
    if background == TRANSPARENT:
        drawing.remove(paper)  # programs for slides draw the colour of that name black
    else:
        paper.set("fill", background or BACKGROUND[theme])
        paper.set("class", "background")
        if canvas is not None:
            paper.set("points", corners_of(canvas))
    if canvas is not None:
        spread_svg(root, drawing, canvas)
    pieces = "".join(_piece(key, film, looks[key], layout, theme) for key in template.groups)
    before, after = str(etree.tostring(root, encoding="unicode")).split(PLACE)
    return f"{before}{pieces}{after}"


class _Template:
    """What Graphviz drew, taken apart: a frame with a place in it, and the boxes and edges."""

    def __init__(self, svg: str) -> None:
        self.frame, self.groups = _taken_apart(svg)
        self.pieces: dict[object, str] = {}


# of a live graph, one picture after the other has the same places
@lru_cache(maxsize=8)
def _taken_apart(svg: str) -> tuple[etree._Element, dict[str, etree._Element]]:
    frame = etree.fromstring(svg.encode(), PARSER)
    etree.cleanup_namespaces(frame)
    frame.attrib.pop("class", None)
    drawing = frame.find(f"{{{SVG}}}g")
    for attribute in ("id", "class"):
        drawing.attrib.pop(attribute, None)
    groups: dict[str, etree._Element] = {}
    for child in list(drawing):
        if child.tag == f"{{{SVG}}}g":
            # a document of its own: taken out of this one, it would get a prefix for its names
            alone = etree.tostring(child, with_tail=False)
            groups[child.get("id")] = etree.fromstring(alone, PARSER)
        if child.tag != f"{{{SVG}}}polygon":
            drawing.remove(child)
    drawing.append(etree.PI("groups"))
    return frame, groups


PLACE = str(etree.tostring(etree.PI("groups"), encoding="unicode"))


def _template(layout: Layout) -> _Template:
    """Return the template of a layout, which is taken apart once for all its frames."""
    template = layout.kept.get("template")
    if not isinstance(template, _Template):
        template = layout.kept["template"] = _Template(layout.svg)
    return template


def _piece(key: str, film: Film, look: Look, layout: Layout, theme: Theme) -> str:
    """Return a box or an edge with a look; most of them are as in the frame before."""
    template = _template(layout)
    what = (key, look, theme)
    if what not in template.pieces:
        group = copy.deepcopy(template.groups[key])
        _dress(group, film, {key: look}, layout, theme)
        text = str(etree.tostring(group, encoding="unicode", with_tail=False))
        template.pieces[what] = text.replace(f' xmlns="{SVG}"', "", 1)
    return template.pieces[what]


def to_page_svg(film: Film, layout: Layout) -> str:
    """Draw the shapes alone: the page has a stylesheet for the colours, and writes the texts."""
    first = {reel.key: reel.values[0] for reel in film.reels}
    root = etree.fromstring(to_svg(film, first, layout))
    for one in root.iter():
        for name in ATTRIBUTES_OF_THE_PAGE:
            one.attrib.pop(name, None)
        if one.tag == f"{{{SVG}}}text":
            one.text = None
        if one.tag != f"{{{SVG}}}title":
            one.tail = None
        for name in ("d", "points", "x", "y"):
            if name in one.attrib:
                one.set(name, LONG_FRACTION.sub(r"\1", one.attrib[name]))
    for group in root.iter(f"{{{SVG}}}g"):
        if group.attrib.pop("class", "").startswith(("box ", "frame")):
            _outline(group)
    return str(etree.tostring(root, encoding="unicode"))


def _outline(box: etree._Element) -> None:
    """Write the path around a box as a rectangle with round corners: a fifth of the text."""
    for path in box.findall(f"{{{SVG}}}path"):
        numbers = [float(number) for number in NUMBER.findall(path.attrib.pop("d"))]
        left, top = min(numbers[::2]), min(numbers[1::2])
        path.tag = f"{{{SVG}}}rect"
        for name, number in (
            ("x", left),
            ("y", top),
            ("width", max(numbers[::2]) - left),
            ("height", max(numbers[1::2]) - top),
            ("rx", CORNER),
        ):
            path.set(name, f"{number:.1f}")


def _dress(
    group: etree._Element, film: Film, looks: Mapping[str, Look], layout: Layout, theme: Theme
) -> None:
    """Give the shapes and texts that Graphviz drew for one box or edge the look of a frame."""
    key = group.attrib.pop("id")
    look = looks[key]
    group.set("data-key", key)
    for title in group.findall(f"{{{SVG}}}title"):
        group.remove(title)
    if key in film.clusters:
        style = CLUSTERS[theme]
        group.set("class", "frame")
        _write_rows(_rows(group, BOX_FONT_SIZE), look.lines, [True], style)
    elif key in film.boxes:
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
