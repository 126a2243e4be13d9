"""The full screen, for a lecture hall."""

import pytest
from browser.compare_page import TWO_ORDERS, ComparePage
from browser.stepper_page import PREPARE, RECORD, stepper_in
from playwright.sync_api import expect

REFUSE = "() => { Element.prototype.requestFullscreen = () => Promise.reject(new TypeError()); }"
FILLS = """root => {
    const { x, y, width, height } = root.getBoundingClientRect();
    const at = [[1, 1], [innerWidth - 2, innerHeight - 2]];
    return x === 0 && y === 0 && width === innerWidth && height === innerHeight
        && at.every((place) => root.contains(document.elementFromPoint(...place)));
}"""


@pytest.fixture(params=["full screen", "window"])
def stepper(host, request):
    """Return a stepper in a page that may use the full screen, and in one that may not."""
    if request.param == "window":
        host.page.evaluate(REFUSE)
    yield stepper_in(host, PREPARE + RECORD + "mg.step(graph, w)")
    host.page.evaluate("() => document.fullscreenElement && document.exitFullscreen()")


def start(page):
    page.press("Present")
    expect(page.root).to_have_class("minigrad mg-presenting")
    page.page.wait_for_function(f"() => ({FILLS})(document.querySelector('.mg-presenting'))")


def present(page):
    return page.root.get_by_role("button", name="Present", exact=True)


def test_it_fills_the_screen_with_large_words_and_a_slim_row(stepper):
    stepper.page.set_viewport_size({"width": 1920, "height": 1080})
    start(stepper)
    expect(present(stepper)).to_have_attribute("aria-pressed", "true")
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    for words in (".mg-explanation [aria-live] p", ".mg-explanation [aria-live] code", ".mg-step"):
        assert stepper.root.locator(words).first.evaluate(size) >= 24
    assert stepper.root.locator(".mg-table td").first.evaluate(size) >= 20
    assert stepper.root.locator(".mg-bar").bounding_box()["height"] <= 1080 * 0.07
    words = stepper.root.locator(".mg-explanation").bounding_box()
    assert words["y"] + words["height"] <= 1080
    stepper.expect_no_barrier()


def test_it_steps_by_arrows_and_by_a_remote_and_escape_leaves(stepper):
    page = stepper.page
    page.evaluate("scrollTo(0, 120)")
    start(stepper)
    for key, number in [
        ("PageDown", 2),
        ("ArrowRight", 3),
        ("PageUp", 2),
        ("End", 5),
        ("PageDown", 5),
        ("Home", 1),
    ]:
        stepper.keyboard.press(key)
        stepper.expect_step(number)
    stepper.root.get_by_role("slider").focus()
    stepper.keyboard.press("PageDown")
    stepper.expect_step(2)
    stepper.keyboard.press("Escape")
    expect(stepper.root).to_have_class("minigrad")
    expect(present(stepper)).to_be_focused()
    expect(present(stepper)).to_have_attribute("aria-pressed", "false")
    page.wait_for_function("() => !document.fullscreenElement && scrollY === 120")
    stepper.keyboard.press("PageDown")  # not its key any more
    stepper.expect_step(2)


def test_it_hears_all_keys_wherever_the_focus_was_lost(stepper):
    start(stepper)
    stepper.page.evaluate("""() => {
        window.heard = [];
        document.addEventListener("keydown", ({ key }) => window.heard.push(key));
        document.activeElement.blur();
    }""")
    stepper.keyboard.press("PageDown")
    stepper.expect_step(2)
    assert stepper.page.evaluate("window.heard") == []
    stepper.page.evaluate("""() => {
        const behind = document.createElement("button");
        document.querySelector("main").append(behind);
        behind.focus();
    }""")
    expect(stepper.page.locator("main > button")).not_to_be_focused()


def test_the_screen_goes_blank_and_any_key_brings_it_back(stepper):
    start(stepper)
    black = stepper.root.locator(".mg-black")
    said = stepper.root.locator(".mg-unseen[role=status]")
    for key, back in ((".", "."), ("b", "PageDown")):
        stepper.keyboard.press(key)
        expect(black).to_be_visible()
        assert black.bounding_box() == stepper.root.bounding_box()
        expect(said).to_have_text("The screen is blank; any key brings it back.")
        stepper.keyboard.press(back)
        expect(black).to_be_hidden()
        expect(said).to_have_text("")
    stepper.expect_step(1)
    stepper.keyboard.press("b")
    stepper.keyboard.press("Escape")
    expect(stepper.root).to_have_class("minigrad")
    expect(black).to_be_hidden()


def test_the_menu_opens_there_too_and_closes_before_it(stepper):
    start(stepper)
    stepper.open_menu()
    stepper.keyboard.press("Escape")
    expect(stepper.menu).to_be_hidden()
    expect(stepper.root).to_have_class("minigrad mg-presenting")
    present(stepper).click()
    expect(stepper.root).to_have_class("minigrad")


def test_a_b_in_an_answer_is_a_b(host):
    page = stepper_in(host, PREPARE + RECORD + "mg.step(graph, w, predict=True)")
    start(page)
    page.press("First question")
    page.keyboard.type("b.")
    expect(page.root.get_by_label("Your answer")).to_have_value("b.")
    expect(page.root.locator(".mg-black")).to_be_hidden()
    page.page.evaluate("document.exitFullscreen()")
    expect(page.root).to_have_class("minigrad")


def test_groups_are_opened_there_and_it_goes_on(host):
    code = "with graph:\n    with graph.scope('a'):\n        z = x * y\n    w = z + x\n"
    page = stepper_in(host, PREPARE + code + "mg.step(graph, w, fold=True)")
    start(page)
    page.root.get_by_role("button", name="Open ▸ a").click()
    expect(page.root.get_by_role("button", name="Fold ▾ a")).to_be_visible()
    page.keyboard.press("b")
    expect(page.root.locator(".mg-black")).to_be_visible()
    page.keyboard.press("Escape")
    expect(present(page)).to_be_focused()


def test_a_view_that_goes_away_leaves_the_page_as_it_was(host):
    page = stepper_in(host, PREPARE + RECORD + "mg.step(graph, w)")
    start(page)
    host.page.evaluate("() => window.leave()")
    host.page.wait_for_function("() => !document.fullscreenElement")
    host.page.evaluate("""() => {
        document.addEventListener("keydown", ({ key }) => { window.heard = key; });
    }""")
    host.page.keyboard.press("PageDown")
    assert host.page.evaluate("window.heard") == "PageDown"


def test_two_traces_are_presented_side_by_side(host):
    page = ComparePage(host.show(host.run(TWO_ORDERS + "s")))
    start(page)
    page.keyboard.press("PageDown")
    page.expect_step(2, 6)
    page.keyboard.press("Escape")
    expect(page.root).to_have_class("minigrad")
