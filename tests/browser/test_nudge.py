"""Nudging leaves in a real JupyterLab: by mouse, by keyboard, with two views."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import expect

FROZEN = """
c = mg.Tensor(2.0)
with graph:
    v = x * c
"""


class NudgePage:
    """A nudge widget in the output of a cell."""

    def __init__(self, root):
        self.root = root

    def line(self, title):
        """Return the numbers beside a title, such as 'What happened'."""
        term = self.root.page.get_by_text(title, exact=True)
        return self.root.locator(".mg-verdict div").filter(has=term).locator("dd")

    def slider(self, name):
        return self.root.get_by_role("slider", name=name, exact=True)

    def field(self, name):
        return self.root.get_by_label(f"{name} as a number")

    def box(self, key):
        rows = self.root.locator(f'.mg-diagram [data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def expect(self, promised, exact):
        expect(self.line("The gradient promised")).to_have_text(promised)
        expect(self.line("What happened")).to_have_text(exact)


@pytest.fixture
def nudge(open_notebook):
    lab = open_notebook(
        step=PREPARE + RECORD + "n = mg.nudge(graph, w)\nn",
        ask="print(n.values, x.item(), w.item())",
        set="n.move(x=2.0)",
    )
    made = NudgePage(lab.run("step").locator(".minigrad"))
    made.lab = lab
    made.keyboard = lab.page.keyboard
    return made


def test_x_is_dragged_from_3_to_5(nudge):
    nudge.expect("15.0", "15.0")
    slider = nudge.slider("x")
    box = slider.bounding_box()
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = nudge.lab.page.mouse
    mouse.move(middle, height)
    mouse.down()
    seen = []
    reached = 3.0
    for move in range(1, 200):
        mouse.move(middle + 2 * move, height)
        value = nudge.field("x").input_value()
        if float(value) == reached:
            continue
        reached = float(value)
        if reached > 5:
            break
        # at each stop both numbers are there, and along x alone they agree
        w = f"{5 * reached:g}" + (".0" if (5 * reached).is_integer() else "")
        expect(nudge.line("What happened")).to_have_text(w)
        expect(nudge.line("The gradient promised")).to_contain_text(f"= {w}")
        seen.append(reached)
    mouse.up()
    assert len(seen) > 10
    assert 3.0 < seen[0] < 3.3
    assert 4.8 < seen[-1] <= 5.0


def test_the_field_takes_x_to_5_and_the_diagram_follows(nudge):
    nudge.field("x").fill("5")
    nudge.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
    expect(nudge.line("Off by")).to_have_text("0.0")
    expect(nudge.root).to_contain_text("the gradient's promise is exact")
    assert (nudge.box("n0"), nudge.box("n1")) == (
        ["#0 mul ×", "z 20.0"],
        ["#1 add +", "w 25.0"],
    )
    assert "active" in nudge.root.locator('[data-key="n1"]').get_attribute("class")
    assert "active" not in nudge.root.locator('[data-key="t1"]').get_attribute("class")
    expect(nudge.slider("x")).to_have_value("40")
    assert "{'x': 5.0, 'y': 4.0} 3.0 15.0" in nudge.lab.run("ask").inner_text()


def test_of_both_the_promise_is_off_and_the_error_shrinks_like_its_square(nudge):
    nudge.field("x").fill("5")
    nudge.field("y").fill("5")
    nudge.expect("15.0 + 5.0 × 2.0 + 3.0 × 1.0 = 28.0", "30.0")
    expect(nudge.line("Off by")).to_have_text("2.0")
    expect(nudge.line("Nudged less")).to_have_text(
        "off by 0.5 at half the nudge, by 0.02 at a tenth"
    )
    expect(nudge.root).to_contain_text("shrinks like Δ²")


def test_by_keyboard(nudge):
    nudge.slider("x").focus()
    for _ in range(3):
        nudge.keyboard.press("ArrowRight")
    nudge.expect("15.0 + 5.0 × 0.15 = 15.75", "15.75")
    expect(nudge.slider("x")).to_have_attribute("aria-valuetext", "3.15; w is 15.75")
    nudge.keyboard.press("Tab")
    nudge.keyboard.press("ControlOrMeta+a")
    nudge.keyboard.type("5")
    nudge.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
    for key in "abdd":
        nudge.keyboard.press(key)
    assert nudge.lab.cell_count() == 3
    nudge.root.get_by_role("button", name="Back to the start").focus()
    nudge.keyboard.press("Enter")
    nudge.expect("15.0", "15.0")
    expect(nudge.field("x")).to_have_value("3")


def test_while_dragging_one_request_at_a_time_and_the_last_value_wins(nudge):
    nudge.expect("15.0", "15.0")
    count = """slider => {
        window.sent = 0;
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (...given) {
            window.sent += 1;
            return send.apply(this, given);
        };
        for (let place = 1; place <= 40; place += 1) {
            slider.value = place;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
        }
        return window.sent;
    }"""
    assert nudge.slider("x").evaluate(count) == 1
    nudge.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")


def test_python_moves_it_and_two_views_agree(open_notebook):
    lab = open_notebook(
        step=PREPARE + RECORD + "n = mg.nudge(graph, w)\ndisplay(n, n)", set="n.move(x=5.0)"
    )
    output = lab.run("step")
    first, second = (NudgePage(output.locator(".minigrad").nth(k)) for k in (0, 1))
    lab.run("set")
    for page in (first, second):
        page.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
        expect(page.field("x")).to_have_value("5")
    first.field("y").fill("5")
    for page in (first, second):
        page.expect("15.0 + 5.0 × 2.0 + 3.0 × 1.0 = 28.0", "30.0")
        expect(page.field("y")).to_have_value("5")


def test_frozen_leaves_are_a_group_of_their_own(open_notebook):
    lab = open_notebook(step=PREPARE + FROZEN + "mg.nudge(graph, v)")
    page = NudgePage(lab.run("step").locator(".minigrad"))
    frozen = page.root.get_by_role("group", name="Frozen, without a gradient")
    expect(frozen.get_by_role("slider")).to_have_count(1)
    page.field("c").fill("3")
    page.expect("9.0", "9.0")
    page.field("x").fill("4")
    page.expect("9.0 + 3.0 × 1.0 = 12.0", "12.0")


def test_a_kernel_that_is_gone_is_told(nudge):
    nudge.expect("15.0", "15.0")
    nudge.lab.shut_down_kernel()
    nudge.field("x").fill("5")
    expect(nudge.root.get_by_role("status")).to_contain_text("does not answer", timeout=20_000)


def test_nothing_in_it_keeps_people_out(nudge):
    nudge.field("x").fill("5")
    nudge.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
    page = nudge.lab.page
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        nudge.lab.command("apputils:change-theme", theme=theme)
        page.wait_for_function(
            "dark => document.querySelector('.mg-dark') !== null === dark",
            arg=theme.endswith("Dark"),
        )
        found = Axe().run(page, context=".minigrad").response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], theme
