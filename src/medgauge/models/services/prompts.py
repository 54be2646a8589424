"""What a language model is asked of a pair: the definitions of a protocol, on the scale of the set."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from medgauge.errors import InputError, quoted
from medgauge.pairs import Card
from medgauge.protocol import NAMES, Protocol, load_protocol


@dataclass(frozen=True)
class Question:
    """A protocol, asked on a scale: the protocol's own, or another one that it is stretched to."""

    protocol: Protocol
    scale: tuple[float, float]

    @classmethod
    def for_set(cls, card: Card, protocol: Protocol | None = None) -> "Question":
        """Return the question for a set: with its scale, and by default the protocol for what it measures.

        >>> question = Question.for_set(Card(name="x", title="X", kind="relatedness", scale=(1, 10)))
        >>> question.protocol.name, question.value(3), question.allows(2.5)
        ('graded', 10.0, True)
        """
        if protocol is None:
            protocol = next(one for one in map(load_protocol, NAMES) if one.gold_kind == card.kind)
        scale = card.scale or protocol.scale
        if scale[0] >= scale[1]:
            raise InputError(
                f"the scale of {quoted(card.name)}, {scale[0]:g} to {scale[1]:g}, has no room for ratings"
            )
        return cls(protocol, scale)

    @property
    def is_stretched(self) -> bool:
        """Whether the scale is not the protocol's own."""
        return self.scale != self.protocol.scale

    def value(self, value: float) -> float:
        """Return the place on the scale of a value of the protocol."""
        (low, high), (first, last) = self.protocol.scale, self.scale
        return first + (value - low) / (high - low) * (last - first)

    def allows(self, rating: float) -> bool:
        """Return whether a rating can be given: on a scale that is stretched, any number in it."""
        if self.is_stretched:
            return self.scale[0] <= rating <= self.scale[1]
        return self.protocol.allows(rating)

    @cached_property
    def schema(self) -> dict[str, object]:
        """The JSON schema of an answer."""
        kinds = ["number", "null"] if self.protocol.unsure else ["number"]
        return {
            "type": "object",
            "properties": {"rating": {"type": kinds}},
            "required": ["rating"],
            "additionalProperties": False,
        }

    @cached_property
    def instructions(self) -> str:
        """The text that comes before every pair."""
        return "\n".join(self._lines())

    def message(self, first: str, second: str) -> str:
        """Return what is asked of a pair; as JSON, so that no term can be taken for an instruction's end."""
        return json.dumps({"term_1": first, "term_2": second}, ensure_ascii=False)

    def _lines(self) -> Iterator[str]:
        protocol = self.protocol
        yield from protocol.instructions
        yield f"Question: {protocol.question}"
        if self.is_stretched:
            (low, high), (first, last) = protocol.scale, self.scale
            yield (
                f"The instructions speak of ratings from {low:g} to {high:g}. Rate from {first:g} to "
                f"{last:g} instead: {first:g} is their {low:g}, and {last:g} their {high:g}."
            )
        yield "Ratings:"
        for answer in protocol.answers:
            meaning = f" - {answer.definition}" if answer.definition else ""
            yield f"{self.value(answer.value):g}: {answer.label}{meaning}"
        if protocol.examples:
            yield "Examples:"
        for example in protocol.examples:
            pair, rating = self.message(example.term_1, example.term_2 or ""), self.value(example.value)
            yield f'{pair} -> {{"rating": {rating:g}}} ({example.why})'
        yield (
            "You are given a pair as JSON with term_1 and term_2. Answer with one JSON object and nothing "
            f'else: {{"rating": R}}, where R is {self._allowed()}.'
        )

    def _allowed(self) -> str:
        (low, high), protocol = self.scale, self.protocol
        if self.is_stretched:
            words = f"a number from {low:g} to {high:g}"
        elif protocol.step is not None:
            words = f"a number from {low:g} to {high:g} in steps of {protocol.step:g}"
        else:
            words = f"one of {', '.join(f'{answer.value:g}' for answer in protocol.answers)}"
        return words if protocol.unsure is None else f'{words}, or null for "{protocol.unsure.label}"'
