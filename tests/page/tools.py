"""Node and what `npm ci` installs: the tools that build and check the page's code."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "minigrad" / "stepper" / "page"
MODULES = PAGE / "node_modules"
PLACES = (ROOT / "minigrad", ROOT / "tests" / "page")
"""Where the page's code and its tests are."""
INSTALL = "npm ci --prefix minigrad/stepper/page"


def run(*arguments):
    """Run Node in the folder of the page; without what it needs, CI fails and others skip."""
    node = shutil.which("node")
    if node is None:
        _missing("Node, which builds and checks the page's code, is not on PATH")
    if not MODULES.exists():
        _missing(f"the tools of the page's code are not installed: {INSTALL}")
    ran = subprocess.run(
        [node, *map(str, arguments)], cwd=PAGE, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"


def _missing(reason):
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
