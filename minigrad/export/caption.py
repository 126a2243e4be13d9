"""The rows of text below a diagram: what is said about a step, and its gradient table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.diagram.rows import text_width
from minigrad.export.frames import Frame
from minigrad.trace.notation import END, ISOLATE, isolated, visible
from minigrad.trace.table import Row

MOST_ROWS = 8
"""Of larger tables, only the rows that a step changes are shown."""
HEAD = Row("tensor", "value", "before", "after", changed=False)
COLUMN_GAP = 3


@dataclass(frozen=True)
class Line:
    """One row of text.

    Attributes
    ----------
    text : str
        From the left.
    cells : tuple of (int, str)
        Of a row of a table, in place of the text: each cell, and the column it begins at.
    aside : str
        At the right end of the row.
    bold, soft, marked : bool
        In bold, in a weaker colour, or on a coloured band.
    """

    text: str = ""
    aside: str = ""
    bold: bool = False
    soft: bool = False
    marked: bool = False
    cells: tuple[tuple[int, str], ...] = ()

    @property
    def pieces(self) -> list[tuple[int, str]]:
        """What is written, each with the column it begins at."""
        return [(start, text) for start, text in self.cells or [(0, self.text)] if text]

    @property
    def width(self) -> int:
        """The columns that it takes."""
        return max((start + text_width(text) for start, text in self.pieces), default=0)


def caption_lines(frame: Frame, caption: bool | str | None, columns: int) -> list[Line]:
    """Write what is said about a frame, in rows of so many columns."""
    if isinstance(caption, str):
        rows = [
            row for part in caption.splitlines() or [""] for row in wrap(visible(part), columns)
        ]
        return [Line(isolated(row)) for row in rows]
    if not caption:
        return []
    words = frame.words
    aside = frame.place
    titles = wrap(words.title, columns - len(aside) - 2) if words.title else []
    lines = [Line(row, aside if not place else "", True) for place, row in enumerate(titles)]
    lines += [Line(row) for row in wrap(words.sentence, columns)]
    return lines + [Line(row, soft=True) for one in words.formulas for row in wrap(one, columns)]


def table_lines(frames: Sequence[Frame]) -> list[list[Line]]:
    """Write the gradient table of each frame, with the same columns and as many rows in all."""
    tables = [_shown(frame.rows) for frame in frames]
    cells = [_cells(row) for rows in [[HEAD], *tables] for row in rows]
    widths = [max(map(text_width, column)) for column in zip(*cells, strict=True)]
    most = max(map(len, tables))
    written = []
    for frame, rows in zip(frames, tables, strict=True):
        lines = [Line(cells=_placed(HEAD, widths), soft=True)]
        lines += [
            Line(cells=_placed(row, widths), bold=row.changed, marked=row.changed) for row in rows
        ]
        hidden = len(frame.rows) - len(rows)
        if hidden:
            lines.append(Line(f"… and {hidden} more tensors", soft=True))
        written.append(lines + [Line()] * (most - len(rows)))
    return written


def wrap(text: str, columns: int) -> list[str]:
    """Break a text into rows that are no wider than so many columns."""
    for width in range(columns, columns // 2, -1):
        rows = textwrap.wrap(text, max(width, 1)) or [""]
        if all(text_width(row) <= columns for row in rows):
            break
    return _closed(rows)


def _closed(rows: list[str]) -> list[str]:
    """Let an isolated name that is broken be isolated in each of its rows."""
    closed = []
    is_open = False
    for row in rows:
        text = f"{ISOLATE}{row}" if is_open else row
        is_open = text.count(ISOLATE) > text.count(END)
        closed.append(f"{text}{END}" if is_open else text)
    return closed


def _shown(rows: list[Row]) -> list[Row]:
    if len(rows) <= MOST_ROWS:
        return rows
    return [row for row in rows if row.changed][:MOST_ROWS]


def _cells(row: Row) -> tuple[str, str, str, str]:
    return row.name, row.value, row.before, row.after


def _placed(row: Row, widths: list[int]) -> tuple[tuple[int, str], ...]:
    """Return each cell with the column it begins at: numbers end where their column does."""
    name, *numbers = _cells(row)
    cells, end = [(0, name)], widths[0]
    for number, width in zip(numbers, widths[1:], strict=True):
        end += COLUMN_GAP + width
        cells.append((end - text_width(number), number))
    return tuple(cells)
