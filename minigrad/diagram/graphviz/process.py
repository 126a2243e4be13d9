"""The one place that talks to the Graphviz worker."""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from minigrad.diagram.fonts import fontconfig_file
from minigrad.engine.errors import DrawingError
from minigrad.progress import PAUSE, Count, one_work

AT_ONCE = 1 << 16
"""Bytes that are read at once: about as many as a pipe holds."""
WORKER = Path(__file__).with_name("worker.py")
# a group of its own: Ctrl-C in a terminal is meant for the notebook or script, not for it
OWN_GROUP: dict[str, Any] = (
    {"creationflags": 0x0200}  # CREATE_NEW_PROCESS_GROUP, a name that only Windows has
    if sys.platform == "win32"
    else {"start_new_session": True}
)


class GraphvizProcess:
    """A Graphviz worker that is started when needed and replaced when it dies.

    All that is read from and written to it is unbuffered: a buffered stream has a lock, and a child
    that is forked while another thread holds it would wait for it for ever.

    Parameters
    ----------
    time_limit : float, default 20
        Seconds that one request may take, starting included; then the worker is killed.
    """

    def __init__(self, time_limit: float = 20.0) -> None:
        self.time_limit = time_limit
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._printed: IO[bytes] | None = None
        _all.add(self)

    @property
    def pid(self) -> int | None:
        """The worker's process id; None while there is none."""
        return self._process.pid if self._process is not None else None

    def render(self, dot: str, engine: str, formats: list[str]) -> list[bytes]:
        """Lay out DOT text and render it.

        Parameters
        ----------
        dot : str
            The graph.
        engine : {'dot', 'nop2'}
            ``nop2`` keeps the positions that the text gives.
        formats : list of str
            Such as ``json``, ``svg``, ``png``, ``pdf``.

        Returns
        -------
        list of bytes
            One for each format.

        Raises
        ------
        DrawingError
            If Graphviz failed, died or took too long. The next call starts a new worker.
        """
        asked: dict[str, Any] = {"dot": dot, "engine": engine, "formats": formats}
        # one that is left behind, as this process was killed, ends by itself a little later
        asked["seconds"] = math.ceil(self.time_limit) + 1
        request = json.dumps(asked).encode() + b"\n"
        with one_work(), self._lock:
            was_running = self._is_running()
            try:
                return self._answer(request)
            except _WorkerDiedError:
                if not was_running:
                    raise
            # it may have died long before this request, which deserves a fresh one
            return self._answer(request)

    def _answer(self, request: bytes) -> list[bytes]:
        process = self._start()
        # another thread reads, so that whoever waits can show how long, and be interrupted
        answer = _Answer(lambda: self._exchange(process, request))
        in_time = True
        try:
            answer.start()
            in_time = self._wait_for(answer)
            if not in_time:
                process.kill()
                answer.join()
            return answer.result()
        except DrawingError:
            raise
        except (OSError, EOFError, json.JSONDecodeError):
            printed = self._what_it_printed()
            self._stop()
            if not in_time:
                raise DrawingError(
                    f"Graphviz took longer than {self.time_limit:g} s for this picture and was "
                    f"stopped; draw a smaller graph. The next drawing starts afresh."
                ) from None
            raise _WorkerDiedError(
                f"Graphviz stopped unexpectedly while drawing{printed}. The next drawing starts "
                f"it anew; if this picture fails again, please report it."
            ) from None
        except BaseException:
            # interrupted half-way: an answer that came later would be taken for the next one
            self._stop()
            raise

    def _wait_for(self, answer: _Answer) -> bool:
        """Wait for an answer, and tell whether it came within the time limit."""
        began = time.monotonic()
        count = Count(f"Graphviz, {self.time_limit:g} s at most:", math.ceil(self.time_limit))
        try:
            while (passed := time.monotonic() - began) < self.time_limit:
                answer.join(min(PAUSE, self.time_limit - passed))
                if not answer.is_alive():
                    return True
                count.reach(int(time.monotonic() - began))
            return not answer.is_alive()
        finally:
            count.close()

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes) -> list[bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        if self._printed is not None:
            self._printed.truncate(0)
        unsent = memoryview(request)
        while unsent:
            unsent = unsent[process.stdin.write(unsent) :]
        line = process.stdout.readline()
        if not line:
            raise EOFError
        header = json.loads(line)
        if "error" in header:
            raise DrawingError(
                f"Graphviz could not draw this graph: {header['error']}{self._what_it_printed()}"
            )
        return [_read_all(process.stdout, size) for size in header["sizes"]]

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._is_running():
            return self._process
        self._stop()
        # appending, so that emptying it between requests works for the worker's end as well
        self._printed = tempfile.TemporaryFile("a+b", buffering=0)  # noqa: SIM115 - as the worker
        environment = os.environ | {
            "FONTCONFIG_FILE": str(fontconfig_file()),
            "PANGOCAIRO_BACKEND": "fc",
            "PYTHONIOENCODING": "utf-8",
        }
        try:
            self._process = subprocess.Popen(
                # -P: modules in the user's folder must not shadow those that the worker imports
                [sys.executable or "python", "-P", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._printed,
                bufsize=0,
                env=environment,
                **OWN_GROUP,
            )
        except OSError as error:
            self._stop()
            raise DrawingError(
                f"the Graphviz worker could not be started with {sys.executable!r}: {error}; "
                f"sys.executable must be the Python that minigrad is installed in"
            ) from None
        return self._process

    def _what_it_printed(self) -> str:
        if self._printed is None:
            return ""
        self._printed.seek(0)
        lines = self._printed.read().decode(errors="replace").strip("\0").splitlines()
        told = [line for line in lines if line.strip() and "Fontconfig" not in line]
        return f" ({'; '.join(told[-3:])})" if told else ""

    def _stop(self) -> None:
        process, self._process = self._process, None
        printed, self._printed = self._printed, None
        if process is not None:
            process.kill()
            process.wait()
        _close(process, printed)

    def close(self) -> None:
        """End the worker; a later `render` starts a new one."""
        with self._lock:
            self._stop()

    def forget(self) -> None:
        """Leave the worker to the parent process: for a child that was just forked."""
        self._lock = threading.Lock()  # whoever held the other one is not in this process
        process, self._process = self._process, None
        printed, self._printed = self._printed, None
        if process is not None:
            process.returncode = 0  # no child of this process: there is nothing to wait for
        _close(process, printed)


def _read_all(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes from a stream that gives what is there."""
    parts = []
    while size:
        part = stream.read(min(size, AT_ONCE))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _close(process: subprocess.Popen[bytes] | None, printed: IO[bytes] | None) -> None:
    for stream in (process and process.stdin, process and process.stdout, printed):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()


class _Answer(threading.Thread):
    """The exchange of one request for its answer."""

    def __init__(self, exchange: Callable[[], list[bytes]]) -> None:
        super().__init__(name="minigrad-graphviz", daemon=True)
        self._exchange = exchange
        self._made: list[bytes] = []
        self._failed: Exception | None = None

    def run(self) -> None:
        try:
            self._made = self._exchange()
        except Exception as error:  # whoever waits for the answer gets it
            self._failed = error

    def result(self) -> list[bytes]:
        """Return the answer that has come, or raise what came instead."""
        if self._failed is not None:
            raise self._failed
        return self._made


class _WorkerDiedError(DrawingError):
    """The worker ended in the middle of a request."""


def _forget_all() -> None:
    for process in list(_all):
        process.forget()


_all: weakref.WeakSet[GraphvizProcess] = weakref.WeakSet()
graphviz_process = GraphvizProcess()
"""The worker that all drawings of this Python process share."""
atexit.register(graphviz_process.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
