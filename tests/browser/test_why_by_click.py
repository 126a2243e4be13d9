"""Why by a click: the paths behind a gradient, listed in the inspector and lit in the diagram."""

import pytest
from browser.stepper_page import PREPARE, RECORD, StepperPage, stepper_in
from playwright.sync_api import expect

DOUBLED = """
import minigrad as mg
a = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    b = a + a
    c = b + b
"""
LONG = """
import minigrad as mg
y = x = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    for _ in range(61):
        y = y + x
"""


class WhyPage(StepperPage):
    """A stepper whose inspector is asked for paths."""

    def lit(self):
        lit = self.root.locator("svg [data-lit]").all()
        return {group.get_attribute("data-key") for group in lit}

    @property
    def why(self):
        return self.root.get_by_role("button", name="Why this gradient?")

    @property
    def paths(self):
        return self.root.get_by_role("list", name="Paths").get_by_role("button")

    def inspect(self, key):
        self.root.locator(f'svg [data-key="{key}"]').click()


@pytest.fixture
def open_stepper(host):
    return lambda code: stepper_in(host, code, WhyPage)


@pytest.fixture
def running_page(open_stepper):
    return open_stepper(PREPARE + RECORD + "mg.step(graph, w)")


def test_by_mouse(running_page):
    page = running_page
    page.press("End")
    page.inspect("t0")
    expect(page.why).to_have_attribute("aria-expanded", "false")
    page.why.click()
    expect(page.why).to_have_attribute("aria-expanded", "true")
    why = page.root.locator(".mg-why")
    expect(why).to_contain_text("∂w/∂x = 5.0: the sum over 2 paths from x to w")
    expect(why).to_contain_text("At this step x.grad is 5.0, as all paths together.")
    expect(why).to_contain_text("it need not visit each path")
    expect(page.paths).to_have_text(["x → #0 → #1: y · 1 = 4.0 · 1 = 4.0", "x → #1: 1 = 1.0"])
    assert page.lit() == {"t0", "e0", "n0", "e2", "n1"}
    page.paths.nth(1).click()
    expect(page.paths.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.paths.nth(0)).to_have_attribute("aria-pressed", "false")
    assert page.lit() == {"t0", "e3", "n1"}
    page.press("Back")  # the light stays, and what is shown now is told
    assert page.lit() == {"t0", "e3", "n1"}
    expect(why).to_contain_text(
        "At this step x.grad is 1.0; all paths together come to 5.0. "
        "The pass has not come to its end."
    )
    page.press("Start")
    expect(why).to_contain_text("At this step x has no gradient")
    page.why.click()
    assert page.lit() == set()
    expect(page.paths).to_have_count(0)


def test_by_keyboard(running_page):
    page = running_page
    page.root.locator('svg [data-key="t0"]').focus()
    page.keyboard.press("Enter")
    expect(page.root.get_by_role("button", name="Close the inspector")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.why).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.paths.nth(0)).to_be_focused()
    assert page.lit() == {"t0", "e0", "n0", "e2", "n1"}
    page.keyboard.press("Tab")
    expect(page.paths.nth(1)).to_be_focused()
    assert page.lit() == {"t0", "e3", "n1"}
    page.keyboard.press("ArrowRight")  # steps, and the path keeps the focus and its light
    page.expect_step(2)
    expect(page.paths.nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    assert page.lit() == set()
    expect(page.root.locator('svg [data-key="t0"]')).to_be_focused()


def test_another_box_takes_the_light_away_and_has_its_own_paths(running_page):
    page = running_page
    page.inspect("t0")
    page.why.click()
    page.inspect("t1")
    assert page.lit() == set()
    page.why.click()
    expect(page.paths).to_have_text(["y → #0 → #1: x · 1 = 3.0 · 1 = 3.0"])
    assert page.lit() == {"t1", "e1", "n0", "e2", "n1"}
    page.root.get_by_role("button", name="Close the inspector").click()
    assert page.lit() == set()


def test_a_wrong_order_is_told(open_stepper):
    page = open_stepper(DOUBLED + "mg.step(graph, c, order=[1, 0, 0])")
    page.press("End")
    page.inspect("t0")
    page.why.click()
    why = page.root.locator(".mg-why")
    expect(why).to_contain_text("∂c/∂a = 4.0: the sum over 4 paths")
    expect(why).to_contain_text(
        "At this step a.grad is 8.0; all paths together come to 4.0. "
        "The order of this pass is wrong."
    )
    # the two arrows of a + a are told apart, and each path has its own
    page.paths.nth(0).click()
    first = page.lit()
    page.paths.nth(3).click()
    assert first == {"t0", "e0", "n0", "e2", "n1"}
    assert page.lit() == {"t0", "e1", "n0", "e3", "n1"}


def test_what_an_earlier_pass_has_left_is_told(open_stepper):
    page = open_stepper(PREPARE + RECORD + "w.backward()\nmg.step(graph, w)")
    page.press("End")
    page.inspect("t0")
    page.why.click()
    told = page.root.locator(".mg-why p").nth(1)
    expect(told).to_have_text(
        "At this step x.grad is 10.0; all paths together come to 5.0. x held 5.0 before this pass."
    )


def test_a_large_graph_says_where_to_ask(open_stepper):
    page = open_stepper(LONG + "mg.step(graph, y)")
    page.inspect("t0")
    page.why.click()
    expect(page.root.locator(".mg-why")).to_contain_text("mg.why(graph, y, …) tells them")
    assert page.lit() == set()


def test_nothing_in_it_keeps_people_out(running_page):
    page = running_page
    page.inspect("t0")
    page.why.click()
    for theme in ("Light", "Dark"):
        page.host.use_theme(theme)
        page.expect_theme(theme)
        page.expect_no_barrier()
