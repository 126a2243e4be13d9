"""The one font of all pictures, found without asking the machine for any.

matplotlib ships DejaVu Sans Mono. The Graphviz worker gets a fontconfig file of its own
that names matplotlib's folder first and the system's fonts after it. On macOS Graphviz
draws with Core Text, which knows no fontconfig; Menlo, of the same family and the same
widths, is on every Mac.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from minigrad.engine.errors import DrawingError

FAMILY = "Menlo" if sys.platform == "darwin" else "DejaVu Sans Mono"
CSS_FAMILY = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"

SYSTEM_FONTS = {
    "win32": ["<dir>WINDOWSFONTDIR</dir>"],
    "darwin": ["<dir>/System/Library/Fonts</dir>", "<dir>/Library/Fonts</dir>"],
}
LINUX_FONTS = ['<include ignore_missing="yes">/etc/fonts/fonts.conf</include>']


@cache
def bundled_folder() -> Path:
    """Return the folder of matplotlib's fonts, without importing matplotlib.

    Raises
    ------
    DrawingError
        If matplotlib is not installed.
    """
    spec = importlib.util.find_spec("matplotlib")
    if spec is None or spec.origin is None:
        raise DrawingError(
            "pictures need the fonts that come with matplotlib, which is not installed; "
            "run: python -m pip install matplotlib"
        )
    return Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"


def fontconfig_text() -> str:
    """Return a fontconfig file: matplotlib's fonts, then the system's."""
    system = SYSTEM_FONTS.get(sys.platform, LINUX_FONTS)
    cache_folder = _folder() / "cache"
    lines = [
        '<?xml version="1.0"?>',
        '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
        "<fontconfig>",
        f"<dir>{escape(str(bundled_folder()))}</dir>",
        *system,
        f"<cachedir>{escape(str(cache_folder))}</cachedir>",
        "</fontconfig>",
    ]
    return "\n".join(lines)


def fontconfig_file() -> Path:
    """Return the path of the fontconfig file; it is written if it is not there yet.

    It is named by its contents, so that every process of a user shares one.
    """
    text = fontconfig_text()
    name = f"fonts-{hashlib.sha256(text.encode()).hexdigest()[:16]}.conf"
    path = _folder() / name
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        partial = path.with_suffix(f".{os.getpid()}.part")
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    return path


def _folder() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"minigrad-{user}"


USUAL = frozenset(range(0x20, 0x7F)) | frozenset(map(ord, "×÷−∂·²³ᵀΣσδ…—"))
"""What nearly all pictures are written in: the bundled font has it and need not be opened."""


UNSEEN = frozenset([0x200C, 0x200D, 0x200E, 0x2068, 0x2069, *range(0xFE00, 0xFE10)])
"""Joiners, marks of direction, variants: nothing is drawn of them, so no font need have them."""


def check_drawable(texts: list[str]) -> None:
    """Refuse text that no font on this machine has a glyph for.

    Graphviz would draw it as a row of boxes, or leave it out.

    Raises
    ------
    DrawingError
        Naming the characters.
    """
    characters = {ord(character) for text in texts for character in text} - USUAL - UNSEEN
    if characters:
        characters -= _bundled_characters()
    if characters:
        characters -= _system_characters()
    if characters:
        shown = ", ".join(f"{chr(code)} (U+{code:04X})" for code in sorted(characters)[:5])
        raise DrawingError(
            f"no font on this machine can draw {shown}; rename the tensor, install a font "
            f"that has these characters, or save as .svg, which keeps them as text"
        )


@cache
def _bundled_characters() -> frozenset[int]:
    return _characters_of(bundled_folder() / "DejaVuSansMono.ttf") | {0x20, 0xA0}


@cache
def _system_characters() -> frozenset[int]:
    from matplotlib import font_manager

    bundled = bundled_folder().glob("DejaVu*.ttf")
    found: frozenset[int] = frozenset()
    for path in [*bundled, *map(Path, font_manager.findSystemFonts())]:
        # a "last resort" font has a frame for every character and a glyph for none
        if "LastResort" not in path.name:
            found |= _characters_of(path)
    return found


def _characters_of(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(path, lazy=True, fontNumber=0) as font:
            return frozenset(font["cmap"].getBestCmap() or ())
    except (TTLibError, OSError, KeyError):
        return frozenset()
