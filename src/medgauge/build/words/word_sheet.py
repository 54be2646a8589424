"""The data sheet of a benchmark of word similarity: where the words come from, and what each step left."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.build.words.choice.parts_of_speech import PartOfSpeech
from medgauge.build.words.choice.word_domains import Domain
from medgauge.build.words.choice.word_filters import FilterName
from medgauge.result import StoredResult
from medgauge.stored import Count, StoredName

WORD_SHEET = "word-sheet.json"
WORD_RULES = 1
"""The version of the rules for choosing words and pairs; another version makes others of the same input."""

Quarter = Literal[
    "biomedical associated", "biomedical unassociated", "general associated", "general unassociated"
]
QUARTERS: tuple[Quarter, ...] = (
    "biomedical associated",
    "biomedical unassociated",
    "general associated",
    "general unassociated",
)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ChoosingParameters(_Frozen):
    """How words were chosen. `reference` and `domains` are the SHA-256 of files."""

    filters: list[FilterName]
    min_length: Count
    min_frequency: Count
    lemmatise: bool = False
    american: bool = True
    only_known: bool = False
    biomedical: float
    general: float
    frequent_in_both: float
    reference: str | None = None
    domains: str | None = None


class PairingParameters(_Frozen):
    """How pairs were made and drawn. `accepted` is the SHA-256 of the experts' verdicts."""

    pairs: Count
    candidates: Count
    per_word: Count
    balance_frequency: bool = False
    accepted: str | None = None
    unjudged: bool = False
    scopes: list[str] = []
    seed: int


class WordSource(_Frozen):
    """The word table: its digest, that of its corpus, and what its words are."""

    sha256: str
    corpus: str
    unit: StoredName
    tokens: Count
    has_subjects: bool


class WordResource(_Frozen):
    """An ontology, a lexicon or norms, by which words are linked; `files` has the SHA-256 of each."""

    name: StoredName
    title: StoredName
    files: dict[StoredName, str]


class WordStep(_Frozen):
    """How many different words of each part of speech were left after a step."""

    step: StoredName
    words: dict[PartOfSpeech, Count]


class ExpertFacts(_Frozen):
    """What experts said: how many there were, what they judged, and on how much of it all of them agree."""

    experts: Count
    judged: Count
    agreed: Count


class QuarterFacts(_Frozen):
    """A quarter: the pairs it could be drawn from (None if any pair without a link), and those drawn.

    Of the associated biomedical pairs, `candidates` went to experts and `accepted` are those that all of
    them accepted; None where the other quarters have none, or before the verdicts.
    """

    part: PartOfSpeech
    quarter: Quarter
    linked: Count | None = None
    candidates: Count | None = None
    accepted: Count | None = None
    pairs: Count | None = None


class WordSetFacts(_Frozen):
    """A set that was written: its size, its digest, and the highest frequencies of its low and medium bin."""

    pairs: Count
    words: Count
    bins: tuple[Count, Count]
    digest: str


class WordSheet(StoredResult, _Frozen):
    """Everything about a benchmark from words that can be published without its words.

    `versions` has those of the packages that the words depend on. A dry run has no pairing; before the
    experts' verdicts there are no sets.
    """

    _kind: ClassVar[str] = "built.words"

    word_rules: int
    medgauge: str
    source: WordSource
    choosing: ChoosingParameters
    general_english: StoredName
    versions: dict[StoredName, StoredName]
    steps: Annotated[list[WordStep], Field(min_length=1)]
    domains: dict[PartOfSpeech, dict[Domain, Count]]
    domain_experts: ExpertFacts | None = None
    pairing: PairingParameters | None = None
    resources: list[WordResource] = []
    pair_experts: ExpertFacts | None = None
    quarters: list[QuarterFacts] = []
    sets: dict[StoredName, WordSetFacts] = {}

    @property
    def parts(self) -> list[PartOfSpeech]:
        """The parts of speech that the words have."""
        return list(self.steps[0].words)

    def to_json(self) -> str:
        """Return the data sheet as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "WordSheet":
        """Read a data sheet, or the one in a folder."""
        path = Path(path)
        if path.is_dir():
            path = path / WORD_SHEET
        return cls._read(path, "is not a data sheet of medgauge build words")

    def _flaw(self) -> str | None:
        if self.word_rules != WORD_RULES:
            return f"it was written under rules {self.word_rules}, but this medgauge knows {WORD_RULES}"
        if (self.pairing is None) != (not self.quarters):
            return "it has quarters without saying how they were drawn, or says it without quarters"
        return None

    def for_card(self) -> dict[str, Any]:
        """Return what a card says of how a set was built."""
        assert self.pairing is not None
        return {
            "corpus": self.source.corpus,
            "unit": self.source.unit,
            **self.choosing.model_dump(mode="json", exclude_defaults=True),
            "general_english": self.general_english,
            **self.pairing.model_dump(mode="json", exclude_defaults=True),
            "resources": {one.title: one.files for one in self.resources},
            "steps": {
                one.step: ", ".join(f"{number:,} {part}" for part, number in one.words.items())
                for one in self.steps
            },
        }
