"""Plain English: what users read says it as a careful engineer of today would (CONTRIBUTING.md)."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "medgauge"

FOREIGN = re.compile(
    r"\bGive (?!up\b)"
    r"|(?<!\b[Tt]here) is no (?!longer\b|more\b)"
    r"|\b(?<!be )told\b(?! apart)"
    r"|\bparted\b"
    r"|\banew\b"
    r"|\bso many\b"
    r"|\bbut for\b"
    r"|\bstead of\b(?<!instead of)"
)
"""Words of a poor translation; "there is no", "no longer" and "told apart" are fine."""

NAMES = re.compile(r"(^|_)(told|parted|anew)(_|$)")


def texts_of(path: Path) -> list[tuple[int, str]]:
    """Return the texts in a module: docstrings, help, messages, labels."""
    tree = ast.parse(path.read_text("utf-8"))
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def names_of(path: Path) -> list[tuple[int, str]]:
    """Return the names that a module defines: functions, classes, arguments and variables."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append((node.lineno, node.name))
        elif isinstance(node, ast.arg):
            found.append((node.lineno, node.arg))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append((node.lineno, node.id))
    return found


def pages() -> list[Path]:
    """Return the files that users read: pages of the docs and of studies, cards and protocols."""
    written = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    shipped = [path for kind in ("html", "js", "toml") for path in SOURCE.rglob(f"*.{kind}")]
    return sorted([*written, *shipped])


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix()
)
def test_modules_are_in_plain_english(path):
    foreign = [(line, found[0]) for line, text in texts_of(path) for found in FOREIGN.finditer(text)]
    foreign += [(line, name) for line, name in names_of(path) if NAMES.search(name)]
    assert foreign == []


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_are_in_plain_english(path):
    lines = path.read_text("utf-8").splitlines()
    assert [
        (number, found[0]) for number, line in enumerate(lines, 1) for found in FOREIGN.finditer(line)
    ] == []


@pytest.mark.parametrize(
    ("text", "is_foreign"),
    [
        ("Give the terms that follow.", True),
        ("the value is no number", True),
        ("who was told before", True),
        ("the pairs are parted by size", True),
        ("it is computed anew", True),
        ("There is no such file; it is no longer there", False),
        ("models that cannot be told apart", False),
        ("Return the terms; the value is not a number", False),
    ],
)
def test_foreign_words_are_recognised(text, is_foreign):
    assert bool(FOREIGN.search(text)) == is_foreign
