"""Outside of JupyterLab: Notebook 7, and what nbconvert makes of a saved notebook, offline."""

import nbformat
import pytest
from browser.lab import LabNotebook
from browser.stepper_page import PREPARE, RECORD, StepperPage
from nbclient import NotebookClient
from nbconvert import HTMLExporter, SlidesExporter
from playwright.sync_api import expect

from minigrad.diagram.palette import DARKENED

PROPORTION = """async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return image.naturalWidth / image.naturalHeight;
}"""


def test_it_works_in_notebook_7(notebook_7, page):
    name = notebook_7.add_made_notebook({"step": PREPARE + RECORD + "mg.step(graph, w)"})
    notebook = LabNotebook(page, notebook_7.url(name), 1)
    stepper = StepperPage(notebook.run("step").locator(".minigrad"))
    stepper.press("End")
    stepper.expect_step(5)
    assert stepper.gradients()["x"] == ("1.0", "5.0")
    stepper.root.locator(".mg-diagram").focus()
    notebook.page.keyboard.press("ArrowLeft")
    stepper.expect_step(4)
    for key in "abdd":
        notebook.page.keyboard.press(key)
    assert notebook.cell_count() == 1
    expect(stepper.root.get_by_label("Your code").locator("mark")).to_have_text(["z + x"])


@pytest.fixture(scope="module")
def saved():
    """A notebook as JupyterLab saves it: outputs, but no state of widgets."""
    cells = [PREPARE + RECORD + "mg.step(graph, w)", "mg.watch(graph)", "graph"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    notebook.cells[0].metadata["slideshow"] = {"slide_type": "slide"}
    return NotebookClient(notebook, store_widget_state=False, timeout=120).execute()


@pytest.mark.parametrize("exporter", [HTMLExporter, SlidesExporter])
def test_a_saved_notebook_shows_its_pictures_without_the_network(
    saved, exporter, browser, tmp_path
):
    page_file = tmp_path / "page.html"
    html, _ = exporter().from_notebook_node(saved)
    page_file.write_text(html, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(page_file.as_uri(), wait_until="domcontentloaded")
    pictures = page.locator("img[src^='data:image/svg']")
    expect(pictures).to_have_count(3)
    for number in range(3):
        expect(pictures.nth(number)).to_be_visible()
        assert pictures.nth(number).evaluate("img => img.naturalWidth") > 300
    assert "1.0 + 4.0 = 5.0" in saved.cells[0].outputs[0].data["image/svg+xml"]
    context.close()


@pytest.mark.parametrize("shown", ["graph", "mg.why(graph, w, x)"])
def test_a_picture_is_as_dark_as_the_page_around_it(host, shown):
    picture = host.run(PREPARE + RECORD + shown)
    add = "html => document.querySelector('main').insertAdjacentHTML('beforeend', html)"
    host.page.evaluate(add, picture._repr_mimebundle_()["text/html"])
    still = host.page.locator(".mg-still").first
    expect(still).to_have_css("filter", "none")
    host.use_theme("Dark")
    expect(still).to_have_css("filter", DARKENED)
    host.use_theme("Light")
    expect(still).to_have_css("filter", "none")


def test_a_notebook_that_was_run_shows_its_picture_when_it_is_opened_again(open_notebook):
    lab = open_notebook(step=PREPARE + RECORD + "mg.step(graph, w)")
    output = lab.run("step")
    still = output.locator("svg[class^='mg-']")
    expect(output.get_by_role("button", name="Next")).to_be_visible()
    expect(still).to_be_hidden()
    for with_kernel, said in ((False, "Loading widget"), (True, "model not found")):
        lab.open_again(with_kernel=with_kernel)
        output = lab.show("step")
        expect(output.get_by_text(said)).to_be_hidden()  # it is there, but nobody has to read it
        expect(still).to_be_visible()
        assert "w = z + x = 15.0" in still.get_attribute("aria-label")
        # all of it is seen, and not the frame alone
        inside, around = still.bounding_box(), output.bounding_box()
        assert inside["x"] + inside["width"] <= around["x"] + around["width"]
        picture = still.locator("image").get_attribute("href")
        proportion = lab.page.evaluate(PROPORTION, picture)
        assert proportion == pytest.approx(inside["width"] / inside["height"], rel=0.02)
    lab.run("step")
    expect(output.get_by_role("button", name="Next")).to_be_visible()
    expect(still).to_be_hidden()


def test_a_notebook_opened_again_shows_the_picture_until_it_is_run(saved, server, open_notebook):
    path = server.folder.parent / "saved.ipynb"
    nbformat.write(saved, path)
    lab = open_notebook(path)
    output = lab.page.locator(".jp-Cell-outputArea").first
    expect(output.locator("svg, img").first).to_be_visible()
