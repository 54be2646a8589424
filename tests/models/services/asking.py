"""Models of the stand-in, which ask it without waiting."""

from dataclasses import replace
from typing import Any

from medgauge.models.loading import Loading
from medgauge.models.services.embeddings import EmbeddingService, open_service
from medgauge.models.services.judge import Judge, open_judge
from medgauge.models.services.requests import Patience
from medgauge.models.spec import ModelSpec, parse_spec
from tests.support.embedding_service import StandIn


class Waits(list[float]):
    """Remembers waits instead of waiting."""

    def patience(self, **more: Any) -> Patience:
        return Patience(**{"sleep": self.append, "jitter": lambda: 1.0, "clock": lambda: 0.0} | more)


def spec(kind: str, service: StandIn, options: str = "") -> ModelSpec:
    found = parse_spec(f"{kind}:mine@{service.url}{options}")
    assert found is not None
    return found


def embedder(
    service: StandIn, options: str = "", *, timeout: float = 5, waits: Waits | None = None, **loading: Any
) -> EmbeddingService:
    opened = open_service(spec("api", service, options), "mine", Loading(**loading))
    return replace(opened, service=_patient(opened.service, timeout, waits))


def judge(
    service: StandIn, options: str = "", *, timeout: float = 5, waits: Waits | None = None, **loading: Any
) -> Judge:
    opened = open_judge(spec("judge", service, options), "mine", Loading(**loading))
    return replace(opened, service=_patient(opened.service, timeout, waits))


def _patient(service: Any, timeout: float, waits: Waits | None) -> Any:
    patience = (Waits() if waits is None else waits).patience()
    return replace(service, requester=replace(service.requester, timeout=timeout, patience=patience))
