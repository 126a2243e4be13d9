"""The script and the stylesheet of the widgets, read once."""

from __future__ import annotations

from pathlib import Path

from minigrad.diagram.palette import stylesheet

SCOPE = ".minigrad"
_folder = Path(__file__).parent

ESM = (_folder / "widget.js").read_text(encoding="utf-8")
"""The ES module. A string, since a widget made from a path is never freed."""
CSS = (_folder / "widget.css").read_text(encoding="utf-8") + stylesheet(SCOPE)
