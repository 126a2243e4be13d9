"""`Options`: what an export may be asked for, and which formats can do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from minigrad.diagram import Theme
from minigrad.diagram.directions import Choice, check_direction
from minigrad.diagram.palette import TRANSPARENT, check_background, check_theme
from minigrad.diagram.render import LARGEST_SIDE, SMALLEST_WIDTH
from minigrad.engine.checks import one_of, real_number, whole_number, yes_or_no
from minigrad.engine.errors import DrawingError, ExportError, told

PICTURES = ("svg", "png", "pdf")
SOURCES = ("gv", "dot")
ANIMATIONS = ("gif", "webp", "apng")
SINGLE = (*PICTURES, *SOURCES)
ALL = (*SINGLE, *ANIMATIONS, "pptx", "html")
CANVAS_CHOICES = ("crop", "16:9")

_DRAWN = (*PICTURES, *ANIMATIONS)
_FORMATS = {
    "width": ("png", *ANIMATIONS, "pptx"),
    "background": (*SINGLE, *ANIMATIONS, "pptx"),
    "caption": (*_DRAWN, "pptx"),
    "table": (*_DRAWN, "pptx"),
    "close_up": (*_DRAWN, "pptx"),
    "canvas": _DRAWN,
    "direction": ALL,
    "font_size": (*_DRAWN, "pptx"),
    "delay": ANIMATIONS,
    "last_delay": ANIMATIONS,
    "outlines": ("svg",),
    "fragment": ("html",),
    "predict": ("html",),
}
LARGEST_FONT = 200
SHORTEST_DELAY, LONGEST_DELAY = 0.02, 600


@dataclass(frozen=True)
class Options:
    """How an export is to look; `minigrad.Stepper.export` tells what each one means.

    None stands for the usual of the format.
    """

    width: int | None = None
    theme: Theme = "light"
    background: str | None = None
    caption: bool | str | None = None
    table: bool | None = None
    close_up: bool | None = None
    canvas: str | None = None
    direction: Choice | None = None
    font_size: float | None = None
    delay: float | None = None
    last_delay: float | None = None
    outlines: bool | None = None
    fragment: bool | None = None
    predict: bool | None = None

    def checked(self, chosen: str) -> Options:
        """Return them as what they stand for; refuse what is no option, and not of a format.

        Raises
        ------
        ExportError, DrawingError
            Naming the option, and what would be allowed.
        """
        theme = check_theme(self.theme)
        background = check_background(self.background, theme)
        for option in fields(self):
            able = _FORMATS.get(option.name)
            if able and getattr(self, option.name) is not None and chosen not in able:
                raise ExportError(
                    f"a .{chosen} file has no {option.name}; that is an option of "
                    f"{', '.join(f'.{one}' for one in able)}: leave it out, or choose one of these"
                )
        found: dict[str, Any] = {"theme": theme}
        for name, check in _CHECKS.items():
            given = getattr(self, name)
            found[name] = None if given is None else check(given, name)
        if chosen == "gif" and background == TRANSPARENT:
            raise DrawingError(
                "a .gif cannot be half transparent, so its letters would have jagged borders; "
                "use .webp or .apng for a transparent background"
            )
        return replace(self, **found)


def _yes_or_no(given: Any, name: str) -> bool:
    return yes_or_no(given, name, ExportError)


def _caption(given: Any, name: str) -> bool | str:
    if isinstance(given, str):
        return given
    if not isinstance(given, bool | np.bool_):
        raise ExportError(f"{name} must be True, False or a text, not {told(given)}")
    return bool(given)


def _width(given: Any, name: str) -> int:
    return whole_number(given, name, SMALLEST_WIDTH, LARGEST_SIDE, "pixels", DrawingError)


def _canvas(given: Any, name: str) -> str:
    return one_of(given, name, CANVAS_CHOICES, ExportError)


def _direction(given: Any, name: str) -> Choice:
    return check_direction(given)


def _points(given: Any, name: str) -> float:
    return real_number(given, name, 1, LARGEST_FONT, "points", ExportError)


def _seconds(given: Any, name: str) -> float:
    return real_number(given, name, SHORTEST_DELAY, LONGEST_DELAY, "seconds", ExportError)


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "width": _width,
    "caption": _caption,
    "table": _yes_or_no,
    "close_up": _yes_or_no,
    "canvas": _canvas,
    "direction": _direction,
    "font_size": _points,
    "delay": _seconds,
    "last_delay": _seconds,
    "outlines": _yes_or_no,
    "fragment": _yes_or_no,
    "predict": _yes_or_no,
}
"""What is asked of each option that is given."""
