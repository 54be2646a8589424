"""The choice of words: a word table through the filters, with the forms of a word made one, to domains.

Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Choice of words".
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from medgauge.build.words.choice.parts_of_speech import PARTS, PartOfSpeech
from medgauge.build.words.choice.word_domains import DOMAINS, Domain, DomainLimits, GeneralEnglish, domains
from medgauge.build.words.choice.word_filters import FILTERS, FilterName, removed_by
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.expert_verdicts import ExpertVerdicts, shown
from medgauge.build.words.word_sheet import WordStep
from medgauge.errors import InputError, option
from medgauge.progress import track

_TITLES: dict[FilterName, str] = {
    "multi-word": "not of several words",
    "auxiliaries": "not an auxiliary verb",
    "numbers": "not a number",
    "symbols": "without symbols",
    "greek": "without Greek letters",
    "short": "of {} or more characters",
    "rare": "that occur {} times or more",
}


@dataclass(frozen=True)
class WordRules:
    """Which filters apply, their limits, and how the forms of a word are made one.

    `known` says whether a word may stay that only a dictionary decides on; None if none is asked.
    """

    filters: tuple[FilterName, ...]
    min_length: int
    min_frequency: int
    forms: WordForms
    known: Callable[[str], bool] | None = None

    def title(self, name: FilterName) -> str:
        """Return what the words are that a filter leaves."""
        return _TITLES[name].format(self.min_length if name == "short" else self.min_frequency)


@dataclass(frozen=True)
class ChosenWords:
    """The words that are left, by part of speech and word, and how many each step left.

    `frame` has `word`, `part`, `frequency`, `subject` (in whose journals it occurs most, or null) and
    `subjects`, their number; `with_domains` adds `ratio` and `domain`.
    """

    frame: pl.DataFrame
    steps: list[WordStep]

    @property
    def parts(self) -> list[PartOfSpeech]:
        """The parts of speech of the words."""
        return list(self.steps[0].words)

    def counts(self) -> dict[PartOfSpeech, dict[Domain, int]]:
        """Return how many words of each part of speech are of each domain."""
        counted = self.frame.group_by("part", "domain").len().iter_rows()
        found = {(part, domain): count for part, domain, count in counted}
        return {part: {one: found.get((part, one), 0) for one in DOMAINS} for part in self.parts}


def choose_words(table: pl.DataFrame, rules: WordRules, *, name: str) -> ChosenWords:
    """Return the words of a table with parts of speech (`with_parts`) that no filter removes.

    `name` is that of the table, for messages.
    """
    parts = [part for part in PARTS if (table["part"] == part).any()]
    words = table.select("word", "part", "auxiliary", "frequency", "subjects")
    steps = [_step("in the word table", words, parts)]
    for one in rules.filters:
        if not FILTERS[one].after:
            words = _filtered(words, one, rules, steps)
    if rules.forms.lemmatise or rules.forms.american:
        words = _normal(words, rules.forms)
        for one in rules.filters:  # as the lemma of a longer form may be short, or an auxiliary
            if not FILTERS[one].after:
                words = _left(words, one, rules)
        steps.append(_step(_normalised(rules.forms), words, parts))
    words = _merged(words)
    for one in rules.filters:
        if FILTERS[one].after:
            words = _filtered(words, one, rules, steps)
    if rules.known is not None:
        words = words.filter(pl.Series([rules.known(word) for word in words["word"]], dtype=pl.Boolean))
        steps.append(_step("in a dictionary", words, parts))
    if not words.height:
        last = next(step.step for step in steps if not any(step.words.values()))
        raise InputError(
            f"{name} has no words left after the step '{last}'; look at {option('filters')} and "
            f"{option('min_frequency')}"
        )
    return ChosenWords(words, steps)


def with_domains(
    chosen: ChosenWords,
    english: GeneralEnglish,
    tokens: int,
    limits: DomainLimits,
    verdicts: ExpertVerdicts | None = None,
) -> ChosenWords:
    """Return the words with their domains; of words that experts judged, what they agree on counts."""
    frame = domains(chosen.frame, english, tokens, limits)
    if verdicts is not None:
        said = [
            verdicts.of.get((shown(word, part),), domain) or "borderline"
            for word, part, domain in frame.select("word", "part", "domain").iter_rows()
        ]
        frame = frame.with_columns(pl.Series("domain", said, pl.String))
    return ChosenWords(frame, chosen.steps)


def _filtered(words: pl.DataFrame, name: FilterName, rules: WordRules, steps: list[WordStep]) -> pl.DataFrame:
    """Return the words that a filter leaves, and note how many these are."""
    left = _left(words, name, rules)
    steps.append(_step(rules.title(name), left, list(steps[0].words)))
    return left


def _left(words: pl.DataFrame, name: FilterName, rules: WordRules) -> pl.DataFrame:
    return words.filter(~removed_by(name, min_length=rules.min_length, min_frequency=rules.min_frequency))


def _step(title: str, words: pl.DataFrame, parts: list[PartOfSpeech]) -> WordStep:
    counts = dict(words.group_by("part").agg(pl.col("word").n_unique()).iter_rows())
    return WordStep(step=title, words={part: counts.get(part, 0) for part in parts})


def _normalised(forms: WordForms) -> str:
    done = ["lemmatised"] * forms.lemmatise + ["in American spelling"] * forms.american
    return ", ".join(done)


def _normal(words: pl.DataFrame, forms: WordForms) -> pl.DataFrame:
    """Return the words with the form that stands for all forms of each."""
    different = words.select("word", "part").unique(maintain_order=True)
    with track("forms of words", different.height) as advance:
        made = []
        for number, (word, part) in enumerate(different.iter_rows(), 1):
            made.append(forms.normal(word, part))
            if not number % 10_000:
                advance(10_000)
    normal = different.with_columns(normal=pl.Series(made, dtype=pl.String))
    joined = words.join(normal, on=["word", "part"], how="left", maintain_order="left")
    return joined.with_columns(word="normal").drop("normal")


def _merged(words: pl.DataFrame) -> pl.DataFrame:
    """Return each word and part of speech once, with the sums of its rows and its commonest subject."""
    counted = words.group_by("word", "part").agg(pl.col("frequency").sum())
    by_subject = (
        words.select("word", "part", "subjects")
        .explode("subjects")
        .drop_nulls("subjects")
        .unnest("subjects")
        .group_by("word", "part", "subject")
        .agg(pl.col("frequency").sum())
        .sort("frequency", "subject", descending=[True, False])
        .group_by("word", "part", maintain_order=True)
        .agg(pl.col("subject").first(), subjects=pl.len())
    )
    joined = counted.join(by_subject, on=["word", "part"], how="left").sort("part", "word")
    return joined.with_columns(pl.col("subjects").fill_null(0))
