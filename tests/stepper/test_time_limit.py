"""What is shown where Graphviz takes longer than it may: a sentence that says why."""

import re

import pytest

import minigrad as mg
from minigrad.diagram.graphviz.process import graphviz_process
from minigrad.engine.errors import DrawingError

SENTENCE = r"Graphviz took longer than 0\.001 s for this picture and was stopped; draw a smaller"


@pytest.fixture
def no_time(monkeypatch):
    """Return a function that leaves Graphviz too little time, even to start."""

    def leave_none():
        graphviz_process.close()
        monkeypatch.setattr(graphviz_process, "time_limit", 0.001)

    yield leave_none
    monkeypatch.undo()
    (svg,) = graphviz_process.render("digraph { afterwards }", "dot", ["svg"])
    assert b"afterwards" in svg


def test_a_window_of_the_stepper_says_it_in_the_page(no_time):
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    with graph:
        for _ in range(210):
            x = -x
    stepper, sent = mg.step(graph, fold=False), []
    stepper.send = lambda content, buffers=None: sent.append(content)
    no_time()
    stepper._answer(None, {"view": 3}, [])
    (content,) = sent
    assert content["view"] == 3
    assert re.match(SENTENCE, content["failed"])
    stepper.close()


def test_a_step_and_a_drawing_raise_it(no_time, running):
    no_time()
    with pytest.raises(DrawingError, match=SENTENCE):
        mg.step(running.graph, running.w)
    with pytest.raises(DrawingError, match=SENTENCE):
        mg.draw(running.graph)._repr_mimebundle_()
    with pytest.raises(DrawingError, match=SENTENCE):
        running.graph._repr_mimebundle_()


def test_a_live_graph_says_it_and_the_loop_goes_on(no_time):
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    live = mg.watch(graph)
    no_time()
    y = mg.neg(graph, x)
    live.refresh()
    assert re.match(f"The picture failed: {SENTENCE}", live.payload["message"])
    assert live.payload["pictures"] == {}
    assert mg.neg(graph, y).item() == 1.0
    live.close()
