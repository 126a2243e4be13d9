"""What the page is sent: a picture, and what changes in it from step to step.

Everything is there before the first click, so stepping needs no kernel. The same
structure is meant for pages without one.
"""

from __future__ import annotations

from typing import Any

from minigrad.diagram import Film
from minigrad.diagram.film import Reel
from minigrad.trace import Item, Step, Trace, explain
from minigrad.trace.numbers import format_values
from minigrad.trace.table import dead_from, row_name, table_items
from minigrad.trace.visit_words import expression


def film_payload(film: Film) -> dict[str, Any]:
    """Return the looks of every box and edge, by key: ``[first step, state, changed, rows]``."""
    return {reel.key: {"kind": reel.kind, "looks": _looks(reel)} for reel in film.reels}


def _looks(reel: Reel) -> list[list[Any]]:
    return [
        [start, look.state, look.changed, list(look.lines)]
        for start, look in zip(reel.starts, reel.looks, strict=True)
    ]


def graph_payload(trace: Trace) -> dict[str, Any]:
    """Return what is the same in all versions: the list of nodes, and the code behind it."""
    nodes = [item for item in trace.snapshot.items.values() if item.kind == "node"]
    return {
        "nodes": [
            {
                "key": item.key,
                "text": f"#{item.position} {item.op_name}",
                "code": f"{item.name} = {expression(trace.snapshot, item.key)}",
                "step": item.position,
                "last": item.position,
            }
            for item in nodes
        ],
        "code": {
            "lines": trace.listing.lines,
            "marks": {
                key: [mark.first, mark.last, mark.start, mark.end]
                for key, mark in trace.listing.marks.items()
            },
        },
    }


def trace_payload(trace: Trace) -> dict[str, Any]:
    """Return the words, the gradient table and the order of one version."""
    return {
        "steps": [_step(trace, step) for step in trace.steps],
        "order": _order(trace),
        "table": [_row(trace, item) for item in table_items(trace)],
    }


def _step(trace: Trace, step: Step) -> dict[str, Any]:
    words = explain(trace, step)
    is_last = step is trace.steps[-1]
    return {
        "kind": step.kind,
        "wrong": bool(step.missed or step.repeated or (is_last and not trace.is_in_order)),
        "key": step.tensor,
        "title": words.title,
        "sentence": words.sentence,
        "formulas": list(words.formulas),
    }


def _order(trace: Trace) -> list[dict[str, Any]]:
    """Return the seed and the visits, each with the first and the last of its steps."""
    entries: list[dict[str, Any]] = []
    for index, step in enumerate(trace.steps):
        if step.kind == "record":
            continue
        if not step.is_first_part:
            entries[-1]["last"] = index
            continue
        text = "seed" if step.kind == "seed" else _visit_text(trace, step)
        entries.append({"text": text, "step": index, "last": index})
    return entries


def _visit_text(trace: Trace, step: Step) -> str:
    return f"#{step.position} {trace.snapshot.items[step.tensor].op_name}"


def _row(trace: Trace, item: Item) -> dict[str, Any]:
    return {
        "key": item.key,
        "name": row_name(item),
        "value": format_values(item.values),
        "recorded": item.position or 0,
        "dead": dead_from(trace, item),
        "before": format_values(trace.initial_gradient(item.key)),
        "gradients": [
            [index, format_values(gradient)] for index, gradient in trace.gradient_history[item.key]
        ],
    }
