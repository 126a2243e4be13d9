"""What the tools of JavaScript say of the page's code."""

from page.tools import MODULES, PLACES, run


def test_style_biome():
    run(MODULES / "@biomejs/biome/bin/biome", "lint", "--error-on-warnings", *PLACES)
