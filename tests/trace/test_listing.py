"""Which piece of the learner's own code recorded a node."""

import copy
import linecache
import pickle

import pytest

import minigrad as mg
from minigrad.trace import Trace


@pytest.fixture
def run():
    """Run code as a cell of a notebook, with a graph that keeps its source."""
    names = []

    def run_(text, **variables):
        name = f"<cell {len(names)}>"
        names.append(name)
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), variables)

    yield run_
    for name in names:
        del linecache.cache[name]


@pytest.fixture
def graph():
    made = mg.ComputationGraph()
    made.keeps_source = True
    return made


def marked(listing, key):
    """Return the text of a mark, line by line."""
    mark = listing.marks[key]
    lines = listing.lines[mark.first : mark.last + 1]
    if len(lines) == 1:
        return [lines[0][mark.start : mark.end]]
    return [lines[0][mark.start :], *lines[1:-1], lines[-1][: mark.end]]


def leaf():
    return mg.Tensor(3.0, requires_grad=True, name="x")


def test_each_node_knows_the_expression_that_recorded_it(run, graph):
    run("with graph:\n    é = x * x; w = é + mg.sin(graph, x)\n", graph=graph, x=leaf(), mg=mg)
    listing = Trace.of(graph).listing
    assert listing.lines == ["é = x * x; w = é + mg.sin(graph, x)"]
    assert [marked(listing, f"n{k}") for k in range(3)] == [
        ["x * x"],
        ["mg.sin(graph, x)"],
        ["é + mg.sin(graph, x)"],
    ]


def test_an_expression_over_several_lines(run, graph):
    run(
        "with graph:\n    w = mg.add(\n        graph,\n        x, 1)\n",
        graph=graph,
        x=leaf(),
        mg=mg,
    )
    listing = Trace.of(graph).listing
    assert listing.lines == ["w = mg.add(", "    graph,", "    x, 1)"]
    assert marked(listing, "n0") == ["mg.add(", "    graph,", "    x, 1)"]


def test_lines_far_apart_and_other_cells_are_set_off(run, graph):
    x = leaf()
    run("with graph:\n    a = x + 1\n" + "\n" * 9 + "    b = a + 1\n", graph=graph, x=x)
    run("c = mg.neg(graph, x)\n", graph=graph, x=x, mg=mg)
    assert Trace.of(graph).listing.lines == [
        "a = x + 1",
        None,
        "b = a + 1",
        None,
        "c = mg.neg(graph, x)",
    ]


def test_methods_indexing_and_record_are_found_too(run, graph):
    text = (
        "with graph:\n    a = x.sum()\n    b = x[0]\n"
        "graph.record('neg', [x], mg.Tensor(-x.data))\nd = graph.apply('neg', x)\n"
    )
    x = mg.Tensor([1.0, 2.0], requires_grad=True)
    run(text, graph=graph, x=x, mg=mg)
    listing = Trace.of(graph, graph.nodes[0].output).listing
    assert [marked(listing, f"n{k}") for k in range(4)] == [
        ["x.sum()"],
        ["x[0]"],
        ["graph.record('neg', [x], mg.Tensor(-x.data))"],
        ["graph.apply('neg', x)"],
    ]


def test_without_source_there_is_no_listing(run):
    graph = mg.ComputationGraph()
    graph.keeps_source = False
    run("mg.neg(graph, x)", graph=graph, x=leaf(), mg=mg)
    assert Trace.of(graph).listing.lines == []
    graph.keeps_source = True
    exec("mg.neg(graph, x)", {"graph": graph, "x": leaf(), "mg": mg})  # a file that is not there
    assert graph.nodes[1].source.filename == "<string>"
    assert Trace.of(graph).listing.lines == []


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_a_copy_knows_it_too(run, graph, duplicate):
    run("w = mg.neg(graph, x)\n", graph=graph, x=leaf(), mg=mg)
    listing = Trace.of(duplicate(graph)).listing
    assert marked(listing, "n0") == ["mg.neg(graph, x)"]


def test_a_long_listing_is_cut(run, graph):
    run("with graph:\n" + "    x = x + 1\n" * 300, graph=graph, x=leaf())
    listing = Trace.of(graph).listing
    assert len(listing.lines) == 120
    assert "n0" in listing.marks
    assert "n299" not in listing.marks
