"""How long a term may be: the time to compare two terms grows with the product of their lengths.

A name of SNOMED CT has at most 255 characters, and a text definition 4,096; systematic names of chemicals
have some thousands. Two terms of 10,000 characters are compared in milliseconds, two of a million, as a
damaged file may have, in minutes.
"""

LONGEST_TERM = 10_000
"""Characters."""


def problem_of_length(length: int) -> str | None:
    """Return what is wrong with a term of this many characters, None if nothing is.

    >>> problem_of_length(12)
    >>> problem_of_length(2_000_000)
    'the term has 2,000,000 characters, more than the 10,000 that a term may have'
    """
    if length <= LONGEST_TERM:
        return None
    return f"the term has {length:,} characters, more than the {LONGEST_TERM:,} that a term may have"
