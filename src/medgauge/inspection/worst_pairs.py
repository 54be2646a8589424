"""worst_pairs: where a model is furthest from the gold, or two models from each other, pair by pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.catalog.named_sets import Datasets
from medgauge.comparison.scores import SetScores
from medgauge.comparison.systems import known_choice, measure_of, parse_choice
from medgauge.errors import InputError, UnknownNameError, option, same_name
from medgauge.evaluation.missing_words import most_often, words_at
from medgauge.evaluation.run import Run, SetUsed
from medgauge.inspection.inspected import InspectedSet, Uncovered, WorstPair, WorstPairs
from medgauge.inspection.sets_here import find_sets
from medgauge.models.base import ModelCard
from medgauge.pairs import Pairs, PairSet
from medgauge.stats.systems.misplaced import ranks_from_top, wrong_sides
from medgauge.strata.values import column

TOP = 10
"""How many pairs of each set are shown by default."""


def worst_pairs(
    run: Run | str | Path,
    *,
    model: str,
    against: str | None = None,
    datasets: Datasets | None = None,
    measure: str | Mapping[str, str] | None = None,
    top: int | None = TOP,
) -> WorstPairs:
    """Find the pairs on which a model of a run is furthest from the gold, or from another model.

    Parameters
    ----------
    run
        A run, or the folder of a stored one. Pairs are ranked among those that every model of it can score.
    model
        The model to inspect; upper and lower case do not matter. In a graded set, its worst pairs are those
        with the largest difference between the ranks of score and gold. In a labelled one, they are the
        positive pairs below the largest share of negatives, and the negative pairs above the largest share
        of positives. A pair without any error is not among them.
    against
        Another model of the run: the worst pairs are then those that the two rank most differently.
    datasets
        The sets, as in `evaluate`: names of published sets, files or PairSets, which must be the evaluated
        ones. Default: all sets of the run that are published and on this machine.
    measure
        The measure, as in `compare`: one for both models, a mapping from models to measures, or 'best'. By
        default the run's only measure, else avg_cos and cos.
    top
        How many pairs of each set to return at most, None for all with an error.

    Examples
    --------
    >>> from medgauge import Card, PairSet, evaluate
    >>> rows = [("flu", "influenza", 4.0), ("flu", "fluke", 0.0), ("gout", "gouty arthritis", 3.0)]
    >>> pairs = PairSet.of(rows, card=Card(name="tiny", title="Tiny"))
    >>> [found] = worst_pairs(evaluate("levenshtein", pairs), model="levenshtein", datasets=pairs).sets
    >>> [(pair.term_2, pair.gold_rank, pair.score_rank) for pair in found.pairs]
    [('fluke', 3.0, 1.0), ('influenza', 1.0, 2.0), ('gouty arthritis', 2.0, 3.0)]

    """
    run = run if isinstance(run, Run) else Run.load(run)
    cards = _chosen_models(run, model, against)
    if top is not None and top < 1:
        raise InputError(f"{option('top')} must be at least 1, not {top}")
    given = parse_choice(measure, [card.name for card in cards]) if isinstance(measure, str) else measure
    choice = known_choice(run, given)
    # Other models of the run need not have the chosen measure.
    only = run.model_copy(update={"models": cards})
    found, absent = find_sets(run, datasets)
    used = {one.name: one for one in run.datasets}
    measures = {
        name: measure_of(only, choice, name, "auc" if used[name].labelled else "spearman") for name in found
    }
    sets = [_inspected(run, cards, used[name], found[name], measures[name], top) for name in found]
    names = [card.name for card in cards]
    return WorstPairs(model=names[0], against=None if against is None else names[1], sets=sets, absent=absent)


def _chosen_models(run: Run, model: str, against: str | None) -> list[ModelCard]:
    cards = {card.name: card for card in run.models}
    wanted = [same_name(name, cards) for name in (model, against) if name is not None]
    for name in wanted:
        if name not in cards:
            raise UnknownNameError("model of the run called", name, cards)
    if len(set(wanted)) < len(wanted):
        raise InputError(f"{option('against')} names the same model; choose another of the run")
    return [cards[name] for name in wanted]


@dataclass(frozen=True)
class _Placed:
    """The compared pairs of a set: their gold, and the scores, ranks and errors of each model (rows)."""

    gold: Doubles
    gold_ranks: Doubles | None
    scores: Doubles
    ranks: Doubles
    errors: Doubles

    @classmethod
    def of(cls, gold: Doubles, scores: Doubles, *, labelled: bool) -> "_Placed":
        ranks = np.array([ranks_from_top(row) for row in scores])
        if labelled:
            return cls(gold, None, scores, ranks, np.array([wrong_sides(gold, row) for row in scores]))
        gold_ranks = ranks_from_top(gold)
        return cls(gold, gold_ranks, scores, ranks, np.abs(ranks - gold_ranks))

    def worst(self, top: int | None) -> Integers:
        """Return the worst pairs, worst first, none without an error; of equally bad ones, the first.

        A set with only one label has none.
        """
        if np.isnan(self.errors).any():
            return np.empty(0, np.int64)
        size = self.errors[0] if len(self.ranks) == 1 else np.abs(self.ranks[0] - self.ranks[1])
        return np.argsort(-size, kind="stable")[: np.count_nonzero(size)][:top]

    def fields(self, number: int, models: Sequence[str]) -> dict[str, Any]:
        """Return what a WorstPair says about the scores of a pair."""
        errors = self.errors[:, number].tolist()
        two = len(models) > 1
        return {
            "gold": self.gold[number],
            "score": self.scores[0, number],
            "gold_rank": None if self.gold_ranks is None else self.gold_ranks[number],
            "score_rank": self.ranks[0, number],
            "rank_error": None if self.gold_ranks is None else errors[0],
            "wrong_side": errors[0] if self.gold_ranks is None else None,
            "other_score": self.scores[1, number] if two else None,
            "other_rank": self.ranks[1, number] if two else None,
            "nearer": models[errors.index(min(errors))] if two and errors[0] != errors[1] else None,
        }


@dataclass(frozen=True)
class _Words:
    """For each pair of a set, the words without a vector and those made of subwords; None if not known."""

    missing: list[list[str]] | None
    subwords: list[list[str]] | None

    @classmethod
    def of(cls, scores: pl.DataFrame, pairs: PairSet, card: ModelCard) -> "_Words":
        def named(what: str) -> list[list[str]] | None:
            first, second = f"{what}_1", f"{what}_2"
            if not {first, second} <= set(scores.columns):
                return None
            return words_at(pairs, (scores[first].to_list(), scores[second].to_list()), card)

        try:
            return cls(named("missing"), named("subwords"))
        except (IndexError, TypeError):
            name = pairs.card.name
            raise InputError(
                f"the stored scores of {name} name words that its terms do not have; evaluate again"
            ) from None


def _inspected(
    run: Run,
    cards: list[ModelCard],
    used: SetUsed,
    pairs: PairSet,
    measures: Mapping[str, str],
    top: int | None,
) -> InspectedSet:
    held = SetScores(run, used.name)
    compared = np.flatnonzero(held.common)
    scores = held.scores([(card.name, measures[card.name]) for card in cards])
    placed = _Placed.of(held.gold, scores, labelled=used.labelled)
    frames = [run.scores(card.name, used.name) for card in cards]
    if not frames[0]["pair_id"].equals(pairs.frame["pair_id"]):
        raise InputError(f"the stored scores of {used.name} are those of other pairs; evaluate again")
    words = [_Words.of(frame, pairs, card) for frame, card in zip(frames, cards, strict=True)]
    names = [card.name for card in cards]
    worst = placed.worst(top)
    about = [placed.fields(number, names) for number in worst.tolist()]
    return InspectedSet(
        name=used.name,
        labelled=used.labelled,
        n=used.n,
        compared=used.compared,
        measure=measures[names[0]],
        other_measure=measures[names[1]] if len(names) > 1 else None,
        pairs=_worst(pairs, compared[worst], words[0], about),
        uncovered=[
            _uncovered(name, ~frame["covered"].to_numpy(), own)
            for name, frame, own in zip(names, frames, words, strict=True)
        ],
    )


def _worst(pairs: PairSet, places: Integers, words: _Words, about: list[dict[str, Any]]) -> list[WorstPair]:
    """Return the pairs at these places of a set, with what the scores say about each."""
    kept = pairs.frame[places].select("pair_id", "term_1", "term_2", *pairs.raters)
    chosen = Pairs(kept, pairs.card)
    spreads = column(chosen, "rating_spread").to_list() if pairs.raters else [None] * len(chosen)
    return [
        WorstPair(
            pair_id=row["pair_id"],
            term_1=row["term_1"],
            term_2=row["term_2"],
            **fields,
            edit_distance=distance,
            rating_spread=spread,
            missing=None if words.missing is None else words.missing[place],
            subwords=None if words.subwords is None else words.subwords[place],
        )
        for row, place, fields, distance, spread in zip(
            kept.iter_rows(named=True),
            places.tolist(),
            about,
            column(chosen, "levenshtein").to_list(),
            spreads,
            strict=True,
        )
    ]


def _uncovered(model: str, uncovered: Flags, words: _Words) -> Uncovered:
    lacking = None
    if words.missing is not None:
        lacking = most_often(words.missing[place] for place in np.flatnonzero(uncovered).tolist())
    return Uncovered(model=model, pairs=int(uncovered.sum()), words=lacking)
