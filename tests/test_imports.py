"""Imports flow one way: which packages each package may use, and no cycle among modules."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"

# The modules that every package may use; each may also use those before it here.
FOUNDATION = (
    "arrays",
    "rounding",
    "installation",
    "errors",
    "term_length",
    "spellings",
    "compiling",
    "estimate",
    "stored",
    "progress",
    "files",
    "toml_models",
    "network",
    "parallel",
    "result",
)

# Each package may import itself, the foundation and those listed here, and nothing else of medgauge.
MAY_IMPORT: dict[str, set[str]] = {
    **{name: set() for name in FOUNDATION},
    "stats": set(),
    "levenshtein": set(),
    "nearest": {"levenshtein"},
    "origins": set(),
    "pairs": {"origins"},
    "protocol": set(),
    "tables": set(),
    "frames": set(),
    "terminology": set(),
    "engines": set(),
    "records": {"engines", "tables"},
    "corpus": {"engines", "stats", "tables"},
    "mapping": {"catalog", "models", "pairs", "records", "tables", "terminology"},
    "build": {
        "corpus",
        "engines",
        "models",
        "nearest",
        "origins",
        "pairs",
        "ratings",
        "records",
        "tables",
        "terminology",
    },
    "catalog": {"frames", "pairs", "tables"},
    "measures": set(),
    "models": {"measures", "origins", "pairs", "protocol", "tables", "terminology"},
    "train": {"corpus", "models", "origins"},
    "strata": {"models", "pairs", "tables"},
    "ratings": {"catalog", "frames", "pairs", "stats", "strata", "tables"},
    "annotate": {"catalog", "pairs", "protocol", "ratings", "report", "stats", "tables"},
    "evaluation": {"catalog", "frames", "measures", "models", "origins", "pairs", "stats", "strata"},
    "categories": {"catalog", "evaluation", "measures", "models", "pairs", "stats"},
    "probing": {"measures", "models", "pairs", "stats", "terminology"},
    "ner": {"evaluation", "models", "stats"},
    "comparison": {"evaluation", "frames", "measures", "models", "ner", "stats", "strata", "tables"},
    "study": {
        "catalog",
        "comparison",
        "corpus",
        "evaluation",
        "models",
        "ner",
        "pairs",
        "stats",
        "strata",
        "train",
    },
    "composition": {"catalog", "mapping", "pairs", "spellings", "stats", "strata", "terminology"},
    "inspection": {"catalog", "comparison", "evaluation", "models", "pairs", "stats", "strata"},
    "report": {
        "build",
        "categories",
        "comparison",
        "composition",
        "evaluation",
        "inspection",
        "mapping",
        "measures",
        "ner",
        "probing",
        "ratings",
        "stats",
        "strata",
        "study",
    },
    "__main__": {"cli"},
    "demo": {"build", "evaluation", "pairs"},
    "cli": {
        "annotate",
        "build",
        "catalog",
        "categories",
        "comparison",
        "composition",
        "corpus",
        "demo",
        "evaluation",
        "inspection",
        "mapping",
        "models",
        "ner",
        "pairs",
        "probing",
        "ratings",
        "report",
        "stats",
        "study",
        "terminology",
        "train",
    },
}

# Third-party packages that may be imported when a package is loaded; others are imported when used.
OUTSIDE = {
    "stats": {"numba", "numpy", "scipy"},
    "measures": {"numba", "numpy"},
    "nearest": {"numpy"},
    "levenshtein": {"llvmlite", "numba", "numpy"},
    "cli": {"rich", "typer"},
}
STANDARD = set(__import__("sys").stdlib_module_names)


@cache
def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted((SOURCE / "medgauge").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imported(tree: ast.AST, known: set[str]) -> set[str]:
    """Return the modules of medgauge that a module imports, anywhere in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name if name in known else name.rpartition(".")[0] for name in names} & known


def room(module: str) -> str:
    return module.split(".")[1]


def allowed(name: str) -> set[str]:
    """Return the packages that a package may import."""
    below = FOUNDATION[: FOUNDATION.index(name)] if name in FOUNDATION else FOUNDATION
    return {name, *below, *MAY_IMPORT[name]}


def test_no_package_imports_what_it_may_not():
    trees = modules()
    forbidden = [
        f"{module} imports {other}"
        for module, tree in trees.items()
        if module != "medgauge"
        for other in imported(tree, set(trees))
        if other != "medgauge" and room(other) not in allowed(room(module))
    ]
    assert forbidden == []


def test_every_package_is_listed_and_no_other():
    assert {room(module) for module in modules() if module != "medgauge"} == set(MAY_IMPORT)


def test_no_module_imports_itself_indirectly():
    trees = modules()
    graph = {name: imported(tree, set(trees)) - {name, "medgauge"} for name, tree in trees.items()}
    graph.pop("medgauge")
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert len(order) == len(graph)


def names_imported(tree: ast.AST) -> set[str]:
    """Return everything that a module imports, with its parent packages."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names | {name.rpartition(".")[0] for name in names}


def test_only_network_opens_connections_and_only_serving_listens_for_them():
    networks = {"aiohttp", "ftplib", "http", "httpx", "requests", "socket", "urllib.request", "urllib3"}
    users = {module for module, tree in modules().items() if names_imported(tree) & networks}
    assert users == {"medgauge.network", "medgauge.annotate.web.serving"}


def test_nothing_unpickles():
    picklers = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}
    for module, tree in modules().items():
        assert not names_imported(tree) & picklers, module
        assert "allow_pickle=True" not in ast.unparse(tree), module


def test_statistics_of_systems_do_not_warn_and_their_callers_do_not_catch_warnings():
    for module, tree in modules().items():
        names = names_imported(tree)
        if module.startswith("medgauge.stats.systems"):
            assert not {"warnings", "medgauge.errors.UndefinedWarning"} & names, module
        if module.startswith(("medgauge.categories", "medgauge.comparison", "medgauge.evaluation")):
            assert "catch_warnings" not in ast.unparse(tree), module


def test_packages_load_only_the_third_party_packages_they_need():
    for module, tree in modules().items():
        allowed = OUTSIDE.get(room(module)) if module != "medgauge" else set()
        if allowed is None:
            continue
        tops = set()
        for node in tree.body:
            if isinstance(node, ast.Import):
                tops |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                tops.add(node.module.split(".")[0])
        assert tops - STANDARD - {"medgauge"} <= allowed, module
