"""Two traces side by side in a real JupyterLab: stepped together, with what differs marked."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.stepper_page import PREPARE, RECORD
from playwright.sync_api import expect

DOUBLED = """
import minigrad as mg
a = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    b = a + a
    c = b + b
"""
TWO_ORDERS = DOUBLED + "s = mg.compare(mg.step(graph, c), mg.step(graph, c, order=[1, 0, 0]))\n"
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


class ComparePage:
    """A comparison in the output of a cell."""

    def __init__(self, lab, cell="step", place=0):
        self.lab = lab
        self.root = lab.run(cell).locator(".minigrad").nth(place)
        self.keyboard = lab.page.keyboard
        self.verdict = self.root.locator(".mg-compare > .mg-explanation [aria-live]")

    def press(self, name):
        self.root.get_by_role("button", name=name, exact=True).click()

    def side(self, number):
        return self.root.locator(".mg-one").nth(number)

    def box(self, side, key):
        rows = self.side(side).locator(f'svg [data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def differing(self, side):
        marked = self.side(side).locator("svg [data-differs]").all()
        return {group.get_attribute("data-key") for group in marked}

    def table(self):
        lines = self.root.locator(".mg-common tbody tr").all()
        return [[t.strip() for t in line.locator("th, td").all_text_contents()] for line in lines]

    def expect_step(self, number, count):
        expect(self.root.locator(".mg-step")).to_have_text(f"Step {number} of {count}")


@pytest.fixture
def open_comparison(open_notebook):
    def open_(code, **cells):
        return ComparePage(open_notebook(step=code, **cells))

    return open_


@pytest.fixture
def orders(open_comparison):
    return open_comparison(TWO_ORDERS + "s", ask="print(s.index)", set="s.index = 0")


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
        "≠ One tensor differs. a.grad: 4.0 above, 8.0 below; node #0 was visited once more below; "
        "the pass has ended above."
    )
    assert (orders.differing(0), orders.differing(1)) == ({"t0"}, {"t0"})
    for side in (0, 1):
        expect(orders.side(side).locator('[data-key="t0"] .mg-sign')).to_be_visible()
        expect(orders.side(side).locator('[data-key="n0"] .mg-sign')).to_be_hidden()
    assert orders.box(0, "t0")[2] == "grad — + 2.0 + 2.0 = 4.0"
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
    expect(page.side(0).get_by_role("heading", name="Above · x = 3.0")).to_be_visible()
    expect(page.side(1).get_by_role("heading", name="Below · x = 5.0")).to_be_visible()
    page.press("End")
    expect(page.verdict).to_contain_text("4 tensors differ. y.grad: 3.0 above, 5.0 below")
    assert page.differing(0) == {"t0", "t1", "n0", "n1"}
    assert page.table() == [
        ["x", "≠ value", "3.0", "5.0", "5.0", "5.0"],
        ["y", "≠ grad", "4.0", "4.0", "3.0", "5.0"],
        ["z (#0)", "≠ value", "12.0", "20.0", "1.0", "1.0"],
        ["w (#1)", "≠ value", "15.0", "25.0", "1.0", "1.0"],
    ]


def test_an_op_of_ones_own_beside_the_built_in_one(open_comparison):
    page = open_comparison(OWN_OP)
    page.lab.page.set_viewport_size({"width": 2200, "height": 900})
    expect(page.side(0).get_by_role("heading", name="Left · with square")).to_be_visible()
    expect(page.side(1).get_by_role("heading", name="Right · with mul")).to_be_visible()
    page.press("End")
    expect(page.verdict).to_have_text(
        "≠ One tensor differs. x.grad: 3.0 on the left, 6.0 on the right."
    )
    assert page.differing(0) == {"t0"}
    assert page.table()[0] == ["x", "≠ grad", "3.0", "3.0", "6.0"]


def test_by_keyboard(orders):
    orders.root.get_by_role("button", name="Next", exact=True).focus()
    for _ in range(5):
        orders.keyboard.press("ArrowRight")
    orders.expect_step(6, 6)
    orders.keyboard.press("ArrowLeft")
    orders.expect_step(5, 6)
    orders.keyboard.press("Home")
    orders.expect_step(1, 6)
    orders.keyboard.press("End")
    orders.expect_step(6, 6)
    for key in "abdd":
        orders.keyboard.press(key)
    assert orders.lab.cell_count() == 3
    orders.root.get_by_role("slider", name="Step", exact=True).focus()
    orders.keyboard.press("ArrowLeft")
    orders.expect_step(5, 6)
    box = orders.side(1).locator('svg [data-key="t0"]')
    box.focus()
    orders.keyboard.press("Enter")
    expect(orders.side(1).locator(".mg-inspector")).to_contain_text("Gradient of a")
    expect(orders.side(0).locator(".mg-inspector")).to_be_hidden()
    orders.keyboard.press("Escape")
    expect(box).to_be_focused()


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


def test_python_and_page_follow_each_other_and_two_views_agree(open_notebook):
    code = TWO_ORDERS + "display(s, s)"
    lab = open_notebook(step=code, ask="print('now', s.index)", set="s.index = 2")
    first = ComparePage(lab)
    second = ComparePage(lab, place=1)
    second.press("End")
    first.expect_step(6, 6)
    expect(first.verdict).to_contain_text("8.0 below")
    assert "now 5" in lab.run_until("ask", "now 5").inner_text()
    lab.run("set")
    for page in (first, second):
        page.expect_step(3, 6)


def test_it_plays(orders):
    orders.root.get_by_label("Speed").select_option("fast")
    orders.press("Play")
    expect(orders.root.locator(".mg-step")).to_have_text("Step 6 of 6", timeout=20_000)
    expect(orders.root.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_without_a_kernel_it_steps_on(orders):
    orders.lab.shut_down_kernel()
    orders.press("End")
    orders.expect_step(6, 6)
    expect(orders.verdict).to_contain_text("8.0 below")


def test_where_there_is_room_the_words_are_left_and_right(orders):
    orders.press("End")
    expect(orders.verdict).to_contain_text("4.0 above, 8.0 below")
    orders.lab.page.set_viewport_size({"width": 2600, "height": 900})
    expect(orders.verdict).to_contain_text("4.0 on the left, 8.0 on the right")
    expect(orders.root.get_by_role("columnheader", name="grad on the left")).to_be_visible()
    orders.lab.page.set_viewport_size({"width": 640, "height": 900})
    expect(orders.verdict).to_contain_text("4.0 above, 8.0 below")
    fits = orders.root.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert fits


def test_nothing_in_it_keeps_people_out(orders):
    orders.press("End")
    page = orders.lab.page
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        orders.lab.use_theme(theme)
        page.wait_for_function(
            "dark => document.querySelector('.mg-dark') !== null === dark",
            arg=theme.endswith("Dark"),
        )
        found = Axe().run(page, context=".minigrad").response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], theme
