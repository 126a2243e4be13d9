"""Several Graphviz workers at once, for many pictures: one for each core, up to four."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from minigrad.diagram.graphviz.process import GraphvizProcess, graphviz_process
from minigrad.progress import Listener, listen, wait_for

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


@contextmanager
def with_own_worker() -> Iterator[None]:
    """Give the running thread a worker of its own, so that it keeps no other thread waiting."""
    worker = _of_thread.worker = GraphvizProcess()
    try:
        yield
    finally:
        del _of_thread.worker
        worker.close()


def each(function: Callable[[Given], Made], things: Sequence[Given]) -> Generator[Made, None, None]:
    """Give what a function makes of each thing, in order; if there are many, several at once.

    Whoever stops taking, or is interrupted, stops them all.

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
    crew = Listener()

    def start() -> None:
        _of_thread.worker = GraphvizProcess()
        helpers.append(_of_thread.worker)
        listen(crew)

    pool = ThreadPoolExecutor(count, initializer=start)
    try:
        for future in [pool.submit(function, thing) for thing in things]:
            yield wait_for(future)
    finally:
        crew.stop()
        pool.shutdown(cancel_futures=True)
        for helper in helpers:
            helper.close()
