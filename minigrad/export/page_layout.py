"""The canvases of frames that belong together: of one size, with the diagram in one place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from minigrad.diagram import Layout
from minigrad.diagram.canvas import Band, Canvas, Note, even_size
from minigrad.diagram.directions import AUTO, DIRECTIONS, Direction, best_direction, scale_in
from minigrad.diagram.dot import BOX_FONT_SIZE, CHARACTER_WIDTH, PADDING
from minigrad.diagram.layout import CELL, MOST_PLACED_LABELS
from minigrad.diagram.palette import INKS, Ink
from minigrad.export.caption import Line, caption_lines, table_lines
from minigrad.export.closeup import CloseUp
from minigrad.export.frames import Frame
from minigrad.export.options import Options

SLIDE_WIDTH = 960
"""Points: of a slide as wide as PowerPoint's, for which font sizes are given."""
SLIDE_RATIO = 16 / 9
SLIDE = (float(SLIDE_WIDTH), SLIDE_WIDTH / SLIDE_RATIO)
FONT_SIZE = 20
CLOSE_UP_SIZES = (20, 18, 16, 15)
"""Points on a slide: in these, close-ups are tried."""
LEAST_READABLE = 14
"""Points on a slide, which the last row of a lecture hall can read."""
ROW_HEIGHT = 1.4
SMALLEST_WIDTH = 340
"""Points that a picture with text below it has at least, so that rows hold a few words."""
MARGIN = 0.02
"""Of the width of a slide, at each of its sides."""
LARGEST_SHARE = 0.45
"""Of a slide that text may cover; beyond, it is written smaller."""
LARGEST_SHARE_WITH_CLOSE_UP = {"below": 0.7, "beside": 0.94}
"""The same with the close-up, which leaves less height to a diagram above it than to one beside."""
WIDEST_BESIDE = 0.8
"""Of the width of a slide, for a close-up beside a diagram."""
SMALLEST_IN_BOXES = 9
"""Points of the boxes' text on a slide; smaller, it cannot be read."""


@dataclass(frozen=True)
class _Text:
    """The rows of all frames at one width: as many in each, and how large they are written.

    Above them there is room for a close-up, if there is one: below the diagram, or beside it.
    """

    close_up: CloseUp | None
    beside: bool
    caption: list[list[Line]]
    table: list[list[Line]]
    size: float
    table_size: float

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
        """Points of all rows."""
        return self.table_top + len(self.table[0]) * self.table_size * ROW_HEIGHT + self.gap

    def around(self, across: float, down: float, padding: float) -> tuple[float, float]:
        """Return the width and height of a diagram of a size with all that stands around it."""
        if self.close_up and self.beside:
            across += self.close_up.width + padding
            down = max(down, self.close_up.height)
        elif self.close_up:
            across = max(across, self.close_up.width)
            down += self.close_up.height
        return across + 2 * padding, down + 2 * padding + self.height

    def is_too_large(self, width: float, height: float) -> bool:
        """Tell whether it leaves too little of a width and a height to the diagram."""
        if self.height > LARGEST_SHARE * height:
            return True
        if not self.close_up:
            return False
        if self.beside and self.close_up.width > WIDEST_BESIDE * width:
            return True
        share = LARGEST_SHARE_WITH_CLOSE_UP["beside" if self.beside else "below"]
        return self.height + self.close_up.height > share * height


class _Writer:
    """Writes what some frames have around their diagrams, in any size; rows are found once."""

    def __init__(self, frames: Sequence[Frame], options: Options, *, close_up: bool) -> None:
        self._frames = frames
        self._options = options
        self._captions: dict[int, list[list[Line]]] = {}
        self._tables = table_lines(frames) if options.table else [[] for _ in frames]
        widest = max((line.width for lines in self._tables for line in lines), default=1)
        self._table_width = widest * CHARACTER_WIDTH
        self._close_up = CloseUp(frames, options.theme) if close_up else None

    def write(
        self,
        room: float,
        size: float,
        close_up_size: float = 0.0,
        close_up_direction: Direction = "right",
        *,
        beside: bool = False,
    ) -> _Text:
        """Return all of it in a width, with fonts of some sizes: all in points of the canvas."""
        size = even_size(size)
        return _Text(
            self._close_up and self._close_up.sized(close_up_size, room, close_up_direction),
            beside,
            self._caption(max(math.floor(room / (size * CHARACTER_WIDTH)), 12)),
            self._tables,
            size,
            even_size(min(size, room / self._table_width)),
        )

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Those of the close-up."""
        return self._close_up.directions if self._close_up else ()

    def _caption(self, columns: int) -> list[list[Line]]:
        if columns not in self._captions:
            chosen = self._options.caption
            captions = [caption_lines(frame, chosen, columns) for frame in self._frames]
            most = max(map(len, captions))
            self._captions[columns] = [lines + [Line()] * (most - len(lines)) for lines in captions]
        return self._captions[columns]


@dataclass(frozen=True)
class _Page:
    """How all frames are arranged: on canvases of one size, which is that of a room or smaller.

    Attributes
    ----------
    frames : list of Frame
        With their pictures in one direction.
    size : tuple of float
        Of each canvas, in points of the layouts.
    padding : float
        Around all that stands on it.
    text : _Text
        What stands around the diagram.
    worth : tuple
        The larger of two is to be preferred.
    """

    frames: list[Frame]
    size: tuple[float, float]
    padding: float
    text: _Text
    worth: tuple[bool, float] = (True, 0.0)


def with_canvases(
    frames: Sequence[Frame], options: Options, room: tuple[float, float] = SLIDE
) -> list[tuple[Frame, Canvas]]:
    """Return the frames as they are drawn, each with its canvas.

    All have one direction and one size, and each place of a layout in one place. A caption or
    table stands below the diagram, with room for the longest one of all frames. Where the diagram
    could not be read, an overview takes its place, and the node of the step with its operands
    stands beside it or below it, large.

    Parameters
    ----------
    frames : sequence of Frame
        What is to be drawn.
    options : Options
        How.
    room : tuple of float
        Width and height, in points, that a picture has on a slide.
    """
    is_shown = options.canvas == "16:9" or options.caption is not None
    place = _place(frames, options, room)
    frames = _in_one_direction(frames, options, place if is_shown else CELL)
    close_up = options.close_up
    is_large = bool(frames[0].key) and not _is_readable(frames, place)
    if close_up is None:
        close_up = is_shown and is_large
    if close_up:
        page = _with_close_up(frames, options, room, is_large=is_large)
    else:
        page = _page(frames, options, _Writer(frames, options, close_up=False), room)
    ink = INKS[options.theme]
    canvases = [_canvas(frame, place, page, ink) for place, frame in enumerate(page.frames)]
    if options.canvas == "16:9":
        canvases = [replace(one, paper=SLIDE) for one in canvases]
    return list(zip(page.frames, canvases, strict=True))


def _in_one_direction(
    frames: Sequence[Frame], options: Options, place: tuple[float, float]
) -> list[Frame]:
    """Turn all frames the way that was chosen, or in which they are largest in a place."""
    choice = options.direction or frames[0].drawing.direction
    if choice == AUTO:
        at_hand = [frame.drawing.layouts.at_hand for frame in frames]
        tried = [one for one in DIRECTIONS if all(one in some for some in at_hand)]
        choice = tried[0]
        if len(tried) > 1:
            choice = best_direction({one: _largest(frames, one) for one in tried}, place)
    return [frame.turned(choice) for frame in frames]


def _place(
    frames: Sequence[Frame], options: Options, room: tuple[float, float]
) -> tuple[float, float]:
    """Return what the text below leaves of a room for the diagram."""
    padding = MARGIN * room[0]
    below = _Writer(frames, options, close_up=False).write(
        room[0] - 2 * padding, float(options.font_size or FONT_SIZE)
    )
    height = max(room[1] - below.height, (1 - LARGEST_SHARE) * room[1])
    return room[0] - 2 * padding, height - 2 * padding


def _largest(frames: Sequence[Frame], direction: Direction) -> tuple[float, float]:
    """Return the width and the height of the largest diagrams of some frames."""
    return _sides([frame.diagram.layouts[direction] for frame in frames])


def _sides(layouts: Sequence[Layout]) -> tuple[float, float]:
    sizes = [layout.size for layout in {id(one): one for one in layouts}.values()]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _is_readable(frames: Sequence[Frame], place: tuple[float, float]) -> bool:
    """Tell whether the boxes' text can be read when all of the diagram is in its place."""
    if any(len(frame.drawing.film.boxes) > MOST_PLACED_LABELS for frame in frames):
        return False  # so many never are, and to find their places takes a while
    size = _sides([frame.drawing.layout for frame in frames])
    return scale_in(place, size) * BOX_FONT_SIZE >= SMALLEST_IN_BOXES


def _page(
    frames: Sequence[Frame], options: Options, writer: _Writer, room: tuple[float, float]
) -> _Page:
    """Arrange diagrams without a close-up."""
    across, down = _sides([frame.diagram.layout for frame in frames])
    font_size = float(options.font_size or FONT_SIZE)
    if options.canvas == "16:9":
        return _fit(list(frames), writer, (across, down), room, font_size)
    has_text = options.caption or options.table
    padding = max(PADDING, across * 0.012) if has_text else PADDING
    width = max(across + 2 * padding, SMALLEST_WIDTH if has_text else 0)
    text = writer.write(width - 2 * padding, max(font_size * width / SLIDE_WIDTH, BOX_FONT_SIZE))
    return _Page(list(frames), (width, down + 2 * padding + text.height), padding, text)


def _with_close_up(
    frames: Sequence[Frame], options: Options, room: tuple[float, float], *, is_large: bool
) -> _Page:
    """Arrange diagrams, or overviews of them, with their close-ups: as leaves more for both."""
    frames = [replace(frame, is_overview=is_large) for frame in frames]
    writer = _Writer(frames, options, close_up=True)
    choice = options.direction
    directions: Sequence[Direction] = [frames[0].drawing.layout.direction]
    if is_large and choice in (None, AUTO):
        directions = DIRECTIONS
    pages = []
    for direction in directions:
        turned = [frame.turned(direction) for frame in frames]
        size = _largest(turned, direction)
        font_size = float(options.font_size or FONT_SIZE)
        tried = product((False, True), CLOSE_UP_SIZES, writer.directions)
        for beside, letters, towards in tried:
            page = _fit(turned, writer, size, room, font_size, letters, towards, beside=beside)
            pages.append(page)
    best = max(pages, key=lambda page: page.worth)
    if options.canvas == "16:9":
        return best
    width, height = best.size
    _, needed = best.text.around(*_sides([one.diagram.layout for one in best.frames]), best.padding)
    return replace(best, size=(width, min(height, needed)))


def _fit(
    frames: list[Frame],
    writer: _Writer,
    size: tuple[float, float],
    room: tuple[float, float],
    font_size: float,
    close_up_size: float = 0.0,
    close_up_direction: Direction = "right",
    *,
    beside: bool = False,
) -> _Page:
    """Find the smallest canvas of the shape of a room that holds the diagram and the text."""
    across, down = size
    ratio = room[0] / room[1]
    while True:
        width = max(across * 1.04, SMALLEST_WIDTH)
        while True:
            padding = width * MARGIN
            point = width / room[0]
            text = writer.write(
                width - 2 * padding,
                font_size * point,
                close_up_size * point,
                close_up_direction,
                beside=beside,
            )
            whole = text.around(across, down, padding)
            wanted = max(whole[0], whole[1] * ratio)
            if wanted <= width * 1.0001 or text.is_too_large(width, width / ratio - 2 * padding):
                break
            width = wanted
        if not text.is_too_large(width, width / ratio - 2 * padding):
            break
        font_size, close_up_size = 0.93 * font_size, 0.93 * close_up_size
    # the smallest letters count twice: the diagram's
    shown = text.close_up.size / point if text.close_up else 0.0
    worth = (shown >= LEAST_READABLE, shown * text.size / point / point**2)
    return _Page(frames, (width, width / ratio), padding, text, worth)


def _canvas(frame: Frame, place: int, page: _Page, ink: Ink) -> Canvas:
    (width, height), padding, text = page.size, page.padding, page.text
    room = height - text.height  # above all rows
    across, down, detail = width, room, text.close_up
    if detail and text.beside:
        across -= detail.width + padding
    elif detail:
        down -= detail.height
    left, bottom, right, top = frame.diagram.layout.borders
    left -= (across - (right - left)) / 2
    top += (down - (top - bottom)) / 2
    begin, end = left + padding, left + width - padding
    under = top - room
    canvas = Canvas(left, top - height, left + width, top)
    if detail and text.beside:
        canvas = detail.draw(frame, canvas, end - detail.width / 2, top - room / 2)
    elif detail:
        canvas = detail.draw(frame, canvas, (begin + end) / 2, top - down - detail.height / 2)
    notes, bands = _set(text.caption[place], begin, end, under, text.size, ink)
    more, marks = _set(text.table[place], begin, end, under - text.table_top, text.table_size, ink)
    return replace(
        canvas,
        notes=(*canvas.notes, *notes, *more),
        bands=(*canvas.bands, *bands, *marks),
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
