"""What is said of a benchmark of word similarity: the cards of its sets and of what experts judge."""

import json
from collections.abc import Sequence

from medgauge.build.words.choice.parts_of_speech import PLURAL, PartOfSpeech
from medgauge.build.words.expert_lists import BORDERLINE, CANDIDATES
from medgauge.build.words.word_resources import Resources
from medgauge.build.words.word_sheet import WordSheet
from medgauge.pairs import Card
from medgauge.terminology.model import LICENCES, TERMS_STAY, Terminology, origin_name

_CITATION = (
    "Chiu, Pyysalo, Vulić and Korhonen (2018). Bio-SimVerb and Bio-SimLex: wide-coverage evaluation sets of "
    "word similarity in biomedicine. BMC Bioinformatics 19:33. doi:10.1186/s12859-018-2039-z"
)
_STRATA = (
    *("quarter", "domain", "association", "frequency", "frequency_1", "frequency_2"),
    *("subject", "subject_1", "subject_2", "subjects_1", "subjects_2"),
)


def made_of(resources: Resources) -> tuple[str, ...]:
    """Return the names among origins of what links the words."""
    names = [origin_name(one.form, one.title) for one in resources.ontologies]
    names += ["specialist"] * (resources.lexicon is not None) + ["usf"] * (resources.norms is not None)
    return tuple(dict.fromkeys(names))


def card_of_set(part: PartOfSpeech, sheet: WordSheet, resources: Resources) -> Card:
    """Return the card of the pairs of one part of speech."""
    what = PLURAL[part]
    judged = (
        "no expert has judged the associated biomedical ones"
        if sheet.pairing is not None and sheet.pairing.unjudged
        else "experts accepted the associated biomedical ones"
    )
    return Card(
        name=what,
        title=f"Pairs of {what} from a corpus, in quarters",
        kind="similarity",
        language="en",
        description=(
            f"Pairs of {what}, biomedical and general, associated and unassociated (the column quarter); "
            f"{judged}. The pairs have no gold yet: annotate them."
        ),
        source=_source(sheet),
        licence=_licence(resources.ontologies),
        citation=_CITATION,
        terms_stay=_stays(resources.ontologies),
        made_of=made_of(resources),
        build=sheet.for_card(),
        strata=_STRATA,
    )


def card_of_candidates(sheet: WordSheet, resources: Resources) -> Card:
    """Return the card of the pairs that experts are to judge."""
    return Card(
        name=CANDIDATES,
        title="Candidates for associated biomedical pairs",
        kind="relatedness",
        language="en",
        description="Pairs of biomedical words that a resource links. Experts say which are associated.",
        source=_source(sheet),
        licence=_licence(resources.ontologies),
        citation=_CITATION,
        terms_stay=_stays(resources.ontologies),
        made_of=made_of(resources),
    )


def card_of_borderline(sheet: WordSheet) -> Card:
    """Return the card of the words that experts are to judge."""
    return Card(
        name=BORDERLINE,
        title="Words between biomedical and general English",
        language="en",
        description="Words, each without a second term. Experts say where they are mostly used.",
        source=_source(sheet),
        citation=_CITATION,
    )


def readme_of_words(sheet: WordSheet) -> str:
    """Return the README.md of the folder, with which `datasets.load_dataset(folder, NAME)` finds a set."""
    configs = "".join(f"- config_name: {name}\n  data_files: {name}.parquet\n" for name in sheet.sets)
    rows = "".join(f"| {name} | {one.pairs:,} | {one.words:,} |\n" for name, one in sheet.sets.items())
    front = f"configs:\n{configs}" if configs else ""
    sets = (
        f"| set | pairs | words |\n|---|---:|---:|\n{rows}"
        if rows
        else ("The sets follow once experts have judged the candidates in the folder experts.\n")
    )
    title = "Pairs of words from a corpus"
    return (
        f"---\npretty_name: {json.dumps(title)}\nlicense: other\nlanguage:\n- en\n{front}---\n\n# {title}\n\n"
        f"Made by medgauge {sheet.medgauge} as in {_CITATION}\n\n"
        "Sources, parameters and what each step left are in word-sheet.json.\n\n"
        f"{sets}"
    )


def _source(sheet: WordSheet) -> str:
    return f"a corpus of {sheet.source.tokens:,} tokens (SHA-256 {sheet.source.corpus[:12]}…)"


def _stays(ontologies: Sequence[Terminology]) -> bool:
    return any(one.form in TERMS_STAY for one in ontologies)


def _licence(ontologies: Sequence[Terminology]) -> str:
    return LICENCES["rf2"] if _stays(ontologies) else "that of the corpus and of what links its words"
