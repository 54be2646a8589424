"""probe: whether a model knows the old concepts of a terminology better than new ones like them."""

import warnings
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import numpy as np

from medgauge.arrays import Integers
from medgauge.errors import FileError, InputError, UndefinedWarning, option, quoted
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.files.file_names import plain_name
from medgauge.measures.declared import STANDARD
from medgauge.models.base import Model, PairScorer, VectorModel, card_of, family_of, key_kind, name_of
from medgauge.models.in_memory import ModelSource, as_model
from medgauge.models.lookup import Oov, check_choice
from medgauge.pairs import Card
from medgauge.probing.matching import matched
from medgauge.probing.probed import Probe, figure_of
from medgauge.probing.questions import Questions, ages, questions_of
from medgauge.probing.recalls import recalls
from medgauge.stats.differences.matched_gap import matched_gap
from medgauge.stats.settings import MOST_RESAMPLES, RESAMPLES
from medgauge.terminology.model import TERMS_STAY, Terminology
from medgauge.terminology.read import read_terminology

CANDIDATES = 10_000
CONCEPTS = 1_000
_MATCHES = 3  # older concepts for each new one, if there are as many
_OLD = 0.9  # the share of dated concepts that are old, if no date is given
_MOST = 1_000_000  # candidates, or new concepts


def probe(
    model: ModelSource,
    terminology: str | Path | Sequence[str | Path],
    *,
    since: str | date | None = None,
    candidates: int = CANDIDATES,
    concepts: int = CONCEPTS,
    language: str = "en",
    scopes: Sequence[str] = ("EXACT",),
    oov: Oov = "uncovered",
    resamples: int = RESAMPLES,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Probe:
    """Compare how often a model finds concepts by a synonym: new ones, and older ones that are like them.

    A model that was trained on a release of a terminology has seen the synonyms of the concepts of that
    release, and not those that came later: a gap between the two is a sign of such training.

    `model` is anything that `as_model` takes and that has vectors of terms or words. `terminology` is a Full
    release of SNOMED CT (or several, extensions after the edition they extend), where the first effectiveTime
    says when a concept appeared, or an ontology with `creation_date`. Concepts are new if they first appear
    on the date `since` ("2020-01-31") or later: the date of the release that a model may have been trained
    on. By default, a tenth of the concepts are new.

    The query is a synonym, drawn for each concept, and the answer is the concept's name, among `candidates`
    names in all. The similarity is the cosine, and a tie counts as often as drawing one of the tied names
    would be right. Each of at most `concepts` new concepts is matched with up to three older ones: the
    queries are alike in their number of words, in the frequency of their rarest word within the terminology,
    and in the share of words that they have in common with the name; the names in the first two. Intervals
    are those of the bootstrap over new concepts with what they are matched with. `language` and `scopes` are
    as in `build_terminology`, `oov` as in `evaluate`.

    >>> import tempfile
    >>> frames = [
    ...     "[Term]", "id: X:{0}", "name: w{0} disease", 'synonym: "w{0} illness" EXACT []',
    ...     "creation_date: 20{1}-01-01T00:00:00Z",
    ... ]
    >>> lines = [line.format(n, 10 + n % 2) for n in range(40) for line in frames]
    >>> words = {f"w{n}": np.eye(40)[n] for n in range(40)} | {"disease": np.ones(40), "illness": np.ones(40)}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "tiny.obo"
    ...     _ = path.write_text(chr(10).join(lines))
    ...     found = probe(words, path, since="2011-01-01", candidates=40)
    >>> found["new"].value, found["old"].value, found["gap"].value
    (1.0, 1.0, 0.0)
    """
    check_choice("choice for unknown words", oov, Oov)
    check_confidence(confidence)
    _check_counts(candidates=candidates, concepts=concepts, resamples=resamples)
    asked_model = with_vectors(as_model(model))
    wanted_since = None if since is None else as_date(since)
    given = [terminology] if isinstance(terminology, str | Path) else list(terminology)
    sources = [Path(one) for one in given]
    read = read_terminology(sources, language=language, scopes=scopes, hierarchy=False)
    check_dates(read, sources)
    name = plain_name(sources[0])
    card = Card(name=name, title=name, terms_stay=read.form in TERMS_STAY)
    rng = np.random.default_rng(int(seed))
    questions = questions_of(read, rng)
    first = wanted_since or _default_since(questions, sources)
    age = ages(questions.appeared, first)
    new, old = np.flatnonzero(age == 1), np.flatnonzero(age == 0)
    _check_ages(new, old, first)
    strata = questions.strata
    can_match = new[np.isin(strata[new], strata[old])]
    drawn = np.sort(rng.permutation(can_match)[:concepts])
    matches = matched(strata[drawn], strata[old], most=_MATCHES, rng=rng)
    has_match = matches[:, 0] >= 0
    cases, matches = drawn[has_match], matches[has_match]
    is_match, controls = matches >= 0, old[matches]  # where there is no match, any
    asked = np.unique(np.concatenate([cases, controls[is_match]]))
    answered = recalls(asked_model, questions, asked, card=card, candidates=candidates, oov=oov, rng=rng)
    on_controls = np.where(is_match, answered.values[controls], np.nan)
    usable = ~np.isnan(on_controls)
    kept = ~np.isnan(answered.values[cases]) & usable.any(axis=1)
    found = matched_gap(
        answered.values[cases[kept]],
        np.nanmean(on_controls[kept], axis=1),
        rng=rng,
        resamples=resamples,
        confidence=confidence,
    )
    if not kept.any():
        message = f"{name_of(asked_model)} covers no new concept with an older one that is like it"
        warnings.warn(message, UndefinedWarning, stacklevel=2)
    return Probe(
        model=card_of(asked_model),
        terminology=read.title,
        files=dict(read.files),
        since=first,
        measure=STANDARD[family_of(asked_model)],
        oov=oov,
        seed=int(seed),
        candidates=answered.candidates,
        wanted_candidates=candidates,
        concepts={"new": new.size, "old": old.size},
        asked={"new": int(kept.sum()), "old": int(usable[kept].sum())},
        unmatched=new.size - can_match.size + int((~has_match).sum()),
        uncovered={"new": int((~kept).sum()), "old": int((is_match & ~usable).sum())},
        not_drawn=can_match.size - drawn.size,
        undated=int((age == -1).sum()),
        ambiguous=questions.ambiguous,
        figures=[
            figure_of("new", found.cases),
            figure_of("old", found.controls),
            figure_of("gap", found.gap),
        ],
    )


def with_vectors(model: Model) -> VectorModel:
    """Return a model that has vectors of texts; refuse others."""
    if isinstance(model, PairScorer):
        raise InputError(
            f"{quoted(name_of(model))} scores pairs and has no vectors, so it cannot be probed; give a model "
            "with vectors of words or terms"
        )
    if key_kind(model) != "term":
        raise InputError(
            f"{quoted(name_of(model))} looks up {key_kind(model)}s and not terms, so it cannot be probed"
        )
    return model


def as_date(given: str | date) -> date:
    """Return a date that is given as one or as text.

    >>> as_date("2020-01-31")
    datetime.date(2020, 1, 31)
    """
    if isinstance(given, datetime):
        return given.date()
    if isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise InputError(f"{option('since', given[:40])}: is not a date such as 2020-01-31") from None


def check_dates(terminology: Terminology, sources: Sequence[Path]) -> None:
    """Refuse a terminology that does not say when its concepts appeared."""
    if terminology.appeared is None:
        raise FileError(
            sources[0],
            "is a Snapshot, which has only the date of each concept's last change; give the Full release, "
            "whose first row of a concept says when it appeared",
        )
    if terminology.appeared.null_count() == len(terminology.appeared):
        raise FileError(
            sources[0], "has no creation_date of any class, so it is not known which of them are new"
        )


def _check_counts(*, candidates: int, concepts: int, resamples: int) -> None:
    limits = {
        "candidates": (candidates, 2, _MOST),
        "concepts": (concepts, 1, _MOST),
        "resamples": (resamples, 1, MOST_RESAMPLES),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            raise InputError(f"{name} must be between {low} and {high:,}, not {value:,} ({option(name)})")


def _default_since(questions: Questions, sources: Sequence[Path]) -> date:
    """Return the date since which about a tenth of the dated concepts with a question appeared."""
    dates = sorted(one for one in questions.appeared if one is not None)
    if not dates:
        raise FileError(sources[0], "has no concept with a date, a name and a synonym that only it has")
    return dates[int(_OLD * len(dates))]


def _check_ages(new: Integers, old: Integers, since: date) -> None:
    """Refuse a date that leaves nothing to compare."""
    if not new.size or not old.size:
        when, change = (f"on {since} or later", "earlier") if not new.size else (f"before {since}", "later")
        raise InputError(
            f"no concept with a synonym of its own first appears {when}; give an {change} date "
            f"({option('since')})".replace("an later", "a later")
        )
