"""What is trained, and how: the settings of table 4 of Chiu et al. (2018), and what it does not say."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from medgauge.errors import InputError, option

_Positive = Annotated[int, Field(ge=1)]


class NetworkSettings(BaseModel):
    """The network and its training.

    From table 4: `window` words at a time, `hidden` units, the probability of `dropout`, the learning `rate`,
    `batch` windows for each step, and `epochs`; `trials` with different seeds, as section "Utility and
    discussion" says. The paper is silent on the rest, and these are choices of medgauge: plain stochastic
    gradient descent on the mean loss of a batch, dropout before the output, labels in IOBES, vectors that do
    not change unless `tune`, and the most probable label of each token unless `viterbi` or `crf`. The network
    is scored as it is after the last epoch or, with `patience`, after that with the best F on the development
    part, which ends once that has not risen for this number of epochs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    window: _Positive = 5
    hidden: _Positive = 300
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.2
    rate: Annotated[float, Field(gt=0, le=1000)] = 0.01
    batch: _Positive = 50
    epochs: _Positive = 20
    patience: _Positive | None = None
    trials: _Positive = 3
    tune: bool = False
    viterbi: bool = False
    crf: bool = False
    seed: Annotated[int, Field(ge=0)] = 0

    @property
    def decodes(self) -> bool:
        """Whether whole sequences of labels are decoded."""
        return self.viterbi or self.crf


_LIMITS = {
    "window": (1, 99),
    "hidden": (1, 100_000),
    "batch": (1, 1_000_000),
    "epochs": (1, 100_000),
    "trials": (1, 1_000),
}


def network_settings(**given: int | float | bool | None) -> NetworkSettings:
    """Return settings that are in range.

    >>> network_settings(epochs=5).epochs
    5
    """
    for name, (lowest, highest) in _LIMITS.items():
        value = given.get(name, lowest)
        if not isinstance(value, int) or not lowest <= value <= highest:
            raise InputError(f"{name} must be between {lowest} and {highest:,}, not {value} ({option(name)})")
    window, dropout, rate, patience = (given.get(name) for name in ("window", "dropout", "rate", "patience"))
    if window is not None and window % 2 == 0:
        raise InputError(f"a window has as many words on either side, so it is odd and not {window:g}")
    if dropout is not None and not 0 <= dropout < 1:
        raise InputError(f"dropout is a probability from 0 to below 1, not {dropout:g}")
    if rate is not None and not 0 < rate <= 1000:
        raise InputError(f"the learning rate must be above 0 and at most 1000, not {rate:g}")
    if patience is not None and patience < 1:
        raise InputError(f"patience must be at least 1, not {patience:g}")
    if (seed := given.get("seed")) is not None and seed < 0:
        raise InputError(f"the seed must be at least 0, not {seed:g}")
    return NetworkSettings.model_validate(given)
