"""What a model answers: the recall of each question among the same candidates."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.measures.declared import STANDARD
from medgauge.measures.score import Prepared, pair_scores, score_grid
from medgauge.models.base import TableModel, VectorModel, WordModel, family_of
from medgauge.models.lookup import Oov
from medgauge.models.services.sending import as_set, check_sending, sender_behind
from medgauge.models.terms import Terms, vectors_of
from medgauge.pairs import Card
from medgauge.probing.questions import Questions
from medgauge.progress import track
from medgauge.stats.systems.recall import recall_at_one

_BLOCK = 256  # queries scored at a time


@dataclass(frozen=True)
class Recalls:
    """The recall at 1 of every question, and the number of names that each answer was among.

    NaN is a question that was not asked, or that the model does not cover.
    """

    values: Doubles
    candidates: int


def recalls(
    model: VectorModel,
    questions: Questions,
    asked: Integers,
    *,
    card: Card,
    candidates: int,
    oov: Oov,
    rng: np.random.Generator,
) -> Recalls:
    """Ask a model some of the questions, by the cosine of the query and each candidate.

    `card` is that of the terminology, by which a service may be sent its texts or not.

    The candidates of a question are its answer and drawn names, the same for all questions except one: their
    own, or else the last. Names that the model does not cover are not candidates: others are drawn in their
    place from a model in which terms are looked up; one that encodes terms has fewer then.
    """
    order = rng.permutation(len(questions.names))
    tried = order if isinstance(model, WordModel | TableModel) else order[:candidates]
    answers = questions.answers[asked]
    names = np.unique(np.concatenate([tried, answers]))
    texts = [questions.names[place] for place in names] + [questions.queries[place] for place in asked]
    if sender_behind(model) is not None:
        check_sending([model], [as_set(texts, card)])
    terms = vectors_of(model, texts, oov=oov)
    tried, answers = np.searchsorted(names, tried), np.searchsorted(names, answers)
    pool = tried[terms.covered[tried]][:candidates]
    queries = names.size + np.arange(asked.size)
    covered = terms.covered[queries] & terms.covered[answers]
    values = np.full(len(questions.queries), np.nan)
    values[asked[covered]] = _scored(model, terms, queries[covered], answers[covered], pool)
    return Recalls(values, pool.size)


def _scored(
    model: VectorModel, terms: Terms, queries: Integers, answers: Integers, pool: Integers
) -> Doubles:
    """Return the recall of each query, given by the places of terms."""
    if not queries.size or not pool.size:
        return np.full(queries.size, np.nan)
    needed, *_ = terms.vectors.only(np.concatenate([queries, answers]), np.concatenate([pool, pool]))
    places = np.unique(np.concatenate([queries, answers, pool]))
    queries, answers, pool = (np.searchsorted(places, some) for some in (queries, answers, pool))
    scores = pair_scores(STANDARD[family_of(model)], Prepared(needed, many=True))
    found = np.empty(queries.size)
    with track("probing", queries.size) as advance:
        for first in range(0, queries.size, _BLOCK):
            block = slice(first, first + _BLOCK)
            own = scores(queries[block], answers[block])
            others = score_grid(scores, queries[block], pool)
            is_own = pool == answers[block][:, None]
            is_own[~is_own.any(axis=1), -1] = True  # so that all have the same number of candidates
            others[is_own] = np.nan
            found[block] = recall_at_one(own, others)
            advance(own.size)
    return found
