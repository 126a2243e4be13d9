"""The fonts of pictures on a machine that has none."""

import io

import pypdf
import pytest

import minigrad as mg
from minigrad.diagram import lay_out, still
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


def test_the_bundled_folder_comes_first_and_holds_the_font():
    assert (bundled_folder() / "DejaVuSansMono.ttf").exists()
    text = fontconfig_text()
    assert fontconfig_file() == fontconfig_file()
    assert fontconfig_file().read_text(encoding="utf-8") == text
    assert text.index(str(bundled_folder())) < text.index("<cachedir>")


def test_without_matplotlib_the_cure_is_told(monkeypatch, running):
    bundled_folder.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(mg.MinigradError, match="python -m pip install matplotlib"):
        bundled_folder()
    monkeypatch.undo()
    assert bundled_folder().is_dir()
