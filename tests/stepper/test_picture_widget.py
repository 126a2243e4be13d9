"""Widgets that are closed let go of what they show, and say so when they are asked for it."""

import gc
import json
import os
import subprocess
import sys
import weakref

import ipywidgets
import pytest

import minigrad as mg
from minigrad.engine.errors import DrawingError
from minigrad.stepper.widget_lifetime import _held_by

MAKE = {
    "step": lambda r: mg.step(r.graph, r.w),
    "compare": lambda r: mg.compare(mg.step(r.graph, r.w), mg.step(r.graph, r.w, order="append")),
    "nudge": lambda r: mg.nudge(r.graph, r.w),
    "watch": lambda r: mg.watch(r.graph),
}
INSIDE = {"step": "_variants", "compare": "_both", "nudge": "_nudged", "watch": "_drawing"}
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
import gc, json, sys, tracemalloc
from types import SimpleNamespace
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
sys.displayhook = shell.displayhook
shell.kernel = SimpleNamespace(get_parent=lambda channel: parent)
for line in [
    "import minigrad as mg",
    "g, x = mg.ComputationGraph(), mg.Tensor(0.5, True, name='x')",
    "w = mg.mul(g, mg.tanh(g, mg.mul(g, x, x)), x)",
]:
    shell.run_cell(line)
def again(times):
    global parent
    for _ in range(times):
        header = {"msg_id": str(shell.execution_count)}
        parent = {"metadata": cell, "content": {"code": code}, "header": header}
        shell.run_cell(code, store_history=True).raise_error()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
grown = []
for number, code in enumerate(sys.argv[2:]):
    for cell in [{"cellId": code}] if number else [{"cellId": code}, {}]:
        again(2)
        tracemalloc.start()
        before = again(2)
        grown.append([code, bool(cell), (again(3) - before) / 3])
        tracemalloc.stop()
open(sys.argv[1], "w").write(json.dumps(grown))
"""


def test_a_cell_that_is_run_again_takes_no_more_memory(tmp_path):
    """A notebook's memory of its outputs holds each of the widgets, here of 60 to 200 kB each."""
    codes = [
        "mg.step(g, w)",
        "mg.compare(mg.step(g, w), mg.step(g, w, order='append'))",
        "mg.nudge(g, w)",
        "mg.watch(g)",
    ]
    answer = tmp_path / "grown"
    # in a process of its own: there is one shell in each
    subprocess.run(
        [sys.executable, "-c", RERUNS, str(answer), *codes],
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=120,
        env=os.environ | {"IPYTHONDIR": str(tmp_path)},
    )
    grown = json.loads(answer.read_text())
    assert len(grown) == len(codes) + 1
    for code, has_id, bytes_a_run in grown:
        assert bytes_a_run < 40_000, (code, has_id)


def test_a_widget_in_a_box_or_in_an_object_of_the_notebook_is_held(running):
    stepper, other = mg.step(running.graph), mg.step(running.graph)
    mine = type("Mine", (), {"__module__": "__main__"})()
    mine.stepper = other
    held = _held_by({"box": ipywidgets.VBox([ipywidgets.HBox([stepper])]), "mine": mine})
    assert {id(stepper), id(other)} <= held
    assert id(stepper) not in _held_by({"_": stepper, "Out": {1: stepper}})
