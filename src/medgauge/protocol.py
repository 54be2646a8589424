"""Protocols: what annotators are asked, what they may answer, and what they practise on.

A protocol is a small TOML file. Those in the folder protocols/ are shipped; users can write their own.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from medgauge.toml_models import MisfitError, Text, parse_toml, shipped_or_file

_OF_PAPERS = ("same", "graded", "slider")


def names_in(folder: Traversable) -> tuple[str, ...]:
    """Return the names of the protocols in a folder: those from papers first, then the others by name."""
    found = {file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")}
    return (*(name for name in _OF_PAPERS if name in found), *sorted(found.difference(_OF_PAPERS)))


_SHIPPED = resources.files("medgauge") / "protocols"
NAMES = names_in(_SHIPPED)
"""The protocols that are shipped."""
UNDO = "u"
"""The key that takes the last rating back, in every protocol."""


def _one_key(key: str) -> str:
    if len(key) != 1:
        raise PydanticCustomError("key", "a key is a single character")
    if key.casefold() == UNDO:
        raise PydanticCustomError("key", "the key 'u' takes a rating back; choose another")
    return key


FiniteNumber = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Key = Annotated[Text, AfterValidator(_one_key)]
Measured = Literal["similarity", "relatedness", "synonymy"]
"""What ratings are a measure of: the kinds of sets there are."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_AnyPart = TypeVar("_AnyPart", bound=_Part)


class Answer(_Part):
    """An answer that can be chosen with a key, or (without a key) the label of a point on a slider."""

    value: FiniteNumber
    label: Text
    key: Key | None = None
    definition: Text | None = None


class Unsure(_Part):
    """The "don't know" answer, which is not a rating."""

    label: Text
    key: Key


class Example(_Part):
    """A pair, or a single term, that the instructions show with its answer, and why that is the answer."""

    term_1: Text
    term_2: Text | None = None
    value: FiniteNumber
    why: Text


class Practice(_Part):
    """A pair, or a single term, to practise on; without a value, the right answer is "don't know"."""

    term_1: Text
    term_2: Text | None = None
    value: FiniteNumber | None = None
    tolerance: Annotated[FiniteNumber, Field(ge=0)] = 0.0
    feedback: Text

    def is_right(self, value: float | None) -> bool:
        """Return whether an answer (None: "don't know") is right, or close enough on a slider.

        >>> pair = Practice(term_1="a", term_2="b", value=0.6, tolerance=0.2, feedback="So.")
        >>> pair.is_right(0.8), pair.is_right(0.9), pair.is_right(None)
        (True, False, False)
        """
        if value is None or self.value is None:
            return value is self.value
        return abs(_exact(value) - _exact(self.value)) <= _exact(self.tolerance)


class Protocol(_Part):
    """What annotators are asked of each pair, and how they answer.

    `question` is shown with each pair; `instructions` are paragraphs to read before the first. The answers of
    a choice are its buttons; a slider covers the `scale` in steps, and its answers label both ends and marks
    between them. `measures` says what the ratings are a measure of, for the card of the gold standard.
    After `equal_in_a_row` equal ratings the annotator is reminded to pay attention. `verdicts`
    are the ratings 1 (same) and 0 (not same). Texts are shown as they are: HTML in them is not interpreted.
    """

    name: Text
    title: Text
    question: Text
    kind: Literal["choice", "slider"]
    instructions: Annotated[tuple[Text, ...], Field(min_length=1)]
    scale: tuple[FiniteNumber, FiniteNumber]
    step: Annotated[FiniteNumber, Field(gt=0)] | None = None
    answers: Annotated[tuple[Answer, ...], Field(min_length=2)]
    unsure: Unsure | None = None
    examples: tuple[Example, ...] = ()
    practice: tuple[Practice, ...] = ()
    equal_in_a_row: Annotated[int, Field(strict=True, ge=2)] = 10
    verdicts: Annotated[bool, Field(strict=True)] = False
    measures: Measured | None = None

    @property
    def gold_kind(self) -> Measured:
        """What a gold standard made from the ratings measures; similarity, if the protocol does not say.

        >>> [load_protocol(name).gold_kind for name in ("same", "graded", "slider")]
        ['synonymy', 'relatedness', 'similarity']
        """
        if self.measures is not None or self.verdicts:
            return self.measures or "synonymy"
        # A study that was made before protocols said it has a copy of the shipped one.
        shipped = load_protocol(self.name) if self.name in NAMES else self
        return (shipped.question == self.question and shipped.measures) or "similarity"

    def answer_text(self, value: float | None) -> str:
        """Return an answer (None: unsure) in the words and numbers of the page.

        >>> load_protocol("graded").answer_text(3), load_protocol("same").answer_text(1)
        ('3 (extremely related)', 'same')
        """
        if value is None:
            return self.unsure.label if self.unsure else "not rated"
        label = next((one.label for one in self.answers if one.value == value), None)
        if self.kind == "slider" or label is None:
            return f"{value:g}"
        return label if self.verdicts else f"{value:g} ({label})"

    def allows(self, value: float | None) -> bool:
        """Return whether an answer can be given: a value of a choice, a step of a slider, or None for unsure.

        >>> load_protocol("graded").allows(3), load_protocol("graded").allows(2.5)
        (True, False)
        """
        if value is None:
            return self.unsure is not None
        if self.step is None:
            return any(answer.value == value for answer in self.answers)
        low, high = self.scale
        return low <= value <= high and (_exact(value) - _exact(low)) % _exact(self.step) == 0

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        for place, problem in self._problems():
            raise MisfitError(place, problem)
        return self

    def _problems(self) -> Iterator[tuple[str, str]]:
        """Yield each inconsistency with its place; later checks rely on the earlier ones."""
        yield from self._problems_of_scale()
        yield from self._problems_of_answers()
        yield from self._problems_of_keys()
        for place, answer in _numbered("answers", self.answers):
            yield from self._problem_of_value(place, answer.value)
        for place, example in _numbered("examples", self.examples):
            yield from self._problem_of_value(place, example.value)
        for place, pair in _numbered("practice", self.practice):
            if pair.value is not None:
                yield from self._problem_of_value(place, pair.value)
            elif self.unsure is None:
                yield f"{place}.value", 'is missing, and the protocol has no "don\'t know" answer'
            if pair.tolerance and (pair.value is None or self.kind == "choice"):
                yield f"{place}.tolerance", "only a value on a slider has a tolerance"

    def _problems_of_scale(self) -> Iterator[tuple[str, str]]:
        low, high = self.scale
        if low >= high:
            yield "scale", f"the lowest value, {low:g}, is not below the highest, {high:g}"
        if self.kind == "choice" and self.step is not None:
            yield "step", "only a slider has steps; leave it out"
        if self.kind == "slider" and self.step is None:
            yield "step", "is missing, and a slider needs it"
        if self.step is not None and (_exact(high) - _exact(low)) % _exact(self.step):
            yield "step", f"steps of {self.step:g} do not divide the scale from {low:g} to {high:g}"

    def _problems_of_answers(self) -> Iterator[tuple[str, str]]:
        values = [answer.value for answer in self.answers]
        if (place := _repeated(values)) is not None:
            yield f"answers[{place + 1}].value", f"the value {values[place]:g} is used twice"
        if self.verdicts and (self.kind, self.scale, sorted(values)) != ("choice", (0, 1), [0, 1]):
            yield "verdicts", "verdicts are a choice of 1 (same) and 0 (not same) on the scale [0, 1]"
        if self.verdicts and self.measures not in (None, "synonymy"):
            yield "measures", "verdicts of same or not the same measure synonymy"
        for end in self.scale:
            if self.kind == "slider" and end not in values:
                yield "answers", f"the end of the slider at {end:g} has no label"
        named = [(f"{place}.label", answer.label) for place, answer in _numbered("answers", self.answers)]
        if self.unsure is not None:
            named.append(("unsure.label", self.unsure.label))
        yield from _problem_of_repeated("label", named)

    def _problems_of_keys(self) -> Iterator[tuple[str, str]]:
        keys = []
        for place, answer in _numbered("answers", self.answers):
            if self.kind == "choice" and answer.key is None:
                yield f"{place}.key", "is missing, and each answer of a choice needs a key"
            if self.kind == "slider" and answer.key is not None:
                yield f"{place}.key", "a slider is moved with the arrow keys; leave it out"
            keys += [] if answer.key is None else [(f"{place}.key", answer.key)]
        if self.unsure is not None:
            keys.append(("unsure.key", self.unsure.key))
            if (
                self.kind == "slider"
                and self.unsure.key in "0123456789"
                and self.allows(int(self.unsure.key))
            ):
                problem = f"the key '{self.unsure.key}' moves the slider to that value; choose another"
                yield "unsure.key", problem
        yield from _problem_of_repeated("key", keys)

    def _problem_of_value(self, place: str, value: float) -> Iterator[tuple[str, str]]:
        low, high = self.scale
        if not low <= value <= high:
            yield f"{place}.value", f"the value {value:g} is not on the scale from {low:g} to {high:g}"
        if not self.allows(value):
            of = "answers" if self.step is None else "slider's steps"
            yield f"{place}.value", f"the value {value:g} is not one of the {of}"


def load_protocol(source: str | Path) -> Protocol:
    """Load a shipped protocol by its name (same, graded, slider), or one from a TOML file.

    >>> [answer.label for answer in load_protocol("same").answers]
    ['same', 'not same']
    """
    return parse_protocol(protocol_text(source), source)


def protocol_text(source: str | Path) -> str:
    """Return the TOML text of a shipped protocol or of a file, for a study to store."""
    return shipped_or_file(source, _SHIPPED, NAMES, what="protocol")


def parse_protocol(text: str, path: str | Path) -> Protocol:
    """Parse a protocol from TOML; errors name the path and the field, with list entries counted from 1."""
    return parse_toml(Protocol, text, path, what="a protocol")


def _numbered(name: str, parts: Sequence[_AnyPart]) -> list[tuple[str, _AnyPart]]:
    return [(f"{name}[{number}]", part) for number, part in enumerate(parts, 1)]


def _problem_of_repeated(what: str, placed: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the second of two texts that differ at most in case."""
    place = _repeated([text.casefold() for _, text in placed])
    if place is not None:
        yield placed[place][0], f"the {what} '{placed[place][1]}' is used twice"


def _repeated(values: Sequence[object]) -> int | None:
    """Return the place of the first value that repeats an earlier one."""
    return next((place for place, value in enumerate(values) if value in values[:place]), None)


def _exact(value: float) -> Fraction:
    """Return a number exactly as it is written in decimals, so that 0.1 divides 0.3."""
    return Fraction(repr(float(value)))
