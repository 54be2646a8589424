"""medgauge cache."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.console import print_facts, print_grid, print_json, print_text
from medgauge.cli.options.shared_options import AsJson

if TYPE_CHECKING:
    from medgauge.models.vector_cache.vector_store import KeptModel
    from medgauge.report.grids.grid import Grid

app = typer.Typer(name="cache", no_args_is_help=True)

_CONTENTS = {
    "answers": "raw answers of judges",
    "encoding": "unfinished medgauge models encode",
    "services": "what services answered to fixed words",
    "umls": "what the UMLS REST API answered",
    "vectors": "vectors of encoders and services",
}


@app.callback()
def cache() -> None:
    """Show or clear what medgauge keeps in your private cache: vectors, answers, unfinished work.

    Example: medgauge cache info
    """


@app.command()
def info(as_json: AsJson = False) -> None:
    """Show where the cache is, how large it is, and of which models it has vectors.

    Example: medgauge cache info
    """
    from medgauge.files.digests import user_folder
    from medgauge.files.private import private_contents
    from medgauge.models.vector_cache.vector_store import kept_models, most_kept

    top = user_folder("XDG_CACHE_HOME", ".cache")
    contents = private_contents()
    models = kept_models(top / "vectors")
    if as_json:
        print_json(
            {
                "folder": str(top),
                "limit": most_kept(),
                "vectors": sum(model.terms for model in models),
                "folders": [{"name": one.name, "files": one.files, "bytes": one.bytes} for one in contents],
                "models": [{**vars(model), "used": _time(model.used)} for model in models],
            }
        )
        return
    facts = {
        one.name: f"{_size(one.bytes)} in {_files(one.files)}{_what(one.name)}"
        for one in contents
        if one.files
    }
    print_facts(
        {"folder": str(top), "limit of vectors": _size(most_kept()), **(facts or {"content": "none"})}
    )
    if models:
        print_text("")
        print_grid(_listing(models))


@app.command()
def clear(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FOLDER]...", help="Clear only these, such as vectors. Default: all."),
    ] = None,
) -> None:
    """Remove what is in the cache, and say what it was; nothing is asked.

    Vectors are computed again when they are needed, and a service may charge for them again.

    Example: medgauge cache clear vectors
    """
    from medgauge.errors import UnknownNameError
    from medgauge.files.private import clear_private, private_contents

    there = [one.name for one in private_contents() if one.files]
    known = sorted({*there, *_CONTENTS})
    for name in names or ():
        if name not in known:
            raise UnknownNameError("folder of the cache", name, known)
    for name in names or there:
        removed = clear_private(name)
        if removed.kept:
            print_text(f"{name}: {_files(removed.kept)} could not be removed")
        if removed.files:
            print_text(f"{name}: {_size(removed.bytes)} in {_files(removed.files)} removed{_what(name)}")
        elif not removed.kept:
            print_text(f"{name}: there was nothing to remove")
    if not names and not there:
        print_text("there was nothing to remove")


def _listing(models: "list[KeptModel]") -> "Grid":
    from medgauge.report.grids.grid import Cell, Grid

    rows = [
        [
            Cell(model.name),
            Cell(model.digest[:12] or "–"),
            Cell(f"{model.terms:,}"),
            Cell(_size(model.bytes)),
            Cell(_time(model.used)[:10]),
        ]
        for model in models
    ]
    notes = ["A model is listed once for each set of parameters; the digest is that of its files."]
    return Grid(
        "Models in the cache", ["model", "digest", "terms", "size", "last used"], rows, notes, labels=2
    )


def _what(name: str) -> str:
    return f": {_CONTENTS[name]}" if name in _CONTENTS else ""


def _files(count: int) -> str:
    return f"{count:,} file{'s' * (count != 1)}"


def _size(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
