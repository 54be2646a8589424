"""compare: every two models, or every two measures of a model, on the same pairs."""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

from medgauge.comparison.comparison import Comparison, Contest
from medgauge.comparison.contests import Entry, entries_of, families
from medgauge.comparison.decision import DecisionRules, decide
from medgauge.comparison.scope import By, Dependence, TestFamily, check_alpha
from medgauge.comparison.spread import spreads
from medgauge.comparison.systems import BEST, known_choice, parse_choice
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning, UnknownNameError, option, same_name
from medgauge.evaluation.figures import METRICS
from medgauge.evaluation.run import Run, SetUsed
from medgauge.stats.settings import MOST_RESAMPLES, Correction


def compare(
    run: Run | str | Path,
    *,
    by: By = "model",
    datasets: Sequence[str] | None = None,
    measure: str | Mapping[str, str] | None = None,
    alpha: float = 0.05,
    correction: Correction = "bonferroni",
    family: TestFamily = "dataset",
    clustered_by: str | None = None,
    dependence: Dependence | None = None,
    resamples: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Test which differences in a stored run are significant, from its scores; nothing is embedded again.

    By model, every two models are compared on each set, each with one measure: `measure` is one for all, a
    mapping from models or kinds of models (words, vectors) to measures, or 'best' (chosen on the same pairs);
    by default the run's only measure, else avg_cos and cos (cos by itself means avg_cos for word vectors, and
    names are taken in any case). By measure, every two measures of each model are
    compared.

    Graded sets: the difference of two Spearman's ρ over its standard error, compared with Student's t or, on
    fewer than 500 pairs, with its values after swapping the two systems within pairs, `resamples` times (by
    default as often as the level requires). Labelled sets: McNemar's test at each system's best threshold,
    Student's t with the variance of split halves for cross-validated accuracies, DeLong's test for the AUC.
    With `clustered_by`, a column of the sets, groups of pairs count as one each, and Obuchowski's tests
    replace McNemar's and DeLong's. Otherwise pairs that share a concept on either side (an id, else a CUI,
    else a term) are dependent, and tests and intervals allow for it; with `dependence` "independent" they do
    not, as in the papers. A run of version 0.1.0 does not know its concepts: its pairs are independent unless
    "dyadic" is asked for, which is an error.

    P-values are corrected over a `family`: the tests of one contest (a set and metric; by measure, a model on
    it), or 'table', all tests with the same metric. The intervals of differences have the level that follows
    from that; those of figures and ranks have the run's confidence.

    >>> from medgauge import Card, PairSet, evaluate
    >>> names = "flu burn rash stroke fever cough gout mumps".split()
    >>> rows = [(name, f"{name}s", 4.0) for name in names]
    >>> rows += [(f"{name} scar", f"no {name}", 1.0) for name in names]
    >>> pairs = PairSet.of(rows, card=Card(name="x", title="X"))
    >>> run = evaluate(["token-jaccard", "levenshtein"], [pairs])
    >>> contest = compare(run).contests[0]
    >>> [(system.model, system.rank, system.letters) for system in contest.systems]
    [('levenshtein', 1, 'a'), ('token-jaccard', 2, 'b')]
    """
    run = run if isinstance(run, Run) else Run.load(run)
    _check_options(by, alpha, correction, family, dependence, resamples)
    if clustered_by is not None and dependence == "dyadic":
        raise InputError(
            f"{option('clustered_by')} and {option('dependence', dependence)} are two ways in which pairs "
            "depend on one another; choose one"
        )
    names = [card.name for card in run.models]
    choice = known_choice(run, parse_choice(measure, names) if isinstance(measure, str) else measure)
    if by == "measure" and choice is not None:
        raise InputError(f"{option('by', 'measure')} compares all measures; leave {option('measure')} out")
    used = _chosen_sets(run, datasets)
    wanted = [entry for one in used for entry in entries_of(run, one, by, choice)]
    _warn_of_undefined(wanted)
    entries = [entry for entry in wanted if entry.tests]
    if not entries:
        needed = "no model has two measures" if by == "measure" else "the run needs two models"
        raise InputError(f"{run.place}: there is nothing to compare: {needed} with figures on these sets")
    contests: dict[int, Contest] = {}
    rules = DecisionRules(
        alpha, correction, clustered_by, dependence, resamples, seed, run.settings.confidence
    )
    for members in families(entries, family):
        decided = decide(run, [entries[member] for member in members], rules)
        contests |= dict(zip(members, decided, strict=True))
    _warn_of_untested(contests[number] for number in range(len(entries)))
    compared = {(one.model, each.dataset) for each in contests.values() for one in each.systems}
    return Comparison(
        by=by,
        alpha=alpha,
        correction=correction,
        family=family,
        clustered_by=clustered_by,
        dependence="dyadic" if any(one.shares_concepts for one in contests.values()) else "independent",
        chosen_on_test_data=choice == BEST,
        seed=seed,
        contests=[contests[number] for number in range(len(entries))],
        spreads=spreads(run, used) if by == "measure" else [],
        contamination=[one for one in run.contamination if (one.model, one.dataset) in compared],
    )


def _warn_of_undefined(entries: Iterable[Entry]) -> None:
    """Warn once for each set and reason why systems are not compared on it."""
    by_reason: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for entry in entries:
        for system, reason in entry.left_out.items():
            by_reason.setdefault((entry.used.name, reason), []).append((system, METRICS[entry.metric]))
    for (dataset, reason), found in by_reason.items():
        systems = dict.fromkeys(system for system, _ in found)
        metrics = " and ".join(dict.fromkeys(metric for _, metric in found))
        verb = "is" if len(systems) == 1 else "are"
        message = f"{', '.join(systems)} on {dataset} {verb} not compared by {metrics}: {reason}"
        warnings.warn(message, UndefinedWarning, stacklevel=3)


def _warn_of_untested(contests: Iterable[Contest]) -> None:
    """Warn about differences without a test, once for each contest."""
    for contest in contests:
        if contest.untested is not None:
            untested = sum(math.isnan(difference.p) for difference in contest.differences)
            warnings.warn(
                f"{contest.dataset}: {untested} of {len(contest.differences)} differences "
                f"({METRICS[contest.metric]}) cannot be tested: {contest.untested}",
                UndefinedWarning,
                stacklevel=3,
            )


def _check_options(
    by: str, alpha: float, correction: str, family: str, dependence: str | None, resamples: int | None
) -> None:
    for what, given, known in (
        ("way to compare", by, get_args(By)),
        ("correction", correction, get_args(Correction)),
        ("family of tests", family, get_args(TestFamily)),
        ("dependence of pairs", dependence or "dyadic", get_args(Dependence)),
    ):
        if given not in known:
            raise UnknownNameError(what, given, known)
    check_alpha(alpha)
    if resamples is not None and not 1 <= resamples <= MOST_RESAMPLES:
        raise InputError(f"resamples must be between 1 and {MOST_RESAMPLES:,}, not {resamples:,}")


def _listed(given: str, known: Iterable[str]) -> list[str]:
    """Return the names of sets in any case; several are separated by commas, unless a set has that name."""
    if (name := same_name(given, known)) in known or "," not in given:
        return [name]
    return [same_name(part.strip(), known) for part in given.split(",") if part.strip()]


def _chosen_sets(run: Run, datasets: Sequence[str] | None) -> list[SetUsed]:
    by_name = {used.name: used for used in run.datasets}
    names = [name for given in datasets or () for name in _listed(given, by_name)]
    for name in names:
        if name not in by_name:
            raise UnknownNameError("set of the run called", name, by_name)
    chosen = [by_name[name] for name in dict.fromkeys(names or by_name)]
    for used in chosen:
        if not used.compared:
            warnings.warn(
                f"{used.name} is not compared: it has no pair that all models can score",
                CoverageWarning,
                stacklevel=3,
            )
    return [used for used in chosen if used.compared]
