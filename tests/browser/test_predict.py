"""Predict mode beside a kernel and in an exported page: asked, answered, counted."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.quiz import Quiz
from browser.stepper_page import PREPARE, RECORD, stepper_in
from playwright.sync_api import expect

import minigrad as mg

DOUBLED = """
import minigrad as mg
a = mg.Tensor(1.0, requires_grad=True)
graph = mg.ComputationGraph()
with graph:
    b = a + a
    c = b + b
"""
THEMES = ["Light", "Dark", "Dark High Contrast"]


@pytest.fixture
def quiz(host):
    return stepper_in(host, PREPARE + RECORD + "mg.step(graph, w, predict=True)", Quiz)


@pytest.fixture
def doubled(host):
    return stepper_in(host, DOUBLED + "mg.step(graph, c, predict=True)", Quiz)


class TestTheRunningExample:
    def test_by_keyboard_with_a_mistake_and_the_missed_one_again(self, quiz):
        quiz.root.get_by_role("button", name="Next", exact=True).focus()
        quiz.keyboard.press("Enter")
        quiz.keyboard.press("ArrowRight")
        quiz.expect_step(3)
        quiz.keyboard.press("ArrowRight")
        expect(quiz.question).to_have_text(
            "Next is node #1 add, w = z + x, with gradient 1.0. What does it pass on to x?"
        )
        quiz.expect_step(3)
        quiz.answer("1")
        quiz.expect_step(4)
        expect(quiz.lead).to_have_text("✓ Right. It passes 1.0 on to x.")
        expect(quiz.root.locator(".mg-explanation")).to_contain_text("Backward through node #1")
        expect(quiz.root.get_by_role("button", name="Next", exact=True)).to_be_focused()
        while not quiz.question.count():
            quiz.keyboard.press("Enter")
        expect(quiz.question).to_contain_text("x.grad is 1.0 so far; what will it be")
        quiz.answer("4")
        expect(quiz.feedback).to_have_text(
            "✗ Not yet. That is only the new part; x.grad is 1.0 already, and the new part is "
            "added to it. 2 more tries."
        )
        quiz.expect_step(4)
        quiz.answer("5.00001")
        quiz.expect_step(5)
        expect(quiz.score).to_be_focused()
        expect(quiz.score).to_contain_text("1 of 2 at the first try. Missed: x.grad after node #0.")
        quiz.keyboard.press("Tab")
        quiz.keyboard.press("Enter")
        quiz.expect_step(4)
        quiz.answer("5")
        quiz.expect_step(5)
        expect(quiz.score).to_contain_text("1 of 2 at the first try. By now, all of them.")
        quiz.host.wait_until(lambda: quiz.widget.index == 4)

    def test_by_mouse_with_the_answer_shown_after_three_tries(self, quiz):
        quiz.press("First question")
        quiz.expect_step(3)
        for given, said in (
            ("3", "✗ Not yet. That is the value of x; the question is about a gradient. 2 more"),
            ("0", "✗ Not yet. w was computed from x, so something is passed on to it. 1 more try."),
            ("9", "local derivative of w = z + x for x. Answer: It passes 1.0 on to x."),
        ):
            quiz.field.fill(given)
            quiz.press("Check")
            expect(quiz.feedback).to_contain_text(said)
        expect(quiz.field).to_be_disabled()
        expect(quiz.root.get_by_role("button", name="Check")).to_be_hidden()
        quiz.press("Show the step")
        quiz.expect_step(4)
        expect(quiz.lead).to_have_text("○ Shown. It passes 1.0 on to x.")
        quiz.go_on()
        quiz.press("Show me")
        quiz.expect_step(5)
        expect(quiz.score).to_contain_text(
            "0 of 2 at the first try. Missed: what node #1 passes on to x; x.grad after node #0."
        )
        quiz.press("Ask the missed ones again")
        expect(quiz.question).to_contain_text("What does it pass on to x?")
        quiz.answer("1")
        expect(quiz.score).to_have_text("")
        quiz.go_on()
        expect(quiz.question).to_contain_text("x.grad is 1.0 so far")
        quiz.answer("3")
        expect(quiz.feedback).to_contain_text("A product passes on the other factor")
        quiz.answer("5")
        expect(quiz.score).to_contain_text("0 of 2 at the first try. Missed: x.grad after node #0.")
        quiz.press("Ask all again")
        quiz.expect_step(3)
        expect(quiz.question).to_contain_text("What does it pass on to x?")


class TestBothUsesOfOneTensor:
    def test_right_and_wrong(self, doubled):
        doubled.press("First question")
        doubled.answer("1")
        expect(doubled.feedback).to_contain_text(
            "c uses b twice, and along each edge it passes on c.grad = 1.0 times the local"
        )
        doubled.answer("2")
        doubled.go_on()
        expect(doubled.question).to_have_text(
            "Next is node #0 add, b = a + a, with gradient 2.0. a.grad is still empty; what will "
            "it be after this step?"
        )
        doubled.answer("2")
        expect(doubled.feedback).to_contain_text("b uses a twice")
        doubled.answer("-4")
        expect(doubled.feedback).to_contain_text("Mind the sign")
        doubled.answer("4")
        doubled.expect_step(5)
        expect(doubled.score).to_contain_text("0 of 2 at the first try.")

    def test_edge_by_edge_it_asks_for_nodes_too(self, doubled):
        doubled.option("How much is one step").select_option("edge")
        doubled.press("First question")
        expect(doubled.question).to_have_text("Which node is visited first?")
        choices = doubled.root.get_by_role("radio")
        expect(choices.first).to_be_focused()
        doubled.keyboard.press("Enter")
        expect(doubled.feedback).to_contain_text("Choose a node and press Enter")
        doubled.keyboard.press("Space")
        doubled.keyboard.press("Enter")
        expect(doubled.feedback).to_contain_text(
            "✗ Not yet. That is too early: #1 uses b and must be visited before it. 2 more tries."
        )
        doubled.keyboard.press("ArrowDown")
        expect(choices.last).to_be_checked()
        doubled.expect_step(3, 7)
        doubled.keyboard.press("Enter")
        doubled.expect_step(4, 7)
        expect(doubled.lead).to_have_text("✓ Right. Node #1 add comes first.")
        doubled.go_on()
        doubled.answer("2")
        doubled.go_on()
        doubled.root.get_by_text("#0 add, b = a + a").click()
        doubled.press("Check")
        doubled.go_on()
        doubled.answer("4")
        expect(doubled.score).to_contain_text(
            "3 of 4 at the first try. Missed: which node comes first."
        )


class TestBesideTheQuestions:
    def test_of_two_views_each_has_its_own_questions(self, host):
        views = host.show(host.run(PREPARE + RECORD + "mg.step(graph, w, predict=True)"), views=2)
        first, second = (Quiz(views.nth(k)) for k in (0, 1))
        second.press("First question")
        expect(second.question).to_be_visible()
        first.press("Next")
        expect(first.question).to_be_visible()
        first.answer("1")
        for page in (first, second):
            page.expect_step(4)
            expect(page.question).to_have_count(0)
        second.press("Next")
        second.answer("5")
        first.expect_step(5)
        expect(second.score).to_contain_text("1 of 1 at the first try.")

    def test_predict_stays_on_when_a_group_is_opened(self, host):
        quiz = stepper_in(
            host,
            PREPARE
            + "with graph:\n    with graph.scope('s'):\n        z = x * y + x\n    w = z * x\n"
            "mg.step(graph, w, fold=True)",
            Quiz,
        )
        quiz.press("Predict")
        quiz.widget.unfold()
        toggle = quiz.root.get_by_role("button", name="Predict", exact=True)
        expect(toggle).to_have_attribute("aria-pressed", "true")
        expect(quiz.root.locator('svg [data-key="n0"]')).to_be_visible()

    def test_play_stops_for_a_question(self, quiz):
        quiz.option("Speed").select_option("fast")
        quiz.press("Play")
        expect(quiz.question).to_be_visible(timeout=20_000)
        expect(quiz.root.get_by_role("button", name="Play", exact=True)).to_be_visible()
        expect(quiz.field).to_be_focused()
        quiz.expect_step(3)


def test_axe_finds_nothing_to_complain_about(quiz):
    def look():
        for theme in THEMES:
            quiz.host.use_theme(theme)
            quiz.expect_theme(theme)
            quiz.expect_no_barrier()

    quiz.option("How much is one step").select_option("edge")
    quiz.press("First question")
    look()
    quiz.press("Show me")
    quiz.go_on()
    for _ in range(2):
        quiz.answer("3")
    look()
    quiz.answer("3")
    look()
    quiz.press("Show the step")
    quiz.go_on()
    quiz.press("Show me")
    quiz.go_on()
    quiz.press("Show me")
    expect(quiz.score).to_contain_text("0 of 4 at the first try.")
    look()


@pytest.fixture
def open_quiz(browser, tmp_path):
    """Open an exported page with the network off."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_offline(True)
    troubles = []

    def open_(stepper, **options):
        path = stepper.export(tmp_path / "quiz.html", overwrite=True, **options)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda asked: asked.url == path.as_uri() or troubles.append(asked.url))
        page.goto(path.as_uri())
        return Quiz(page.locator(".minigrad"))

    yield open_
    context.close()
    assert troubles == []


@pytest.fixture
def offline(open_quiz, running):
    """The running example as a quiz without a notebook, which is there sooner."""
    return open_quiz(mg.step(running.graph, running.w), predict=True)


class TestTheExportedPage:
    def test_a_quiz_offline_by_keyboard_from_the_start(self, open_quiz, running):
        quiz = open_quiz(mg.step(running.graph, running.w), predict=True)
        for _ in range(3):
            quiz.keyboard.press("ArrowRight")
        expect(quiz.question).to_contain_text("What does it pass on to x?")
        quiz.answer("15")
        expect(quiz.feedback).to_contain_text("That is the value of w")
        quiz.answer("1")
        while not quiz.question.count():
            quiz.keyboard.press("Enter")
        quiz.answer("5")
        quiz.expect_step(5)
        expect(quiz.score).to_contain_text(
            "1 of 2 at the first try. Missed: what node #1 passes on to x."
        )
        quiz.keyboard.press("Tab")
        quiz.keyboard.press("Enter")
        quiz.answer("1")
        quiz.expect_step(4)
        expect(quiz.score).to_contain_text("By now, all of them.")
        found = Axe().run(quiz.root.page)
        assert found.violations_count == 0, found.generate_report()

    def test_it_asks_only_if_it_is_to_or_the_stepper_does(self, open_quiz, running):
        plain, asking = (mg.step(running.graph, running.w, predict=p) for p in (False, True))
        for stepper, options, pressed in (
            (plain, {}, "false"),
            (asking, {}, "true"),
            (asking, {"predict": False}, "false"),
        ):
            quiz = open_quiz(stepper, **options)
            toggle = quiz.root.get_by_role("button", name="Predict", exact=True)
            expect(toggle).to_have_attribute("aria-pressed", pressed)

    def test_a_fragment_asks_too(self, open_quiz, running):
        quiz = open_quiz(mg.step(running.graph, running.w), predict=True, fragment=True)
        quiz.press("First question")
        quiz.answer("1")
        quiz.expect_step(4)

    def test_over_a_folded_group_it_steps_at_once(self, open_quiz):
        graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True, name="x")
        with graph:
            with graph.scope("square"):
                h = x * x + x
            w = h * x + x
        stepper = mg.step(graph, w, fold=True, variables={"h": h, "w": w})
        quiz = open_quiz(stepper, predict=True)
        quiz.press("First question")
        quiz.answer("1")
        quiz.go_on()
        expect(quiz.question).to_contain_text("x.grad is 1.0 so far")
        quiz.answer("12")
        expect(quiz.feedback).to_contain_text("only the new part")
        quiz.answer("13")
        quiz.go_on()
        expect(quiz.root.locator(".mg-step")).to_have_text("Steps 8–9 of 9")
        expect(quiz.score).to_contain_text("1 of 2 at the first try.")
        quiz.press("Ask the missed ones again")
        quiz.answer("13")
        expect(quiz.score).to_contain_text("By now, all of them.")

    def test_a_wrong_order_is_asked_as_it_happens(self, open_quiz):
        made = {}
        exec(DOUBLED, made)
        stepper = mg.step(made["graph"], made["c"], order=[1, 0, 0], variables=made)
        quiz = open_quiz(stepper, predict=True)
        quiz.press("First question")
        quiz.answer("2")
        quiz.go_on()
        quiz.answer("4")
        quiz.go_on()
        expect(quiz.question).to_contain_text("b = a + a, once more, with gradient 2.0")
        quiz.answer("4")
        expect(quiz.feedback).to_contain_text("passes its gradient on in each of its visits")
        quiz.answer("8")
        expect(quiz.score).to_contain_text("2 of 3 at the first try. Missed: a.grad after node #0.")


class TestNumbers:
    @pytest.mark.parametrize(
        ("given", "is_right"),
        [
            ("5,0", True),
            (" 10/2 ", True),
            ("+.5e1", True),
            ("0,5e1", True),
            ("5,001", False),
            ("five", False),
            ("1/0", False),
            ("1 + 4", False),
            ("", False),
        ],
    )
    def test_what_counts_as_a_number(self, offline, given, is_right):
        offline.press("First question")
        offline.answer("1,0")
        offline.go_on()
        offline.answer(given)
        if not is_right:
            told = "That is no number. Write it like" if given else "Type a number and press Enter"
            expect(offline.feedback).to_contain_text(told)
            expect(offline.field).to_be_focused()
            offline.answer("5")  # and it is still the first try
        expect(offline.score).to_contain_text("2 of 2 at the first try.")

    def test_minus_signs_of_all_kinds(self, offline):
        offline.press("First question")
        for given in ("-1", "−1", "–1.0"):
            offline.answer(given)
            expect(offline.feedback).to_contain_text("Mind the sign: if x grows, w grows.")
            if offline.field.is_enabled():
                offline.field.fill("")


class TestNothingElseAsks:
    def test_back_jumps_the_slider_and_the_end_do_not(self, offline):
        offline.press("End")
        offline.expect_step(5)
        offline.press("Back")
        offline.expect_step(4)
        offline.root.get_by_role("slider", name="Step").focus()
        offline.keyboard.press("ArrowLeft")
        offline.keyboard.press("ArrowRight")
        offline.expect_step(4)
        expect(offline.question).to_have_count(0)
        offline.press("Next")
        offline.answer("5")
        expect(offline.score).to_contain_text("1 of 1 at the first try.")

    def test_what_comes_next_is_not_given_away(self, offline):
        order = offline.root.get_by_role("list", name="Backward order")
        expect(order.get_by_text("#0 mul")).to_be_hidden()
        offline.press("Predict")
        expect(order.get_by_text("#0 mul")).to_be_visible()

    def test_without_predict_there_are_no_questions(self, open_quiz, running):
        quiz = open_quiz(mg.step(running.graph, running.w))
        for step in range(2, 6):
            quiz.press("Next")
            quiz.expect_step(step)
        toggle = quiz.root.get_by_role("button", name="Predict", exact=True)
        expect(toggle).to_have_attribute("aria-pressed", "false")
        toggle.click()
        expect(toggle).to_have_attribute("aria-pressed", "true")
        quiz.press("First question")
        quiz.expect_step(3)

    def test_large_graphs_have_no_button_for_it(self, open_quiz, running):
        w = running.w
        with running.graph:
            for _ in range(59):
                w = w * running.y
        quiz = open_quiz(mg.step(running.graph, w))
        quiz.expect_step(1, 123)
        expect(quiz.root.get_by_role("button", name="Predict", exact=True)).to_have_count(0)


class TestTryingToBreakIt:
    def test_two_presses_of_enter_do_not_skip_the_explanation(self, offline):
        offline.press("First question")
        offline.field.fill("1")
        offline.field.evaluate(
            """field => {
                const root = field.closest(".minigrad");
                const press = { key: "Enter", bubbles: true, cancelable: true };
                field.dispatchEvent(new KeyboardEvent("keydown", press));
                root.querySelector(".mg-primary").click();
            }"""
        )
        offline.expect_step(4)
        expect(offline.question).to_have_count(0)

    def test_next_waits_for_an_answer(self, offline):
        offline.press("First question")
        for _ in range(3):
            offline.press("Next")
            expect(offline.feedback).to_contain_text("Type a number and press Enter, or press")
            expect(offline.field).to_be_focused()
        offline.answer("1")
        offline.go_on()
        offline.answer("5")
        expect(offline.score).to_contain_text("2 of 2 at the first try.")

    def test_back_and_another_order_close_a_question_without_counting_it(self, offline):
        offline.press("First question")
        offline.answer("7")
        offline.press("Back")
        offline.expect_step(2)
        expect(offline.question).to_have_count(0)
        expect(offline.root.locator(".mg-explanation")).to_contain_text("Recording node #1")
        offline.press("Next")
        offline.press("Next")
        offline.option("Order of the backward pass").select_option("append")
        expect(offline.question).to_have_count(0)
        offline.press("Predict")
        expect(offline.score).to_have_text("")
        offline.press("Predict")
        offline.press("First question")
        offline.answer("1")
        offline.go_on()
        offline.answer("5")
        expect(offline.score).to_contain_text("2 of 2 at the first try.")
