"""The engine's room is as its front page says: the order of reading, and who looks at what."""

import ast
import re
from pathlib import Path

import pytest

import minigrad.engine

ENGINE = Path(minigrad.engine.__file__).parent
ORDER = re.findall(r"^    (\w+)/? ", minigrad.engine.__doc__, flags=re.MULTILINE)
FRIENDS = {
    "graph.py": {"_graph", "_handed_out", "_wanted"},
    "node.py": {"_handed_out", "_wanted"},
    "backward.py": {"_attrs", "_wanted"},
    "gradients.py": {"_grad"},
}


def syntax_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_at_once(tree):
    """Return the engine's modules that a module imports when it is imported itself."""
    return {
        node.module.removeprefix("minigrad.engine.").partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith("minigrad.engine.")
    }


def test_the_order_of_reading_names_all_modules():
    modules = {path.stem for path in ENGINE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert sorted(ORDER) == sorted(modules - {"__init__", "__pycache__"})


@pytest.mark.parametrize("name", ORDER)
def test_each_module_is_built_on_those_above_it(name):
    path = ENGINE / f"{name}.py"
    paths = [path] if path.exists() else sorted((ENGINE / name).glob("*.py"))
    for one in paths:
        above = {*ORDER[: ORDER.index(name)], *([name] if path != one else [])}
        assert imports_at_once(syntax_of(one)) <= above, one


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: path.name)
def test_private_fields_are_looked_at_by_their_owner_and_the_friends_that_are_named(path):
    tree = syntax_of(path)
    own = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls")
    }
    looked_at = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr)
    }
    assert looked_at - own - {"_getframe"} == FRIENDS.get(path.name, set()), path
