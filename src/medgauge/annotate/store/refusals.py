"""Why a study refuses a change that it would accept in another state, as pages must distinguish.

    InputError
    └── RefusedError
        ├── RevokedError        the annotator may no longer rate
        ├── PausedError         nobody may rate until the coordinator resumes the study
        ├── SubmittedError      the page is submitted, and can no longer be changed
        ├── NotReachedError     the page comes after one that is not submitted
        └── UnratedError        the page has pairs without a rating, and cannot be submitted yet

Input that no page would send is refused with a plain InputError.
"""

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


class UnratedError(RefusedError):
    """The page has pairs without a rating, and cannot be submitted yet."""
