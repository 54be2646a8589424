"""Serve a study: on which address, to whom, and securely."""

import gc
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
from medgauge.annotate.store.links import base_of, host_of, is_loopback
from medgauge.annotate.store.store import DATABASE, Store, serving
from medgauge.errors import InputError, MissingExtraError, option
from medgauge.protocol import parse_protocol

if TYPE_CHECKING:
    from uvicorn import Server

_KEPT = 75  # seconds that an idle connection is kept open, since annotators may think long about a pair
_WAITING = 256  # connections that the system queues before the server accepts them
_FILES = 64  # files that are open besides connections, with some to spare
_LET_GO = 5  # seconds for requests in progress to finish when the server is stopped


@dataclass(frozen=True)
class Address:
    """Where a study is served, and the address that annotators open (`url`) if there is a proxy in between.

    `certificate` and `key` are PEM files, for TLS without a proxy.
    """

    host: str = HOST
    port: int = PORT
    url: str | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def public(self) -> str:
        """The start of every link.

        >>> Address().public, Address(host="::1", port=80).public
        ('http://127.0.0.1:8000', 'http://[::1]:80')
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return base_of(self.url or f"{'https' if self.certificate else 'http'}://{host}:{self.port}")

    def check(self) -> None:
        """Refuse an address over which links and ratings would be sent unencrypted."""
        if (self.certificate is None) != (self.key is None):
            raise InputError("TLS needs both a certificate and its key; pass both or neither")
        if self.public.startswith("https:"):
            return
        for host in (self.host, host_of(self.public)):
            if not is_loopback(host):
                raise InputError(
                    f"on {host} links and ratings would be sent unencrypted; pass "
                    f"{option('certificate', flag='--tls-cert')} and {option('key', flag='--tls-key')}, "
                    "or serve on 127.0.0.1 behind a TLS proxy and pass its address with "
                    f"{option('url', 'https://HOST')}, or have annotators use ssh -L 8000:127.0.0.1:8000"
                )


def serve_study(folder: Path, address: Address, *, ready: Callable[[str], None]) -> None:
    """Serve a study until the process is stopped; call `ready` with the address once it can be opened."""
    for package in ("starlette", "uvicorn", "jinja2"):
        if find_spec(package) is None:
            raise MissingExtraError(package, extra="web")
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
            log_level="error",  # any stranger can cause warnings, and so fill the disk
            proxy_headers=bool(address.url),  # without a proxy, anyone could forge them
            access_log=False,  # it would contain sign-in links
            server_header=False,
            ssl_certfile=address.certificate,
            ssl_keyfile=address.key,
            timeout_graceful_shutdown=_LET_GO,
            timeout_keep_alive=_KEPT,
            ws="none",
            log_config=None,  # uvicorn's own fails if stdout is closed
        )
        try:
            config.load()
        except OSError as error:  # includes ssl errors
            files = f"{address.certificate} and {address.key}"
            raise InputError(f"{files}: are not a certificate and its key ({error.strerror})") from error
        server = Server(config)
        with _ended_by_signals(server):
            ready(address.public)
            Thread(target=_load_the_rest, args=(coordinator.load,), daemon=True).start()
            server.run(sockets=[listening])


def _load_the_rest(load: Callable[[], None]) -> None:
    """Load modules and freeze them: otherwise each garbage collection scans them and delays ratings."""
    load()
    gc.collect()
    gc.freeze()


@contextmanager
def _ended_by_signals(server: "Server") -> Iterator[None]:
    """Shut the server down cleanly on SIGTERM, and on SIGHUP from a closed terminal, as Ctrl-C does.

    A study that is not closed leaves ratings in SQLite's log, which a copy of only the database would lose.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    # Windows has no SIGHUP, and nohup ignores it.
    known = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
    usual = {
        number: handler for number in known if (handler := signal.getsignal(number)) is not signal.SIG_IGN
    }
    for number in usual:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _allow_files(count: int) -> None:
    """Raise the limit of open files, connections included, to `count` if the system's is lower."""
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
            f"choose another with {option('port')}"
        ) from error
    # Connections inherit this. Without it, the end of a response waits for an acknowledgement of its start.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
