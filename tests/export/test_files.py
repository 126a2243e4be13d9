"""Files: read back by other libraries, whole or not at all, never over another one unasked."""

import io
import os
import pathlib
import re
import stat
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
    drawing = mg.draw(graph, direction="right")
    with Image.open(drawing.save(tmp_path / "tall.png")) as image:
        assert image.height > 5 * image.width
    with pytest.raises(DrawingError, match=r"at most \d+ pixels wide, not 20000.*\.pdf or \.svg"):
        drawing.save(tmp_path / "w.png", width=20_000)


def test_a_wide_picture_gets_the_pixels_that_its_text_needs(tmp_path):
    graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
    for _ in range(9):
        x = mg.neg(graph, x)
    with Image.open(mg.draw(graph, direction="right").save(tmp_path / "wide.png")) as image:
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


@pytest.mark.skipif("sys.platform == 'win32'", reason="there are no such modes there")
class TestWhoMayReadAFile:
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o664, 0o755])
    def test_stays_as_it_was_when_it_is_overwritten(self, drawing, tmp_path, mode):
        path = tmp_path / "w.svg"
        path.write_text("mine")
        path.chmod(mode)
        drawing.save(path, overwrite=True)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert path.read_text(encoding="utf-8").startswith("<svg")

    def test_stays_as_it_was_for_each_of_many_files(self, running, tmp_path):
        stepper = mg.step(running.graph, running.w)
        paths = stepper.export(tmp_path / "s_{}.svg", steps=[0, 1, 2])
        for path, mode in zip(paths, (0o600, 0o640, 0o606), strict=True):
            path.chmod(mode)
        stepper.export(tmp_path / "s_{}.svg", steps=[0, 1, 2], overwrite=True)
        assert [stat.S_IMODE(path.stat().st_mode) for path in paths] == [0o600, 0o640, 0o606]
        stepper.close()

    def test_is_what_the_system_says_for_a_new_file(self, drawing, tmp_path):
        before = os.umask(0o027)
        try:
            path = drawing.save(tmp_path / "w.svg")
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    def test_is_told_by_what_a_link_points_to(self, drawing, tmp_path):
        target, link = tmp_path / "target.svg", tmp_path / "link.svg"
        target.write_text("old")
        target.chmod(0o600)
        link.symlink_to(target)
        drawing.save(link, overwrite=True)
        assert link.is_symlink()
        assert stat.S_IMODE(target.stat().st_mode) == 0o600

    def test_is_no_wider_while_it_is_written(self, tmp_path, monkeypatch):
        path = tmp_path / "w.svg"
        path.write_text("old")
        path.chmod(0o600)
        seen = []
        open_ = pathlib.Path.open

        def look(self, mode):
            seen.append(stat.S_IMODE(self.stat().st_mode))
            return open_(self, mode)

        monkeypatch.setattr("pathlib.Path.open", look)
        write_file(path, b"new", overwrite=True)
        assert seen == [0o600]

    def test_a_pipe_in_the_place_of_a_file_is_not_replaced(self, drawing, tmp_path):
        os.mkfifo(tmp_path / "w.svg")
        with pytest.raises(ExportError, match="no ordinary file"):
            drawing.save(tmp_path / "w.svg", overwrite=True)


class Parts:
    """Takes a thousand bytes at a time, or as many as it says."""

    def __init__(self, at_most=1000):
        self.taken, self.at_most = b"", at_most

    def write(self, data):
        part = bytes(data[: self.at_most])
        self.taken += part
        return len(part)


class Database:
    def write(self, data):
        raise RuntimeError("it is closed")


def test_a_file_that_takes_parts_gets_all_of_them(drawing):
    parts, whole = Parts(), io.BytesIO()
    drawing.save(parts, format="svg")
    drawing.save(whole, format="svg")
    assert parts.taken == whole.getvalue()


@pytest.mark.parametrize("file", [Parts(0), Database()])
def test_a_file_that_takes_nothing_is_refused(drawing, file):
    with pytest.raises(ExportError, match=r"took 0 bytes|it is closed"):
        drawing.save(file, format="svg")


class Slow(io.RawIOBase):
    """Takes a few bytes at a time, as a socket may."""

    def __init__(self):
        self.taken = b""

    def writable(self):
        return True

    def write(self, data):
        part = bytes(data[:1000])
        self.taken += part
        return len(part)


class OnlyWrites:
    """Has nothing but a way to take bytes."""

    def __init__(self):
        self.taken = b""

    def write(self, data):
        self.taken += data


class TestAnOpenFile:
    @pytest.mark.parametrize("chosen", ["svg", "png", "pdf", "gv", ".SVG"])
    def test_takes_what_a_path_would(self, drawing, tmp_path, chosen):
        file = io.BytesIO(b"before ")
        file.seek(0, io.SEEK_END)
        assert drawing.save(file, format=chosen) is None
        suffix = chosen.lower().removeprefix(".")
        assert file.getvalue() == b"before " + drawing.save(tmp_path / f"w.{suffix}").read_bytes()

    @pytest.mark.parametrize("kind", [Slow, OnlyWrites])
    def test_need_not_be_more_than_something_that_takes_bytes(self, drawing, kind):
        file, whole = kind(), io.BytesIO()
        drawing.save(file, format="pdf")
        drawing.save(whole, format="pdf")
        assert len(whole.getvalue()) > 2000
        assert file.taken == whole.getvalue()

    def test_can_be_one_on_the_disk_which_stays_open(self, drawing, tmp_path):
        with (tmp_path / "two").open("wb") as file:
            drawing.save(file, format="svg")
            drawing.save(file, format="svg")
        assert (tmp_path / "two").read_text(encoding="utf-8").count("<svg") == 2

    @pytest.mark.parametrize("chosen", ["pptx", "gif", "pdf", "html", "svg"])
    def test_takes_what_a_stepper_exports(self, running, chosen):
        stepper, file = mg.step(running.graph, running.w), io.BytesIO()
        assert stepper.export(file, format=chosen, progress=False) is None
        starts = {"pptx": b"PK", "gif": b"GIF8", "pdf": b"%PDF", "html": b"<!", "svg": b"<svg"}
        assert file.getvalue().startswith(starts[chosen])
        stepper.close()

    def test_takes_one_picture_and_no_more(self, running):
        stepper, file = mg.step(running.graph, running.w), io.BytesIO()
        stepper.export(file, format="svg", steps=[2])
        assert file.getvalue().count(b"<svg") == 1
        with pytest.raises(ExportError, match=r"5 pictures cannot go to one open file.*'pdf'"):
            stepper.export(file, format="svg", steps="all")
        assert file.getvalue().count(b"<svg") == 1
        stepper.close()

    @pytest.mark.parametrize(
        ("chosen", "told"),
        [(None, r"no suffix.*format='svg'"), ("docx", "unknown format: 'docx'"), (5, "unknown")],
    )
    def test_has_to_be_told_a_format(self, drawing, chosen, told):
        file = io.BytesIO()
        with pytest.raises(ExportError, match=told):
            drawing.save(file, format=chosen)
        assert file.getvalue() == b""

    def test_that_takes_text_or_is_for_reading_or_closed_is_refused(self, drawing, tmp_path):
        (tmp_path / "there").write_text("mine")
        closed = io.BytesIO()
        closed.close()
        with (
            (tmp_path / "there").open() as for_reading,
            (tmp_path / "text").open("w") as text,
            (tmp_path / "there").open("rb") as bytes_for_reading,
        ):
            for file, told in [
                (io.StringIO(), "takes text.*BytesIO"),
                (text, "takes text.*'wb'"),
                (for_reading, "'wb'"),
                (bytes_for_reading, "cannot be written to"),
                (closed, "cannot be written to: .*closed"),
            ]:
                with pytest.raises(ExportError, match=told):
                    drawing.save(file, format="svg")
        assert (tmp_path / "there").read_text() == "mine"

    def test_that_fails_is_told_in_one_sentence(self, drawing):
        class Full(io.BytesIO):
            def write(self, data):
                if data:
                    raise OSError(28, "No space left on device")

        with pytest.raises(ExportError, match=r"the open Full: .*No space.*a part may be"):
            drawing.save(Full(), format="svg")

    def test_a_path_may_have_a_format_too_if_it_is_that_of_its_suffix(self, drawing, tmp_path):
        assert drawing.save(tmp_path / "w.svg", format="svg").exists()
        with pytest.raises(ExportError, match=r"ends in \.png, and format='svg'"):
            drawing.save(tmp_path / "w.png", format="svg")


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
    with pytest.raises(DrawingError, match="not 5"):
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
