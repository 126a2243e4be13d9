"""Pages and names that run from right to left: pictures, words, numbers and controls do not."""

import pytest
from playwright.sync_api import expect

CODE = """
import minigrad as mg
graph = mg.ComputationGraph()
first, second = (
    mg.Tensor(v, requires_grad=True, name=name) for v, name in ((3.0, {!r}), (4.0, {!r}))
)
with graph:
    w = first - second
"""
OUTSIDE = """box => {
    const around = box.querySelector("rect, path").getBoundingClientRect();
    return [...box.querySelectorAll("text")].filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        return text.textContent && (left < around.left || right > around.right);
    }).map((text) => text.textContent);
}"""
PLACES = """(element, wanted) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const places = [];
    let all = "";
    for (let node = text.nextNode(); node; node = text.nextNode()) {
        for (let at = 0; at < node.data.length; at += 1) {
            const letter = document.createRange();
            letter.setStart(node, at);
            letter.setEnd(node, at + 1);
            places.push(letter.getBoundingClientRect().left);
        }
        all += node.data;
    }
    return wanted.map((piece) => places[all.indexOf(piece)]);
}"""


@pytest.fixture
def from_right_to_left(host):
    host.page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    return host


@pytest.mark.parametrize("names", [("a", "b"), ("א", "ב"), ("س", "ل")])
def test_a_stepper_in_a_page_from_right_to_left(from_right_to_left, names):
    host = from_right_to_left
    host.run(CODE.format(*names))
    root = host.show(host.run("mg.step(graph, w)"))
    expect(root.get_by_role("slider")).to_have_css("direction", "ltr")
    for box in root.locator(".box").all():
        assert box.evaluate(OUTSIDE) == []
    first, second = names
    formula = root.locator(".mg-explanation [aria-live] code").first
    expect(formula).to_contain_text("3.0 - 4.0")
    for place in (formula, root.locator(".mg-nodes code").first):
        left, minus, right = place.evaluate(PLACES, [first, " - ", second])
        assert left < minus < right
    heads = root.locator(".mg-table thead th").all()
    cells = root.locator(".mg-table tbody tr").first.locator("th, td").all()
    places = [[one.bounding_box()["x"] for one in row] for row in (heads, cells)]
    assert places[0] == places[1] == sorted(places[0])


def test_code_is_shown_in_the_order_of_its_letters_each_word_for_itself(host):
    code = "with graph: סוף = (אב - גד, '😀')[0] * דג"
    host.run("import minigrad as mg")
    host.run("אב, גד, דג = (mg.Tensor(v, requires_grad=True) for v in (3.0, 4.0, 5.0))")
    host.run(f"graph = mg.ComputationGraph()\n{code}")
    shown = host.show(host.run("mg.step(graph, סוף)")).get_by_label("Your code")
    expect(shown).to_have_text(code)
    places = ["סוף", " = ", "אב", " - ", "גד", ", '", "[0]", " * ", "דג"]
    for line in ("אב - גד", "(אב - גד, '😀')[0] * דג"):
        expect(shown.locator("mark")).to_have_text(line)
        found = shown.evaluate(PLACES, places)
        assert found == sorted(found)
        host.page.get_by_role("button", name="Next").click()


@pytest.mark.parametrize("shown", ["mg.nudge(graph, w)", "mg.watch(graph)"])
def test_other_widgets_in_a_page_from_right_to_left(from_right_to_left, shown):
    host = from_right_to_left
    host.run(CODE.format("א", "x_1"))
    root = host.show(host.run(shown))
    expect(root).to_contain_text("x₁")
    expect(root).to_have_css("direction", "ltr")
    for box in root.locator(".box").all():
        assert box.evaluate(OUTSIDE) == []


def test_a_still_picture_in_a_page_from_right_to_left(from_right_to_left):
    host = from_right_to_left
    host.run(CODE.format("א", "ב"))
    host.page.locator("main").evaluate(
        "(main, svg) => { main.innerHTML = svg; }", host.run("mg.draw(graph).svg")
    )
    boxes = host.page.locator("main .box").all()
    assert len(boxes) == 3
    for box in boxes:
        assert box.evaluate(OUTSIDE) == []
