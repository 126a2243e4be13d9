"""Several Graphviz workers at once: in order, each thread with its own, none left behind."""

import pytest

from minigrad.diagram.graphviz import workers
from minigrad.diagram.graphviz.process import GraphvizProcess
from minigrad.engine.errors import DrawingError


@pytest.fixture
def made(monkeypatch):
    """The workers that are started while a test runs."""
    found = []

    class Counted(GraphvizProcess):
        def __init__(self):
            super().__init__()
            found.append(self)

    monkeypatch.setattr(workers, "GraphvizProcess", Counted)
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    return found


def draw(name):
    (svg,) = workers.own_worker().render(f"digraph {{ {name} }}", "dot", ["svg"])
    return svg


def test_many_pictures_come_in_order_from_two_workers_which_end(made):
    names = [f"n{number}" for number in range(24)]
    drawn = list(workers.each(draw, names))
    for name, svg in zip(names, drawn, strict=True):
        assert f"<title>{name}</title>".encode() in svg
    assert 1 <= len(made) <= 2
    assert all(worker.pid is None for worker in made)


def test_few_pictures_need_no_more_workers(made):
    assert len(list(workers.each(draw, ["a", "b"]))) == 2
    assert made == []


def test_an_error_in_one_of_them_arrives_and_ends_the_workers(made):
    with pytest.raises(DrawingError):
        list(workers.each(draw, [*["a"] * 20, "-> nothing {"]))
    assert made
    assert all(worker.pid is None for worker in made)
