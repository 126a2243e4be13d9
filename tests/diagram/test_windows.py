"""Windows of a large graph: each shows what a picture of the whole would show there."""

from contextlib import contextmanager

from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as mg
from minigrad.diagram import film_of, windows_of
from minigrad.diagram import windows as windows_module
from minigrad.diagram.windows import scenes_in, windows_in_time
from minigrad.trace import Trace, describe


@contextmanager
def windows_of_three():
    """Cut every graph of more than three nodes."""
    sizes = windows_module.LARGEST_WHOLE, windows_module.WINDOW
    windows_module.LARGEST_WHOLE = windows_module.WINDOW = 3
    try:
        yield
    finally:
        windows_module.LARGEST_WHOLE, windows_module.WINDOW = sizes


@st.composite
def traces(draw):
    """Draw a random graph and one of its passes: in a right order, in a wrong one, by edges."""
    tensors = [mg.Tensor(float(k + 1), requires_grad=k < 2) for k in range(3)]
    graph = mg.ComputationGraph()
    for _ in range(draw(st.integers(4, 12))):
        op = draw(st.sampled_from([mg.add, mg.mul, mg.sub]))
        left, right = (draw(st.integers(0, len(tensors) - 1)) for _ in range(2))
        tensors.append(op(graph, tensors[left], tensors[right]))
    count = len(graph.nodes)
    if not count:
        return Trace.of(graph, tensors[0])
    output = graph.nodes[draw(st.integers(0, count - 1))].output
    own = draw(st.lists(st.integers(0, count - 1), max_size=2 * count))
    trace = Trace.of(graph, output, draw(st.sampled_from(["ancestors", "append", own])))
    return trace.by_edge() if draw(st.booleans()) else trace


def plain(look):
    return look.state, look.changed, [" ".join(line.split()) for line in look.lines]


@settings(max_examples=60, deadline=None)
@given(traces())
def test_a_window_shows_at_each_of_its_steps_what_the_whole_film_shows(trace):
    whole = film_of(trace)
    with windows_of_three():
        windows = windows_of(trace.snapshot.count)
        shown = windows_in_time(trace, windows)
    steps = []
    for number, window in enumerate(windows):
        scenes = scenes_in(shown, number, len(trace.steps))
        film = film_of(trace, trace.snapshot.part(window), scenes)
        inside = [key for key in [*film.boxes, *film.edges] if "o" not in key]
        for step in (step for scene in scenes for step in scene):
            steps.append(step)
            expected, found = whole.frame(step), film.frame(step)
            assert {key: plain(found[key]) for key in inside} == {
                key: plain(expected[key]) for key in inside
            }
    assert sorted(steps) == list(range(len(trace.steps)))


def test_a_graph_of_up_to_200_nodes_is_a_single_window():
    assert windows_of(200) == [range(200)]
    assert [len(window) for window in windows_of(201)] == [34] * 5 + [31]


def test_a_part_has_all_operands_and_a_sign_where_its_outputs_go_on():
    x, graph = mg.Tensor(2.0, requires_grad=True), mg.ComputationGraph()
    with graph:
        a = x * x  # 0
        b = a + x  # 1
        c = b * a  # 2
        d = c + b  # 3
        d * b  # 4
    part = Trace.of(graph).snapshot.part(range(1, 3))
    assert list(part.vertices) == ["n0", "t0", "n1", "n2", "o1", "o2"]
    assert part.vertices["o1"].name == "to #3 … #4, 2 nodes"
    assert part.vertices["o2"].name == "to #3 add"
    assert [(edge.source, edge.target) for edge in part.edges] == [
        *[("n0", "n1"), ("t0", "n1"), ("n1", "n2"), ("n0", "n2")],
        *[("n1", "o1"), ("n2", "o2")],
    ]
    assert describe(part).startswith(
        "Computation graph of 5 nodes, of which #1 to #2 are shown: #1 add, #1 = #0 + t0 = 6.0; #2"
    )
