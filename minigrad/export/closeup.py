"""A close-up: the node of a step and its operands, large, for diagrams too wide to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minigrad.diagram import Look, Theme
from minigrad.diagram.canvas import Arrow, Band, Canvas, Note, even_size
from minigrad.diagram.dot import CHARACTER_WIDTH
from minigrad.diagram.palette import BOXES, EDGES
from minigrad.diagram.rows import cells_of, text_width
from minigrad.export.frames import Frame
from minigrad.trace import Edge

MOST_OPERANDS = 3
ROW_HEIGHT = 1.3
BORDER = 0.5
GAP = 0.7
"""These three in parts of the font size."""
LEAST_FONT = 14
"""Points, for which the widths of lines in the palette are meant."""


class CloseUp:
    """The close-ups of some frames: as large in each, with the node in one place.

    Parameters
    ----------
    frames : sequence of Frame
        All that will be drawn.
    size : float
        Of the font, in points.
    room : float
        How wide it may be, in points.
    theme : {'light', 'dark'}
        Which colours to use.
    """

    def __init__(self, frames: Sequence[Frame], size: float, room: float, theme: Theme) -> None:
        shown = [look for frame in frames for look in _boxes(frame)]
        labels = [look for frame in frames for look in _labels(frame)]
        # both in parts of the font size
        box_width = _widest(shown) * CHARACTER_WIDTH + 2 * BORDER
        label_width = (_widest(labels) + 6) * CHARACTER_WIDTH
        self._size = even_size(min(size, room / (2 * box_width + label_width)))
        self._theme: Theme = theme
        self._box_width = box_width * self._size
        self._label_width = label_width * self._size
        self._rows = max((len(look.lines) for look in shown), default=1)
        self._operands = max((len(_operands(frame)) for frame in frames), default=1)

    @property
    def height(self) -> float:
        """Points that it takes, with some air."""
        count = max(self._operands, 1)
        return count * self._box_height + (count + 1) * GAP * self._size

    @property
    def _box_height(self) -> float:
        return (self._rows * ROW_HEIGHT + 2 * BORDER) * self._size

    def draw(self, frame: Frame, canvas: Canvas, centre: float, top: float) -> Canvas:
        """Return a canvas with the close-up of a frame on it, below a height."""
        width = 2 * self._box_width + self._label_width
        left, middle = centre - width / 2, top - self.height / 2
        right = left + width - self._box_width
        looks = frame.drawing.looks
        canvas = self._box(frame, frame.key, canvas, right, middle)
        operands = _operands(frame)
        step = self._box_height + GAP * self._size
        for place, (source, edges) in enumerate(operands.items()):
            y = middle + ((len(operands) - 1) / 2 - place) * step
            canvas = self._box(frame, source, canvas, left, y)
            for number, edge in enumerate(edges):
                aside = ((len(edges) - 1) / 2 - number) * self._box_height * 0.55
                start = (left + self._box_width, y + aside)
                end = (right, middle + (y - middle) * 0.35 + aside)
                canvas = self._edge(looks[edge.key], canvas, start, end)
        return canvas

    def _box(self, frame: Frame, key: str, canvas: Canvas, left: float, middle: float) -> Canvas:
        look = frame.drawing.looks[key]
        style = BOXES[self._theme][f"{frame.drawing.snapshot.vertices[key].kind} {look.state}"]
        size, half = self._size, self._box_height / 2
        right = left + self._box_width
        line = style.width * size / LEAST_FONT
        box = Band(
            left, middle - half, right, middle + half, style.fill, style.line, line, style.dashed
        )
        left, middle = left + BORDER * size, middle + (len(look.lines) - 1) / 2 * ROW_HEIGHT * size
        notes = []
        for row, (cells, bold) in enumerate(
            zip(map(cells_of, look.lines), look.bold_rows, strict=True)
        ):
            for column, text in cells:
                x, y = left + column * CHARACTER_WIDTH * size, middle - row * ROW_HEIGHT * size
                if text:
                    notes.append(Note(x, y, text, size, style.text, bold))
        return replace(canvas, bands=(*canvas.bands, box), notes=(*canvas.notes, *notes))

    def _edge(
        self, look: Look, canvas: Canvas, start: tuple[float, float], end: tuple[float, float]
    ) -> Canvas:
        style, size = EDGES[self._theme][look.state], self._size
        line = style.width * size / LEAST_FONT
        arrow = Arrow(start, end, size * 0.7, style.line, line, style.dashed, look.changed)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        notes = []
        # as far above a slanting arrow that no end of a row touches it
        slope = abs((end[1] - start[1]) / (end[0] - start[0]))
        y += slope * _widest([look]) * size * CHARACTER_WIDTH / 2
        for row, text in enumerate(reversed([line for line in look.lines if line])):
            width = text_width(text) * size * CHARACTER_WIDTH
            above = y + (row * 1.15 + 0.8) * size
            notes.append(Note(x - width / 2, above, text, size, style.text, style.bold))
        return replace(canvas, arrows=(*canvas.arrows, arrow), notes=(*canvas.notes, *notes))


def _operands(frame: Frame) -> dict[str, list[Edge]]:
    """Return the edges into the node of a frame by the operand they come from."""
    found: dict[str, list[Edge]] = {}
    for edge in frame.drawing.snapshot.edges_into(frame.key):
        if edge.source in found or len(found) < MOST_OPERANDS:
            found.setdefault(edge.source, []).append(edge)
    return found


def _boxes(frame: Frame) -> list[Look]:
    looks = frame.drawing.looks
    return [looks[key] for key in (frame.key, *_operands(frame))]


def _labels(frame: Frame) -> list[Look]:
    looks = frame.drawing.looks
    return [looks[edge.key] for edges in _operands(frame).values() for edge in edges]


def _widest(looks: Sequence[Look]) -> int:
    return max((text_width(line) for look in looks for line in look.lines), default=0)
