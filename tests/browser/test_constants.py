"""Constants as boxes of their own, at a press in the page."""

import pytest
from browser.stepper_page import PREPARE, RECORD, stepper_in
from playwright.sync_api import expect

HALVED = """
import minigrad as mg
x = mg.Tensor(2.0, requires_grad=True, name="x")
graph = mg.ComputationGraph()
with graph:
    w = 3 - x * 0.5
mg.step(graph, w)
"""


@pytest.fixture
def stepper(host):
    return stepper_in(host, HALVED)


def test_a_press_makes_boxes_of_them_at_the_same_moment_and_another_takes_them_back(stepper):
    for _ in range(3):
        stepper.press("Next")
    assert stepper.box("n1")[0] == "#1 sub 3.0 -"
    stepper.open_menu()
    button = stepper.root.get_by_role("button", name="Numbers as boxes", exact=True)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.focus()
    stepper.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    assert stepper.box("t2") == ["3.0 frozen"]
    assert stepper.box("e2") == ["frozen:", "no gradient"]
    assert stepper.state("n1") == ["box", "node", "active"]
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 4 of 5")
    stepper.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_be_focused()
    expect(stepper.root.locator('svg [data-key="t2"]')).to_have_count(0)
    stepper.widget.constants = True
    expect(button).to_have_attribute("aria-pressed", "true")
    stepper.expect_no_barrier()


def test_where_there_are_none_there_is_no_button(host):
    stepper = stepper_in(host, PREPARE + RECORD + "mg.step(graph, w)")
    stepper.open_menu()
    expect(stepper.root.get_by_role("button", name="Numbers as boxes")).to_have_count(0)
