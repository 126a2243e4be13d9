"""The words of questions about numbers, and the wrong answers whose reason can be recognised."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from minigrad.predict.received import Received
from minigrad.trace.numbers import format_number
from minigrad.trace.trace import Trace
from minigrad.trace.words import as_symbol

Wrong = tuple[float, str]
"""A wrong answer, and the hint at what led to it."""


@dataclass(frozen=True)
class Asked:
    """A question, what it asks for in a few words, its answer as a sentence, and a general hint."""

    question: str
    about: str
    told: str
    otherwise: str


def words_for_share(received: Received) -> Asked:
    """Find the words that ask what a node passes on to an operand."""
    r, name, share = received, _name(received), format_number(received.added)
    about = f"what node #{r.node.position} passes on to {name}{_along(r)}"
    if r.upstream is None:
        return Asked(
            f"{_next_is(r)}, but no gradient has reached {r.node.name}. How much does it add "
            f"to {_gradient(r)}?",
            about,
            f"Nothing is passed on to {name}: {share}.",
            f"{r.node.name} has no gradient yet. What is nothing times the local derivative?",
        )
    return Asked(
        f"{_next_is(r)}, {_with_gradient(r)}. What does it pass on to {name}{_along(r)}?",
        about,
        f"It passes {share} on to {name}{_along(r)}.",
        f"It is {_upstream(r)} times the local derivative of {r.formula} for {r.target.name}.",
    )


def words_for_gradient(received: Received) -> Asked:
    """Find the words that ask for an operand's gradient after a step."""
    r, gradient = received, _gradient(received)
    before = "still empty" if r.before is None else f"{format_number(r.before)} so far"
    along = f" It passes on to {_name(r)}{_along(r)}." if r.edge else ""
    edges = f", along each of the {len(r.shares)} edges to {r.target.name}"
    return Asked(
        f"{_next_is(r)}, {_with_gradient(r)}.{along} {gradient} is {before}; what will it be "
        f"after this step?",
        f"{gradient} after node #{r.node.position}{_along(r)}",
        f"{gradient} is {format_number(r.after or 0.0)} after this step.",
        f"What is passed on is {_upstream(r)} times the local derivative"
        f"{edges if len(r.shares) > 1 else ''}. It is added to what is there.",
    )


def mistakes_in_share(received: Received) -> Iterator[Wrong]:
    """Yield wrong answers about what is passed on, the likeliest first; some may be right here."""
    r, share = received, received.added
    name, node = r.target.name, r.node.name
    slope = math.fsum(r.slopes)
    if r.upstream is None:
        hint = f"That would be passed on if {node}.grad were 1; but nothing has reached it yet."
        yield slope, hint
        for one in r.slopes:
            yield one, hint
        yield 1.0, f"No seed has come through to {node}: it has no gradient to pass on."
    else:
        yield -share, _mind_the_sign(r)
        yield from _wrong_factors(r)
        if r.upstream != 1:
            yield (
                r.upstream + slope,
                f"{_upstream(r)} and the local derivative are multiplied, not added.",
            )
        if r.is_unchanged and r.others:
            yield (
                share / 2,
                "A gradient is not shared out among the operands: each gets all of it.",
            )
        if r.edge:
            yield share * r.edge[1], "That is what all edges bring; the question is about one."
    if r.before is not None and r.after is not None:
        yield r.after, f"That is {_gradient(r)} afterwards; how much is added to it now?"
        yield r.before, f"That is {_gradient(r)} already; how much is added to it now?"
    yield from _values(r)
    yield 0.0, f"{node} was computed from {name}, so something is passed on to it."


def mistakes_in_gradient(trace: Trace, received: Received) -> Iterator[Wrong]:
    """Yield wrong answers about a sum, the likeliest first; some of them may be right here."""
    r, gradient = received, _gradient(received)
    name, node = r.target.name, r.node.name
    before, upstream = r.before or 0.0, r.upstream or 0.0
    if r.repeated:
        yield (
            before,
            f"Node #{r.node.position} passes its gradient on in each of its visits, so also now.",
        )
    if before:
        yield (
            r.added,
            f"That is only the new part; {gradient} is {format_number(before)} already, and the "
            f"new part is added to it.",
        )
        yield before, f"So it is before this step; now {node} adds its part."
    times = "twice" if len(r.shares) == 2 else f"{len(r.shares)} times"
    other_edge = (
        f"{node} uses {name} {times}, and along each edge it passes on {_upstream(r)} = "
        f"{format_number(upstream)} times the local derivative."
    )
    if len(r.shares) > 1:
        for share in r.shares:
            yield before + share, other_edge
    for value, hint in _wrong_factors(r):
        yield before + value, hint
        if before:
            yield value, f"{hint} And it is added to the {format_number(before)} that is there."
    yield before - r.added, _mind_the_sign(r)
    if len(r.shares) > 1:
        for share in r.shares:
            yield share, other_edge
        yield math.prod(r.shares), "What comes along several edges is added, not multiplied."
    if before:
        yield before * r.added, "Contributions are added to a gradient, not multiplied with it."
    if r.is_unchanged and r.others:
        yield before + upstream / 2, "A gradient is not shared out: each operand gets all of it."
    if r.edge:
        yield (
            before + r.added * r.edge[1],
            f"Each edge is a step here: only {_along(r).strip()} counts now.",
        )
    if not r.place and trace.right_gradients.get(r.target.key) is not None:
        right = float(trace.right_gradients[r.target.key])
        yield right, "That is what the right order gives in the end. What happens in this one?"
    final = trace.final_gradient(r.target.key)
    if not r.place and final is not None:
        yield float(final), f"That is {gradient} at the end; other nodes are still to add to it."
    yield from _values(r)
    yield 0.0, f"{node} was computed from {name}, so something is added to {gradient}."


def _wrong_factors(r: Received) -> Iterator[Wrong]:
    """Yield products with one factor left out, or with a wrong one."""
    upstream, slope = r.upstream or 0.0, math.fsum(r.slopes)
    rule, factor = as_symbol(r.rules[0]), "local derivative"
    for other in r.others:
        own = r.value_of(r.target)
        if r.rules == (other.name,) and own is not None:
            factor = "other factor"
            hint = f"A product passes on the other factor: {r.target.name} gets {_upstream(r)} "
            hint += f"times {other.name}."
            yield upstream * own, hint
            yield own, hint
    if upstream != 1:
        yield (
            slope,
            f"The upstream gradient is missing: multiply by {_upstream(r)} = "
            f"{format_number(upstream)}.",
        )
    if not r.is_unchanged:
        yield (
            upstream * len(r.slopes),
            f"That passes {_upstream(r)} on as it is: multiply by the {factor}, {rule}.",
        )


def _mind_the_sign(r: Received) -> str:
    slope = math.fsum(r.slopes)
    grows = "grows" if slope > 0 else "shrinks"
    start = f"Mind the sign: if {r.target.name} grows, {r.node.name} {grows}"
    if (r.upstream or 0.0) < 0:
        return f"{start}, and {_upstream(r)} is negative."
    return f"{start}."


def _values(r: Received) -> Iterator[Wrong]:
    for vertex in (r.target, r.node, *r.others):
        value = r.value_of(vertex)
        if value is not None and (vertex.kind != "frozen" or vertex.given_name):
            yield value, f"That is the value of {vertex.name}; the question is about a gradient."


def _name(r: Received) -> str:
    return r.target.name + _index(r)


def _gradient(r: Received) -> str:
    return f"{r.target.name}.grad{_index(r)}"


def _upstream(r: Received) -> str:
    return f"{r.node.name}.grad{_index(r)}"


def _index(r: Received) -> str:
    return f"[{', '.join(map(str, r.place))}]" if r.place else ""


def _next_is(r: Received) -> str:
    again = ", once more" if r.repeated else ""
    return f"Next is node #{r.node.position} {r.node.op_name}, {r.formula}{again}"


def _with_gradient(r: Received) -> str:
    name = f"{_upstream(r)} =" if r.place else "gradient"
    return f"with {name} {format_number(r.upstream or 0.0)}"


def _along(r: Received) -> str:
    return f" along edge {r.edge[0]} of {r.edge[1]}" if r.edge else ""
