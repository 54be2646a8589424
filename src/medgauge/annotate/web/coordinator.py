"""The pages of the coordinator: how the study goes, who may rate, and the ratings themselves.

What computes is loaded after the server has started, so that it starts at once.
"""

from typing import TYPE_CHECKING

from starlette.responses import Response

from medgauge.annotate.web.site import Visit, see_other
from medgauge.errors import InputError

if TYPE_CHECKING:
    from medgauge.report.grid import Grid

_DISPUTED = 20  # pairs that are listed


def load() -> None:
    """Load what these pages compute with, which would hold up ratings if the first look at a page did."""
    import medgauge.annotate.exchange.export
    import medgauge.annotate.oversight.live
    import medgauge.annotate.web.grids
    import medgauge.report.agreement_tables  # noqa: F401


def overview(visit: Visit) -> Response:
    """Show how the study goes; agreement, which takes longer, is asked for by the page itself."""
    paused = visit.store.study().paused
    return visit.page(
        "coordinator.html", paused=paused, progress=visit.store.progress(), grids=_manners(visit)
    )


def annotators(visit: Visit) -> Response:
    """Show again how far annotators are."""
    return visit.page("_annotators.html", progress=visit.store.progress())


def manners(visit: Visit) -> Response:
    """Show again how annotators rate, and where they disagree."""
    return visit.page("_manners.html", grids=_manners(visit))


def _manners(visit: Visit) -> "list[Grid]":
    from medgauge.annotate.exchange.export import ratings_of
    from medgauge.annotate.oversight.overview import most_disputed, oversee
    from medgauge.annotate.web.grids import disputed_grid, manners_grid

    store, protocol = visit.store, visit.site.protocol
    at_least, ratings = protocol.equal_in_a_row, store.ratings()
    overseen = oversee(store.progress(), ratings, store.timed(), at_least=at_least)
    disputed = most_disputed(ratings_of(ratings, protocol), count=_DISPUTED)
    return [manners_grid(overseen, at_least=at_least), disputed_grid(disputed, protocol)]


def agreement(visit: Visit) -> Response:
    """Show how far annotators agree on what is rated so far."""
    live = visit.site.live.figures()
    grids = [] if live.agreement is None else live.agreement.grids()
    return visit.page("_agreement.html", live=live, grids=grids)


def pause(visit: Visit) -> Response:
    """Refuse ratings for a while."""
    visit.store.pause()
    return see_other("/coordinator")


def resume(visit: Visit) -> Response:
    """Accept ratings again."""
    visit.store.resume()
    return see_other("/coordinator")


def new_link(visit: Visit) -> Response:
    """Make a new link for an annotator, and show it this once."""
    number = _annotator(visit)
    token = visit.store.new_link(number)
    whose = next(one.name for one in visit.store.annotators() if one.number == number)
    return visit.page("link.html", whose=whose, link=f"{visit.site.url}/s/{token}")


def revoke(visit: Visit) -> Response:
    """Let an annotator neither sign in nor rate any more."""
    visit.store.revoke(_annotator(visit))
    return see_other("/coordinator")


def _annotator(visit: Visit) -> int:
    """Read whom a form is about: never the coordinator, who would be locked out."""
    number = visit.number("annotator")
    if number == visit.annotator.number:
        raise InputError("the coordinator's own link is not changed here; use medgauge annotate link")
    return number


def export(visit: Visit) -> Response:
    """Return all ratings as a table."""
    from medgauge.annotate.exchange.export import ratings_table

    text = ratings_table(visit.store.ratings(), visit.site.protocol).write_csv()
    disposition = 'attachment; filename="ratings.csv"'
    return Response(text, media_type="text/csv", headers={"content-disposition": disposition})
