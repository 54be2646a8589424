"""The pages of the coordinator: the state of the study, who may rate, and the ratings themselves.

Modules that compute are loaded after the server has started, so that it starts at once.
"""

from typing import TYPE_CHECKING

from starlette.responses import Response

from medgauge.annotate.store.study import Annotator
from medgauge.annotate.web.site import Visit, see_other
from medgauge.errors import InputError
from medgauge.files.spreadsheets import frame_csv

if TYPE_CHECKING:
    from medgauge.report.grids.grid import Grid

_DISPUTED = 20  # pairs to list


def load() -> None:
    """Load the modules that these pages need; loading them for the first page view would delay ratings."""
    import medgauge.annotate.exchange.export
    import medgauge.annotate.oversight.live
    import medgauge.annotate.web.grids
    import medgauge.report.agreement_tables  # noqa: F401


def overview(visit: Visit) -> Response:
    """Show the state of the study; agreement, which takes longer, is requested by the page itself."""
    paused = visit.store.study().paused
    return visit.page(
        "coordinator.html", paused=paused, progress=visit.store.progress(), grids=_behaviour(visit)
    )


def annotators(visit: Visit) -> Response:
    """Show the updated progress of annotators."""
    return visit.page("_annotators.html", progress=visit.store.progress())


def behaviour(visit: Visit) -> Response:
    """Show the updated tables of how annotators rate and where they disagree."""
    return visit.page("_behaviour.html", grids=_behaviour(visit))


def _behaviour(visit: Visit) -> "list[Grid]":
    from medgauge.annotate.exchange.export import ratings_of
    from medgauge.annotate.oversight.overview import most_disputed, oversee
    from medgauge.annotate.web.grids import behaviour_grid, disputed_grid

    store, protocol = visit.store, visit.site.protocol
    at_least, ratings = protocol.equal_in_a_row, store.ratings(protocol.allows)
    overseen = oversee(store.progress(), ratings, store.timed(), at_least=at_least)
    disputed = most_disputed(ratings_of(ratings, protocol), count=_DISPUTED)
    return [behaviour_grid(overseen, at_least=at_least), disputed_grid(disputed, protocol)]


def agreement(visit: Visit) -> Response:
    """Show how far annotators agree on the ratings so far."""
    live = visit.site.live.figures()
    grids = [] if live.agreement is None else live.agreement.grids()
    return visit.page("_agreement.html", live=live, grids=grids)


def pause(visit: Visit) -> Response:
    """Refuse ratings until the study is resumed."""
    visit.store.pause()
    return see_other("/coordinator")


def resume(visit: Visit) -> Response:
    """Accept ratings again."""
    visit.store.resume()
    return see_other("/coordinator")


def ask_new_link(visit: Visit) -> Response:
    """Ask before a new link is made, since the annotator's present one stops working."""
    return visit.page("sure.html", what="link", who=_annotator(visit))


def new_link(visit: Visit) -> Response:
    """Make a new link for an annotator, and show it only once."""
    who = _annotator(visit)
    token = visit.store.new_link(who.number)
    return visit.page("link.html", whose=who.name, link=f"{visit.site.url}/s/{token}")


def ask_revoke(visit: Visit) -> Response:
    """Ask before a link is revoked."""
    return visit.page("sure.html", what="revoke", who=_annotator(visit))


def revoke(visit: Visit) -> Response:
    """Stop an annotator from signing in and rating."""
    visit.store.revoke(_annotator(visit).number)
    return see_other("/coordinator")


def _annotator(visit: Visit) -> Annotator:
    """Return the annotator that a request refers to; refuse the coordinator, who would be locked out."""
    number = visit.number("annotator")
    if number == visit.annotator.number:
        raise InputError("the coordinator's own link cannot be changed here; use medgauge annotate link")
    found = next((one for one in visit.store.annotators() if one.number == number), None)
    if found is None:
        raise InputError(f"the study has no annotator {number}")
    return found


def export(visit: Visit) -> Response:
    """Return all ratings as a table."""
    from medgauge.annotate.exchange.export import ratings_table

    protocol = visit.site.protocol
    text = frame_csv(ratings_table(visit.store.ratings(protocol.allows), protocol))
    disposition = 'attachment; filename="ratings.csv"'
    return Response(text, media_type="text/csv", headers={"content-disposition": disposition})
