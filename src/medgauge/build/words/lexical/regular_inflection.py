"""Regular inflection by the codes of the SPECIALIST Lexicon, whose unit records list only irregular forms.

Reference: Browne, McCray and Srinivasan (2018). The SPECIALIST Lexicon. Technical report, National Library of
Medicine, section 4, Variants: agreement and inflection.
"""

from collections.abc import Iterator

_HISSES = ("s", "z", "x", "ch", "sh")
_VOWELS = "aeiou"
_GRECO_LATIN = (
    *(("us", "i"), ("ma", "mata"), ("a", "ae"), ("um", "a"), ("on", "a"), ("sis", "ses"), ("is", "es")),
    *(("men", "mina"), ("ex", "ices"), ("x", "ces")),
)


def noun_plurals(base: str, code: str) -> Iterator[str]:
    """Yield the plurals of a noun by its code: reg, glreg (Greek and Latin) or metareg; others have none.

    >>> words = (("therapy", "reg"), ("analysis", "glreg"), ("water", "uncount"))
    >>> [plural for base, code in words for plural in noun_plurals(base, code)]
    ['therapies', 'analyses']
    """
    if code == "reg":
        yield _with_s(base)
    elif code == "metareg":
        yield f"{base}s"
        yield f"{base}'s"
    elif code == "glreg":
        ending = next((one for one in _GRECO_LATIN if base.endswith(one[0])), None)
        if ending is not None:
            yield f"{base.removesuffix(ending[0])}{ending[1]}"


def verb_forms(base: str, code: str) -> Iterator[str]:
    """Yield the third person, the past and the participle of a verb: reg, or regd, which doubles a consonant.

    >>> list(verb_forms("cleave", "reg")), list(verb_forms("stop", "regd"))
    (['cleaves', 'cleaved', 'cleaving'], ['stops', 'stopped', 'stopping'])
    >>> list(verb_forms("apply", "reg"))
    ['applies', 'applied', 'applying']
    """
    if code not in ("reg", "regd"):
        return
    yield _with_s(base)
    if code == "regd":
        yield f"{base}{base[-1:]}ed"
        yield f"{base}{base[-1:]}ing"
    elif base.endswith("ie"):
        yield f"{base}d"
        yield f"{base[:-2]}ying"
    elif base.endswith("e"):
        yield f"{base}d"
        yield f"{base if base.endswith(('ee', 'oe', 'ye')) else base[:-1]}ing"
    else:
        yield f"{base[:-1]}ied" if _ends_in_y(base) else f"{base}ed"
        yield f"{base}ing"


def _with_s(base: str) -> str:
    if _ends_in_y(base):
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(_HISSES) else f"{base}s"


def _ends_in_y(base: str) -> bool:
    """Return whether a word ends in y after a consonant."""
    return base.endswith("y") and base[-2:-1] not in _VOWELS
