"""All steps of a trace as files: one canvas, one place for everything, all of it or nothing."""

import io
import re
import subprocess
import sys
import zipfile
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from PIL import Image
from pptx import Presentation

import minigrad as mg
from minigrad.engine.errors import DrawingError, ExportError
from minigrad.export.animation import with_one_palette
from minigrad.export.files import write_files

SVG = "{http://www.w3.org/2000/svg}"
ANIMATIONS = ("gif", "webp", "apng")
WITH_ALL_STEPS = ("pdf", *ANIMATIONS, "pptx", "html")
EXTREMES = [0.0, 12345.6789, -1e-300, float("nan")]


@pytest.fixture
def stepper(running):
    return mg.step(running.graph, running.w)


@pytest.fixture
def dead_stepper(dead_node):
    return mg.step(dead_node.graph, dead_node.w)


def places(svg):
    """Return the canvas of an SVG and where its boxes and edges stand."""
    root = ET.fromstring(svg)
    shapes = [root.attrib["viewBox"], root.attrib["width"], root.attrib["height"]]
    for group in root.iter(f"{SVG}g"):
        if "data-key" in group.attrib:
            shapes += [group.attrib["data-key"], group.find(f".//{SVG}path").get("d")]
    return shapes


def texts(svg):
    return [" ".join((t.text or "").split()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


def table_rows(svg):
    """Return the rows of a picture, each with all that stands at one height."""
    rows = {}
    for one in ET.fromstring(svg).iter(f"{SVG}text"):
        rows.setdefault(one.get("y"), []).extend((one.text or "").split())
    return [" ".join(words) for words in rows.values()]


def frames_of(path):
    """Return the frames of an animation as they are shown, and their times in milliseconds."""
    with Image.open(path) as image:
        shown, times = [], []
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            shown.append(np.asarray(image.convert("RGB")).copy())
            times.append(image.info["duration"])
        assert image.info["loop"] == 0
    return shown, times


class TestNumberedFiles:
    def test_a_pattern_gets_the_number_of_each_step_from_1(self, stepper, tmp_path):
        paths = stepper.export(tmp_path / "step_{}.svg")
        assert [path.name for path in paths] == [f"step_{k}.svg" for k in range(1, 6)]
        assert sorted(tmp_path.iterdir()) == sorted(paths)

    def test_without_a_pattern_the_number_follows_the_name(self, stepper, tmp_path):
        paths = stepper.export(tmp_path / "w.png", steps=[0, -1], width=300)
        assert [path.name for path in paths] == ["w_1.png", "w_5.png"]

    def test_numbers_are_as_long_as_the_last_one_and_a_folder_is_made(self, tmp_path):
        graph, x = mg.ComputationGraph(), mg.Tensor(1.0, requires_grad=True)
        y = x
        for _ in range(5):
            y = mg.neg(graph, y)
        paths = mg.step(graph, y).export(tmp_path / "new" / "{}.svg", steps=range(9, 11))
        assert [path.name for path in paths] == ["10.svg", "11.svg"]
        assert mg.step(graph, y).export(tmp_path / "{}.svg")[0].name == "01.svg"

    def test_a_file_that_is_there_is_refused_before_anything_is_written(self, stepper, tmp_path):
        (tmp_path / "step_3.svg").write_text("mine")
        with pytest.raises(ExportError, match=r"step_3\.svg.*is there already.*overwrite=True"):
            stepper.export(tmp_path / "step_{}.svg")
        assert [path.name for path in tmp_path.iterdir()] == ["step_3.svg"]
        assert (tmp_path / "step_3.svg").read_text() == "mine"
        stepper.export(tmp_path / "step_{}.svg", overwrite=True)
        assert len(list(tmp_path.iterdir())) == 5

    def test_a_disk_that_gets_full_half_way_leaves_all_as_it_was(self, tmp_path, monkeypatch):
        old, new = tmp_path / "1.svg", tmp_path / "2.svg"
        old.write_text("old")
        monkeypatch.setattr(type(old), "replace", full_at_the_second(type(old).replace))
        with pytest.raises(ExportError, match=r"2\.svg.*No space"):
            write_files({old: b"new", new: b"new"}, overwrite=True)
        assert old.read_text() == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["1.svg"]

    def test_links_to_one_file_are_no_files_of_their_own(self, stepper, tmp_path):
        for number in (1, 2):
            (tmp_path / f"{number}.svg").symlink_to("one.svg")
        with pytest.raises(ExportError, match="links to the same one"):
            stepper.export(tmp_path / "{}.svg", steps=[0, 1], overwrite=True)
        assert not (tmp_path / "one.svg").exists()

    def test_a_step_given_twice_cannot_have_two_files_of_one_name(self, stepper, tmp_path):
        with pytest.raises(ExportError, match="given twice"):
            stepper.export(tmp_path / "{}.svg", steps=[1, 1])
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_was_made_goes_again_if_the_export_fails(self, named, tmp_path):
        stepper = mg.step(named("a\U0010fffdb"))
        with pytest.raises(DrawingError, match=r"U\+10FFFD"):
            stepper.export(tmp_path / "new" / "{}.png")
        assert list(tmp_path.iterdir()) == []


def full_at_the_second(replace):
    """Let the first file take its name, not the second, and then the old one its own again."""
    calls = []

    def limited(self, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    return limited


class TestWhatDoesNotMove:
    @pytest.mark.parametrize("options", [{}, {"canvas": "16:9"}, {"caption": True, "table": True}])
    def test_places_and_canvas_are_one_in_all_svg_files(self, dead_stepper, tmp_path, options):
        paths = dead_stepper.export(tmp_path / "{}.svg", **options)
        first, *others = [places(path.read_bytes()) for path in paths]
        assert len(first) == 3 + 2 * (5 + 5)  # canvas; x y z q w; of q = x - 1 one edge is drawn
        assert all(other == first for other in others)

    def test_all_pages_of_a_pdf_and_all_png_files_have_one_size(self, dead_stepper, tmp_path):
        path = dead_stepper.export(tmp_path / "w.pdf", steps="all", caption=True)
        reader = pypdf.PdfReader(path)
        assert len(reader.pages) == 6
        assert len({tuple(page.mediabox) for page in reader.pages}) == 1
        sizes = set()
        for one in dead_stepper.export(tmp_path / "{}.png", caption=True, width=500):
            with Image.open(one) as image:
                sizes.add(image.size)
        assert len(sizes) == 1

    @pytest.mark.parametrize("gradient", EXTREMES)
    def test_no_gradient_makes_a_frame_larger(self, running, tmp_path, gradient):
        stepper = mg.step(running.graph, running.w, seed=gradient)
        found = [places(p.read_bytes()) for p in stepper.export(tmp_path / "{}.svg", caption=True)]
        assert all(one == found[0] for one in found)

    def test_the_places_in_dot_text_are_pinned(self, stepper, tmp_path):
        found = set()
        for path in stepper.export(tmp_path / "{}.gv"):
            source = path.read_text(encoding="utf-8")
            assert "layout=nop2" in source
            # but for the heads of what is passed back, which a step has or has not
            lines = [line for line in source.splitlines() if "normalnormal" not in line]
            found.add(tuple(re.findall(r'pos="[^"]*"', "\n".join(lines))))
        assert len(found) == 1

    def test_unchanged_pixels_are_equal_in_all_png_files(self, stepper, tmp_path):
        images = []
        for path in stepper.export(tmp_path / "{}.png", steps=[3, 4], width=600):
            with Image.open(path) as image:
                images.append(np.asarray(image.convert("RGB")).astype(int))
        same = (images[0] == images[1]).all(axis=2).mean()
        assert 0.7 < same < 1


class TestSlideCanvas:
    @pytest.mark.parametrize("options", [{}, {"caption": True}, {"caption": True, "table": True}])
    def test_it_is_16_to_9_to_the_pixel(self, dead_stepper, tmp_path, options):
        path = dead_stepper.export(tmp_path / "w.png", canvas="16:9", width=1920, **options)
        with Image.open(path) as image:
            assert image.size == (1920, 1080)

    def test_vector_graphics_are_as_large_as_a_slide(self, stepper, tmp_path):
        page = pypdf.PdfReader(stepper.export(tmp_path / "w.pdf", canvas="16:9")).pages[0]
        assert (round(page.mediabox.width), round(page.mediabox.height)) == (960, 540)
        root = ET.parse(stepper.export(tmp_path / "w.svg", canvas="16:9")).getroot()
        assert (root.get("width"), root.get("height")) == ("960.00pt", "540.00pt")

    def test_a_tall_graph_and_a_long_text_fit_too(self, tmp_path):
        graph = mg.ComputationGraph()
        for _ in range(12):
            y = mg.neg(graph, mg.Tensor(1.0, requires_grad=True))
        long = "many words " * 60
        path = mg.step(graph, y).export(tmp_path / "w.svg", canvas="16:9", caption=long)
        root = ET.parse(path).getroot()
        _, _, width, height = map(float, root.get("viewBox").split())
        assert width / height == pytest.approx(16 / 9, rel=1e-3)
        rows = [t for t in root.iter(f"{SVG}text") if "many" in (t.text or "")]
        left, top = map(float, re.findall(r"-?[\d.]+", root.find(f"{SVG}g").get("transform")))
        for row in rows:
            size, x, y = (float(row.get(name)) for name in ("font-size", "x", "y"))
            assert x + left >= 0
            assert x + left + len(row.text) * 0.602 * size <= width
            assert size < y + top < height


class TestCaption:
    def test_it_tells_the_step_and_its_numbers(self, stepper, tmp_path):
        path = stepper.export(tmp_path / "w.svg", step=4, caption=True)
        rows = texts(path.read_bytes())
        assert "Backward through node #0, mul." in rows
        assert "step 5 of 5" in rows
        assert "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0" in rows

    def test_the_table_has_the_gradients_before_and_after(self, stepper, tmp_path):
        rows = table_rows(stepper.export(tmp_path / "w.svg", step=4, table=True).read_bytes())
        for expected in (
            "tensor value before after",
            "x 3.0 1.0 5.0",
            "y 4.0 — 3.0",
            "z (#0) 12.0 1.0 1.0",
            "w (#1) 15.0 1.0 1.0",
        ):
            assert expected in rows

    def test_of_a_long_table_the_rows_that_change_are_shown(self, tmp_path):
        graph, x = mg.ComputationGraph(), mg.Tensor(2.0, requires_grad=True, name="x")
        y = x
        for _ in range(12):
            y = mg.neg(graph, y)
        path = mg.step(graph, y).export(tmp_path / "w.svg", step=-1, table=True)
        rows = table_rows(path.read_bytes())
        assert "x 2.0 — 1.0" in rows
        assert "… and 12 more tensors" in rows

    def test_a_text_of_ones_own_and_a_drawing_by_itself(self, running, tmp_path):
        drawing = mg.draw(running.graph)
        path = drawing.save(tmp_path / "w.svg", caption="Figure 1\nThe graph.")
        assert texts(path.read_bytes())[-2:] == ["Figure 1", "The graph."]

    def test_the_font_is_as_large_as_asked_for_at_the_width_of_a_slide(self, stepper, tmp_path):
        path = stepper.export(tmp_path / "w.svg", canvas="16:9", caption="x", font_size=40)
        root = ET.parse(path).getroot()
        width = float(root.get("viewBox").split()[2])
        size = float(next(t for t in root.iter(f"{SVG}text") if t.text == "x").get("font-size"))
        # letters are whole pixels wide, so it may be a little smaller
        assert 36 < size / width * 960 <= 40.01

    def test_text_that_no_font_can_draw_is_an_error(self, stepper, tmp_path):
        for suffix in ("png", "pdf", "gif"):
            with pytest.raises(DrawingError, match=r"U\+10FFFD"):
                stepper.export(tmp_path / f"w.{suffix}", steps=[0], caption="\U0010fffd")
        with pytest.raises(DrawingError, match=r"U\+10FFFD"):
            stepper.export(tmp_path / "w.svg", caption="\U0010fffd", outlines=True)
        assert list(tmp_path.iterdir()) == []


class TestCloseUp:
    @pytest.fixture
    def network(self):
        graph, y = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True, name="y")
        for number in range(20):
            weight = mg.Tensor(0.1 * number, requires_grad=True, name=f"w{number}")
            y = mg.tanh(graph, mg.mul(graph, y, weight))
        return mg.step(graph, y)

    @pytest.mark.parametrize("options", [{"canvas": "16:9"}, {"caption": True}])
    def test_a_diagram_too_wide_to_be_read_has_the_step_once_more(self, network, tmp_path, options):
        # node #38, mul, passes its gradient on to #37 and to w19
        path = network.export(tmp_path / "w.svg", step=42, **options)
        root = ET.parse(path).getroot()
        assert network.steps[42].position == 38
        _, _, width, height = map(float, root.get("viewBox").split())
        assert {"#0 mul", "#39 tanh"} <= set(texts(path.read_bytes()))  # the overview
        large = [t for t in root.iter(f"{SVG}text") if float(t.get("font-size")) / width > 14 / 960]
        rows = [" ".join(t.text.split()) for t in large]
        assert {"#38 mul ×", "w19 leaf", "#37 tanh"} <= set(rows)
        dx, dy = map(float, re.findall(r"-?[\d.]+", root.find(f"{SVG}g").get("transform")))
        for text in large:
            end = float(text.get("x")) + len(text.text) * float(text.get("font-size")) * 0.602
            assert 0 < float(text.get("x")) + dx < end + dx < width
            assert 0 < float(text.get("y")) + dy < height

    def test_a_small_diagram_has_it_only_if_asked(self, stepper, tmp_path):
        count = {}
        for wish in (None, True, False):
            path = stepper.export(tmp_path / f"{wish}.svg", step=4, canvas="16:9", close_up=wish)
            count[wish] = texts(path.read_bytes()).count("#0 mul ×")
        assert count == {None: 1, True: 2, False: 1}

    def test_a_constant_stands_inside_the_box_there_too(self, tmp_path):
        graph = mg.ComputationGraph()
        w = mg.sub(graph, 3.0, mg.Tensor(2.0, requires_grad=True, name="x"))
        for constants, count in ((False, 0), (True, 2)):
            path = mg.step(graph, w, constants=constants).export(
                tmp_path / f"{count}.svg", step=-1, close_up=True
            )
            rows = texts(path.read_bytes())
            assert rows.count("no gradient") == count  # in the diagram and in the close-up
            assert rows.count("grad none + (-1.0) = -1.0") == rows.count("-1.0") == 2

    def test_both_edges_of_a_square_are_there_in_every_format(self, named, tmp_path):
        stepper = mg.step(named("x"))
        path = stepper.export(tmp_path / "w.svg", step=-1, close_up=True)
        rows = texts(path.read_bytes())
        assert rows.count("+3.0") == 4  # two edges, in the diagram and in the close-up
        heads = ET.parse(path).getroot().findall(f".//{SVG}polygon[@class='back']")
        assert len(heads) == 4  # and along both of them something is passed back
        page = pypdf.PdfReader(stepper.export(tmp_path / "w.pdf", step=-1, close_up=True)).pages[0]
        assert page.extract_text().count("+3.0") == 4

    def test_a_deck_with_an_overview_moves_nothing(self, network, tmp_path):
        paths = network.export(tmp_path / "{}.svg", steps=[0, 30, 42, -1], canvas="16:9")
        assert len({tuple(places(path.read_bytes())) for path in paths}) == 1

    def test_the_overview_has_no_labels_and_shows_the_node_at_work(self, network, tmp_path):
        path = network.export(tmp_path / "w.svg", step=42, canvas="16:9")
        groups = [
            g for g in ET.parse(path).iter(f"{SVG}g") if g.get("class", "").startswith("edge")
        ]
        assert len(groups) == 60
        assert not any("".join(g.itertext()).strip() for g in groups)
        active = [g for g in ET.parse(path).iter(f"{SVG}g") if g.get("class") == "box node active"]
        assert [" ".join("".join(g.itertext()).split()) for g in active] == ["#38 mul"]

    def test_in_every_format_a_close_up_can_stand_there(self, network, tmp_path):
        for suffix in ("png", "gif", "pptx", "pdf"):
            path = network.export(tmp_path / f"w.{suffix}", steps=[42], caption=True)
            assert path is not None


class TestDirection:
    def test_all_pictures_of_an_export_have_the_one_that_is_asked_for(self, stepper, tmp_path):
        shapes = {}
        for direction in ("right", "down"):
            paths = stepper.export(
                tmp_path / f"{direction}{{}}.svg", direction=direction, caption=True
            )
            (shapes[direction],) = {tuple(places(path.read_bytes())) for path in paths}
        assert shapes["right"] != shapes["down"]

    def test_a_drawing_is_saved_in_the_one_that_is_asked_for(self, running, tmp_path):
        drawing = mg.draw(running.graph)
        wide = drawing.save(tmp_path / "right.svg", direction="right").read_bytes()
        tall = drawing.save(tmp_path / "down.svg", direction="down").read_bytes()
        width, height = (float(ET.fromstring(tall).get("viewBox").split()[k]) for k in (2, 3))
        assert float(ET.fromstring(wide).get("viewBox").split()[2]) > width
        assert float(ET.fromstring(wide).get("viewBox").split()[3]) < height
        again = mg.draw(running.graph, direction="down").save(tmp_path / "again.svg").read_bytes()
        assert places(again) == places(tall)

    def test_another_word_is_refused(self, stepper, tmp_path):
        with pytest.raises(DrawingError, match=r"direction.*'up'.*auto"):
            stepper.export(tmp_path / "w.svg", direction="up")

    def test_a_page_opens_in_it(self, stepper, tmp_path):
        text = stepper.export(tmp_path / "w.html", direction="down").read_text(encoding="utf-8")
        assert '"direction":"down"' in text


class TestColours:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_svg_files_are_safe_for_programs_that_know_few_colours(
        self, dead_stepper, tmp_path, theme
    ):
        for options in ({}, {"background": "transparent"}, {"outlines": True}):
            for path in dead_stepper.export(
                tmp_path / "{}.svg",
                theme=theme,
                caption=True,
                table=True,
                overwrite=True,
                **options,
            ):
                text = path.read_text(encoding="utf-8")
                assert not re.search(r"transparent|rgba\(|var\(|color-mix|currentcolor", text)

    def test_a_transparent_background_is_none_at_all(self, stepper, tmp_path):
        for suffix in ("png", "webp", "apng"):
            path = stepper.export(tmp_path / f"w.{suffix}", step=4, background="transparent")
            with Image.open(path) as image:
                assert image.convert("RGBA").getpixel((2, 2))[3] == 0
        path = stepper.export(tmp_path / "w.svg", background="transparent")
        assert 'class="background"' not in path.read_text(encoding="utf-8")
        with pytest.raises(DrawingError, match=r"half transparent.*\.webp"):
            stepper.export(tmp_path / "w.gif", background="transparent")

    def test_the_background_is_white_unless_asked(self, stepper, tmp_path):
        for suffix in ANIMATIONS:
            frames, _ = frames_of(stepper.export(tmp_path / f"w.{suffix}", width=300))
            assert all(tuple(frame[0, 0]) == (255, 255, 255) for frame in frames)
        dark, _ = frames_of(stepper.export(tmp_path / "dark.gif", width=300, theme="dark"))
        assert tuple(dark[0][0, 0]) == (22, 25, 29)  # #16191d


class TestFonts:
    def test_an_svg_has_its_letters_inside(self, stepper, tmp_path):
        text = stepper.export(tmp_path / "w.svg", step=4).read_text(encoding="utf-8")
        assert text.count("@font-face") == 2
        assert 'font-family="minigrad mono,' in text

    def test_outlines_leave_no_text_to_a_font(self, stepper, tmp_path):
        path = stepper.export(tmp_path / "w.svg", step=4, outlines=True, caption=True)
        assert texts(path.read_bytes()) == []
        assert "font-face" not in path.read_text(encoding="utf-8")
        plain = ET.parse(stepper.export(tmp_path / "t.svg", step=4, caption=True)).getroot()
        drawn = ET.parse(path).getroot()
        paths = [len(list(root.iter(f"{SVG}path"))) for root in (drawn, plain)]
        rows = len(list(plain.iter(f"{SVG}text")))
        assert paths[0] == paths[1] + rows

    def test_all_fonts_of_a_pdf_are_inside(self, stepper, tmp_path):
        path = stepper.export(tmp_path / "w.pdf", steps="all", caption=True, table=True)
        for page in pypdf.PdfReader(path).pages:
            fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
            assert fonts
            for font in fonts:
                below = font.get("/DescendantFonts", [font])[0].get_object()
                assert {"/FontFile2", "/FontFile3"} & set(below["/FontDescriptor"])


class TestPdf:
    def test_there_is_a_page_for_each_step_with_its_text(self, stepper, tmp_path):
        reader = pypdf.PdfReader(stepper.export(tmp_path / "w.pdf", steps="all", caption=True))
        assert len(reader.pages) == 5
        words = [page.extract_text().replace("\xa0", " ") for page in reader.pages]
        assert "Recording node #0, mul." in words[0]
        assert "The seed." in words[2]
        assert "1.0 + 4.0 = 5.0" in words[4]
        assert [entry.title for entry in reader.outline][2] == "3. The seed."

    def test_no_page_is_larger_than_programs_can_open(self, tmp_path):
        graph, y = mg.ComputationGraph(), mg.Tensor(0.5, requires_grad=True, name="y")
        for _ in range(40):
            y = mg.mul(graph, y, mg.Tensor(2.0, requires_grad=True))
        stepper = mg.step(graph, y, direction="right")
        assert stepper.frame(0).layout.size[0] > 14_400
        page = pypdf.PdfReader(stepper.export(tmp_path / "w.pdf")).pages[0]
        assert 14_300 < page.mediabox.width <= 14_401

    def test_it_is_one_page_by_default(self, stepper, tmp_path):
        assert len(pypdf.PdfReader(stepper.export(tmp_path / "w.pdf")).pages) == 1


def local_palettes(gif):
    """Tell for each frame of a GIF whether it brings colours of its own."""
    place = 13 + 3 * 2 ** ((gif[10] & 7) + 1)  # the header, and the palette of the file
    while gif[place] != 0x3B:
        if gif[place] == 0x2C:
            yield bool(gif[place + 9] & 0x80)
            place += 11
        else:
            place += 2
        while gif[place]:
            place += gif[place] + 1
        place += 1


class TestAnimations:
    @pytest.mark.parametrize("suffix", ANIMATIONS)
    def test_each_step_is_a_frame_and_the_times_add_up(self, stepper, tmp_path, suffix):
        path = stepper.export(tmp_path / f"w.{suffix}", delay=0.5, last_delay=1.5, width=500)
        frames, times = frames_of(path)
        assert len(frames) == 5
        assert {frame.shape[1] for frame in frames} == {500}
        assert len({frame.shape for frame in frames}) == 1
        assert times == [500, 500, 500, 500, 1500]

    def test_the_last_frame_stays_longer_by_default(self, stepper, tmp_path):
        _, times = frames_of(stepper.export(tmp_path / "w.gif", width=300))
        assert times == [2000, 2000, 2000, 2000, 5000]

    @pytest.mark.parametrize("suffix", ANIMATIONS)
    def test_nothing_of_one_frame_is_left_in_the_next(self, stepper, tmp_path, suffix):
        frames, _ = frames_of(stepper.export(tmp_path / f"w.{suffix}", width=500))
        alone = stepper.export(tmp_path / "{}.png", caption=True, width=500)
        for frame, path in zip(frames, alone, strict=True):
            with Image.open(path) as image:
                expected = np.asarray(image.convert("RGB")).astype(int)
            difference = np.abs(frame - expected)
            if suffix != "gif":
                assert difference.max() == 0
            # of 256 colours, fills and lines are exact, and the borders of letters nearly so
            assert (difference == 0).all(axis=2).mean() > 0.9
            assert difference.max() < 80  # a ghost of a letter would differ by more

    def test_all_frames_of_a_gif_have_the_palette_of_the_file(self, stepper, tmp_path):
        data = stepper.export(tmp_path / "w.gif", width=500).read_bytes()
        assert list(local_palettes(data)) == [False] * 5

    def test_few_colours_are_kept_exactly(self):
        colours = np.random.default_rng(0).integers(0, 256, (1, 200, 3), np.uint8)
        (made,) = with_one_palette([Image.fromarray(colours)])
        assert (np.asarray(made.convert("RGB")) == colours).all()


class TestPptx:
    @pytest.fixture
    def slides(self, dead_stepper, tmp_path):
        return list(Presentation(dead_stepper.export(tmp_path / "w.pptx")).slides)

    def test_there_is_a_wide_slide_for_each_step(self, dead_stepper, tmp_path):
        deck = Presentation(dead_stepper.export(tmp_path / "w.pptx"))
        assert len(deck.slides) == 6
        assert deck.slide_width / deck.slide_height == pytest.approx(16 / 9)

    def test_title_sentence_and_formulas_are_text(self, slides):
        assert slides[5].shapes.title.text == "Backward through node #0, mul."
        (caption,) = [s for s in slides[5].shapes if s.name == "Caption"]
        assert "passes its gradient on" in caption.text_frame.text
        assert "x.grad: 1.0 + ∂w/∂z · y = 1.0 + 1.0 × 4.0 = 5.0" in caption.text_frame.text

    def test_the_picture_is_sharp_stays_in_place_and_has_a_text_instead(self, slides):
        found = set()
        for number, slide in enumerate(slides, start=1):
            (picture,) = [s for s in slide.shapes if s.name == "Diagram"]
            found.add((picture.left, picture.top, picture.width, picture.height))
            assert picture.image.size[0] == 2400
            ratio = picture.width / picture.height
            assert ratio == pytest.approx(picture.image.size[0] / picture.image.size[1], rel=1e-3)
            description = picture._element.nvPicPr.cNvPr.get("descr")
            assert description.startswith(f"Step {number} of 6.")
        assert len(found) == 1

    def test_nothing_is_outside_of_the_slide_or_over_something_else(self, slides):
        for slide in slides:
            boxes = [(s.left, s.top, s.left + s.width, s.top + s.height) for s in slide.shapes]
            for place, (left, top, right, bottom) in enumerate(boxes):
                assert 0 <= left < right <= 960 * 12_700
                assert 0 <= top < bottom <= 540 * 12_700
                for other in boxes[:place]:
                    assert (
                        right <= other[0]
                        or left >= other[2]
                        or bottom <= other[1]
                        or top >= other[3]
                    )

    def test_the_notes_have_every_number(self, slides):
        notes = slides[5].notes_slide.notes_text_frame.text.split("\n")
        assert "x: value 3.0, gradient 1.0 → 5.0  (new)" in notes
        assert "y: value 4.0, gradient — → 3.0  (new)" in notes
        assert "q (#1): value 2.0, gradient — dead" in notes

    @pytest.mark.parametrize("name", ["a\x00b", "\ud800", "</a:t>", "a\nb", "&lt;"])
    def test_a_name_that_xml_cannot_hold_does_no_harm(self, named, tmp_path, name):
        path = mg.step(named(name)).export(tmp_path / "w.pptx", width=300)
        slides = Presentation(path).slides
        assert len(slides) == 3
        shown = {"a\x00b": r"a\x00b", "\ud800": r"\ud800", "a\nb": "a⏎b"}.get(name, name)
        assert f"{shown}: value 3.0" in slides[2].notes_slide.notes_text_frame.text

    def test_a_dark_one_has_dark_slides_and_light_text(self, stepper, tmp_path):
        slide = Presentation(stepper.export(tmp_path / "w.pptx", theme="dark")).slides[0]
        assert str(slide.background.fill.fore_color.rgb) == "16191D"
        assert str(slide.shapes.title.text_frame.paragraphs[0].runs[0].font.color.rgb) == "E7EDF4"


class TestEqualBytes:
    @pytest.mark.parametrize("suffix", ["svg", "png", "gv", *WITH_ALL_STEPS])
    def test_two_exports_are_equal(self, stepper, tmp_path, suffix):
        options = {"width": 300} if suffix in (*ANIMATIONS, "png", "pptx") else {}
        first = stepper.export(tmp_path / f"1.{suffix}", **options).read_bytes()
        assert stepper.export(tmp_path / f"2.{suffix}", **options).read_bytes() == first

    def test_a_presentation_has_no_date_of_today(self, stepper, tmp_path):
        data = stepper.export(tmp_path / "w.pptx", width=300).read_bytes()
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert b"2000-01-01T00:00:00Z" in file.read("docProps/core.xml")

    def test_a_pdf_has_no_date(self, stepper, tmp_path):
        reader = pypdf.PdfReader(stepper.export(tmp_path / "w.pdf", steps="all"))
        assert set(reader.metadata) == {"/Title", "/Producer", "/Creator"}


class TestRefusals:
    @pytest.mark.parametrize("name", ["w.docx", "w", "w.tex"])
    def test_an_unknown_suffix(self, stepper, tmp_path, name):
        with pytest.raises(ExportError, match=r"must be one of \.svg, .*\.gif, .*\.pptx, \.html"):
            stepper.export(tmp_path / name)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("suffix", WITH_ALL_STEPS)
    def test_an_existing_file_stays_and_a_missing_folder_is_told(self, stepper, tmp_path, suffix):
        path = tmp_path / f"w.{suffix}"
        path.write_text("mine")
        with pytest.raises(ExportError, match="is there already"):
            stepper.export(path, steps="all")
        assert path.read_text() == "mine"
        with pytest.raises(ExportError, match="no folder"):
            stepper.export(tmp_path / "a" / "b" / f"w.{suffix}")

    @pytest.mark.parametrize("suffix", ["svg", *WITH_ALL_STEPS])
    def test_a_full_disk_leaves_no_half_file_and_the_old_one(
        self, stepper, tmp_path, monkeypatch, suffix
    ):
        path = tmp_path / f"w.{suffix}"
        path.write_text("mine")

        class Full(io.BytesIO):
            def write(self, data):
                raise OSError(28, "No space left on device")

        options = {"width": 300} if suffix in (*ANIMATIONS, "pptx") else {}
        real = type(path).open

        def opened(self, mode="r", *args, **kwargs):
            if mode != "wb":
                return real(self, mode, *args, **kwargs)
            self.touch()
            return Full()

        with monkeypatch.context() as disk:
            disk.setattr(type(path), "open", opened)
            with pytest.raises(ExportError, match="No space left on device; nothing was changed"):
                stepper.export(path, overwrite=True, **options)
        assert [p.name for p in tmp_path.iterdir()] == [path.name]
        assert path.read_text() == "mine"

    def test_a_folder_that_nobody_may_write_in(self, stepper, tmp_path, monkeypatch):
        def refuse(self, *args, **kwargs):
            raise PermissionError(13, "Permission denied")

        (tmp_path / "old.gv").write_text("mine")
        with monkeypatch.context() as folder:
            folder.setattr(type(tmp_path), "open", refuse)
            for name in ("new.gv", "{}.gv", "old.gv"):
                with pytest.raises(ExportError, match="Permission denied; nothing was changed"):
                    stepper.export(tmp_path / name, overwrite=True)
            folder.setattr(type(tmp_path), "mkdir", refuse)
            with pytest.raises(ExportError, match=r"could not make the folder.*Permission denied"):
                stepper.export(tmp_path / "folder" / "{}.gv")
        assert [path.name for path in tmp_path.iterdir()] == ["old.gv"]
        assert (tmp_path / "old.gv").read_text() == "mine"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"steps": []}, "no steps to export"),
            ({"steps": "some"}, "must be 'all', a range or a list"),
            ({"steps": 3}, "say step="),
            ({"steps": ["1"]}, "a step is a whole number"),
            ({"steps": [True]}, "a step is a whole number"),
            ({"steps": "all", "step": 2}, "not both"),
            ({"canvas": "4:3"}, "must be 'crop' or '16:9'"),
            ({"font_size": 0}, "font_size must be a number of points from 1 to 200, not 0"),
            ({"font_size": "large"}, "font_size must be a number of points"),
            ({"delay": 0}, r"delay must be a number of seconds from 0\.02 to 600, not 0"),
            (
                {"delay": float("nan")},
                "delay must be a number of seconds from .*, not nan",
            ),
            ({"caption": 5}, "caption must be True, False or a text"),
            ({"fragment": True}, r"a \.gif file has no fragment.*\.html"),
            ({"outlines": True}, r"a \.gif file has no outlines.*\.svg"),
            ({"progress": 5}, "progress must be"),
        ],
    )
    def test_what_cannot_be_done_is_told(self, stepper, tmp_path, options, message):
        with pytest.raises(ExportError, match=message):
            stepper.export(tmp_path / "w.gif", **options)
        assert list(tmp_path.iterdir()) == []

    def test_a_step_that_is_not_there(self, stepper, tmp_path):
        for options in ({"step": 5}, {"steps": [0, -6]}):
            with pytest.raises(IndexError, match=r"there is no step (5|-6).*steps 0 to 4"):
                stepper.export(tmp_path / "w.pdf", **options)

    def test_options_of_other_formats(self, stepper, tmp_path):
        for suffix, options in [("png", {"delay": 1}), ("html", {"caption": True})]:
            with pytest.raises(ExportError, match=f"a .{suffix} file has no"):
                stepper.export(tmp_path / f"w.{suffix}", **options)
        with pytest.raises(ExportError, match="holds all steps"):
            stepper.export(tmp_path / "{}.gif")
        with pytest.raises(ExportError, match="holds all steps"):
            stepper.export(tmp_path / "w.html", steps=[1])


def test_a_plain_script_exports_everything_without_a_main_guard(tmp_path):
    script = tmp_path / "lecture.py"
    script.write_text(
        "import minigrad as mg\n"
        "x = mg.Tensor(3.0, requires_grad=True)\n"
        "graph = mg.ComputationGraph()\n"
        "y = x\n"
        "for _ in range(8):\n"
        "    y = mg.neg(graph, y)\n"
        "stepper = mg.step(graph, y)\n"
        "for suffix in ('pdf', 'gif', 'pptx', 'html'):\n"
        "    print(stepper.export(f'w.{suffix}', steps='all').name)\n"
        "mg.draw(graph).save('w.gv')\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", script.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["w.pdf", "w.gif", "w.pptx", "w.html"]
    assert (tmp_path / "w.gv").read_text(encoding="utf-8").startswith("digraph {")


def test_a_stepper_is_made_without_the_libraries_that_write_files():
    code = (
        "import sys, minigrad as mg\n"
        "graph, x = mg.ComputationGraph(), mg.Tensor(3.0, requires_grad=True)\n"
        "mg.step(graph, mg.mul(graph, x, x)).frame(0).svg\n"
        "print(sorted({'PIL', 'pptx', 'pypdf'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_long_exports_show_a_bar_and_short_ones_do_not(stepper, tmp_path, capfd):
    stepper.export(tmp_path / "1.gif", width=100, progress=False)
    assert capfd.readouterr().err == ""
    stepper.export(tmp_path / "2.gif", width=100, progress=True)
    assert "Drawing" in capfd.readouterr().err
