"""The rows of text in a box and on an edge."""

from __future__ import annotations

import unicodedata

from minigrad.ops.base import Values
from minigrad.trace import Contribution, Item
from minigrad.trace.names import abridge
from minigrad.trace.numbers import (
    INLINE_SIZE,
    NOTHING_YET,
    as_factor,
    format_shape,
    format_values,
    with_sign,
)

LONGEST_LINE = 32
LONGEST_NAME = 16
LONGEST_SIGN = 4
NAME_LINES = 3
TAB_WIDTH = 4


def box_lines(item: Item, gradient: str | None, *, computed: bool = True) -> tuple[str, ...]:
    """Return the rows of a box: a header, the value, and the gradient unless it is frozen.

    A gradient of None stands for a picture without gradients.
    """
    if item.kind == "outside":
        return (item.name,)
    name = name_lines(item.given_name)
    value = format_values(item.values if computed else None)
    if item.kind == "node":
        sign = f"\t{item.symbol[:LONGEST_SIGN]}" if item.symbol else ""
        header = [f"#{item.position} {abridge(item.op_name, LONGEST_NAME)}{sign}"]
        above, label = name[:-1], name[-1] or "value"
    else:
        first, *rest = name if item.given_name else [item.name]
        header, above, label = [f"{first}\t{item.kind}", *rest], [], "value"
        if item.kind == "frozen" and item.name == value:
            return tuple(header)
    fields = [(label, value)]
    if item.kind != "frozen" and gradient is not None:
        fields.append(("grad", gradient))
    if item.values.ndim and item.values.size <= INLINE_SIZE:
        fields.insert(0, ("shape", format_shape(item.values.shape) if computed else NOTHING_YET))
    width = max(5, *(text_width(label) for label, _ in fields))
    rows = [label + " " * (width - text_width(label) + 1) + text for label, text in fields]
    return (*header, *above, *rows)


def name_lines(name: str) -> list[str]:
    """Cut a name into lines that fit a box; a line break in it stays one."""
    lines = [
        abridge(expand_tabs(line), LONGEST_NAME)
        for line in name.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ]
    return lines if len(lines) <= NAME_LINES else [*lines[: NAME_LINES - 1], "…"]


def edge_lines(contribution: Contribution) -> tuple[str, str]:
    """Return the rows of an edge: the local derivative, and what travels along it."""
    if contribution.value is None:
        return ("frozen:", "no gradient")
    rule = f"× {contribution.rule}"
    local = contribution.local
    if local is not None and local.size <= INLINE_SIZE and as_number(contribution.rule) is None:
        rule += f" = {format_values(local)}"
    return (rule, with_sign(contribution.value))


def as_number(text: str) -> float | None:
    """Return the number that a text writes, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def sum_text(
    before: Values | None, contributions: list[Values | None], after: Values | None
) -> str:
    """Write ``before + contribution = after``, or only the end of it where that is too long."""
    end = format_values(after)
    terms = [format_values(before)] + [as_factor(c) for c in contributions if c is not None]
    text = f"{' + '.join(terms)} = {end}"
    return text if len(text) <= LONGEST_LINE else end


def text_width(text: str) -> int:
    """Count the columns that a text takes in a fixed-width font."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def expand_tabs(text: str) -> str:
    """Write blanks for tabs, which neither Graphviz nor a browser gives a width."""
    return text.replace("\t", " " * TAB_WIDTH)


def stretch(header: str, width: int) -> str:
    """Put the blanks of a header in place of its last tab, so that it is as wide as asked for."""
    left, tab, right = header.rpartition("\t")
    if not tab:
        return header
    gap = max(2, width - text_width(left) - text_width(right))
    return left + " " * gap + right
