"""The pages of an annotator: instructions, practice, rating, and the requests they send.

They show the terms of a pair and the annotator's own answer, and nothing else that is known about the pair.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import JSONResponse, Response

from medgauge.annotate.oversight.patterns import equal_at_end
from medgauge.annotate.store.refusals import StaleError
from medgauge.annotate.store.study import Item
from medgauge.annotate.web.site import PageError, Visit, see_other
from medgauge.errors import InputError
from medgauge.protocol import Protocol

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
    """A rating to store; `seen` is the key of the answer that the page showed, null if it showed none."""

    seconds: _Seconds
    key: str
    seen: str | None = None


class _Undo(_Sent):
    place: int
    key: str
    seen: str | None = None


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
    return visit.page(
        "instructions.html",
        again=visit.annotator.instructed_at is not None,
        repeats=bool(visit.site.study.design.get("duplicates")),
    )


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
    pairs = [{"left": pair.term_1, "right": pair.term_2 or ""} for pair in visit.site.protocol.practice]
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
    given = _answers(items)
    state = {
        "annotator": number,
        "study": visit.site.cookies.study,
        "page": progress.page,
        "items": [{"left": item.left, "right": item.right, **given[item.place]} for item in items],
        "before": progress.done - rated,
        "of": progress.of,
    }
    return visit.page("rate.html", state=state, progress=progress, paused=visit.store.study().paused)


def answers(visit: Visit) -> Response:
    """Return the answers to the current page, which may have been given in another tab."""
    number = visit.annotator.number
    page = visit.store.current_page(number)
    given = {} if page is None else _answers(visit.store.page_of(number, page))
    paused = visit.store.study().paused
    return JSONResponse({"page": page, "items": list(given.values()), "paused": paused})


def _answers(items: list[Item]) -> dict[int, dict[str, Any]]:
    """Return an annotator's own answers by place; `turn` is the order in which they were given."""
    versions = sorted(item.version.number for item in items if item.version)
    turns = {number: turn for turn, number in enumerate(versions)}
    return {
        item.place: {
            "place": item.place,
            "rated": item.rating is not None,
            "value": item.rating.value if item.rating else None,
            "version": item.version.key if item.version else None,
            "turn": turns[item.version.number] if item.version else None,
        }
        for item in items
    }


def rate(visit: Visit) -> Response:
    """Store a rating; it is on disk before the reply is sent."""
    sent = _read(_Rating, visit)
    number, protocol = visit.annotator.number, visit.site.protocol
    with _stale_in_words(protocol):
        saved = visit.store.rate(
            number,
            sent.place,
            value=sent.value,
            unsure=sent.value is None,
            seconds=sent.seconds,
            key=sent.key,
            seen=sent.seen,
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
    with _stale_in_words(visit.site.protocol):
        visit.store.undo(visit.annotator.number, sent.place, key=sent.key, seen=sent.seen)
    return JSONResponse({"place": sent.place})


@contextmanager
def _stale_in_words(protocol: Protocol) -> Iterator[None]:
    """Say which newer answer was not replaced, in the words of the protocol."""
    try:
        yield
    except StaleError as error:
        if error.now is None:
            raise PageError(409, "The rating of this pair was undone in another tab.") from None
        answer = protocol.answer_text(error.now.value)
        raise PageError(409, f"This pair was rated in another tab: {answer}.") from None


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
