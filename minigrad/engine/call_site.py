"""Where in the learner's own code a node was recorded."""

from __future__ import annotations

import ast
import dis
import linecache
import os
import sys
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

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


OPERATOR: Final = object()
"""What `called_by` gives for ``a + b``, ``a += b`` and the like."""
STORE: Final = object()
"""What it gives for ``a[0] = b``."""
ASKING = {
    "BINARY_OP": OPERATOR,
    "STORE_SLICE": STORE,
    "STORE_SUBSCR": STORE,
}
"""The instructions of Python that ask for numbers without a call."""


def called_by(frame: FrameType) -> object:
    """Return the function that a frame is calling, as far as its source text tells; else None."""
    asking = ASKING.get(dis.opname[frame.f_code.co_code[frame.f_lasti]])
    if asking is not None:
        return asking
    path = _path_of_call((frame.f_code, frame.f_lasti))
    if path is None:
        return None
    names = (frame.f_locals, frame.f_globals, frame.f_builtins)
    found: Any = next((space[path[0]] for space in names if path[0] in space), None)
    for attribute in path[1:]:
        if not isinstance(found, ModuleType | np.ndarray | np.ufunc):
            return None  # to look at attributes of others might run code of theirs
        found = getattr(found, attribute, None)
    return found


@lru_cache(maxsize=MOST_REMEMBERED)
def _path_of_call(call_site: CallSite) -> tuple[str, ...] | None:
    """Return ``("np", "exp")`` where that is called."""
    try:
        expression = ast.parse(f"({_text_of(span_of(call_site))})", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(expression, ast.Call):
        return None
    function = expression.func
    attributes: list[str] = []
    while isinstance(function, ast.Attribute):
        attributes.insert(0, function.attr)
        function = function.value
    return (function.id, *attributes) if isinstance(function, ast.Name) else None


def _text_of(span: Span | None) -> str:
    """Return a piece of source text, or nothing if it is not to be had."""
    if span is None:
        return ""
    lines = [line.encode() for line in linecache.getlines(span.filename)[: span.end_line]]
    if len(lines) < span.end_line:
        return ""
    lines[-1] = lines[-1][: span.end_column]
    lines = lines[span.line - 1 :]
    lines[0] = lines[0][span.column :]
    return b"".join(lines).decode(errors="replace")
