"""build_words: pairs of words of a corpus in quarters, to be annotated for similarity."""

import warnings
from collections.abc import Sequence
from dataclasses import replace as replaced
from importlib.metadata import version
from math import ceil
from pathlib import Path

import polars as pl

from medgauge.build.manifest import table_digest
from medgauge.build.words.choice.parts_of_speech import PLURAL, with_parts
from medgauge.build.words.choice.word_choice import ChosenWords, WordRules, choose_words, with_domains
from medgauge.build.words.choice.word_domains import Domain, DomainLimits, general_english
from medgauge.build.words.choice.word_filters import FILTERS, chosen_filters
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.expert_lists import borderline_table, candidates_table
from medgauge.build.words.expert_verdicts import ExpertVerdicts, read_associated, read_domains, shown
from medgauge.build.words.lexical.specialist_lexicon import read_lexicon
from medgauge.build.words.pairing.paired_words import (
    LinkedWords,
    PairedWords,
    accepted_pairs,
    link_words,
    pair_words,
    warn_of_short,
)
from medgauge.build.words.pairing.quarters import WordPair
from medgauge.build.words.pairing.word_vocabulary import vocabulary
from medgauge.build.words.word_cards import card_of_borderline, card_of_candidates, card_of_set
from medgauge.build.words.word_folder import WordFolder
from medgauge.build.words.word_resources import Resources, described, known_words, read_resources, remark_on
from medgauge.build.words.word_sheet import (
    WORD_RULES,
    ChoosingParameters,
    ExpertFacts,
    PairingParameters,
    WordSetFacts,
    WordSheet,
    WordSource,
)
from medgauge.corpus.word_table import WordTable, open_word_table
from medgauge.errors import FileError, InputError, MedgaugeWarning, option
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import require_file
from medgauge.pairs import Pairs
from medgauge.progress import remark, track

_CANDIDATES_PER_PAIR = 2.5
_MOST = 10**12  # of anything that is counted
_LOOK = "look at the counts of a dry run"


def build_words(
    words: str | Path,
    out: str | Path | None = None,
    *,
    filters: Sequence[str] = tuple(FILTERS),
    min_length: int = 3,
    min_frequency: int = 5,
    lemmatise: bool = False,
    american: bool = True,
    only_known: bool = False,
    reference: str | Path | None = None,
    biomedical: float = 10.0,
    general: float = 1.0,
    frequent_in_both: float = 100.0,
    domains: str | Path | None = None,
    ontology: str | Path | Sequence[str | Path] = (),
    scopes: Sequence[str] = ("EXACT",),
    lexicon: str | Path | None = None,
    norms: str | Path | None = None,
    pairs: int = 250,
    candidates: int | None = None,
    accepted: str | Path | None = None,
    unjudged: bool = False,
    per_word: int = 3,
    balance_frequency: bool = False,
    seed: int = 42,
    replace: bool = False,
) -> WordSheet:
    r"""Build a benchmark of word similarity from the words of a corpus (Chiu et al. 2018).

    `words` is a word table that `medgauge corpus words` wrote. Words that any of `filters` removes are left
    out; forms are made one by `lemmatise` and by American spelling, unless `american` is false. `only_known`
    keeps only words that a dictionary of English, the lexicon or an ontology has. A word is biomedical if it
    is at least `biomedical` times as frequent as in general English, and general if at most `general` times,
    unless it occurs at least `frequent_in_both` times per million words in both. What is between goes to
    experts; `domains` is a file with their verdicts. General English is that of wordfreq, or a table of words
    and frequencies in `reference`. Without `out` only these counts are returned.

    `out` is the folder for `pairs` pairs in each quarter and part of speech. Biomedical words are associated
    as synonyms or siblings of an `ontology` (one or several), or as synonyms in the SPECIALIST `lexicon`;
    `candidates` of such pairs go to experts, and only those that all experts accept in the file `accepted`
    count, or all with `unjudged`. General words are associated by `norms` of free association. Other pairs
    are drawn from those that nothing links. A word is in at most `per_word` pairs of a quarter.
    `balance_frequency` draws as many pairs from words of low, of medium and of high frequency.

    >>> import tempfile
    >>> from medgauge import build_corpus, corpus_words
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text, table = Path(folder) / "passages.txt", Path(folder) / "words.parquet"
    ...     _ = text.write_text("People say that gout is a form of arthritis.\n" * 9)
    ...     _ = corpus_words(build_corpus(text, Path(folder) / "corpus.parquet"), table)
    ...     sheet = build_words(table, biomedical=1000, general=1000, frequent_in_both=1e6)
    >>> [(step.step, step.words["word"]) for step in sheet.steps[:3]]
    [('in the word table', 10), ('not of several words', 10), ('not an auxiliary verb', 9)]
    >>> sheet.domains["word"]
    {'biomedical': 2, 'general': 4, 'borderline': 0}
    """
    choosing = ChoosingParameters(
        filters=chosen_filters(filters),
        min_length=_count("min_length", min_length),
        min_frequency=_count("min_frequency", min_frequency),
        lemmatise=lemmatise,
        american=american,
        only_known=only_known,
        biomedical=biomedical,
        general=general,
        frequent_in_both=frequent_in_both,
        reference=_digest_of_list(reference),
        domains=None if domains is None else remembered_sha256(require_file(domains)),
    )
    asked = PairingParameters(
        pairs=_count("pairs", pairs),
        candidates=_some_candidates(pairs) if candidates is None else _count("candidates", candidates),
        per_word=_count("per_word", per_word),
        balance_frequency=balance_frequency,
        accepted=None if accepted is None else remembered_sha256(require_file(accepted)),
        unjudged=unjudged,
        scopes=[scope.upper() for scope in scopes],
        seed=_at_least(0, "seed", seed),
    )
    if unjudged and accepted is not None:
        raise InputError(f"{option('unjudged', True)} does without experts; leave out {option('accepted')}")
    table = open_word_table(words)
    dictionary = None if lexicon is None else read_lexicon(lexicon)
    said = None if domains is None else read_domains(domains)
    # The words of lists and resources are inflected, even if those of the corpus are lemmas.
    forms = WordForms(lemmatise or table.card.unit == "lemma", american, dictionary)
    resources = read_resources(ontology, scopes, dictionary, norms)
    chosen, english = _chosen(table, choosing, forms, resources, reference, said, Path(words))
    if said is not None:
        _check_said(said, {(one,) for one in _shown(chosen.frame)}, Path(domains or ""), "words")
    used = {"breame"} if american else set()
    used |= {"simplemma"} if forms.lemmatise or only_known else set()
    used |= {"wordfreq"} if choosing.reference is None else set()
    sheet = WordSheet(
        word_rules=WORD_RULES,
        medgauge=version("medgauge"),
        source=_source(Path(words), table),
        choosing=choosing,
        general_english=english,
        versions={name: version(name) for name in ("breame", "simplemma", "wordfreq") if name in used},
        steps=chosen.steps,
        domains=chosen.counts(),
        domain_experts=_experts(said),
    )
    if out is None:
        return sheet
    remark_on(resources)
    verdicts = None if accepted is None else read_associated(accepted)
    sheet = sheet.model_copy(
        update={"pairing": asked, "resources": described(resources), "pair_experts": _experts(verdicts)}
    )
    folder = WordFolder.at(out)
    with folder.locked():
        if (stored := _stored(folder, sheet, replace=replace)) is not None:
            return stored
        return _build(folder, sheet, chosen, forms, resources, verdicts, Path(accepted or ""))


def _chosen(
    table: WordTable,
    choosing: ChoosingParameters,
    forms: WordForms,
    resources: Resources,
    reference: str | Path | None,
    said: ExpertVerdicts | None,
    path: Path,
) -> tuple[ChosenWords, str]:
    """Return the chosen words with their domains, and the name of the list of general English."""
    limits = DomainLimits(choosing.biomedical, choosing.general, choosing.frequent_in_both)
    limits.check()
    if table.card.unit == "lemma" and choosing.lemmatise:
        raise InputError(f"{path} has lemmas already; leave out {option('lemmatise', True)}")
    if table.card.unit == "form" and not choosing.lemmatise:
        remark(
            "the words are forms, so cell and cells are two words; "
            f"{option('lemmatise', True)} makes them one"
        )
    if table.frame["pos"].null_count() == table.frame.height:
        remark(
            "the words have no parts of speech; "
            + (
                "those that the lexicon has as only a noun or only a verb are taken"
                if resources.lexicon is not None
                else f"nouns and verbs are not told apart without a tagged corpus or {option('lexicon')}"
            )
        )
    known = known_words(resources, forms) if choosing.only_known else None
    own = replaced(forms, lemmatise=choosing.lemmatise)
    rules = WordRules(tuple(choosing.filters), choosing.min_length, choosing.min_frequency, own, known)
    found = choose_words(with_parts(table.frame, resources.lexicon, name=str(path)), rules, name=str(path))
    english = general_english(forms, reference)
    chosen = with_domains(found, english, table.card.tokens, limits, said)
    counts = chosen.counts().values()
    paired: tuple[Domain, ...] = ("biomedical", "general")
    for domain in paired:
        if not any(one[domain] for one in counts):
            text = f"{path} has no {domain} words; look at {option('biomedical')} and {option('general')}"
            warnings.warn(text, MedgaugeWarning, stacklevel=3)
    return chosen, english.source


def _build(
    folder: WordFolder,
    sheet: WordSheet,
    chosen: ChosenWords,
    forms: WordForms,
    resources: Resources,
    verdicts: ExpertVerdicts | None,
    accepted: Path,
) -> WordSheet:
    """Pair the words, and write the folder."""
    asked = sheet.pairing
    assert asked is not None
    vocabularies = [vocabulary(chosen.frame, part, forms) for part in chosen.parts]
    if verdicts is not None:
        known = {term for one in vocabularies for term in one.shown}
        _check_said(verdicts, {key for key in verdicts.of if known.issuperset(key)}, accepted, "pairs")
    linked = [link_words(one, resources, asked) for one in vocabularies]
    with track("drawing pairs", len(linked)) as advance:
        paired = []
        for one in linked:
            paired.append(pair_words(one, asked, _accepted(one, linked, asked, verdicts)))
            advance(1)
    made = [(one, one.table(subjects=sheet.source.has_subjects)) for one in paired]
    tables = [(one, table) for one, table in made if table is not None]
    if not tables and paired[0].quarters is not None:
        raise InputError(
            "no quarter has a pair, so there is nothing to write; look at the counts of a dry run"
        )
    warn_of_short(paired, asked)
    sheet = sheet.model_copy(
        update={
            "quarters": [fact for one in paired for fact in one.facts],
            "sets": {PLURAL[one.part]: _facts(one, table) for one, table in tables},
        }
    )
    sets = [Pairs(table, card_of_set(one.part, sheet, resources)) for one, table in tables]
    experts = [
        Pairs(borderline_table(chosen.frame), card_of_borderline(sheet)),
        Pairs(candidates_table([one.candidate_rows for one in linked]), card_of_candidates(sheet, resources)),
    ]
    folder.finish(sheet, sets, experts, _written(chosen.frame))
    return sheet


def _accepted(
    one: LinkedWords, every: Sequence[LinkedWords], asked: PairingParameters, verdicts: ExpertVerdicts | None
) -> Sequence[WordPair] | None:
    """Return the associated pairs that count; None if experts are to judge candidates first."""
    if verdicts is not None:
        return accepted_pairs(verdicts, one.vocabulary)
    nothing_to_judge = not any(linked.candidates for linked in every)
    return one.candidates if asked.unjudged or nothing_to_judge else None


def _facts(paired: PairedWords, table: pl.DataFrame) -> WordSetFacts:
    return WordSetFacts(
        pairs=table.height,
        words=pl.concat([table["term_1"], table["term_2"].alias("term_1")]).n_unique(),
        bins=paired.linked.vocabulary.limits,
        digest=table_digest(table),
    )


def _written(words: pl.DataFrame) -> pl.DataFrame:
    """Return the chosen words as a table for people, commonest first."""
    return words.sort("part", "frequency", "word", descending=[False, True, False]).select(
        "word",
        pl.col("part").alias("part_of_speech"),
        "domain",
        "frequency",
        pl.col("ratio").round(3),
        "subject",
    )


def _stored(folder: WordFolder, sheet: WordSheet, *, replace: bool) -> WordSheet | None:
    """Return the build in the folder if it is this one; raise an error rather than overwrite another."""
    stored = folder.stored(damaged=replace)
    if stored is None or replace:
        return None
    names = ("source", "choosing", "general_english", "versions", "pairing", "resources")
    others = [name for name in names if getattr(stored, name) != getattr(sheet, name)]
    if not others and folder.is_complete(stored):
        return stored
    held = f"another build (with other {' and '.join(others)})" if others else "an incomplete build"
    raise InputError(f"{folder.folder} has {held}; add {option('replace', True)}, or choose another folder")


def _source(path: Path, table: WordTable) -> WordSource:
    return WordSource(
        sha256=remembered_sha256(path),
        corpus=table.card.corpus,
        unit=table.card.unit,
        tokens=table.card.tokens,
        has_subjects=table.card.subjects is not None,
    )


def _digest_of_list(reference: str | Path | None) -> str | None:
    """Return the SHA-256 of a list of general English, None if it is that of a package."""
    return remembered_sha256(Path(reference)) if reference is not None and Path(reference).is_file() else None


def _experts(verdicts: ExpertVerdicts | None) -> ExpertFacts | None:
    if verdicts is None:
        return None
    return ExpertFacts(experts=verdicts.experts, judged=verdicts.judged, agreed=verdicts.agreed)


def _shown(words: pl.DataFrame) -> set[str]:
    return {shown(word, part) for word, part in words.select("word", "part").iter_rows()}


def _check_said(verdicts: ExpertVerdicts, known: set[tuple[str, ...]], path: Path, what: str) -> None:
    """Refuse verdicts on other words than those that were chosen; warn if some are."""
    lost = sum(key not in known for key in verdicts.of)
    if lost == verdicts.judged:
        raise FileError(path, f"none of its {what} are of the chosen words; is it of another build?")
    if lost:
        warnings.warn(
            f"{path}: {lost:,} of {verdicts.judged:,} {what} are not of the chosen words and do not count",
            MedgaugeWarning,
            stacklevel=3,
        )


def _some_candidates(pairs: int) -> int:
    """Return how many candidates experts judge for this many pairs; Chiu et al. kept 247 of 627."""
    return ceil(_CANDIDATES_PER_PAIR * max(pairs, 1))


def _at_least(least: int, name: str, value: int) -> int:
    if value < least:
        raise InputError(f"{option(name, value)} must be at least {least}")
    return value


def _count(name: str, value: int) -> int:
    """Return a number from 1 on; a much larger one than any count could not be compared with counts."""
    if _at_least(1, name, value) > _MOST:
        raise InputError(f"{option(name, value)} must be at most {_MOST:,}")
    return value
