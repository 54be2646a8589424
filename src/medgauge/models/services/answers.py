"""Answers of a language model: what it wrote, and the rating in it, if there is one."""

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

from medgauge.models.services.prompts import Question

Unrated = Literal["refused", "cut short", "unreadable", "off the scale", "unsure"]
"""Why an answer has no rating."""

_FENCE = re.compile(r"```(?:json)?\s*\n(.*)\n```", re.DOTALL)
_FILTERED = ("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation")


@dataclass(frozen=True)
class Written:
    """What a model wrote, why it stopped, and whether it refused; it may repeat terms."""

    text: str
    ended: str = "stop"
    refused: bool = False

    @classmethod
    def read(cls, answer: dict[str, Any]) -> "Written | None":
        """Return what a chat endpoint answered, None if that is not in the form of one."""
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            return None
        text, ended = message.get("content"), choice.get("finish_reason")
        refused = bool(message.get("refusal")) or ended == "content_filter"
        return cls(
            text if isinstance(text, str) else "", ended if isinstance(ended, str) else "stop", refused
        )

    @classmethod
    def stored(cls, line: str) -> "Written | None":
        """Read what `line` wrote, None if it is damaged."""
        try:
            fields = json.loads(line)
            written = cls(**fields)
        except (ValueError, TypeError, RecursionError):
            return None
        is_sound = isinstance(written.text, str) and isinstance(written.ended, str)
        return written if is_sound and isinstance(written.refused, bool) else None

    def line(self) -> str:
        """Return the answer as a line of JSON."""
        return json.dumps(asdict(self))


def filtered(body: bytes) -> bool:
    """Return whether a service refused a request for its content, as some do with medical terms.

    >>> filtered(b'{"error": {"code": "content_filter"}}'), filtered(b"Bad Request")
    (True, False)
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return False
    error = answer.get("error") if isinstance(answer, dict) else None
    return isinstance(error, dict) and any(error.get(name) in _FILTERED for name in ("code", "type"))


def rating_in(written: Written, question: Question) -> float | Unrated:
    r"""Return the rating in an answer, or why there is none.

    The answer must be one JSON object with a rating and nothing else; only a Markdown fence may be around it.

    >>> from medgauge.protocol import load_protocol
    >>> question = Question(load_protocol("graded"), (0, 3))
    >>> [rating_in(Written(text), question) for text in ('{"rating": 2}', '{"rating": 7}', "I would say 2.")]
    [2.0, 'off the scale', 'unreadable']
    """
    if written.refused:
        return "refused"
    if written.ended == "length":
        return "cut short"
    text = written.text.strip()
    fenced = _FENCE.fullmatch(text)
    try:
        found = json.loads(fenced[1] if fenced else text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return "unreadable"
    # An object is a list of its pairs, in which a repeated name stays visible; a list of lists is not one.
    if not (isinstance(found, list) and len(found) == 1 and isinstance(found[0], tuple)):
        return "unreadable"
    name, value = found[0]
    if name != "rating":
        return "unreadable"
    if value is None:
        return "unsure" if question.protocol.unsure is not None else "unreadable"
    if type(value) not in (int, float):
        return "unreadable"
    try:
        rating = float(value)
    except OverflowError:
        return "off the scale"
    return rating if question.allows(rating) else "off the scale"
