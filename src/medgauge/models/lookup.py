"""The choices that a user has in looking terms up; nothing heavy is imported to name them."""

from typing import Literal, get_args

from medgauge.errors import UnknownNameError

Tokenizer = Literal["words", "whitespace"]
"""How a term is split into words."""

Case = Literal["fallback", "lower", "keep"]
"""A word is looked up as it is and then in lower case, in lower case, or as it is."""

Oov = Literal["uncovered", "skip-word"]
"""What becomes of a term with an unknown word: it is not covered, or it is the words that are known."""

Undecodable = Literal["error", "skip"]
"""What is done with words of a vector file that are not UTF-8."""


def check_choice(what: str, value: str, choices: object) -> None:
    """Refuse a value that is none of a Literal's.

    >>> check_choice("case", "upper", Case)
    Traceback (most recent call last):
        ...
    medgauge.errors.UnknownNameError: there is no case 'upper'; there are: fallback, lower, keep
    """
    if value not in get_args(choices):
        raise UnknownNameError(what, str(value), get_args(choices))
