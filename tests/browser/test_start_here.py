"""The first notebook in a real JupyterLab: the graph grows, the stepper steps, both ways."""

import re
from itertools import pairwise

import pytest
from browser.stepper_page import PREPARE, StepperPage
from playwright.sync_api import expect

NOTEBOOK = "00_start_here.ipynb"


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

    lab.shut_down_kernel()
    assert server.kernels() == []
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


def test_a_click_on_the_words_keeps_the_keys_in_the_stepper(stepper):
    cells = stepper.lab.cell_count()
    for place in (".mg-explanation p", ".mg-table", ".mg-step"):
        stepper.root.locator(place).last.click()
        stepper.lab.page.keyboard.press("Home")
        stepper.lab.page.keyboard.press("ArrowRight")
        stepper.expect_step(2)
        for key in "ddabx":
            stepper.lab.page.keyboard.press(key)
    assert stepper.lab.cell_count() == cells


CLICK_STEADILY = """([root, pause]) => new Promise((resolve) => {
    const label = root.querySelector(".mg-step");
    const seen = [label.textContent];
    const observer = new MutationObserver(() => seen.push(label.textContent));
    observer.observe(label, { childList: true, characterData: true, subtree: true });
    const next = [...root.querySelectorAll("button")].find((b) => b.textContent === "Next");
    const timer = setInterval(() => {
        if (next.getAttribute("aria-disabled") === "true") {
            clearInterval(timer);
            // echoes of the kernel, if they did harm, would come within this time
            setTimeout(() => { observer.disconnect(); resolve(seen); }, 600);
        } else {
            next.click();
        }
    }, pause);
})"""


@pytest.mark.parametrize("pause", [5, 260])
def test_steady_clicks_never_jump_back(open_notebook, pause):
    # 260 ms is just after the page tells the kernel, whose echo comes with the next click
    lab = open_notebook(
        step=PREPARE + "with graph:\n    for _ in range(12): x = x * y\nmg.step(graph, x)"
    )
    root = lab.run("step").locator(".minigrad")
    seen = lab.page.evaluate(CLICK_STEADILY, [root.element_handle(), pause])
    assert seen == [f"Step {number} of 25" for number in range(1, 26)]


def test_two_views_of_a_stepper_show_the_same(open_notebook):
    lab = open_notebook(
        step=PREPARE + "with graph:\n    w = x * y + x\ns = mg.step(graph, w)\ns",
        again="s",
    )
    first = StepperPage(lab.run("step").locator(".minigrad"))
    second = StepperPage(lab.run("again").locator(".minigrad"))
    second.press("End")
    for view in (first, second):
        view.expect_step(5)
    first = StepperPage(lab.show("step").locator(".minigrad"))
    first.press("Back")
    for view in (first, second):
        view.expect_step(4)
    assert first.picture() == second.picture()


PLACES = """root => [root, ...root.querySelectorAll("button, h3, th, svg, .box path, .edge path")]
    .map((one) => one.getBoundingClientRect())
    .map((box) => [box.x, box.y, box.width, box.height].map(Math.round).join(" "))"""


@pytest.mark.parametrize("width", [1400, 800])
def test_nothing_moves_from_step_to_step(stepper, width):
    stepper.lab.page.set_viewport_size({"width": width, "height": 900})
    stepper.expect_step(1)
    stepper.root.locator(".mg-diagram").focus()
    places = stepper.root.evaluate(PLACES)
    for number in (2, 3, 4, 5):
        stepper.lab.page.keyboard.press("ArrowRight")
        stepper.expect_step(number)
        stepper.root.locator(".mg-diagram").evaluate("node => { node.scrollLeft = 0; }")
        assert stepper.root.evaluate(PLACES) == places


def test_in_a_wide_window_the_panels_stand_beside_the_diagram(stepper):
    stepper.lab.page.set_viewport_size({"width": 1800, "height": 900})
    wide = "root => root.querySelector('.mg-side').offsetLeft >= 700"
    stepper.lab.page.wait_for_function(
        "wide => eval(wide)(document.querySelector('.minigrad'))", arg=wide
    )
    side, diagram, root = (
        stepper.root.locator(name).bounding_box()
        for name in (".mg-side", ".mg-diagram", ".mg-stepper")
    )
    assert side["x"] >= diagram["x"] + diagram["width"] - 1
    # as tall as what is in it, and no taller: a line of code, four rows, the order, two nodes
    assert root["height"] < 560


def test_a_table_of_arrays_stays_in_its_place(open_notebook):
    lab = open_notebook(
        step="import minigrad as mg\n"
        "p = mg.Tensor([1.0, 2.0, 3.0], requires_grad=True)\n"
        "q = mg.Tensor([[-98765.4321, 12345.6789]] * 2, requires_grad=True)\n"
        "graph = mg.ComputationGraph()\n"
        "with graph:\n    r = p * p - p\n    s = q * q\n"
        "mg.step(graph, s, seed=[[1, 1]] * 2)"
    )
    stepper = StepperPage(lab.run("step").locator(".minigrad"))
    stepper.press("End")
    sections = stepper.root.locator(".mg-side section").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((b) => [b.left, b.right, b.top])"
    )
    for (_, right, top), (left, _, next_top) in pairwise(sections):
        assert right <= left or top < next_top


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
    expect(stepper.root.locator(".mg-table")).to_contain_text("<img src=")
    assert stepper.root.locator("img").count() == 0
    assert lab.page.evaluate("window.harmed") is None


def test_in_a_narrow_window_what_receives_a_gradient_is_in_view(stepper):
    stepper.lab.page.set_viewport_size({"width": 700, "height": 900})
    for button, key in (("End", "t0"), ("End", "t1"), ("Back", "n0"), ("Back", "n1")):
        # at the third, x and z don't fit: it is the one beside the node that passes on
        stepper.press(button) if key != "t1" else None
        expect(stepper.root.locator(f'svg [data-key="{key}"]')).to_be_in_viewport(ratio=0.9)
