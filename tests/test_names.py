"""One word, one meaning: no two modules and no two public classes or types share a name."""

import ast
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "medgauge"
# A command is named after the function it calls, and its options after the types they carry.
COMMANDS = SOURCE / "cli"


def modules() -> list[Path]:
    return [path for path in sorted(SOURCE.rglob("*.py")) if path.stem not in ("__init__", "__main__")]


def shared(names: list[tuple[str, Path]]) -> dict[str, list[str]]:
    """Return the names that occur in several places."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, path in names:
        places[name].append(path.relative_to(SOURCE).as_posix())
    return {name: found for name, found in places.items() if len(found) > 1}


def declared(path: Path) -> list[str]:
    """Return the public classes and type aliases of a module."""
    found = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Subscript)
            and isinstance(node.targets[0], ast.Name)
        ):
            found.append(node.targets[0].id)
    return [name for name in found if not name.startswith("_") and name[0].isupper() and not name.isupper()]


def test_no_two_modules_share_a_name():
    assert shared([(path.stem, path) for path in modules() if COMMANDS not in path.parents]) == {}


def test_no_two_classes_or_types_share_a_name():
    names = [(name, path) for path in modules() if COMMANDS not in path.parents for name in declared(path)]
    assert shared(names) == {}


def test_a_package_has_about_a_dozen_modules():
    rooms = {folder: len(list(folder.glob("*.py"))) - 1 for folder in SOURCE.rglob("*/") if folder.is_dir()}
    crowded = {folder.name: count for folder, count in rooms.items() if count > 16}
    assert crowded == {}
