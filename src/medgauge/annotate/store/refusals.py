"""Why a study refuses a change that could be asked for at another time, as pages have to tell apart.

    InputError
    └── RefusedError
        ├── RevokedError        the annotator may no longer rate
        ├── PausedError         nobody may rate until the coordinator resumes the study
        ├── SubmittedError      the page is submitted, and stays as it is
        ├── NotReachedError     the page comes after one that is not submitted
        └── UnratedError        the page has pairs without a rating, and cannot be submitted yet

What no page would send is refused with a plain InputError.
"""

from medgauge.errors import InputError


class RefusedError(InputError):
    """The study is in a state in which it does not take the change."""


class RevokedError(RefusedError):
    """The annotator may no longer rate."""


class PausedError(RefusedError):
    """Nobody may rate until the coordinator resumes the study."""


class SubmittedError(RefusedError):
    """The page is submitted, and stays as it is."""


class NotReachedError(RefusedError):
    """The page comes after one that is not submitted."""


class UnratedError(RefusedError):
    """The page has pairs without a rating, and cannot be submitted yet."""
