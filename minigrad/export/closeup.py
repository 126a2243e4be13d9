"""A close-up: the node of a step and its operands, large, for diagrams too wide to be read."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from minigrad.diagram import Look, Theme
from minigrad.diagram.canvas import Arrow, Band, Canvas, Note, even_size
from minigrad.diagram.directions import DIRECTIONS, Direction
from minigrad.diagram.dot import CHARACTER_WIDTH
from minigrad.diagram.palette import BOXES, EDGES
from minigrad.diagram.rows import cells_of, text_width
from minigrad.export.frames import Frame
from minigrad.trace import Edge

MOST_OPERANDS = 3
ROW_HEIGHT = 1.3
BORDER = 0.5
GAP = 0.7
AIR_BESIDE = 6 * CHARACTER_WIDTH
"""Of an arrow to the right, beyond its label."""
ASIDE, LABEL_GAP = 1.6, 0.6
"""From the middle to an arrow that goes down, if there are two, and on to its label."""
LABEL_ROW, LABEL_ROOM = 1.15, 3.6
"""Of a label's rows, and of an arrow that goes down. All of these in parts of the font size."""
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
    direction : {'right', 'down'}
        Whether the node stands to the right of its operands, or below them.
    directions : tuple of str
        Those that can be chosen; with more than two edges, labels have no room above a node.
    """

    def __init__(self, frames: Sequence[Frame], theme: Theme) -> None:
        nodes, operands, labels = [], [], []
        self._operands = 1
        most_edges = 1
        for frame in frames:
            looks, found = frame.drawing.looks, _operands(frame)
            edges = [edge for group in found.values() for edge in group]
            nodes.append(looks[frame.key])
            operands += [looks[key] for key in found]
            labels += [looks[edge.key] for edge in edges]
            self._operands = max(self._operands, len(found))
            most_edges = max(most_edges, len(edges))
        self.directions = DIRECTIONS if most_edges <= 2 else DIRECTIONS[:1]
        # all widths in parts of the font size
        self._node = _widest(nodes) * CHARACTER_WIDTH + 2 * BORDER
        self._operand = _widest(operands) * CHARACTER_WIDTH + 2 * BORDER
        self._label = _widest(labels) * CHARACTER_WIDTH
        self._rows = max(len(look.lines) for look in (*nodes, *operands))
        self._theme: Theme = theme
        self.direction: Direction = "right"
        self.size = 1.0

    def sized(self, size: float, room: float, direction: Direction) -> CloseUp:
        """Return the same with a font of a size, or smaller where it would be wider than a room."""
        other = copy.copy(self)
        other.direction = direction
        other.size = even_size(min(size, room / other._across))
        return other

    @property
    def _across(self) -> float:
        if self.direction == "right":
            return self._operand + self._label + AIR_BESIDE + self._node
        row = self._operands * (self._operand + GAP) - GAP
        return max(row, 2 * (ASIDE + LABEL_GAP + self._label), self._node)

    @property
    def _down(self) -> float:
        if self.direction == "right":
            return self._operands * self._box_height + (self._operands + 1) * GAP
        return 2 * self._box_height + LABEL_ROOM + 2 * GAP

    @property
    def width(self) -> float:
        """Points from one side to the other."""
        return self._across * self.size

    @property
    def height(self) -> float:
        """Points that it takes, with some air."""
        return self._down * self.size

    @property
    def _box_height(self) -> float:
        return self._rows * ROW_HEIGHT + 2 * BORDER

    def draw(self, frame: Frame, canvas: Canvas, centre: float, middle: float) -> Canvas:
        """Return a canvas with the close-up of a frame on it, around a place."""
        if self.direction == "right":
            return self._draw_right(frame, canvas, centre - self.width / 2, middle)
        return self._draw_down(frame, canvas, centre, middle + self.height / 2)

    def _draw_right(self, frame: Frame, canvas: Canvas, left: float, middle: float) -> Canvas:
        right = left + self.width - self._node * self.size
        height = self._box_height * self.size
        canvas = self._box(frame, frame.key, canvas, right, middle, self._node)
        operands = _operands(frame)
        for place, (source, edges) in enumerate(operands.items()):
            y = middle + ((len(operands) - 1) / 2 - place) * (height + GAP * self.size)
            canvas = self._box(frame, source, canvas, left, y, self._operand)
            for number, edge in enumerate(edges):
                aside = ((len(edges) - 1) / 2 - number) * height * 0.55
                start = (left + self._operand * self.size, y + aside)
                end = (right, middle + (y - middle) * 0.35 + aside)
                canvas = self._edge(frame.drawing.looks[edge.key], canvas, start, end)
        return canvas

    def _draw_down(self, frame: Frame, canvas: Canvas, centre: float, top: float) -> Canvas:
        size, height = self.size, self._box_height * self.size
        above, below = top - GAP * size - height / 2, top - self.height + GAP * size + height / 2
        left = centre - self._node / 2 * size
        canvas = self._box(frame, frame.key, canvas, left, below, self._node)
        operands = _operands(frame)
        pitch = (self._operand + GAP) * size
        left = centre - (len(operands) * pitch - GAP * size) / 2
        for place, source in enumerate(operands):
            canvas = self._box(frame, source, canvas, left + place * pitch, above, self._operand)
        edges = [edge for group in operands.values() for edge in group]
        for number, edge in enumerate(edges):
            # two stand close together, each with its label on the other side
            x = centre + (2 * number - len(edges) + 1) * ASIDE * size
            ends = ((x, above - height / 2), (x, below + height / 2))
            towards = -1 if number < len(edges) - 1 else 1
            canvas = self._edge(frame.drawing.looks[edge.key], canvas, *ends, towards)
        return canvas

    def _box(
        self, frame: Frame, key: str, canvas: Canvas, left: float, middle: float, width: float
    ) -> Canvas:
        look = frame.drawing.looks[key]
        style = BOXES[self._theme][f"{frame.drawing.snapshot.vertices[key].kind} {look.state}"]
        size, half = self.size, self._box_height * self.size / 2
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
        self,
        look: Look,
        canvas: Canvas,
        start: tuple[float, float],
        end: tuple[float, float],
        towards: int = 0,
    ) -> Canvas:
        """Draw an arrow with its label: above it, or beside one that goes down."""
        style, size = EDGES[self._theme][look.state], self.size
        line = style.width * size / LEAST_FONT
        arrow = Arrow(start, end, size * 0.7, style.line, line, style.dashed, look.changed)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        rows = [line for line in look.lines if line]
        if towards:
            y -= (len(rows) - 1) / 2 * LABEL_ROW * size
        else:
            # as far above a slanting arrow that no end of a row touches it
            slope = abs((end[1] - start[1]) / (end[0] - start[0]))
            y += slope * _widest([look]) * size * CHARACTER_WIDTH / 2 + 0.8 * size
        notes = []
        for row, text in enumerate(reversed(rows)):
            width = text_width(text) * size * CHARACTER_WIDTH
            aside = towards * LABEL_GAP * size + (towards - 1) * width / 2
            place = (x + aside, y + row * LABEL_ROW * size)
            notes.append(Note(*place, text, size, style.text, style.bold))
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
