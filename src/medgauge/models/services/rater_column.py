"""The ratings of a language model as those of one more annotator."""

import polars as pl

from medgauge.errors import InputError, has_controls, quoted
from medgauge.models.base import Model
from medgauge.models.services.judge import Judge
from medgauge.models.services.sending import check_sending
from medgauge.pairs import Pairs


def with_rater(pairs: Pairs, model: Model) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return a set's table with a column `rater_NAME`, and how many pairs have no rating, by reason.

    Each pair is rated once, in the order of its terms, as an annotator sees it; so a rating is a value of the
    scale, as the mean of two orders may not be. A pair without a rating is empty.
    """
    if not isinstance(model, Judge):
        raise InputError("only a model of the kind judge: rates pairs as an annotator does")
    column = f"rater_{model.name}"
    if has_controls(model.name) or column in pairs.frame.columns:
        raise InputError(
            f"the set {quoted(pairs.card.name)} cannot have another column {quoted(column)}; name the model "
            "with LABEL=judge:…"
        )
    if not len(pairs):
        raise InputError(f"the set {quoted(pairs.card.name)} has no pairs")
    check_sending([model], [pairs])
    ratings = model.ratings(pairs.blinded)
    values = [None if isinstance(one, str) else one for one in ratings]
    failures = [one for one in ratings if isinstance(one, str)]
    frame = pairs.frame.with_columns(pl.Series(column, values, pl.Float64))
    return frame, {kind: failures.count(kind) for kind in sorted(set(failures))}
