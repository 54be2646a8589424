"""The pages of the coordinator: how the study goes, who may rate, and the ratings themselves."""

from starlette.responses import Response

from medgauge.annotate.export import ratings_table
from medgauge.annotate.web.site import Visit, see_other
from medgauge.errors import InputError


def overview(visit: Visit) -> Response:
    """Show how the study goes."""
    return visit.page("coordinator.html", **_shown(visit))


def live(visit: Visit) -> Response:
    """Give the part of the page that changes."""
    return visit.page("_live.html", **_shown(visit))


def _shown(visit: Visit) -> dict[str, object]:
    return {"paused": visit.store.study().paused, "progress": visit.store.progress()}


def pause(visit: Visit) -> Response:
    """Refuse ratings for a while."""
    visit.store.pause()
    return see_other("/coordinator")


def resume(visit: Visit) -> Response:
    """Accept ratings again."""
    visit.store.resume()
    return see_other("/coordinator")


def new_link(visit: Visit) -> Response:
    """Give an annotator a new link, and show it this once."""
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
    """Give all ratings as a table."""
    text = ratings_table(visit.store.ratings(), visit.site.protocol).write_csv()
    disposition = 'attachment; filename="ratings.csv"'
    return Response(text, media_type="text/csv", headers={"content-disposition": disposition})
