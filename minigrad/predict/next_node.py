"""`NextNode`: which node is visited next, and which others one might think of."""

from __future__ import annotations

from minigrad.trace.cached import cached_property
from minigrad.trace.trace import Trace

MOST_CHOICES = 5


def next_node(trace: Trace, index: int) -> NextNode | None:
    """Return what can be asked about the node of a visit.

    None if there is no choice, or if the order is one's own: that could only be read off.
    """
    step = trace.steps[index]
    whole = list(reversed(trace.snapshot.positions))
    is_own = trace.positions not in (trace.ancestors, whole)
    if is_own or step.position is None or not step.is_first_part:
        return None
    found = NextNode(trace, index, step.position)
    return found if len(found.choices) > 1 else None


class NextNode:
    """The node of one visit, and what had been visited before it.

    Parameters
    ----------
    trace : Trace
        Where the visit comes from.
    index : int
        Of its step.
    answer : int
        The position of its node.

    Attributes
    ----------
    last : int or None
        The node that was visited just before; None if none was.
    done : set of int
        All nodes that were visited before.
    only_ancestors : bool
        Whether the order is that of the output's ancestors, and not the whole list reversed.
    """

    def __init__(self, trace: Trace, index: int, answer: int) -> None:
        self._trace = trace
        self.answer = answer
        visits = [one.position for one in trace.steps[:index] if one.kind == "backward"]
        self.last = visits[-1] if visits else None
        self.done = {position for position in visits if position is not None}
        self.only_ancestors = trace.positions == trace.ancestors
        self._users: dict[str, dict[int, None]] = {}
        for position in sorted(trace.ancestors):
            for edge in trace.snapshot.edges_into(f"n{position}"):
                self._users.setdefault(edge.source, {})[position] = None

    @cached_property
    def choices(self) -> list[int]:
        """Positions to choose from: all, or those that tell most, of each kind first one."""
        every = list(reversed(self._trace.snapshot.positions))
        ready = self.ready
        dead = [one for one in every if self._trace.is_dead(one) and one not in self.done]
        early = [one for one in every if one not in {*ready, *dead, *self.done}]
        done = [] if self.last is None else [self.last]
        kinds = (ready, early, dead, done)
        ranked = [self.answer, *(one for kind in kinds for one in kind[:1])]
        ranked += [one for kind in kinds for one in kind[1:]]
        return sorted(list(dict.fromkeys([*ranked, *every]))[:MOST_CHOICES])

    @property
    def others(self) -> list[int]:
        """The choices that are wrong."""
        return [position for position in self.choices if position != self.answer]

    @property
    def ready(self) -> list[int]:
        """The nodes that could be visited now, the one recorded last first."""
        return [
            one
            for one in self._trace.ancestors
            if one not in self.done and not self.awaited_by(one)
        ]

    def awaited_by(self, position: int) -> list[int]:
        """Return the consumers of a node that are still to be visited."""
        return [user for user in self._users.get(f"n{position}", ()) if user not in self.done]

    @property
    def is_trivial(self) -> bool:
        """Whether there is little to think about."""
        starts_at_the_end = self.last is None and self.answer == max(self.choices)
        return starts_at_the_end or self.done.issuperset(self.others)
