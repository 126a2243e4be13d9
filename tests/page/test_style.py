"""What the tools of JavaScript say of the page's code."""

import re

from page.tools import MODULES, PLACES, ROOT, run


def test_style_biome():
    run(MODULES / "@biomejs/biome/bin/biome", "lint", "--error-on-warnings", *PLACES)


def test_types_tsc():
    run(MODULES / "typescript/bin/tsc", "--project", "tsconfig.json")


def test_no_stylesheet_has_a_colour_of_its_own():
    sheets = [path for path in ROOT.glob("minigrad/**/*.css") if "node_modules" not in path.parts]
    sources = [path for path in sheets if path.parent.name != "built"]
    assert sources
    for path in sources:
        found = re.findall(r"#[0-9a-f]{3,8}\b|\brgb|\bhsl", path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found}; colours stand in minigrad/diagram/palette.py"
