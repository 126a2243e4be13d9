"""The page's plain logic, tested by Node's own test runner in the files beside this one."""

from pathlib import Path

from page.tools import run


def test_logic_of_the_page():
    files = sorted(Path(__file__).parent.glob("*.test.js"))
    assert files
    run("--test", *files)
