"""A close-up: the node of a step and its operands, large, for diagrams too wide to be read."""

from __future__ import annotations

import copy
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
    theme : {'light', 'dark'}
        Which colours to use.

    Attributes
    ----------
    size : float
        Of the font, in points.
    """

    def __init__(self, frames: Sequence[Frame], theme: Theme) -> None:
        nodes, operands, labels = [], [], []
        self._operands = 1
        for frame in frames:
            looks, found = frame.drawing.looks, _operands(frame)
            nodes.append(looks[frame.key])
            operands += [looks[key] for key in found]
            labels += [looks[edge.key] for edges in found.values() for edge in edges]
            self._operands = max(self._operands, len(found))
        # all widths in parts of the font size
        self._node = _widest(nodes) * CHARACTER_WIDTH + 2 * BORDER
        self._operand = _widest(operands) * CHARACTER_WIDTH + 2 * BORDER
        self._label = (_widest(labels) + 6) * CHARACTER_WIDTH
        self._rows = max(len(look.lines) for look in (*nodes, *operands))
        self._theme: Theme = theme
        self.size = 1.0

    def sized(self, size: float, room: float) -> CloseUp:
        """Return the same with a font of a size, or smaller where it would be wider than a room."""
        other = copy.copy(self)
        other.size = even_size(min(size, room / self._whole))
        return other

    @property
    def _whole(self) -> float:
        return self._operand + self._label + self._node

    @property
    def width(self) -> float:
        """Points from one side to the other."""
        return self._whole * self.size

    @property
    def height(self) -> float:
        """Points that it takes, with some air."""
        return self._operands * self._box_height + (self._operands + 1) * GAP * self.size

    @property
    def _box_height(self) -> float:
        return (self._rows * ROW_HEIGHT + 2 * BORDER) * self.size

    def draw(self, frame: Frame, canvas: Canvas, centre: float, middle: float) -> Canvas:
        """Return a canvas with the close-up of a frame on it, around a place."""
        left = centre - self.width / 2
        right = left + (self._operand + self._label) * self.size
        looks = frame.drawing.looks
        canvas = self._box(frame, frame.key, canvas, right, middle, self._node)
        operands = _operands(frame)
        step = self._box_height + GAP * self.size
        for place, (source, edges) in enumerate(operands.items()):
            y = middle + ((len(operands) - 1) / 2 - place) * step
            canvas = self._box(frame, source, canvas, left, y, self._operand)
            for number, edge in enumerate(edges):
                aside = ((len(edges) - 1) / 2 - number) * self._box_height * 0.55
                start = (left + self._operand * self.size, y + aside)
                end = (right, middle + (y - middle) * 0.35 + aside)
                canvas = self._edge(looks[edge.key], canvas, start, end)
        return canvas

    def _box(
        self, frame: Frame, key: str, canvas: Canvas, left: float, middle: float, width: float
    ) -> Canvas:
        look = frame.drawing.looks[key]
        style = BOXES[self._theme][f"{frame.drawing.snapshot.vertices[key].kind} {look.state}"]
        size, half = self.size, self._box_height / 2
        right = left + width * size
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
        style, size = EDGES[self._theme][look.state], self.size
        line = style.width * size / LEAST_FONT
        arrow = Arrow(start, end, size * 0.7, style.line, line, style.dashed)
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


def _widest(looks: Sequence[Look]) -> int:
    return max((text_width(line) for look in looks for line in look.lines), default=0)
