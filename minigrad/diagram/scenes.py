"""The film of a trace: a look for each box and edge at each step, as the steps tell it.

A film may tell of a part of the graph, and of those steps alone that happen in it. Its scenes
are the stretches of such steps; each begins with all at rest, as the steps before it left it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from minigrad.diagram.film import Film, Look, justify
from minigrad.diagram.rows import box_lines, edge_lines, flow, sum_text
from minigrad.trace import Contribution, Edge, Snapshot, Step, Trace, Vertex
from minigrad.trace.numbers import NOTHING_YET, format_shape, format_values
from minigrad.trace.vertices import is_broadcast


def film_of(
    trace: Trace, part: Snapshot | None = None, scenes: Sequence[range] | None = None
) -> Film:
    """Return the film of a trace: one frame for each of its steps.

    Parameters
    ----------
    trace : Trace
        What happens.
    part : Snapshot, optional
        The part of the graph that is shown; by default all of it.
    scenes : sequence of range, optional
        The steps that happen in that part, in order; by default all steps.
    """
    film = loose_film_of(trace, part, scenes)
    justify([film])
    return film


def films_of(
    traces: Sequence[Trace], part: Snapshot, scenes: Sequence[Sequence[range]]
) -> list[Film]:
    """Return the films of several traces of one graph, with boxes of the same widths."""
    films = [
        loose_film_of(trace, part, stretches)
        for trace, stretches in zip(traces, scenes, strict=True)
    ]
    justify(films)
    return films


def loose_film_of(
    trace: Trace, part: Snapshot | None = None, scenes: Sequence[range] | None = None
) -> Film:
    """Return the same as `film_of`, before `justify` has given the boxes their widths."""
    part = part or trace.snapshot
    film = Film(part, len(trace.steps))
    for scene in scenes or [range(len(trace.steps))]:
        for vertex in part.vertices.values():
            film.boxes[vertex.key].change(scene.start, _box_at_rest(trace, vertex, scene.start))
        for edge in part.edges:
            look = _edge_at_rest(trace, part, edge, scene.start)
            film.edges[edge.key].change(scene.start, look)
        previous: Step | None = None
        for index in trace.stops_in(scene):
            if previous is not None:
                _settle(film, trace, index, previous)
            previous = trace.shown(index)
            _act(film, trace, index, previous)
    return film


def _box_at_rest(trace: Trace, vertex: Vertex, step: int) -> Look:
    """Return the look of a box before a step, whatever the steps before it were."""
    if vertex.kind == "outside":
        return Look("waiting", box_lines(vertex, ""))
    text = _gradient_text(trace, main_output(vertex), step)
    if vertex.position is None:
        is_done = (
            vertex.kind == "leaf" and trace.history.gradients[vertex.key].before(step) is not None
        )
        return Look("done" if is_done else "waiting", box_lines(vertex, text))
    others = {one.key: _gradient_text(trace, one, step) for one in vertex.outputs[:-1]}
    if step <= vertex.position:
        return Look("absent", box_lines(vertex, text, computed=False, others=others))
    state = "done" if trace.history.was_visited(vertex.position, step) else "waiting"
    if step > trace.history.seed and trace.is_dead(vertex.position):
        state, text = "dead", f"{text}  dead"
    return Look(state, box_lines(vertex, text, others=others))


def main_output(vertex: Vertex) -> Vertex:
    """Return the tensor whose gradient is the last row of a box: of a group, the last output."""
    return vertex.outputs[-1] if vertex.outputs else vertex


def _gradient_text(trace: Trace, vertex: Vertex, step: int) -> str:
    return format_values(trace.gradient_at(vertex.key, step - 1))


def _edge_at_rest(trace: Trace, part: Snapshot, edge: Edge, step: int) -> Look:
    """Return the look of an edge before a step."""
    position = part.vertices[edge.target].position
    if position is None:  # on to what is outside
        return Look("waiting", ())
    if step <= position:
        return Look("absent", ("", ""))
    contribution = trace.history.passed_on(edge.key, step)
    state = "waiting" if contribution is None else "done"
    if step > trace.history.seed and trace.is_dead(position):
        state = "dead"
    lines = _unused(part, edge) if contribution is None else _used(part, contribution, edge)
    return Look(state, lines)


def _unused(part: Snapshot, edge: Edge) -> tuple[str, str]:
    """Return the rows of an edge before anything travels back along it."""
    source, target = part.tensors[edge.tensor], part.vertices[edge.target]
    if target.group is not None or part.vertices[edge.source].group is not None:
        return (flow(part, edge), "")
    if source.kind == "frozen" or not is_broadcast(target, source):
        return ("", "")
    return ("", f"{format_shape(source.values.shape)} → {format_shape(target.values.shape)}")


def _used(part: Snapshot, contribution: Contribution, edge: Edge) -> tuple[str, str]:
    """Return the rows of an edge that something has travelled back along."""
    rule, passed_on = edge_lines(contribution)
    target = part.vertices[edge.target]
    if contribution.value is None:
        return rule, passed_on
    if target.group is not None:
        return flow(part, edge), passed_on
    if is_broadcast(target, part.tensors[contribution.tensor]):
        rule += ", summed"
    return rule, passed_on


def _act(film: Film, trace: Trace, index: int, step: Step) -> None:
    if step.kind == "record":
        _record(film, index, step)
    elif step.kind == "seed":
        _seed(film, trace, index, step)
    else:
        _visit(film, trace, index, step)


def _record(film: Film, index: int, step: Step) -> None:
    vertex = film.snapshot.vertices[step.tensor]
    others = {one.key: NOTHING_YET for one in vertex.outputs}
    lines = box_lines(vertex, NOTHING_YET, others=others)
    film.boxes[step.tensor].change(index, Look("active", lines))
    for edge in film.snapshot.edges_into(step.tensor):
        film.edges[edge.key].change(index, Look("active", _unused(film.snapshot, edge)))


def _seed(film: Film, trace: Trace, index: int, step: Step) -> None:
    for vertex in film.snapshot.vertices.values():
        if vertex.position is not None and trace.is_dead(vertex.position):
            others = {one.key: NOTHING_YET for one in vertex.outputs}
            lines = box_lines(vertex, f"{NOTHING_YET}  dead", others=others)
            film.boxes[vertex.key].change(index, Look("dead", lines))
            for edge in film.snapshot.edges_into(vertex.key):
                film.edges[edge.key].change(index, Look("dead", _unused(film.snapshot, edge)))
    text = f"{format_values(step.after)}  (seed)"
    if step.before is not None:
        text = sum_text(step.before, [step.upstream], step.after)
    look = _receiving(film, trace, index, {step.tensor: text})[film.snapshot.box_of(step.tensor)]
    film.boxes[film.snapshot.box_of(step.tensor)].change(index, replace(look, state="active"))


def _receiving(film: Film, trace: Trace, index: int, told: Mapping[str, str]) -> dict[str, Look]:
    """Return the looks of boxes in which gradients change, by what is told of each tensor."""
    looks = {}
    for key in dict.fromkeys(film.snapshot.box_of(tensor) for tensor in told):
        vertex = film.snapshot.vertices[key]
        texts = {
            one.key: told.get(one.key) or _gradient_text(trace, one, index)
            for one in (vertex.outputs or [vertex])
        }
        last = main_output(vertex).key
        lines = box_lines(vertex, texts[last], others=texts)
        looks[key] = Look(film.boxes[key].look(index).state, lines, changed=last in told)
    return looks


def _visit(film: Film, trace: Trace, index: int, step: Step) -> None:
    work = "wasted" if step.wasted else "active"
    lines = film.boxes[step.tensor].look(index).lines
    if step.inside:
        told = {key: format_values(gradient) for key, gradient in step.inside}
        lines = _receiving(film, trace, index, told)[step.tensor].lines
    film.boxes[step.tensor].change(index, Look(work, lines))
    received: dict[str, list[Contribution]] = {}
    edges = {edge.key: edge for edge in film.snapshot.edges_into(step.tensor)}
    for contribution in step.contributions:
        if contribution.edge not in edges:  # a constant inside the box; it gets nothing
            continue
        lines = _used(film.snapshot, contribution, edges[contribution.edge])
        is_given = contribution.value is not None and not step.wasted
        film.edges[contribution.edge].change(index, Look(work, lines, changed=is_given))
        if contribution.value is not None and contribution.after is not None:
            received.setdefault(contribution.tensor, []).append(contribution)
    told = {
        key: sum_text(given[0].before, [c.value for c in given], given[-1].after)
        for key, given in received.items()
    }
    for key, look in _receiving(film, trace, index, told).items():
        if step.wasted:
            look = replace(look, changed=False)
        elif film.snapshot.vertices[key].kind == "leaf":
            look = replace(look, state="active")
        film.boxes[key].change(index, look)


def _settle(film: Film, trace: Trace, index: int, previous: Step) -> None:
    """Let what was at work in the step before come to rest."""
    part = film.snapshot
    tensors = [previous.tensor, *(c.tensor for c in previous.contributions)]
    for key in dict.fromkeys(map(part.box_of, tensors)):
        film.boxes[key].change(index, _box_at_rest(trace, part.vertices[key], index))
    for edge in part.edges_into(previous.tensor):
        film.edges[edge.key].change(index, _edge_at_rest(trace, part, edge, index))
