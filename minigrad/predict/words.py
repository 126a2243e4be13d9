"""The words of predict mode: what is asked, and wrong answers whose reason can be recognised."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from minigrad.predict.next_node import NextNode
from minigrad.predict.received import Received
from minigrad.trace.numbers import format_number
from minigrad.trace.trace import Trace
from minigrad.trace.words import as_symbol, expression

PAGE_WORDS = {
    "introduction": "Predict: before each backward step you are asked for one of its numbers, or "
    "for its node.",
    "nothing": "There is nothing to predict in this order.",
    "type": "Type a number and press Enter, or press “Show me”.",
    "number": "That is no number. Write it like 0.5, -3, 1e-3 or 1/3, without commas in thousands.",
    "choose": "Choose a node and press Enter, or press “Show me”.",
    "stopped": "Play has stopped for a question.",
}
"""What is said in the page, whatever the question."""


@dataclass(frozen=True)
class QuestionWords:
    """What is said about a question.

    Attributes
    ----------
    text : str
        What is asked.
    about : str
        What is asked for, in a few words.
    told : str
        The right answer as a sentence.
    otherwise : str
        The hint at a wrong answer that is not recognised; empty where each has its own.
    """

    text: str
    about: str
    told: str
    otherwise: str = ""


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer whose reason can be recognised.

    Attributes
    ----------
    value : float
        The answer; of a node, its position.
    hint : str
        What to think about again.
    """

    value: float
    hint: str


def words_for_share(received: Received) -> QuestionWords:
    """Find the words that ask what a node passes on to an operand."""
    r, name, share = received, _name(received), format_number(received.added)
    about = f"what node #{r.node.position} passes on to {name}{_along(r)}"
    if r.upstream is None:
        return QuestionWords(
            f"{_next_is(r)}, but no gradient has reached {r.node.name}. How much does it add "
            f"to {_gradient(r)}?",
            about,
            f"Nothing is passed on to {name}: {share}.",
            f"{r.node.name} has no gradient yet. What is nothing times the local derivative?",
        )
    return QuestionWords(
        f"{_next_is(r)}, {_with_gradient(r)}. What does it pass on to {name}{_along(r)}?",
        about,
        f"It passes {share} on to {name}{_along(r)}.",
        f"It is {_upstream(r)} times the local derivative of {r.formula} for {r.target.name}.",
    )


def words_for_gradient(received: Received) -> QuestionWords:
    """Find the words that ask for an operand's gradient after a step."""
    r, gradient = received, _gradient(received)
    before = "still empty" if r.before is None else f"{format_number(r.before)} so far"
    along = f" It passes on to {_name(r)}{_along(r)}." if r.edge else ""
    edges = f", along each of the {len(r.shares)} edges to {r.target.name}"
    return QuestionWords(
        f"{_next_is(r)}, {_with_gradient(r)}.{along} {gradient} is {before}; what will it be "
        f"after this step?",
        f"{gradient} after node #{r.node.position}{_along(r)}",
        f"{gradient} is {format_number(r.after or 0.0)} after this step.",
        f"What is passed on is {_upstream(r)} times the local derivative"
        f"{edges if len(r.shares) > 1 else ''}. It is added to what is there.",
    )


def wrong_shares(received: Received) -> Iterator[WrongAnswer]:
    """Yield wrong answers about what is passed on, the likeliest first; some may be right here."""
    r, share = received, received.added
    name, node = r.target.name, r.node.name
    slope = math.fsum(r.slopes)
    if r.upstream is None:
        hint = f"That would be passed on if {node}.grad were 1; but nothing has reached it yet."
        yield WrongAnswer(slope, hint)
        for one in r.slopes:
            yield WrongAnswer(one, hint)
        yield WrongAnswer(
            1.0, f"No seed has come through to {node}: it has no gradient to pass on."
        )
    else:
        yield WrongAnswer(-share, _mind_the_sign(r))
        yield from _wrong_factors(r)
        if r.upstream != 1:
            yield WrongAnswer(
                r.upstream + slope,
                f"{_upstream(r)} and the local derivative are multiplied, not added.",
            )
        if r.is_unchanged and r.others:
            yield WrongAnswer(
                share / 2,
                "A gradient is not shared out among the operands: each gets all of it.",
            )
        if r.edge:
            yield WrongAnswer(
                share * r.edge[1], "That is what all edges bring; the question is about one."
            )
    if r.before is not None and r.after is not None:
        yield WrongAnswer(
            r.after, f"That is {_gradient(r)} afterwards; how much is added to it now?"
        )
        yield WrongAnswer(r.before, f"That is {_gradient(r)} already; how much is added to it now?")
    yield from _values(r)
    yield WrongAnswer(0.0, f"{node} was computed from {name}, so something is passed on to it.")


def wrong_gradients(trace: Trace, received: Received) -> Iterator[WrongAnswer]:
    """Yield wrong answers about a sum, the likeliest first; some of them may be right here."""
    r, gradient = received, _gradient(received)
    name, node = r.target.name, r.node.name
    before, upstream = r.before or 0.0, r.upstream or 0.0
    if r.repeated:
        yield WrongAnswer(
            before,
            f"Node #{r.node.position} passes its gradient on in each of its visits, so also now.",
        )
    if before:
        yield WrongAnswer(
            r.added,
            f"That is only the new part; {gradient} is {format_number(before)} already, and the "
            f"new part is added to it.",
        )
        yield WrongAnswer(before, f"So it is before this step; now {node} adds its part.")
    times = "twice" if len(r.shares) == 2 else f"{len(r.shares)} times"
    other_edge = (
        f"{node} uses {name} {times}, and along each edge it passes on {_upstream(r)} = "
        f"{format_number(upstream)} times the local derivative."
    )
    if len(r.shares) > 1:
        for share in r.shares:
            yield WrongAnswer(before + share, other_edge)
    for one in _wrong_factors(r):
        yield WrongAnswer(before + one.value, one.hint)
        if before:
            hint = f"{one.hint} And it is added to the {format_number(before)} that is there."
            yield WrongAnswer(one.value, hint)
    yield WrongAnswer(before - r.added, _mind_the_sign(r))
    if len(r.shares) > 1:
        for share in r.shares:
            yield WrongAnswer(share, other_edge)
        yield WrongAnswer(
            math.prod(r.shares), "What comes along several edges is added, not multiplied."
        )
    if before:
        yield WrongAnswer(
            before * r.added, "Contributions are added to a gradient, not multiplied with it."
        )
    if r.is_unchanged and r.others:
        yield WrongAnswer(
            before + upstream / 2, "A gradient is not shared out: each operand gets all of it."
        )
    if r.edge:
        yield WrongAnswer(
            before + r.added * r.edge[1],
            f"Each edge is a step here: only {_along(r).strip()} counts now.",
        )
    if not r.place and trace.right_gradients.get(r.target.key) is not None:
        right = float(trace.right_gradients[r.target.key])
        yield WrongAnswer(
            right, "That is what the right order gives in the end. What happens in this one?"
        )
    final = trace.final_gradient(r.target.key)
    if not r.place and final is not None:
        yield WrongAnswer(
            float(final), f"That is {gradient} at the end; other nodes are still to add to it."
        )
    yield from _values(r)
    yield WrongAnswer(0.0, f"{node} was computed from {name}, so something is added to {gradient}.")


def _wrong_factors(r: Received) -> Iterator[WrongAnswer]:
    """Yield products with one factor left out, or with a wrong one."""
    upstream, slope = r.upstream or 0.0, math.fsum(r.slopes)
    rule, factor = as_symbol(r.rules[0]), "local derivative"
    for other in r.others:
        own = r.value_of(r.target)
        if r.rules == (other.name,) and own is not None:
            factor = "other factor"
            hint = f"A product passes on the other factor: {r.target.name} gets {_upstream(r)} "
            hint += f"times {other.name}."
            yield WrongAnswer(upstream * own, hint)
            yield WrongAnswer(own, hint)
    if upstream != 1:
        yield WrongAnswer(
            slope,
            f"The upstream gradient is missing: multiply by {_upstream(r)} = "
            f"{format_number(upstream)}.",
        )
    if not r.is_unchanged:
        yield WrongAnswer(
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


def _values(r: Received) -> Iterator[WrongAnswer]:
    for vertex in (r.target, r.node, *r.others):
        value = r.value_of(vertex)
        if value is not None and (vertex.kind != "frozen" or vertex.given_name):
            yield WrongAnswer(
                value, f"That is the value of {vertex.name}; the question is about a gradient."
            )


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
    return f"Next is node #{r.node.position} {r.node.op_label}, {r.formula}{again}"


def _with_gradient(r: Received) -> str:
    name = f"{_upstream(r)} =" if r.place else "gradient"
    return f"with {name} {format_number(r.upstream or 0.0)}"


def _along(r: Received) -> str:
    return f" along edge {r.edge[0]} of {r.edge[1]}" if r.edge else ""


def words_for_node(trace: Trace, following: NextNode) -> QuestionWords:
    """Find the words that ask which node is visited next."""
    op = trace.snapshot.vertices[f"n{following.answer}"].op_label
    if following.last is None:
        which, about = "first", "which node comes first"
    else:
        which, about = "next", f"which node comes after #{following.last}"
    return QuestionWords(
        f"{_rule(trace, following)} Which node is visited {which}?".lstrip(),
        about,
        f"Node #{following.answer} {op} comes {which}.",
    )


def _rule(trace: Trace, following: NextNode) -> str:
    """Say by which rule the order goes, unless it follows from what each node waits for."""
    if not following.only_ancestors:
        return "The whole list is visited, from its end."
    if len(following.ready) < 2:
        return ""
    output = trace.snapshot.vertices[trace.output].name
    return f"Of the nodes that {output} depends on, the one recorded last goes first."


def choice_label(trace: Trace, position: int) -> str:
    """Return what stands beside a node that one can choose."""
    key = f"n{position}"
    vertex = trace.snapshot.vertices[key]
    return f"#{position} {vertex.op_label}, {vertex.name} = {expression(trace.snapshot, key)}"


def wrong_nodes(trace: Trace, following: NextNode) -> Iterator[WrongAnswer]:
    """Yield the nodes that one can choose wrongly, each with what is wrong with it."""
    for position in following.others:
        yield WrongAnswer(position, _why_not(trace, following, position))


def _why_not(trace: Trace, following: NextNode, position: int) -> str:
    name = trace.snapshot.vertices[f"n{position}"].name
    if position in following.done:
        return f"#{position} was visited already; once more, and what it passes on counts twice."
    awaited = following.awaited_by(position)
    if trace.is_dead(position):
        if following.only_ancestors:
            output = trace.snapshot.vertices[trace.output].name
            return f"{output} was not computed from {name}, so #{position} is not visited."
    elif awaited:
        users = " and ".join(f"#{user}" for user in awaited)
        use = "uses" if len(awaited) == 1 else "use"
        return f"That is too early: {users} {use} {name} and must be visited before it."
    elif following.only_ancestors:
        return f"#{position} is ready too, but this order takes the one that was recorded last."
    return f"#{position} stands further from the end of the list, so its turn comes later."
