"""`DownloadJobs`: files that the page asks for, drawn in the background, one after the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minigrad.diagram.graphviz.workers import with_own_worker
from minigrad.progress import Count, Listener, Stopped, heard_by

PATIENCE = 0.3
"""Seconds after which the page is told how far it is: most files of one step are there before."""
Message = dict[str, Any]
Send = Callable[[Message, list[bytes]], None]


class _Telling(Listener):
    """Tells the page how far the drawing of its file has come."""

    def __init__(self, tell: Callable[[list[Any]], None]) -> None:
        super().__init__(PATIENCE)
        self._tell = tell

    def tell(self, count: Count) -> None:
        self._tell([count.what, count.done, count.total])


@dataclass
class _Job:
    wish: Message
    draw: Callable[[], bytes]
    send: Send
    listener: _Telling = field(init=False)

    def __post_init__(self) -> None:
        self.listener = _Telling(lambda told: self.send(self.wish | {"progress": told}, []))

    def run(self) -> None:
        """Draw the file and send it, or why there is none."""
        try:
            with heard_by(self.listener):
                self.listener.look()  # whether it was stopped before its turn came
                data = self.draw()
        except Stopped:
            self.send(self.wish | {"stopped": True}, [])
        except Exception as error:  # the page is where the user looks
            self.send(self.wish | {"failed": str(error)}, [])
        else:
            self.send(self.wish, [data])


class DownloadJobs:
    """Draws the files of one stepper in a thread, which is there while there is work.

    Cells can be run meanwhile, and the page is heard. What is drawn cannot change under it: a
    trace is held fast, and Graphviz works for this thread in a process of its own.

    Parameters
    ----------
    send : callable
        Sends the page a message and buffers: to each wish ``{"id": …}`` how far its file has come
        as ``{"progress": [what, done, total]}``, then the file itself, or ``{"stopped": True}``,
        or ``{"failed": why}``.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._jobs: deque[_Job] = deque()  # the first one is at work
        self._thread: threading.Thread | None = None

    def ask(self, wish: Message, draw: Callable[[], bytes]) -> None:
        """Draw a file when those that were asked for before are done."""
        with self._lock:
            self._jobs.append(_Job(wish, draw, self._send))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="minigrad-saving", daemon=True
                )
                self._thread.start()

    def stop(self, *identities: str) -> None:
        """Let the files with these ids be; without any, all of them. It does not wait."""
        # without the lock, which whoever drops a stepper in a forked child might wait for
        for job in list(self._jobs):
            if not identities or job.wish.get("id") in identities:
                job.listener.stop()

    def join(self) -> None:
        """Wait until nothing is drawn any more."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        with with_own_worker():
            while True:
                self._jobs[0].run()
                with self._lock:
                    self._jobs.popleft()
                    if not self._jobs:
                        self._thread = None
                        return
