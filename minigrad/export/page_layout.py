"""The canvases of frames that belong together: of one size, with the diagram in one place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minigrad.diagram.canvas import Band, Canvas, Note, even_size
from minigrad.diagram.dot import BOX_FONT_SIZE, CHARACTER_WIDTH, PADDING
from minigrad.diagram.palette import INKS, Ink
from minigrad.export.caption import Line, caption_lines, table_lines
from minigrad.export.closeup import CloseUp
from minigrad.export.frames import Frame
from minigrad.export.options import Options

SLIDE_WIDTH = 960
"""Points: of a slide as wide as PowerPoint's, for which font sizes are given."""
SLIDE_RATIO = 16 / 9
FONT_SIZE = 20
ROW_HEIGHT = 1.4
SMALLEST_WIDTH = 340
"""Points that a picture with text below it has at least, so that rows hold a few words."""
LARGEST_SHARE, LARGEST_SHARE_WITH_CLOSE_UP = 0.45, 0.7
"""Of a slide that text may cover; beyond, it is written smaller."""
WIDEST_READABLE = 1500
"""Points; in a wider diagram the boxes' text is below 9 points on a slide."""


def is_readable(frames: Sequence[Frame]) -> bool:
    """Tell whether the boxes' text can be read when the diagram is as wide as a slide."""
    sizes = [frame.drawing.layout.size for frame in frames]
    return all(max(width, height * SLIDE_RATIO) <= WIDEST_READABLE for width, height in sizes)


@dataclass(frozen=True)
class _Text:
    """The rows of all frames at one width: as many in each, and how large they are written.

    Above them there is room for a close-up, if there is one.
    """

    close_up: CloseUp | None
    caption: list[list[Line]]
    table: list[list[Line]]
    size: float
    table_size: float

    @property
    def above(self) -> float:
        """Points of the close-up over the text."""
        return self.close_up.height if self.close_up else 0.0

    @property
    def caption_height(self) -> float:
        return len(self.caption[0]) * self.size * ROW_HEIGHT

    @property
    def gap(self) -> float:
        return self.size * 0.6 if self.caption[0] or self.table[0] else 0.0

    @property
    def table_top(self) -> float:
        """Points from the top of all text down to the table."""
        return self.caption_height + (self.gap if self.caption[0] and self.table[0] else 0)

    @property
    def height(self) -> float:
        rows = len(self.table[0]) * self.table_size * ROW_HEIGHT
        return self.above + self.table_top + rows + self.gap


def canvases_of(frames: Sequence[Frame], options: Options) -> list[Canvas]:
    """Return a canvas for each frame: all of one size, and each place of a layout in one place.

    A caption or table stands below the diagram, with room for the longest one of all frames.
    """
    sizes = [frame.drawing.layout.size for frame in frames]
    across = max(width for width, _ in sizes)
    down = max(height for _, height in sizes)
    font_size = float(options.font_size or FONT_SIZE)
    if options.canvas == "16:9":
        width, padding, text = _fit_slide(frames, options, across, down, font_size)
        height = width / SLIDE_RATIO
    else:
        has_text = options.caption or options.table or options.close_up
        padding = max(PADDING, across * 0.012) if has_text else PADDING
        width = max(across + 2 * padding, SMALLEST_WIDTH if has_text else 0)
        text = _write(frames, options, width, padding, font_size)
        height = down + 2 * padding + text.height
    ink = INKS[options.theme]
    made = [
        _canvas(frame, place, (width, height), padding, text, ink)
        for place, frame in enumerate(frames)
    ]
    if options.canvas != "16:9":
        return made
    return [replace(one, paper=(SLIDE_WIDTH, SLIDE_WIDTH / SLIDE_RATIO)) for one in made]


def _fit_slide(
    frames: Sequence[Frame], options: Options, across: float, down: float, font_size: float
) -> tuple[float, float, _Text]:
    """Find the smallest slide that holds the diagram and the text."""
    share = LARGEST_SHARE_WITH_CLOSE_UP if options.close_up else LARGEST_SHARE
    while True:
        width = max(across * 1.04, SMALLEST_WIDTH)
        while True:
            padding = width * 0.02
            text = _write(frames, options, width, padding, font_size)
            wanted = max(across + 2 * padding, (down + 2 * padding + text.height) * SLIDE_RATIO)
            if wanted <= width * 1.0001 or text.height > share * width / SLIDE_RATIO:
                break
            width = wanted
        if text.height <= share * width / SLIDE_RATIO:
            return width, padding, text
        font_size *= 0.93


def _write(
    frames: Sequence[Frame], options: Options, width: float, padding: float, font_size: float
) -> _Text:
    room = width - 2 * padding
    size = font_size * width / SLIDE_WIDTH
    if options.canvas != "16:9":
        size = max(size, BOX_FONT_SIZE)
    size = even_size(size)
    columns = max(math.floor(room / (size * CHARACTER_WIDTH)), 12)
    captions = [caption_lines(frame, options.caption, columns) for frame in frames]
    most = max(map(len, captions))
    captions = [lines + [Line()] * (most - len(lines)) for lines in captions]
    tables = table_lines(frames) if options.table else [[] for _ in frames]
    widest = max((line.width for lines in tables for line in lines), default=1)
    close_up = CloseUp(frames, size, room, options.theme) if options.close_up else None
    return _Text(
        close_up, captions, tables, size, even_size(min(size, room / (widest * CHARACTER_WIDTH)))
    )


def _canvas(
    frame: Frame,
    place: int,
    size: tuple[float, float],
    padding: float,
    text: _Text,
    ink: Ink,
) -> Canvas:
    width, height = size
    left, bottom, right, top = frame.drawing.layout.borders
    above = height - text.height  # what the diagram has for itself
    left -= (width - (right - left)) / 2
    top += (above - (top - bottom)) / 2
    begin, end = left + padding, left + width - padding
    under = top - above
    detail = Canvas(left, top - height, left + width, top)
    if text.close_up:
        detail = text.close_up.draw(frame, detail, (begin + end) / 2, under)
        under -= text.above
    notes, bands = _set(text.caption[place], begin, end, under, text.size, ink)
    more, marks = _set(text.table[place], begin, end, under - text.table_top, text.table_size, ink)
    return replace(
        detail,
        notes=(*detail.notes, *notes, *more),
        bands=(*detail.bands, *bands, *marks),
    )


def _set(
    lines: Sequence[Line], left: float, right: float, top: float, size: float, ink: Ink
) -> tuple[list[Note], list[Band]]:
    """Set rows one below the other."""
    notes, bands = [], []
    height = size * ROW_HEIGHT
    for number, line in enumerate(lines):
        middle = top - (number + 0.5) * height
        colour = ink.soft if line.soft else ink.plain
        column = size * CHARACTER_WIDTH
        notes += [
            Note(left + start * column, middle, text, size, colour, line.bold)
            for start, text in line.pieces
        ]
        if line.marked:
            border = size * 0.3
            end = left + line.width * column + border
            bands.append(
                Band(left - border, middle - height / 2, end, middle + height / 2, ink.mark)
            )
        if line.aside:
            aside = Note(left, middle, line.aside, size, ink.soft)
            notes.append(Note(right - aside.width, middle, line.aside, size, ink.soft))
    return notes, bands
