"""medgauge annotate serve."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import say


def serve(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.", show_default=False)],
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
    url: Annotated[
        str | None,
        typer.Option(
            help="The address that annotators open, where a proxy stands before this server. "
            "Default: the one it listens on."
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="A PEM certificate, to serve over TLS without a proxy.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The key of the certificate.")] = None,
) -> None:
    """Serve a study's pages to annotators and to the coordinator, until Ctrl-C.

    Everything stays on this machine. Each rating is on disk before the page says that it is saved.

    Example: medgauge annotate serve relatedness
    """
    from medgauge.annotate.making import LINKS
    from medgauge.annotate.serving import Address, serve_study

    def ready(address: str) -> None:
        say(f"the study is at {address}; Ctrl-C ends it")
        if (study / LINKS).exists():
            say(f"everybody's link is in {study / LINKS}: hand them out, then remove the file")

    address = Address(host=host, port=port, url=url, certificate=tls_cert, key=tls_key)
    serve_study(study, address, ready=ready)
