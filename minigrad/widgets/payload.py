"""What the page is sent: a picture, and what changes in it from step to step.

All of a view is there before its first click, so stepping needs no kernel. A small graph has a
single view; of a large one there is a view for each window, and the page asks for them ahead of
time. The same structure is meant for pages without a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.diagram import Film
from minigrad.diagram.film import Reel
from minigrad.diagram.svg import to_page_svg
from minigrad.progress import counted
from minigrad.trace import Item, Snapshot, Step, Trace, explain
from minigrad.trace.history import told_during
from minigrad.trace.numbers import format_values
from minigrad.trace.table import dead_from, recorded_at, row_name, table_items
from minigrad.trace.visit_words import expression
from minigrad.widgets.foldable import groups_in, named_groups
from minigrad.widgets.questions import questions_of
from minigrad.widgets.reasons import lit_by_edges
from minigrad.widgets.sheets import Sheets
from minigrad.widgets.versions import GRAINS, Versions, View


def payload_of(versions: Versions) -> dict[str, Any]:
    """Return what the page needs from the start: the first view, and which others there are."""
    names = [name.split("/") for name in versions.traces]
    trace = versions.traces[versions.asked]
    return {
        "mode": "step",
        "orders": [[key, versions.orders[key]] for key in dict.fromkeys(name[0] for name in names)],
        "grains": [[key, GRAINS[key]] for key in dict.fromkeys(name[1] for name in names)],
        "code": trace.listing.lines,
        "windows": _windows(versions),
        "groups": named_groups(versions),
        "versions": {
            name: {
                "length": len(one.steps),
                "shown": versions.shown[name],
                "stops": list(one.stops) if one.snapshot.is_folded else None,
            }
            for name, one in versions.traces.items()
        },
        "questions": questions_of(versions),
        "index": _index(versions) if len(versions.windows) > 1 else None,
        "views": {"0": view_payload(versions, 0)},
    }


def _windows(versions: Versions) -> list[tuple[int, int]]:
    """Return the first and the last node of each window."""
    snapshot = versions.snapshot
    if not snapshot.boxes:  # a leaf differentiated by itself
        return [(0, -1)]
    ends = [(snapshot.boxes[one.start], snapshot.boxes[one.stop - 1]) for one in versions.windows]
    return [(snapshot.covered(first)[0], snapshot.covered(last)[-1]) for first, last in ends]


def _first_visits(trace: Trace, count: int) -> list[int | None]:
    visits = trace.history.visits
    return [visits[position][0] if position in visits else None for position in range(count)]


def _index(versions: Versions) -> dict[str, Any]:
    """Return what nodes of a large graph are found by, and which step visits each first."""
    items = versions.traces[versions.asked].whole.snapshot.items
    nodes = [item for item in items.values() if item.kind == "node"]
    ops = {name: place for place, name in enumerate(dict.fromkeys(n.op_name for n in nodes))}
    return {
        "ops": list(ops),
        "op_of": [ops[node.op_name] for node in nodes],
        "names": {node.position: node.given_name for node in nodes if node.given_name},
        "visits": {
            name: _first_visits(trace.whole, len(nodes)) for name, trace in versions.traces.items()
        },
    }


def whole_payload(versions: Versions) -> dict[str, Any]:
    """Return all that any page could ask for: every view is in it."""
    payload = payload_of(versions)
    for number in counted(range(1, len(versions.windows)), "Drawing parts"):
        payload["views"][str(number)] = view_payload(versions, number)
    return payload


def view_payload(versions: Versions, number: int) -> dict[str, Any]:
    """Return what the page needs to show one window."""
    view = versions.view(number)
    trace = versions.traces[versions.asked]
    sheets = Sheets()
    film = next(iter(view.films.values()))
    return {
        "svg": to_page_svg(film, view.layout),
        "nodes": _nodes(trace, view.part),
        "groups": groups_in(view.part),
        "tensors": sheets.tensors(view.part),
        "marks": _marks(trace, view.part),
        "versions": {
            name: _version(versions.traces[name], view, name, sheets) for name in view.films
        },
        "sheets": sheets.made,
        "reasons": versions.reasons | {"lit": lit_by_edges(trace)},
    }


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


def _version(trace: Trace, view: View, name: str, sheets: Sheets) -> dict[str, Any]:
    """Return the looks, the words, the table and the order of one version, in one window."""
    scenes, items = view.scenes[name], table_items(view.part)
    return {
        "film": _film(view.films[name]),
        "steps": {
            index: _step(trace, trace.shown(index))
            for scene in scenes
            for index in trace.stops_in(scene)
        },
        "order": _order(trace, scenes),
        "table": [_row(trace, item, scenes) for item in items],
        "gradients": {item.key: sheets.gradients(trace, item.key, scenes) for item in items},
        "signs": {
            item.key: _where_it_goes(trace, item)
            for item in view.part.items.values()
            if item.kind == "outside"
        },
    }


def _film(film: Film) -> dict[str, Any]:
    """Return the looks of every box and edge, by key: ``[first step, state, changed, rows]``."""
    return {reel.key: {"kind": reel.kind, "looks": _looks(reel)} for reel in film.reels}


def _looks(reel: Reel) -> list[list[Any]]:
    """Return the looks; of a row that stays as it was, None."""
    looks: list[list[Any]] = []
    before: tuple[str | None, ...] = (None,) * len(reel.looks[0].lines)
    for start, look in zip(reel.starts, reel.looks, strict=True):
        pairs = zip(look.lines, before, strict=True)
        rows = [row if row != earlier else None for row, earlier in pairs]
        looks.append([start, look.state, look.changed, rows])
        before = look.lines
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
    item, nodes = part.items[key], part.covered(key)
    if item.group is not None:
        last = f" to #{nodes[-1]}" if len(nodes) > 1 else ""
        text, code = f"#{nodes[0]}{last}", item.name
    else:
        text = f"#{item.position} {item.op_name}"
        code = f"{item.name} = {expression(trace.snapshot, key)}"
    return {"key": key, "text": text, "code": code, "step": nodes[0], "last": nodes[-1]}


def _sign(text: str, step: int) -> dict[str, Any]:
    return {"text": f"⋯ {text}", "step": step, "last": step}


def _step(trace: Trace, step: Step) -> dict[str, Any]:
    words = explain(trace, step)
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
    item = trace.snapshot.items[step.tensor]
    return item.name if item.group is not None else f"#{step.position} {item.op_name}"


def _row(trace: Trace, item: Item, scenes: Sequence[range]) -> dict[str, Any]:
    return {
        "key": item.key,
        "name": row_name(item),
        "value": format_values(item.values),
        "recorded": recorded_at(trace, item),
        "dead": dead_from(trace, item),
        "before": format_values(trace.initial_gradient(item.key)),
        "gradients": [
            [index, format_values(gradient)]
            for index, gradient in told_during(trace.history.gradients[item.key], scenes)
        ],
    }


def _where_it_goes(trace: Trace, sign: Item) -> list[int]:
    """Return the step that records the first of the nodes, and the first that visits any."""
    snapshot, visited = trace.snapshot, trace.history.visits
    boxes = [snapshot.items[snapshot.boxes[place]] for place in sign.stands_for]
    visits = [visited[box.position][0] for box in boxes if box.position in visited]
    recorded = boxes[0].position or 0
    return [recorded, min(visits, default=recorded)]
