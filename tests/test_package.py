"""The package as a whole: its import costs nothing, its face is complete, and its rooms know only what they may."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import cgt_games

SOURCE = Path(cgt_games.__file__).parent
HEAVY = {"numpy", "numba", "networkx", "sympy", "hypothesis", "tqdm", "pandas", "matplotlib"}

LAYERS = (
    {"position"},
    {"solution", "symmetry", "registry"},
    {"drawing", "keep", "command", "showcase"},
    {"record", "perft", "engines", "sums"},
    {"games"},
    {"players", "testing", "show"},
    {"session"},
    {"notebook"},
    {"cli"},
    {"__main__"},
)
"""Each room may import from the layers before its own, and itself."""
NEIGHBOURS = {("sums", "engines"), ("engines", "sums")}
"""And these of the same layer: a sum is solved by an engine of its own."""
ON_CALL = {
    ("position", "sums"),
    ("position", "show"),
    ("record", "show"),
    ("position", "notebook"),
    ("record", "notebook"),
}
"""And these from below, but only inside a function: ``g + h``, and the pictures and boards of positions and games."""

MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}


def layer_of(room):
    return next((number for number, rooms in enumerate(LAYERS) if room in rooms), None)


def imports(path):
    """What a module imports at run time: (module, whether inside a function); ``if TYPE_CHECKING`` is left out."""
    found = []

    def walk(node, inside):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Import):
            found.extend((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where a name is from"
            names = [alias.name for alias in node.names]
            if node.module == "cgt_games":
                homes = [cgt_games._HOME[name] for name in names if name in cgt_games._HOME]
                found.extend((f"cgt_games.{home}", inside) for home in homes)
            else:
                found.append((node.module, inside))
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            walk(child, inside)

    walk(ast.parse(path.read_text()), False)
    return found


def ours(name):
    """The room and the whole name of a module of this package, or None."""
    package, _, module = name.partition(".")
    return (module.partition(".")[0], module) if package == "cgt_games" and module else None


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__init__"])
def test_who_may_import_whom(name):
    room = name.partition(".")[0]
    assert layer_of(room) is not None, f"say in LAYERS where {room} stands"
    for imported, inside in imports(MODULES[name]):
        if (target := ours(imported)) is None or target[0] == room:
            continue
        allowed = layer_of(target[0]) < layer_of(room) or (room, target[0]) in NEIGHBOURS
        allowed = allowed or (inside and (room, target[0]) in ON_CALL)
        assert allowed, f"{name} imports {imported}"


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("games.")])
def test_games_do_not_know_each_other(name):
    game = name.split(".")[1]
    for imported, _ in imports(MODULES[name]):
        if (target := ours(imported)) and target[0] == "games":
            assert target[1].split(".")[1:2] == [game], f"{name} imports {imported}"


def test_no_engine_and_no_general_command_names_a_game():
    names = {"nim", "northcott", "otter", "road_works", "slither"}
    for name, path in MODULES.items():
        if name.split(".")[0] in ("engines", "cli", "perft", "players", "session"):
            for imported, _ in imports(path):
                assert not names & set(imported.split(".")), f"{name} imports {imported}"


KERNELS = [name for name, path in MODULES.items() if ("numba", False) in imports(path)]


def test_there_are_kernels():
    assert "games.otter.paths" in KERNELS


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_import_numpy_and_numba_alone(name):
    # What is imported inside a function is for the wrappers; kernels see only what the module has.
    room = name.rpartition(".")[0]
    for imported, inside in imports(MODULES[name]):
        package = imported.partition(".")[0]
        if not inside and package not in sys.stdlib_module_names:
            neighbour = imported.startswith(f"cgt_games.{room}.") and imported.removeprefix("cgt_games.") in KERNELS
            assert package in ("numpy", "numba", "llvmlite") or neighbour, f"{name} imports {imported}"


def modules_after(code):
    """The packages that a fresh interpreter has loaded after running some code."""
    code = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    return {name.partition(".")[0] for name in json.loads(printed.splitlines()[-1])}


@pytest.mark.parametrize(
    "code",
    [
        "import cgt_games",
        "import cgt_games; dir(cgt_games); cgt_games.Position; cgt_games.Record; cgt_games.solve",
        "from cgt_games import Nim, Northcott, solve; solve(Nim(3, 5)); solve(Northcott.random(seed=1))",
        "from cgt_games.cli import main; main(['solve', 'nim', '3,5,7', '--json'])",
        "from cgt_games.registry import game, game_names; [game(name) for name in game_names()]",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code):
    assert not HEAVY & modules_after(code)


def test_every_public_name_loads():
    assert set(cgt_games.__all__) <= set(dir(cgt_games))
    for name in cgt_games.__all__:
        assert getattr(cgt_games, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        _ = cgt_games.nonsense


def test_type_checkers_see_the_same_names_as_the_interpreter():
    seen = {}
    for node in ast.walk(ast.parse((SOURCE / "__init__.py").read_text())):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            for statement in node.body:
                seen |= {alias.name: statement.module.removeprefix("cgt_games.") for alias in statement.names}
    assert seen == cgt_games._HOME


def test_the_versions_agree():
    from importlib.metadata import version

    assert version("cgt-games") == cgt_games.__version__
    changelog = Path(__file__).parents[1] / "CHANGELOG.md"  # not beside the package, which may be an installed one
    if not changelog.is_file():
        pytest.skip("there is no CHANGELOG.md beside the tests")
    assert f"## {cgt_games.__version__}" in changelog.read_text(encoding="utf-8")


def test_the_package_says_that_it_is_typed():
    assert (SOURCE / "py.typed").is_file()
