"""What is about JupyterLab itself: its shortcuts, themes and cells, and kernels without answer.

Everything else that a page does is tested without it, in the page of a host: see host.py.
"""

import re

import pytest
from browser.compare_page import TWO_ORDERS, ComparePage
from browser.nudge_page import NudgePage
from browser.quiz import Quiz
from browser.stepper_page import (
    LOOP,
    LOOP_STEPS,
    MATRICES,
    NETWORK,
    PREPARE,
    RECORD,
    StepperPage,
    expect_box,
    go_to,
)
from playwright.sync_api import expect

DISPLAY = "from IPython.display import display\ndisplay(s)\n"
WAIT = "import time\ntime.sleep(600)\n"
THREADS = """
import threading
names = [thread.name for thread in threading.enumerate()]
print("one" if "minigrad-saving" in names else "none", "draws")
"""


def in_lab(open_notebook, kind, code, **cells):
    """Run the first cell of a notebook, and return what it shows."""
    lab = open_notebook(step=code, **cells)
    made = kind(lab.run("step").locator(".minigrad"))
    made.root.locator("svg").first.wait_for()
    made.lab = lab
    return made


@pytest.fixture
def stepper(open_notebook):
    return in_lab(
        open_notebook,
        StepperPage,
        PREPARE + RECORD + "s = mg.step(graph, w)\ns",
        ask="print('index', s.index)",
        set="s.index = 2",
        delete="1/0",
        again="s",
    )


@pytest.fixture
def loop(open_notebook):
    """A stepper of so many steps that a file of them takes long."""
    return in_lab(open_notebook, StepperPage, LOOP, other="3 + 4", threads=THREADS)


@pytest.fixture
def nudge(open_notebook):
    return in_lab(
        open_notebook,
        NudgePage,
        PREPARE + RECORD + "n = mg.nudge(graph, w)\nn",
        ask="print(n.values, x.item(), w.item())",
        set="n.move(x=2.0)",
    )


@pytest.fixture
def busy(open_notebook):
    """A stepper in the output of a cell that still runs, so that nothing more can come."""
    lab = open_notebook(step=LOOP.removesuffix("s\n") + DISPLAY + WAIT)
    lab.start("step")
    made = StepperPage(lab.show("step").locator(".minigrad"))
    made.root.locator("svg").wait_for()
    made.lab = lab
    return made


CELLS = {
    "step": PREPARE + RECORD + "s = mg.step(graph, w)\ns",
    "matrices": MATRICES + "mg.step(graph, out)",
    "quiz": PREPARE + RECORD + "q = mg.step(graph, w, predict=True)\nq",
    "nudge": PREPARE + RECORD + "mg.nudge(graph, w)",
    "orders": TWO_ORDERS + "s",
    "network": NETWORK,
    "set": "q.index = 0",
}


@pytest.fixture(scope="class")
def notebook(open_shared):
    return open_shared(**CELLS)


class OneNotebook:
    """Tests that share a notebook: each runs its cell again, which shows a new widget."""

    def new(self, notebook, cell, kind):
        made = kind(notebook.run(cell).locator(".minigrad"))
        made.root.locator("svg").first.wait_for()
        made.lab = notebook
        return made

    @pytest.fixture
    def stepper(self, notebook):
        return self.new(notebook, "step", StepperPage)

    @pytest.fixture
    def matrices(self, notebook):
        return self.new(notebook, "matrices", StepperPage)

    @pytest.fixture
    def quiz(self, notebook):
        return self.new(notebook, "quiz", Quiz)

    @pytest.fixture
    def nudge(self, notebook):
        return self.new(notebook, "nudge", NudgePage)

    @pytest.fixture
    def orders(self, notebook):
        return self.new(notebook, "orders", ComparePage)


class TestItsShortcuts(OneNotebook):
    """Keys that mean something to cells, while the focus is in a widget."""

    def test_slider_and_keys_step_too(self, stepper):
        slider = stepper.root.get_by_role("slider", name="Step")
        slider.focus()
        stepper.page.keyboard.press("ArrowRight")
        stepper.expect_step(2)
        slider.fill("4")
        stepper.expect_step(5)
        assert slider.get_attribute("aria-valuetext").startswith("Step 5 of 5: Backward through")
        stepper.root.locator(".mg-diagram").focus()
        for key, number in [("ArrowLeft", 4), ("Home", 1), ("ArrowRight", 2), ("End", 5)]:
            stepper.page.keyboard.press(key)
            stepper.expect_step(number)
        # letters are shortcuts for cells elsewhere, but not while the stepper has the focus
        cells = stepper.lab.cell_count()
        for key in "abddmxz":
            stepper.page.keyboard.press(key)
        assert stepper.lab.cell_count() == cells
        stepper.expect_step(5)

    def test_a_click_on_the_words_keeps_the_keys_in_the_stepper(self, stepper):
        cells = stepper.lab.cell_count()
        for place in (".mg-explanation p", ".mg-table", ".mg-step"):
            stepper.root.locator(place).last.click()
            stepper.page.keyboard.press("Home")
            stepper.page.keyboard.press("ArrowRight")
            stepper.expect_step(2)
            for key in "ddabx":
                stepper.page.keyboard.press(key)
        assert stepper.lab.cell_count() == cells

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

    def test_keys_typed_into_the_field_of_a_question_step_nothing_and_change_no_cell(self, quiz):
        quiz.press("First question")
        quiz.keyboard.type("12abddx")
        for key in ("ArrowLeft", "Home", "ArrowRight", "End"):
            quiz.keyboard.press(key)
        expect(quiz.field).to_have_value("12abddx")
        quiz.expect_step(3)
        assert quiz.lab.cell_count() == len(CELLS)

    def test_nudging_by_keyboard_changes_no_cell(self, nudge):
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
        assert nudge.lab.cell_count() == len(CELLS)
        nudge.root.get_by_role("button", name="Back to the start").focus()
        nudge.keyboard.press("Enter")
        nudge.expect("15.0", "15.0")
        expect(nudge.field("x")).to_have_value("3")

    def test_comparing_by_keyboard_changes_no_cell(self, orders):
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
        assert orders.lab.cell_count() == len(CELLS)
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


class TestItsThemes(OneNotebook):
    def test_the_colours_follow_the_theme(self, stepper):
        background = "node => getComputedStyle(node).backgroundColor"
        light = stepper.root.evaluate(background)
        stepper.lab.command("apputils:change-theme", theme="JupyterLab Dark")
        expect(stepper.root).to_have_class(re.compile("mg-dark"))
        assert stepper.root.evaluate(background) != light
        stepper.lab.use_theme("JupyterLab Light")
        expect(stepper.root).not_to_have_class(re.compile("mg-dark"))

    def test_axe_finds_nothing_to_complain_about_in_any_of_them(self, matrices):
        matrices.press("End")
        matrices.press("Save…")
        matrices.root.locator('svg [data-key="t0"]').click()
        matrices.page.locator("#jupyterlab-splash").wait_for(state="detached")
        for theme in ("Light", "Dark", "Dark High Contrast"):
            matrices.lab.use_theme(f"JupyterLab {theme}")
            matrices.expect_theme(theme)
            matrices.expect_no_barrier()
        matrices.lab.use_theme("JupyterLab Light")

    def test_a_question_survives_a_change_of_theme_or_from_python(self, quiz):
        quiz.press("First question")
        quiz.field.fill("0.")
        quiz.lab.command("apputils:change-theme", theme="JupyterLab Dark")
        expect(quiz.root).to_have_class("minigrad mg-dark")
        expect(quiz.field).to_have_value("0.")
        quiz.lab.run("set")
        quiz.root = quiz.lab.show("quiz").locator(".minigrad")
        quiz.expect_step(1)
        expect(quiz.root.locator(".mg-quiz")).to_have_count(0)
        quiz.lab.use_theme("JupyterLab Light")


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


class TestItsCells:
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
        page.option("Speed").select_option("fast")
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

    def test_it_is_presented_from_a_cell_and_the_notebook_stays_where_it_was(self, open_notebook):
        lab = open_notebook(
            above="for k in range(60): print(k)",
            step=PREPARE + RECORD + "mg.step(graph, w)",
            below="1",
        )
        for cell in ("above", "below"):
            lab.run(cell)
        stepper = StepperPage(lab.run("step").locator(".minigrad"))
        cells = lab.cell_count()
        stepper.press("Next")
        place = "() => Math.round(document.querySelector('.minigrad').getBoundingClientRect().top)"
        before = lab.page.evaluate(place)
        stepper.press("Present")
        expect(stepper.root).to_have_class("minigrad mg-presenting")
        lab.page.wait_for_function("() => document.fullscreenElement")
        box = stepper.root.bounding_box()
        assert (box["x"], box["y"]) == (0, 0)
        assert [box["width"], box["height"]] == lab.page.evaluate("[innerWidth, innerHeight]")
        for key, number in (("PageDown", 3), ("b", 3), ("a", 3), ("d", 3), ("d", 3), ("PageUp", 2)):
            stepper.keyboard.press(key)
            stepper.expect_step(number)
        stepper.keyboard.press("Escape")
        expect(stepper.root).to_have_class("minigrad")
        expect(stepper.root.get_by_role("button", name="Present")).to_be_focused()
        lab.page.wait_for_function("() => !document.fullscreenElement")
        lab.page.wait_for_function(f"before => Math.abs(({place})() - before) <= 1", arg=before)
        assert lab.cell_count() == cells

    def test_in_a_wide_window_the_panels_stand_beside_the_diagram(self, stepper):
        stepper.page.set_viewport_size({"width": 1800, "height": 900})
        wide = "root => root.querySelector('.mg-side').offsetLeft >= 700"
        stepper.page.wait_for_function(
            "wide => eval(wide)(document.querySelector('.minigrad'))", arg=wide
        )
        side, diagram, root = (
            stepper.root.locator(name).bounding_box()
            for name in (".mg-side", ".mg-diagram", ".mg-stepper")
        )
        assert side["x"] >= diagram["x"] + diagram["width"] - 1
        # as tall as what is in it, and no taller: a line of code, four rows, the order, two nodes
        assert root["height"] < 560

    def test_two_views_of_a_stepper_show_the_same(self, stepper):
        first, lab = stepper, stepper.lab
        second = StepperPage(lab.run("again").locator(".minigrad"))
        second.press("End")
        for view in (first, second):
            view.expect_step(5)
        first = StepperPage(lab.show("step").locator(".minigrad"))
        first.press("Back")
        for view in (first, second):
            view.expect_step(4)
        assert first.picture() == second.picture()

    def test_python_and_the_page_agree_on_the_step(self, stepper):
        stepper.press("Next")
        stepper.press("Next")
        stepper.press("Next")
        expect(stepper.lab.run_until("ask", "index 3")).to_contain_text("index 3")
        stepper.lab.run("set")
        stepper.root = stepper.lab.show("step").locator(".minigrad")
        stepper.expect_step(3)

    @pytest.mark.parametrize("pause", [5, 260])
    def test_steady_clicks_never_jump_back(self, open_notebook, pause):
        # 260 ms is just after the page tells the kernel, whose echo comes with the next click
        lab = open_notebook(
            step=PREPARE + "with graph:\n    for _ in range(12): x = x * y\nmg.step(graph, x)"
        )
        root = lab.run("step").locator(".minigrad")
        seen = lab.page.evaluate(CLICK_STEADILY, [root.element_handle(), pause])
        assert seen == [f"Step {number} of 25" for number in range(1, 26)]

    def test_a_file_of_all_steps_tells_how_far_it_is_and_can_be_stopped(self, loop):
        loop.press("Save…")
        loop.press("PDF pages")
        menu = loop.root.get_by_role("group", name="Save as")
        bar = menu.get_by_role("progressbar")
        expect(bar).to_have_attribute("max", str(LOOP_STEPS))
        expect(menu).to_contain_text(f" of {LOOP_STEPS}")
        loop.expect_no_barrier()
        # meanwhile the kernel is free, and the page too
        assert "7" in loop.lab.run("other").inner_text()
        loop.root = loop.lab.show("step").locator(".minigrad")
        loop.press("Next")
        loop.expect_step(2, LOOP_STEPS)
        loop.open_menu()
        menu.get_by_role("button", name="Stop", exact=True).press("Enter")
        expect(menu).to_contain_text("Stopped; nothing was saved.")
        expect(bar).to_be_hidden()
        expect(loop.root.get_by_role("button", name="Save…")).to_be_focused()
        with loop.page.expect_download() as download:
            loop.press("SVG")
        assert download.value.suggested_filename == "step_2.svg"
        assert download.value.path().read_bytes().startswith(b"<svg")
        expect(menu).to_contain_text("Saved step_2.svg.")
        expect(bar).to_be_hidden()

    def test_running_the_cell_again_ends_the_drawing_of_its_file(self, loop):
        loop.press("Save…")
        loop.press("PDF pages")
        expect(loop.root.get_by_role("progressbar")).to_be_visible()
        loop.lab.run("step")
        expect(loop.lab.run_until("threads", "none")).to_contain_text("none draws")

    def test_while_dragging_one_request_at_a_time_and_the_last_value_wins(self, nudge):
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

    def test_fifty_runs_of_a_cell_leave_nothing_behind(self, open_notebook):
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
        lab.run_often("step", 50)
        lab.run_often("live", 10)
        assert left_behind() == first


class TestABusyKernel:
    def test_it_says_so_shows_what_has_come_and_playing_waits_for_what_is_to_come(self, busy):
        for number in range(2, 41):
            busy.press("Next")
            busy.expect_step(number, LOOP_STEPS)
        expect_box(busy, "n39")
        busy.press("Next")
        message = busy.root.locator(".mg-diagram .mg-message")
        expect(message).to_have_text(
            "Nodes #40 to #79: the kernel is drawing this part of the graph."
        )
        busy.press("Back")
        expect_box(busy, "n39")
        busy.option("Speed").select_option("fast")
        busy.press("Play")
        busy.expect_step(41, LOOP_STEPS)
        expect(message).to_contain_text("does not answer", timeout=20_000)  # many a step later
        busy.expect_step(41, LOOP_STEPS)
        busy.lab.command("notebook:interrupt-kernel")
        expect_box(busy, "n40")
        busy.expect_step(43, LOOP_STEPS)
        busy.press("Pause")

    def test_once_it_is_gone_a_window_says_what_to_do_and_what_has_come_is_shown(self, busy):
        busy.lab.shut_down_kernel()
        go_to(busy, 600)
        message = busy.root.locator(".mg-diagram .mg-message")
        expect(message).to_contain_text("The kernel does not answer", timeout=20_000)
        busy.press("Start")
        expect_box(busy, "n0")
        busy.press("Next")
        assert busy.state("n1") == ["box", "node", "active"]


class TestAKernelThatIsGone(OneNotebook):
    def test_what_needs_it_says_so_and_all_else_goes_on(self, notebook):
        stepper = self.new(notebook, "step", StepperPage)
        network = self.new(notebook, "network", StepperPage)
        nudge = self.new(notebook, "nudge", NudgePage)
        orders = self.new(notebook, "orders", ComparePage)
        quiz = self.new(notebook, "quiz", Quiz)
        nudge.expect("15.0", "15.0")
        notebook.shut_down_kernel()
        # all ask before any of them has waited long enough to say so
        notebook.show("step")
        stepper.press("Save…")
        stepper.press("SVG")
        notebook.show("network")
        network.root.locator("svg").get_by_role("button", name="Open ▸ layer 2").click()
        notebook.show("nudge")
        nudge.field("x").fill("5")
        notebook.show("step")
        stepper.open_menu()
        menu = stepper.root.get_by_role("group", name="Save as")
        expect(menu).to_contain_text("The kernel does not answer", timeout=20_000)
        said = network.root.locator(".mg-notices [role=status]").first
        expect(said).to_contain_text("The kernel does not answer", timeout=20_000)
        expect(nudge.root.get_by_role("status")).to_contain_text("does not answer", timeout=20_000)
        notebook.show("network")
        network.press("Next")
        expect(network.root.locator(".mg-step")).to_have_text("Steps 4–6 of 21")
        notebook.show("orders")
        orders.press("End")
        orders.expect_step(6, 6)
        expect(orders.verdict).to_contain_text("8.0 on the right")
        notebook.show("quiz")
        quiz.press("First question")
        quiz.answer("1")
        quiz.go_on()
        quiz.answer("5")
        expect(quiz.score).to_contain_text("2 of 2 at the first try.")
