"""Run the tutorials and store the output of their cells, the same bytes each time."""

import ast
import base64
import io
import json
import os
import sys
import tempfile
import warnings
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

TUTORIALS = Path(__file__).with_name("tutorials")
_SHOWN = {"text/html": "_repr_html_", "image/png": "_repr_png_"}


def run(path: Path) -> dict[str, Any]:
    """Run a notebook's cells in order in an empty folder, and return the notebook with their outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, cell in enumerate(code, 1):
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), names, number, f"{path.name}, cell {number}")
    return notebook


def _outputs(source: str, names: dict[str, Any], number: int, where: str) -> list[dict[str, Any]]:
    """Run a cell, and return what it prints and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        shown = {"data": _data(value), "execution_count": number, "metadata": {}}
        outputs.append(shown | {"output_type": "execute_result"})
    return outputs


def _data(value: Any) -> dict[str, Any]:
    """Return the representations of a value that a notebook can show."""
    data: dict[str, Any] = {}
    for form, method in _SHOWN.items():
        if hasattr(value, method):
            shown = getattr(value, method)()
            is_text = isinstance(shown, str)
            data[form] = _lines(shown) if is_text else base64.b64encode(shown).decode("ascii")
    return data | {"text/plain": _lines(repr(value))}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    """Return a notebook as text, formatted as Jupyter does."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    for place in sorted(TUTORIALS.glob("*.ipynb")):
        place.write_text(written(run(place)), "utf-8")
        print(f"written: {place}", file=sys.stderr)
