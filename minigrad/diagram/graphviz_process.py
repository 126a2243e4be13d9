"""The one place that talks to the Graphviz worker."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

from minigrad.diagram.fonts import fontconfig_text
from minigrad.errors import DrawingError

WORKER = Path(__file__).with_name("worker.py")


class GraphvizProcess:
    """A Graphviz worker that is started when needed and replaced when it dies.

    Parameters
    ----------
    time_limit : float, default 20
        Seconds that one request may take, starting included; then the worker is killed.
    """

    def __init__(self, time_limit: float = 20.0) -> None:
        self.time_limit = time_limit
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._printed: IO[bytes] | None = None
        self._fontconfig = ""

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
        request = json.dumps({"dot": dot, "engine": engine, "formats": formats}).encode() + b"\n"
        with self._lock:
            process = self._running()
            timed_out = threading.Event()

            def give_up() -> None:
                timed_out.set()
                process.kill()

            timer = threading.Timer(self.time_limit, give_up)
            timer.start()
            try:
                return self._exchange(process, request)
            except (OSError, EOFError, json.JSONDecodeError):
                printed = self._what_it_printed()
                self._stop()
                if timed_out.is_set():
                    raise DrawingError(
                        f"Graphviz took longer than {self.time_limit:g} s for this picture and "
                        f"was stopped; draw a smaller graph. The next drawing starts afresh."
                    ) from None
                raise DrawingError(
                    f"Graphviz stopped unexpectedly while drawing{printed}. The next drawing "
                    f"starts it anew; if this picture fails again, please report it."
                ) from None
            finally:
                timer.cancel()

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes) -> list[bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        if self._printed is not None:
            self._printed.truncate(0)
        process.stdin.write(request)
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise EOFError
        header = json.loads(line)
        if "error" in header:
            raise DrawingError(
                f"Graphviz could not draw this graph: {header['error']}{self._what_it_printed()}"
            )
        results = [process.stdout.read(size) for size in header["sizes"]]
        if [len(result) for result in results] != header["sizes"]:
            raise EOFError
        return results

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner == os.getpid():
            if self._process.poll() is None:
                return self._process
            self._stop()
        self._owner = os.getpid()
        # appending, so that emptying it between requests works for the worker's end as well
        self._printed = tempfile.TemporaryFile("a+b")  # noqa: SIM115 - open as long as the worker
        if not self._fontconfig:
            handle, self._fontconfig = tempfile.mkstemp(prefix="minigrad-fonts-", suffix=".conf")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(fontconfig_text())
        environment = os.environ | {
            "FONTCONFIG_FILE": self._fontconfig,
            "PANGOCAIRO_BACKEND": "fc",
            "PYTHONIOENCODING": "utf-8",
        }
        # -P: modules in the user's folder or beside the worker must not shadow the library's
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
            env=environment,
        )
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
        if process is None:
            return
        if self._owner == os.getpid():
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout, self._printed):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def close(self) -> None:
        """End the worker and remove what it needed; a later `render` starts a new one."""
        with self._lock:
            self._stop()
            if self._fontconfig:
                with contextlib.suppress(OSError):
                    os.unlink(self._fontconfig)
                self._fontconfig = ""


graphviz_process = GraphvizProcess()
"""The worker that all drawings of this Python process share."""
atexit.register(graphviz_process.close)
