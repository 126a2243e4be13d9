"""The colours of a diagram: one table behind the widget's stylesheet, the SVG and the DOT.

A state is never told by colour alone: the outline is thicker, thinner or dashed, and the
text of the box says it too. Contrasts of text are at least 4.5 : 1 in both themes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, cast

from minigrad.engine.checks import one_of
from minigrad.engine.errors import DrawingError, told

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


@dataclass(frozen=True)
class Ink:
    """The colours beside a diagram, by what they are for; the diagram shares some of them."""

    plain: str  # text
    soft: str  # text that matters less
    background: str
    border: str
    bar: str  # behind what can be pressed
    note: str  # behind the words of a step
    accent: str  # leaves, and what is to be pressed next
    on_accent: str
    mark: str  # behind what is new
    mark_ink: str
    active: str  # around what is at work
    wrong: str
    plus: str
    minus: str
    promise: str
    path: str
    differs: str


LIGHT = Ink(
    plain="#16202b",
    soft="#59636f",
    background="#ffffff",
    border="#cfd5dc",
    bar="#f3f5f7",
    note="#fdf9e8",
    accent="#0b58a5",
    on_accent="#ffffff",
    mark="#fff1c2",
    mark_ink="#16202b",
    active="#b0741a",
    wrong="#a3260f",
    plus="#5aa2e6",
    minus="#e8963c",
    promise="#9a5b00",
    path="#8427b8",
    differs="#b3005e",
)
DARK = Ink(
    plain="#e7edf4",
    soft="#a9b4c0",
    background="#16191d",
    border="#3a424b",
    bar="#20252b",
    note="#262415",
    accent="#6db1ff",
    on_accent="#0b1520",
    mark="#4b3705",
    mark_ink="#fff4d6",
    active="#f2b632",
    wrong="#ff9b85",
    plus="#2f6fb5",
    minus="#a85d12",
    promise="#f2b632",
    path="#d9a6ff",
    differs="#ff8cc6",
)
INKS: dict[Theme, Ink] = {"light": LIGHT, "dark": DARK}
TRANSPARENT = "transparent"
BACKGROUND: dict[Theme, str] = {theme: ink.background for theme, ink in INKS.items()}

BOXES: dict[Theme, dict[str, Style]] = {
    "light": {
        "leaf waiting": Style("#e8effb", LIGHT.accent, LIGHT.plain),
        "leaf active": Style("#e8effb", LIGHT.accent, LIGHT.plain, 3),
        "leaf done": Style("#e8effb", LIGHT.accent, LIGHT.plain),
        "frozen waiting": Style("#f4f5f7", "#6a7380", "#3b434d", dashed=True),
        "node absent": Style(LIGHT.background, "#a7afba", "#646d79", dashed=True),
        "node waiting": Style(LIGHT.background, LIGHT.soft, LIGHT.plain),
        "node active": Style(LIGHT.mark, LIGHT.active, LIGHT.mark_ink, 3),
        "node wasted": Style(LIGHT.mark, LIGHT.active, LIGHT.mark_ink, 2, dashed=True),
        "node done": Style("#dcf1e4", "#187a36", LIGHT.plain),
        "node dead": Style("#eeeff1", "#7a838f", "#59616c", dashed=True),
        "group absent": Style("#fbfaff", "#a9a2bd", "#646d79", dashed=True),
        "group waiting": Style("#f5f2fd", "#5b4b8a", LIGHT.plain, 2),
        "group active": Style(LIGHT.mark, LIGHT.active, LIGHT.mark_ink, 3.4),
        "group wasted": Style(LIGHT.mark, LIGHT.active, LIGHT.mark_ink, 2, dashed=True),
        "group done": Style("#dcf1e4", "#187a36", LIGHT.plain, 2),
        "group dead": Style("#eeeff1", "#7a838f", "#59616c", 2, dashed=True),
        "outside waiting": Style(LIGHT.background, "#c3c9d1", "#59616c", 1),
    },
    "dark": {
        "leaf waiting": Style("#142c47", DARK.accent, DARK.plain),
        "leaf active": Style("#142c47", DARK.accent, DARK.plain, 3),
        "leaf done": Style("#142c47", DARK.accent, DARK.plain),
        "frozen waiting": Style("#23272d", "#9aa5b3", "#c3ccd6", dashed=True),
        "node absent": Style(DARK.background, "#5b6570", "#98a2ae", dashed=True),
        "node waiting": Style("#1f242a", "#b3bdc9", DARK.plain),
        "node active": Style(DARK.mark, DARK.active, DARK.mark_ink, 3),
        "node wasted": Style(DARK.mark, DARK.active, DARK.mark_ink, 2, dashed=True),
        "node done": Style("#123420", "#57c97e", "#e7f5ec"),
        "node dead": Style("#23262a", "#87919d", "#a9b2bd", dashed=True),
        "group absent": Style("#1a1822", "#5f5a70", "#98a2ae", dashed=True),
        "group waiting": Style("#262238", "#a99ad9", DARK.plain, 2),
        "group active": Style(DARK.mark, DARK.active, DARK.mark_ink, 3.4),
        "group wasted": Style(DARK.mark, DARK.active, DARK.mark_ink, 2, dashed=True),
        "group done": Style("#123420", "#57c97e", "#e7f5ec", 2),
        "group dead": Style("#23262a", "#87919d", "#a9b2bd", 2, dashed=True),
        "outside waiting": Style(DARK.background, "#4a535d", "#a9b2bd", 1),
    },
}

EDGES: dict[Theme, dict[str, Style]] = {
    "light": {
        "absent": Style("", "#c3c9d1", "#646d79", dashed=True),
        "waiting": Style("", "#7b8593", LIGHT.soft),
        "active": Style("", LIGHT.active, "#7a4700", 2.6, bold=True),
        "wasted": Style("", LIGHT.active, "#7a4700", 1.6, dashed=True, bold=True),
        "done": Style("", "#7b8593", "#187a36"),
        "dead": Style("", "#9aa2ad", "#59616c", dashed=True),
    },
    "dark": {
        "absent": Style("", "#4a535d", "#98a2ae", dashed=True),
        "waiting": Style("", "#8f9aa7", "#b3bdc9"),
        "active": Style("", DARK.active, "#f7c95c", 2.6, bold=True),
        "wasted": Style("", DARK.active, "#f7c95c", 1.6, dashed=True, bold=True),
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

DARK_PAGES = (
    'body[data-jp-theme-light="false"]',  # JupyterLab and Notebook
    'body[data-vscode-theme-kind$="dark"]',
    'body[data-vscode-theme-kind="vscode-high-contrast"]',
    'html[theme="dark"]',  # Colab
    '[data-theme="dark"]',  # pages that are made of notebooks
)
"""What is around a picture in a page that says that it is dark."""
DARKENED = "invert(0.93) hue-rotate(180deg) saturate(1.5)"
"""Makes of a light picture a dark one, with the same hues. A picture in an ``<img>`` does not
learn what page it is in; this is said from outside of it, and needs no second picture."""


def check_background(colour: str | None, theme: Theme) -> str:
    """Return a background as Graphviz and SVG write it; by default that of the theme.

    Raises
    ------
    DrawingError
        If it is no colour.
    """
    if colour is None:
        return BACKGROUND[theme]
    if isinstance(colour, str) and colour in (TRANSPARENT, "none"):
        return TRANSPARENT
    from matplotlib.colors import to_hex

    try:
        return to_hex(colour)
    except Exception:  # what is no colour is refused in many ways
        raise DrawingError(
            f"unknown background: {told(colour)}; use a colour such as 'white' or '#16191d', or "
            f"'transparent'"
        ) from None


def check_theme(theme: str) -> Theme:
    """Return a theme if there is one of that name.

    Raises
    ------
    DrawingError
        If there is none.
    """
    return cast(Theme, one_of(theme, "theme", BACKGROUND, DrawingError))


def stylesheet(scope: str) -> str:
    """Return CSS: the colours as properties, and rules that draw boxes and edges by their classes.

    Parameters
    ----------
    scope : str
        The selector that all rules are put under; the dark rules are put under the same
        selector followed by ``.mg-dark``.
    """
    inks = []
    rules = []
    selectors: dict[Theme, str] = {"light": scope, "dark": f"{scope}.mg-dark"}
    for theme, selector in selectors.items():
        colours = asdict(INKS[theme])
        named = "; ".join(f"--mg-{name.replace('_', '-')}: {one}" for name, one in colours.items())
        inks.append(f"{selector} {{ {named}; }}")
        for name, style in BOXES[theme].items():
            state = name.replace(" ", ".")
            box = f"{selector} .box.{state}"
            rules.append(
                f"{box} :is(path, rect) {{ fill: {style.fill}; stroke: {style.line}; "
                f"stroke-width: {style.width}; stroke-dasharray: {_dashes(style)}; }}"
            )
            rules.append(f"{box} text {{ fill: {style.text}; }}")
            spot = f"{selector} .mg-spot.{state}"  # of a map of the picture
            rules.append(f"{spot} {{ background: {style.fill}; border-color: {style.line}; }}")
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
    return "\n".join([*inks, "@media (forced-colors: none) {", *rules, "}"])


def darken(selector: str) -> str:
    """Return a rule of CSS: what this selects, a light picture, is dark in a page that is."""
    return f":is({', '.join(DARK_PAGES)}) {selector} {{ filter: {DARKENED}; }}"


def _dashes(style: Style) -> str:
    return DASHES if style.dashed else "none"
