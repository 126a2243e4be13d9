"""What the page is sent: a picture, and what changes in it from step to step.

All of a view is there before its first click, so stepping needs no kernel. A small graph has a
single view; of a large one there is a view for each window, and the page asks for them ahead of
time. The same structure is meant for pages without a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minigrad.diagram import Film, Layouts
from minigrad.diagram.directions import Choice, Direction
from minigrad.diagram.film import Look, Reel
from minigrad.diagram.rows import brief_lines, group_title
from minigrad.diagram.svg import to_page_svg
from minigrad.predict.payload import steps_to_ask_at
from minigrad.progress import counted
from minigrad.stepper.array_tables import WITHOUT_GRADIENT, ArrayTables
from minigrad.stepper.variants import GRAINS, Variants, View
from minigrad.trace import Snapshot, Step, Trace, Vertex
from minigrad.trace.notation import END, ISOLATE, visible
from minigrad.trace.table import table_row, table_vertices
from minigrad.trace.vertices import Group
from minigrad.trace.words import expression
from minigrad.why.payload import lit_by_edges

MOST_NAMED = 12
"""Groups that have a button each; of more, only those that are open, up to so many."""


def payload_of(variants: Variants) -> dict[str, Any]:
    """Return what the page needs from the start: the first view, and which others there are.

    What stays the same however much is folded, the questions and the paths, is sent by itself.
    """
    orders = dict.fromkeys(one.order for one in variants.all.values())
    grains = dict.fromkeys(one.grain for one in variants.all.values())
    return {
        "mode": "step",
        "orders": [[order, variants.orders[order]] for order in orders],
        "grains": [[grain, GRAINS[grain]] for grain in grains],
        "code": variants.traces[variants.asked].listing.lines,
        "windows": _windows(variants),
        "groups": _named_groups(variants),
        "constants": variants.constants if variants.snapshot.loose_constants else None,
        "variants": {key: _about(variants, key) for key in variants.all},
        "index": _index(variants) if len(variants.windows) > 1 else None,
        "direction": variants.direction,
        "views": {"0": view_payload(variants, 0)},
    }


def _about(variants: Variants, key: str) -> dict[str, Any]:
    """Return what there is to know of a variant, whichever part of the graph is shown."""
    trace = variants.traces[key]
    others = [other for other in variants.distinct if other != variants.same_as[key]]
    return {
        "order": variants.all[key].order,
        "grain": variants.all[key].grain,
        "same": variants.same_as[key],
        "length": len(trace.steps),
        "shown": list(variants.shown[key]),
        "stops": list(trace.stops) if trace.snapshot.is_folded else None,
        "asked": steps_to_ask_at(variants.questions, variants.same_as[key], trace),
        "moments": {other: variants.same_moments(key, other) for other in others},
    }


def _windows(variants: Variants) -> list[str]:
    """Return what is said while the picture of a window is still to come."""
    snapshot = variants.snapshot
    if not snapshot.boxes:  # a leaf differentiated by itself
        return [""]
    ends = [(snapshot.boxes[one.start], snapshot.boxes[one.stop - 1]) for one in variants.windows]
    nodes = [(snapshot.covered(first)[0], snapshot.covered(last)[-1]) for first, last in ends]
    return [
        f"Nodes #{first} to #{last}: the kernel is drawing this part of the graph."
        for first, last in nodes
    ]


def _first_visits(trace: Trace, count: int) -> list[int | None]:
    visits = trace.history.visits
    return [visits[position][0] if position in visits else None for position in range(count)]


def _index(variants: Variants) -> dict[str, Any]:
    """Return what nodes of a large graph are found by, and which step visits each first."""
    vertices = variants.traces[variants.asked].whole.snapshot.vertices
    nodes = [vertex for vertex in vertices.values() if vertex.kind == "node"]
    ops = {name: place for place, name in enumerate(dict.fromkeys(n.op_name for n in nodes))}
    return {
        "ops": list(map(visible, ops)),
        "op_of": [ops[node.op_name] for node in nodes],
        "names": {node.position: visible(node.given_name) for node in nodes if node.given_name},
        "drawn": {node.position: drawn for node in nodes if (drawn := _drawn_names(node))},
        "visits": {
            key: _first_visits(trace.whole, len(nodes)) for key, trace in variants.distinct.items()
        },
    }


def _drawn_names(node: Vertex) -> list[str]:
    """Return what a reader sees of a name, where it is not what code knows it by."""
    drawn = [node.label, node.name.strip(ISOLATE + END)] if node.given_name else []
    return [name for name in dict.fromkeys(drawn) if name != visible(node.given_name)]


def whole_payload(variants: Variants) -> dict[str, Any]:
    """Return all that any page could ask for: every view is in it."""
    payload = payload_of(variants)
    for number in counted(range(1, len(variants.windows)), "Drawing parts"):
        payload["views"][str(number)] = view_payload(variants, number)
    return payload


def view_payload(variants: Variants, number: int) -> dict[str, Any]:
    """Return what the page needs to show one window."""
    view = variants.view(number)
    trace = variants.traces[variants.asked]
    tables = ArrayTables()
    film = next(iter(view.films.values()))
    return {
        "pictures": pictures_of(film, view.layouts, variants.direction),
        "brief": brief_of(view.part),
        "edges": {edge.key: [edge.source, edge.target] for edge in view.part.edges},
        "nodes": _nodes(trace, view.part),
        "groups": _groups_in(view.part),
        "tensors": tables.tensors(view.part),
        "marks": _marks(trace, view.part),
        "variants": {
            name: _variant(variants.traces[name], view, name, tables) for name in view.films
        },
        "tables": tables.made,
        "without_gradient": WITHOUT_GRADIENT,
        "lit": lit_by_edges(trace),
    }


def pictures_of(film: Film, layouts: Layouts, choice: Choice) -> dict[Direction, str]:
    """Return the picture in each direction from which the page takes the one that fits."""
    directions = layouts.at_hand if choice == "auto" else (choice,)
    return {one: to_page_svg(film, layouts[one]) for one in directions}


def brief_of(part: Snapshot) -> dict[str, list[str]]:
    """Return what each box says in an overview."""
    return {key: brief_lines(vertex) for key, vertex in part.vertices.items()}


def looks_of(looks: Mapping[str, Look]) -> dict[str, list[Any]]:
    """Return looks that no step changes, by key, as the page has them."""
    return {key: [0, look.state, look.changed, look.rows] for key, look in looks.items()}


def _marks(trace: Trace, part: Snapshot) -> dict[str, list[int]]:
    """Return which lines of code recorded each box: of a group, from its first to its last."""
    marks = trace.listing.marks
    places = {}
    for key in part.boxes:
        found = [marks[node] for p in part.covered(key) if (node := f"n{p}") in marks]
        if not found:
            continue
        one = min(found, key=lambda mark: (mark.first, mark.start))
        places[key] = [one.first, one.last, one.start, one.end]
        if len(found) > 1:
            places[key] = [one.first, max(mark.last for mark in found), one.start, 0]
    return places


def _variant(trace: Trace, view: View, name: str, tables: ArrayTables) -> dict[str, Any]:
    """Return the looks, the words, the table and the order of one variant, in one window."""
    scenes, vertices = view.scenes[name], table_vertices(view.part)
    return {
        "film": _film(view.films[name]),
        "steps": {
            index: _step(trace, trace.shown(index))
            for scene in scenes
            for index in trace.stops_in(scene)
        },
        "order": _order(trace, scenes),
        "table": [_row(trace, vertex, scenes) for vertex in vertices],
        "gradients": {
            vertex.key: tables.gradients(trace, vertex.key, scenes) for vertex in vertices
        },
        "signs": {
            vertex.key: _where_it_goes(trace, vertex)
            for vertex in view.part.vertices.values()
            if vertex.kind == "outside"
        },
    }


def _film(film: Film) -> dict[str, Any]:
    """Return the looks of every box and edge, by key: ``[first step, state, changed, rows]``."""
    return {reel.key: {"kind": reel.kind, "looks": _looks(reel)} for reel in film.reels}


def _looks(reel: Reel) -> list[list[Any]]:
    """Return the looks; of a row that stays as it was, None."""
    looks: list[list[Any]] = []
    before: tuple[str | None, ...] = (None,) * len(reel.values[0].rows)
    for start, look in zip(reel.starts, reel.values, strict=True):
        pairs = zip(look.rows, before, strict=True)
        rows = [row if row != earlier else None for row, earlier in pairs]
        looks.append([start, look.state, look.changed, rows])
        before = look.rows
    return looks


def _nodes(trace: Trace, part: Snapshot) -> list[dict[str, Any]]:
    """Return the entries of the list of nodes, with signs where it goes on."""
    first, last = part.positions.start, part.positions.stop - 1
    entries = [_node(trace, part, key) for key in part.boxes]
    if first > 0:
        entries.insert(0, _sign(f"#0 to #{first - 1}", first - 1))
    if last < part.count - 1:
        entries.append(_sign(f"#{last + 1} to #{part.count - 1}", last + 1))
    return entries


def _node(trace: Trace, part: Snapshot, key: str) -> dict[str, Any]:
    vertex, nodes = part.vertices[key], part.covered(key)
    if vertex.group is not None:
        last = f" to #{nodes[-1]}" if len(nodes) > 1 else ""
        text, code = f"#{nodes[0]}{last}", vertex.name
    else:
        text = f"#{vertex.position} {vertex.op_label}"
        code = f"{vertex.name} = {expression(trace.snapshot, key)}"
    return {"key": key, "text": text, "code": code, "step": nodes[0], "last": nodes[-1]}


def _sign(text: str, step: int) -> dict[str, Any]:
    return {"text": f"⋯ {text}", "step": step, "last": step}


def _step(trace: Trace, step: Step) -> dict[str, Any]:
    words = trace.explain(step)
    is_last = trace.is_last(step)
    return {
        "kind": step.kind,
        "wrong": bool(step.missed or step.repeated or (is_last and not trace.is_in_order)),
        "key": trace.snapshot.box_of(step.tensor),
        "title": words.title,
        "sentence": words.sentence,
        "formulas": list(words.formulas),
    }


def _order(trace: Trace, scenes: Sequence[range]) -> list[dict[str, Any]]:
    """Return the seed and the visits, each with the first and the last of its steps."""
    entries: list[dict[str, Any]] = []
    for index in (index for scene in scenes for index in trace.stops_in(scene)):
        step, last = trace.shown(index), trace.covered(index)[-1]
        if step.kind == "record":
            continue
        if not step.is_first_part:
            entries[-1]["last"] = last
            continue
        text = "seed" if step.kind == "seed" else _visit_text(trace, step)
        entries.append({"text": text, "step": index, "last": last})
    seed, end = trace.history.seed, len(trace.steps) - 1
    if not entries:  # none of these nodes is visited
        return [_sign(f"{end - seed} visits of others", seed)]
    first, last = entries[0]["step"], entries[-1]["last"]
    if first > seed:
        entries.insert(0, _sign(f"{first - seed} steps before", first - 1))
    if last < end:
        entries.append(_sign(f"{end - last} more steps", last + 1))
    return entries


def _visit_text(trace: Trace, step: Step) -> str:
    vertex = trace.snapshot.vertices[step.tensor]
    return vertex.name if vertex.group is not None else f"#{step.position} {vertex.op_label}"


def _row(trace: Trace, vertex: Vertex, scenes: Sequence[range]) -> dict[str, Any]:
    row = table_row(trace, vertex, scenes)
    return {
        "key": vertex.key,
        "name": row.name,
        "value": list(row.value),
        "before": list(row.before),
        "after": list(row.after),
        "changed": row.changed,
    }


def _where_it_goes(trace: Trace, sign: Vertex) -> list[int]:
    """Return the step that records the first of the nodes, and the first that visits any."""
    snapshot, visited = trace.snapshot, trace.history.visits
    boxes = [snapshot.vertices[snapshot.boxes[place]] for place in sign.stands_for]
    visits = [visited[box.position][0] for box in boxes if box.position in visited]
    recorded = boxes[0].position or 0
    return [recorded, min(visits, default=recorded)]


def _named_groups(variants: Variants) -> dict[str, Any]:
    """Return the groups that have a button, and whether there is anything to fold or to open."""
    snapshot = variants.snapshot
    shut, opened = _shut(snapshot), snapshot.open_groups
    named = [*shut, *opened] if len(shut) + len(opened) <= MOST_NAMED else opened[:MOST_NAMED]
    return {
        "named": _group_buttons(named, snapshot),
        "folded": bool(shut),
        "open": bool(opened),
    }


def _groups_in(part: Snapshot) -> list[dict[str, Any]]:
    """Return the groups that are seen in a part of the graph, in the order of the nodes."""
    seen = part.positions
    opened = [
        one
        for one in part.open_groups
        if one.positions.start < seen.stop and seen.start < one.positions.stop
    ]
    return _group_buttons([*_shut(part), *opened], part)


def _shut(part: Snapshot) -> list[Group]:
    groups = [part.vertices[key].group for key in part.boxes]
    return [group for group in groups if group is not None]


def _group_buttons(groups: list[Group], part: Snapshot) -> list[dict[str, Any]]:
    return [
        {
            "key": one.key,
            "name": group_title(one, folded=one.key in part.vertices),
            "folded": one.key in part.vertices,
            "first": one.positions.start,
        }
        for one in sorted(groups, key=lambda group: (group.positions.start, group.depth))
    ]
