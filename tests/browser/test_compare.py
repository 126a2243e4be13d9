"""Two traces side by side: stepped together, with what differs marked."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.compare_page import TWO_ORDERS, ComparePage
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import expect

TWO_INPUTS = (
    PREPARE
    + RECORD
    + """
x.name, y.name, z.name, w.name = "xyzw"
mg.compare(mg.step(graph, w), mg.step(graph.replay({x: 5.0}).graph))
"""
)
OWN_OP = """
import minigrad as mg
class Square(mg.Differentiable):
    def forward(self, inputs):
        return inputs[0].values ** 2
    def backward(self, grad_output, inputs, output):
        return [grad_output * inputs[0].values]  # a factor 2 is forgotten
ops = mg.OpRegistry()
ops.register("square", Square())
x = mg.Tensor(3.0, requires_grad=True)
mine, built = mg.ComputationGraph(ops), mg.ComputationGraph()
first = mg.step(mine, mine.apply("square", x))
mg.compare(first, mg.step(built, mg.mul(built, x, x)))
"""


@pytest.fixture
def open_comparison(host):
    def open_(code):
        widget = host.run(code)
        made = ComparePage(host.show(widget))
        made.widget, made.host = widget, host
        return made

    return open_


@pytest.fixture
def orders(open_comparison):
    return open_comparison(TWO_ORDERS + "s")


def test_two_orders_are_stepped_together_and_the_difference_is_marked_and_told(orders):
    orders.expect_step(1, 6)
    expect(orders.verdict).to_have_text("= The same numbers on both sides.")
    for _ in range(4):
        orders.press("Next")
    orders.expect_step(5, 6)
    expect(orders.verdict).to_have_text("= The same numbers on both sides.")
    assert (orders.differing(0), orders.differing(1)) == (set(), set())
    orders.press("Next")
    orders.expect_step(6, 6)
    expect(orders.verdict).to_have_text(
        "≠ One tensor differs. a.grad: 4.0 on the left, 8.0 on the right; node #0 was visited once "
        "more on the right; the pass has ended on the left."
    )
    assert (orders.differing(0), orders.differing(1)) == ({"t0"}, {"t0"})
    for side in (0, 1):
        expect(orders.side(side).locator('[data-key="t0"] .mg-sign')).to_be_visible()
        expect(orders.side(side).locator('[data-key="n0"] .mg-sign')).to_be_hidden()
    assert orders.box(0, "t0")[2] == "grad none + 2.0 + 2.0 = 4.0"
    assert orders.box(1, "t0")[2] == "grad 4.0 + 2.0 + 2.0 = 8.0"
    assert orders.table() == [
        ["a", "≠ grad", "1.0", "4.0", "8.0"],
        ["b (#0)", "", "2.0", "2.0", "2.0"],
        ["c (#1)", "", "4.0", "1.0", "1.0"],
    ]
    expect(orders.side(1)).to_contain_text("wrong order")
    inspected = orders.side(1).get_by_role("button", name="Inspect a, which differs")
    expect(inspected).to_be_visible()
    orders.press("Start")
    orders.expect_step(1, 6)
    assert orders.differing(0) == set()


def test_the_same_graph_at_another_input(open_comparison):
    page = open_comparison(TWO_INPUTS)
    expect(page.side(0).get_by_role("heading", name="Left · x = 3.0")).to_be_visible()
    expect(page.side(1).get_by_role("heading", name="Right · x = 5.0")).to_be_visible()
    page.press("End")
    expect(page.verdict).to_contain_text(
        "4 tensors differ. y.grad: 3.0 on the left, 5.0 on the right"
    )
    assert page.differing(0) == {"t0", "t1", "n0", "n1"}
    assert page.table() == [
        ["x", "≠ value", "3.0", "5.0", "5.0", "5.0"],
        ["y", "≠ grad", "4.0", "4.0", "3.0", "5.0"],
        ["z (#0)", "≠ value", "12.0", "20.0", "1.0", "1.0"],
        ["w (#1)", "≠ value", "15.0", "25.0", "1.0", "1.0"],
    ]


def test_an_op_of_ones_own_beside_the_built_in_one(open_comparison):
    page = open_comparison(OWN_OP)
    expect(page.side(0).get_by_role("heading", name="Left · with square")).to_be_visible()
    expect(page.side(1).get_by_role("heading", name="Right · with mul")).to_be_visible()
    page.press("End")
    expect(page.verdict).to_have_text(
        "≠ One tensor differs. x.grad: 3.0 on the left, 6.0 on the right."
    )
    assert page.differing(0) == {"t0"}
    assert page.table()[0] == ["x", "≠ grad", "3.0", "3.0", "6.0"]


def test_the_paths_behind_a_gradient_are_lit_on_their_side(orders):
    orders.press("End")
    orders.side(1).locator('svg [data-key="t0"]').click()
    orders.side(1).get_by_role("button", name="Why this gradient?").click()
    expect(orders.side(1)).to_contain_text("all paths together come to 4.0. The order of this pass")
    expect(orders.side(1).locator("[data-lit]")).to_have_count(5)
    expect(orders.side(0).locator("[data-lit]")).to_have_count(0)


def test_a_visit_in_the_list_of_one_side_leads_there_on_both(orders):
    order = orders.side(1).get_by_role("list", name="Backward order")
    order.get_by_role("button").nth(3).click()
    orders.expect_step(6, 6)
    expect(orders.side(0).locator('[aria-current="step"]').first).to_contain_text("#0 add")


def test_python_and_page_follow_each_other_and_two_views_agree(host):
    widget = host.run(TWO_ORDERS + "s")
    views = host.show(widget, views=2)
    first, second = (ComparePage(views.nth(k)) for k in (0, 1))
    second.press("End")
    first.expect_step(6, 6)
    expect(first.verdict).to_contain_text("8.0 on the right")
    host.wait_until(lambda: widget.index == 5)
    widget.index = 2
    for page in (first, second):
        page.expect_step(3, 6)


def test_it_plays(orders):
    orders.option("Speed").select_option("fast")
    orders.press("Play")
    expect(orders.root.locator(".mg-step")).to_have_text("Step 6 of 6", timeout=20_000)
    expect(orders.root.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_where_there_is_room_the_words_are_left_and_right(orders):
    orders.press("End")
    expect(orders.verdict).to_contain_text("4.0 on the left, 8.0 on the right")
    expect(orders.root.get_by_role("columnheader", name="grad on the left")).to_be_visible()
    orders.page.set_viewport_size({"width": 640, "height": 900})
    expect(orders.verdict).to_contain_text("4.0 above, 8.0 below")
    fits = orders.root.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert fits


def test_nothing_in_it_keeps_people_out(orders):
    orders.press("End")
    for theme in ("Light", "Dark"):
        orders.host.use_theme(theme)
        expect(orders.root).to_have_class("minigrad mg-dark" if theme == "Dark" else "minigrad")
        found = Axe().run(orders.page, context=".minigrad").response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], theme
