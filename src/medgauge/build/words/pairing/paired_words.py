"""The pairs of one part of speech: candidates for experts, and the four quarters once these have answered."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from medgauge.build.words.choice.parts_of_speech import PARTS, PLURAL, PartOfSpeech
from medgauge.build.words.choice.word_domains import Domain
from medgauge.build.words.expert_lists import candidate_rows
from medgauge.build.words.expert_verdicts import ExpertVerdicts
from medgauge.build.words.pairing.quarter_table import quarter_table
from medgauge.build.words.pairing.quarters import WordPair, draw_linked, draw_unlinked
from medgauge.build.words.pairing.word_links import WordLinks, word_links
from medgauge.build.words.pairing.word_vocabulary import WordVocabulary
from medgauge.build.words.word_resources import Resources
from medgauge.build.words.word_sheet import QUARTERS, PairingParameters, Quarter, QuarterFacts
from medgauge.errors import MedgaugeWarning

_CANDIDATES = len(QUARTERS) + 1
"""The number in the seed of drawing candidates, beside those of the quarters."""


@dataclass(frozen=True)
class LinkedWords:
    """The words of a part of speech, what links them, and the candidates for experts that were drawn."""

    vocabulary: WordVocabulary
    links: WordLinks
    associated: dict[Domain, pl.DataFrame]
    candidates: list[WordPair]

    @property
    def candidate_rows(self) -> pl.DataFrame:
        """The table of the candidates."""
        return candidate_rows(self.vocabulary, self.candidates, self.associated["biomedical"])


@dataclass(frozen=True)
class PairedWords:
    """The pairs of a part of speech: those of each quarter, None before the verdicts."""

    linked: LinkedWords
    quarters: dict[Quarter, list[WordPair]] | None
    facts: list[QuarterFacts]

    @property
    def part(self) -> PartOfSpeech:
        """The part of speech."""
        return self.linked.vocabulary.part

    def table(self, *, subjects: bool) -> pl.DataFrame | None:
        """Return the table of the set, None if there are no pairs."""
        if self.quarters is None or not any(self.quarters.values()):
            return None
        links = {
            (first, second): link
            for pairs in self.linked.associated.values()
            for first, second, link in pairs.iter_rows()
        }
        return quarter_table(self.linked.vocabulary, self.quarters, links, subjects=subjects)


def link_words(vocabulary: WordVocabulary, resources: Resources, asked: PairingParameters) -> LinkedWords:
    """Find what links the words, and draw candidates for associated biomedical pairs."""
    links = word_links(vocabulary, resources)
    domains: tuple[Domain, ...] = ("biomedical", "general")
    associated = {domain: _within(links, vocabulary, domain) for domain in domains}
    candidates = _drawn(vocabulary, associated["biomedical"], asked, asked.candidates, _CANDIDATES)
    return LinkedWords(vocabulary, links, associated, candidates)


def pair_words(
    linked: LinkedWords, asked: PairingParameters, accepted: Sequence[WordPair] | None
) -> PairedWords:
    """Draw the quarters, the associated biomedical pairs among those that were accepted; none before that."""
    quarters = None if accepted is None else _quarters(linked, accepted, asked)
    return PairedWords(linked, quarters, _facts(linked, accepted, quarters))


def accepted_pairs(verdicts: ExpertVerdicts, vocabulary: WordVocabulary) -> list[WordPair]:
    """Return the pairs of biomedical words that all experts accepted, in the order of the words."""
    own = vocabulary.of_domain("biomedical")
    numbers = {term: number for term, number in vocabulary.shown.items() if own[number]}
    found = [
        (min(pair), max(pair))
        for terms, said in verdicts.of.items()
        if said and len(pair := [numbers[term] for term in terms if term in numbers]) == len(terms)
    ]
    return sorted(found)


def warn_of_short(paired: Sequence[PairedWords], asked: PairingParameters) -> None:
    """Warn of quarters with fewer pairs than were asked for."""
    short = [
        f"{PLURAL[one.part]}, {quarter} {len(pairs):,}"
        for one in paired
        for quarter, pairs in (one.quarters or {}).items()
        if len(pairs) < asked.pairs
    ]
    if short:
        warnings.warn(
            f"quarters with fewer than {asked.pairs:,} pairs: {'; '.join(short)}",
            MedgaugeWarning,
            stacklevel=3,
        )


def _within(links: WordLinks, vocabulary: WordVocabulary, domain: Domain) -> pl.DataFrame:
    """Return the associated pairs whose words are both of a domain."""
    own = np.flatnonzero(vocabulary.of_domain(domain)).tolist()
    linked = links.biomedical() if domain == "biomedical" else links.general()
    return linked.filter(pl.col("first").is_in(own), pl.col("second").is_in(own))


def _drawn(
    vocabulary: WordVocabulary, linked: pl.DataFrame, asked: PairingParameters, count: int, number: int
) -> list[WordPair]:
    return draw_linked(
        linked,
        vocabulary,
        count,
        per_word=asked.per_word,
        balanced=asked.balance_frequency,
        seed=_seed(vocabulary, asked, number),
    )


def _quarters(
    linked: LinkedWords, accepted: Sequence[WordPair], asked: PairingParameters
) -> dict[Quarter, list[WordPair]]:
    vocabulary = linked.vocabulary
    sides = {"first": [pair[0] for pair in accepted], "second": [pair[1] for pair in accepted]}
    biomedical = pl.DataFrame(sides, schema=dict.fromkeys(sides, pl.UInt32))
    found: dict[Quarter, list[WordPair]] = {}
    for number, quarter in enumerate(QUARTERS, 1):
        domain: Domain = "biomedical" if quarter.startswith("biomedical") else "general"
        if quarter.endswith(" associated"):
            pairs = biomedical if domain == "biomedical" else linked.associated[domain]
            found[quarter] = _drawn(vocabulary, pairs, asked, asked.pairs, number)
        else:
            found[quarter] = draw_unlinked(
                linked.links,
                vocabulary,
                domain,
                asked.pairs,
                per_word=asked.per_word,
                balanced=asked.balance_frequency,
                seed=_seed(vocabulary, asked, number),
            )
    return found


def _seed(vocabulary: WordVocabulary, asked: PairingParameters, number: int) -> list[int]:
    return [asked.seed, PARTS.index(vocabulary.part) + 1, number]


def _facts(
    linked: LinkedWords,
    accepted: Sequence[WordPair] | None,
    quarters: dict[Quarter, list[WordPair]] | None,
) -> list[QuarterFacts]:
    found = []
    for quarter in QUARTERS:
        is_judged = quarter == "biomedical associated"
        domain: Domain = "biomedical" if quarter.startswith("biomedical") else "general"
        found.append(
            QuarterFacts(
                part=linked.vocabulary.part,
                quarter=quarter,
                linked=linked.associated[domain].height if quarter.endswith(" associated") else None,
                candidates=len(linked.candidates) if is_judged else None,
                accepted=len(accepted) if is_judged and accepted is not None else None,
                pairs=None if quarters is None else len(quarters[quarter]),
            )
        )
    return found
