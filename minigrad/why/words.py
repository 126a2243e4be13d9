"""The words of a gradient's paths: what it is, each path with its product, and what that shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.engine.values import Values
from minigrad.trace.numbers import as_factor, format_values
from minigrad.trace.steps import Contribution
from minigrad.trace.words import as_symbol
from minigrad.why.paths import Path, Paths

LONGEST_PATH = 8
"""Of longer paths the middle is left out."""
MOST_DIGITS = 15
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SEED_REMARK = "The paths tell what a seed of 1 gives; this pass has a seed of its own."


@dataclass(frozen=True)
class WhyWords:
    """What is said about a gradient.

    Attributes
    ----------
    title : str
        What it is, and over how many paths it is the sum.
    lines : list of str
        Each path that is listed, with its product in symbols and in numbers.
    unlisted : str
        What the other paths come to; empty if all are listed.
    remarks : list of str
        What is to be said about the paths, and about how backward saves visiting each.
    """

    title: str
    lines: list[str]
    unlisted: str
    remarks: list[str]


def tell_why(paths: Paths, listed: Sequence[Path], rest: Values) -> WhyWords:
    """Find the words for a gradient, some paths of which are listed.

    Parameters
    ----------
    paths : Paths
        All of them.
    listed : sequence of Path
        Those that are told one by one.
    rest : numpy.ndarray
        What the others come to together.
    """
    is_itself = paths.source == paths.output  # a path without an arrow: the title says it all
    return WhyWords(
        _title(paths),
        [] if is_itself else [_line(paths, path) for path in listed],
        _unlisted(paths, paths.count - len(listed), rest),
        _remarks(paths, listed),
    )


def describe_path(paths: Paths, number: int, path: Path) -> str:
    """Tell which path a picture shows, counted from 0, for those who don't see it."""
    return f"Path {number + 1} of {write_count(paths.count)}: {_line(paths, path)}"


def _title(paths: Paths) -> str:
    vertices = paths.snapshot.vertices
    output, source = vertices[paths.output].name, vertices[paths.source].name
    start = f"∂{output}/∂{source} = {format_values(paths.gradient)}"
    if not paths.count:
        return f"{start}: no path leads from {source} to {output}, which does not depend on it"
    if paths.count == 1:
        return f"{start}: there is one path from {source} to {output}"
    return f"{start}: the sum over {write_count(paths.count)} paths from {source} to {output}"


def _line(paths: Paths, path: Path) -> str:
    """Write a path and its product, in symbols and in numbers."""
    vertices = paths.snapshot.vertices
    steps = zip(path.arrows, path.tensors[1:], strict=True)
    stations = [
        vertices[paths.source].name,
        *(f"→{_which(paths, arrow)} #{vertices[key].position}" for arrow, key in steps),
    ]
    symbols = [as_symbol(arrow.rule) for arrow in path.arrows]
    parts = [_shortened(symbols, " · ")]
    if all(arrow.local is not None for arrow in path.arrows):
        numbers = [
            symbol if arrow.rule in ("1", "-1") else as_factor(arrow.local)
            for symbol, arrow in zip(symbols, path.arrows, strict=True)
            if arrow.local is not None
        ]
        parts.append(_shortened(numbers, " · "))
    parts.append(format_values(path.value))
    product = " = ".join(dict.fromkeys(part for part in parts if part))
    return f"{_shortened(stations, ' ')}: {product}"


def _which(paths: Paths, arrow: Contribution) -> str:
    """Return a small number if the same tensor is several operands of a node: x * x."""
    others = paths.snapshot.edges_into(paths.target_of(arrow))
    is_one_of_several = sum(edge.source == arrow.tensor for edge in others) > 1
    return str(arrow.slot + 1).translate(SMALL) if is_one_of_several else ""


def _shortened(parts: list[str], between: str) -> str:
    """Join the parts; of many, leave out the middle and say how many."""
    if len(parts) > LONGEST_PATH:
        parts = [*parts[:3], f"… {len(parts) - 6} more …", *parts[-3:]]
    return between.join(parts)


def _unlisted(paths: Paths, more: int, rest: Values) -> str:
    if not more:
        return ""
    noun = "path" if more == 1 else "paths"
    told = f"and {write_count(more)} more {noun}, together {format_values(rest)}"
    if not paths.has_numbers:
        told += (
            " (some local derivatives are arrays, so these are some of the paths, and not always "
            "the heaviest)"
        )
    return told


def _remarks(paths: Paths, listed: Sequence[Path]) -> list[str]:
    remarks = []
    if any(arrow.local is None for path in listed for arrow in path.arrows):
        remarks.append(
            "Where numbers are missing, a local derivative is not one number for each element. "
            "The share of such a path is what backward passes on along it alone."
        )
    if any(_which(paths, arrow) for path in listed for arrow in path.arrows):
        remarks.append(
            "A small number at an arrow says which operand it is, where a node uses one tensor "
            "more than once."
        )
    if paths.count > 1:
        remarks.append(
            f"Path by path, that takes {write_count(paths.products_by_paths)} products, one for "
            f"each arrow of each path. Backward adds up what comes to a tensor before it goes on, "
            f"so it need not visit each path: it takes {write_count(paths.products_by_backward)} "
            f"products, one for each arrow of the graph, and finds the gradients of all other "
            f"tensors on the way."
        )
    return remarks


def write_count(count: int) -> str:
    """Write a count: with commas, or in powers of ten where nobody would read its digits.

    Examples
    --------
    >>> write_count(2**40), write_count(2**400)
    ('1,099,511,627,776', 'about 2.58·10^120')
    """
    if count < 10**MOST_DIGITS:
        return f"{count:,}"
    exponent = math.log10(count)  # of whole numbers of any size
    return f"about {10 ** (exponent % 1):.2f}·10^{int(exponent)}"


def too_large(count: int, most: int, output: str) -> str:
    """Say why the page has no paths of a large graph, and where they are told."""
    return (
        f"The page lists the paths of graphs of up to {most} nodes, and this one has {count}. In "
        f"the notebook mg.why(graph, {output}, …) tells them."
    )
