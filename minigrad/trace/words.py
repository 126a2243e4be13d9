"""The words that explain a step: a title, a sentence, and the rule with this step's numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from minigrad.engine.values import Values
from minigrad.trace.notation import visible
from minigrad.trace.numbers import as_factor, format_shape, format_values
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Contribution, Step
from minigrad.trace.vertices import Vertex, is_broadcast

if TYPE_CHECKING:
    from minigrad.trace.trace import Trace

MOST_DESCRIBED = 20
MOST_TOLD = 4
"""So many leaves are named at the end; more would be a list to skip."""


@dataclass(frozen=True)
class Words:
    """What is said about one step.

    Attributes
    ----------
    title : str
        What happens, in a few words.
    sentence : str
        Why, in one or two sentences.
    formulas : tuple of str
        One line for each gradient that changes: the rule in symbols, then in numbers.
    """

    title: str
    sentence: str
    formulas: tuple[str, ...]


def explain(trace: Trace, step: Step) -> Words:
    """Find the words for a step of a trace in which nothing is folded."""
    if step.kind == "record":
        return _recorded(trace, step)
    if step.kind == "seed":
        return _seeded(trace, step)
    return _visited(trace, step)


def describe(snapshot: Snapshot) -> str:
    """Tell in words which nodes a graph has, for those who don't see the picture."""
    boxes = [snapshot.vertices[key] for key in snapshot.boxes]
    told = [_described(snapshot, vertex) for vertex in boxes[:MOST_DESCRIBED]]
    if len(boxes) > MOST_DESCRIBED:
        told.append(f"and {len(boxes) - MOST_DESCRIBED} more")
    count = f"{snapshot.count} node{'' if snapshot.count == 1 else 's'}"
    shown = snapshot.positions
    if len(shown) < snapshot.count:
        count += f", of which #{shown[0]} to #{shown[-1]} are shown"
    added = "".join(
        f" The gradient of {vertex.name} is {format_values(vertex.gradient)}: the last backward "
        f"pass added to the {format_values(vertex.earlier)} that was there before."
        for vertex in snapshot.vertices.values()
        if vertex.earlier is not None
    )
    return f"Computation graph of {count}: {'; '.join(told)}.{added}"


def _described(snapshot: Snapshot, vertex: Vertex) -> str:
    if vertex.group is not None:
        first, last = vertex.group.positions[0], vertex.group.positions[-1]
        made = ", ".join(f"{one.name} = {format_values(one.values)}" for one in vertex.outputs[-2:])
        return f"#{first} to #{last} folded to {vertex.name}, which gives {made}"
    return (
        f"#{vertex.position} {vertex.op_label}, {vertex.name} = "
        f"{expression(snapshot, vertex.key)} = {format_values(vertex.values)}"
    )


def _recorded(trace: Trace, step: Step) -> Words:
    vertex = trace.snapshot.vertices[step.tensor]
    operands = trace.snapshot.operands(step.tensor)
    names = [one.name for one in operands]
    inputs = f"{'input' if len(names) == 1 else 'inputs'} {' and '.join(names)}"
    if len(operands) > len({one.key for one in operands}):
        inputs += " (the same tensor twice)"
    formula = f"{vertex.name} = {expression(trace.snapshot, step.tensor)}"
    value = format_values(vertex.values)
    if all(one.values.ndim == 0 for one in [vertex, *operands]):
        numbers = expression(trace.snapshot, step.tensor, numbers=True)
        formula += f" = {numbers}" if numbers != value else ""
    return Words(
        f"Recording node #{step.position}, {vertex.op_label}.",
        f"The op ran once, and the graph keeps a note of it: {inputs}, output {vertex.name}. "
        f"Its gradient is not known yet.",
        (f"{formula} = {value}",),
    )


def _seeded(trace: Trace, step: Step) -> Words:
    name = trace.snapshot.tensors[step.tensor].name
    if trace.seed_given:
        sentence = f"The backward pass starts at {name}, with the gradient that was given to it."
    else:
        sentence = (
            f"The backward pass starts at {name}: ∂{name}/∂{name} = 1, since {name} changes by "
            f"exactly as much as itself."
        )
    left = [
        f"{vertex.name} already holds {format_values(vertex.gradient)}"
        for vertex in trace.snapshot.vertices.values()
        if vertex.kind == "leaf"
        and vertex.gradient is not None
        and trace.history.gradients[vertex.key]
    ]
    if left:
        sentence += (
            f" {' and '.join(left)} from an earlier backward pass; what comes now is added on "
            f"top. To start afresh, call zero_grad() first."
        )
    total = format_values(step.after)
    if step.before is not None and step.upstream is not None:
        total = f"{format_values(step.before)} + {as_factor(step.upstream)} = {total}"
    return Words("The seed.", sentence, (f"{name}.grad = {total}",))


def expression(snapshot: Snapshot, key: str, *, numbers: bool = False) -> str:
    """Write what a node computed, with names or with numbers: ``x × y``, ``3.0 × 4.0``."""
    vertex = snapshot.vertices[key]
    operands = snapshot.operands(key)
    parts = [as_factor(one.values) if numbers else one.name for one in operands]
    if vertex.symbol and len(parts) == 2:
        return f"{parts[0]} {vertex.symbol} {parts[1]}"
    if vertex.symbol and len(parts) == 1:
        return f"{vertex.symbol}{parts[0]}"
    if numbers:  # between commas, a negative one needs no parentheses
        parts = [format_values(one.values) for one in operands]
    return f"{vertex.op_label}({', '.join([*parts, *vertex.attrs])})"


def _visited(trace: Trace, step: Step) -> Words:
    """Find the words for a visit: what the node passes on, to whom, and what is wrong with it."""
    vertex = trace.snapshot.vertices[step.tensor]
    title = f"Backward through node #{step.position}, {vertex.op_label}."
    if step.position is not None and trace.is_dead(step.position):
        sentence = (
            f"{vertex.name} does not lead to {trace.snapshot.tensors[trace.output].name}, so no "
            f"gradient has reached it: it can only pass on zeros. A wasted visit."
        )
    elif step.wasted:
        sentence = f"Nothing has reached {vertex.name}.grad yet, so there is nothing to pass on."
    else:
        sentence = (
            f"{vertex.name} = {expression(trace.snapshot, step.tensor)} passes its gradient on"
            f"{_how(trace, step, vertex)}."
        )
    sentence += _order_warning(vertex, step)
    if step.part is not None:
        receiver = trace.snapshot.tensors[step.contributions[0].tensor].name
        title = f"{title[:-1]}: edge {step.part[0]} of {step.part[1]}, to {receiver}."
    return Words(title, sentence, tuple(_formulas(trace, step, vertex)))


def _how(trace: Trace, step: Step, vertex: Vertex) -> str:
    """Tell how each operand gets the gradient, and which get none."""
    names = {c.slot: trace.snapshot.tensors[c.tensor].name for c in step.contributions}
    served = [c for c in step.contributions if c.value is not None]
    frozen = [c for c in step.contributions if c.value is None]
    if vertex.op is not None and vertex.op.passes_on and not frozen and step.part is None:
        told = f" {visible(vertex.op.passes_on)}"
        if not told.startswith(" unchanged"):
            told = f",{told}"
    else:
        told = ": " + ", ".join(f"to {names[c.slot]} {_by_rule(c.rule)}" for c in served)
    for c in served:
        shape = trace.snapshot.tensors[c.tensor].values.shape
        if is_broadcast(vertex, trace.snapshot.tensors[c.tensor]):
            told += (
                f"; {names[c.slot]} was broadcast, so what it gets is summed to shape "
                f"{format_shape(shape)}"
            )
    for c in frozen:
        constant = trace.snapshot.tensors[c.tensor]
        what = "is frozen" if constant.given_name else "is a constant"
        told += f"; {names[c.slot]} {what} and gets nothing"
    return told


def _by_rule(rule: str) -> str:
    return {"1": "unchanged", "-1": "negated"}.get(rule, f"multiplied by {rule}")


def _order_warning(vertex: Vertex, step: Step) -> str:
    if step.repeated:
        return (
            f" But node #{step.position} was visited before: what it passes on is counted once "
            f"more than it should be."
        )
    if step.missed:
        late = " and ".join(f"#{position}" for position in step.missed)
        use = "uses" if len(step.missed) == 1 else "use"
        return (
            f" But the order is wrong here: {late} {use} {vertex.name} and must be visited first. "
            f"What {late} will add to {vertex.name}.grad comes too late to be passed on."
        )
    return ""


def _formulas(trace: Trace, step: Step, vertex: Vertex) -> list[str]:
    output = trace.snapshot.tensors[trace.output].name
    lines = []
    for contribution in step.contributions:
        if contribution.value is None:
            continue
        target = trace.snapshot.tensors[contribution.tensor]
        factors = [f"∂{output}/∂{vertex.name}", as_symbol(contribution.rule)]
        if vertex.op is not None and contribution.slot in vertex.op.left_factors:
            factors.reverse()
        product = " · ".join(factors)
        parts = [f"sum({product})" if is_broadcast(vertex, target) else product]
        if step.upstream is not None and contribution.local is not None and not target.values.ndim:
            parts.append(_product(step.upstream, contribution))
        end = format_values(contribution.after)
        if step.wasted and contribution.before is None:
            lines.append(f"{target.name}.grad: nothing to add to it = {end}")
            continue
        if step.wasted:
            parts.append(format_values(contribution.value))
        if contribution.before is not None:
            before = format_values(contribution.before)
            parts = [f"{before} + {part}" for part in parts]
        lines.append(f"{target.name}.grad: {' = '.join(dict.fromkeys([*parts, end]))}")
    return lines


def _product(upstream: Values, contribution: Contribution) -> str:
    """Write the rule in numbers; what was not taken gets nothing, and no product with infinity."""
    local = contribution.local
    assert local is not None
    if not np.isfinite(upstream) and local == 0 and contribution.value == 0:
        return f"none of {format_values(upstream)}"
    return f"{as_factor(upstream)} × {as_factor(local)}"


def as_symbol(rule: str) -> str:
    """Put a rule that is more than one factor in parentheses."""
    return f"({rule})" if re.search(r"^-|.[-+/· ]", rule) and not rule.startswith("∂") else rule


def conclusion(trace: Trace) -> str:
    """Tell how the pass ended: with the right gradients, or with which wrong ones."""
    wrong = []
    rights = {} if trace.is_in_order else trace.right_gradients
    for key, right in rights.items():
        found = trace.final_gradient(key)
        if found is None or found.tobytes() != right.tobytes():
            name = trace.snapshot.tensors[key].name
            wrong.append(
                f"{name}.grad = {format_values(found)} (the right order gives "
                f"{format_values(right)})"
            )
    if wrong:
        return f"The pass ends here, with {' and '.join(wrong)}.{_left_out(trace)}{_wasted(trace)}"
    leaves = [
        f"{vertex.name}.grad = {_final(trace, vertex)}"
        for vertex in trace.snapshot.vertices.values()
        if vertex.kind == "leaf" and trace.history.gradients[vertex.key]
    ]
    if 0 < len(leaves) <= MOST_TOLD:
        return f"The pass is complete: {', '.join(leaves)}.{_wasted(trace)}"
    return f"The pass is complete.{_wasted(trace)}"


def _left_out(trace: Trace) -> str:
    """Name the nodes that were never visited and should have been."""
    unvisited = trace.unvisited
    names = [f"#{position}" for position in unvisited[:MOST_TOLD]]
    if not names:
        return ""
    more = " and others" if len(unvisited) > MOST_TOLD else ""
    return f" {', '.join(names)}{more} {'was' if len(names) == 1 else 'were'} never visited."


def _wasted(trace: Trace) -> str:
    """Count the visits that contributed nothing, if there were any."""
    wasted = trace.wasted_visits
    return f" {wasted} of {len(trace.positions)} visits contributed nothing." if wasted else ""


def _final(trace: Trace, vertex: Vertex) -> str:
    left = trace.initial_gradient(vertex.key)
    told = format_values(trace.final_gradient(vertex.key))
    return told if left is None else f"{told} ({format_values(left)} of it from an earlier pass)"
