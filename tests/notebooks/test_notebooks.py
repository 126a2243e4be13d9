"""Every notebook: runs from top to bottom in a fresh kernel, and is fit to be read."""

import re
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import pytest
from nbclient import NotebookClient
from notebooks.outputs import data_of, see_that_each_check_tells

import minigrad as mg
from minigrad import lessons
from minigrad.lessons.question import Question
from minigrad.lessons.task import Task
from minigrad.stepper.stepper import Stepper

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path for path in FOLDER.rglob("*.ipynb") if "checkpoints" not in str(path))
SOLUTIONS = [path for path in NOTEBOOKS if path.parent.name == "solutions"]
LONGEST_CELL = 15


def name_of(path):
    return path.relative_to(FOLDER).as_posix()


def read(path):
    return nbformat.read(path, 4)


@pytest.fixture(params=NOTEBOOKS, ids=name_of)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return read(path)


def sources(notebook, cell_type):
    return [cell.source for cell in notebook.cells if cell.cell_type == cell_type]


def prose(notebook):
    """Return the text of all Markdown cells without their blocks of code."""
    text = "\n".join(sources(notebook, "markdown"))
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def test_there_are_notebooks():
    assert len(NOTEBOOKS) > len(SOLUTIONS) > 0


def run(notebook, folder):
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()


# the lessons themselves are run in JupyterLab, cell by cell: see browser/test_one_screen.py
@pytest.mark.parametrize("path", SOLUTIONS, ids=name_of)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_solution_runs_from_top_to_bottom_without_a_complaint(path, tmp_path):
    notebook = read(path)
    run(notebook, tmp_path)
    see_that_each_check_tells(notebook, "✓")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_on_a_slow_machine_bars_come_and_leave_an_empty_place(tmp_path):
    notebook = read(FOLDER / "00_start_here.ipynb")
    slow = "import minigrad.progress\nminigrad.progress.PATIENCE = 0.0"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(slow))
    run(notebook, tmp_path)
    shown = data_of(notebook)
    assert {} in shown
    assert all("text/plain" in data for data in shown if data)
    assert not any("IProgress" in str(data) or "HBox" in str(data) for data in shown)


def test_it_has_one_title_and_headings_in_order(notebook):
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose(notebook), flags=re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in zip(levels, levels[1:], strict=False))
    assert notebook.cells[0].source.startswith("# ")


def test_its_pictures_have_a_text_for_those_who_do_not_see_them(notebook):
    text = prose(notebook)
    assert "" not in [alt.strip() for alt in re.findall(r"!\[([^\]]*)\]", text)]
    for tag in re.findall(r"<img[^>]*>", text):
        assert re.search(r'alt="[^"]+"', tag), tag


def test_its_links_lead_somewhere(notebook, path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", prose(notebook)):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


def test_its_cells_are_short(notebook):
    for cell in notebook.cells:
        assert cell.source.count("\n") + 1 <= LONGEST_CELL, cell.id


def test_it_is_stored_without_outputs_and_widget_state(notebook):
    assert "widgets" not in notebook.metadata
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"slideshow", "tags"}
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_it_is_valid_and_its_cells_have_lasting_names(notebook):
    nbformat.validate(notebook)
    names = [cell.id for cell in notebook.cells]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in names)


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda path: path.stem)
class TestLessons:
    """A lesson and its solutions: the same questions, and each leads to the other."""

    def asked(self, notebook):
        """Return the module behind a notebook and the names of the checks that it calls."""
        code = "\n".join(sources(notebook, "code"))
        (module,) = re.findall(r"^from minigrad\.lessons import (\w+) as lesson$", code, re.MULTILINE)
        return module, re.findall(r"\blesson\.(\w+)\.(?:check|compare)\(", code)

    def test_both_ask_every_question_once(self, solution):
        lesson = read(FOLDER / solution.name)
        module, asked = self.asked(lesson)
        made = vars(getattr(lessons, module)).items()
        every = [name for name, one in made if isinstance(one, Question | Task)]
        assert sorted(asked) == sorted(every)
        assert self.asked(read(solution)) == (module, asked)

    def test_each_leads_to_the_other(self, solution):
        assert f"(solutions/{solution.name})" in prose(read(FOLDER / solution.name))
        assert f"(../{solution.name})" in prose(read(solution))

    def test_the_lesson_begins_with_a_look_at_the_environment(self, solution):
        first = sources(read(FOLDER / solution.name), "code")[0]
        assert first.endswith("lessons.check_environment()")

    def test_the_map_of_the_readme_leads_to_the_lesson(self, solution):
        readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
        map_ = readme.partition("### Where the chapter is")[2].partition("\n## ")[0]
        assert f"(notebooks/{solution.name})" in map_

    def test_the_lesson_says_how_long_it_takes_as_the_readme_does(self, solution):
        title = read(FOLDER / solution.name).cells[0].source
        (minutes,) = re.findall(r"^\*(\d+) minutes\.", title, re.MULTILINE)
        readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
        row = re.search(rf"^\| \[{solution.stem}\].*\| (\d+) \|$", readme, re.MULTILINE)
        assert row, f"{solution.stem} is not in the table of README.md"
        assert row[1] == minutes
        assert int(minutes) <= 25


def answered(cell, solutions):
    """Return the code of a cell, with the answers of the solutions if it asks for some."""
    asks = re.search(r"lesson\.\w+\.check\(", cell)
    if asks is None:
        return cell
    (solution,) = [one for one in solutions if asks[0] in one]
    return solution.replace(asks[0], f"feedback = {asks[0]}")


@pytest.fixture
def registry_as_it_was():
    """Forget what a notebook registers."""
    ops = dict(mg.registry._ops)
    yield
    mg.registry._ops.clear()
    mg.registry._ops.update(ops)


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda path: path.stem)
def test_with_right_answers_what_waits_for_them_is_shown(
    solution, monkeypatch, registry_as_it_was, capsys
):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    matplotlib.use("agg")
    shown = []
    names = {"display": shown.append}
    solved = sources(read(solution), "code")
    for cell in sources(read(FOLDER / solution.name), "code"):
        exec(compile(answered(cell, solved), solution.name, "exec"), names)
    plt.close("all")
    waiting = "".join(sources(read(FOLDER / solution.name), "code")).count("display(")
    assert len(shown) == waiting
    assert all(isinstance(one, mg.ComputationGraph | Stepper) for one in shown)


def test_a_lesson_with_blanks_has_a_solution():
    names = {path.name for path in SOLUTIONS}
    for path in NOTEBOOKS:
        code = "".join(sources(read(path), "code"))
        if path.parent == FOLDER and " as lesson" in code:
            assert path.name in names
