"""Why each gradient is what it is: the paths that the page lists and lights in its diagram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad.engine.errors import MinigradError
from minigrad.engine.graph import ComputationGraph
from minigrad.engine.tensor import Tensor
from minigrad.trace import Trace
from minigrad.trace.notation import visible
from minigrad.trace.numbers import format_values
from minigrad.why.arrows import Arrows
from minigrad.why.paths import Paths
from minigrad.why.why import Why
from minigrad.why.words import SEED_REMARK, too_large

LARGEST_TOLD = 60
"""Of larger graphs the paths of all tensors would be more than all else that the page is sent."""
MOST_PATHS = 5


def why_payload(graph: ComputationGraph, trace: Trace) -> dict[str, Any]:
    """Return the paths from each tensor to the output, or why there are none to show.

    They explain what the right order gives to a seed of 1, whatever the order of the trace.

    Parameters
    ----------
    graph : ComputationGraph
        The graph of the trace.
    trace : Trace
        Whose output is explained; nothing in it is folded.

    Returns
    -------
    dict
        ``told``: by the key of the tensor, its title, total, paths and notes; a path is a line
        and the numbers of its edges. Or ``failed``: a sentence.
    """
    snapshot = trace.snapshot
    if snapshot.count > LARGEST_TOLD:
        vertex = snapshot.vertices[trace.output]
        name = visible(vertex.given_name) or vertex.name  # in code, as code knows it
        return {"failed": too_large(snapshot.count, LARGEST_TOLD, name)}
    tensors = _tensors_of(graph, trace)
    told = {}
    if trace.output in tensors:  # else it is a leaf that no node uses, and all is said by its seed
        output = tensors[trace.output]
        numbers = {edge.key: number for number, edge in enumerate(snapshot.edges)}
        try:
            arrows = Arrows(graph, output, snapshot=snapshot)
            for key, source in tensors.items():
                if snapshot.vertices[key].kind != "frozen":
                    why = Why(Paths(arrows, source), MOST_PATHS)
                    told[key] = _told(why, numbers, with_seed=trace.seed_given)
        except MinigradError as error:
            return {"failed": f"{error}."}
    return {"told": told}


def _tensors_of(graph: ComputationGraph, trace: Trace) -> dict[str, Tensor]:
    """Return the tensors of a graph by their keys."""
    tensors = [tensor for node in graph.nodes for tensor in (*node.inputs, node.output)]
    return {trace.snapshot.key(tensor): tensor for tensor in tensors}


def _told(why: Why, numbers: Mapping[str, int], *, with_seed: bool) -> dict[str, Any]:
    edges = [[numbers[arrow.edge] for arrow in path.arrows] for path in why.paths]
    notes = [why.unlisted] if why.unlisted else []
    return {
        "title": f"{why.title}.",
        "total": format_values(why.gradient),
        "paths": [[line, lit] for line, lit in zip(why.lines, edges, strict=bool(why.lines))],
        "notes": [*notes, *why.remarks, *([SEED_REMARK] if with_seed else [])],
    }


def lit_by_edges(trace: Trace) -> list[list[str]]:
    """Return what is lit in the picture for each edge of a graph, by its number.

    That is the edge and both its ends; of what is folded to one box, the box.
    """
    snapshot, edges = trace.snapshot, trace.whole.snapshot.edges
    if len(trace.whole.snapshot.boxes) > LARGEST_TOLD:
        return []
    lit = []
    for edge in edges:
        source, target = snapshot.box_of(edge.source), snapshot.box_of(edge.target)
        is_group = target != edge.target
        drawn = [
            one.key
            for one in snapshot.edges_into(target)
            if one.tensor == edge.tensor and (is_group or one.slot == edge.slot)
        ]
        lit.append(list(dict.fromkeys([*drawn, source, target])))
    return lit
