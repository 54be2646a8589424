"""medgauge annotate serve and link: a study's pages, and who may open them."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.annotate.defaults import HOST, PORT, URL
from medgauge.cli.console import print_text, say
from medgauge.cli.options import StudyFolder


def serve(
    study: StudyFolder,
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = PORT,
    url: Annotated[
        str | None,
        typer.Option(
            help="What annotators open, where a proxy stands before this server, such as "
            "https://study.example.org.",
            show_default="the address it listens on",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(help="A PEM certificate, to serve over TLS without a proxy.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The key of the certificate.")] = None,
) -> None:
    """Serve a study's pages to annotators and the coordinator, until Ctrl-C.

    Nothing leaves this machine. Each rating is on disk before the page says that it is saved.

    Example: medgauge annotate serve study
    """
    from medgauge.annotate.design.new_study import LINKS
    from medgauge.annotate.web.serving import Address, serve_study

    def ready(address: str) -> None:
        say(f"The study is at {address}; Ctrl-C ends it.")
        if (study / LINKS).exists():
            say(f"Everybody's link is in {study / LINKS}: hand them out, then remove the file.")

    address = Address(host=host, port=port, url=url, certificate=tls_cert, key=tls_key)
    serve_study(study, address, ready=ready)


def link(
    study: StudyFolder,
    name: Annotated[
        str, typer.Argument(help="Whose link: an annotator's name, or coordinator.", show_default=False)
    ],
    *,
    url: Annotated[str, typer.Option(help="What the link begins with.")] = URL,
) -> None:
    """Print a new sign-in link for somebody, and forget the one they had; also while the study is served.

    Example: medgauge annotate link study coordinator
    """
    from medgauge.annotate.store.links import base_of
    from medgauge.annotate.store.store import Store
    from medgauge.errors import UnknownNameError

    base = base_of(url)
    with Store.open(study) as store:
        numbers = {one.name: one.number for one in store.annotators()}
        if name not in numbers:
            raise UnknownNameError("annotator", name, numbers)
        print_text(f"{base}/s/{store.new_link(numbers[name])}")
