"""Nudging leaves: by mouse, from Python, with two views."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.nudge_page import NudgePage
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import expect

FROZEN = """
c = mg.Tensor(2.0)
with graph:
    v = x * c
"""


@pytest.fixture
def nudge(host):
    widget = host.run(PREPARE + RECORD + "mg.nudge(graph, w)")
    made = NudgePage(host.show(widget))
    made.widget, made.host = widget, host
    return made


def test_x_is_dragged_from_3_to_5(nudge):
    nudge.expect("15.0", "15.0")
    slider = nudge.slider("x")
    box = slider.bounding_box()
    middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = nudge.host.page.mouse
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
    assert nudge.widget.values == {"x": 5.0, "y": 4.0}
    assert nudge.host.run("x.item(), w.item()") == (3.0, 15.0)


def test_of_both_the_promise_is_off_and_the_error_shrinks_like_its_square(nudge):
    nudge.field("x").fill("5")
    nudge.field("y").fill("5")
    nudge.expect("15.0 + 5.0 × 2.0 + 3.0 × 1.0 = 28.0", "30.0")
    expect(nudge.line("Off by")).to_have_text("2.0")
    expect(nudge.line("Nudged less")).to_have_text(
        "off by 0.5 at half the nudge, by 0.02 at a tenth"
    )
    expect(nudge.root).to_contain_text("shrinks like Δ²")


def test_python_moves_it_and_two_views_agree(host):
    widget = host.run(PREPARE + RECORD + "mg.nudge(graph, w)")
    views = host.show(widget, views=2)
    first, second = (NudgePage(views.nth(k)) for k in (0, 1))
    widget.move(x=5.0)
    for page in (first, second):
        page.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
        expect(page.field("x")).to_have_value("5")
    first.field("y").fill("5")
    for page in (first, second):
        page.expect("15.0 + 5.0 × 2.0 + 3.0 × 1.0 = 28.0", "30.0")
        expect(page.field("y")).to_have_value("5")


def test_frozen_leaves_are_a_group_of_their_own(host):
    page = NudgePage(host.show(host.run(PREPARE + FROZEN + "mg.nudge(graph, v)")))
    frozen = page.root.get_by_role("group", name="Frozen, without a gradient")
    expect(frozen.get_by_role("slider")).to_have_count(1)
    page.field("c").fill("3")
    page.expect("9.0", "9.0")
    page.field("x").fill("4")
    page.expect("9.0 + 3.0 × 1.0 = 12.0", "12.0")


def test_nothing_in_it_keeps_people_out(nudge):
    nudge.field("x").fill("5")
    nudge.expect("15.0 + 5.0 × 2.0 = 25.0", "25.0")
    for theme in ("Light", "Dark"):
        nudge.host.use_theme(theme)
        expect(nudge.root).to_have_class("minigrad mg-dark" if theme == "Dark" else "minigrad")
        found = Axe().run(nudge.host.page, context=".minigrad").response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], theme
