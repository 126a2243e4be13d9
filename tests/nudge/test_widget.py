"""The nudge widget, without a browser: what it sends, and what it answers."""

import json

import numpy as np
import pytest

import minigrad as mg
from minigrad.engine.errors import DrawingError, GraphError, TensorError


@pytest.fixture
def nudge(running, monkeypatch):
    made = mg.nudge(running.graph, running.w)
    made.sent = []
    monkeypatch.setattr(made, "send", lambda content, *_: made.sent.append(content))
    return made


def request(nudge, **values):
    """Do what the page does, and return the answer."""
    keys = {nudge._nudged.key_of(name): value for name, value in values.items()}
    nudge._answer(nudge, {"id": 7, "values": keys}, [])
    return nudge.sent[-1]


def test_what_is_sent_is_complete_and_can_be_written_as_json(nudge):
    payload = json.loads(json.dumps(nudge.payload, allow_nan=False))
    assert [one["name"] for one in payload["handles"]] == ["x", "y"]
    assert payload["handles"][0] | {"key": ""} == {
        "key": "",
        "name": "x",
        "frozen": False,
        "start": 3.0,
        "step": 0.05,
        "steps": 60,
    }
    assert payload["now"]["exact"] == "15.0"
    assert set(payload["now"]["boxes"]) == {"t0", "t1", "n0", "n1"}
    for key, kind in payload["kinds"].items():
        for picture in payload["pictures"].values():
            assert f'data-key="{key}"' in picture, kind


def test_a_request_is_answered_with_all_that_changes(nudge):
    answer = request(nudge, x=5.0)
    now = answer["now"]
    assert answer["id"] == 7
    assert (now["promised"], now["exact"]) == ("15.0 + 5.0 × 2.0 = 25.0", "25.0")
    assert now["nudges"] == {"t0": "+2.0", "t1": "0.0"}
    assert now["values"] == {"t0": 5.0, "t1": 4.0}
    assert now["boxes"]["n1"][1:3] == ["active", True]
    assert [" ".join(row.split()) for row in now["boxes"]["n1"][3]] == ["#1 add +", "w 25.0"]
    assert now["boxes"]["t1"][1:3] == ["waiting", False]
    assert now["edges"] == ["e0", "e2", "e3"]
    assert nudge.values == {"x": 5.0, "y": 4.0}


def test_with_the_answer_come_the_next_places_of_the_slider(nudge):
    key = nudge._nudged.key_of("x")
    message = {"id": 7, "values": {key: 5.0}, "moved": key, "ahead": [5.05, 5.1]}
    nudge._answer(nudge, message, [])
    ahead = nudge.sent[-1]["ahead"]
    assert [frame["exact"] for frame in ahead] == ["25.25", "25.5"][: len(ahead)]
    assert nudge.values == {"x": 5.0, "y": 4.0}
    for frame in ahead:
        assert frame["moved"] == key
        assert frame["values"][key] in (5.05, 5.1)


def test_a_constant_is_called_by_its_value_whoever_named_it_so():
    x, factor = mg.Tensor(3.0, requires_grad=True, name="x"), mg.Tensor(2.0, name="2.0")
    graph = mg.ComputationGraph()
    mg.mul(graph, x, factor).name = "w"
    nudge = mg.nudge(graph)
    nudge.move(**{"2.0": 5.0})
    assert repr(nudge) == "Nudge(x = 3.0, 2.0 = 5.0: w = 15.0, promised 15.0)"
    (header,) = nudge._told(nudge._values, nudge._result)["boxes"]["t1"][3]
    assert header.split() == ["5.0", "frozen"]


def test_a_frozen_tensor_keeps_its_rows_where_its_value_happens_to_be_its_name():
    x, factor = mg.Tensor(3.0, requires_grad=True, name="x"), mg.Tensor(2.0, name="5.0")
    graph = mg.ComputationGraph()
    mg.mul(graph, x, factor).name = "w"
    nudge = mg.nudge(graph)
    nudge.move(**{"5.0": 5.0})
    rows = nudge._told(nudge._values, nudge._result)["boxes"]["t1"][3]
    assert [row.split() for row in rows] == [["5.0", "frozen"], ["value", "5.0"]]


def test_what_is_not_told_stays(nudge):
    request(nudge, x=5.0)
    request(nudge, y=5.0)
    assert nudge.values == {"x": 5.0, "y": 5.0}


def test_the_plot_is_against_the_leaf_moved_last(nudge):
    assert 'aria-label="w against x:' in request(nudge, x=5.0)["now"]["plot"]
    assert 'aria-label="w against y:' in request(nudge, y=5.0)["now"]["plot"]
    assert "mg-start" not in nudge.sent[-1]["now"]["plot"]


def test_python_moves_it_and_the_page_is_told(nudge):
    nudge.move(x=5)
    assert nudge.sent[-1]["now"]["exact"] == "25.0"
    assert "id" not in nudge.sent[-1]


@pytest.mark.parametrize("wrong", ["5", None, float("nan"), float("inf"), True, [5.0]])
def test_a_value_that_is_no_finite_number_is_refused_and_changes_nothing(nudge, wrong):
    with pytest.raises(TensorError, match="x must be a finite number, not"):
        nudge.move(x=wrong)
    assert "finite number" in request(nudge, x=wrong)["failed"]
    assert nudge.values == {"x": 3.0, "y": 4.0}


def test_an_op_that_fails_is_told_in_the_page_and_all_stays():
    class Choosy(mg.Differentiable):
        def forward(self, inputs):
            if inputs[0].values > 4:
                raise ValueError("too much")
            return inputs[0].values * 1.0

        def backward(self, grad_output, inputs, output):
            return [grad_output]

    ops = mg.OpRegistry()
    ops.register("choosy", Choosy())
    graph, x = mg.ComputationGraph(ops), mg.Tensor(1.0, requires_grad=True, name="x")
    nudge = mg.nudge(graph, graph.apply("choosy", x))
    with pytest.raises(mg.MinigradError, match="too much"):
        nudge.move(x=5.0)
    assert nudge.values == {"x": 1.0}


def test_a_constant_shows_its_value_as_its_name(monkeypatch):
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph, sent = mg.ComputationGraph(), []
    with graph:
        w = x * 2.0
    nudge = mg.nudge(graph, w)
    monkeypatch.setattr(nudge, "send", sent.append)
    nudge.move(**{"2.0 in #0": 2.5})
    (row,) = sent[0]["now"]["boxes"]["t1"][3]
    assert row.split() == ["2.5", "frozen"]


def test_boxes_have_room_for_the_longest_number(nudge):
    boxes = request(nudge, x=-1.234567e-10)["now"]["boxes"]
    rows = [row for *_, rows in boxes.values() for row in rows]
    widest = [row for look in nudge._film.boxes["n0"].values for row in look.lines]
    assert max(map(len, rows)) <= max(map(len, widest))


def test_it_can_be_drawn_and_saved(nudge, tmp_path):
    assert nudge.frame().save(tmp_path / "w.svg").exists()
    data, _ = nudge._repr_mimebundle_()
    assert data["image/svg+xml"].startswith(("<?xml", "<svg"))
    assert data["text/plain"].startswith("Nudge(x = 3.0, y = 4.0: w = 15.0")


def test_a_graph_too_large_to_be_drawn_is_refused():
    y = x = mg.Tensor(1.0, requires_grad=True)
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(201):
            y = y + x
    with pytest.raises(DrawingError, match=r"201 nodes.*up to 200.*graph.replay"):
        mg.nudge(graph, y)


def test_200_nodes_with_leaves_that_each_of_them_uses_are_laid_out():
    y = x = mg.Tensor(1.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(100):
            y = y * 0.5 + x
    nudge = mg.nudge(graph, y)
    nudge.move(x=2.0)
    np.testing.assert_allclose(nudge._result.exact, 4.0)
    assert len(nudge.payload["handles"]) == 101


def test_what_is_no_graph_is_refused():
    with pytest.raises(GraphError, match="must be a ComputationGraph"):
        mg.nudge("graph")
