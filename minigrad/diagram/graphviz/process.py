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
from pathlib import Path
from queue import Empty, SimpleQueue
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
        self._line: _Line | None = None
        _all.add(self)

    @property
    def pid(self) -> int | None:
        """The worker's process id; None while there is none."""
        return self._line.process.pid if self._line is not None else None

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
        line = self._start()
        in_time = True
        try:
            line.ask(request)
            in_time = self._wait_for(line)
            if not in_time:
                line.process.kill()
            return line.answer()
        except DrawingError:
            raise
        except (OSError, EOFError, json.JSONDecodeError):
            printed = line.what_it_printed()
            self._stop()
            if not in_time:
                raise DrawingError(
                    f"Graphviz took longer than {self.time_limit:g} s for this picture and was "
                    f"stopped; draw a smaller graph. The next drawing starts afresh."
                ) from None
            raise _WorkerDiedError(
                "Graphviz stopped unexpectedly while drawing. The next drawing starts it anew; if "
                "this picture fails again, please report it, with the error's `printed`",
                printed,
            ) from None
        except BaseException:
            # interrupted half-way: an answer that came later would be taken for the next one
            self._stop()
            raise

    def _wait_for(self, line: _Line) -> bool:
        """Wait for an answer, and tell whether it came within the time limit."""
        began = time.monotonic()
        count = Count(f"Graphviz, {self.time_limit:g} s at most:", math.ceil(self.time_limit))
        try:
            while (passed := time.monotonic() - began) < self.time_limit:
                if line.has_answer(min(PAUSE, self.time_limit - passed)):
                    return True
                count.reach(int(time.monotonic() - began))
            return line.has_answer(0)
        finally:
            count.close()

    def _is_running(self) -> bool:
        return self._line is not None and self._line.process.poll() is None

    def _start(self) -> _Line:
        if self._line is not None and self._is_running():
            return self._line
        self._stop()
        printed = _temporary_file()
        environment = os.environ | {"PANGOCAIRO_BACKEND": "fc", "PYTHONIOENCODING": "utf-8"}
        fonts = fontconfig_file()
        if fonts is not None:
            environment["FONTCONFIG_FILE"] = str(fonts)
        try:
            process = subprocess.Popen(
                # -P: modules in the user's folder must not shadow those that the worker imports
                [sys.executable or "python", "-P", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if printed is None else printed,
                bufsize=0,
                env=environment,
                **OWN_GROUP,
            )
        except OSError as error:
            _close(printed)
            raise DrawingError(
                f"the Graphviz worker could not be started with {sys.executable!r}: {error}; "
                f"sys.executable must be the Python that minigrad is installed in"
            ) from None
        self._line = _Line(process, printed)
        return self._line

    def _stop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.process.kill()
            line.process.wait()
            line.close()

    def close(self) -> None:
        """End the worker; a later `render` starts a new one."""
        with self._lock:
            self._stop()

    def forget(self) -> None:
        """Leave the worker to the parent process: for a child that was just forked."""
        self._lock = threading.Lock()  # whoever held the other one is not in this process
        line, self._line = self._line, None
        if line is not None:
            line.process.returncode = 0  # no child of this process: there is nothing to wait for
            line.close()


class _Line(threading.Thread):
    """The line to a running worker, with a thread that writes and reads.

    So whoever waits for an answer can show how long, and be interrupted. It is one thread for all
    requests: when a thread goes, Python runs code of its own in which an interrupt would be lost.

    Attributes
    ----------
    process : subprocess.Popen
        The worker.
    """

    def __init__(self, process: subprocess.Popen[bytes], printed: IO[bytes] | None) -> None:
        super().__init__(name="minigrad-graphviz", daemon=True)
        self.process = process
        self._printed = printed
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[list[bytes] | BaseException] = SimpleQueue()
        self._answer: list[bytes] | BaseException | None = None

    def ask(self, request: bytes) -> None:
        """Send a request."""
        if not self.ident:
            self.start()
        self._answer = None
        self._requests.put(request)

    def has_answer(self, patience: float) -> bool:
        """Wait for the answer so many seconds, and tell whether it came."""
        if self._answer is None:
            with contextlib.suppress(Empty):
                self._answer = self._answers.get(timeout=patience)
        return self._answer is not None

    def answer(self) -> list[bytes]:
        """Return the answer when it has come, or raise what came instead."""
        answer = self._answers.get() if self._answer is None else self._answer
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def run(self) -> None:
        while (request := self._requests.get()) is not None:
            try:
                self._answers.put(self._exchange(request))
            except BaseException as error:  # whoever waits for the answer gets it
                self._answers.put(error)

    def _exchange(self, request: bytes) -> list[bytes]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if self._printed is not None:
            self._printed.truncate(0)
        unsent = memoryview(request)
        while unsent:
            unsent = unsent[self.process.stdin.write(unsent) :]
        line = self.process.stdout.readline()
        if not line:
            raise EOFError
        header = json.loads(line)
        if "error" in header:
            raise DrawingError(
                f"Graphviz could not draw this graph ({header['error']}). The next drawing is not "
                f"affected; please report this one, with the error's `printed`",
                self.what_it_printed(),
            )
        return [_read_all(self.process.stdout, size) for size in header["sizes"]]

    def what_it_printed(self) -> str:
        """Return what Graphviz printed, but for what fontconfig always has to say."""
        if self._printed is None:
            return ""
        self._printed.seek(0)
        lines = self._printed.read().decode(errors="replace").strip("\0").splitlines()
        told = [line for line in lines if line.strip() and "Fontconfig" not in line]
        return "\n".join(told)

    def close(self) -> None:
        """Close this end of the line; the thread ends."""
        self._requests.put(None)
        _close(self.process.stdin, self.process.stdout, self._printed)


def _temporary_file() -> IO[bytes] | None:
    """Return a file for what the worker prints; None if the system has no place for one."""
    with contextlib.suppress(OSError):
        # appending, so that emptying it between requests works for the worker's end as well
        return tempfile.TemporaryFile("a+b", buffering=0)
    return None


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


def _close(*streams: IO[bytes] | None) -> None:
    for stream in streams:
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


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
