"""The scripts and the stylesheet of the widgets, read once.

They are built from the sources of the page, which stand in `page/` and in the room of each feature,
by `page/build.js`: one module without imports for each widget, and one script for an exported page.
"""

from __future__ import annotations

from pathlib import Path

from minigrad.diagram.palette import stylesheet

SCOPE = ".minigrad"
BUILT = Path(__file__).parent / "page" / "built"


def _built(name: str) -> str:
    return (BUILT / name).read_text(encoding="utf-8")


# strings, since a widget made from a path is never freed
STEPPER = _built("stepper.js")
LIVE = _built("live.js")
NUDGE = _built("nudge.js")
COMPARE = _built("compare.js")
WEBPAGE = _built("webpage.js")
CSS = _built("widget.css") + stylesheet(SCOPE)
