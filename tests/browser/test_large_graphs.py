"""The stepper of a graph of 400 nodes with nothing folded: ten windows, asked for ahead of need."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.stepper_page import LOOP, LOOP_STEPS, StepperPage
from playwright.sync_api import expect

DISPLAY = "from IPython.display import display\ndisplay(s)\n"
WAIT = "import time\ntime.sleep(600)\n"
LIMIT = """
from minigrad.diagram.graphviz.process import graphviz_process
graphviz_process.close()
graphviz_process.time_limit = 0.001
"""


@pytest.fixture
def stepper(open_notebook):
    lab = open_notebook(
        step=LOOP,
        set="s.index = 500",
    )
    made = StepperPage(lab.run("step").locator(".minigrad"))
    made.root.locator("svg").wait_for()
    made.lab = lab
    made.keyboard = lab.page.keyboard
    return made


def go_to(stepper, step):
    """Drag the slider to a step, counted from 0."""
    stepper.root.get_by_label("Step", exact=True).evaluate(
        "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input')); }", step
    )
    stepper.expect_step(step + 1, LOOP_STEPS)


def expect_box(stepper, key):
    expect(stepper.root.locator(f'svg [data-key="{key}"]')).to_be_visible()


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
    field = stepper.root.get_by_label("Go to node")

    def find(text):
        field.fill(text)
        field.press("Enter")

    find("#137")
    stepper.expect_step(138, LOOP_STEPS)
    expect_box(stepper, "n137")
    field.press("ArrowLeft")  # moves in the text
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


@pytest.fixture
def busy(open_notebook):
    """A stepper in the output of a cell that still runs, so that nothing more can come."""
    lab = open_notebook(step=LOOP.removesuffix("s\n") + DISPLAY + WAIT)
    lab.start("step")
    made = StepperPage(lab.show("step").locator(".minigrad"))
    made.root.locator("svg").wait_for()
    made.lab = lab
    return made


def test_while_the_kernel_is_busy_it_says_so_and_shows_what_has_come(busy):
    for number in range(2, 41):
        busy.press("Next")
        busy.expect_step(number, LOOP_STEPS)
    expect_box(busy, "n39")
    busy.press("Next")
    message = busy.root.locator(".mg-diagram .mg-message")
    expect(message).to_have_text("Nodes #40 to #79: the kernel is drawing this part of the graph.")
    busy.press("Back")
    expect_box(busy, "n39")
    busy.press("Next")
    busy.lab.command("notebook:interrupt-kernel")
    expect_box(busy, "n40")
    busy.expect_step(41, LOOP_STEPS)


def test_playing_waits_for_a_picture_that_is_to_come(busy):
    for number in range(2, 41):
        busy.press("Next")
        busy.expect_step(number, LOOP_STEPS)
    busy.root.get_by_label("Speed").select_option("fast")
    busy.press("Play")
    busy.expect_step(41, LOOP_STEPS)
    message = busy.root.locator(".mg-diagram .mg-message")
    expect(message).to_contain_text("does not answer", timeout=20_000)  # many a step later
    busy.expect_step(41, LOOP_STEPS)
    busy.lab.command("notebook:interrupt-kernel")
    busy.expect_step(43, LOOP_STEPS)
    busy.press("Pause")


def test_without_a_kernel_it_says_what_to_do_and_shows_what_has_come(busy):
    busy.lab.shut_down_kernel()
    go_to(busy, 600)
    message = busy.root.locator(".mg-diagram .mg-message")
    expect(message).to_contain_text("The kernel does not answer", timeout=20_000)
    busy.press("Start")
    expect_box(busy, "n0")
    busy.press("Next")
    assert busy.state("n1") == ["box", "node", "active"]


def test_a_window_that_takes_graphviz_too_long_says_so(open_notebook):
    lab = open_notebook(step=LOOP.removesuffix("s\n") + DISPLAY + LIMIT)
    stepper = StepperPage(lab.run("step").locator(".minigrad"))
    stepper.root.locator("svg").wait_for()
    go_to(stepper, 600)
    message = stepper.root.locator(".mg-diagram .mg-message")
    expect(message).to_contain_text("Graphviz took longer than 0.001 s for this picture")
    stepper.press("Start")
    expect_box(stepper, "n0")


def test_python_sets_a_step_of_another_window(stepper):
    stepper.lab.run("set")
    stepper.root = stepper.lab.show("step").locator(".minigrad")
    stepper.expect_step(501, LOOP_STEPS)
    expect_box(stepper, "n300")


def test_axe_finds_nothing_to_complain_about_in_a_window(stepper):
    go_to(stepper, 600)
    expect_box(stepper, "n200")
    results = Axe().run(stepper.lab.page, context=".minigrad")
    assert [one["id"] for one in results.response["violations"]] == []
