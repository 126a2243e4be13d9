"""Where in the learner's own code a node was recorded."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType
from typing import NamedTuple, TypeAlias

PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep  # noqa: PTH120 - compared with names of files


class Span(NamedTuple):
    """A piece of source text, as Python counts: lines from 1, columns in bytes from 0."""

    filename: str
    line: int
    end_line: int
    column: int
    end_column: int


MOST_REMEMBERED = 1024
"""Instructions whose pieces of text are remembered: those of a loop are asked for each time."""

CallSite: TypeAlias = tuple[CodeType, int] | Span
"""A span, or the instruction that `span_of` finds it by: that is quicker to note."""


def current_call_site() -> CallSite | None:
    """Return the instruction outside of minigrad that is being carried out."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return None if frame is None else (frame.f_code, frame.f_lasti)


@lru_cache(maxsize=MOST_REMEMBERED)
def span_of(call_site: CallSite) -> Span | None:
    """Return the piece of source text of an instruction, if its code still knows."""
    if isinstance(call_site, Span):
        return call_site
    code, instruction = call_site
    positions = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    line, end_line, column, end_column = positions
    if line is None:
        return None
    return Span(code.co_filename, line, end_line or line, column or 0, end_column or 0)
