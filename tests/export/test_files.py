"""Files: read back by other libraries, whole or not at all, never over another one unasked."""

import io
import re
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from awkward import AWKWARD_NAMES
from PIL import Image

import minigrad as mg
from minigrad.diagram.fonts import USUAL, _bundled_characters, check_drawable
from minigrad.engine.errors import DrawingError, ExportError
from minigrad.export.files import write_file

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawing(running):
    running.w.backward()
    return mg.draw(running.graph)


def pdf_fonts(page):
    fonts = page["/Resources"]["/Font"].values()
    descriptors = []
    for font in (f.get_object() for f in fonts):
        below = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        descriptors.append(below["/FontDescriptor"])
    return descriptors


def test_svg_holds_every_text_and_stands_alone(drawing, tmp_path):
    path = drawing.save(tmp_path / "w.svg")
    root = ET.parse(path).getroot()
    words = " ".join(t.text or "" for t in root.iter(f"{SVG}text")).split()
    for expected in ("x", "y", "leaf", "#0", "mul", "z", "12.0", "#1", "add", "w", "15.0", "5.0"):
        assert expected in words
    assert root.get("aria-label").startswith("Computation graph of 2 nodes: #0 mul, z = x × y")


@pytest.mark.parametrize("width", [400, 1600, 1601, 3840])
def test_png_has_the_width_that_was_asked_for(drawing, tmp_path, width):
    path = drawing.save(tmp_path / "w.png", width=width)
    with Image.open(path) as image:
        assert image.width == width
        assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)


def test_png_is_1600_pixels_wide_unless_told_otherwise(drawing, tmp_path):
    with Image.open(drawing.save(tmp_path / "w.png")) as image:
        assert image.width == 1600


@pytest.mark.parametrize("width", [0, 15, 50_000, 99.5, "wide", True])
def test_a_width_out_of_bounds_is_refused(drawing, tmp_path, width):
    with pytest.raises(DrawingError, match=r"a whole number of pixels|at most \d+ pixels wide"):
        drawing.save(tmp_path / "w.png", width=width)
    assert list(tmp_path.iterdir()) == []


def test_a_tall_picture_is_never_cut_to_what_the_image_library_can_do(tmp_path):
    graph = mg.ComputationGraph()
    for _ in range(60):
        mg.neg(graph, mg.Tensor(1.0, requires_grad=True))
    drawing = mg.draw(graph)
    with Image.open(drawing.save(tmp_path / "tall.png")) as image:
        assert image.height > 5 * image.width
    with pytest.raises(DrawingError, match=r"at most \d+ pixels wide, not 20000.*\.pdf or \.svg"):
        drawing.save(tmp_path / "w.png", width=20_000)


def test_a_wide_picture_gets_the_pixels_that_its_text_needs(tmp_path):
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    for _ in range(9):
        x = mg.neg(graph, x)
    with Image.open(mg.draw(graph).save(tmp_path / "wide.png")) as image:
        assert image.width > 2000


@pytest.mark.parametrize("background", ["banana", 5, "var(--x)", "#12"])
def test_a_background_that_is_no_colour_is_refused(drawing, tmp_path, background):
    with pytest.raises(DrawingError, match="unknown background"):
        drawing.save(tmp_path / "w.svg", background=background)


def test_a_graph_that_nobody_could_read_is_refused_at_once():
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    ops = np.random.default_rng(0).choice([mg.neg, mg.sin, mg.tanh, mg.relu], 201)
    for op in ops:  # with no pattern that repeats
        x = op(graph, x)
    with pytest.raises(DrawingError, match="201 nodes, and one picture holds up to 200; choose"):
        mg.draw(graph)
    assert list(graph._repr_mimebundle_()) == ["text/plain"]


@pytest.mark.parametrize("nodes", [range(3), range(-1, 1), range(1, 1), range(0, 2, 2), [0], 1])
def test_the_nodes_to_draw_are_positions_one_after_the_other(running, nodes):
    with pytest.raises(DrawingError, match="nodes must be"):
        mg.draw(running.graph, nodes=nodes)


def test_some_nodes_are_drawn_with_a_sign_where_it_goes_on(running):
    svg = mg.draw(running.graph, nodes=range(1)).svg
    assert "#0 mul" in svg
    assert "to #1 add" in svg
    assert "#1 add\u00a0" not in svg


def test_pdf_is_one_page_with_its_fonts_embedded_and_its_texts_readable(drawing, tmp_path):
    reader = pypdf.PdfReader(drawing.save(tmp_path / "w.pdf"))
    assert len(reader.pages) == 1
    page = reader.pages[0]
    fonts = pdf_fonts(page)
    assert fonts
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)
    assert all("DejaVuSansMono" in font["/FontName"] for font in fonts)
    text = page.extract_text().replace("\xa0", " ")
    for expected in ("mul", "add", "12.0", "15.0", "leaf"):
        assert expected in text


def test_a_dark_picture_has_a_dark_background(drawing, tmp_path):
    path = drawing.save(tmp_path / "w.png", theme="dark", width=400)
    with Image.open(path) as image:
        assert sum(image.convert("RGB").getpixel((2, 2))) < 150


def test_a_background_can_be_chosen(drawing, tmp_path):
    path = drawing.save(tmp_path / "w.png", background="#ff0000", width=400)
    with Image.open(path) as image:
        assert image.convert("RGB").getpixel((2, 2)) == (255, 0, 0)
    assert 'fill="#ff0000"' in drawing.save(tmp_path / "w.svg", background="#ff0000").read_text(
        encoding="utf-8"
    )


def test_an_unknown_theme_is_refused(running, drawing, tmp_path):
    with pytest.raises(DrawingError, match="unknown theme: 'blue'"):
        drawing.save(tmp_path / "w.png", theme="blue")
    with pytest.raises(DrawingError, match="unknown theme: 'blue'"):
        mg.draw(running.graph, theme="blue")


@pytest.mark.parametrize("name", ["w.docx", "w", "w.", "svg"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(drawing, tmp_path, name):
    with pytest.raises(ExportError, match=r"must be one of \.svg, \.png, \.pdf"):
        drawing.save(tmp_path / name)


def test_the_suffix_may_be_in_capitals(drawing, tmp_path):
    assert drawing.save(tmp_path / "W.SVG").read_text(encoding="utf-8").startswith("<svg")


def test_an_existing_file_is_kept_unless_told_otherwise(drawing, tmp_path):
    path = tmp_path / "w.svg"
    path.write_text("mine")
    with pytest.raises(ExportError, match=r"is there already.*overwrite=True"):
        drawing.save(path)
    assert path.read_text() == "mine"
    drawing.save(path, overwrite=True)
    assert path.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    "path", [None, 5, b"w.svg", "w\0.svg", "~no-such-user/w.svg", "w\ud800.svg", "\ud800/w.svg"]
)
def test_what_is_no_path_is_refused(drawing, path):
    with pytest.raises(ExportError, match=r"file name must be|cannot be used as a path"):
        drawing.save(path)


def test_a_link_stays_a_link_and_what_it_points_to_is_written(drawing, tmp_path):
    target, link = tmp_path / "target.svg", tmp_path / "link.svg"
    target.write_text("old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("this system does not let one make links")
    with pytest.raises(ExportError, match="is there already"):
        drawing.save(link)
    drawing.save(link, overwrite=True)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("<svg")


def test_a_long_file_name_leaves_room_for_the_temporary_one(drawing, tmp_path):
    assert drawing.save(tmp_path / ("w" * 240 + ".svg")).exists()


def test_a_missing_folder_and_a_folder_in_place_of_a_file_are_refused(drawing, tmp_path):
    with pytest.raises(ExportError, match="no folder"):
        drawing.save(tmp_path / "nowhere" / "w.svg")
    (tmp_path / "w.svg").mkdir()
    with pytest.raises(ExportError, match="is a folder"):
        drawing.save(tmp_path / "w.svg", overwrite=True)


def test_a_write_that_fails_leaves_no_half_file_and_the_old_one_intact(tmp_path, monkeypatch):
    path = tmp_path / "w.svg"
    path.write_text("old")

    class FullDisk(io.BytesIO):
        def write(self, data):
            super().write(data[:1])
            raise OSError(28, "No space left on device")

    def open_full(self, mode):
        self.touch()
        return FullDisk()

    monkeypatch.setattr("pathlib.Path.open", open_full)
    with pytest.raises(ExportError, match="No space left on device; nothing was changed"):
        write_file(path, b"new", overwrite=True)
    monkeypatch.undo()
    assert [p.name for p in tmp_path.iterdir()] == ["w.svg"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("name", [name for name in AWKWARD_NAMES if name != "🙂"])
def test_an_awkward_name_is_drawn_as_it_is(named, tmp_path, name):
    page = pypdf.PdfReader(mg.draw(named(name)).save(tmp_path / "w.pdf")).pages[0]
    drawn = "".join(page.extract_text().split())
    # a line break stays one, so what comes after it stands in a row of its own
    for part in name.split("\n"):
        expected = "".join(part.split())
        assert (expected if len(name) <= 16 else expected[:8]) in drawn
    assert mg.draw(named(name)).save(tmp_path / "w.png", width=300).stat().st_size > 1000


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\r", "a"),
        ("\ud800", r"\ud800"),
        ("\x1b\x85", r"\x1b\x85"),
        ("\u202eab", r"\u202eab"),
        ("x_12", "x₁₂"),
        (r"$\alpha^2$", "α²"),
    ],
)
def test_what_no_file_can_hold_and_what_is_written_otherwise_is_in_each_file(
    named, tmp_path, name, shown
):
    drawing = mg.draw(named(name))
    page = pypdf.PdfReader(drawing.save(tmp_path / "w.pdf", caption=name)).pages[0]
    assert shown in page.extract_text()
    assert drawing.save(tmp_path / "w.png", width=300, caption=name).stat().st_size > 1000
    for suffix in ("svg", "gv"):
        text = drawing.save(tmp_path / f"w.{suffix}").read_text(encoding="utf-8")
        assert shown.replace("\\", "\\\\" if suffix == "gv" else "\\") in text


def test_a_name_that_runs_from_right_to_left_leaves_the_row_from_left_to_right(tmp_path):
    graph = mg.ComputationGraph()
    a, b = (mg.Tensor(v, requires_grad=True, name=n) for v, n in ((3.0, "אב"), (4.0, "גד")))
    mg.sub(graph, a, b).name = "הו"
    page = pypdf.PdfReader(
        mg.step(graph).export(tmp_path / "w.pdf", step=0, caption=True, table=True)
    ).pages[0]
    # letters are drawn one after the other from the left, whichever way they are read
    drawn = " ".join(re.sub("[\u200e\u2068\u2069]", "", page.extract_text()).split())
    assert "וה = בא - דג = 3.0 - 4.0 = -1.0" in drawn
    assert "בא 3.0 — —" in drawn
    assert "דג leaf value 4.0" in drawn


def test_an_emoji_is_drawn_where_a_font_has_it_and_an_error_elsewhere(named, tmp_path):
    drawing = mg.draw(named("🙂"))
    try:
        check_drawable(["🙂"])
    except DrawingError:
        with pytest.raises(DrawingError, match=r"U\+1F642"):
            drawing.save(tmp_path / "w.png")
    else:
        assert drawing.save(tmp_path / "w.png").stat().st_size > 1000


def test_text_that_no_font_can_draw_is_an_error_and_svg_still_works(named, tmp_path):
    drawing = mg.draw(named("a\U0010fffdb"))
    with pytest.raises(DrawingError, match=r"U\+10FFFD.*rename.*\.svg"):
        drawing.save(tmp_path / "w.png")
    assert list(tmp_path.iterdir()) == []
    assert "\U0010fffd" in drawing.save(tmp_path / "w.svg").read_text(encoding="utf-8")


def test_what_the_pictures_themselves_say_can_always_be_drawn():
    check_drawable(["#0 mul × ÷ − + = — ( ) [ ] ∂ · ² …", "Ω é 0.1e-300 nan inf"])


def test_the_bundled_font_has_what_it_is_not_opened_for():
    assert _bundled_characters() >= USUAL


def test_saving_gives_equal_bytes_each_time(drawing, tmp_path):
    for suffix in ("svg", "png"):
        first = drawing.save(tmp_path / f"1.{suffix}").read_bytes()
        assert drawing.save(tmp_path / f"2.{suffix}").read_bytes() == first


def test_an_empty_graph_cannot_be_drawn():
    with pytest.raises(DrawingError, match="no nodes yet"):
        mg.draw(mg.ComputationGraph())
    with pytest.raises(DrawingError, match="not int"):
        mg.draw(5)


def test_a_drawing_shows_itself_as_a_picture_and_in_words(drawing):
    bundle = drawing._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["text/plain"].startswith("Computation graph of 2 nodes")


def test_a_graph_shows_its_diagram(running):
    bundle = running.graph._repr_mimebundle_()
    assert "12.0" in bundle["image/svg+xml"]
    assert mg.ComputationGraph()._repr_mimebundle_() == {
        "text/plain": "ComputationGraph(no nodes yet)"
    }


def test_names_come_from_the_callers_variables():
    alpha = mg.Tensor(2.0, requires_grad=True)
    graph = mg.ComputationGraph()
    omega = mg.mul(graph, alpha, alpha)
    assert "ω = α × α = 4.0" in mg.draw(graph).description
    assert omega.name is None


def test_to_graphviz_hands_out_the_source(drawing):
    source = drawing.to_graphviz()
    assert source.source.startswith("digraph {")
    assert "12.0" in source.source
