"""The user's choices for looking up terms, in a module without heavy imports."""

from typing import Literal, get_args

from medgauge.errors import UnknownNameError

Tokenizer = Literal["words", "whitespace"]
"""How a term is split into words."""

Case = Literal["fallback", "lower", "keep"]
"""A word is looked up as is and then in lower case, only in lower case, or only as is."""

Oov = Literal["uncovered", "skip-word"]
"""What happens to a term with an unknown word: it is not covered, or only its known words count."""

Undecodable = Literal["error", "skip"]
"""What happens to words of a vector file that are not UTF-8."""


def check_choice(what: str, value: str, choices: object) -> None:
    """Raise an error for a value that is not one of a Literal's.

    >>> check_choice("case", "upper", Case)
    Traceback (most recent call last):
        ...
    medgauge.errors.UnknownNameError: there is no case 'upper'; choose from: fallback, lower, keep
    """
    if value not in get_args(choices):
        raise UnknownNameError(what, str(value), get_args(choices))
