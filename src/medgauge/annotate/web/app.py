"""The web application of a study."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from medgauge.annotate.store.store import Store
from medgauge.annotate.web import annotator, coordinator
from medgauge.annotate.web.guards import BoundedBody, GuardedHeaders
from medgauge.annotate.web.signin import sign_in, sign_out
from medgauge.annotate.web.site import Handler, PageError, Site, refuse, visited
from medgauge.protocol import Protocol

_ANNOTATOR: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", annotator.home),
    ("GET", "/instructions", annotator.instructions),
    ("POST", "/instructions", annotator.begin),
    ("GET", "/practice", annotator.practice),
    ("POST", "/practice", annotator.practise),
    ("POST", "/practice/end", annotator.end_practice),
    ("GET", "/rate", annotator.rating),
    ("POST", "/rate", annotator.rate),
    ("GET", "/answers", annotator.answers),
    ("POST", "/undo", annotator.undo),
    ("POST", "/submit", annotator.submit),
    ("GET", "/done", annotator.done),
    ("POST", "/sign-out", sign_out),
)
_COORDINATOR: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/coordinator", coordinator.overview),
    ("GET", "/coordinator/annotators", coordinator.annotators),
    ("GET", "/coordinator/agreement", coordinator.agreement),
    ("GET", "/coordinator/behaviour", coordinator.behaviour),
    ("POST", "/coordinator/pause", coordinator.pause),
    ("POST", "/coordinator/resume", coordinator.resume),
    ("GET", "/coordinator/link", coordinator.ask_new_link),
    ("POST", "/coordinator/link", coordinator.new_link),
    ("GET", "/coordinator/revoke", coordinator.ask_revoke),
    ("POST", "/coordinator/revoke", coordinator.revoke),
    ("GET", "/coordinator/ratings.csv", coordinator.export),
    ("POST", "/coordinator/sign-out", sign_out),
)


def make_app(store: Store, coordinators_store: Store, protocol: Protocol, *, url: str) -> Starlette:
    """Make the application that serves a study, whose store is opened twice; links begin with `url`."""
    site = Site(store, coordinators_store, protocol, url=url)
    routes = [Route("/s/{token}", sign_in(site), methods=["GET"])]
    for is_coordinator, pages in ((False, _ANNOTATOR), (True, _COORDINATOR)):
        routes += [
            Route(path, visited(site, handler, coordinator=is_coordinator), methods=[method])
            for method, path, handler in pages
        ]
    static = Path(str(resources.files("medgauge.annotate.web") / "static"))
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=static))],
        middleware=[
            Middleware(GuardedHeaders, secure=url.startswith("https:")),
            Middleware(BoundedBody),
        ],
        exception_handlers={HTTPException: _not_found(site)},
    )
    # A path with an extra slash would be redirected, token and all, to whatever host the request names.
    app.router.redirect_slashes = False
    return app


def _not_found(site: Site) -> Callable[[Request, Exception], Response]:
    def answer(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = "There is no such page." if status == 404 else "This page does not accept such a request."
        return refuse(site, request, PageError(status, sentence))

    return answer
