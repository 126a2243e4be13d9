"""Constants as boxes or inside them, in the stepper and in the other pictures."""

import pytest

import minigrad as mg
from minigrad.engine.errors import DrawingError


@pytest.fixture
def halved():
    """Return w = 3 - x·½ with x = 2."""
    x = mg.Tensor(2.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        w = 3 - x * 0.5
    w.name = "w"
    return graph, w


def boxes(stepper):
    return list(stepper.payload["views"]["0"]["tensors"])


def test_they_stand_inside_until_they_are_asked_for(halved):
    stepper = mg.step(*halved)
    assert (stepper.constants, stepper.payload["constants"]) == (False, False)
    assert boxes(stepper) == ["t0", "n0", "n1"]
    stepper.index = 3
    stepper.constants = True
    assert (stepper.index, stepper.payload["constants"]) == (3, True)
    assert boxes(stepper) == ["t0", "t1", "n0", "t2", "n1"]
    assert stepper.frame().svg == mg.step(*halved, constants=True).frame(3).svg


def test_the_words_the_table_and_the_code_stay_as_they_are(halved):
    inside, outside = (
        mg.step(*halved, constants=constants).payload["views"]["0"] for constants in (False, True)
    )
    for name in ("ancestors/node", "ancestors/edge"):
        for part in ("steps", "order", "table"):
            assert inside["variants"][name][part] == outside["variants"][name][part]
    assert inside["nodes"] == outside["nodes"]
    sentence = inside["variants"]["ancestors/node"]["steps"][3]["sentence"]
    assert "3.0 is a constant and gets nothing" in sentence


def test_the_page_asks_for_them_as_it_asks_for_folding(halved):
    stepper = mg.step(*halved)
    stepper._answer(stepper, {"constants": True}, [])
    assert stepper.constants
    stepper._answer(stepper, {"constants": False}, [])
    assert boxes(stepper) == ["t0", "n0", "n1"]


def test_without_any_there_is_nothing_to_ask_for(running):
    assert mg.step(running.graph, running.w).payload["constants"] is None


def test_paths_light_what_is_drawn(halved):
    stepper = mg.step(*halved)
    view = stepper.payload["views"]["0"]
    (_, edges), *others = stepper.why["told"]["t0"]["paths"]
    assert not others
    drawn = {*boxes(stepper), *view["variants"]["ancestors/node"]["film"]}
    assert {key for number in edges for key in view["lit"][number]} <= drawn


def test_all_pictures_can_draw_them_as_boxes(halved):
    graph, _ = halved
    assert list(mg.draw(graph).snapshot.vertices) == ["t0", "n0", "n1"]
    assert list(mg.draw(graph, constants=True).snapshot.vertices) == ["t0", "t1", "n0", "t2", "n1"]
    inside, outside = mg.watch(graph), mg.watch(graph, constants=True)
    assert "frozen" not in str(inside.payload["looks"])
    assert "frozen" in str(outside.payload["looks"])
    for picture in (mg.step, mg.draw, mg.watch):
        with pytest.raises(DrawingError, match="constants must be True or False, not 'yes'"):
            picture(graph, constants="yes")


def test_in_a_window_they_stand_inside_too():
    y = mg.Tensor(1.0, requires_grad=True, name="y")
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(50):
            y = y * 0.5 + 1.0
    stepper = mg.step(graph, y, fold=False)
    assert len(stepper.payload["windows"]) == 3
    assert list(stepper.frame(40).snapshot.vertices)[:3] == ["n33", "n34", "n35"]
    stepper.fold()
    assert list(stepper.frame(40).snapshot.vertices) == ["r0"]
