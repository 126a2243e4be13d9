"""The row of controls, and the menu of what is rare."""

import pytest
from browser.stepper_page import PREPARE, RECORD, StepperPage, stepper_in
from playwright.sync_api import expect

# window and, in it, the widget
WIDTHS = {1400: 968, 1072: 640, 852: 420}
COMMON = ["Start", "Back", "Next", "End", "Play", "Predict", "Fit", "Present", "More"]


@pytest.fixture
def stepper(host):
    return stepper_in(host, PREPARE + RECORD + "mg.step(graph, w)")


def button(stepper, name):
    return stepper.root.get_by_role("button", name=name, exact=True)


def height_of_row(stepper):
    return stepper.root.locator(".mg-bar").bounding_box()["height"]


@pytest.mark.parametrize("width", [1400, 1072])
def test_what_is_common_is_in_one_row(stepper, width):
    stepper.page.set_viewport_size({"width": width, "height": 900})
    assert stepper.root.bounding_box()["width"] == WIDTHS[width]
    for name in COMMON:
        expect(button(stepper, name)).to_be_in_viewport(ratio=1)
    expect(stepper.root.get_by_role("slider", name="Step")).to_be_visible()
    expect(stepper.root.locator(".mg-step")).to_have_text("Step 1 of 5")
    assert height_of_row(stepper) <= 48


def test_where_there_is_less_room_more_is_in_the_menu_and_comes_back(stepper):
    stepper.page.set_viewport_size({"width": 980, "height": 900})  # 548 px for the widget
    expect(button(stepper, "Present")).to_be_hidden()
    assert height_of_row(stepper) <= 48
    stepper.open_menu()
    expect(stepper.menu.get_by_role("button", name="Present")).to_be_visible()
    stepper.page.set_viewport_size({"width": 1400, "height": 900})
    expect(button(stepper, "Present")).to_be_visible()
    expect(stepper.menu.get_by_role("button", name="Present")).to_have_count(0)


def test_on_a_phone_there_are_two_rows_at_most(stepper):
    stepper.page.set_viewport_size({"width": 852, "height": 900})
    assert stepper.root.bounding_box()["width"] == WIDTHS[852]
    assert height_of_row(stepper) <= 96
    for name in ("Start", "Back", "Next", "End", "Play", "More"):
        expect(button(stepper, name)).to_be_visible()


def test_long_numbers_of_steps_stay_in_the_row(host):
    code = PREPARE + "h = x\nwith graph:\n    for _ in range(300):\n        h = h + y\n"
    stepper = stepper_in(host, code + "mg.step(graph, h)")
    stepper.page.set_viewport_size({"width": 1072, "height": 900})
    stepper.press("End")
    expect(stepper.root.locator(".mg-step")).to_contain_text("of 601")
    expect(button(stepper, "More")).to_be_in_viewport(ratio=1)
    assert height_of_row(stepper) <= 48


class TestTheMenu:
    def test_it_opens_over_the_picture_and_moves_nothing(self, stepper):
        picture = stepper.root.locator(".mg-diagram svg")
        before = picture.bounding_box()
        expect(button(stepper, "More")).to_have_attribute("aria-expanded", "false")
        stepper.open_menu()
        expect(button(stepper, "More")).to_have_attribute("aria-expanded", "true")
        assert picture.bounding_box() == before
        for name in ("Order of the backward pass", "How much is one step", "Speed"):
            expect(stepper.menu.get_by_label(name)).to_be_in_viewport(ratio=1)

    def test_it_is_not_cut_off_by_a_low_widget_nor_by_the_window(self, stepper):
        stepper.root.evaluate("root => { root.style.maxHeight = '90px'; }")
        stepper.open_menu()
        save = button(stepper, "Save…")
        expect(save).to_be_in_viewport(ratio=1)
        bottom = save.bounding_box()["y"]
        assert bottom > stepper.root.bounding_box()["y"] + 90
        stepper.keyboard.press("Escape")
        stepper.page.set_viewport_size({"width": 1400, "height": 420})
        stepper.page.evaluate("scrollTo(0, 0)")  # the row at 290 px: there is more room above
        stepper.open_menu()
        place = stepper.menu.bounding_box()
        assert place["y"] >= 0
        assert place["y"] + place["height"] <= button(stepper, "More").bounding_box()["y"]

    def test_it_stays_at_its_button_when_the_page_is_scrolled(self, stepper):
        stepper.open_menu()
        gap = """root => {
            const of = (name) => root.querySelector(name).getBoundingClientRect();
            return of(".mg-menu").top - of("[aria-label=More]").bottom;
        }"""
        before = stepper.root.evaluate(gap)
        stepper.page.mouse.wheel(0, 100)
        stepper.page.wait_for_function("scrollY > 90")
        stepper.page.wait_for_timeout(50)
        assert stepper.root.evaluate(gap) == pytest.approx(before, abs=1)

    def test_a_press_beside_it_closes_it_and_is_heard(self, stepper):
        stepper.open_menu()
        button(stepper, "Next").click()
        expect(stepper.menu).to_be_hidden()
        stepper.expect_step(2)

    def test_by_keyboard_alone(self, stepper):
        keyboard = stepper.keyboard
        button(stepper, "Present").focus()
        keyboard.press("Tab")
        expect(button(stepper, "More")).to_be_focused()
        keyboard.press("Tab")  # closed, nothing in it is reached
        assert stepper.menu.evaluate("menu => !menu.contains(document.activeElement)")
        keyboard.press("Shift+Tab")
        keyboard.press("ArrowRight")
        stepper.expect_step(2)
        keyboard.press("Enter")
        keyboard.press("Tab")
        expect(stepper.root.get_by_label("Order of the backward pass")).to_be_focused()
        keyboard.press("ArrowDown")  # chooses, and does not step
        expect(stepper.root.get_by_label("Order of the backward pass")).to_have_value("append")
        stepper.expect_step(2)
        keyboard.press("Escape")
        expect(stepper.menu).to_be_hidden()
        expect(button(stepper, "More")).to_be_focused()

    def test_it_closes_when_the_focus_goes_on(self, stepper):
        stepper.open_menu()
        button(stepper, "Save…").focus()
        stepper.keyboard.press("Tab")
        expect(stepper.menu).to_be_hidden()

    def test_each_view_has_its_own(self, host):
        views = host.show(host.run(PREPARE + RECORD + "mg.step(graph, w)"), views=2)
        first, second = (StepperPage(views.nth(k)) for k in (0, 1))
        first.open_menu()
        expect(second.menu).to_be_hidden()
        second.open_menu()
        expect(first.menu).to_be_hidden()

    @pytest.mark.parametrize("theme", ["Light", "Dark", "Dark High Contrast"])
    def test_axe_finds_nothing_in_it(self, stepper, theme):
        stepper.host.use_theme(theme)
        stepper.open_menu()
        stepper.press("Save…")
        stepper.expect_no_barrier()

    def test_where_the_system_chooses_the_colours_it_has_an_edge(self, stepper):
        stepper.page.emulate_media(forced_colors="active")
        stepper.open_menu()
        expect(stepper.menu).to_have_css("border-top-style", "solid")
        stepper.expect_no_barrier()
        stepper.page.emulate_media(forced_colors="none")
