"""Who is signed in: cookies that hold a link's token, and the token that each post must carry besides."""

import hashlib
import hmac
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Annotator, Study

_KEPT = 180 * 24 * 3600  # seconds: a study may go over months of evenings


@dataclass(frozen=True)
class Session:
    """Somebody who is signed in, with the token of their link."""

    annotator: Annotator
    token: str

    @property
    def csrf(self) -> str:
        """The token that a page of this session puts into each post, and no other site can know."""
        return hmac.new(self.token.encode(), b"post", hashlib.sha256).hexdigest()

    def posted(self, csrf: str) -> bool:
        """Return whether a post comes from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "replace"))


class Cookies:
    """The cookies of a study, one for annotators and one for the coordinator.

    Browsers do not tell the ports of a host apart, so a study's cookies have a name of their own, and who
    coordinates can look at an annotator's pages in the same browser. They hold the link's token: a link that
    is revoked or replaced signs out at once, and a server that starts again signs nobody out.
    """

    def __init__(self, study: Study, *, secure: bool) -> None:
        digest = hashlib.sha256(f"{study.created} {study.name}".encode()).hexdigest()[:8]
        self.study = digest
        self._secure = secure
        self._name = f"{'__Host-' if secure else ''}medgauge-{digest}"

    def _name_for(self, coordinator: bool) -> str:
        return f"{self._name}-coordinator" if coordinator else self._name

    def session(self, request: Request, store: Store, *, coordinator: bool) -> Session | None:
        """Find who a request is from; None if nobody, or not somebody of that role."""
        token = request.cookies.get(self._name_for(coordinator))
        annotator = store.annotator_by_link(token) if token else None
        if token is None or annotator is None or annotator.coordinator != coordinator:
            return None
        return Session(annotator, token)

    def sign_in(self, response: Response, session: Session) -> None:
        """Have the browser keep a session; other sites' posts do not carry it, and no script can read it."""
        response.set_cookie(
            self._name_for(session.annotator.coordinator),
            session.token,
            max_age=_KEPT,
            secure=self._secure,
            httponly=True,
            samesite="lax",  # strict would not be sent on the way from a link in a mail
        )

    def sign_out(self, response: Response, *, coordinator: bool) -> None:
        """Have the browser forget a session."""
        response.delete_cookie(
            self._name_for(coordinator), secure=self._secure, httponly=True, samesite="lax"
        )
