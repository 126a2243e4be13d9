"""The stepper of a graph of 400 nodes with nothing folded: ten windows, asked for ahead of need."""

import re

import pytest
from browser.stepper_page import LOOP, LOOP_STEPS, expect_box, go_to, stepper_in
from playwright.sync_api import expect

from minigrad.diagram.graphviz.process import graphviz_process


@pytest.fixture
def stepper(host):
    return stepper_in(host, LOOP)


def test_a_jump_shows_the_window_of_that_step_and_nothing_else(stepper):
    go_to(stepper, 600)
    expect_box(stepper, "n200")
    # dy/dx of the loop, and how it adds up, by hand: the 200th node's upstream gradient is 1
    assert stepper.box("n200")[2] == "grad 1.0"
    assert stepper.state("n200") == ["box", "node", "active"]
    assert stepper.root.locator('svg [data-key="n199"]').count() == 1  # its operand
    assert stepper.root.locator('svg [data-key="n100"]').count() == 0
    expect(stepper.root.locator(".mg-explanation")).to_contain_text("Backward through node #200")
    stepper.press("End")
    expect_box(stepper, "n0")
    assert stepper.gradients()["x"][1] != "—"


def test_from_the_first_step_to_the_last_and_back_by_the_same_pictures(stepper):
    seen = {}
    for step in (0, 39, 40, 41, 399, 400, 401, 440, 441, 442, 800):
        go_to(stepper, step)
        stepper.root.locator("svg").wait_for()
        seen[step] = stepper.picture()
    for step in reversed(seen):
        go_to(stepper, step)
        stepper.root.locator("svg").wait_for()
        assert stepper.picture() == seen[step]


def test_a_node_is_found_by_its_number_its_op_and_its_name(stepper):
    def find(text):
        field = stepper.option("Go to node")
        field.fill(text)
        field.press("Enter")

    find("#137")
    stepper.expect_step(138, LOOP_STEPS)
    expect_box(stepper, "n137")
    stepper.option("Go to node").press("ArrowLeft")  # moves in the text
    stepper.expect_step(138, LOOP_STEPS)
    find("mul")
    stepper.expect_step(139, LOOP_STEPS)
    find("mul")
    stepper.expect_step(141, LOOP_STEPS)
    find("y")  # the last node; in the forward pass, the step that records it
    stepper.expect_step(400, LOOP_STEPS)
    stepper.press("End")
    find("399")  # and after the seed, the one that visits it
    stepper.expect_step(402, LOOP_STEPS)
    find("add")
    stepper.expect_step(404, LOOP_STEPS)
    for missing in ("400", "tanh", "<b>"):
        find(missing)
        expect(stepper.root).to_contain_text(f"There is no node {missing}.")
    stepper.expect_step(404, LOOP_STEPS)


def test_signs_lead_to_the_nodes_outside(stepper):
    go_to(stepper, 50)
    expect_box(stepper, "n50")
    order = stepper.root.get_by_role("list", name="The list of nodes")
    order.get_by_role("button", name=re.compile("#0 to #39")).click()
    stepper.expect_step(40, LOOP_STEPS)
    stepper.root.get_by_role("button", name="Go to #40 mul").click()
    stepper.expect_step(41, LOOP_STEPS)
    expect_box(stepper, "n40")
    go_to(stepper, 790)  # backward through node #10
    expect_box(stepper, "n10")
    sign = stepper.root.get_by_role("button", name="Go to #40 mul")
    sign.focus()
    stepper.keyboard.press("Enter")
    stepper.expect_step(401 + 399 - 40 + 1, LOOP_STEPS)
    expect(stepper.root.locator(".mg-explanation")).to_contain_text("Backward through node #40")


def test_a_window_that_takes_graphviz_too_long_says_so(stepper, monkeypatch):
    graphviz_process.close()
    monkeypatch.setattr(graphviz_process, "time_limit", 0.001)
    go_to(stepper, 600)
    message = stepper.root.locator(".mg-diagram .mg-message")
    expect(message).to_contain_text("Graphviz took longer than 0.001 s for this picture")
    stepper.press("Start")
    expect_box(stepper, "n0")


def test_python_sets_a_step_of_another_window(stepper):
    stepper.widget.index = 500
    stepper.expect_step(501, LOOP_STEPS)
    expect_box(stepper, "n300")


def test_axe_finds_nothing_to_complain_about_in_a_window(stepper):
    go_to(stepper, 600)
    expect_box(stepper, "n200")
    stepper.expect_no_barrier()
