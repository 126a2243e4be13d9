"""The words for a step that happens inside of a folded group."""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.trace.numbers import as_factor, format_values
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.trace import Trace
from minigrad.trace.vertices import Vertex
from minigrad.trace.words import MOST_TOLD, Words

MOST_OPS = 6


def explain_group(trace: Trace, step: Step) -> Words:
    """Find the words for recording the nodes of a group, or for the visits to them."""
    vertex = trace.snapshot.vertices[step.tensor]
    return _recorded(trace, vertex) if step.kind == "record" else _visited(trace, step, vertex)


def _recorded(trace: Trace, vertex: Vertex) -> Words:
    inputs = [one.name for one in trace.snapshot.operands(vertex.key)]
    origin = f" from {_listed(inputs)}" if inputs else ""
    if vertex.parameters:
        origin += f", with {_listed(_names(vertex.parameters))}"
    sentence = (
        f"{_ran(trace, vertex)} What comes out is {_listed(_names(vertex.outputs))}{origin}. "
        f"No gradient is known yet."
    )
    formulas = [f"{one.name} = {format_values(one.values)}" for one in vertex.outputs[-MOST_TOLD:]]
    return Words(f"Recording {vertex.name}: {_nodes(vertex)}.", sentence, tuple(formulas))


def _ran(trace: Trace, vertex: Vertex) -> str:
    group = vertex.group
    assert group is not None
    ops = [trace.snapshot.tensors[f"n{position}"].op_label for position in group.positions]
    if group.count > 1:
        once = ops[: len(ops) // group.count]
        what = "The same op" if len(once) == 1 else f"The same {len(once)} ops"
        return f"{what} ran {group.count:,} times: {_listed(once, MOST_OPS)}."
    if len(ops) == 1:
        return f"One op ran, and the graph keeps a note of it: {ops[0]}."
    return f"{len(ops):,} ops ran, and the graph keeps a note of each: {_listed(ops, MOST_OPS)}."


def _visited(trace: Trace, step: Step, vertex: Vertex) -> Words:
    title = f"Backward through {vertex.name}: {_nodes(vertex, backward=True)}."
    assert vertex.position is not None
    outputs = _listed([f"{name}.grad" for name in _names(vertex.outputs)])
    if trace.is_dead(vertex.position):
        output = trace.snapshot.tensors[trace.output].name
        sentence = (
            f"{vertex.name} does not lead to {output}, so no gradient has reached it: it can only "
            f"pass on zeros. Wasted visits."
        )
    elif step.wasted:
        sentence = f"Nothing has reached {outputs} yet, so there is nothing to pass on."
    else:
        sentence = f"{outputs} goes in; the visits inside come to what leaves here."
        sentence += _inside(vertex) + _how(trace, step)
    return Words(
        title, sentence + _order_warning(step, vertex), tuple(_formulas(trace, step, vertex))
    )


def _inside(vertex: Vertex) -> str:
    learning = [one.name for one in vertex.hidden if one.kind == "leaf"]
    if not learning:
        return ""
    verb = "gets its gradient" if len(learning) == 1 else "get their gradients"
    return f" {_listed(learning)} {verb} inside."


def _how(trace: Trace, step: Step) -> str:
    edges = {edge.key: edge for edge in trace.snapshot.edges_into(step.tensor)}
    told = ""
    for contribution in step.contributions:
        name = trace.snapshot.tensors[contribution.tensor].name
        uses = edges[contribution.edge].uses
        if contribution.value is None:
            told += f" {name} is frozen and gets nothing."
        elif uses > 1:
            told += f" {name} is used {uses:,} times in there: what it gets is the sum of all."
    return told


def _order_warning(step: Step, vertex: Vertex) -> str:
    if step.repeated:
        return (
            " But some of its nodes were visited before: what they pass on is counted once more "
            "than it should be."
        )
    if step.missed:
        late = _listed([f"#{position}" for position in step.missed])
        return (
            f" But the order is wrong here: {late} must be visited before what it uses in "
            f"{vertex.name}."
        )
    return ""


def _formulas(trace: Trace, step: Step, vertex: Vertex) -> list[str]:
    given = [one for one in step.contributions if one.value is not None]
    lines = [_formula(trace, one) for one in given[:MOST_TOLD]]
    leaves = [leaf for leaf in vertex.hidden if leaf.kind == "leaf"]
    return lines + [
        f"{leaf.name}.grad = {format_values(trace.final_gradient(leaf.key))}"
        for leaf in leaves[: max(0, MOST_TOLD - len(lines))]
    ]


def _formula(trace: Trace, contribution: Contribution) -> str:
    name = trace.snapshot.tensors[contribution.tensor].name
    after = format_values(contribution.after)
    if contribution.before is None or contribution.value is None:
        return f"{name}.grad = {after}"
    parts = f"{format_values(contribution.before)} + {as_factor(contribution.value)}"
    return f"{name}.grad: {parts} = {after}"


def _nodes(vertex: Vertex, *, backward: bool = False) -> str:
    assert vertex.group is not None
    ends = [vertex.group.positions[0], vertex.group.positions[-1]]
    if ends[0] == ends[1]:
        return f"node #{ends[0]}"
    first, last = reversed(ends) if backward else ends
    return f"nodes #{first} to #{last}"


def _names(vertices: Sequence[Vertex]) -> list[str]:
    return [vertex.name for vertex in vertices]


def _listed(names: Sequence[str], most: int = MOST_TOLD) -> str:
    """Write names as one reads them aloud, and count those that are left out."""
    shown = list(names[:most])
    if len(names) > most:
        shown.append(f"{len(names) - most:,} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
