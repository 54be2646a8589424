"""What word vectors are trained with; the defaults are those of Chiu et al. (2018, table 3)."""

from dataclasses import asdict, dataclass
from typing import Any, get_args

from medgauge.errors import InputError, option
from medgauge.models.lookup import Tokenizer, check_choice
from medgauge.train.architectures import ARCHITECTURES, Arch

_RANGES = {
    "window": (1, 1_000),
    "dim": (1, 10_000),
    "negative": (1, 1_000),
    "min_count": (1, 10**9),
    "epochs": (1, 10_000),
    "seed": (0, 2**32 - 1),
}


@dataclass(frozen=True)
class TrainingParameters:
    """What decides the vectors, besides the corpus and the number of threads.

    `arch` is the architecture, `window` the words on either side that count as context, `dim` the number of
    dimensions, `negative` the number of drawn words for each predicted one, `sample` the share of a corpus
    above which a word is subsampled (0: none), `lr` the learning rate at the start, which decreases linearly,
    `min_count` the fewest occurrences of a word, `epochs` the number of passes. `tokenizer` says how tokens
    become words: as terms do (`medgauge.models.tokens`), or as they are. Words are lower-cased unless
    `keep_case`.
    """

    arch: Arch = "sg"
    window: int = 5
    dim: int = 200
    negative: int = 5
    sample: float = 1e-5
    lr: float = 0.05
    min_count: int = 5
    epochs: int = 5
    seed: int = 1
    tokenizer: Tokenizer = "words"
    keep_case: bool = False

    def __post_init__(self) -> None:
        check_choice("architecture", self.arch, Arch)
        check_choice("tokenizer", self.tokenizer, Tokenizer)
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise InputError(f"{option(name)} needs a whole number from {least} to {most}")
        if not 0 <= self.sample <= 1:
            raise InputError(f"{option('sample')} needs a number from 0 (no subsampling) to 1")
        if not 0 < self.lr <= 1:
            raise InputError(f"{option('lr')} needs a number above 0 and up to 1")

    @property
    def facts(self) -> dict[str, Any]:
        """The parameters by name, without those that the architecture does not have.

        >>> "window" in TrainingParameters(arch="dependency").facts
        False
        """
        unused = () if ARCHITECTURES[self.arch].has_window else ("window", "tokenizer")
        return {name: value for name, value in asdict(self).items() if name not in unused}


assert set(_RANGES) < set(TrainingParameters.__dataclass_fields__), get_args(Arch)
