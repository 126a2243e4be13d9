"""The comparison of two traces, without a browser: what it sends, refuses and shows."""

import base64
import io
import json

import numpy as np
import pytest
import traitlets
from lxml import etree
from PIL import Image

import minigrad as mg
from minigrad.engine.errors import DrawingError, MinigradError
from minigrad.stepper.assets import COMPARE


class Doubled(mg.Differentiable):
    """2x, in one node; what it passes on may be wrong."""

    def __init__(self, factor):
        self.factor = factor

    def forward(self, inputs):
        return inputs[0].values * 2

    def backward(self, grad_output, inputs, output):
        return [grad_output * self.factor]


@pytest.fixture
def orders(running):
    first = mg.step(running.graph, running.w)
    return mg.compare(first, mg.step(running.graph, running.w, order=[0, 1]))


def at_end(comparison):
    """Return, of each row, the last of what is sent for it."""
    return {
        row["name"]: (
            [reel and reel[-1][1] for reel in row["values"]],
            [reel and reel[-1][1] for reel in row["gradients"]],
            row["marks"][-1][1],
        )
        for row in comparison.payload["rows"]
    }


def test_what_is_sent_is_complete_and_can_be_written_as_json(orders):
    payload = json.loads(json.dumps(orders.payload, allow_nan=False))
    assert payload["mode"] == "compare"
    assert payload["titles"] == ["order: ancestors of w", "order: as given: [0, 1]"]
    assert payload["moments"] == [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]]
    assert [list(view["variants"]) for view in payload["views"]] == [
        ["ancestors/node"],
        ["own/node"],
    ]
    assert payload["told"][4] == [
        "≠ 2 tensors differ.",
        [
            ["x.grad: 5.0 ", 0, ", 1.0 ", 1],
            ["y.grad: 3.0 ", 0, ", none ", 1],
            ["#0 mul is visited ", 0, ", #1 add ", 1],
            ["node #0 was visited before its consumer #1 ", 1],
        ],
    ]
    x = payload["rows"][0]
    assert x["gradients"] == [[[0, "—"], [3, "1.0"], [4, "5.0"]], [[0, "—"], [4, "1.0"]]]
    assert x["marks"] == [[0, ""], [3, "≠ grad"]]
    assert len(json.dumps(payload)) < 60_000


def test_both_pictures_of_one_structure_have_everything_in_one_place(orders):
    first, second = (view["pictures"] for view in orders.payload["views"])
    assert first == second
    headers = [
        view["variants"][name]["film"]["t0"]["looks"][0][3][0]
        for view in orders.payload["views"]
        for name in view["variants"]
    ]
    assert headers[0] == headers[1]
    assert headers[0].split() == ["x", "leaf"]


def test_the_steppers_stay_as_they_are(running):
    first = mg.step(running.graph, running.w)
    second = mg.step(running.graph, running.w, order=[0, 1])
    before = [(one.payload, one.frame(-1).svg) for one in (first, second)]
    comparison = mg.compare(first, second)
    second.order = "ancestors"
    assert (first.payload, first.frame(-1).svg) == before[0]
    assert comparison.steps[-1][1].position == 1
    second.order = "own"
    assert second.frame(-1).svg == before[1][1]


def test_the_same_graph_at_another_input(running):
    again = running.graph.replay({running.x: 5.0}).graph
    comparison = mg.compare(mg.step(running.graph), mg.step(again))
    assert comparison.titles == ("x = 3.0", "x = 5.0")
    assert at_end(comparison) == {
        "x": (["3.0", "5.0"], ["5.0", "5.0"], "≠ value"),
        "y": (["4.0", "4.0"], ["3.0", "5.0"], "≠ grad"),
        "z (#0)": (["12.0", "20.0"], ["1.0", "1.0"], "≠ value"),
        "w (#1)": (["15.0", "25.0"], ["1.0", "1.0"], "≠ value"),
    }


@pytest.mark.parametrize(("factor", "mark"), [(2, ""), (1, "≠ grad")])
def test_an_op_of_ones_own_beside_the_built_in_one(factor, mark):
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    ops = mg.OpRegistry()
    ops.register("doubled", Doubled(factor))
    mine, built = mg.ComputationGraph(ops), mg.ComputationGraph()
    first = mg.step(mine, mine.apply("doubled", x))
    comparison = mg.compare(first, mg.step(built, mg.add(built, x, x)))
    assert comparison.titles == ("with doubled", "with add")
    assert at_end(comparison) == {
        "x": (["3.0", "3.0"], [f"{factor:.1f}", "2.0"], mark),
        "#0": (["6.0", "6.0"], ["1.0", "1.0"], ""),
    }


def test_a_graph_with_other_nodes(running, dead_node):
    comparison = mg.compare(
        mg.step(running.graph, running.w), mg.step(dead_node.graph, dead_node.w)
    )
    assert comparison.titles == ("without sub", "with sub")
    rows = at_end(comparison)
    assert rows["q (#1)"] == ([None, "2.0"], [None, "— dead"], "")
    assert rows["w (#1 / #2)"] == (["15.0", "15.0"], ["1.0", "1.0"], "")
    assert "1.0" not in rows  # the constant has no gradient, and does not differ


def test_a_frozen_tensor_has_a_row_if_it_differs():
    graphs = []
    for factor in (2.0, 3.0):
        x, c = mg.Tensor(1.0, requires_grad=True, name="x"), mg.Tensor(factor, name="c")
        graph = mg.ComputationGraph()
        mg.mul(graph, x, c).name = "w"
        graphs.append(graph)
    rows = at_end(mg.compare(*map(mg.step, graphs)))
    assert rows["c"] == (["2.0", "3.0"], [None, None], "≠ value")
    assert rows["w (#0)"] == (["2.0", "3.0"], ["1.0", "1.0"], "≠ value")
    assert rows["x"] == (["1.0", "1.0"], ["2.0", "3.0"], "≠ grad")


def test_a_constant_that_differs_is_marked_at_the_box_in_which_it_stands():
    graphs = []
    for factor in (2.0, 3.0):
        x = mg.Tensor(1.0, requires_grad=True, name="x")
        graph = mg.ComputationGraph()
        mg.mul(graph, x, factor).name = "w"
        graphs.append(graph)
    inside = mg.compare(*map(mg.step, graphs))
    assert at_end(inside)["2.0 / 3.0"] == (["2.0", "3.0"], [None, None], "≠ value")
    keys = {row["name"]: row["keys"] for row in inside.payload["rows"]}
    assert keys == {"x": ["t0", "t0"], "2.0 / 3.0": ["n0", "n0"], "w (#0)": ["n0", "n0"]}
    first, second = (view["pictures"]["down"] for view in inside.payload["views"])
    assert first == second  # in both, everything stands in one place
    boxes = mg.compare(*(mg.step(graph, constants=True) for graph in graphs))
    keys = {row["name"]: row["keys"] for row in boxes.payload["rows"]}
    assert keys["2.0 / 3.0"] == ["t1", "t1"]


def test_one_structure_with_boxes_of_other_heights_is_drawn_twice():
    pictures = []
    for op in (mg.mul, mg.maximum):  # "× 2.0" stands in the header, "(x, 2.0)" below it
        graph = mg.ComputationGraph()
        op(graph, mg.Tensor(1.0, requires_grad=True, name="x"), 2.0)
        pictures.append(mg.step(graph))
    views = mg.compare(*pictures).payload["views"]
    assert [sorted(view["tensors"]) for view in views] == [["n0", "t0"]] * 2


def test_a_stepper_beside_itself(running):
    stepper = mg.step(running.graph, running.w)
    comparison = mg.compare(stepper, stepper)
    assert comparison.titles == ("the first", "the second")
    assert set(comparison.differences) == {"= The same numbers on both sides."}


def test_what_was_folded_is_open():
    y = mg.Tensor(1.0, requires_grad=True, name="y")
    graph = mg.ComputationGraph()
    with graph, graph.scope("twice"):
        w = y * 2.0 + 1.0
    folded = mg.step(graph, w, fold=True)
    comparison = mg.compare(folded, mg.step(graph, w, order=[0, 1]))
    assert len(comparison.steps) == 5
    assert {"n0", "n1"} <= set(comparison.payload["views"][0]["variants"]["ancestors/node"]["film"])
    assert folded.trace.snapshot.is_folded


def test_titles_may_be_given(running):
    stepper = mg.step(running.graph, running.w)
    comparison = mg.compare(stepper, stepper, titles=["<b>one</b>", "two"])
    assert comparison.titles == ("<b>one</b>", "two")
    assert repr(comparison) == "Comparison('<b>one</b>' beside 'two', step 1 of 5)"


@pytest.mark.parametrize("wrong", ["ab", ("one",), ("one", 2), ("one", " "), 7, ("a", "b", "c")])
def test_titles_that_are_not_two_texts_are_refused(running, wrong):
    stepper = mg.step(running.graph, running.w)
    with pytest.raises(MinigradError, match="titles must be two texts, such as"):
        mg.compare(stepper, stepper, titles=wrong)


def test_what_is_no_stepper_is_refused_with_the_way_out(running):
    stepper = mg.step(running.graph, running.w)
    with pytest.raises(MinigradError, match=r"the first is ComputationGraph.*mg\.step\(graph, w\)"):
        mg.compare(running.graph, stepper)
    with pytest.raises(MinigradError, match="the second is Tensor"):
        mg.compare(stepper, running.w)


def test_steps_of_another_grain_are_refused(running):
    fine = mg.step(running.graph, running.w, grain="edge")
    with pytest.raises(MinigradError, match=r"each node, the other for each edge.*grain='node'"):
        mg.compare(mg.step(running.graph, running.w), fine)
    comparison = mg.compare(fine, mg.step(running.graph, running.w, order=[0, 1], grain="edge"))
    assert len(comparison.steps) == 7


def test_a_graph_too_large_to_be_drawn_whole_is_refused(running):
    y = x = mg.Tensor(1.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(201):
            y = y + x
    with pytest.raises(DrawingError, match=r"the second graph has 201 nodes.*up to 200; step"):
        mg.compare(mg.step(running.graph), mg.step(graph))


class TestIndex:
    def test_it_can_be_set_within_the_steps_only(self, orders):
        orders.index = 4
        for wrong in (5, -1):
            with pytest.raises(traitlets.TraitError, match="steps 0 to 4"):
                orders.index = wrong
        assert (orders.index, orders._from_python) == (4, [4, 1, ""])

    def test_it_follows_the_page_and_no_late_echo(self, orders):
        orders._from_page = [3, 5, ""]
        assert orders.index == 3
        orders._from_page = [1, 4, ""]
        orders.index = 2
        assert orders.index == 2


class TestWithoutWidgets:
    def test_both_pictures_are_shown_under_their_titles(self, orders):
        data, _ = orders._repr_mimebundle_()
        assert "application/vnd.jupyter.widget-view+json" in data
        root = etree.fromstring(data["image/svg+xml"])
        inner = root.findall("{http://www.w3.org/2000/svg}svg")
        assert len(inner) == 2
        assert float(inner[1].get("y")) > float(inner[0].get("height"))
        texts = "".join(root.itertext()).replace("\xa0", " ")
        assert "order: as given: [0, 1]" in texts
        assert "1.0 + 4.0 = 5.0" in texts
        assert data["text/plain"].startswith(
            "≠ 2 tensors differ. x.grad: 5.0 (order: ancestors of w), 1.0 (order: as given"
        )
        with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as picture:
            assert picture.width == 1200
            assert picture.height > 600

    def test_the_chosen_step_is_shown(self, orders):
        orders.index = 2
        data, _ = orders._repr_mimebundle_()
        assert "The seed." in data["text/plain"]
        assert "1.0 + 4.0" not in data["image/svg+xml"]

    def test_a_frame_can_be_had_from_either_end_and_saved(self, orders, tmp_path):
        first, second = orders.frames(-1)
        assert first.svg == orders.frames(4)[0].svg
        assert second.save(tmp_path / "second.svg").exists()
        with pytest.raises(IndexError, match="steps 0 to 4"):
            orders.frames(5)


def test_arrays_and_awkward_names():
    names = ["</script>", "<img src=x onerror=alert(1)>"]
    graphs = []
    for factor in (1.0, 2.0):
        a = mg.Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True, name=names[0])
        graph = mg.ComputationGraph()
        with graph:
            w = (a * a * factor).sum()
        w.name = names[1]
        graphs.append(graph)
    comparison = mg.compare(*map(mg.step, graphs))
    assert "</script>.grad: 2×3: 0.0…10.0 on the left, 2×3: 0.0…20.0" in comparison.differences[-1]
    data, _ = comparison._repr_mimebundle_()
    etree.fromstring(data["image/svg+xml"])


def test_its_script_does_not_know_the_stepper():
    assert "mg-stepper" not in COMPARE
    assert COMPARE.count("graph.nodes") == 1


def test_a_long_chain_has_its_titles_in_the_fallback_too():
    graph, y = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True, name="y")
    for number in range(70):
        y = [mg.sin, mg.tanh][number * number // 7 % 2](graph, y)
    comparison = mg.compare(mg.step(graph, y), mg.step(graph, y, order="append"))
    shown, _ = comparison._repr_mimebundle_()
    picture = Image.open(io.BytesIO(base64.b64decode(shown["image/png"])))
    assert picture.height > 60  # two titles of 30 pixels, and what is between them
    comparison.close()
