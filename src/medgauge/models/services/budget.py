"""What a service is sent, in tokens: estimated before the first call, limited, and what it costs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock

from medgauge.errors import InputError, ServiceError, option
from medgauge.progress import remark

_BYTES_PER_TOKEN = 3  # medical terms have fewer letters to a token than everyday English has, about 4
_AROUND = 2  # tokens that a service may put around each text


def estimated_tokens(texts: Iterable[str]) -> int:
    """Estimate how many tokens some texts are, without the service's tokenizer: a third of their bytes.

    >>> estimated_tokens(["heart attack", "Ödem"])
    10
    """
    return sum(-(-len(text.encode()) // _BYTES_PER_TOKEN) + _AROUND for text in texts)


@dataclass
class Budget:
    """The most tokens that a model may be sent in all, what was sent, and the price of a million."""

    name: str
    most: int | None = None
    price: float | None = None
    used: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def plan(self, tokens: int, requests: int) -> None:
        """Say what is about to be sent; raise an error if it is more than is left."""
        self.allow(tokens)
        if requests:
            cost = "" if self.price is None else f", which cost about {self.cost_of(tokens):,.4f}"
            plural = "s" * (requests != 1)
            remark(f"{self.name}: about {tokens:,} tokens in {requests:,} request{plural}{cost}")

    def allow(self, tokens: int) -> None:
        """Raise an error if an estimate is more than what is left."""
        if self.most is not None and self.used + tokens > self.most:
            before = f", after {self.used:,} already," if self.used else ""
            raise InputError(
                f"{self.name} would be sent about {tokens:,} tokens{before} but {option('max_tokens')} "
                f"allows {self.most:,}; raise it, or use fewer pairs"
            )

    def spend(self, tokens: int) -> None:
        """Count the tokens of an answer; raise an error if they turn out to be more than is allowed."""
        with self._lock:
            self.used += tokens

    def check(self) -> None:
        """Raise an error if more was used than is allowed, which the estimate did not foresee."""
        if self.most is not None and self.used > self.most:
            raise ServiceError(
                f"{self.name} has used {self.used:,} tokens, more than estimated and than "
                f"{option('max_tokens')} allows ({self.most:,}); raise it, and what was paid for is kept"
            )

    def cost_of(self, tokens: int) -> float:
        """Return what tokens cost; nothing where no price is known."""
        return tokens * (self.price or 0.0) / 1e6
