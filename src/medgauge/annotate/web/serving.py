"""Serving a study: on which address, to whom, and safely."""

import gc
import ipaddress
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from medgauge.annotate.defaults import HOST, PORT
from medgauge.annotate.design.protocol import parse_protocol
from medgauge.annotate.store.links import base_of
from medgauge.annotate.store.store import DATABASE, Store, serving
from medgauge.errors import InputError, MissingExtraError, option

if TYPE_CHECKING:
    from uvicorn import Server

_KEPT = 75  # seconds that a connection is kept open, since a pair takes an annotator many of them
_WAITING = 256  # connections that the system accepts before the server does
_FILES = 64  # that are open besides connections, and more
_LET_GO = 5  # seconds for requests under way, when the server is stopped


@dataclass(frozen=True)
class Address:
    """Where a study is served, and the address that annotators use, if a proxy stands between.

    `certificate` and `key` are PEM files, for TLS without a proxy.
    """

    host: str = HOST
    port: int = PORT
    url: str | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def public(self) -> str:
        """What links begin with.

        >>> Address().public, Address(host="::1", port=80).public
        ('http://127.0.0.1:8000', 'http://[::1]:80')
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return base_of(self.url or f"{'https' if self.certificate else 'http'}://{host}:{self.port}")

    def check(self) -> None:
        """Refuse an address over which links and ratings would travel in the open."""
        if (self.certificate is None) != (self.key is None):
            raise InputError("TLS needs both a certificate and its key")
        if self.public.startswith("https:"):
            return
        named = re.sub(r":\d+$", "", self.public.removeprefix("http://")).strip("[]")
        for host in (self.host, named):
            if not _is_loopback(host):
                raise InputError(
                    f"on {host} links and ratings would travel unencrypted; give "
                    f"{option('certificate', flag='--tls-cert')} and {option('key', flag='--tls-key')}, "
                    "or serve on 127.0.0.1 behind a proxy that does TLS and name it by "
                    f"{option('url', 'https://HOST')}, or let annotators in by ssh -L 8000:127.0.0.1:8000"
                )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve_study(folder: Path, address: Address, *, ready: Callable[[str], None]) -> None:
    """Serve a study until the process is stopped; `ready` is told the address when it can be opened."""
    if find_spec("uvicorn") is None or find_spec("starlette") is None or find_spec("jinja2") is None:
        raise MissingExtraError("starlette, uvicorn and jinja2", extra="web")
    from uvicorn import Config, Server

    from medgauge.annotate.web import coordinator
    from medgauge.annotate.web.app import make_app
    from medgauge.annotate.web.connections import MOST, holding

    address.check()
    _allow_files(MOST + _WAITING + _FILES)
    with (
        serving(folder),
        Store.open(folder) as store,
        Store.open(folder) as coordinators_store,
        _listening(address) as listening,
    ):
        protocol = parse_protocol(store.study().protocol, folder / DATABASE)
        config = Config(
            make_app(store, coordinators_store, protocol, url=address.public),
            http=holding(MOST),
            backlog=_WAITING,
            log_level="error",  # any stranger can cause a warning, and so fill the disk
            proxy_headers=bool(address.url),  # else anybody could say for whom they ask
            access_log=False,  # it would hold sign-in links
            server_header=False,
            ssl_certfile=address.certificate,
            ssl_keyfile=address.key,
            timeout_graceful_shutdown=_LET_GO,
            timeout_keep_alive=_KEPT,
            ws="none",
            log_config=None,  # uvicorn's own does not start where stdout is closed
        )
        try:
            config.load()
        except OSError as error:  # also what ssl finds wrong
            files = f"{address.certificate} and {address.key}"
            raise InputError(f"{files}: are no certificate with its key ({error.strerror})") from error
        server = Server(config)
        with _ended_by_signals(server):
            ready(address.public)
            Thread(target=_load_the_rest, args=(coordinator.load,), daemon=True).start()
            server.run(sockets=[listening])


def _load_the_rest(load: Callable[[], None]) -> None:
    """Load for good: else each collection of garbage goes through all that is loaded, and ratings wait."""
    load()
    gc.collect()
    gc.freeze()


@contextmanager
def _ended_by_signals(server: "Server") -> Iterator[None]:
    """Have SIGTERM, and SIGHUP of a closed terminal, end the server in order, as Ctrl-C does.

    A study that is not closed leaves ratings in SQLite's log, and who copies the database alone loses them.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    # Windows has no SIGHUP, and nohup has it ignored.
    able = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
    usual = [number for number in able if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


def _allow_files(count: int) -> None:
    """Let the process open so many files, connections among them, where the system would stop it before."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        most = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listening(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        listening = socket.create_server((address.host, address.port), family=family, backlog=_WAITING)
    except OSError as error:
        raise InputError(
            f"port {address.port} of {address.host} cannot be used ({error.strerror}); "
            f"choose another by {option('port')}"
        ) from error
    # Connections inherit it. Without it, the end of an answer waits until the client confirms its beginning.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
