"""`NextNode`: which node is visited next, which others one might think of, and why not those."""

from __future__ import annotations

from dataclasses import dataclass

from minigrad.trace.trace import Trace
from minigrad.trace.words import expression

MOST_CHOICES = 5


@dataclass(frozen=True)
class NextNode:
    """What there is to ask about the node of one visit.

    Attributes
    ----------
    answer : int
        Its position.
    choices : dict of int to str
        Positions to choose from, in their order, and what stands beside each.
    mistakes : dict of int to str
        Of each wrong choice, what is wrong with it.
    question, about, told : str
        The question, what it asks for, and the answer in words.
    is_trivial : bool
        Whether there is little to think about.
    """

    answer: int
    choices: dict[int, str]
    mistakes: dict[int, str]
    question: str
    about: str
    told: str
    is_trivial: bool


def next_node(trace: Trace, index: int) -> NextNode | None:
    """Return what can be asked about the node of a visit.

    None if there is no choice, or if the order is one's own: that could only be read off.
    """
    step = trace.steps[index]
    whole = list(reversed(trace.snapshot.positions))
    is_own = trace.positions not in (trace.ancestors, whole)
    if is_own or step.position is None or not step.is_first_part:
        return None
    moment = _Moment(trace, index)
    choices = moment.choices(step.position)
    if len(choices) < 2:
        return None
    node = f"#{step.position} {trace.snapshot.vertices[step.tensor].op_name}"
    is_first = moment.last is None
    following = "first" if is_first else "next"
    others = [position for position in choices if position != step.position]
    return NextNode(
        step.position,
        {position: moment.label(position) for position in choices},
        {position: moment.why_not(position) for position in others},
        f"{moment.rule()} Which node is visited {following}?".lstrip(),
        "which node comes first" if is_first else f"which node comes after #{moment.last}",
        f"Node {node} comes {following}.",
        moment.done.issuperset(others) or (is_first and step.position == max(choices)),
    )


class _Moment:
    """What has been visited before a step, and what could come now."""

    def __init__(self, trace: Trace, index: int) -> None:
        self._trace = trace
        visits = [one.position for one in trace.steps[:index] if one.kind == "backward"]
        self.done = {position for position in visits if position is not None}
        self.last = visits[-1] if visits else None
        self._only_ancestors = trace.positions == trace.ancestors
        self._users: dict[str, dict[int, None]] = {}
        for position in sorted(trace.ancestors):
            for edge in trace.snapshot.edges_into(f"n{position}"):
                self._users.setdefault(edge.source, {})[position] = None

    def _awaited(self, position: int) -> list[int]:
        """Return the consumers of a node that are still to be visited."""
        return [user for user in self._users.get(f"n{position}", ()) if user not in self.done]

    def _is_ready(self, position: int) -> bool:
        return (
            not self._trace.is_dead(position)
            and position not in self.done
            and not self._awaited(position)
        )

    def choices(self, answer: int) -> list[int]:
        """Return positions to choose from: all, or those that tell most, of each kind first one."""
        every = list(reversed(self._trace.snapshot.positions))
        ready = [one for one in every if self._is_ready(one)]
        dead = [one for one in every if self._trace.is_dead(one) and one not in self.done]
        early = [one for one in every if one not in {*ready, *dead, *self.done}]
        done = [] if self.last is None else [self.last]
        kinds = (ready, early, dead, done)
        ranked = [answer, *(one for kind in kinds for one in kind[:1])]
        ranked += [one for kind in kinds for one in kind[1:]]
        return sorted(list(dict.fromkeys([*ranked, *every]))[:MOST_CHOICES])

    def label(self, position: int) -> str:
        """Return what stands beside a choice."""
        key = f"n{position}"
        vertex = self._trace.snapshot.vertices[key]
        return (
            f"#{position} {vertex.op_name}, {vertex.name} = {expression(self._trace.snapshot, key)}"
        )

    def rule(self) -> str:
        """Say by which rule the order goes, unless it follows from what each node waits for."""
        if not self._only_ancestors:
            return "The whole list is visited, from its end."
        ready = [one for one in self._trace.ancestors if self._is_ready(one)]
        output = self._trace.snapshot.vertices[self._trace.output].name
        if len(ready) < 2:
            return ""
        return f"Of the nodes that {output} depends on, the one recorded last goes first."

    def why_not(self, position: int) -> str:
        """Say what is wrong with a choice."""
        vertex = self._trace.snapshot.vertices[f"n{position}"]
        if position in self.done:
            return (
                f"#{position} was visited already; once more, and what it passes on counts twice."
            )
        awaited = self._awaited(position)
        if self._trace.is_dead(position):
            output = self._trace.snapshot.vertices[self._trace.output].name
            if self._only_ancestors:
                return (
                    f"{output} was not computed from {vertex.name}, so #{position} is not visited."
                )
        elif awaited:
            users = " and ".join(f"#{user}" for user in awaited)
            use = "uses" if len(awaited) == 1 else "use"
            return f"That is too early: {users} {use} {vertex.name} and must be visited before it."
        elif self._only_ancestors:
            return f"#{position} is ready too, but this order takes the one that was recorded last."
        return f"#{position} stands further from the end of the list, so its turn comes later."
