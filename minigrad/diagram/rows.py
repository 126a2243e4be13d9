"""The rows of text in a box and on an edge.

A row of a box has one or two columns, a name beside what it is or comes to. The last blank before
the second one is a tab, which a name never has, so that all know where that column begins.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from minigrad.engine.values import Values
from minigrad.trace import Contribution, Edge, Snapshot, Vertex
from minigrad.trace.names import abridge, one_line
from minigrad.trace.notation import ISOLATE, isolated, visible
from minigrad.trace.numbers import (
    INLINE_SIZE,
    as_factor,
    as_start,
    format_shape,
    format_values,
    with_sign,
)
from minigrad.trace.vertices import Group

LONGEST_LINE = 32
LONGEST_NAME = 16
LONGEST_SIGN = 4
LONGEST_LIST = 24
FOLDED, OPEN = "▸", "▾"
MOST_OUTPUTS = 2
"""Of a group, so many are shown in its box."""
NAME_LINES = 3
NEXT_COLUMN = "\t"
TAB_WIDTH = 4


def box_lines(
    vertex: Vertex,
    gradient: str | None,
    *,
    computed: bool = True,
    others: Mapping[str, str] | None = None,
    values: Values | None = None,
) -> tuple[str, ...]:
    """Return the rows of a box: a header, the value, and the gradient unless it is frozen.

    Parameters
    ----------
    vertex : Vertex
        What the box stands for.
    gradient : str or None
        None stands for a picture without gradients.
    computed : bool
        Whether there is a value yet.
    others : mapping, optional
        The gradients of a group's other outputs, by their key.
    values : numpy.ndarray, optional
        What to show in place of the vertex's own values.
    """
    if vertex.kind == "outside":
        return (vertex.name,)
    if vertex.group is not None:
        gradients = {**(others or {}), vertex.outputs[-1].key: gradient}
        return group_lines(vertex, gradients, computed=computed)
    name = name_lines(vertex.label)
    shown = vertex.values if values is None else values
    value = format_values(shown if computed else None)
    if vertex.kind == "node":
        sign, *operands = _sign_and_operands(vertex)
        header = [_number_and_op(vertex) + (f"{NEXT_COLUMN}{sign}" if sign else ""), *operands]
        above, label = name[:-1], name[-1] or "value"
    else:
        if vertex.kind == "frozen" and vertex.name == format_values(vertex.values):
            return (f"{value}{NEXT_COLUMN}{vertex.kind}",)  # a constant is called by its value
        first, *rest = name if vertex.given_name else [vertex.name]
        header, above, label = [f"{first}{NEXT_COLUMN}{vertex.kind}", *rest], [], "value"
    fields = [(label, value)]
    if vertex.kind != "frozen" and gradient is not None:
        fields.append(("grad", gradient))
    width = max(5, *(text_width(label) for label, _ in fields))
    rows = [
        label + " " * (width - text_width(label)) + NEXT_COLUMN + text for label, text in fields
    ]
    return (*header, *above, *rows)


def brief_lines(vertex: Vertex) -> list[str]:
    """Return what a box says where it is too small to be read: op and name, in one or two lines."""
    if vertex.kind != "node":
        return [vertex.name] if vertex.group is None else [group_title(vertex.group, folded=True)]
    return [_number_and_op(vertex), *([vertex.name] if vertex.given_name else [])]


def group_lines(
    vertex: Vertex, gradients: Mapping[str, str | None], *, computed: bool = True
) -> tuple[str, ...]:
    """Return the rows of a folded group: what it is, then each output as the box of a node."""
    group = vertex.group
    assert group is not None
    name = name_lines(group.label)
    name[0] = f"{FOLDED} {name[0]}"
    count = len(group.positions)
    if group.count > 1:
        about = [f"{name[0]}{NEXT_COLUMN}× {group.count:,}", *name[1:], f"{count:,} nodes"]
    else:
        nodes = f"{count:,} node{'' if count == 1 else 's'}"
        about = [f"{name[0]}{NEXT_COLUMN}{nodes}", *name[1:]]
    if vertex.parameters:
        about.append(f"with {listed([leaf.name for leaf in vertex.parameters])}")
    shown = vertex.outputs[-MOST_OUTPUTS:]
    if len(shown) < len(vertex.outputs):
        about.append(f"… and {len(vertex.outputs) - len(shown)} more outputs")
    for output in shown:
        _, *rest = box_lines(output, gradients.get(output.key), computed=computed)
        # a name says which one it is, or else its number and op
        about += rest if output.given_name else [_number_and_op(output), *rest]
    return tuple(about)


def _sign_and_operands(node: Vertex) -> list[str]:
    """Return the sign of an op with the constants beside it, or the sign and a row of operands.

    ``× 0.5`` halves what comes along the arrow, ``3.0 -`` takes it from 3; an op that has no
    sign, or no sides, is written as a call: ``(x, 0.0)``.
    """
    sign = node.symbol[:LONGEST_SIGN]
    if not node.operands:
        return [sign]
    if not sign or len(node.operands) != 2:
        return [sign, f"({listed([one.name for one in node.operands])})"]
    left, right = (as_factor(one.values) if one.is_constant else "" for one in node.operands)
    if left and not right and node.op is not None and node.op.commutative:
        left, right = right, left
    return [" ".join(part for part in (left, sign, right) if part)]


def _number_and_op(node: Vertex) -> str:
    return f"#{node.position} {one_line(visible(node.op_name), LONGEST_NAME)}"


def group_title(group: Group, *, folded: bool = False) -> str:
    """Return what stands above the boxes of a group that is open, or names it on a button."""
    times = f"  × {group.count:,}" if group.count > 1 else ""
    return f"{FOLDED if folded else OPEN} {' '.join(name_lines(group.label))}{times}"


def listed(names: Sequence[str]) -> str:
    """Write names one after the other, and count those for which there is no room."""
    shown: list[str] = []
    for name in names:
        more = len(names) - len(shown) - 1
        if shown and len(", ".join([*shown, name])) > LONGEST_LIST - (4 if more else 0):
            return f"{', '.join(shown)}, and {more + 1} more"
        shown.append(name)
    return ", ".join(shown)


def name_lines(label: str) -> list[str]:
    """Cut a name into lines that fit a box; a line break in it stays one."""
    lines = [
        isolated(abridge(expand_tabs(line), LONGEST_NAME))
        for line in label.replace("\r\n", "\n").replace("\r", "\n").split("\n")
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


def flow(part: Snapshot, edge: Edge) -> str:
    """Tell which tensor goes into a group, or comes out of one, where its box does not say it."""
    tensor = part.tensors[edge.tensor]
    told = []
    if part.vertices[edge.source].group is not None:
        told.append(tensor.name)
        if tensor.values.ndim:
            told.append(format_shape(tensor.values.shape))
    if edge.uses > 1:
        told.append(f"used {edge.uses:,} ×")
    return "  ".join(told)


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
    terms = [as_start(before)] + [as_factor(c) for c in contributions if c is not None]
    text = f"{' + '.join(terms)} = {end}"
    return text if len(text) <= LONGEST_LINE else end


def text_width(text: str) -> int:
    """Count the columns that a text takes in a fixed-width font."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0  # what goes on top of another letter, or isolates a name
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def expand_tabs(text: str) -> str:
    """Write blanks for tabs, which neither Graphviz nor a browser gives a width."""
    return text.replace("\t", " " * TAB_WIDTH)


def stretch(header: str, width: int) -> str:
    """Fill a header with blanks before its second column, so that it is as wide as asked for."""
    left, tab, right = header.partition(NEXT_COLUMN)
    gap = max(2, width - text_width(left) - text_width(right))
    return left + " " * (gap - 1) + tab + right if tab else header


def cells_of(row: str) -> list[tuple[int, str]]:
    """Return where each column of a row begins, and what it says.

    A row with a name that runs from right to left falls into its columns, since not all programs
    isolate a name in a text. Any other row is one text, which is easier to find and to copy.
    """
    left, tab, right = row.partition(NEXT_COLUMN)
    if not tab or ISOLATE not in row:
        return [(0, in_one(row))]
    return [(0, left.rstrip(" ")), (text_width(left) + 1, right)]


def in_one(row: str) -> str:
    """Write the columns of a row as one text."""
    return row.replace(NEXT_COLUMN, " ")
