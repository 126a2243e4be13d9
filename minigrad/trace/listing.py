"""`Listing`: the lines of the learner's own code that recorded a graph, and which made what."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass, field

from minigrad.engine.call_site import Span
from minigrad.engine.node import GraphNode

LARGEST_GAP = 4
"""Lines that recorded nothing are shown between others if there are no more than these."""
MOST_LINES = 120


@dataclass(frozen=True, slots=True)
class Mark:
    """What recorded one node.

    Attributes
    ----------
    first, last : int
        Places in `Listing.lines`.
    start, end : int
        Columns in characters, in the first and in the last line; both 0 if not known.
    """

    first: int
    last: int
    start: int
    end: int


@dataclass
class Listing:
    """The lines to show, None where some were left out, and the mark of each node by its key."""

    lines: list[str | None] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)


def listing_of(nodes: Sequence[GraphNode]) -> Listing:
    """Collect the code that recorded the nodes, file by file, or cell by cell of a notebook."""
    spans = {f"n{position}": node.source for position, node in enumerate(nodes)}
    by_file: dict[str, dict[str, Span]] = {}
    for key, span in spans.items():
        if span is not None:
            by_file.setdefault(span.filename, {})[key] = span
    listing = Listing()
    for filename, found in by_file.items():
        text = linecache.getlines(filename)
        there = {key: span for key, span in found.items() if span.end_line <= len(text)}
        if there and len(listing.lines) < MOST_LINES:
            _add(listing, text, there)
    return listing


def _add(listing: Listing, text: list[str], spans: dict[str, Span]) -> None:
    wanted = sorted({n for s in spans.values() for n in range(s.line, s.end_line + 1)})
    chosen: list[int | None] = [None] if listing.lines else []
    for number in wanted[:MOST_LINES]:
        previous = chosen[-1] if chosen else None
        if previous is not None:
            skipped = range(previous + 1, number)
            chosen += skipped if len(skipped) <= LARGEST_GAP else [None]
        chosen.append(number)
    lines = [text[n - 1].rstrip("\r\n") for n in chosen if n is not None]
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    place: dict[int, int] = {}
    for one in chosen:
        if one is None:
            listing.lines.append(None)
        else:
            place[one] = len(listing.lines)
            listing.lines.append(text[one - 1].rstrip("\r\n")[indent:])
    for key, span in spans.items():
        if span.line in place and span.end_line in place:
            start = _characters(text[span.line - 1], span.column) - indent
            end = _characters(text[span.end_line - 1], span.end_column) - indent
            mark = Mark(place[span.line], place[span.end_line], max(start, 0), max(end, 0))
            listing.marks[key] = mark


def _characters(line: str, column: int) -> int:
    """Turn a column in bytes into one in characters."""
    return len(line.encode()[:column].decode(errors="ignore"))
