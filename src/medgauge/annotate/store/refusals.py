"""Why a study refuses a change that it would accept in another state, as pages must distinguish.

    InputError
    └── RefusedError
        ├── RevokedError        the annotator may no longer rate
        ├── PausedError         nobody may rate until the coordinator resumes the study
        ├── SubmittedError      the page is submitted, and can no longer be changed
        ├── NotReachedError     the page comes after one that is not submitted
        ├── StaleError          the task has another answer than the one that the page showed
        └── UnratedError        the page has pairs without a rating, and cannot be submitted yet

Input that no page would send is refused with a plain InputError.
"""

from medgauge.annotate.store.study import Rating
from medgauge.errors import InputError


class RefusedError(InputError):
    """The study does not accept the change in its current state."""


class RevokedError(RefusedError):
    """The annotator may no longer rate."""


class PausedError(RefusedError):
    """Nobody may rate until the coordinator resumes the study."""


class SubmittedError(RefusedError):
    """The page is submitted, and can no longer be changed."""


class NotReachedError(RefusedError):
    """The page comes after one that is not submitted."""


class StaleError(RefusedError):
    """The task has another answer than the one that the page showed: `now`, None if it was undone."""

    def __init__(self, now: Rating | None) -> None:
        self.now = now
        what = "its rating was undone" if now is None else "it was rated"
        super().__init__(f"{what} in another tab; look at the pair again before you change it")


class UnratedError(RefusedError):
    """The page has pairs without a rating, and cannot be submitted yet."""
