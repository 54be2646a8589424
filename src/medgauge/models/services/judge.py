"""Chat models that rate pairs, as an annotator does."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Event

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import ServiceError
from medgauge.models.base import ModelCard
from medgauge.models.encoding import check_texts
from medgauge.models.loading import Loading
from medgauge.models.services.answers import Unrated, Written, filtered, rating_in
from medgauge.models.services.budget import estimated_tokens
from medgauge.models.services.kept_answers import KeptAnswers
from medgauge.models.services.prompts import Question
from medgauge.models.services.service import Service
from medgauge.models.spec import ModelSpec
from medgauge.network import Reply
from medgauge.pairs import Pairs
from medgauge.progress import track
from medgauge.protocol import NAMES, Protocol, load_protocol

_PATH = "chat/completions"
_ANSWER_TOKENS = 20
_SCHEMA_REFUSED = frozenset({400, 404, 415, 422, 501})


def open_judge(spec: ModelSpec, name: str, loading: Loading) -> "Judge":
    """Open a chat model as a judge; nothing is sent before a pair is scored."""
    named = spec.options.get("protocol")
    protocol = None if named is None else load_protocol(named)
    return Judge(name, Service.of(spec, name, loading), protocol, remembers=loading.cached)


@dataclass(frozen=True)
class Judge:
    """A chat model that rates each pair on the set's own scale, by the definitions of a protocol.

    Without a protocol, it is the shipped one for what the set measures. A pair's score is the mean of the
    ratings in both orders; a pair is not covered if one of them is missing. With `remembers`, answers are
    kept in the user's private cache.
    """

    name: str
    service: Service
    protocol: Protocol | None = None
    remembers: bool = True
    _kept: dict[str, KeptAnswers] = field(default_factory=dict, repr=False)
    _no_schema: Event = field(default_factory=Event, repr=False)

    @property
    def card(self) -> ModelCard:
        """The card; its digest covers the model's name, its address, and the protocols."""
        protocols = [self.protocol] if self.protocol is not None else [load_protocol(name) for name in NAMES]
        content = [self.service.model, self.service.url, *(one.model_dump_json() for one in protocols)]
        return ModelCard(
            name=self.name,
            family="pairs",
            format="chat service",
            digest=hashlib.sha256(json.dumps(content).encode()).hexdigest(),
            parameters={
                "model": self.service.model,
                "service": self.service.url,
                **({} if self.protocol is None else {"protocol": self.protocol.name}),
            },
        )

    def facts(self) -> dict[str, object]:
        """Return what is known without asking the service."""
        protocol = "the one for what a set measures" if self.protocol is None else self.protocol.name
        return {**self.service.facts(), "protocol": protocol}

    def score(self, pairs: Pairs) -> NDArray[np.float64]:
        """Return the mean of the ratings of each pair in both orders, NaN where one is missing."""
        return self.explained(pairs)[0]

    def explained(self, pairs: Pairs) -> tuple[NDArray[np.float64], list[str | None]]:
        """Return the scores, and for each pair without one what kind of failure that was."""
        self._ask(pairs, (False, True))
        first, second = self._read(pairs, swapped=False), self._read(pairs, swapped=True)
        values = np.full(len(pairs), np.nan)
        failures: list[str | None] = [None] * len(pairs)
        for row, both in enumerate(zip(first, second, strict=True)):
            failures[row] = next((one for one in both if isinstance(one, str)), None)
            if failures[row] is None:
                values[row] = np.mean([one for one in both if not isinstance(one, str)])
        return values, failures

    def ratings(self, pairs: Pairs) -> list[float | Unrated]:
        """Return one rating of each pair, in the order of its terms, or why there is none."""
        self._ask(pairs, (False,))
        return self._read(pairs, swapped=False)

    def tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate the tokens of all pairs of these sets in both orders."""
        return sum(self._tokens_of(self._question(one), self._different(one, (False, True))) for one in sets)

    def unpaid_tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate the tokens of what was not answered before."""
        return sum(self._tokens_of(self._question(one), self._missing(one, (False, True))) for one in sets)

    def _ask(self, pairs: Pairs, orders: Sequence[bool]) -> None:
        """Ask what was not answered before, and keep each answer as soon as it has arrived."""
        question = self._question(pairs)
        kept, missing = self._answers(question), self._missing(pairs, orders)
        self.service.permission.check()
        self.service.budget.plan(self._tokens_of(question, missing), len(missing))

        def work(message: str, stop: Event) -> None:
            kept.keep(message, self._written(question, message, stop))

        with track(f"rating, {self.name}", len(missing), "questions") as advance:
            for _ in self.service.requester.each(work, missing):
                advance(1)

    def _read(self, pairs: Pairs, *, swapped: bool) -> list[float | Unrated]:
        question = self._question(pairs)
        kept = self._answers(question)
        return [
            rating_in(kept[_in_order(question, *sides, swapped=swapped)], question) for sides in _sides(pairs)
        ]

    def _question(self, pairs: Pairs) -> Question:
        return Question.for_set(pairs.card, self.protocol)

    def _answers(self, question: Question) -> KeptAnswers:
        text = question.instructions
        model = self.service.url, self.service.model
        return self._kept.setdefault(text, KeptAnswers(model, text, self.remembers))

    def _different(self, pairs: Pairs, orders: Iterable[bool]) -> list[str]:
        """Return what is asked of the pairs, each message once."""
        question, sides = self._question(pairs), _sides(pairs)
        check_texts([term for pair in sides for term in pair])
        return list(
            dict.fromkeys(_in_order(question, *pair, swapped=swapped) for swapped in orders for pair in sides)
        )

    def _missing(self, pairs: Pairs, orders: Iterable[bool]) -> list[str]:
        kept = self._answers(self._question(pairs))
        return [message for message in self._different(pairs, orders) if message not in kept]

    def _tokens_of(self, question: Question, messages: Sequence[str]) -> int:
        each = estimated_tokens([question.instructions]) + _ANSWER_TOKENS
        return estimated_tokens(messages) + each * len(messages)

    def _written(self, question: Question, message: str, stop: Event) -> Written:
        reply = self._reply(question, message, stop)
        if reply.status >= 400 and filtered(reply.body):
            return Written("", refused=True)
        answer = self.service.answer_of(reply, _PATH)
        self.service.spend(answer, self._tokens_of(question, [message]))
        written = Written.read(answer)
        if written is None:
            raise ServiceError(
                f"{self.service.url}/{_PATH}: the answer has no message; check that the address is that of a "
                "chat service"
            )
        return written

    def _reply(self, question: Question, message: str, stop: Event) -> Reply:
        """Ask with the schema of the answer, or without it where the endpoint does not accept one."""
        asked: dict[str, object] = {
            "model": self.service.model,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": message},
            ],
            "temperature": 0,
        }
        schema = {
            "type": "json_schema",
            "json_schema": {"name": "rating", "strict": True, "schema": question.schema},
        }
        if not self._no_schema.is_set():
            reply = self.service.ask(_PATH, {**asked, "response_format": schema}, stop)
            if reply.status not in _SCHEMA_REFUSED or filtered(reply.body):
                return reply
        reply = self.service.ask(_PATH, asked, stop)
        if reply.status < 300:
            self._no_schema.set()
        return reply


def _sides(pairs: Pairs) -> list[tuple[str, str]]:
    return list(zip(pairs.frame["term_1"].to_list(), pairs.frame["term_2"].to_list(), strict=True))


def _in_order(question: Question, first: str, second: str, *, swapped: bool) -> str:
    return question.message(second, first) if swapped else question.message(first, second)
