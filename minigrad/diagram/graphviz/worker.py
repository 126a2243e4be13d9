"""The Graphviz worker: a program of its own, so that a crash in Graphviz ends only itself.

It reads one request a line from stdin, as JSON::

    {"dot": "digraph {…}", "engine": "dot" or "nop2", "formats": ["json", …], "seconds": 21}

and answers on stdout with one line of JSON and then the raw bytes of each format::

    {"sizes": [1234, 5678]}        or        {"error": "what went wrong"}

It ends when stdin does, and, where there are alarms, in the middle of a request that takes longer
than its seconds: whoever asked may be gone. What Graphviz and fontconfig print goes to stderr,
which the parent captures. It is started by its path and imports nothing of minigrad, so that it is
ready sooner than numpy would be.
"""

import json
import os
import signal
import sys
import traceback

import pygraphviz as pgv
from pygraphviz import graphviz as gv


class GraphvizError(Exception):
    """Graphviz said no."""


def set_alarm(seconds: int) -> None:
    """End this process after so many seconds, whatever it does then; 0 takes that back."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)


def render(dot: str, engine: str, formats: list[str]) -> list[bytes]:
    """Lay a graph out once and render it in each of the formats."""
    try:
        graph = pgv.AGraph(string=dot)
    except Exception as error:
        raise GraphvizError("its text cannot be read") from error
    context = gv.gvContextWithBuiltins()
    try:
        if gv.gvLayout(context, graph.handle, engine.encode()):
            raise GraphvizError(f"layout by {engine} failed")
        results = []
        for name in formats:
            reply = gv.gvRenderData(context, graph.handle, name.encode())
            if not isinstance(reply, list | tuple) or reply[0]:
                raise GraphvizError(f"rendering {name} failed")
            data = reply[1]
            results.append(data if isinstance(data, bytes) else data.encode())
        gv.gvFreeLayout(context, graph.handle)
        return results
    finally:
        gv.gvFreeContext(context)
        graph.close()


def main() -> None:
    """Answer requests until stdin ends."""
    # Graphviz may print to file descriptor 1; answers get a private copy of it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        try:
            asked = json.loads(line)
            set_alarm(asked.pop("seconds"))
            results = render(**asked)
            header: dict[str, object] = {"sizes": [len(data) for data in results]}
        except Exception as error:  # the parent tells the user; this process goes on
            traceback.print_exc()
            told = str(error) if isinstance(error, GraphvizError) else type(error).__name__
            results, header = [], {"error": told}
        set_alarm(0)
        answers.write(json.dumps(header).encode() + b"\n")
        for data in results:
            answers.write(data)
        answers.flush()


if __name__ == "__main__":
    main()
