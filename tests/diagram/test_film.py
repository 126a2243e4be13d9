"""What each step shows in the boxes and on the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as mg
from minigrad.diagram import film_of, still
from minigrad.diagram.film import Look, Reel
from minigrad.diagram.rows import name_lines, text_width
from minigrad.trace import Snapshot, Trace, describe


def rows(look):
    return [" ".join(line.split()) for line in look.lines]


@pytest.fixture
def film(running):
    return film_of(Trace.of(running.graph, running.w))


def test_the_states_of_the_running_example(film):
    states = {
        key: "".join(film.frame(step)[key].state.replace("absent", "-")[0] for step in range(5))
        for key in film.boxes
    }
    # w(aiting), a(ctive), d(one), or - for a node that is not recorded yet
    assert states == {"t0": "wwwaa", "t1": "wwwwa", "n0": "awwwa", "n1": "-aaad"}


def test_a_dash_stands_where_nothing_is_computed_yet(film):
    before = film.frame(2)
    assert rows(before["t0"]) == ["x leaf", "value 3.0", "grad —"]
    assert rows(before["n0"]) == ["#0 mul ×", "z 12.0", "grad —"]
    assert rows(film.frame(0)["n1"]) == ["#1 add +", "w —", "grad —"]


def test_a_box_shows_before_plus_contribution_equals_after(film):
    assert rows(film.frame(2)["n1"])[2] == "grad 1.0 (seed)"
    assert rows(film.frame(3)["t0"])[2] == "grad none + 1.0 = 1.0"
    assert rows(film.frame(3)["n0"])[2] == "grad none + 1.0 = 1.0"
    assert rows(film.frame(4)["t0"])[2] == "grad 1.0 + 4.0 = 5.0"
    assert rows(film.frame(4)["t1"])[2] == "grad none + 3.0 = 3.0"
    assert rows(film.frame(4)["n0"])[2] == "grad 1.0"


def test_an_edge_shows_the_local_derivative_and_the_contribution(film):
    last = film.frame(4)
    assert last["e0"].lines == ("× y = 4.0", "+4.0")
    assert last["e1"].lines == ("× x = 3.0", "+3.0")
    assert last["e2"].lines == ("× 1", "+1.0")
    assert [last[f"e{k}"].state for k in range(4)] == ["active", "active", "done", "done"]
    assert film.frame(2)["e0"].lines == ("", "")


def test_both_edges_of_a_square_are_labelled():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, x)
    film = film_of(Trace.of(graph, y))
    assert list(film.boxes) == ["t0", "n0"]
    assert [film.frame(2)[key].lines for key in film.edges] == [("× x = 3.0", "+3.0")] * 2
    assert rows(film.frame(2)["t0"])[2] == "grad none + 3.0 + 3.0 = 6.0"


def passed_back(film):
    """Return, for each step, along which edges something is passed back."""
    return [
        [key for key in film.edges if film.frame(step)[key].changed] for step in range(film.length)
    ]


def test_an_edge_shows_in_which_step_something_is_passed_back_along_it(film):
    # #0 and #1 are recorded, the seed, #1 passes back along e2 and e3, #0 along e0 and e1
    assert passed_back(film) == [[], [], [], ["e2", "e3"], ["e0", "e1"]]


def test_where_a_step_is_an_edge_something_is_passed_back_along_that_one(running):
    film = film_of(Trace.of(running.graph, running.w).by_edge())
    assert passed_back(film) == [[], [], [], ["e2"], ["e3"], ["e0"], ["e1"]]


def test_nothing_is_passed_back_to_what_is_frozen_nor_by_a_visit_that_nothing_reached():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        y = x * x
        x * 5.0  # not needed for the output
        w = y * 0.5
    film = film_of(Trace.of(graph, w, "append"))
    # #2 to #0 along e4, nothing along e5 to 0.5; #1, which nothing reaches; both edges of x * x
    assert passed_back(film)[4:] == [["e4"], [], ["e0", "e1"]]


def test_an_edge_shows_where_an_operand_is_broadcast_and_that_its_gradient_is_a_sum():
    x = mg.Tensor(np.ones((4, 3)), requires_grad=True, name="x")
    b = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True, name="b")
    graph = mg.ComputationGraph()
    with graph:
        y = x + b
        w = (y * 2.0).sum()
    film = film_of(Trace.of(graph, w))
    # e0 from x and e1 from b into #0; e3 from the constant 2.0, which nobody asks about
    assert film.frame(0)["e0"].lines == ("", "")
    assert film.frame(0)["e1"].lines == film.frame(4)["e1"].lines == ("", "(3,) → (4,3)")
    assert film.frame(1)["e3"].lines == ("", "")
    assert film.frame(6)["e1"].lines == ("× 1, summed", "+ [8.0 8.0 8.0]")
    assert film.frame(6)["e0"].lines[0] == "× 1"


def test_a_dead_node_is_dead_from_the_seed_on_and_says_so(dead_node):
    film = film_of(Trace.of(dead_node.graph, dead_node.w, "append"))
    assert film.frame(2)["n1"].state == "waiting"
    for step in (3, 4, 6):
        assert film.frame(step)["n1"].state == "dead"
        assert rows(film.frame(step)["n1"])[2] == "grad — dead"
    visit = film.frame(5)
    assert visit["n1"].state == "wasted"
    assert visit["e2"].lines == ("× 1", "+0.0")
    assert rows(visit["t0"])[2] == "grad 1.0 + 0.0 = 1.0"


def test_a_frozen_leaf_has_no_gradient_row_and_its_edge_says_so():
    x, k = mg.Tensor(3.0, requires_grad=True, name="x"), mg.Tensor(4.0, name="k")
    graph = mg.ComputationGraph()
    y = mg.mul(graph, x, k)
    last = film_of(Trace.of(graph, y)).frame(2)
    assert rows(last["t1"]) == ["k frozen", "value 4.0"]
    assert last["e1"].lines == ("frozen:", "no gradient")


def test_a_nameless_constant_is_called_by_its_value():
    graph = mg.ComputationGraph()
    mg.mul(graph, mg.Tensor(3.0, requires_grad=True), 2)
    assert rows(still(Snapshot.of(graph)).frame(0)["t1"]) == ["2.0 frozen"]


def test_a_long_array_shows_its_shape_and_a_short_one_its_numbers():
    x = mg.Tensor(np.ones((4, 3)), requires_grad=True, name="x")
    b = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True, name="b")
    graph = mg.ComputationGraph()
    y = mg.add(graph, x, b)
    last = film_of(Trace.of(graph, y, seed=np.ones((4, 3)))).frame(2)
    assert rows(last["t0"])[1] == "value 4×3: all 1.0"
    assert rows(last["t1"]) == ["b leaf", "value [1.0 2.0 3.0]", "grad [4.0 4.0 4.0]"]
    assert last["e1"].lines == ("× 1, summed", "+ [4.0 4.0 4.0]")


def test_every_look_of_a_box_has_the_same_number_of_rows(dead_node):
    film = film_of(Trace.of(dead_node.graph, dead_node.w, "append"))
    for reel in film.reels:
        assert len({len(look.lines) for look in reel.values}) == 1


def test_no_frame_is_wider_than_the_widest_rows(dead_node):
    film = film_of(Trace.of(dead_node.graph, dead_node.w, "append"))
    for step in range(film.length):
        for key, look in film.frame(step).items():
            widest = next(r for r in film.reels if r.key == key).widest()
            for line, limit in zip(look.lines, widest, strict=True):
                assert text_width(line) <= text_width(limit)


def test_a_still_before_backward_waits_and_after_it_is_done_or_dead(dead_node):
    before = still(Snapshot.of(dead_node.graph)).frame(0)
    assert {before[key].state for key in ("n0", "n1", "n2", "t0")} == {"waiting"}
    mg.backward(dead_node.graph, dead_node.w)
    after = still(Snapshot.of(dead_node.graph)).frame(0)
    assert [after[key].state for key in ("n0", "n1", "n2")] == ["done", "dead", "done"]
    assert rows(after["t0"])[2] == "grad 5.0"
    assert rows(after["n1"])[2] == "grad — dead"


def test_a_still_tells_what_a_leaf_held_before_the_last_backward(running):
    running.w.backward()
    running.w.backward()
    leaf = still(Snapshot.of(running.graph)).frame(0)["t0"]
    assert rows(leaf)[2] == "grad 10.0 (5.0 before)"
    assert "The gradient of x is 10.0: the last backward pass added to the 5.0" in describe(
        Snapshot.of(running.graph)
    )
    running.x.zero_grad()
    assert rows(still(Snapshot.of(running.graph)).frame(0)["t0"])[2] == "grad —"


def test_a_gradient_that_was_reached_with_zero_is_zero_and_no_dash():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        w = x * 0
    w.backward()
    assert rows(still(Snapshot.of(graph)).frame(0)["t0"])[2] == "grad 0.0"


def test_a_name_keeps_its_line_breaks_and_is_cut_where_it_is_too_long():
    assert name_lines("a\nb") == ["a", "b"]
    assert name_lines("q" * 10_000) == ["q" * 9 + "…" + "q" * 6]
    assert name_lines("a\tb") == ["a    b"]
    assert name_lines("1\n2\n3\n4") == ["1", "2", "…"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1))
def test_a_reel_gives_back_what_was_shown_last_before_a_step(changes):
    changes = sorted(changes, key=lambda change: change[0])
    reel = Reel("k", "node")
    reel.change(0, Look("waiting", ()))
    expected = {}
    for step, number in changes:
        reel.change(step, Look("active", (str(number),)))
        expected[step] = Look("active", (str(number),))
    for step in range(7):
        earlier = [k for k in expected if k <= step]
        look = expected[max(earlier)] if earlier else Look("waiting", ())
        assert reel.look(step) == look
