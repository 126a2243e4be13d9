"""Several Graphviz workers at once, for many pictures: one for each core, up to four."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from minigrad.diagram.graphviz_process import GraphvizProcess, graphviz_process

Given = TypeVar("Given")
Made = TypeVar("Made")

FEW = 12
"""For fewer pictures it isn't worth the while to start more workers."""
MOST_WORKERS = 4

_of_thread = threading.local()


def own_worker() -> GraphvizProcess:
    """Return the worker of the running thread: the one that all share, unless it has its own."""
    worker: GraphvizProcess = getattr(_of_thread, "worker", graphviz_process)
    return worker


def each(function: Callable[[Given], Made], things: Sequence[Given]) -> Iterator[Made]:
    """Give what a function makes of each thing, in order; if there are many, several at once.

    Examples
    --------
    >>> list(each(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    count = min(os.cpu_count() or 1, MOST_WORKERS)
    if len(things) < FEW or count < 2:
        yield from map(function, things)
        return
    helpers: list[GraphvizProcess] = []

    def start() -> None:
        _of_thread.worker = GraphvizProcess()
        helpers.append(_of_thread.worker)

    pool = ThreadPoolExecutor(count, initializer=start)
    try:
        yield from pool.map(function, things)
    finally:
        pool.shutdown(cancel_futures=True)
        for helper in helpers:
            helper.close()
