"""Sign in with a link, and sign out."""

from starlette.requests import Request
from starlette.responses import Response

from medgauge.annotate.web.session import Session
from medgauge.annotate.web.site import (
    Endpoint,
    PageError,
    Site,
    Visit,
    answered_by,
    limit_strangers,
    refuse,
    see_other,
)

_UNKNOWN = (
    "This link is not valid. It may have been replaced or revoked, or cut off on its way to you: "
    "ask the coordinator of the study for a new one."
)


def sign_in(site: Site) -> Endpoint:
    """Make the endpoint of sign-in links; opening one changes nothing, so link previews are harmless."""

    def answer(request: Request) -> Response:
        try:
            token = request.path_params["token"]
            annotator = site.store.annotator_by_link(token)
            if annotator is None:
                limit_strangers(site, request)
                raise PageError(404, _UNKNOWN)
            response = see_other("/coordinator" if annotator.coordinator else "/")
            site.cookies.sign_in(response, Session(annotator, token, site.cookies.study))
        except Exception as error:
            return refuse(site, request, error)
        return response

    async def endpoint(request: Request) -> Response:
        return await answered_by(site.threads, answer, request)

    return endpoint


def sign_out(visit: Visit) -> Response:
    """Sign the user out in this browser."""
    response = visit.site.message(
        "Signed out",
        "You are signed out on this device. To continue, open your link again.",
        "If the page said that a rating was not saved, open your link on this device, which has kept it.",
        session=None,
    )
    visit.site.cookies.sign_out(response, coordinator=visit.annotator.coordinator)
    return response
