"""The words that explain a step: a title, a sentence, and the rule with this step's numbers."""

from __future__ import annotations

from dataclasses import replace

from minigrad.trace.group_words import explain_group
from minigrad.trace.items import Item
from minigrad.trace.numbers import as_factor, format_values
from minigrad.trace.run import Trace
from minigrad.trace.snapshot import Snapshot
from minigrad.trace.steps import Step
from minigrad.trace.visit_words import Words, conclusion, explain_visit, expression

MOST_DESCRIBED = 20


def explain(trace: Trace, step: Step) -> Words:
    """Find the words for a step of a trace."""
    if trace.snapshot.items[trace.snapshot.box_of(step.tensor)].group and step.kind != "seed":
        words = explain_group(trace, step)
    elif step.kind == "record":
        words = _recorded(trace, step)
    elif step.kind == "seed":
        words = _seeded(trace, step)
    else:
        words = explain_visit(trace, step)
    if not trace.is_last(step):
        return words
    return replace(words, sentence=f"{words.sentence} {conclusion(trace)}")


def describe(snapshot: Snapshot) -> str:
    """Tell in words which nodes a graph has, for those who don't see the picture."""
    boxes = [snapshot.items[key] for key in snapshot.boxes]
    told = [_described(snapshot, item) for item in boxes[:MOST_DESCRIBED]]
    if len(boxes) > MOST_DESCRIBED:
        told.append(f"and {len(boxes) - MOST_DESCRIBED} more")
    count = f"{snapshot.count} node{'' if snapshot.count == 1 else 's'}"
    shown = snapshot.positions
    if len(shown) < snapshot.count:
        count += f", of which #{shown[0]} to #{shown[-1]} are shown"
    added = "".join(
        f" The gradient of {item.name} is {format_values(item.gradient)}: the last backward pass "
        f"added to the {format_values(item.earlier)} that was there before."
        for item in snapshot.items.values()
        if item.earlier is not None
    )
    return f"Computation graph of {count}: {'; '.join(told)}.{added}"


def _described(snapshot: Snapshot, item: Item) -> str:
    if item.group is not None:
        first, last = item.group.positions[0], item.group.positions[-1]
        made = ", ".join(f"{one.name} = {format_values(one.values)}" for one in item.outputs[-2:])
        return f"#{first} to #{last} folded to {item.name}, which gives {made}"
    return (
        f"#{item.position} {item.op_name}, {item.name} = {expression(snapshot, item.key)} = "
        f"{format_values(item.values)}"
    )


def _recorded(trace: Trace, step: Step) -> Words:
    item = trace.snapshot.items[step.tensor]
    operands = trace.snapshot.operands(step.tensor)
    names = [one.name for one in operands]
    inputs = f"{'input' if len(names) == 1 else 'inputs'} {' and '.join(names)}"
    if len(operands) > len({one.key for one in operands}):
        inputs += " (the same tensor twice)"
    formula = f"{item.name} = {expression(trace.snapshot, step.tensor)}"
    value = format_values(item.values)
    if all(one.values.ndim == 0 for one in [item, *operands]):
        numbers = expression(trace.snapshot, step.tensor, numbers=True)
        formula += f" = {numbers}" if numbers != value else ""
    return Words(
        f"Recording node #{step.position}, {item.op_name}.",
        f"The op ran once, and the graph keeps a note of it: {inputs}, output {item.name}. "
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
        f"{item.name} already holds {format_values(item.gradient)}"
        for item in trace.snapshot.items.values()
        if item.kind == "leaf" and item.gradient is not None and trace.history.gradients[item.key]
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
