"""Widgets that are closed let go of what they show, and say so when they are asked for it."""

import gc
import os
import subprocess
import sys
import weakref

import pytest

import minigrad as mg
from minigrad.engine.errors import DrawingError

MAKE = {
    "step": lambda r: mg.step(r.graph, r.w),
    "compare": lambda r: mg.compare(mg.step(r.graph, r.w), mg.step(r.graph, r.w, order="append")),
    "nudge": lambda r: mg.nudge(r.graph, r.w),
    "watch": lambda r: mg.watch(r.graph),
}
INSIDE = {"step": "_variants", "compare": "_both", "nudge": "_nudged", "watch": "_layout"}
ASKED = {
    "step": [
        lambda one: one.steps,
        lambda one: one.trace,
        lambda one: one.frame(0),
        lambda one: one.export("never.svg"),
        lambda one: one.fold(),
        lambda one: one.order,
        lambda one: setattr(one, "order", "append"),
        lambda one: setattr(one, "index", 1),
        lambda one: mg.compare(one, one),
    ],
    "compare": [
        lambda one: one.steps,
        lambda one: one.frames(0),
        lambda one: one.differences,
        lambda one: setattr(one, "index", 1),
    ],
    "nudge": [lambda one: one.values, lambda one: one.frame(), lambda one: one.move(x=1.0)],
    "watch": [lambda one: one.refresh()],
}


@pytest.mark.parametrize("kind", MAKE)
def test_what_is_closed_holds_nothing(running, kind):
    widget = MAKE[kind](running)
    told = []
    widget.observe(told.append, "payload")
    inside = weakref.ref(getattr(widget, INSIDE[kind]))
    widget.close()
    gc.collect()
    assert inside() is None
    assert widget.payload == {}
    assert told == []
    widget.close()


@pytest.mark.parametrize(("kind", "ask"), [(kind, ask) for kind in ASKED for ask in ASKED[kind]])
def test_what_is_closed_says_so_and_how_to_make_it_again(running, kind, ask):
    widget = MAKE[kind](running)
    widget.close()
    with pytest.raises(DrawingError, match=rf"is closed, .* make it again: mg\.{kind}\("):
        ask(widget)
    with pytest.raises(DrawingError, match="is closed"):
        widget.open()


@pytest.mark.parametrize("kind", MAKE)
def test_what_is_closed_is_shown_as_closed(running, kind):
    widget = MAKE[kind](running)
    name = type(widget).__name__
    widget.close()
    assert repr(widget) == f"{name}(closed)"
    assert widget._repr_mimebundle_() == {"text/plain": f"{name}(closed)"}


def test_a_closed_picture_is_drawn_no_more_when_its_graph_goes_on(running):
    live = mg.watch(running.graph)
    live.close()
    mg.neg(running.graph, running.w)
    assert running.graph._subscribers == []
    assert live.payload == {}


RERUNS = """
import gc, sys, tracemalloc
from types import SimpleNamespace
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
sys.displayhook = shell.displayhook
run = 0
def parent(channel):
    return {"metadata": CELL, "content": {"code": code}, "header": {"msg_id": str(run)}}
shell.kernel = SimpleNamespace(get_parent=parent)
shell.user_ns["__name__"] = "__main__"
shell.run_cell('''
import minigrad as mg
g = mg.ComputationGraph(); x = mg.Tensor(1.0, True, name="x")
with g:
    w = x
    for k in range(10):
        w = w * 0.9 + x
''')
code = sys.argv[1]
def again(times):
    global run
    for _ in range(times):
        run += 1
        shell.run_cell(code, store_history=True).raise_error()
    gc.collect()
again(4)
tracemalloc.start()
again(2)
before = tracemalloc.get_traced_memory()[0]
again(5)
after = tracemalloc.get_traced_memory()[0]
open(sys.argv[2], "w").write(str(after - before))
"""


@pytest.mark.parametrize("cell", [{"cellId": "a"}, {}], ids=["named", "unnamed"])
@pytest.mark.parametrize(
    "code",
    [
        "mg.step(g, w)",
        "mg.compare(mg.step(g, w), mg.step(g, w, order='append'))",
        "mg.nudge(g, w)",
        "mg.watch(g)",
    ],
)
def test_a_cell_that_is_run_again_takes_no_more_memory(code, cell, tmp_path):
    """The notebook's memory of its outputs holds each of the widgets; each would be a megabyte."""
    script = RERUNS.replace("CELL", repr(cell))
    answer = tmp_path / "grown"
    # in a process of its own: there is one shell in each
    subprocess.run(
        [sys.executable, "-c", script, code, str(answer)],
        check=True,
        capture_output=True,
        timeout=120,
        env=os.environ | {"IPYTHONDIR": str(tmp_path)},
    )
    grown = int(answer.read_text())
    assert grown < 700_000
