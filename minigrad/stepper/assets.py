"""The scripts and the stylesheet of the widgets, read once.

A script is written in parts, as modules that import each other. A widget is given one module
without imports, which is what anywidget and an exported page take.
"""

from __future__ import annotations

import re
from pathlib import Path

from minigrad.diagram.palette import stylesheet

SCOPE = ".minigrad"
_folder = Path(__file__).parent

IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=function|const)", re.MULTILINE)
FOR_READERS = re.compile(r"^\s*//.*\n|(?<=[;{,]) // .*|^[ ]+|^\n", re.MULTILINE)
"""Comments, by themselves or behind the code of a line; indents and empty lines."""


def script(entry: str) -> str:
    """Return one module: a part of the page's script behind all parts that it imports."""
    parts: dict[str, str] = {}
    _collect(entry, parts)
    return "".join(FOR_READERS.sub("", part) for part in parts.values())


def _collect(name: str, parts: dict[str, str]) -> None:
    text = (_folder / "page" / name).read_text(encoding="utf-8")
    for imported in IMPORT.findall(text):
        if imported not in parts:
            _collect(imported, parts)
    parts[name] = EXPORT.sub("", IMPORT.sub("", text))


# strings, since a widget made from a path is never freed
STEPPER = script("stepper.js")
LIVE = script("live.js")
NUDGE = script("nudge.js")
COMPARE = script("compare.js")
CSS = (_folder / "page" / "widget.css").read_text(encoding="utf-8") + stylesheet(SCOPE)
