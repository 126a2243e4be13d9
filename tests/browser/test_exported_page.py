"""The exported page: offline, without a kernel, whatever the names in it, and in other pages."""

import pytest
from awkward import AWKWARD_NAMES
from axe_playwright_python.sync_playwright import Axe
from browser.stepper_page import StepperPage
from playwright.sync_api import expect

import minigrad as mg

HOST = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Slides</title><style>
button, table, h3 {{ font-size: 60px; text-transform: uppercase; background: red; }}
</style></head><body>{fragments}<script>
window.keys = [];
document.addEventListener("keydown", (event) => window.keys.push(event.key));
</script></body></html>"""


@pytest.fixture
def open_offline(browser, tmp_path):
    """Open a file with the network off; nothing may be asked for, and no script may fail."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_offline(True)
    troubles = []

    def open_(path):
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda told: troubles.append(told.text) if told.type == "error" else 0)
        page.on("dialog", lambda dialog: (troubles.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda asked: asked.url == path.as_uri() or troubles.append(asked.url))
        page.goto(path.as_uri())
        return page

    yield open_
    context.close()
    assert troubles == []


@pytest.fixture
def exported(running, tmp_path):
    def export(**options):
        stepper = mg.step(running.graph, running.w)
        return stepper.export(tmp_path / "w.html", overwrite=True, **options)

    return export


def test_it_steps_to_the_end_by_keyboard_and_back(exported, open_offline):
    page = open_offline(exported())
    stepper = StepperPage(page.locator(".minigrad"))
    stepper.expect_step(1)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    stepper.expect_step(5)
    assert stepper.box("t0") == ["x leaf", "value 3.0", "grad 1.0 + 4.0 = 5.0"]
    assert stepper.gradients()["x"] == ("1.0", "5.0")
    page.keyboard.press("ArrowRight")
    stepper.expect_step(5)
    page.keyboard.press("Home")
    stepper.expect_step(1)
    assert stepper.box("t0") == ["x leaf", "value 3.0", "grad —"]


def test_its_buttons_work_and_what_needs_a_kernel_is_not_there(exported, open_offline):
    page = open_offline(exported(step=2))
    stepper = StepperPage(page.locator(".minigrad"))
    stepper.expect_step(3)
    stepper.press("Next")
    stepper.expect_step(4)
    stepper.press("End")
    stepper.expect_step(5)
    stepper.open_menu()
    expect(stepper.root.get_by_role("button", name="Save")).to_have_count(0)
    stepper.option("How much is one step").select_option("edge")
    stepper.press("End")
    stepper.expect_step(7, 7)
    stepper.root.locator('svg [data-key="n0"]').click()
    expect(stepper.root.locator(".mg-inspector")).to_contain_text("made by node #0")


def test_it_tells_why_a_gradient_is_what_it_is(exported, open_offline):
    page = open_offline(exported())
    page.get_by_role("button", name="Inspect x").click()
    page.get_by_role("button", name="Why this gradient?").click()
    paths = page.get_by_role("list", name="Paths").get_by_role("button")
    expect(paths).to_have_text(["x → #0 → #1: y · 1 = 4.0 · 1 = 4.0", "x → #1: 1 = 1.0"])
    expect(paths.nth(0)).to_be_focused()
    page.keyboard.press("Tab")
    lit = page.locator("svg [data-lit]").all()
    assert {group.get_attribute("data-key") for group in lit} == {"t0", "e3", "n1"}
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.keyboard.press("Escape")
    expect(page.locator("svg [data-lit]")).to_have_count(0)


@pytest.mark.parametrize(("theme", "colour"), [("light", "255, 255, 255"), ("dark", "22, 25, 29")])
def test_it_has_the_theme_it_was_given_whatever_the_reader_likes(
    exported, open_offline, theme, colour
):
    page = open_offline(exported(theme=theme))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        root = page.locator(".minigrad")
        assert ("mg-dark" in root.get_attribute("class").split()) == (theme == "dark")
        assert colour in root.evaluate("node => getComputedStyle(node).backgroundColor")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", [*AWKWARD_NAMES, "<!--<script>", "]]>", "\u2028"])
def test_a_name_is_shown_and_runs_nothing(named, open_offline, tmp_path, name):
    page = open_offline(mg.step(named(name)).export(tmp_path / "w.html"))
    root = page.locator(".minigrad")
    expect(root.locator(".mg-step")).to_have_text("Step 1 of 3")
    assert page.locator("img, iframe").count() == 0
    told = "".join(root.locator('[data-key="t0"] text').all_text_contents())
    for part in name.split("\n"):
        expected = "".join(part.split())
        assert (expected if len(name) <= 16 else expected[:8]) in "".join(told.split())


def test_without_scripts_it_shows_the_last_step(exported, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(exported().as_uri())
    expect(page.locator("svg")).to_be_visible()
    assert "1.0 + 4.0 = 5.0" in page.locator("svg").text_content().replace("\xa0", " ")
    context.close()


class TestItsAddress:
    @pytest.fixture
    def at(self, exported, open_offline):
        """Open the page at an address, and go to others."""
        page = open_offline(exported())

        def go(after):
            page.evaluate("hash => { location.hash = hash; }", after)
            return StepperPage(page.locator(".minigrad"))

        return go

    def test_it_opens_at_the_step_in_it(self, exported, browser):
        page = browser.new_page()
        page.goto(exported(step=1).as_uri() + "#step=4")
        stepper = StepperPage(page.locator(".minigrad"))
        stepper.expect_step(4)
        stepper.press("Back")
        stepper.expect_step(3)
        page.close()

    def test_it_follows_it_and_keeps_to_the_steps_there_are(self, at):
        for after, number in [
            ("step=4", 4),
            ("step=99", 5),
            ("step=-3", 1),
            ("step=2&zoom=1.5", 2),
        ]:
            at(after).expect_step(number)

    def test_what_makes_no_sense_moves_nothing(self, at):
        stepper = at("step=3")
        for after in ("step=four", "step=", "results", "zoom=x&at=<b>", "%"):
            at(after).expect_step(3)
        stepper.press("Next")
        stepper.expect_step(4)

    def test_a_link_to_the_step_is_put_there_and_told(self, at):
        stepper = at("step=2")
        stepper.press("Next")
        stepper.press("Link to this step")
        told = stepper.root.locator(".mg-notices")
        expect(told).to_contain_text("The link is")
        assert stepper.page.evaluate("location.hash").startswith("#step=3")
        stepper.expect_step(3)

    def test_a_remote_steps_whatever_has_the_focus(self, at):
        stepper = at("")
        stepper.keyboard.press("PageDown")
        stepper.expect_step(2)
        stepper.root.get_by_role("slider").focus()
        stepper.keyboard.press("PageDown")
        stepper.expect_step(3)
        stepper.keyboard.press("PageUp")
        stepper.expect_step(2)

    def test_it_is_presented_inside_of_its_shadow_tree(self, at):
        stepper = at("step=2")
        stepper.press("Present")
        expect(stepper.root).to_have_class("minigrad mg-presenting")
        stepper.page.wait_for_function("() => document.fullscreenElement")
        stepper.keyboard.press("PageDown")
        stepper.expect_step(3)
        stepper.open_menu()
        stepper.keyboard.press("Escape")
        stepper.keyboard.press("Escape")
        expect(stepper.root).to_have_class("minigrad")
        expect(stepper.root.get_by_role("button", name="Present")).to_be_focused()


class TestFragments:
    @pytest.fixture
    def two(self, running, dead_node, tmp_path, open_offline):
        texts = []
        for number, one in enumerate((running, dead_node)):
            path = tmp_path / f"{number}.html"
            mg.step(one.graph, one.w).export(path, fragment=True)
            texts.append(path.read_text(encoding="utf-8"))
        assert not any("<html" in text for text in texts)
        page_file = tmp_path / "slides.html"
        page_file.write_text(HOST.format(fragments="\n".join([*texts, texts[0]])), encoding="utf-8")
        return open_offline(page_file)

    def test_several_on_one_page_do_not_clash(self, two):
        steppers = [StepperPage(two.locator(".minigrad").nth(number)) for number in range(3)]
        expect(two.locator(".minigrad")).to_have_count(3)
        steppers[1].press("End")
        steppers[0].expect_step(1)
        steppers[1].expect_step(6, 6)
        steppers[2].press("Next")
        steppers[0].expect_step(1)
        steppers[2].expect_step(2)
        assert "q (#1)" in steppers[1].gradients()
        assert "q (#1)" not in steppers[0].gradients()

    def test_nothing_asks_for_another_picture_which_only_a_kernel_can_draw(self, two):
        expect(two.get_by_text("#1 sub")).not_to_have_count(0)  # whose 1.0 stands in its box
        expect(two.get_by_role("button", name="Numbers as boxes")).to_have_count(0)

    def test_keys_that_step_are_not_taken_by_the_slides_too(self, two):
        two.locator(".mg-diagram").first.focus()
        two.keyboard.press("ArrowRight")
        StepperPage(two.locator(".minigrad").first).expect_step(2)
        two.keyboard.press("Escape")
        assert two.evaluate("window.keys") == ["Escape"]

    def test_they_leave_the_address_of_the_slides_alone(self, two):
        two.evaluate("() => { location.hash = 'step=3'; }")
        stepper = StepperPage(two.locator(".minigrad").first)
        stepper.open_menu()
        expect(stepper.menu.get_by_role("button", name="Link")).to_have_count(0)
        stepper.expect_step(1)
        stepper.root.locator(".mg-diagram").focus()
        two.keyboard.press("PageDown")
        stepper.expect_step(1)

    def test_the_styles_of_the_page_stay_outside(self, two):
        button = two.locator(".minigrad").first.get_by_role("button", name="Next", exact=True)
        assert button.evaluate("node => getComputedStyle(node).fontSize") == "15px"
        assert button.evaluate("node => getComputedStyle(node).textTransform") == "none"
