"""How models are loaded: where they run, how terms are looked up, and what they may do."""

import math
from dataclasses import dataclass
from typing import Literal

from medgauge.errors import InputError, option
from medgauge.models.lookup import Case, Tokenizer, Undecodable, check_choice

Device = Literal["auto", "cpu", "cuda", "mps"]
"""Where an encoder runs; auto takes a GPU where there is one."""


@dataclass(frozen=True)
class Loading:
    """What `load_model` was asked for besides the model itself.

    `tokenizer`, `case` and `undecodable` say how terms are looked up in word vectors; `seed` is that of the
    random baseline. Encoders run on `device`, or on the workers of the Dask cluster at the address `cluster`;
    their vectors are kept in the user's cache if `cached`. Code that a model's folder brings is run only with
    `trust_remote_code`, and pickled weights are opened only with `trust_pickle`.

    `allow_remote` are the services that terms may be sent to, each a URL, or SET@URL for a set whose licence
    forbids it otherwise. `max_tokens` is the most that may be sent, `price` what a million tokens cost.
    """

    tokenizer: Tokenizer = "words"
    case: Case = "fallback"
    undecodable: Undecodable = "error"
    seed: int = 0
    device: Device = "auto"
    cluster: str | None = None
    cached: bool = True
    trust_remote_code: bool = False
    trust_pickle: bool = False
    allow_remote: tuple[str, ...] = ()
    max_tokens: int | None = None
    price: float | None = None

    def __post_init__(self) -> None:
        check_choice("tokenizer", self.tokenizer, Tokenizer)
        check_choice("case", self.case, Case)
        check_choice("choice for undecodable words", self.undecodable, Undecodable)
        check_choice("device", self.device, Device)
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"the most tokens to send must be at least 1 ({option('max_tokens')})")
        if self.price is not None and not 0 <= self.price < math.inf:
            raise InputError(f"the price of a million tokens must be a number from 0 up ({option('price')})")
