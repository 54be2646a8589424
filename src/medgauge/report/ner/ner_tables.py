"""Entity recognition: summary, grids (F as in table 5 of Chiu et al. 2018, differences, types), rows."""

import math
from collections.abc import Callable

from medgauge.errors import option
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.ner.recognition_result import (
    EntityRecognition,
    FDifference,
    RankedModel,
    RecognitionContest,
    RecognitionFigure,
    TrialFigures,
)
from medgauge.report.captions.comparison_notes import CORRECTIONS
from medgauge.report.captions.metric_text import percent, undefined_notes
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, columns_of, counted, first_lines, short_name


def summary(found: EntityRecognition) -> list[str]:
    """Describe in a few lines what was trained, and which model is first on each corpus."""
    trained = len(found.trials)
    return [
        f"{counted(len(found.models), 'model')} on {_corpora(len(found.corpora))}, "
        f"{counted(trained, 'network')}",
        *first_lines([_first(found, one) for one in _ordered(found)], "corpus", most=4),
    ]


def grids(found: EntityRecognition) -> list[Grid]:
    """Return the grid of F, those of differences and of types if there are any, and that of the networks."""
    differences = [_differences_grid(found)] if found.contests else []
    several = any(len(used.types) > 1 for used in found.corpora)
    types = [_types_grid(found)] if several else []
    return [f_grid(found), *differences, *types, _networks_grid(found)]


def rows(found: EntityRecognition) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row."""
    columns = columns_of(RecognitionFigure)
    return columns, [[getattr(one, name) for name in columns] for one in found.figures]


def f_grid(found: EntityRecognition) -> Grid:
    """Return F of each model (down) on each corpus (across), with what varies over trials, and letters."""
    f_of = found.f_by_model()
    ranked = {(one.model, contest.corpus): one for contest in found.contests for one in contest.models}
    best = {used.name: _best(found, used.name) for used in found.corpora}

    def cell(model: str, corpus: str) -> Cell:
        one = f_of[model, corpus]
        return _f_cell(one, ranked.get((model, corpus)), bold=one.f == best[corpus])

    rows = [
        [Cell(card.name), *(cell(card.name, used.name) for used in found.corpora)] for card in found.models
    ]
    notes = [*_protocol_notes(found), *_corpus_notes(found)]
    notes += undefined_notes(
        {f"F of {one.model} on {one.corpus}": one.estimate for one in found.figures if one.type is None}
    )
    lead = [f"{_first(found, one)}." for one in _ordered(found)] if found.contests else []
    return Grid(
        "F of entities found, in per cent",
        ["model", *(used.name for used in found.corpora)],
        rows,
        notes,
        lead=lead,
        turned=1,
        interval_note=_interval_note(found),
    )


def _best(found: EntityRecognition, corpus: str) -> float:
    values = [one.f for one in found.figures if one.type is None and one.corpus == corpus]
    return max((value for value in values if not math.isnan(value)), default=math.nan)


def _f_cell(one: RecognitionFigure, ranked: RankedModel | None, *, bold: bool = False) -> Cell:
    spread = "" if math.isnan(one.deviation) else f" ± {100 * one.deviation:.2f}"
    ends = "" if math.isnan(one.low) else f"[{100 * one.low:.1f}, {100 * one.high:.1f}]"
    letters = "" if ranked is None else ranked.letters
    return Cell(f"{_points(one.f)}{spread}", bold=bold, interval=ends, after=letters)


def _points(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{100 * value:.2f}"


def _interval_note(found: EntityRecognition) -> str:
    note = f"In brackets: {percent(found.tests.confidence)} intervals over resamples of the test sentences."
    if found.contests:
        note += " Letters: models that share one on a corpus cannot be told apart there."
    return note


def _ordered(found: EntityRecognition) -> list[list[RecognitionFigure]]:
    """Return the figures on all types of each corpus, from the best to the worst."""
    whole = [
        [one for one in found.figures if (one.corpus, one.type) == (used.name, None)]
        for used in found.corpora
    ]
    return [
        sorted(some, key=lambda one: -1.0 if math.isnan(one.f) else one.f, reverse=True) for some in whole
    ]


def _first(found: EntityRecognition, ordered: list[RecognitionFigure]) -> str:
    """Say which model is first on a corpus, and how far the second is behind it."""
    first, *others = ordered
    known = [one for one in others if not math.isnan(one.f)]
    over = ""
    if known:
        tested = any(one.corpus == first.corpus for one in found.contests)
        doubt = " (not significant)" if tested and not _is_significant(found, first, known[0]) else ""
        over = f", {100 * (first.f - known[0].f):.1f} points over {short_name(known[0].model)}{doubt}"
    return f"{short_name(first.corpus)}: {short_name(first.model)} has F {_points(first.f)}{over}"


def _is_significant(found: EntityRecognition, one: RecognitionFigure, other: RecognitionFigure) -> bool:
    pair = {one.model, other.model}
    return any(
        difference.significant and {difference.model_1, difference.model_2} == pair
        for contest in found.contests
        if contest.corpus == one.corpus
        for difference in contest.differences
    )


def _protocol_notes(found: EntityRecognition) -> list[str]:
    return [
        "F: the harmonic mean of precision and recall of whole entities, as conlleval counts them, on the "
        f"test part; the mean{_deviation(found.settings)}.",
        f"Network: {_network(found.settings)}; {_training(found.settings)}, on the device {found.device}.",
    ]


def _deviation(settings: NetworkSettings) -> str:
    trials = settings.trials
    return f" ± standard deviation of {trials} trials" if trials > 1 else " of one trial"


def _network(settings: NetworkSettings) -> str:
    output = "a conditional random field" if settings.crf else "a softmax"
    decoded = ", legal sequences decoded" if settings.viterbi and not settings.crf else ""
    vectors = "vectors tuned" if settings.tune else "vectors frozen"
    return (
        f"{settings.window} words, {settings.hidden} hidden units (hard tanh), dropout {settings.dropout:g}, "
        f"{output} over IOBES{decoded}, {vectors}"
    )


def _training(settings: NetworkSettings) -> str:
    what = "sentences" if settings.crf else "windows"
    stop = "" if settings.patience is None else f" at most, with patience {settings.patience}"
    return (
        f"gradient descent at rate {settings.rate:g} on batches of {settings.batch} {what}, "
        f"{counted(settings.epochs, 'epoch')}{stop}, seed {settings.seed}"
    )


def _corpus_notes(found: EntityRecognition) -> list[str]:
    notes = []
    for used in found.corpora:
        sizes = ", ".join(
            f"{name} {part.sentences:,}"
            for name, part in (("training", used.train), ("development", used.devel), ("test", used.test))
        )
        taken = "; the development part is the last tenth of the training part" if used.devel_taken else ""
        notes.append(f"{used.name}: sentences: {sizes}{taken}; {used.test.entities:,} test entities.")
    return notes


def _differences_grid(found: EntityRecognition) -> Grid:
    """Return the models on each corpus from best to worst, with ranks and differences from the best."""
    rows = [row for contest in found.contests for row in _difference_rows(contest)]
    tests, level = found.contests[0].tests, found.contests[0].level
    corrected = CORRECTIONS[found.tests.correction]
    notes = [
        "− best: the difference of F from the first on the corpus, in points, with the interval at level "
        f"{level:.2g} and the p-value of the bootstrap over test sentences ({found.tests.resamples:,} "
        f"resamples; {counted(tests, 'test')} on each corpus, {corrected}). In bold: significant at "
        f"{found.tests.alpha:g}.",
        "The resamples are of sentences: what another training would change is in the deviation of the "
        "trials.",
    ]
    header = ["corpus", "model", "F", "rank", "letters", "− best"]
    return Grid("Differences", header, rows, notes, labels=2)


def _difference_rows(contest: RecognitionContest) -> list[list[Cell]]:
    best = contest.models[0].model
    from_best = {one.model_2: one for one in contest.differences if one.model_1 == best}
    return [
        [
            Cell(contest.corpus),
            Cell(one.model),
            Cell(_points(one.f)),
            Cell(f"{one.rank}", after=f"[{one.rank_low}–{one.rank_high}]"),
            Cell(one.letters),
            _difference_cell(from_best.get(one.model)),
        ]
        for one in contest.models
    ]


def _difference_cell(one: FDifference | None) -> Cell:
    if one is None:
        return Cell("best")
    ends = "" if math.isnan(one.low) else f" [{-100 * one.high:+z.2f}, {-100 * one.low:+z.2f}]"
    p = "no test" if math.isnan(one.p_adjusted) else p_text(one.p_adjusted, floored=one.floored)
    return Cell(f"{-100 * one.value:+z.2f}{ends} ({p})", bold=one.significant)


def _types_grid(found: EntityRecognition) -> Grid:
    """Return F of each type of the corpora that have several."""
    of_types = [one for one in found.figures if one.type is not None]
    both = list(dict.fromkeys((one.corpus, one.type or "", one.gold) for one in of_types))
    f_of = {(one.model, one.corpus, one.type): one for one in of_types}
    rows = [
        [
            Cell(corpus),
            Cell(kind),
            Cell(f"{gold:,}"),
            *(_f_cell(f_of[card.name, corpus, kind], None) for card in found.models),
        ]
        for corpus, kind, gold in both
    ]
    header = ["corpus", "type", "entities", *(card.name for card in found.models)]
    return Grid("F by type, in per cent", header, rows, labels=2)


def _networks_grid(found: EntityRecognition) -> Grid:
    """Return precision, recall, development F and coverage of each model on each corpus."""
    f_of = found.f_by_model()
    tokens = {used.name: used.test.tokens for used in found.corpora}
    rows = []
    for one in found.covered:
        mine = [trial for trial in found.trials if (trial.model, trial.corpus) == (one.model, one.corpus)]
        figure = f_of[one.model, one.corpus]
        rows.append(
            [
                Cell(one.corpus),
                Cell(one.model),
                Cell(_points(figure.precision)),
                Cell(_points(figure.recall)),
                Cell(_mean(mine, lambda trial: 100 * trial.devel_f)),
                Cell(_mean(mine, lambda trial: float(trial.scored), digits=0)),
                Cell(f"{one.test / tokens[one.corpus]:.1%}"),
            ]
        )
    notes = [
        "Means over the trials; epoch: after which the network was scored.",
        "with vector: the share of test words with a vector of their own; all others share one.",
        f"Every network is in {option('format', 'json', flag='--format json')}.",
    ]
    header = ["corpus", "model", "precision", "recall", "development F", "epoch", "with vector"]
    return Grid("Networks", header, rows, notes, labels=2)


def _mean(trials: list[TrialFigures], value: Callable[[TrialFigures], float], digits: int = 2) -> str:
    values = [one for trial in trials if not math.isnan(one := value(trial))]
    return f"{sum(values) / len(values):.{digits}f}" if values else "undefined"


def _corpora(count: int) -> str:
    return "1 corpus" if count == 1 else f"{count:,} corpora"
