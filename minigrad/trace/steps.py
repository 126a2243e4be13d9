"""`Step` and `Contribution`: one moment of a run, with every number as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from minigrad.engine.values import Values


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one node passed on to one of its operands.

    Attributes
    ----------
    edge : str
        Key of the edge it travelled along.
    tensor : str
        Key of the operand that received it.
    slot : int
        Which operand of the node that is.
    rule : str
        The local derivative in symbols, such as ``y`` or ``-x/y²``.
    local : numpy.ndarray or None
        The local derivative in numbers; None where it is not one number for each element
        (a matrix product, or an operand that was broadcast).
    value : numpy.ndarray or None
        Upstream gradient times local derivative; None for a frozen operand, which gets none.
    before, after : numpy.ndarray or None
        The operand's gradient; None stands for "nothing yet".
    """

    edge: str
    tensor: str
    slot: int
    rule: str
    local: Values | None
    value: Values | None
    before: Values | None
    after: Values | None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: a node recorded, the seed, or one node visited backward.

    Attributes
    ----------
    kind : {'record', 'seed', 'backward'}
        What happens in it.
    tensor : str
        Key of the tensor it is about: what the node made, or the output that is seeded.
    position : int or None
        The node's position in ``graph.nodes``; None for a seeded leaf.
    upstream : numpy.ndarray or None
        The gradient that arrived at the node, or the seed; None while recording, and at a
        node that nothing has reached.
    contributions : tuple of Contribution
        One for each operand, in order; empty while recording.
    before, after : numpy.ndarray or None
        Of a seeded output, its gradient before and after the seed.
    missed : tuple of int
        Positions of consumers of this node that ought to have been visited before it, but
        were not: the order is wrong here.
    repeated : bool
        Whether the node was visited before in the same run.
    inside : tuple of tuple, optional
        Where a step is that of a folded group: its outputs that got something in it, by their
        keys, with their gradients after it.
    part : tuple of int, optional
        Which part of a visit this is, from 1, and of how many, where a step is one edge.
    """

    kind: Literal["record", "seed", "backward"]
    tensor: str
    position: int | None
    upstream: Values | None = None
    contributions: tuple[Contribution, ...] = ()
    before: Values | None = None
    after: Values | None = None
    missed: tuple[int, ...] = ()
    repeated: bool = False
    part: tuple[int, int] | None = None
    inside: tuple[tuple[str, Values], ...] = ()

    @property
    def wasted(self) -> bool:
        """Whether a node was visited that no gradient had reached."""
        return self.kind == "backward" and self.upstream is None

    @property
    def is_first_part(self) -> bool:
        """Whether this is where a visit begins: also if the step is all of it."""
        return self.part is None or self.part[0] == 1

    def parts(self) -> list[Step]:
        """Return a step for each operand that gets something, or the step itself if it is one."""
        received = [c for c in self.contributions if c.value is not None]
        if len(received) < 2:
            return [self]
        frozen = [c for c in self.contributions if c.value is None]
        first = replace(self, contributions=(received[0], *frozen), part=(1, len(received)))
        later = [
            replace(
                self,
                contributions=(contribution,),
                missed=(),
                repeated=False,
                part=(number, len(received)),
            )
            for number, contribution in enumerate(received[1:], start=2)
        ]
        return [first, *later]

    def gradients(self) -> dict[str, Values]:
        """Return the gradients that this step set, by the key of their tensor."""
        changed: dict[str, Values] = {}
        if self.kind == "seed" and self.after is not None:
            changed[self.tensor] = self.after
        for contribution in self.contributions:
            if contribution.after is not None and contribution.value is not None:
                changed[contribution.tensor] = contribution.after
        changed.update(self.inside)
        return changed
