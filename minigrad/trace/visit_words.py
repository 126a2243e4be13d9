"""The words for one visit of the backward pass, and for its end."""

from __future__ import annotations

import re
from dataclasses import dataclass

from minigrad.trace.items import Item, is_broadcast
from minigrad.trace.numbers import as_factor, format_shape, format_values
from minigrad.trace.run import Trace
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Step

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


def expression(snapshot: Snapshot, key: str, *, numbers: bool = False) -> str:
    """Write what a node computed, with names or with numbers: ``x × y``, ``3.0 × 4.0``."""
    item = snapshot.items[key]
    operands = snapshot.operands(key)
    parts = [as_factor(one.values) if numbers else one.name for one in operands]
    if item.symbol and len(parts) == 2:
        return f"{parts[0]} {item.symbol} {parts[1]}"
    if item.symbol and len(parts) == 1:
        return f"{item.symbol}{parts[0]}"
    if numbers:  # between commas, a negative one needs no parentheses
        parts = [format_values(one.values) for one in operands]
    return f"{item.op_name}({', '.join([*parts, *item.attrs])})"


def explain_visit(trace: Trace, step: Step) -> Words:
    """Find the words for a visit: what the node passes on, to whom, and what is wrong with it."""
    item = trace.snapshot.items[step.tensor]
    title = f"Backward through node #{step.position}, {item.op_name}."
    if step.position is not None and trace.is_dead(step.position):
        sentence = (
            f"{item.name} does not lead to {trace.snapshot.tensors[trace.output].name}, so no "
            f"gradient has reached it: it can only pass on zeros. A wasted visit."
        )
    elif step.wasted:
        sentence = f"Nothing has reached {item.name}.grad yet, so there is nothing to pass on."
    else:
        sentence = (
            f"{item.name} = {expression(trace.snapshot, step.tensor)} passes its gradient on"
            f"{_how(trace, step, item)}."
        )
    sentence += _order_warning(item, step)
    if step.part is not None:
        receiver = trace.snapshot.tensors[step.contributions[0].tensor].name
        title = f"{title[:-1]}: edge {step.part[0]} of {step.part[1]}, to {receiver}."
    return Words(title, sentence, tuple(_formulas(trace, step, item)))


def _how(trace: Trace, step: Step, item: Item) -> str:
    """Tell how each operand gets the gradient, and which get none."""
    names = {c.slot: trace.snapshot.tensors[c.tensor].name for c in step.contributions}
    served = [c for c in step.contributions if c.value is not None]
    frozen = [c for c in step.contributions if c.value is None]
    if item.op is not None and item.op.passes_on and not frozen and step.part is None:
        told = f" {item.op.passes_on}"
        if not told.startswith(" unchanged"):
            told = f",{told}"
    else:
        told = ": " + ", ".join(f"to {names[c.slot]} {_by_rule(c.rule)}" for c in served)
    for c in served:
        shape = trace.snapshot.tensors[c.tensor].values.shape
        if is_broadcast(item, trace.snapshot.tensors[c.tensor]):
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


def _order_warning(item: Item, step: Step) -> str:
    if step.repeated:
        return (
            f" But node #{step.position} was visited before: what it passes on is counted once "
            f"more than it should be."
        )
    if step.missed:
        late = " and ".join(f"#{position}" for position in step.missed)
        use = "uses" if len(step.missed) == 1 else "use"
        return (
            f" But the order is wrong here: {late} {use} {item.name} and must be visited first. "
            f"What {late} will add to {item.name}.grad comes too late to be passed on."
        )
    return ""


def _formulas(trace: Trace, step: Step, item: Item) -> list[str]:
    output = trace.snapshot.tensors[trace.output].name
    lines = []
    for contribution in step.contributions:
        if contribution.value is None:
            continue
        target = trace.snapshot.tensors[contribution.tensor]
        factors = [f"∂{output}/∂{item.name}", as_symbol(contribution.rule)]
        if item.op is not None and contribution.slot in item.op.left_factors:
            factors.reverse()
        product = " · ".join(factors)
        parts = [f"sum({product})" if is_broadcast(item, target) else product]
        if step.upstream is not None and contribution.local is not None and not target.values.ndim:
            parts.append(f"{as_factor(step.upstream)} × {as_factor(contribution.local)}")
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
        f"{item.name}.grad = {_final(trace, item)}"
        for item in trace.snapshot.items.values()
        if item.kind == "leaf" and trace.history.gradients[item.key]
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


def _final(trace: Trace, item: Item) -> str:
    left = trace.initial_gradient(item.key)
    told = format_values(trace.final_gradient(item.key))
    return told if left is None else f"{told} ({format_values(left)} of it from an earlier pass)"
