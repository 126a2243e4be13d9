"""Every notebook: runs from top to bottom in a fresh kernel, and is fit to be read."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.rglob("*.ipynb"))
LONGEST_CELL = 15


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.name)
def notebook(request):
    return nbformat.read(request.param, 4)


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_it_runs_from_top_to_bottom_without_a_complaint(notebook, tmp_path):
    NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    printed = [
        output["text"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stderr"
    ]
    assert printed == []


def test_it_has_one_title_and_headings_in_order(notebook):
    levels = [
        len(marks)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for marks in re.findall(r"^(#+) ", cell.source, flags=re.MULTILINE)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:], strict=False))


def test_its_cells_are_short(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert max(cell.source.count("\n") + 1 for cell in code) <= LONGEST_CELL


def test_it_is_stored_without_outputs_and_widget_state(notebook):
    assert "widgets" not in notebook.metadata
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_it_is_valid_and_its_cells_have_lasting_names(notebook):
    nbformat.validate(notebook)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names)
