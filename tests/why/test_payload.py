"""Why by a click: what the page is told of the paths behind each gradient."""

import json

import numpy as np
import pytest

import minigrad as mg


def sent_of(stepper):
    sent = stepper.why | {"lit": stepper.payload["views"]["0"]["lit"]}
    found = json.loads(json.dumps(sent, allow_nan=False))
    stepper.close()
    return found


def test_the_running_example_is_told_as_a_sum_over_its_paths(running):
    found = sent_of(mg.step(running.graph, running.w))
    assert set(found["told"]) == {"t0", "t1", "n0", "n1"}
    of_x = found["told"]["t0"]
    assert of_x["title"] == "∂w/∂x = 5.0: the sum over 2 paths from x to w."
    assert of_x["total"] == "5.0"
    assert of_x["paths"] == [
        ["x → #0 → #1: y · 1 = 4.0 · 1 = 4.0", [0, 2]],
        ["x → #1: 1 = 1.0", [3]],
    ]
    (remark,) = of_x["notes"]
    assert "need not visit each path" in remark
    assert found["lit"][3] == ["e3", "t0", "n1"]
    assert found["told"]["n1"]["paths"] == []


def test_it_is_about_the_right_gradient_whatever_the_order(running):
    right = sent_of(mg.step(running.graph, running.w))
    assert sent_of(mg.step(running.graph, running.w, order=[0, 1])) == right


def test_of_very_many_paths_the_rest_is_stated():
    y = mg.Tensor(1.0, requires_grad=True, name="a")
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(40):
            y = y + y
    of_a = sent_of(mg.step(graph, y))["told"]["t0"]
    assert len(of_a["paths"]) == 5
    assert of_a["notes"][0] == "and 1,099,511,627,771 more paths, together 1.09951e+12"
    assert of_a["paths"][0][1] == list(range(0, 80, 2))


def test_frozen_tensors_have_none_and_dead_ones_no_path(dead_node):
    told = sent_of(mg.step(dead_node.graph, dead_node.w))["told"]
    assert set(told) == {"t0", "t1", "n0", "n1", "n2"}  # and not the 1 of x - 1
    assert "no path leads from q to w" in told["n1"]["title"]
    assert (told["n1"]["total"], told["n1"]["paths"]) == ("0.0", [])


def test_a_seed_of_its_own_is_told(running):
    of_x = sent_of(mg.step(running.graph, running.w, seed=2.0))["told"]["t0"]
    assert of_x["total"] == "5.0"
    assert "a seed of its own" in of_x["notes"][-1]


def test_an_output_that_is_no_single_number_is_told_to_be_none():
    x = mg.Tensor(np.ones(3), requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    stepper = mg.step(graph, mg.mul(graph, x, x), seed=np.ones(3))
    assert "sum it first" in sent_of(stepper)["failed"]


@pytest.mark.parametrize("length", [60, 61])
def test_of_graphs_of_up_to_60_nodes(length):
    y = x = mg.Tensor(1.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        for _ in range(length):
            y = y + x
    y.name = "w"
    found = sent_of(mg.step(graph, y))
    if length == 60:
        assert found["told"]["t0"]["total"] == "61.0"
    else:
        assert "up to 60 nodes, and this one has 61" in found["failed"]
        assert "mg.why(graph, w, …)" in found["failed"]


def test_a_leaf_that_is_the_output_itself_has_nothing_to_tell():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    mg.mul(graph, mg.Tensor(2.0, requires_grad=True), 3.0)
    assert sent_of(mg.step(graph, x))["told"] == {}


def test_of_what_is_folded_the_box_is_lit():
    x = mg.Tensor(3.0, requires_grad=True, name="x")
    graph = mg.ComputationGraph()
    with graph:
        with graph.scope("twice"):
            y = x * x + x
        y * x
    stepper = mg.step(graph, fold=True)
    view = stepper.payload["views"]["0"]
    assert set(view["variants"]["ancestors/node"]["film"]) == {"t0", "s0", "n2", "e0", "e4", "e5"}
    lit = [set(keys) for keys in view["lit"]]
    # into the folded nodes, between them, and from them and from x to #2
    assert lit[0] == lit[1] == lit[3] == {"e0", "t0", "s0"}
    assert lit[2] == {"s0"}
    assert lit[4:] == [{"e4", "s0", "n2"}, {"e5", "t0", "n2"}]
    stepper.close()
