"""The colours of a diagram: one table behind the widget's stylesheet, the SVG and the DOT.

A state is never told by colour alone: the outline is thicker, thinner or dashed, and the
text of the box says it too. Contrasts of text are at least 4.5 : 1 in both themes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minigrad.engine.errors import DrawingError

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Style:
    """How a box or an edge is drawn.

    Attributes
    ----------
    fill, line, text : str
        Colours; an edge has no fill.
    width : float
        Of the outline or the edge, in points.
    dashed : bool
        Whether the outline or the edge is dashed.
    bold : bool
        Whether all of the text is bold.
    """

    fill: str
    line: str
    text: str
    width: float = 1.2
    dashed: bool = False
    bold: bool = False


TRANSPARENT = "transparent"
BACKGROUND: dict[Theme, str] = {"light": "#ffffff", "dark": "#16191d"}

BOXES: dict[Theme, dict[str, Style]] = {
    "light": {
        "leaf waiting": Style("#e8effb", "#0b58a5", "#16202b"),
        "leaf active": Style("#e8effb", "#0b58a5", "#16202b", 3),
        "leaf done": Style("#e8effb", "#0b58a5", "#16202b"),
        "frozen waiting": Style("#f4f5f7", "#6a7380", "#3b434d", dashed=True),
        "node absent": Style("#ffffff", "#a7afba", "#646d79", dashed=True),
        "node waiting": Style("#ffffff", "#59636f", "#16202b"),
        "node active": Style("#fff1c2", "#b0741a", "#16202b", 3),
        "node wasted": Style("#fff1c2", "#b0741a", "#16202b", 2, dashed=True),
        "node done": Style("#dcf1e4", "#187a36", "#16202b"),
        "node dead": Style("#eeeff1", "#7a838f", "#59616c", dashed=True),
        "group absent": Style("#fbfaff", "#a9a2bd", "#646d79", dashed=True),
        "group waiting": Style("#f5f2fd", "#5b4b8a", "#16202b", 2),
        "group active": Style("#fff1c2", "#b0741a", "#16202b", 3.4),
        "group wasted": Style("#fff1c2", "#b0741a", "#16202b", 2, dashed=True),
        "group done": Style("#dcf1e4", "#187a36", "#16202b", 2),
        "group dead": Style("#eeeff1", "#7a838f", "#59616c", 2, dashed=True),
        "outside waiting": Style("#ffffff", "#c3c9d1", "#59616c", 1),
    },
    "dark": {
        "leaf waiting": Style("#142c47", "#6db1ff", "#e7edf4"),
        "leaf active": Style("#142c47", "#6db1ff", "#e7edf4", 3),
        "leaf done": Style("#142c47", "#6db1ff", "#e7edf4"),
        "frozen waiting": Style("#23272d", "#9aa5b3", "#c3ccd6", dashed=True),
        "node absent": Style("#16191d", "#5b6570", "#98a2ae", dashed=True),
        "node waiting": Style("#1f242a", "#b3bdc9", "#e7edf4"),
        "node active": Style("#4b3705", "#f2b632", "#fff4d6", 3),
        "node wasted": Style("#4b3705", "#f2b632", "#fff4d6", 2, dashed=True),
        "node done": Style("#123420", "#57c97e", "#e7f5ec"),
        "node dead": Style("#23262a", "#87919d", "#a9b2bd", dashed=True),
        "group absent": Style("#1a1822", "#5f5a70", "#98a2ae", dashed=True),
        "group waiting": Style("#262238", "#a99ad9", "#e7edf4", 2),
        "group active": Style("#4b3705", "#f2b632", "#fff4d6", 3.4),
        "group wasted": Style("#4b3705", "#f2b632", "#fff4d6", 2, dashed=True),
        "group done": Style("#123420", "#57c97e", "#e7f5ec", 2),
        "group dead": Style("#23262a", "#87919d", "#a9b2bd", 2, dashed=True),
        "outside waiting": Style("#16191d", "#4a535d", "#a9b2bd", 1),
    },
}

EDGES: dict[Theme, dict[str, Style]] = {
    "light": {
        "absent": Style("", "#c3c9d1", "#646d79", dashed=True),
        "waiting": Style("", "#7b8593", "#59636f"),
        "active": Style("", "#b0741a", "#7a4700", 2.6, bold=True),
        "wasted": Style("", "#b0741a", "#7a4700", 1.6, dashed=True, bold=True),
        "done": Style("", "#7b8593", "#187a36"),
        "dead": Style("", "#9aa2ad", "#59616c", dashed=True),
    },
    "dark": {
        "absent": Style("", "#4a535d", "#98a2ae", dashed=True),
        "waiting": Style("", "#8f9aa7", "#b3bdc9"),
        "active": Style("", "#f2b632", "#f7c95c", 2.6, bold=True),
        "wasted": Style("", "#f2b632", "#f7c95c", 1.6, dashed=True, bold=True),
        "done": Style("", "#8f9aa7", "#6fd593"),
        "dead": Style("", "#6d7783", "#a9b2bd", dashed=True),
    },
}

CLUSTERS: dict[Theme, Style] = {
    "light": Style("#faf9fe", "#a79bcb", "#5b4b8a", 1.2),
    "dark": Style("#1b1926", "#6b6190", "#c4b8ea", 1.2),
}
"""Around the boxes of a group that is open."""

DASHES = "5,3"


@dataclass(frozen=True)
class Ink:
    """The colours of text beside a diagram: plain, less important, and behind what is new."""

    plain: str
    soft: str
    mark: str


INKS: dict[Theme, Ink] = {
    "light": Ink("#16202b", "#59636f", "#fff1c2"),
    "dark": Ink("#e7edf4", "#a9b4c0", "#4b3705"),
}


def check_background(colour: str | None, theme: Theme) -> str:
    """Return a background as Graphviz and SVG write it; by default that of the theme.

    Raises
    ------
    DrawingError
        If it is no colour.
    """
    if colour is None:
        return BACKGROUND[theme]
    if colour in (TRANSPARENT, "none"):
        return TRANSPARENT
    from matplotlib.colors import to_hex

    try:
        return to_hex(colour)
    except (ValueError, TypeError):
        raise DrawingError(
            f"unknown background: {colour!r}; use a colour such as 'white' or '#16191d', or "
            f"'transparent'"
        ) from None


def check_theme(theme: str) -> Theme:
    """Return a theme if there is one of that name.

    Raises
    ------
    DrawingError
        If there is none.
    """
    if theme not in BACKGROUND:
        raise DrawingError(f"unknown theme: {theme!r} (must be one of 'light', 'dark')")
    return theme


def stylesheet(scope: str) -> str:
    """Return CSS rules that draw boxes and edges by their classes, for both themes.

    Parameters
    ----------
    scope : str
        The selector that all rules are put under; the dark rules are put under the same
        selector followed by ``.mg-dark``.
    """
    rules = []
    selectors: dict[Theme, str] = {"light": scope, "dark": f"{scope}.mg-dark"}
    for theme, selector in selectors.items():
        for name, style in BOXES[theme].items():
            box = f"{selector} .box.{name.replace(' ', '.')}"
            rules.append(
                f"{box} :is(path, rect) {{ fill: {style.fill}; stroke: {style.line}; "
                f"stroke-width: {style.width}; stroke-dasharray: {_dashes(style)}; }}"
            )
            rules.append(f"{box} text {{ fill: {style.text}; }}")
        cluster = CLUSTERS[theme]
        rules.append(
            f"{selector} .frame :is(path, rect) {{ fill: {cluster.fill}; stroke: {cluster.line}; "
            f"stroke-width: {cluster.width}; }}"
        )
        rules.append(f"{selector} .frame text {{ fill: {cluster.text}; }}")
        for name, style in EDGES[theme].items():
            edge = f"{selector} .edge.{name}"
            rules.append(
                f"{edge} path {{ stroke: {style.line}; stroke-width: {style.width}; "
                f"stroke-dasharray: {_dashes(style)}; }}"
            )
            rules.append(f"{edge} polygon {{ fill: {style.line}; stroke: {style.line}; }}")
            weight = "bold" if style.bold else "normal"
            rules.append(f"{edge} text {{ fill: {style.text}; font-weight: {weight}; }}")
    # where the system chooses the colours, the page says which of them mean what
    return "\n".join(["@media (forced-colors: none) {", *rules, "}"])


def _dashes(style: Style) -> str:
    return DASHES if style.dashed else "none"
