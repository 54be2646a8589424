"""The choices that a user has in looking terms up; nothing heavy is imported to name them."""

from typing import Literal

Tokenizer = Literal["words", "whitespace"]
"""How a term is split into words."""

Case = Literal["fallback", "lower", "keep"]
"""A word is looked up as it is and then in lower case, in lower case, or as it is."""

Oov = Literal["uncovered", "skip-word"]
"""What becomes of a term with an unknown word: it is not covered, or it is the words that are known."""

Undecodable = Literal["error", "skip"]
"""What is done with words of a vector file that are not UTF-8."""
