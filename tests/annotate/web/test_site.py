"""What becomes of requests that come at the same time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from medgauge.annotate.store.study import Annotator
from medgauge.annotate.web.session import Session
from medgauge.annotate.web.site import Site, Visit, visited
from medgauge.protocol import load_protocol
from tests.annotate.studies import ANN, COORDINATOR

SLOW = 20


def signed_in(site: Site, number: int) -> dict[str, str]:
    """Give the headers of somebody who is signed in."""
    response = Response()
    annotator = Annotator(number, "", number == COORDINATOR, None, None, None)
    site.cookies.sign_in(response, Session(annotator, site.store.new_link(number), site.cookies.study))
    return {"cookie": response.headers["set-cookie"].partition(";")[0]}


def test_a_page_that_is_under_way_when_the_server_ends_is_no_fault(store):
    site = Site(store, store, load_protocol("graded"), url="http://testserver")
    begun, end = Event(), Event()

    def slow(visit: Visit) -> Response:
        begun.set()
        end.wait(10)
        return PlainTextResponse("slow")

    cookie = signed_in(site, COORDINATOR)["cookie"].encode()
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"cookie", cookie)]}

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def ended_meanwhile() -> Response:
        task = asyncio.ensure_future(visited(site, slow, coordinator=True)(Request(scope, receive)))
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        return await task

    assert asyncio.run(ended_meanwhile()).status_code == 503
    end.set()


def test_no_rating_waits_for_slow_pages_of_the_coordinator(store):
    site = Site(store, store, load_protocol("graded"), url="http://testserver")
    end = Event()

    def slow(visit: Visit) -> Response:
        end.wait(10)
        return PlainTextResponse("slow")

    def quick(visit: Visit) -> Response:
        return PlainTextResponse("quick")

    routes = [Route("/slow", visited(site, slow, coordinator=True)), Route("/quick", visited(site, quick))]
    app = Starlette(routes=routes)
    ann, coordinator = signed_in(site, ANN), signed_in(site, COORDINATOR)
    with ThreadPoolExecutor(SLOW) as browsers:
        asked = [browsers.submit(TestClient(app, headers=coordinator).get, "/slow") for _ in range(SLOW)]
        answer = TestClient(app, headers=ann).get("/quick")
        assert not any(one.done() for one in asked)
        end.set()
    assert answer.text == "quick"
    assert {one.result().text for one in asked} == {"slow"}
