"""The first notebook in a real JupyterLab: the graph grows, the stepper steps, both ways."""

import re

import pytest
from playwright.sync_api import expect

NOTEBOOK = "00_start_here.ipynb"
PREPARE = """
import minigrad as mg
x = mg.Tensor(3.0, requires_grad=True)
y = mg.Tensor(4.0, requires_grad=True)
graph = mg.ComputationGraph()
"""


class StepperPage:
    """What a person sees of a stepper."""

    def __init__(self, root):
        self.root = root

    def press(self, name):
        self.root.get_by_role("button", name=name, exact=True).click()

    def box(self, key):
        """Return the rows of a box or an edge's label, with single blanks."""
        rows = self.root.locator(f'[data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def state(self, key):
        return self.root.locator(f'svg [data-key="{key}"]').get_attribute("class").split()

    def gradients(self):
        """Return before and after of each row of the table."""
        table = {}
        for row in self.root.locator(".mg-table tbody tr").all():
            cells = row.locator("th, td").all_text_contents()
            table[cells[0]] = (cells[2], cells[3])
        return table

    def picture(self):
        """Return all that is seen, except where the keyboard is."""
        return self.root.locator(".mg-stepper").evaluate(
            "node => [node.innerText, node.querySelector('svg').outerHTML,"
            " node.querySelector('input').value].join('\\n')"
        )

    def expect_step(self, number, count=5):
        expect(self.root.locator(".mg-step")).to_have_text(f"Step {number} of {count}")


@pytest.fixture
def lab(open_notebook):
    return open_notebook(NOTEBOOK)


def test_the_notebook_from_first_cell_to_stepping_without_a_kernel(lab, server):
    expect(lab.run("setup")).to_contain_text("[OK] drawing: Graphviz answers")

    # the live diagram: nothing, then #0 mul, then #1 add
    live = lab.run("empty-graph").locator(".minigrad")
    expect(live).to_contain_text("Nothing recorded yet")
    expect(live.locator("[data-key]")).to_have_count(0)
    lab.run("record-mul")
    live = lab.show("empty-graph").locator(".minigrad")
    expect(live.locator('[data-key="n0"]')).to_contain_text("#0 mul")
    expect(live.locator('[data-key="n0"]')).to_contain_text(re.compile(r"z\s+12\.0"))
    expect(live.locator('[data-key="n1"]')).to_have_count(0)
    lab.run("record-add")
    live = lab.show("empty-graph").locator(".minigrad")
    expect(live.locator('[data-key="n1"]')).to_contain_text("#1 add")
    expect(live.locator('[data-key="n1"]')).to_contain_text(re.compile(r"w\s+15\.0"))
    expect(lab.run("nodes")).to_contain_text("GraphNode('mul'")
    expect(lab.run("prediction")).to_contain_text("Not tried yet")

    # the stepper, forwards
    stepper = StepperPage(lab.run("stepper").locator(".minigrad"))
    stepper.expect_step(1)
    pictures = [stepper.picture()]
    assert stepper.box("n0") == ["#0 mul ×", "z 12.0", "grad —"]
    assert stepper.box("n1") == ["#1 add +", "w —", "grad —"]
    stepper.press("Next")
    stepper.expect_step(2)
    pictures.append(stepper.picture())
    nothing = ("—", "—")
    assert set(stepper.gradients().values()) == {nothing}

    stepper.press("Next")  # the seed
    stepper.expect_step(3)
    pictures.append(stepper.picture())
    assert stepper.box("n1") == ["#1 add +", "w 15.0", "grad 1.0 (seed)"]
    assert stepper.gradients() == {
        "x": nothing,
        "y": nothing,
        "z (#0)": nothing,
        "w (#1)": ("—", "1.0"),
    }

    stepper.press("Next")  # backward through #1 add
    stepper.expect_step(4)
    pictures.append(stepper.picture())
    assert "active" in stepper.state("n1")
    assert stepper.box("e2") == ["× 1", "+1.0"]
    assert stepper.gradients() == {
        "x": ("—", "1.0"),
        "y": nothing,
        "z (#0)": ("—", "1.0"),
        "w (#1)": ("1.0", "1.0"),
    }

    stepper.press("Next")  # backward through #0 mul
    stepper.expect_step(5)
    pictures.append(stepper.picture())
    assert stepper.box("t0") == ["x leaf", "value 3.0", "grad 1.0 + 4.0 = 5.0"]
    assert stepper.box("t1") == ["y leaf", "value 4.0", "grad — + 3.0 = 3.0"]
    assert stepper.box("e0") == ["× y = 4.0", "+4.0"]
    assert stepper.box("e1") == ["× x = 3.0", "+3.0"]
    assert stepper.gradients() == {
        "x": ("1.0", "5.0"),
        "y": ("—", "3.0"),
        "z (#0)": ("1.0", "1.0"),
        "w (#1)": ("1.0", "1.0"),
    }
    expect(stepper.root.locator(".mg-explanation")).to_contain_text(
        "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0"
    )

    # and back again: every earlier picture comes back
    for number in (4, 3, 2, 1):
        stepper.press("Back")
        stepper.expect_step(number)
        assert stepper.picture() == pictures[number - 1]

    # the rest of the notebook, then without a kernel
    expect(lab.run("backward")).to_contain_text("x.grad = 5.0")
    expect(lab.run("backward")).to_contain_text("x.grad = 10.0")  # leaves add up
    lab.run("save")
    assert (server.folder / "w.png").stat().st_size > 10_000
    stepper = StepperPage(lab.show("stepper").locator(".minigrad"))
    stepper.expect_step(5)  # the cell before set stepper.index

    server.stop_kernels()
    expect(lab.page.locator(".jp-Notebook-ExecutionIndicator").first).not_to_have_attribute(
        "data-status", "idle"
    )
    for number in (4, 3, 2, 1):
        stepper.press("Back")
        stepper.expect_step(number)
        assert stepper.picture() == pictures[number - 1]
    stepper.press("End")
    stepper.expect_step(5)
    assert stepper.picture() == pictures[4]


def test_the_diagram_grows_while_a_cell_is_still_running(open_notebook, server):
    go_on = server.folder / "go on"
    lab = open_notebook(
        watch=PREPARE + "mg.watch(graph)",
        record="from pathlib import Path\nimport time\n"
        "with graph:\n    z = x * y\n"
        "while not Path('go on').exists(): time.sleep(0.01)\n"
        "with graph:\n    w = z + x\n",
    )
    lab.run("watch")
    lab.start("record")
    live = lab.show("watch").locator(".minigrad")
    expect(live.locator('[data-key="n0"]')).to_contain_text("#0 mul")
    expect(live.locator('[data-key="n1"]')).to_have_count(0)
    go_on.touch()
    expect(live.locator('[data-key="n1"]')).to_contain_text(re.compile(r"w\s+15\.0"))


@pytest.fixture
def stepper(open_notebook):
    lab = open_notebook(
        step=PREPARE + "with graph:\n    w = x * y + x\ns = mg.step(graph, w)\ns",
        ask="print('index', s.index)",
        set="s.index = 2",
        delete="1/0",
    )
    made = StepperPage(lab.run("step").locator(".minigrad"))
    made.lab = lab
    return made


def test_slider_and_keys_step_too(stepper):
    slider = stepper.root.get_by_role("slider", name="Step")
    slider.focus()
    stepper.lab.page.keyboard.press("ArrowRight")
    stepper.expect_step(2)
    slider.fill("4")
    stepper.expect_step(5)
    assert slider.get_attribute("aria-valuetext").startswith("Step 5 of 5: Backward through")
    stepper.root.locator(".mg-diagram").focus()
    for key, number in [("ArrowLeft", 4), ("Home", 1), ("ArrowRight", 2), ("End", 5)]:
        stepper.lab.page.keyboard.press(key)
        stepper.expect_step(number)
    # letters are shortcuts for cells elsewhere, but not while the stepper has the focus
    cells = stepper.lab.cell_count()
    for key in "abddmxz":
        stepper.lab.page.keyboard.press(key)
    assert stepper.lab.cell_count() == cells
    stepper.expect_step(5)


def test_the_pressed_button_keeps_the_focus_at_the_ends(stepper):
    button = stepper.root.get_by_role("button", name="Next", exact=True)
    button.focus()
    for _ in range(7):
        stepper.lab.page.keyboard.press("Enter")
    stepper.expect_step(5)
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")


def test_a_click_in_the_order_jumps(stepper):
    stepper.root.get_by_role("list", name="Backward order").get_by_text("#1 add").click()
    stepper.expect_step(4)
    stepper.root.get_by_role("list", name="The list of nodes").get_by_text("#0 mul").click()
    stepper.expect_step(1)


def test_python_and_the_page_agree_on_the_step(stepper):
    stepper.press("Next")
    stepper.press("Next")
    stepper.press("Next")
    expect(stepper.lab.run_until("ask", "index 3")).to_contain_text("index 3")
    stepper.lab.run("set")
    stepper.root = stepper.lab.show("step").locator(".minigrad")
    stepper.expect_step(3)


def test_the_colours_follow_the_theme(stepper):
    background = "node => getComputedStyle(node).backgroundColor"
    light = stepper.root.evaluate(background)
    stepper.lab.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(stepper.root).to_have_class(re.compile("mg-dark"))
    assert stepper.root.evaluate(background) != light
    stepper.lab.command("apputils:change-theme", theme="JupyterLab Light")
    expect(stepper.root).not_to_have_class(re.compile("mg-dark"))


def test_a_name_that_looks_like_markup_runs_nothing(open_notebook):
    name = "<img src=x onerror=window.harmed=1>"
    lab = open_notebook(
        step="import minigrad as mg\n"
        f"x = mg.Tensor(3.0, requires_grad=True, name={name!r})\n"
        "graph = mg.ComputationGraph()\nwith graph:\n    w = x * x\nmg.step(graph, w)"
    )
    stepper = StepperPage(lab.run("step").locator(".minigrad"))
    stepper.press("End")
    expect(stepper.root.locator(".mg-table")).to_contain_text("<img src=x")
    assert stepper.root.locator("img").count() == 0
    assert lab.page.evaluate("window.harmed") is None


def test_in_a_narrow_window_the_node_at_work_is_in_view(stepper):
    stepper.lab.page.set_viewport_size({"width": 700, "height": 900})
    for button, key in (("End", "n0"), ("Back", "n1"), ("Start", "n0")):
        stepper.press(button)
        expect(stepper.root.locator(f'svg [data-key="{key}"]')).to_be_in_viewport(ratio=0.9)
