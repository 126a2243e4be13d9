"""The one font of all pictures, found without asking the machine for any.

matplotlib ships DejaVu Sans Mono. The Graphviz worker gets a fontconfig file of its own
that names matplotlib's folder first and the system's fonts after it. On macOS Graphviz
draws with Core Text, which knows no fontconfig; Menlo, of the same family and the same
widths, is on every Mac.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import secrets
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
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


def fontconfig_text(folder: Path) -> str:
    """Return a fontconfig file: matplotlib's fonts, then the system's.

    Parameters
    ----------
    folder : pathlib.Path
        Where fontconfig may keep what it found.
    """
    system = SYSTEM_FONTS.get(sys.platform, LINUX_FONTS)
    lines = [
        '<?xml version="1.0"?>',
        '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
        "<fontconfig>",
        f"<dir>{escape(str(bundled_folder()))}</dir>",
        *system,
        f"<cachedir>{escape(str(folder / 'cache'))}</cachedir>",
        "</fontconfig>",
    ]
    return "\n".join(lines)


def fontconfig_file() -> Path | None:
    """Return the path of the fontconfig file; it is written if it is not there yet.

    It lies in a folder that all processes of a user share, in that for temporary files, where
    anybody can put anything: if what is there is not the user's own, or cannot be used, it lies in
    a fresh folder of this process. None if there is no place for it at all; then the fonts are
    those of the system.
    """
    for folder in (_shared_folder, _fresh_folder):
        with suppress(OSError, RuntimeError, UnicodeError):  # whatever the system says
            return _write_fontconfig(folder())
    return None


def _write_fontconfig(folder: Path) -> Path:
    text = fontconfig_text(folder).encode()
    # named by its contents: another version, or another environment, has another one
    path = folder / f"fonts-{hashlib.sha256(text).hexdigest()[:16]}.conf"
    with suppress(OSError):
        found = path.lstat()  # before it is opened: to open a pipe would wait for whoever writes
        if stat.S_ISREG(found.st_mode) and _is_own(found) and path.read_bytes() == text:
            return path
    partial = path.with_suffix(f".{secrets.token_hex(6)}.part")
    try:
        only_for_us = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(only_for_us, "wb") as file:
            file.write(text)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def _is_own(found: os.stat_result) -> bool:
    """Tell whether something is the user's own, and nobody else can write to it."""
    if sys.platform == "win32":  # there the folder tells whose it is
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _shared_folder() -> Path:
    """Return the folder that all processes of a user share.

    Raises
    ------
    OSError
        If what is there is not the user's own, or others can write to it.
    """
    temporary = Path(tempfile.gettempdir())
    if sys.platform == "win32":
        if not temporary.resolve().is_relative_to(Path.home().resolve()):
            raise OSError("nothing tells whose folder it is")
        folder = temporary / "minigrad"
        folder.mkdir(exist_ok=True)
        return folder
    folder = temporary / f"minigrad-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()  # a link is nobody's folder
    if not stat.S_ISDIR(found.st_mode) or not _is_own(found):
        raise OSError(f"{folder} is not this user's own")
    return folder


def _fresh_folder() -> Path:
    """Return a folder of this process alone, which it removes at its end."""
    process = os.getpid()
    folder = _fresh_folders.get(process)
    if folder is None or not folder.is_dir():
        folder = _fresh_folders[process] = Path(tempfile.mkdtemp(prefix="minigrad-"))
    return folder


def _remove_fresh_folder() -> None:
    folder = _fresh_folders.get(os.getpid())  # not that of the process it was forked from
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


_fresh_folders: dict[int, Path] = {}
atexit.register(_remove_fresh_folder)


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
