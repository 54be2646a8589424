"""A service as its spec names it: the address, the model, the key, and what it may be sent."""

import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, Protocol, runtime_checkable

from medgauge.errors import InputError, ServiceError, quoted
from medgauge.models.loading import Loading
from medgauge.models.services.budget import Budget
from medgauge.models.services.permission import Permission
from medgauge.models.services.requests import Patience, Requester
from medgauge.models.spec import ModelSpec, split_service
from medgauge.network import Post, Reply, phrase, post, service_address
from medgauge.pairs import Card, Pairs

_OPENAI = "api.openai.com"
_OPENAI_KEY = "OPENAI_API_KEY"
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
_MOST_CONCURRENT = 64


@runtime_checkable
class SentTerms(Protocol):
    """A model that sends terms to a service."""

    @property
    def service(self) -> "Service":
        """The service that they are sent to."""

    def tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate how many tokens it takes to score these sets, with nothing paid for before."""

    def unpaid_tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate how many of them are certainly not paid for yet."""


@dataclass(frozen=True)
class Service:
    """A model behind an address, which is asked with JSON and answers with JSON.

    `key` is the environment variable that holds the key, None if none is sent.
    """

    model: str
    url: str
    key: str | None
    requester: Requester
    permission: Permission
    budget: Budget

    @classmethod
    def of(
        cls,
        spec: ModelSpec,
        name: str,
        loading: Loading,
        *,
        post: Post = post,
        patience: Patience | None = None,
    ) -> "Service":
        """Return the service of a spec; nothing is sent."""
        model, url = split_service(spec.name, spec.kind)
        url = url.rstrip("/")
        permission = Permission.of(url, loading.allow_remote)
        host = service_address(url).hostname
        # No other service is sent the key of this one.
        variable = spec.options.get("key", _OPENAI_KEY if host == _OPENAI else None)
        return cls(
            model,
            url,
            variable,
            Requester(
                _key_header(variable, spec.kind),
                float(spec.number("timeout") or 60),
                min(spec.number("concurrent") or 4, _MOST_CONCURRENT),
                post,
                patience or Patience(),
            ),
            permission,
            Budget(name, loading.max_tokens, loading.price),
        )

    def admit(self, sets: Iterable[Card]) -> None:
        """Raise an error unless the terms of all these sets may be sent."""
        self.permission.admit(sets)

    def ask(self, path: str, asked: Mapping[str, object], stop: Event) -> Reply:
        """Send JSON to a path below the address, and return the answer, which may be a refusal."""
        self.permission.check()
        self.budget.check()
        return self.requester.ask(f"{self.url}/{path}", json.dumps(asked, ensure_ascii=False).encode(), stop)

    def answer_of(self, reply: Reply, path: str) -> dict[str, Any]:
        """Return the JSON of an answer; raise an error for a refusal. No word of the service is repeated."""
        where = f"{self.url}/{path}"
        if reply.status in (401, 403):
            need = "check the key in" if self.key else "name the variable that holds its key with"
            raise ServiceError(
                f"{where}: the service refuses the key ({phrase(reply.status)}); {need} "
                f"{self.key or '?key=VARIABLE'}"
            )
        if reply.status == 404:
            raise ServiceError(
                f"{where}: there is no such place or no model {quoted(self.model)} (404 Not Found); check "
                "the address and the model's name"
            )
        if not 200 <= reply.status < 300:
            raise ServiceError(
                f"{where}: the service does not accept the request ({phrase(reply.status)}); check "
                "the model's name and options"
            )
        try:
            answer = json.loads(reply.body)
        except (ValueError, RecursionError):
            raise ServiceError(f"{where}: the answer is not JSON; check the address") from None
        if not isinstance(answer, dict):
            raise ServiceError(f"{where}: the answer is not a JSON object; check the address")
        return answer

    def spend(self, answer: Mapping[str, Any], estimate: int) -> None:
        """Count the tokens of an answer as the service counts them, or as estimated where it does not say."""
        usage = answer.get("usage")
        said = usage.get("total_tokens") if isinstance(usage, dict) else None
        is_count = isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said < math.inf
        self.budget.spend(int(said) if is_count and said is not None else estimate)

    def facts(self) -> dict[str, object]:
        """Return what is known of the service without asking it."""
        key = "none is sent" if self.key is None else f"in {self.key}"
        place = "this machine" if self.permission.here else "another machine"
        return {"model": self.model, "service": self.url, "runs_on": place, "key": key}


def _key_header(variable: str | None, kind: str) -> dict[str, str]:
    """Return the header with the key; what is given for its variable may be a key, so is not repeated."""
    if variable is None:
        return {}
    if not _VARIABLE.fullmatch(variable):
        raise InputError(
            f"key= of {kind}: takes the name of an environment variable in capitals that holds the key, "
            "never the key itself"
        )
    key = os.environ.get(variable, "").strip()
    if not key:
        named = f"the environment variable {variable}" if variable == _OPENAI_KEY else "the variable of key="
        raise InputError(f"{named} holds no key for {kind}:; set it to the key of the service")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(
            f"the key in the variable of key= of {kind}: has characters that no key has; set it again"
        )
    return {"Authorization": f"Bearer {key}"}
