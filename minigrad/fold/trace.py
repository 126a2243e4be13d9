"""`FoldedTrace`: what happens in a folded group as one step.

What enters a box and leaves it is a sum over its nodes: each of its outputs has the gradient that
all who use it gave it, and each tensor that is used inside gets what all uses inside come to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from minigrad.engine.values import Values
from minigrad.fold.words import explain_group
from minigrad.trace import Contribution, Edge, Snapshot, Step, Trace, Words
from minigrad.trace.cached import cached_property
from minigrad.trace.timeline import Timeline


def fold_trace(trace: Trace, snapshot: Snapshot) -> Trace:
    """Return the trace as it is shown where groups are folded to boxes.

    Parameters
    ----------
    trace : Trace
        With nothing folded.
    snapshot : Snapshot
        That of this trace, folded by `minigrad.fold.snapshot.fold`.
    """
    if snapshot is trace.snapshot:
        return trace
    if not snapshot.is_folded:
        return replace(trace, snapshot=snapshot)
    same = {one.name: getattr(trace, one.name) for one in fields(Trace)}
    return FoldedTrace(**same | {"snapshot": snapshot}, unfolded=trace)


@dataclass(eq=False, repr=False)
class FoldedTrace(Trace):
    """A trace in which what happens inside of a box is shown at once.

    Its steps are counted as before, so that an index means one moment however much is folded.

    Attributes
    ----------
    unfolded : Trace
        The trace with nothing folded.
    """

    unfolded: Trace

    def __post_init__(self) -> None:
        self._merged = merged_steps(self.steps, self.snapshot)

    @property
    def whole(self) -> Trace:
        """The trace with nothing folded."""
        return self.unfolded

    @property
    def stops(self) -> Sequence[int]:
        """The indices at which what is shown changes: the first ones of what is merged."""
        return self._merged.starts

    def stop_at(self, index: int) -> int:
        """Return the stop at which an index is shown."""
        return self._merged.span(index)[0]

    def covered(self, index: int) -> range:
        """Return the indices that are shown as one step together with an index."""
        first, end = self._merged.span(index)
        return range(first, len(self.steps) if end is None else end)

    def stops_in(self, scene: range) -> Sequence[int]:
        """Return the stops in a stretch of indices."""
        return self._merged.starts_in(scene)

    def shown(self, index: int) -> Step:
        """Return what several steps come to, or a step that is shown by itself."""
        step = self._merged.at(index)
        assert step is not None  # the first one begins at 0
        return step

    def _words(self, step: Step) -> Words:
        is_inside = self.snapshot.vertices[self.snapshot.box_of(step.tensor)].group is not None
        if is_inside and step.kind != "seed":
            return explain_group(self, step)
        return super()._words(step)

    @cached_property
    def _alive(self) -> set[int | None]:
        boxes = {self.snapshot.box_of(f"n{position}") for position in self.ancestors}
        return {self.snapshot.vertices[key].position for key in boxes}


def merged_steps(steps: Sequence[Step], snapshot: Snapshot) -> Timeline[Step]:
    """Return the steps that are shown, each from the first index that it stands for.

    Steps that follow each other in one folded group come to one; the seed is always by itself.

    Parameters
    ----------
    steps : sequence of Step
        Of the trace with nothing folded.
    snapshot : Snapshot
        With groups folded.
    """
    runs: list[tuple[int, str, list[Step]]] = []
    for index, step in enumerate(steps):
        box = snapshot.box_of(step.tensor) if step.kind != "seed" else ""
        goes_on = runs and box == runs[-1][1] and step.kind == runs[-1][2][0].kind
        if goes_on and box != step.tensor:
            runs[-1][2].append(step)
        else:
            runs.append((index, box, [step]))
    return Timeline(
        (index, run[0] if box in ("", run[0].tensor) else _merged(run, box, snapshot))
        for index, box, run in runs
    )


def _merged(run: Sequence[Step], box: str, snapshot: Snapshot) -> Step:
    position = snapshot.vertices[box].position
    if run[0].kind == "record":
        return Step("record", box, position)
    by_tensor: dict[str, list[Contribution]] = defaultdict(list)
    for step in run:
        for contribution in step.contributions:
            by_tensor[contribution.tensor].append(contribution)
    outputs = {one.key for one in snapshot.vertices[box].outputs}
    inside = {
        key: gradient
        for step in run
        for key, gradient in step.gradients().items()
        if key in outputs and not step.wasted
    }
    upstream = next((step.upstream for step in run if step.upstream is not None), None)
    return Step(
        "backward",
        box,
        position,
        upstream,
        tuple(
            _summed(edge, by_tensor[edge.tensor])
            for edge in snapshot.edges_into(box)
            if edge.tensor in by_tensor
        ),
        missed=tuple(dict.fromkeys(late for step in run for late in step.missed)),
        repeated=any(step.repeated for step in run),
        inside=tuple(inside.items()),
    )


def _summed(edge: Edge, parts: Sequence[Contribution]) -> Contribution:
    """Return what all uses of one tensor inside a box come to."""
    given = [part for part in parts if part.value is not None]
    total: Values | None = None
    for part in given:
        assert part.value is not None
        total = part.value if total is None else total + part.value
    ends = given or parts
    return Contribution(
        edge.key, edge.tensor, edge.slot, "", None, total, ends[0].before, ends[-1].after
    )
