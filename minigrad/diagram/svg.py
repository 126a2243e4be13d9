"""A frame as SVG: Graphviz's shapes, our texts, classes for the states, and no ids at all.

Without ids two pictures on one page cannot get in each other's way; boxes and edges
are found by their ``data-key``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from lxml import etree

from minigrad.diagram.canvas import Canvas
from minigrad.diagram.curves import Curve
from minigrad.diagram.dot import BOX_FONT_SIZE, CHARACTER_WIDTH, EDGE_FONT_SIZE
from minigrad.diagram.film import Film, Look
from minigrad.diagram.fonts import CSS_FAMILY
from minigrad.diagram.layout import Layout
from minigrad.diagram.on_canvas import SVG, corners_of, cover_svg, svg_head
from minigrad.diagram.palette import BACKGROUND, BOXES, CLUSTERS, DASHES, EDGES, TRANSPARENT, Theme
from minigrad.diagram.rows import cells_of

XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PAINT = (
    *("stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight"),
    *("text-anchor", XML_SPACE, "fill"),
)
"""What Graphviz writes and, in the page, the stylesheet says by the class of a box or an edge."""
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
    root = template.new_root(description)
    drawing = root[0]
    paper = drawing[0]
    if background == TRANSPARENT:
        drawing.remove(paper)  # programs for slides draw the colour of that name black
    else:
        paper.set("fill", background or BACKGROUND[theme])
        paper.set("class", "background")
        if canvas is not None:
            paper.set("points", corners_of(canvas))
    if canvas is not None:
        cover_svg(root, drawing, canvas)
    return _whole(root, (_piece(key, film, looks[key], layout, theme) for key in template.groups))


def svg_size(layout: Layout) -> tuple[float, float]:
    """Return the width and the height of an SVG of the diagram alone, in points."""
    width, height = _template(layout).new_root().get("viewBox").split()[2:]
    return float(width), float(height)


def to_page_svg(film: Film, layout: Layout) -> str:
    """Draw the shapes alone: the page has a stylesheet for the colours, and writes the texts."""
    template = _template(layout)
    root = template.new_root()
    root[0][0].set("class", "background")
    _strip(root)
    return _whole(root, (_page_piece(key, film, layout) for key in template.groups))


class _Template:
    """What Graphviz drew, taken apart: a root with a place in it, and the boxes and edges."""

    def __init__(self, svg: str) -> None:
        self._root, self.groups = _taken_apart(svg)
        self.pieces: dict[object, str] = {}

    def new_root(self, description: str = "") -> etree._Element:
        """Return a root to fill, for a picture that says this to those who don't see it."""
        root = copy.deepcopy(self._root)
        root.set("role", "img")
        root.set("aria-label", xml_text(description))
        root.set("font-family", CSS_FAMILY)
        root.set("direction", "ltr")  # wherever it is put: places of text are counted from the left
        return root


# of a live graph, one picture after the other has the same places
@lru_cache(maxsize=8)
def _taken_apart(svg: str) -> tuple[etree._Element, dict[str, etree._Element]]:
    root = etree.fromstring(svg.encode(), PARSER)
    etree.cleanup_namespaces(root)
    root.attrib.pop("class", None)
    drawing = root.find(f"{{{SVG}}}g")
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
    return root, groups


PLACE = str(etree.tostring(etree.PI("groups"), encoding="unicode"))


def _template(layout: Layout) -> _Template:
    """Return the template of a layout, which is taken apart once for all its frames."""
    template = layout.kept.get("template")
    if not isinstance(template, _Template):
        template = layout.kept["template"] = _Template(layout.svg)
    return template


def _whole(root: etree._Element, pieces: Iterable[str]) -> str:
    before, after = str(etree.tostring(root, encoding="unicode")).split(PLACE)
    return f"{before}{''.join(pieces)}{after}"


def _as_piece(group: etree._Element) -> str:
    text = str(etree.tostring(group, encoding="unicode", with_tail=False))
    return text.replace(f' xmlns="{SVG}"', "", 1)


def _piece(key: str, film: Film, look: Look, layout: Layout, theme: Theme) -> str:
    """Return a box or an edge with a look; most of them are as in the frame before."""
    template = _template(layout)
    what = (key, look, theme)
    if what not in template.pieces:
        group = copy.deepcopy(template.groups[key])
        rows = _set_up(group, key, film, layout)
        _dress(group, rows, key, film, look)
        if key in film.edges and look.changed:
            group.append(_back_head(key, layout))
        _paint(group, rows, key, film, look, theme)
        for row, line in zip(rows, look.lines, strict=False):
            _set_columns(row, line)
        template.pieces[what] = _as_piece(group)
    return template.pieces[what]


def _page_piece(key: str, film: Film, layout: Layout) -> str:
    """Return the shapes of a box or an edge, without any look."""
    group = copy.deepcopy(_template(layout).groups[key])
    for row in _set_up(group, key, film, layout):
        row.text = None
    group.attrib.pop("class")
    if key in film.edges:
        group.append(_back_head(key, layout))  # which is seen when something is passed back
    _strip(group)
    if key not in film.edges:
        _outline(group)
    return _as_piece(group)


def _back_head(key: str, layout: Layout) -> etree._Element:
    """Return the head that points to the operand of an edge."""
    return svg_head(Curve.read(layout.edges[key]["pos"]).back())


def _strip(root: etree._Element) -> None:
    """Take out what the page's stylesheet says, and what nobody sees."""
    for one in root.iter(etree.Element):
        for name in PAINT:
            one.attrib.pop(name, None)
        for name in ("d", "points", "x", "y"):
            if name in one.attrib:
                one.set(name, LONG_FRACTION.sub(r"\1", one.attrib[name]))
        one.tail = None


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


def _set_up(group: etree._Element, key: str, film: Film, layout: Layout) -> list[etree._Element]:
    """Make of what Graphviz drew what all frames have in common, and return its rows of text."""
    del group.attrib["id"]
    group.set("data-key", key)
    for title in group.findall(f"{{{SVG}}}title"):
        group.remove(title)
    if key in film.edges:
        rows = _rows(group, EDGE_FONT_SIZE)
        for row in rows:
            # centred on the label's place, so that a shorter text stays in the middle
            row.set("text-anchor", "middle")
            row.set("x", layout.edges[key]["lp"].split(",")[0])
        return rows
    if key in film.boxes and film.boxes[key].title:
        name = etree.Element(f"{{{SVG}}}title", nsmap={None: SVG})
        name.text = xml_text(film.boxes[key].title)
        group.insert(0, name)
    return _rows(group, BOX_FONT_SIZE)


def _rows(group: etree._Element, font_size: int) -> list[etree._Element]:
    """Return the rows of text, after taking out the blanks that only give them their height."""
    texts = list(group.iter(f"{{{SVG}}}text"))
    rows = [text for text in texts if float(text.get("font-size", 0)) == font_size]
    for text in texts:
        if text in rows:
            text.attrib.pop("font-family", None)  # the root has one for all
        else:
            group.remove(text)
    return rows


def _dress(
    group: etree._Element, rows: Sequence[etree._Element], key: str, film: Film, look: Look
) -> None:
    """Give a box or an edge the class and the texts of a look."""
    changed = " changed" if look.changed else ""
    if key in film.boxes:
        group.set("class", f"box {film.boxes[key].kind} {look.state}{changed}")
    else:
        group.set("class", f"edge {look.state}{changed}" if key in film.edges else "frame")
    for row, text in zip_longest(rows, look.rows[: len(rows)]):
        row.text = xml_text(text or "")


def _set_columns(row: etree._Element, line: str) -> None:
    """Make of a row as many elements as it has cells, each at the place of its column."""
    (_, first), *others = cells_of(line)
    row.text = xml_text(first)
    for column, text in others:
        cell = copy.deepcopy(row)
        cell.text = xml_text(text)
        cell.set("x", f"{float(row.get('x', 0)) + column * BOX_FONT_SIZE * CHARACTER_WIDTH:.2f}")
        row.addnext(cell)


def _paint(
    group: etree._Element,
    rows: Sequence[etree._Element],
    key: str,
    film: Film,
    look: Look,
    theme: Theme,
) -> None:
    """Give a box or an edge the colours, lines and letters of a look."""
    if key in film.boxes:
        style, bold = BOXES[theme][f"{film.boxes[key].kind} {look.state}"], look.bold_rows
    elif key in film.edges:
        style = EDGES[theme][look.state]
        bold = [style.bold] * len(rows)
    else:
        style, bold = CLUSTERS[theme], [True]
    for row, is_bold in zip_longest(rows, bold[: len(rows)]):
        row.set("fill", style.text)
        row.set("style", "white-space: pre")
        row.attrib.pop("font-weight", None)
        if is_bold:
            row.set("font-weight", "bold")
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
