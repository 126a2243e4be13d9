"""The words that explain a step: a title, a sentence, and the rule with this step's numbers."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.trace.numbers import as_factor, format_number, format_shape, format_values
from minigrad.trace.run import Trace
from minigrad.trace.snapshot import Item, Snapshot
from minigrad.trace.steps import Contribution, Step

PASSES_ON = {
    "add": "passes its gradient on unchanged, to both operands",
    "sub": "passes its gradient on unchanged to the first operand, and negated to the second",
    "mul": "passes its gradient on, multiplied by the other operand",
    "div": "passes its gradient on, divided by the denominator; the denominator itself gets it "
    "times −numerator/denominator²",
    "neg": "passes its gradient on, negated",
}

MOST_DESCRIBED = 20


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
    """Find the words for a step of a trace."""
    if step.kind == "record":
        return _recorded(trace, step)
    if step.kind == "seed":
        return _seeded(trace, step)
    return _visited(trace, step)


def describe(snapshot: Snapshot) -> str:
    """Tell in words which nodes a graph has, for those who don't see the picture."""
    nodes = [item for item in snapshot.items.values() if item.kind == "node"]
    told = [
        f"#{item.position} {item.op_name}, {item.name} = {expression(snapshot, item.key)} = "
        f"{format_values(item.values)}"
        for item in nodes[:MOST_DESCRIBED]
    ]
    if len(nodes) > MOST_DESCRIBED:
        told.append(f"and {len(nodes) - MOST_DESCRIBED} more")
    count = f"{len(nodes)} node{'' if len(nodes) == 1 else 's'}"
    return f"Computation graph of {count}: {'; '.join(told)}."


def expression(snapshot: Snapshot, key: str, *, numbers: bool = False) -> str:
    """Write what a node computed, with names or with numbers: ``x × y``, ``3.0 × 4.0``."""
    item = snapshot.items[key]
    operands = snapshot.operands(key)
    parts = [as_factor(one.values) if numbers else one.name for one in operands]
    if item.op is not None and item.op.symbol and len(parts) == 2:
        return f"{parts[0]} {item.symbol} {parts[1]}"
    if item.op is not None and item.op.symbol and len(parts) == 1:
        return f"{item.symbol}{parts[0]}"
    return f"{item.op_name}({', '.join(parts)})"


def _recorded(trace: Trace, step: Step) -> Words:
    item = trace.snapshot.items[step.tensor]
    operands = list(dict.fromkeys(one.name for one in trace.snapshot.operands(step.tensor)))
    formula = f"{item.name} = {expression(trace.snapshot, step.tensor)}"
    if all(one.values.ndim == 0 for one in [item, *trace.snapshot.operands(step.tensor)]):
        formula += f" = {expression(trace.snapshot, step.tensor, numbers=True)}"
    return Words(
        f"Recording node #{step.position}, {item.op_name}.",
        f"The op ran once, and the graph keeps a note of it: inputs {' and '.join(operands)}, "
        f"output {item.name}. Its gradient is not known yet.",
        (f"{formula} = {format_values(item.values)}",),
    )


def _seeded(trace: Trace, step: Step) -> Words:
    name = trace.snapshot.items[step.tensor].name
    if trace.seed_given:
        sentence = f"The backward pass starts at {name}, with the gradient that was given to it."
    else:
        sentence = (
            f"The backward pass starts at {name}: {_partial(name, name)} = 1, since {name} "
            f"changes by exactly as much as itself."
        )
    left = [
        f"{item.name} (from {format_values(item.gradient)})"
        for item in trace.snapshot.items.values()
        if trace.initial_gradient(item.key) is not None
    ]
    if left:
        sentence += (
            f" Not starting from nothing, because an earlier pass left a gradient there: "
            f"{', '.join(left)}. What comes is added to it; zero_grad() would forget it."
        )
    return Words("The seed.", sentence, (f"{name}.grad = {format_values(step.after)}",))


def _visited(trace: Trace, step: Step) -> Words:
    item = trace.snapshot.items[step.tensor]
    title = f"Backward through node #{step.position}, {item.op_name}."
    if step.position is not None and trace.is_dead(step.position):
        sentence = (
            f"{item.name} does not lead to {trace.snapshot.items[trace.output].name}, so no "
            f"gradient has reached it: it can only pass on zeros. A wasted visit."
        )
    else:
        does = PASSES_ON.get(
            item.op_name, "passes its gradient on, multiplied by the local derivative"
        )
        sentence = f"{item.name} = {expression(trace.snapshot, step.tensor)} {does}."
        sentence += _order_warning(item, step)
    frozen = [trace.snapshot.items[c.tensor].name for c in step.contributions if c.value is None]
    if frozen:
        is_or_are = "is" if len(frozen) == 1 else "are"
        sentence += f" {' and '.join(frozen)} {is_or_are} frozen and gets nothing."
    return Words(title, sentence, tuple(_formulas(trace, step, item)))


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
    output = trace.snapshot.items[trace.output].name
    lines = []
    for contribution in step.contributions:
        if contribution.value is None:
            continue
        name = trace.snapshot.items[contribution.tensor].name
        symbols = f"{_partial(output, item.name)} · {_as_symbol_factor(contribution.rule)}"
        if contribution.before is not None:
            symbols = f"{format_values(contribution.before)} + {symbols}"
        parts = [symbols, *_numbers(step, contribution)]
        lines.append(f"{name}.grad: {' = '.join(dict.fromkeys(parts))}")
    return lines


def _numbers(step: Step, contribution: Contribution) -> list[str]:
    """Return the middle and the end of a formula: the product in numbers, and the result."""
    # a visit that nothing has reached leaves no gradient, but the product has a result
    end = format_values(contribution.value if contribution.after is None else contribution.after)
    if contribution.after is not None and contribution.after.ndim:
        target = contribution.after.shape
        upstream_shape = step.upstream.shape if step.upstream is not None else target
        if upstream_shape != target:
            end += f", summed from {format_shape(upstream_shape)} to {format_shape(target)}"
        return [end]
    if contribution.local is None or contribution.local.ndim:
        return [end]
    upstream = format_number(0.0 if step.upstream is None else step.upstream.item())
    product = f"{upstream} × {as_factor(contribution.local)}"
    if contribution.before is not None:
        product = f"{format_values(contribution.before)} + {product}"
    return [product, end]


def _partial(output: str, by: str) -> str:
    return f"∂{output}/∂{by}"


def _as_symbol_factor(rule: str) -> str:
    plain = rule.lstrip("-").isidentifier() or rule.replace(".", "").isdigit()
    if rule.startswith("-") or not (plain or rule.startswith(("∂", "#"))):
        return f"({rule})"
    return rule
