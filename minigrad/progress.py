"""How far long work has come: told to whoever waits for it, and a place where it can be stopped.

Loops count what they do with `counted` or a `Count`. Who hears of it is decided further out: by
default whoever waits at the notebook or the terminal, by a bar, if it takes long.
"""

from __future__ import annotations

import importlib
import math
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

One = TypeVar("One")

PATIENCE = 1.0
"""Seconds that pass before a bar is shown."""
PAUSE = 0.1
"""Seconds between two looks at the clock and at the bar."""


class Stopped(BaseException):
    """Someone asked for the work to be stopped; as a `KeyboardInterrupt`, it is no error."""


class Listener:
    """Hears how far a piece of work has come. This one tells nobody.

    Parameters
    ----------
    patience : float, optional
        Seconds before it tells anything; by default it never does.

    Attributes
    ----------
    due : float
        When to look next, by the monotonic clock.
    counts : list of Count
        The loops that run, the outermost first.
    is_closed : bool
        Whether the work has ended.
    """

    def __init__(self, patience: float = math.inf) -> None:
        self.due = time.monotonic() + patience
        self.counts: list[Count] = []
        self.is_closed = False
        self._stopped = False
        self._has_told = False

    def stop(self) -> None:
        """Let the work end where it counts or waits next; any thread may say so."""
        self._stopped = True
        self.due = 0.0

    def begin(self, count: Count) -> None:
        """Take note of a loop that begins."""
        self.counts.append(count)
        if len(self.counts) == 1 and (self._has_told or time.monotonic() >= self.due):
            self.due = 0.0
            self.look()

    def look(self) -> None:
        """Tell how far the work is, if it is time to.

        Raises
        ------
        Stopped
            In the thread that works, if it is to end.
        """
        if self._stopped:
            raise Stopped
        now = time.monotonic()
        if now >= self.due and self.counts:
            self.due = now + PAUSE
            self._has_told = True
            self.tell(self.counts[0])  # the outermost: within it, others come and go

    def tell(self, count: Count) -> None:
        """Tell how far a count has come."""

    def close(self) -> None:
        """End telling."""
        self.is_closed = True


class Bar(Listener):
    """Shows a bar of `tqdm` for whoever waits, and takes it away at the end."""

    def __init__(self, patience: float = PATIENCE) -> None:
        super().__init__(patience)
        self._shown: Count | None = None
        self._bar: Any = None
        self._place: Any = None

    def tell(self, count: Count) -> None:
        """Show the bar, with another text if other work has begun."""
        if self._bar is None:
            self._shown = count
            # one after the other, so that an interrupt in between finds what is there to close
            try:
                self._bar = _make_bar(count)
            except ImportError:  # no tqdm, and the work matters more
                self.due = math.inf
                return
            self._place = _put_into_output(self._bar)
        if self._shown is not count:
            self._shown = count
            self._bar.reset(count.total)
            self._bar.set_description_str(count.what, refresh=False)
        self._bar.n = min(count.done, count.total)
        self._bar.refresh()

    def close(self) -> None:
        """Take the bar away, also of work that was stopped."""
        super().close()
        bar, place, self._bar, self._place = self._bar, self._place, None, None
        if bar is None:
            return
        bar.total = bar.n  # or it would stay in red
        bar.close()
        container = getattr(bar, "container", None)
        if container is not None:
            for widget in (*container.children, container):
                for part in (widget, widget.layout, getattr(widget, "style", None)):
                    if part is not None:
                        part.close()
        if place is not None:
            place.update({}, raw=True)  # a saved notebook is not to hold it either


def _make_bar(count: Count) -> Any:
    from tqdm.auto import tqdm

    is_notebook = _in_notebook()
    how = "■ in the toolbar stops it" if is_notebook else "Ctrl-C stops it"
    shape = "{desc} {percentage:3.0f}%|{bar}| {n:,} of {total:,}   " + how
    options = {"total": count.total, "desc": count.what, "bar_format": shape, "leave": False}
    return tqdm(**options, display=False) if is_notebook else tqdm(**options)


def _put_into_output(bar: Any) -> Any:
    """Show a notebook's bar in the output of the cell, and return its place there."""
    if not hasattr(bar, "container"):
        return None
    place = importlib.import_module("IPython.display").DisplayHandle()
    place.display(bar.container)
    return place


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


def _someone_waits() -> bool:
    """Tell whether there is someone to see a bar: in the main thread, which can be stopped too."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())


_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


def listen(listener: Listener) -> None:
    """Let a listener hear of all that the running thread counts from now on."""
    _listener.set(listener)


def wait_for(future: Future[One]) -> One:
    """Return what a future comes to; whoever listens can stop the wait."""
    count = Count("Waiting", 1)
    try:
        while True:
            with suppress(TimeoutError):
                future.exception(PAUSE)
            if future.done():
                return future.result()
            count.reach(0)
    finally:
        count.close()


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let a listener hear of all that is counted within."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        listener.close()
        _listener.reset(token)


@contextmanager
def one_work(*, at_once: bool = False) -> Iterator[None]:
    """Take all that is counted within for one piece of work, which has one bar and one patience.

    Parameters
    ----------
    at_once : bool, default False
        Whether to show the bar without waiting, also where nobody seems to look.
    """
    outer = _listener.get()
    if outer is not None and not outer.is_closed:
        yield
        return
    shown = at_once or _someone_waits()
    with heard_by(Bar(0.0 if at_once else PATIENCE) if shown else Listener()):
        yield


class Count:
    """How far one loop has come.

    Parameters
    ----------
    what : str
        What is done, such as ``Drawing``.
    total : int
        How often.

    Attributes
    ----------
    done : int
        How often it has been done.
    """

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._listener = _listener.get() or Listener()
        self._listener.begin(self)

    def one(self) -> None:
        """Tell that it was done once more."""
        self.done += 1
        if time.monotonic() >= self._listener.due:
            self._listener.look()

    def reach(self, done: int) -> None:
        """Tell how often it has been done."""
        self.done = done
        if time.monotonic() >= self._listener.due:
            self._listener.look()

    def close(self) -> None:
        """Tell that the loop has ended."""
        if self in self._listener.counts:
            self._listener.counts.remove(self)


def counted(things: Iterable[One], what: str, total: int | None = None) -> Iterator[One]:
    """Go through things and tell whoever listens how far it has come.

    Parameters
    ----------
    things : iterable
        What to go through.
    what : str
        What is done to them, such as ``Drawing``.
    total : int, optional
        How many there are, if they have no length.

    Examples
    --------
    >>> [thing * 2 for thing in counted([1, 2], "Doubling")]
    [2, 4]
    """
    count = Count(what, len(things) if isinstance(things, Sized) else total or 0)
    try:
        for thing in things:
            yield thing
            count.one()
    finally:
        count.close()
