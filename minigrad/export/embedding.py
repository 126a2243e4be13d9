"""SVG files that look the same everywhere: with their font inside, or with letters as shapes."""

from __future__ import annotations

import base64
import io
from functools import cache, lru_cache
from typing import Any

from lxml import etree

from minigrad.diagram.dot import CHARACTER_WIDTH
from minigrad.diagram.fonts import CSS_FAMILY, USUAL, bundled_folder, check_drawable
from minigrad.diagram.on_canvas import SVG
from minigrad.engine.errors import DrawingError
from minigrad.trace.notation import ISOLATE

EMBEDDED = "minigrad mono"
FILES = {"normal": "DejaVuSansMono.ttf", "bold": "DejaVuSansMono-Bold.ttf"}


def with_fonts(svg: bytes) -> bytes:
    """Put the letters that an SVG uses into it, for machines without the font.

    Browsers use them; programs that don't know fonts inside a file take one of their own.
    """
    text = svg.decode()
    used = frozenset(map(ord, set(text))) | USUAL
    faces = "".join(_font_face(weight, used) for weight in FILES)
    family = f'font-family="{CSS_FAMILY}"'
    # xml:space is for programs that read no CSS
    text = text.replace(family, f'font-family="{EMBEDDED}, {CSS_FAMILY}" xml:space="preserve"', 1)
    start = text.index(">") + 1
    return f"{text[:start]}<style>{faces}</style>{text[start:]}".encode()


@lru_cache(maxsize=16)
def _font_face(weight: str, characters: frozenset[int]) -> str:
    """Return a CSS rule with the letters of a font that are needed."""
    from fontTools.subset import Options, Subsetter

    options = Options(layout_features=[], hinting=False, notdef_outline=True)
    options.drop_tables += ["FFTM"]  # dates of the font's making
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    file = io.BytesIO()
    with _open(weight, lazy=True) as font:  # of four thousand letters, a hundred are needed
        subsetter.subset(font)
        font.flavor = "woff"
        font["head"].modified = font["head"].created  # and not today
        font.recalcTimestamp = False
        font.save(file)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        f"@font-face{{font-family:'{EMBEDDED}';font-weight:{weight};"
        f"src:url(data:font/woff;base64,{data}) format('woff')}}"
    )


def with_outlines(svg: bytes) -> bytes:
    """Draw all letters of an SVG as shapes, which look the same in every program.

    Raises
    ------
    DrawingError
        If the bundled fonts don't have a letter.
    """
    root = etree.fromstring(svg)
    _outline(root)
    return str(etree.tostring(root, encoding="unicode")).encode()


def _outline(parent: etree._Element) -> None:
    for place, child in enumerate(list(parent)):
        if child.tag == f"{{{SVG}}}text":
            parent[place] = _shapes(child)
        else:
            _outline(child)


def _shapes(text: etree._Element) -> etree._Element:
    """Return the letters of one row as one shape."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    font = _font(text.get("font-weight", "normal"))
    letters, names = font.getGlyphSet(), font.getBestCmap()
    row = text.text or ""
    check_drawable([row])
    if ISOLATE in row:
        raise DrawingError(
            f"letters that run from right to left cannot be drawn as shapes, as in "
            f"{row.strip()}; leave outlines out, or save as .pdf"
        )
    missing = {c for c in row if ord(c) not in names and c != "\u00a0"}
    if missing:
        raise DrawingError(
            f"the bundled font has no {', '.join(sorted(missing))} to draw as a shape; leave "
            f"outlines out, or save as .pdf"
        )
    size = float(text.get("font-size", 0))
    x, y = float(text.get("x", 0)), float(text.get("y", 0))
    if text.get("text-anchor") == "middle":
        x -= len(row) * size * CHARACTER_WIDTH / 2
    scale = size / font["head"].unitsPerEm
    pen = SVGPathPen(letters, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
    for place, letter in enumerate(row):
        start = x + place * size * CHARACTER_WIDTH
        glyph = letters[names.get(ord(letter), "space")]
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, start, y)))
    shape = etree.Element(
        f"{{{SVG}}}path",
        {"d": pen.getCommands(), "fill": text.get("fill", "")},
        nsmap={None: SVG},
    )
    shape.tail = text.tail
    return shape


@cache
def _font(weight: str) -> Any:
    return _open(weight)


def _open(weight: str, *, lazy: bool = False) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(bundled_folder() / FILES[weight], lazy=lazy)  # which closes it if not lazy
