"""Options of the commands that load models."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from medgauge.cli.options.shared_options import split_sources
from medgauge.models import loading as choices

if TYPE_CHECKING:
    from medgauge.models.base import Model

Device = Annotated[choices.Device, typer.Option(help="Where encoders run; auto takes a GPU if there is one.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Encode on the workers of this Dask cluster (tcp://HOST:PORT)."),
]
NoCache = Annotated[
    bool,
    typer.Option("--no-cache", help="Do not use or fill the cache of vectors of encoders and services."),
]
TrustRemoteCode = Annotated[
    bool, typer.Option("--trust-remote-code", help="Run the Python code that comes with a model.")
]
TrustPickle = Annotated[
    bool, typer.Option("--trust-pickle", help="Open pickled weights (flair), which can run any code.")
]
AllowRemote = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL",
        help="A service that terms may be sent to. SET@URL for a set whose licence forbids it otherwise. "
        "Repeat for each service.",
    ),
]
MaxTokens = Annotated[
    int | None, typer.Option(min=1, help="Maximum number of tokens to send for each model behind a service.")
]
Price = Annotated[
    float | None,
    typer.Option(min=0, help="What the service charges for a million tokens; shown as the cost."),
]


def load_models(given: Iterable[str], loading: choices.Loading) -> "list[Model]":
    """Load models given as FILE, LABEL=FILE, a spec or the name of a baseline, each once."""
    from medgauge.models.load import check_source, open_model
    from medgauge.models.spec import split_label

    named = [split_label(one) for one in dict.fromkeys(split_models(given))]
    for _, source in named:
        check_source(source)
    return [open_model(source, name, loading) for name, source in named]


def split_models(given: Iterable[str]) -> list[str]:
    """Split values with several models at their commas, except for one with options, which may have commas.

    >>> split_models(["a.bin,b.bin", "st:folder?prompt=term, please: "])
    ['a.bin', 'b.bin', 'st:folder?prompt=term, please: ']
    """
    return [one for some in given for one in ([some] if "?" in some else split_sources([some]))]
