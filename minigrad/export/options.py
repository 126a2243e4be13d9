"""`Options`: what an export may be asked for, and which formats can do it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real

from minigrad.diagram import Theme
from minigrad.diagram.palette import TRANSPARENT, check_background, check_theme
from minigrad.engine.errors import DrawingError, ExportError

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
    "font_size": (*_DRAWN, "pptx"),
    "delay": ANIMATIONS,
    "last_delay": ANIMATIONS,
    "outlines": ("svg",),
    "fragment": ("html",),
    "predict": ("html",),
}
LARGEST_FONT = 200
LONGEST_DELAY = 600


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
    font_size: float | None = None
    delay: float | None = None
    last_delay: float | None = None
    outlines: bool | None = None
    fragment: bool | None = None
    predict: bool | None = None

    def check(self, chosen: str) -> None:
        """Refuse what is no option, and what a format cannot do.

        Raises
        ------
        ExportError, DrawingError
            Naming the option, and what would be allowed.
        """
        check_theme(self.theme)
        check_background(self.background, self.theme)
        for option in fields(self):
            able = _FORMATS.get(option.name)
            if able and getattr(self, option.name) is not None and chosen not in able:
                raise ExportError(
                    f"a .{chosen} file has no {option.name}; that is an option of "
                    f"{', '.join(f'.{one}' for one in able)}: leave it out, or choose one of these"
                )
        if self.canvas not in (None, *CANVAS_CHOICES):
            raise ExportError(f"unknown canvas: {self.canvas!r} (must be 'crop' or '16:9')")
        if self.caption is not None and not isinstance(self.caption, bool | str):
            raise ExportError(f"caption must be True, False or a text, not {self.caption!r}")
        for name in ("table", "close_up", "outlines", "fragment", "predict"):
            if getattr(self, name) not in (None, True, False):
                raise ExportError(f"{name} must be True or False, not {getattr(self, name)!r}")
        _check_number("font_size", self.font_size, "points", 1, LARGEST_FONT)
        for name in ("delay", "last_delay"):
            _check_number(name, getattr(self, name), "seconds", 0.02, LONGEST_DELAY)
        if chosen == "gif" and self.background in (TRANSPARENT, "none"):
            raise DrawingError(
                "a .gif cannot be half transparent, so its letters would have jagged borders; "
                "use .webp or .apng for a transparent background"
            )


def _check_number(name: str, value: object, unit: str, low: float, high: float) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ExportError(f"{name} must be a number of {unit}, not {value!r}")
    if not low <= float(value) <= high:
        raise ExportError(f"{name} must be from {low:g} to {high:g} {unit}, not {value!r}")
