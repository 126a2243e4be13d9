"""The script and the stylesheet of the widgets, read once."""

from __future__ import annotations

import re
from pathlib import Path

from minigrad.diagram.palette import stylesheet

SCOPE = ".minigrad"
_folder = Path(__file__).parent

LINES_OF_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)

ESM = LINES_OF_COMMENT.sub("", (_folder / "widget.js").read_text(encoding="utf-8"))
"""The ES module, without what is for its readers. A string, since a widget made from a path is
never freed."""
CSS = (_folder / "widget.css").read_text(encoding="utf-8") + stylesheet(SCOPE)
