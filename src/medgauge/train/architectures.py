"""The architectures of word vectors: what each is, who proposed it, and what trains it."""

from dataclasses import dataclass
from typing import Literal, get_args

Arch = Literal["sg", "cbow", "fasttext", "ssg", "attention", "dependency"]


@dataclass(frozen=True)
class Architecture:
    """A way to train word vectors; `by_gensim` says that gensim trains it, otherwise medgauge does."""

    name: Arch
    title: str
    citation: str
    by_gensim: bool = False
    has_window: bool = True


_DECLARED = (
    Architecture("sg", "skip-gram", "Mikolov et al. (2013), arXiv 1310.4546", by_gensim=True),
    Architecture("cbow", "continuous bag of words", "Mikolov et al. (2013), arXiv 1301.3781", by_gensim=True),
    Architecture(
        "fasttext",
        "skip-gram of words and their n-grams",
        "Bojanowski et al. (2017), doi 10.1162/tacl_a_00051",
        by_gensim=True,
    ),
    Architecture("ssg", "structured skip-gram", "Ling et al. (2015), doi 10.3115/v1/N15-1142"),
    Architecture("attention", "CBOW with attention", "Ling et al. (2015), doi 10.18653/v1/D15-1161"),
    Architecture(
        "dependency",
        "skip-gram on dependency contexts",
        "Levy and Goldberg (2014), doi 10.3115/v1/P14-2050",
        has_window=False,
    ),
)
ARCHITECTURES: dict[str, Architecture] = {one.name: one for one in _DECLARED}
"""The architectures, by name."""

assert tuple(ARCHITECTURES) == get_args(Arch)
