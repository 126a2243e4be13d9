"""The project around the code: style, types, rooms, the environment, the README's promises."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import minigrad as mg

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONDA_NAMES = {"graphviz": "python-graphviz", "matplotlib": "matplotlib-base"}


def check(*command):
    ran = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout}\n{ran.stderr}"


def test_style_ruff_check():
    check("ruff", "check", ".")


def test_style_ruff_format():
    check("ruff", "format", "--check", ".")


def test_types_mypy():
    check("mypy")


def test_rooms_import_linter():
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_all_public_names_are_there_and_sorted():
    assert mg.__all__ == sorted(mg.__all__)
    for name in mg.__all__:
        assert getattr(mg, name) is not None
    with pytest.raises(AttributeError, match="'nothing'"):
        mg.nothing  # noqa: B018 - looking is the test


def test_the_engine_imports_numpy_alone():
    code = (
        "import sys, minigrad\n"
        "heavy = {'graphviz', 'pygraphviz', 'anywidget', 'ipywidgets', 'matplotlib', 'IPython'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize("path", sorted((ROOT / "minigrad").rglob("*.py")), ids=lambda p: p.name)
def test_modules_say_what_they_are(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def lower_bounds(requirements):
    found = {}
    for requirement in requirements:
        name, bound = re.fullmatch(r"([a-z0-9-]+) ?>=([0-9.]+)", requirement).groups()
        found[name] = bound
    return found


def test_environment_yml_agrees_with_pyproject():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["channels"] == ["conda-forge"]
    *conda, pip, from_pip = environment["dependencies"]
    assert pip == "pip"
    assert from_pip == {"pip": ["-e ."]}
    wanted = lower_bounds(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["notebooks"])
    expected = {CONDA_NAMES.get(name, name): bound for name, bound in wanted.items()}
    expected["python"] = PROJECT["requires-python"].removeprefix(">=")
    assert lower_bounds(conda) == expected


def test_each_line_of_environment_yml_has_its_reason():
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line.strip().startswith("- ") and "conda-forge" not in line and "pip:" not in line:
            assert " # " in line, line


def test_the_readme_has_the_two_commands_on_one_line_each():
    commands = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert len(commands) == 2
    assert commands[0].endswith("jupyter lab notebooks")
    assert commands[1].endswith("-m pytest")


def test_the_pictures_and_links_of_the_readme_are_there():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    pictures = re.findall(r'src(?:set)?="([^"]+)"', README)
    assert pictures
    for target in targets + pictures:
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target
