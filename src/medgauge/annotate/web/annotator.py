"""The pages of an annotator: instructions, practice, rating, and the requests they send.

They show the terms of a pair and the annotator's own answer, and nothing else that is known about the pair.
"""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import JSONResponse, Response

from medgauge.annotate.oversight.patterns import equal_at_end
from medgauge.annotate.store.study import Item
from medgauge.annotate.web.site import Visit, see_other
from medgauge.errors import InputError

_LONGEST_RUN = 10  # reminders during one run of equal ratings, after which there are no more
_Seconds = Annotated[float, Field(ge=0, le=24 * 3600, allow_inf_nan=False)]


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Kind = TypeVar("_Kind", bound=_Sent)


class _Answer(_Sent):
    """An answer to a pair: a value, or null if the annotator is unsure."""

    value: Annotated[float, Field(allow_inf_nan=False)] | None
    place: int


class _Rating(_Answer):
    seconds: _Seconds
    key: str


class _Undo(_Sent):
    place: int
    key: str


def home(visit: Visit) -> Response:
    """Redirect an annotator to the page where they left off."""
    return see_other(_where(visit))


def _where(visit: Visit) -> str:
    annotator = visit.annotator
    if annotator.instructed_at is None:
        return "/instructions"
    if annotator.practised_at is None and visit.site.protocol.practice:
        return "/practice"
    return "/done" if visit.store.current_page(annotator.number) is None else "/rate"


def instructions(visit: Visit) -> Response:
    """Show the instructions, before the first pair and on request."""
    return visit.page("instructions.html", again=visit.annotator.instructed_at is not None)


def begin(visit: Visit) -> Response:
    """Note that the instructions were read."""
    visit.store.mark_instructed(visit.annotator.number)
    return see_other("/")


def practice(visit: Visit) -> Response:
    """Show the pairs to practise on, with feedback after each answer."""
    if visit.annotator.instructed_at is None:
        return see_other("/instructions")
    if not visit.site.protocol.practice:
        return see_other("/")
    pairs = [{"left": pair.term_1, "right": pair.term_2} for pair in visit.site.protocol.practice]
    return visit.page("practice.html", state={"pairs": pairs})


def practise(visit: Visit) -> Response:
    """Reply whether an answer to a practice pair is right; nothing is stored."""
    sent = _read(_Answer, visit)
    protocol = visit.site.protocol
    pairs = protocol.practice
    if not 0 <= sent.place < len(pairs):
        raise InputError(f"there is no practice pair {sent.place}")
    if not protocol.allows(sent.value):
        raise InputError("the protocol of the study has no such answer")
    pair = pairs[sent.place]
    return JSONResponse({"right": pair.is_right(sent.value), "feedback": pair.feedback})


def end_practice(visit: Visit) -> Response:
    """Note that the practice pairs were rated."""
    visit.store.mark_practised(visit.annotator.number)
    return see_other("/")


def rating(visit: Visit) -> Response:
    """Show the current page, at its first pair without a rating."""
    where = _where(visit)
    if where != "/rate":
        return see_other(where)
    number = visit.annotator.number
    progress = visit.store.progress_of(number)
    if progress.page is None:  # submitted a moment ago, in another window
        return see_other("/done")
    items = visit.store.page_of(number, progress.page)
    rated = sum(item.rating is not None for item in items)
    state = {
        "annotator": number,
        "study": visit.site.cookies.study,
        "items": _shown(items, visit.store.places_in_turn(number)),
        "before": progress.done - rated,
        "of": progress.of,
    }
    return visit.page("rate.html", state=state, progress=progress, paused=visit.store.study().paused)


def _shown(items: list[Item], in_turn: list[int]) -> list[dict[str, Any]]:
    """Return what a page may know about its pairs; `turn` is the order in which they were rated."""
    rated = {item.place for item in items if item.rating}
    turns = {place: turn for turn, place in enumerate(place for place in in_turn if place in rated)}
    return [
        {
            "place": item.place,
            "left": item.left,
            "right": item.right,
            "rated": item.rating is not None,
            "value": item.rating.value if item.rating else None,
            "turn": turns.get(item.place),
        }
        for item in items
    ]


def rate(visit: Visit) -> Response:
    """Store a rating; it is on disk before the reply is sent."""
    sent = _read(_Rating, visit)
    number, protocol = visit.annotator.number, visit.site.protocol
    saved = visit.store.rate(
        number,
        sent.place,
        value=sent.value,
        unsure=sent.value is None,
        seconds=sent.seconds,
        key=sent.key,
        accepts=protocol.allows,
    )
    in_a_row = equal_at_end(visit.store.latest_answers(number, _LONGEST_RUN * protocol.equal_in_a_row + 1))
    return JSONResponse(
        {
            "place": saved.place,
            "saved": saved.rating.at,
            "remind": in_a_row > 0 and in_a_row % protocol.equal_in_a_row == 0,
        }
    )


def undo(visit: Visit) -> Response:
    """Undo a rating of the page; the request names it, as another window may have rated since."""
    sent = _read(_Undo, visit)
    visit.store.undo(visit.annotator.number, sent.place, key=sent.key)
    return JSONResponse({"place": sent.place})


def submit(visit: Visit) -> Response:
    """Close a page, after which its ratings can no longer be changed."""
    visit.store.submit_page(visit.annotator.number, visit.number("page"))
    return see_other("/")


def done(visit: Visit) -> Response:
    """Thank an annotator who has rated everything."""
    if _where(visit) != "/done":
        return see_other("/")
    progress = visit.store.progress_of(visit.annotator.number)
    return visit.page("done.html", progress=progress)


def _read(kind: type[_Kind], visit: Visit) -> _Kind:
    """Parse what a page's script sent."""
    try:
        return kind.model_validate_json(visit.body)
    except ValidationError:
        raise InputError("the request is not a valid answer; reload the page") from None
