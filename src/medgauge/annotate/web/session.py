"""Who is signed in: cookies that hold a link's token, and the CSRF token that each post must also carry."""

import hashlib
import hmac
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from medgauge.annotate.store.store import Store
from medgauge.annotate.store.study import Annotator, Study

_KEPT = 180 * 24 * 3600  # seconds: a study may take months of evenings


@dataclass(frozen=True)
class Session:
    """Someone who is signed in to a study, with the token of their link."""

    annotator: Annotator
    token: str
    study: str

    @property
    def whose(self) -> str:
        """Who the pages of this session belong to, on a device that several annotators may use."""
        return f"{self.study}_{self.annotator.number}"

    @property
    def csrf(self) -> str:
        """The token that a page of this session puts into each request, and that no other site can know.

        It begins with whose page it is.
        """
        return f"{self.whose}_{hmac.new(self.token.encode(), b'post', hashlib.sha256).hexdigest()}"

    def posted(self, csrf: str) -> bool:
        """Return whether a post comes from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode("utf-8", "replace"))

    def is_anothers(self, csrf: str) -> bool:
        """Return whether a request comes from a page that was made for somebody else."""
        whose, _, _ = csrf.rpartition("_")
        return whose not in ("", self.whose)


class Cookies:
    """The cookies of a study, one for annotators and one for the coordinator.

    Browsers share cookies between the ports of a host, so each study's cookies have their own name, and the
    coordinator can view an annotator's pages in the same browser. They hold the link's token: revoking or
    replacing a link signs out at once, and restarting the server signs nobody out.
    """

    def __init__(self, study: Study, *, secure: bool) -> None:
        digest = hashlib.sha256(f"{study.created} {study.name}".encode()).hexdigest()[:8]
        self.study = digest
        self._secure = secure
        self._name = f"{'__Host-' if secure else ''}medgauge-{digest}"

    def _name_for(self, coordinator: bool) -> str:
        return f"{self._name}-coordinator" if coordinator else self._name

    def session(self, request: Request, store: Store, *, coordinator: bool) -> Session | None:
        """Return the session of a request; None if nobody with that role is signed in."""
        token = request.cookies.get(self._name_for(coordinator))
        annotator = store.annotator_by_link(token) if token else None
        if token is None or annotator is None or annotator.coordinator != coordinator:
            return None
        return Session(annotator, token, self.study)

    def sign_in(self, response: Response, session: Session) -> None:
        """Store a session in the browser; other sites' posts do not carry it, and no script can read it."""
        response.set_cookie(
            self._name_for(session.annotator.coordinator),
            session.token,
            max_age=_KEPT,
            secure=self._secure,
            httponly=True,
            samesite="lax",  # strict cookies are not sent when following a link in an e-mail
        )

    def sign_out(self, response: Response, *, coordinator: bool) -> None:
        """Remove a session from the browser."""
        response.delete_cookie(
            self._name_for(coordinator), secure=self._secure, httponly=True, samesite="lax"
        )
