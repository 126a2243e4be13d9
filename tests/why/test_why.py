"""`mg.why`: what it says, and what it draws."""

import re

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import BackwardError, DrawingError
from minigrad.why.words import write_count


def doublings(count):
    y = a = mg.Tensor(1.0, requires_grad=True, name="a", dtype="float64")
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(count):
            y = y + y
    return graph, y, a


def test_the_running_example_in_words(running):
    title, first, second, remark = repr(mg.why(running.graph, running.w, running.x)).split("\n")
    assert title == "∂w/∂x = 5.0: the sum over 2 paths from x to w"
    assert first == "  x → #0 → #1: y · 1 = 4.0 · 1 = 4.0"
    assert second == "  x → #1: 1 = 1.0"
    assert "takes 3 products" in remark
    assert "takes 4 products" in remark


def test_a_square_tells_its_operands_apart():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    told = repr(mg.why(graph, mg.mul(graph, x, x), x))
    assert "  x →¹ #0: x = 3.0\n  x →² #0: x = 3.0\n" in told
    assert "which operand it is" in told


def test_a_symbol_of_several_factors_and_a_negative_number_have_parentheses():
    x, y = (mg.Tensor(v, requires_grad=True, name=n) for v, n in ((6.0, "x"), (2.0, "y")))
    graph = mg.ComputationGraph()
    with graph:
        w = x / y * y
    told = repr(mg.why(graph, w, y))
    assert "  y → #0 → #1: (-x/y²) · y = (-1.5) · 2.0 = -3.0\n" in told
    assert "  y → #1: #0 = 3.0\n" in told


def test_very_many_paths_are_counted_and_what_is_not_listed_is_stated():
    why = mg.why(*doublings(40), most=2)
    assert (why.count, len(why.paths), why.rest) == (2**40, 2, 2.0**40 - 2)
    told = repr(why)
    assert "the sum over 1,099,511,627,776 paths from a to #39" in told
    assert "and 1,099,511,627,774 more paths, together 1.09951e+12" in told
    assert "43,980,465,111,040 products" in told
    assert "80 products" in told


def test_a_count_that_nobody_could_write_down():
    with np.errstate(over="ignore"):
        why = mg.why(*doublings(20_000), most=1)
    assert why.count == 2**20_000
    assert "about 3.98·10^6020 paths" in repr(why)
    assert write_count(1234567) == "1,234,567"


def test_a_long_path_is_told_by_its_ends():
    told = repr(mg.why(*doublings(40), most=1)).split("\n")[1]
    assert told.strip().startswith("a →¹ #0 →¹ #1 … 35 more … →¹ #37 →¹ #38 →¹ #39: 1 · 1 · 1 · …")


def test_no_path(dead_node):
    told = repr(mg.why(dead_node.graph, dead_node.w, dead_node.graph.nodes[1].output))
    assert told == "∂w/∂q = 0.0: no path leads from q to w, which does not depend on it"


def test_one_path_needs_no_comparison(running):
    told = repr(mg.why(running.graph, running.w, running.y))
    assert (
        told == "∂w/∂y = 3.0: there is one path from y to w\n  y → #0 → #1: x · 1 = 3.0 · 1 = 3.0"
    )


def test_local_derivatives_that_are_no_numbers_are_said_to_be_missing():
    a = mg.Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True, name="A")
    b = mg.Tensor(np.ones((3, 2)), requires_grad=True, name="B")
    graph = mg.ComputationGraph()
    with graph:
        w = (a @ b).sum() + a.sum()
    told = repr(mg.why(graph, w, a))
    assert "A → #0 → #1 → #3: Bᵀ · 1 · 1 = 2×3: all 2.0" in told
    assert "Where numbers are missing" in told
    few = repr(mg.why(graph, w, a, most=1))
    assert "and 1 more path, together 2×3: all" in few
    assert "not always the heaviest" in few


def test_the_caller_is_asked_for_names():
    x = mg.Tensor(3.0, requires_grad=True)
    graph = mg.ComputationGraph()
    product = mg.mul(graph, x, x)
    assert repr(mg.why(graph, product, x)).startswith("∂product/∂x = 6.0")


class TestPictures:
    def test_each_lights_its_own_path(self, running):
        why = mg.why(running.graph, running.w, running.x)
        states = [{key: look.state for key, look in why.draw(k).looks.items()} for k in (0, 1)]
        lit = [[key for key, state in one.items() if state == "active"] for one in states]
        assert lit == [["t0", "n0", "n1", "e0", "e2"], ["t0", "n1", "e3"]]
        assert why.draw(0).looks["e0"].lines == ("× y = 4.0", "+4.0")

    def test_nothing_moves_from_one_to_the_next(self, running):
        why = mg.why(running.graph, running.w, running.x)
        assert why.draw(0).layout is why.draw(-1).layout

    def test_they_can_be_saved(self, running, tmp_path):
        drawing = mg.why(running.graph, running.w, running.x).draw(1, theme="dark")
        assert drawing.save(tmp_path / "path.svg").stat().st_size > 1000
        assert drawing.description == "Path 2 of 2: x → #1: 1 = 1.0"

    def test_there_are_only_so_many(self, running):
        with pytest.raises(IndexError, match="no path 2; there are paths 0 to 1"):
            mg.why(running.graph, running.w, running.x).draw(2)

    def test_of_a_large_graph_a_part_can_be_drawn(self):
        why = mg.why(*doublings(300), most=1)
        with pytest.raises(DrawingError, match="300 nodes"):
            why.draw()
        looks = why.draw(nodes=range(10, 15)).looks
        assert looks["n12"].state == "active"
        assert looks["eo14"].state == "waiting"


class TestHtml:
    def test_it_has_a_picture_for_each_path_and_the_words(self, running):
        html = mg.why(running.graph, running.w, running.x)._repr_mimebundle_()["text/html"]
        assert html.count("<img") == html.count("<figure") == 2
        assert "<strong>∂w/∂x = 5.0: the sum over 2 paths from x to w</strong>" in html
        assert ">x → #0 → #1: y · 1 = 4.0 · 1 = 4.0</code>" in html

    def test_it_draws_a_few_and_lists_the_others(self):
        html = mg.why(*doublings(3), most=6)._repr_mimebundle_()["text/html"]
        assert (html.count("<img"), len(re.findall("<code[^>]*>a →", html))) == (4, 6)
        assert "and 2 more paths, together 2.0" in html

    def test_of_a_large_graph_there_are_words_only(self):
        html = mg.why(*doublings(201), most=1)._repr_mimebundle_()["text/html"]
        assert "<img" not in html
        assert ">a →¹ #0" in html

    def test_a_name_is_text_and_nothing_else(self, named):
        graph = named("<img src=x onerror=alert(1)>")
        node = graph.nodes[0]
        html = mg.why(graph, node.output, node.inputs[0])._repr_mimebundle_()["text/html"]
        assert "<img src=x" not in html


@pytest.mark.parametrize("most", [0, -1, 2.5, True, "all"])
def test_a_wrong_count_is_refused(running, most):
    with pytest.raises(BackwardError, match="most must be a whole number from 1"):
        mg.why(running.graph, running.w, running.x, most=most)


def test_constants_stand_inside_the_boxes_that_use_them():
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        w = 3 - x * 0.5
    drawing = mg.why(graph, w, x).draw()
    assert [look.state for look in drawing.looks.values()] == ["active"] * 5
    assert list(drawing.looks) == ["t0", "n0", "n1", "e0", "e3"]
    assert drawing.looks["n1"].rows[0].split() == ["#1", "sub", "3.0", "-"]
