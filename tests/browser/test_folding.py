"""Folding in the page: scopes and repeats, opened and folded by mouse and by keyboard."""

import re

import pytest
from browser.stepper_page import NETWORK, stepper_in
from playwright.sync_api import expect

LOOP = """
import minigrad as mg
w = mg.Tensor(0.5, requires_grad=True)
x = mg.Tensor(0.25, requires_grad=True)
loop, y = mg.ComputationGraph(), x
with loop:
    for _ in range(200):
        y = y * w + x
s = mg.step(loop, y)
s
"""


@pytest.fixture
def stepper(host):
    return stepper_in(host, NETWORK)


def group(stepper, name):
    return stepper.root.locator("svg").get_by_role("button", name=name)


def test_a_folded_scope_is_stepped_over_at_once(stepper):
    label = stepper.root.locator(".mg-step")
    expect(label).to_have_text("Steps 1–3 of 21")
    assert stepper.box("s0")[:1] == ["▸ layer 1 3 nodes"]
    for expected in ("Steps 4–6 of 21", "Steps 7–9 of 21", "Step 10 of 21", "Step 11 of 21"):
        stepper.press("Next")
        expect(label).to_have_text(expected)
    stepper.press("End")
    expect(label).to_have_text("Steps 19–21 of 21")
    explanation = stepper.root.locator(".mg-explanation [aria-live]")
    expect(explanation).to_contain_text("Backward through layer 1: nodes #2 to #0.")
    stepper.press("Back")
    expect(label).to_have_text("Steps 16–18 of 21")
    assert stepper.state("s1") == ["box", "group", "active"]
    stepper.root.locator(".mg-diagram").focus()
    stepper.keyboard.press("ArrowLeft")
    expect(label).to_have_text("Steps 13–15 of 21")


def test_a_press_opens_it_at_the_same_moment_and_another_folds_it(stepper):
    stepper.press("Next")
    group(stepper, "Open ▸ layer 2").click()
    expect(group(stepper, "Fold ▾ layer 2")).to_be_visible()
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 4 of 21")
    assert stepper.state("n3") == ["box", "node", "active"]
    stepper.press("Next")
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 5 of 21")
    group(stepper, "Fold ▾ layer 2").click()
    expect(group(stepper, "Open ▸ layer 2")).to_be_visible()
    expect(stepper.root.locator(".mg-step")).to_have_text("Steps 4–6 of 21")
    assert stepper.root.locator('svg [data-key="n3"]').count() == 0


def test_it_is_opened_and_folded_by_keyboard_which_stays_where_it_was(stepper):
    stepper.open_menu()
    chip = stepper.root.get_by_role("button", name="▸ layer 3", exact=True)
    chip.focus()
    stepper.keyboard.press("Enter")
    chip = stepper.root.get_by_role("button", name="▾ layer 3", exact=True)
    expect(chip).to_be_focused()
    expect(chip).to_have_attribute("aria-expanded", "true")
    stepper.keyboard.press("Enter")
    chip = stepper.root.get_by_role("button", name="▸ layer 3", exact=True)
    expect(chip).to_be_focused()
    expect(chip).to_have_attribute("aria-expanded", "false")
    box = group(stepper, "Open ▸ layer 1")
    box.focus()
    stepper.keyboard.press("Enter")
    expect(group(stepper, "Fold ▾ layer 1")).to_be_focused()
    stepper.keyboard.press("ArrowRight")
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 2 of 21")


def test_all_at_once_and_from_python(stepper):
    stepper.press("Open all")
    expect(group(stepper, re.compile("Fold"))).to_have_count(3)
    stepper.press("Fold all")
    expect(group(stepper, re.compile("Open"))).to_have_count(3)
    stepper.widget.unfold()
    expect(group(stepper, re.compile("Fold"))).to_have_count(3)
    stepper.press("Next")
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 2 of 21")
    stepper.host.wait_until(lambda: stepper.widget.index == 1)


def test_gradients_come_out_as_they_do_step_by_step(stepper):
    stepper.press("End")
    folded = stepper.gradients()["x"]
    stepper.press("Open all")
    expect(group(stepper, re.compile("Fold"))).to_have_count(3)
    stepper.press("End")
    assert stepper.gradients()["x"][1] == folded[1]


def test_a_loop_is_shown_once_and_its_iterations_can_be_seen(host):
    loop = stepper_in(host, LOOP)
    assert loop.box("r0")[:2] == ["▸ mul, add × 200", "400 nodes"]
    loop.press("End")
    # dy/dx of y = y·½ + x, two hundred times: 1 + ½ + ¼ + … = 2, and what is left of the start
    assert loop.gradients()["x"][1] == "2.0"
    group(loop, "Open ▸ mul, add × 200").click()
    expect(group(loop, re.compile("Fold ▾ mul, add"))).to_be_visible()
    loop.press("Start")
    group(loop, "Open ▸ repeat 2").first.click()
    expect(loop.root.locator('svg [data-key="n2"]')).to_be_visible()
    loop.option("Go to node").fill("397")
    loop.option("Go to node").press("Enter")
    expect(loop.root.locator(".mg-step")).to_have_text("Steps 397–398 of 801")
    expect(loop.root.locator('svg [data-key="r0-198"]')).to_be_visible()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_axe_finds_nothing_to_complain_about(stepper, theme):
    stepper.host.use_theme(theme)
    stepper.expect_theme(theme)
    group(stepper, "Open ▸ layer 2").click()
    expect(group(stepper, "Fold ▾ layer 2")).to_be_visible()
    stepper.expect_no_barrier()
