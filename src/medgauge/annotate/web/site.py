"""What all pages of a study share, and how a request becomes a visit by someone who is signed in."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from traceback import format_tb
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from medgauge.annotate.store.refusals import PausedError, RefusedError, RevokedError
from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Annotator, Study
from medgauge.annotate.web.guards import Rate
from medgauge.annotate.web.session import Cookies, Session
from medgauge.errors import FileError, InputError
from medgauge.protocol import Protocol

if TYPE_CHECKING:
    from medgauge.annotate.oversight.live import LiveAgreement

_LOG = logging.getLogger("medgauge.annotate")
_LONGEST_HOST = 64  # characters, more than an IPv6 address has
_SIGNED_OUT = (
    "You are not signed in. Open the link that you were sent in a browser that accepts cookies; if it does "
    "not work, ask for a new one."
)
_TOO_MANY = "There were too many requests at once. Wait a few seconds."
_FORGED = "This page is out of date. Reload it and repeat what you did."
_UNFORESEEN = "Something went wrong on the server. Try again; if it happens again, tell the coordinator."


class PageError(Exception):
    """A request that is answered with a status and a sentence; with `retry`, the page sends it again."""

    def __init__(self, status: int, sentence: str, *, retry: bool = False) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.retry = retry


class OthersPageError(PageError):
    """A request from a page that was made for somebody other than who is signed in now."""

    def __init__(self, session: Session) -> None:
        self.session = session
        super().__init__(
            409,
            f"This browser is now signed in as {session.annotator.name}, and the page was made for somebody "
            "else. Nothing was saved.",
        )


class Site:
    """The store, protocol and templates of a study, and its rate limits.

    The coordinator's pages have their own store, so that no rating waits while they read everything.
    """

    def __init__(self, store: Store, coordinators_store: Store, protocol: Protocol, *, url: str) -> None:
        self.store = store
        self.coordinators_store = coordinators_store
        self.protocol = protocol
        self.url = url
        self.study: Study = store.study()
        self.cookies = Cookies(self.study, secure=url.startswith("https:"))
        self.rate = Rate(burst=100, per_second=20)
        self.strangers = Rate(burst=20, per_second=1)
        # Threads take turns at the store, in no particular order: with few threads, none waits long. The
        # coordinator's slow pages have their own threads, so that no rating waits for them.
        self.threads = ThreadPoolExecutor(4)
        self.coordinator_threads = ThreadPoolExecutor(2)
        self._templates = Environment(
            loader=PackageLoader("medgauge.annotate.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"study": self.study, "protocol": protocol}

    @cached_property
    def live(self) -> "LiveAgreement":
        """How far annotators agree so far; loaded on first use, as it takes a second."""
        from medgauge.annotate.oversight.live import LiveAgreement

        return LiveAgreement(self.coordinators_store, self.protocol)

    def page(
        self, name: str, *, session: Session | None = None, status: int = 200, **shown: Any
    ) -> HTMLResponse:
        """Render a template; all values are escaped."""
        text = self._templates.get_template(name).render(session=session, **shown)
        return HTMLResponse(text, status)

    def message(self, title: str, *sentences: str, status: int = 200, **shown: Any) -> HTMLResponse:
        """Render a page with only a message."""
        return self.page("message.html", status=status, title=title, sentences=sentences, **shown)


@dataclass(frozen=True)
class Visit:
    """A request from someone who is signed in, with its body."""

    site: Site
    store: Store
    session: Session
    request: Request
    body: bytes

    @property
    def annotator(self) -> Annotator:
        """Who sent the request."""
        return self.session.annotator

    @cached_property
    def form(self) -> dict[str, str]:
        """The fields of the submitted form."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    def number(self, field: str) -> int:
        """Return a whole number from the form, or from the address of a page."""
        text = self.form.get(field) or self.request.query_params.get(field, "")
        if not (text.isdecimal() and text.isascii() and len(text) < 10):
            raise InputError(f"the form has no number in its field {field}")
        return int(text)

    def page(self, name: str, **shown: Any) -> HTMLResponse:
        """Render a template for whoever sent the request."""
        return self.site.page(name, session=self.session, **shown)


Handler = Callable[[Visit], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


def see_other(path: str) -> RedirectResponse:
    """Redirect the browser to another page with GET."""
    return RedirectResponse(path, 303)


def visited(site: Site, handler: Handler, *, coordinator: bool = False) -> Endpoint:
    """Make an endpoint from a handler, which runs outside the event loop and only for signed-in users."""

    async def endpoint(request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody
        threads = site.coordinator_threads if coordinator else site.threads
        return await answered_by(threads, _answer, site, handler, request, body, coordinator)

    return endpoint


async def answered_by(threads: Executor, answer: Callable[..., Response], *given: object) -> Response:
    """Wait for a thread's answer; if the server stops in the meantime, do not log that as an error."""
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, answer, *given)
    except asyncio.CancelledError:
        return Response(status_code=503)


def _answer(site: Site, handler: Handler, request: Request, body: bytes, coordinator: bool) -> Response:
    session = None
    try:
        store = site.coordinators_store if coordinator else site.store
        session = site.cookies.session(request, store, coordinator=coordinator)
        if session is None:
            limit_strangers(site, request)
            raise PageError(401, _SIGNED_OUT)
        if not site.rate.allows(session.annotator.number):
            raise PageError(429, _TOO_MANY, retry=True)
        visit = Visit(site, store, session, request, body)
        is_post = request.method == "POST"
        csrf = request.headers.get("x-csrf-token") or (visit.form.get("csrf", "") if is_post else "")
        if session.is_anothers(csrf):
            raise OthersPageError(session)
        if is_post and not session.posted(csrf):
            raise PageError(403, _FORGED)
        return handler(visit)
    except Exception as error:
        return refuse(site, request, error, session)


def limit_strangers(site: Site, request: Request) -> None:
    """Refuse an address with too many requests without a sign-in; whoever has a link is never refused."""
    # A proxy may pass on any name a client gives itself, which must not fill the memory.
    if not site.strangers.allows(request.client.host[:_LONGEST_HOST] if request.client else None):
        raise PageError(429, _TOO_MANY, retry=True)


def refuse(site: Site, request: Request, error: Exception, session: Session | None = None) -> Response:
    """Answer with what went wrong: a page, or for scripts a status, a sentence and whether to retry."""
    refused = _refused(error)
    if request.headers.get("accept", "").startswith("application/json"):
        content: dict[str, Any] = {"error": refused.sentence, "retry": refused.retry}
        if isinstance(refused, OthersPageError):
            signed_in = refused.session
            content["person"] = {"whose": signed_in.whose, "name": signed_in.annotator.name}
        return JSONResponse(content, refused.status)
    advice = ["To continue as yourself, open your own link again."] * isinstance(refused, OthersPageError)
    return site.message(
        "Not signed in" if refused.status == 401 else "This did not work",
        refused.sentence,
        *advice,
        status=refused.status,
        session=session if refused.status != 401 else None,
    )


def _refused(error: Exception) -> PageError:
    """Return the status and the sentence of an error; what concerns only the server goes to its log."""
    match error:
        case PageError():
            return error
        case RevokedError():
            return PageError(401, _sentence(str(error)))
        case PausedError():
            return PageError(409, _sentence(str(error)), retry=True)
        case RefusedError():
            return PageError(409, _sentence(str(error)))
        case FileError():
            _LOG.error("%s", error)
            return PageError(503, _sentence(error.problem), retry=True)
        case InputError():
            return PageError(422, _sentence(str(error)))
        case _:
            # Its message could quote a term or a token; its traceback cannot.
            _LOG.error("%s\n%s", type(error).__name__, "".join(format_tb(error.__traceback__)))
            return PageError(500, _UNFORESEEN, retry=True)


def _sentence(text: str) -> str:
    """Start a text with a capital and end it with a full stop.

    >>> _sentence("the study is paused")
    'The study is paused.'
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
