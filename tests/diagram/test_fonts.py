"""The fonts of pictures on a machine that has none."""

import io
import os
import pathlib
import stat
import sys

import pypdf
import pytest

import minigrad as mg
from minigrad.diagram import fonts, lay_out, still
from minigrad.diagram.dot import to_dot
from minigrad.diagram.fonts import bundled_folder, fontconfig_file, fontconfig_text
from minigrad.diagram.graphviz.process import GraphvizProcess
from minigrad.trace import Snapshot


@pytest.mark.skipif("sys.platform == 'darwin'", reason="Graphviz draws with Core Text there")
def test_pictures_have_their_text_on_a_machine_without_any_font(running, monkeypatch):
    monkeypatch.setattr("minigrad.diagram.fonts.LINUX_FONTS", [])
    monkeypatch.setattr("minigrad.diagram.fonts.SYSTEM_FONTS", {})
    worker = GraphvizProcess()
    film = still(Snapshot.of(running.graph))
    dot = to_dot(film, film.frame(0), layout=lay_out(film))
    try:
        (pdf,) = worker.render(dot.source, "nop2", ["pdf"])
    finally:
        worker.close()
    page = pypdf.PdfReader(io.BytesIO(pdf)).pages[0]
    fonts = {font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].values()}
    assert fonts
    assert all("DejaVuSansMono" in name for name in fonts)
    assert "12.0" in page.extract_text()


def test_the_bundled_folder_comes_first_and_holds_the_font(tmp_path):
    assert (bundled_folder() / "DejaVuSansMono.ttf").exists()
    text = fontconfig_text(tmp_path)
    assert text.index(str(bundled_folder())) < text.index(f"<cachedir>{tmp_path}")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the folder for fonts comes to lie in a fresh folder for temporary files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(fonts, "_fresh_folders", {})
    monkeypatch.setattr(pathlib.Path, "home", lambda: tmp_path)
    yield tmp_path / (f"minigrad-{os.getuid()}" if hasattr(os, "getuid") else "minigrad")
    fonts._remove_fresh_folder()


def draws(text):
    """Tell whether a worker that is started now draws a picture."""
    worker = GraphvizProcess()
    try:
        return text.encode() in worker.render(f"digraph {{ {text} }}", "dot", ["svg"])[0]
    finally:
        worker.close()


def test_the_file_is_written_once_into_a_folder_that_only_its_user_can_write_to(place):
    path = fontconfig_file()
    written = path.stat().st_mtime_ns
    assert path.parent == place
    assert fontconfig_file() == path
    assert path.stat().st_mtime_ns == written
    assert path.read_text(encoding="utf-8") == fontconfig_text(place)
    assert [one.name for one in place.iterdir()] == [path.name]
    if sys.platform != "win32":
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


@pytest.mark.parametrize("wrong", [b"", b"<fontconfig>", b"\xff\0garbage"])
def test_a_file_with_other_contents_is_written_anew(place, wrong):
    path = fontconfig_file()
    path.write_bytes(wrong)
    assert fontconfig_file() == path
    assert path.read_text(encoding="utf-8") == fontconfig_text(place)


def a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def a_link_to_the_same_text(path):
    other = path.with_name("other")
    path.rename(other)
    path.symlink_to(other)


def writable_by_others(path):
    path.chmod(0o666)


@pytest.mark.skipif("sys.platform == 'win32'", reason="there are no such files there")
@pytest.mark.parametrize("become", [a_pipe, a_link_to_the_same_text, writable_by_others])
def test_what_lies_in_the_place_of_the_file_is_replaced_by_ones_own(place, become):
    become(fontconfig_file())
    before = os.umask(0)
    try:
        path = fontconfig_file()
    finally:
        os.umask(before)
    assert path.parent == place
    assert stat.S_ISREG(path.lstat().st_mode)
    assert stat.S_IMODE(path.lstat().st_mode) == 0o600
    assert path.read_text(encoding="utf-8") == fontconfig_text(place)


def others_can_write(place, monkeypatch):
    place.mkdir()
    place.chmod(0o777)


def group_can_write(place, monkeypatch):
    place.mkdir()
    place.chmod(0o770)


def it_is_a_link(place, monkeypatch):
    elsewhere = place.with_name("elsewhere")
    elsewhere.mkdir(mode=0o700)
    place.symlink_to(elsewhere)


def it_is_a_link_to_nothing(place, monkeypatch):
    place.symlink_to(place.with_name("nowhere"))


def it_is_a_file(place, monkeypatch):
    place.write_text("in the way")


def it_is_anothers(place, monkeypatch):
    place.mkdir(mode=0o700)
    name = place.with_name(f"minigrad-{os.getuid() + 1}")
    place.rename(name)
    uid = os.getuid() + 1  # whoever made it, it was not this user
    monkeypatch.setattr(os, "getuid", lambda: uid)


def a_folder_is_where_the_file_should_be(place, monkeypatch):
    path = fontconfig_file()
    path.unlink()
    (path / "something").mkdir(parents=True)


@pytest.mark.skipif("sys.platform == 'win32'", reason="nobody owns a folder there")
@pytest.mark.parametrize(
    "prepare",
    [
        others_can_write,
        group_can_write,
        it_is_a_link,
        it_is_a_link_to_nothing,
        it_is_a_file,
        it_is_anothers,
        a_folder_is_where_the_file_should_be,
    ],
)
def test_what_is_not_ones_own_is_neither_trusted_nor_touched(place, monkeypatch, prepare):
    prepare(place, monkeypatch)
    before = sorted(place.parent.rglob("*"))
    path = fontconfig_file()
    fresh = path.parent
    assert fresh != place
    assert fresh.parent == place.parent
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o700
    assert fontconfig_file() == path
    assert draws("a")
    fonts._remove_fresh_folder()
    assert sorted(place.parent.rglob("*")) == before


def test_without_any_place_for_files_the_systems_fonts_are_used(place, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(place / "missing"))
    assert fontconfig_file() is None
    assert draws("a")


def test_without_matplotlib_the_cure_is_told(monkeypatch, running):
    bundled_folder.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(mg.MinigradError, match="python -m pip install matplotlib"):
        bundled_folder()
    monkeypatch.undo()
    assert bundled_folder().is_dir()
