"""In which forms a notebook keeps each picture."""

import base64
import io

import nbformat
import pytest
from nbconvert import LatexExporter
from PIL import Image
from traitlets.config import Config

import minigrad as mg
from minigrad.export.mime_bundle import DARK_STYLE, svg_address


def chain(count):
    graph, x = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True, name="x")
    w = x
    with graph:
        for _ in range(count // 2):
            w = (w * x).tanh()
    return graph, w, x


PICTURES = {
    "step": lambda graph, w, x: mg.step(graph, w),
    "compare": lambda graph, w, x: mg.compare(mg.step(graph, w), mg.step(graph, w, order="append")),
    "nudge": lambda graph, w, x: mg.nudge(graph, w),
    "watch": lambda graph, w, x: mg.watch(graph),
    "graph": lambda graph, w, x: graph,
    "draw": lambda graph, w, x: mg.draw(graph),
    "why": lambda graph, w, x: mg.why(graph, w, x),
    "frame": lambda graph, w, x: mg.step(graph, w).frame(2),
}


def bundle_of(picture):
    shown = picture._repr_mimebundle_()
    return shown[0] if isinstance(shown, tuple) else shown


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_kept_as_a_png_too(name):
    bundle = bundle_of(PICTURES[name](*chain(4)))
    image = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert image.format == "PNG"
    assert image.width <= 1200
    assert len(image.convert("L").getcolors()) > 10  # letters and lines
    assert bundle["text/plain"]


@pytest.mark.parametrize("name", ["graph", "draw", "why", "frame"])
def test_what_is_no_widget_is_html_too_that_is_dark_in_a_dark_page(name):
    graph, w, x = chain(4)
    bundle = bundle_of(PICTURES[name](graph, w, x))
    assert DARK_STYLE in bundle["text/html"]
    assert 'class="mg-still"' in bundle["text/html"]
    # the picture itself is the light one, so where nothing is known of the page it stays so
    light = bundle.get("image/svg+xml") or mg.why(graph, w, x).draw(0).svg
    assert svg_address(light) in bundle["text/html"]
    assert "mg-still" not in light


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_that_was_chosen_stays_in_any_page(theme):
    graph, w, x = chain(4)
    by_hand = mg.step(graph, w).frame(2)
    by_hand.theme = theme
    for drawing in (mg.draw(graph, theme=theme), mg.why(graph, w, x).draw(theme=theme), by_hand):
        assert drawing.theme == theme
        assert set(bundle_of(drawing)) == {"image/svg+xml", "image/png", "text/plain"}


@pytest.mark.parametrize("name", ["step", "compare", "nudge", "watch"])
def test_a_widget_has_no_html_that_a_notebook_could_prefer_to_it(name):
    assert "text/html" not in bundle_of(PICTURES[name](*chain(4)))


@pytest.mark.parametrize("name", PICTURES)
def test_without_a_font_for_a_name_there_is_no_png_and_the_rest_is_shown(name):
    graph, w, x = chain(4)
    x.name = "ܐ"
    bundle = bundle_of(PICTURES[name](graph, w, x))
    assert "image/png" not in bundle
    assert {"image/svg+xml", "text/html"} & set(bundle)


def test_a_long_picture_is_a_png_of_few_pixels():
    bundle = bundle_of(mg.draw(chain(120)[0], fold=False))
    image = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert image.width * image.height < 3_100_000


@pytest.mark.parametrize("name", PICTURES)
def test_latex_shows_the_png(name):
    bundle = bundle_of(PICTURES[name](*chain(4)))
    output = nbformat.v4.new_output("display_data", bundle)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
    without_inkscape = Config(SVG2PDFPreprocessor={"enabled": False})
    latex, resources = LatexExporter(config=without_inkscape).from_notebook_node(notebook)
    (file,) = (file for file in resources["outputs"] if file in latex)
    assert file.endswith(".png")
