"""The stepper in a real JupyterLab: menus, inspector, files, by mouse and by keyboard."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.stepper_page import LOOP, LOOP_STEPS, PREPARE, RECORD, StepperPage
from playwright.sync_api import expect

MATRICES = """
import minigrad as mg, numpy as np
W = mg.Tensor(np.arange(6.0).reshape(2, 3) - 2, requires_grad=True)
big = mg.Tensor(np.ones((3, 40)), requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    out = (W @ big).sum()
"""


@pytest.fixture
def stepper(open_notebook):
    lab = open_notebook(
        step=PREPARE + RECORD + "s = mg.step(graph, w)\ns",
        ask="print(s.order, s.grain, s.index, len(s.steps))",
        set="s.grain = 'node'",
    )
    made = StepperPage(lab.run("step").locator(".minigrad"))
    made.lab = lab
    made.keyboard = lab.page.keyboard
    return made


@pytest.fixture
def matrices(open_notebook):
    lab = open_notebook(step=MATRICES + "mg.step(graph, out)")
    made = StepperPage(lab.run("step").locator(".minigrad"))
    made.lab = lab
    made.keyboard = lab.page.keyboard
    return made


THREADS = """
import threading
names = [thread.name for thread in threading.enumerate()]
print("one" if "minigrad-saving" in names else "none", "draws")
"""


@pytest.fixture
def loop(open_notebook):
    """A stepper of so many steps that a file of them takes long."""
    lab = open_notebook(step=LOOP, other="3 + 4", threads=THREADS)
    made = StepperPage(lab.run("step").locator(".minigrad"))
    made.root.locator("svg").wait_for()
    made.lab = lab
    return made


class TestPlay:
    def test_it_goes_to_the_end_by_itself_and_can_start_again(self, stepper):
        stepper.root.get_by_label("Speed").select_option("fast")
        stepper.press("Play")
        expect(stepper.root.get_by_role("button", name="Pause", exact=True)).to_be_visible()
        expect(stepper.root.locator(".mg-step")).to_have_text("Step 5 of 5", timeout=20_000)
        expect(stepper.root.get_by_role("button", name="Play", exact=True)).to_be_visible()

    def test_at_the_end_it_starts_over(self, stepper):
        stepper.press("End")
        stepper.press("Play")
        stepper.expect_step(1)
        stepper.press("Pause")
        stepper.root.get_by_role("list", name="Backward order").get_by_text("#1 add").click()
        stepper.expect_step(4)

    def test_whoever_moves_stops_it(self, stepper):
        stepper.press("Play")
        stepper.press("End")
        expect(stepper.root.get_by_role("button", name="Play", exact=True)).to_be_visible()
        stepper.press("Start")
        stepper.press("Play")
        stepper.press("Pause")
        stepper.expect_step(2)

    def test_it_goes_on_out_of_sight_and_is_a_single_timer_after_that(self, open_notebook):
        filler = {f"filler{number}": "'a line'\n" * 30 for number in range(8)}
        lab = open_notebook(
            step=PREPARE + RECORD + "with graph:\n    for _ in range(20):\n        w = w + y\n"
            "s = mg.step(graph, w)\ns",
            **filler,
        )
        page = StepperPage(lab.run("step").locator(".minigrad"))
        page.press("Next")
        lab.show("filler7")
        page.root = lab.show("step").locator(".minigrad")
        page.expect_step(2, 45)
        page.root.get_by_label("Speed").select_option("fast")
        page.press("Play")
        lab.show("filler7")
        page.root = lab.show("step").locator(".minigrad")
        expect(page.root.locator(".mg-step")).to_have_text("Step 5 of 45", timeout=20_000)
        page.press("Pause")
        stopped = page.root.locator(".mg-step").inner_text()
        page.press("Next")
        page.press("Back")
        expect(page.root.locator(".mg-step")).to_have_text(stopped)
        expect(page.root.get_by_role("button", name="Play", exact=True)).to_be_visible()

    def test_of_two_views_the_one_that_is_touched_last_leads(self, open_notebook):
        lab = open_notebook(step=PREPARE + RECORD + "s = mg.step(graph, w)\ndisplay(s, s)")
        output = lab.run("step")
        first, second = (StepperPage(output.locator(".minigrad").nth(k)) for k in (0, 1))
        first.press("Play")
        second.expect_step(2)
        second.press("Play")
        expect(first.root.get_by_role("button", name="Play", exact=True)).to_be_visible()
        second.press("Pause")
        first.press("End")
        for page in (first, second):
            page.expect_step(5)
            expect(page.root.get_by_role("button", name="Play", exact=True)).to_be_visible()


class TestVersions:
    def test_a_step_can_be_one_edge(self, stepper):
        stepper.press("End")
        grain = stepper.root.get_by_label("How much is one step")
        grain.select_option("edge")
        stepper.expect_step(6, 7)
        expect(stepper.root.locator(".mg-explanation")).to_contain_text("edge 1 of 2, to x.")
        assert stepper.gradients()["y"] == ("—", "—")
        stepper.press("Next")
        assert stepper.gradients()["y"] == ("—", "3.0")
        assert stepper.gradients()["x"] == ("5.0", "5.0")
        expect(stepper.lab.run_until("ask", "edge")).to_contain_text("ancestors edge 6 7")
        stepper.lab.run("set")
        stepper.root = stepper.lab.show("step").locator(".minigrad")
        stepper.expect_step(5, 5)
        expect(stepper.root.get_by_label("How much is one step")).to_have_value("node")

    def test_the_whole_list_reversed_visits_the_dead_node_and_counts_it(self, open_notebook):
        lab = open_notebook(
            step=PREPARE
            + "with graph:\n    z = x * y\n    q = x - y\n    w = z + x\n"
            + "s = mg.step(graph, w)\ns",
        )
        page = StepperPage(lab.run("step").locator(".minigrad"))
        page.press("End")
        page.expect_step(6, 6)
        page.root.get_by_label("Order of the backward pass").select_option("append")
        page.expect_step(7, 7)
        assert page.state("n1") == ["box", "node", "dead"]
        expect(page.root.locator(".mg-explanation")).to_contain_text(
            "1 of 3 visits contributed nothing."
        )
        order = page.root.get_by_role("list", name="Backward order")
        expect(order.get_by_role("button")).to_have_count(4)

    def test_a_wrong_order_is_explained_where_it_goes_wrong(self, open_notebook):
        lab = open_notebook(
            step="import minigrad as mg\n"
            "a = mg.Tensor(1.0, requires_grad=True)\n"
            "graph = mg.ComputationGraph()\n"
            "with graph:\n    b = a + a\n    c = b + b\n"
            "mg.step(graph, c, order=[0, 1])"
        )
        page = StepperPage(lab.run("step").locator(".minigrad"))
        for _ in range(3):
            page.press("Next")
        words = page.root.locator(".mg-explanation")
        expect(words).to_contain_text("the order is wrong here: #1 uses b")
        expect(words.locator("[aria-live]")).to_contain_text("⚠ wrong order")
        page.press("End")
        expect(words).to_contain_text("a.grad = — (the right order gives 4.0)")
        page.root.get_by_label("Order of the backward pass").select_option("ancestors")
        page.press("End")
        assert page.gradients()["a"] == ("—", "4.0")


class TestCode:
    def test_the_piece_of_code_that_recorded_the_node_stands_out(self, stepper):
        code = stepper.root.get_by_label("Your code")
        expect(code.locator(".mg-line")).to_have_text(["z = x * y", "w = z + x"])
        for press, piece in (("Next", "z + x"), ("End", "x * y"), ("Start", "x * y")):
            stepper.press(press)
            expect(code.locator("mark")).to_have_text([piece])

    def test_loops_functions_and_calls_over_several_lines(self, open_notebook):
        lab = open_notebook(
            define="def layer(t):\n    é = t * 2\n    return é + 1\n",
            step=PREPARE + "h = x\nwith graph:\n    for _ in range(2):\n        h = layer(h)\n"
            "    w = mg.add(\n        graph,\n        h, y)\nmg.step(graph, w)",
        )
        lab.run("define")
        page = StepperPage(lab.run("step").locator(".minigrad"))
        code = page.root.get_by_label("Your code")
        marked = []
        for _ in range(5):
            marked.append(code.locator("mark").all_text_contents())
            page.press("Next")
        assert marked[:4] == [["t * 2"], ["é + 1"]] * 2
        assert marked[4] == ["mg.add(", "graph,", "h, y)"]
        expect(code).to_contain_text("⋯")


class TestInspector:
    def test_a_click_on_a_box_opens_it_and_it_follows_the_steps(self, matrices):
        matrices.press("End")
        matrices.root.locator('svg [data-key="t0"]').click()
        inspector = matrices.root.get_by_label("Inspector", exact=True)
        expect(inspector).to_contain_text("W leaf, shape (2,3), float64")
        value, gradient = inspector.locator("table").all()
        assert value.locator("tbody tr").first.locator("td").all_text_contents() == [
            "-2.0",
            "-1.0",
            "0.0",
        ]
        assert gradient.locator("tbody td").all_text_contents() == ["40.0"] * 6
        expect(inspector).to_contain_text("norm 4.3589")
        matrices.press("Start")
        expect(inspector).to_contain_text("W has no gradient at this step.")

    def test_enter_opens_it_and_escape_goes_back_to_the_box(self, matrices):
        first = matrices.root.get_by_role("button", name="Inspect W")
        first.focus()
        matrices.keyboard.press("ArrowDown")
        second = matrices.root.get_by_role("button", name="Inspect big")
        expect(second).to_be_focused()
        matrices.keyboard.press("Enter")
        inspector = matrices.root.get_by_label("Inspector", exact=True)
        expect(inspector).to_contain_text("big leaf, shape (3,40), float64")
        expect(inspector.locator("thead th")).to_have_text(
            ["0", "1", "2", "3", "…", "37", "38", "39"]
        )
        matrices.keyboard.press("Escape")
        expect(inspector).to_be_hidden()
        expect(second).to_be_focused()

    def test_keys_in_its_tables_change_no_cell_and_it_keeps_the_focus(self, matrices):
        matrices.press("End")
        matrices.root.locator('svg [data-key="t0"]').click()
        table = matrices.root.get_by_label("Value of W, as a table")
        table.focus()
        cells = matrices.lab.cell_count()
        for key in ("a", "b", "d", "d", "ArrowLeft", "d", "d", "x"):
            matrices.keyboard.press(key)
        assert matrices.lab.cell_count() == cells
        expect(matrices.root.get_by_label("Value of W, as a table")).to_be_focused()
        matrices.root.get_by_label("Gradients", exact=True).focus()
        for key in "abddx":
            matrices.keyboard.press(key)
        assert matrices.lab.cell_count() == cells


def width_of_diagram(stepper):
    return stepper.root.locator(".mg-diagram svg").bounding_box()["width"]


class TestZoom:
    def test_buttons_and_ctrl_with_the_wheel_change_the_size(self, stepper):
        start = width_of_diagram(stepper)
        stepper.press("Larger")
        assert width_of_diagram(stepper) == pytest.approx(start * 1.25, rel=0.01)
        stepper.press("Fit")
        assert width_of_diagram(stepper) == pytest.approx(start)
        stepper.root.locator(".mg-diagram").hover()
        stepper.keyboard.down("Control")
        stepper.lab.page.mouse.wheel(0, -100)
        stepper.keyboard.up("Control")
        stepper.lab.page.wait_for_function(
            "w => document.querySelector('.mg-diagram svg').getBoundingClientRect().width > w",
            arg=start * 1.1,
        )
        smaller = stepper.root.get_by_role("button", name="Smaller")
        for _ in range(20):
            if smaller.get_attribute("aria-disabled") == "false":
                stepper.press("Smaller")
        expect(smaller).to_have_attribute("aria-disabled", "true")
        natural = stepper.root.locator(".mg-diagram svg").evaluate(
            "svg => svg.viewBox.baseVal.width * 96 / 72"
        )
        assert width_of_diagram(stepper) >= 0.79 * natural  # smaller text nobody can read

    def test_the_wheel_alone_scrolls_the_page_and_dragging_moves_the_picture(self, stepper):
        start = width_of_diagram(stepper)
        for _ in range(4):
            stepper.press("Larger")
        assert width_of_diagram(stepper) > 2 * start
        diagram = stepper.root.locator(".mg-diagram")
        diagram.scroll_into_view_if_needed()
        diagram.evaluate("node => { node.scrollLeft = 0; node.scrollTop = 0; }")
        box = diagram.bounding_box()
        mouse = stepper.lab.page.mouse
        mouse.move(box["x"] + box["width"] - 30, box["y"] + 12)
        mouse.down()
        mouse.move(box["x"] + box["width"] - 230, box["y"] + 12, steps=4)
        mouse.up()
        assert diagram.evaluate("node => node.scrollLeft") == pytest.approx(200, abs=2)


class TestFiles:
    def test_several_at_once_all_come(self, stepper):
        got = []
        stepper.lab.page.on("download", lambda one: got.append(one.suggested_filename))
        stepper.press("Save…")
        for kind in ("SVG", "PNG", "PDF"):
            stepper.press(kind)
        status = stepper.root.get_by_role("group", name="Save as")
        expect(status).to_contain_text("Saved step_1.pdf")
        stepper.lab.page.wait_for_timeout(0)
        assert sorted(got) == ["step_1.pdf", "step_1.png", "step_1.svg"]

    @pytest.mark.parametrize(
        ("kind", "start"), [("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("PDF", b"%PDF")]
    )
    def test_the_page_saves_the_step_that_is_shown(self, stepper, kind, start):
        stepper.press("End")
        stepper.press("Save…")
        with stepper.lab.page.expect_download() as download:
            stepper.press(kind)
        assert download.value.suggested_filename == f"step_5.{kind.lower()}"
        assert download.value.path().read_bytes().startswith(start)
        expect(stepper.root.get_by_role("group", name="Save as")).to_contain_text("Saved step_5")

    def test_a_file_of_all_steps_tells_how_far_it_is_and_can_be_stopped(self, loop):
        loop.press("Save…")
        loop.press("PDF pages")
        menu = loop.root.get_by_role("group", name="Save as")
        bar = menu.get_by_role("progressbar")
        expect(bar).to_have_attribute("max", str(LOOP_STEPS))
        expect(menu).to_contain_text(f" of {LOOP_STEPS}")
        results = Axe().run(loop.lab.page, context=".minigrad")
        assert [one["id"] for one in results.response["violations"]] == []
        # meanwhile the kernel is free, and the page too
        assert "7" in loop.lab.run("other").inner_text()
        loop.root = loop.lab.show("step").locator(".minigrad")
        loop.press("Next")
        loop.expect_step(2, LOOP_STEPS)
        menu.get_by_role("button", name="Stop", exact=True).press("Enter")
        expect(menu).to_contain_text("Stopped; nothing was saved.")
        expect(bar).to_be_hidden()
        expect(loop.root.get_by_role("button", name="Save…")).to_be_focused()
        with loop.lab.page.expect_download() as download:
            loop.press("SVG")
        assert download.value.suggested_filename == "step_2.svg"
        expect(menu).to_contain_text("Saved step_2.svg.")
        expect(bar).to_be_hidden()

    def test_running_the_cell_again_ends_the_drawing_of_its_file(self, loop):
        loop.press("Save…")
        loop.press("PDF pages")
        expect(loop.root.get_by_role("progressbar")).to_be_visible()
        loop.lab.run("step")
        expect(loop.lab.run_until("threads", "none")).to_contain_text("none draws")

    def test_without_a_kernel_it_says_what_to_do(self, stepper):
        stepper.lab.shut_down_kernel()
        stepper.press("Save…")
        stepper.press("SVG")
        expect(stepper.root.get_by_role("group", name="Save as")).to_contain_text(
            "The kernel does not answer", timeout=20_000
        )


def test_all_of_it_by_keyboard_alone(stepper):
    keyboard = stepper.keyboard
    stepper.root.get_by_role("button", name="Start", exact=True).focus()

    def tab_to(name, role="button"):
        wanted = stepper.root.get_by_role(role, name=name, exact=True)
        for _ in range(40):
            if wanted.evaluate("node => node === document.activeElement"):
                return
            keyboard.press("Tab")
        raise AssertionError(f"{name} cannot be reached by Tab")

    tab_to("Next")
    for number in range(2, 6):
        keyboard.press("Enter")
        stepper.expect_step(number)
    tab_to("Save…")
    keyboard.press("Enter")
    tab_to("PNG")
    with stepper.lab.page.expect_download() as download:
        keyboard.press("Enter")
    assert download.value.suggested_filename == "step_5.png"
    tab_to("Inspect x")
    keyboard.press("Enter")
    expect(stepper.root.get_by_label("Inspector", exact=True)).to_contain_text("Gradient of x")
    keyboard.press("Escape")
    keyboard.press("ArrowLeft")
    stepper.expect_step(4)


@pytest.mark.parametrize("theme", ["Light", "Dark", "Light High Contrast", "Dark High Contrast"])
def test_axe_finds_nothing_to_complain_about(matrices, theme):
    matrices.lab.command("apputils:change-theme", theme=f"JupyterLab {theme}")
    expect(matrices.root).to_have_class(
        "minigrad mg-dark" if theme.startswith("Dark") else "minigrad"
    )
    matrices.press("End")
    matrices.press("Save…")
    matrices.root.locator('svg [data-key="t0"]').click()
    page = matrices.lab.page
    page.locator("#jupyterlab-splash").wait_for(state="detached")
    results = Axe().run(page, context=".minigrad")
    found = [
        (one["id"], [node["html"][:200] for node in one["nodes"]])
        for one in results.response["violations"]
    ]
    assert found == [], json.dumps(found, indent=1)


def test_a_name_that_no_font_can_draw_still_has_its_stepper(open_notebook):
    lab = open_notebook(
        step="import minigrad as mg\n"
        "x = mg.Tensor(3.0, requires_grad=True, name='\\ue000 漢字')\n"
        "graph = mg.ComputationGraph()\nwith graph:\n    w = x * x\nmg.step(graph, w)"
    )
    page = StepperPage(lab.run("step").locator(".minigrad"))
    page.press("End")
    assert page.gradients()["\ue000 漢字"] == ("—", "6.0")


def test_fifty_runs_of_a_cell_leave_nothing_behind(open_notebook):
    lab = open_notebook(
        step=PREPARE + RECORD + "mg.step(graph, w)",
        live="mg.watch(graph)",
        count="print('comms', len(get_ipython().kernel.comm_manager.comms))",
    )

    def left_behind():
        nodes = lab.page.evaluate("document.querySelectorAll('.minigrad').length")
        return nodes, lab.run("count").inner_text()

    for cell in ("step", "live"):
        lab.run(cell)
    first = left_behind()
    for _ in range(50):
        lab.run("step")
    for _ in range(10):
        lab.run("live")
    assert left_behind() == first
