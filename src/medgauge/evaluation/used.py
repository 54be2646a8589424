"""What a run says about a set besides models' figures: subsets, best annotator, baseline of types."""

import hashlib
import json
from collections.abc import Sequence

from medgauge.arrays import Flags
from medgauge.catalog.columns import SKIPPED
from medgauge.errors import InputError
from medgauge.evaluation.run import HumanBound, Settings, SetUsed, Subset, TypeBaseline
from medgauge.evaluation.run_folder import groups_path
from medgauge.pairs import KeyKind, PairSet
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.upper_bound import human_upper_bound
from medgauge.stats.raters.variance.mean_reliability import reliability_of_means
from medgauge.stats.systems.combinations import combination_baseline
from medgauge.strata.subsets import Subsets
from medgauge.strata.values import as_texts, column

TypeColumns = tuple[str, str]
"""The columns that hold the types of the first and of the second term."""


def check_types(pairs: PairSet, types: TypeColumns) -> None:
    """Refuse a set for which the baseline of types cannot be computed."""
    if pairs.labelled:
        raise InputError(f"{pairs.card.name} has labels; the baseline of types is for graded gold")
    for name in types:
        column(pairs, name)


def columns_digest(
    pairs: PairSet, subsets: Subsets | None, types: TypeColumns | None, kinds: Sequence[KeyKind] = ()
) -> str:
    """Return the SHA-256 of what results depend on besides terms and gold, "" if there is nothing else.

    That is subsets, ratings and types, and the ids or CUIs that some model looks up.
    """
    parts: list[object] = []
    if subsets is not None:
        parts.append(["subsets", subsets.names, subsets.member.tolist()])
    if _has_bound(pairs):
        parts.append(["ratings", pairs.raters, pairs.ratings.tolist()])
    if types is not None:
        parts.append(["types", *(as_texts(column(pairs, name)).tolist() for name in types)])
    parts += [["keys", kind, pairs.key_digest(kind)] for kind in kinds]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest() if parts else ""


def set_used(
    pairs: PairSet,
    compared: Flags,
    subsets: Subsets | None,
    settings: Settings,
    *,
    total: int,
    columns: str = "",
) -> SetUsed:
    """Describe a set, with the best annotator and the baseline of types on the compared pairs."""
    positives = float(pairs.gold[compared].mean()) if pairs.labelled and compared.any() else None
    return SetUsed(
        name=pairs.card.name,
        title=pairs.card.title,
        kind=pairs.card.kind,
        labelled=pairs.labelled,
        n=len(pairs),
        compared=int(compared.sum()),
        majority=None if positives is None else max(positives, 1 - positives),
        digest=pairs.digest,
        citation=pairs.card.citation,
        total=total,
        most_edits=pairs.card.most_edits,
        skipped=int(pairs.card.build.get(SKIPPED, 0)),
        human=_human(pairs, compared) if _has_bound(pairs) else None,
        types=None if settings.types is None else _types(pairs, compared, settings.types),
        subsets=_subsets(subsets, compared) if subsets else [],
        cut=subsets.cut if subsets else None,
        left_out=subsets.left_out if subsets else {},
        columns=columns,
        groups=groups_path(pairs.card.name),
    )


def _has_bound(pairs: PairSet) -> bool:
    return bool(pairs.raters) and not pairs.labelled


def _human(pairs: PairSet, compared: Flags) -> HumanBound:
    ratings = pairs.ratings[compared]
    found = human_upper_bound(ratings)
    kernel = reliability_of_means(ratings)
    of_means = plain_estimates(kernel, kernel.size)
    with_own, without_own = (
        None if rater is None else pairs.raters[rater].removeprefix("rater_")
        for rater in (found.with_own_rater, found.without_own_rater)
    )
    return HumanBound(
        with_own=found.with_own.value,
        with_own_rater=with_own,
        without_own=found.without_own.value,
        without_own_rater=without_own,
        undefined=found.with_own.undefined or found.without_own.undefined,
        reliability=of_means["g_qk"].value,
        ceiling=of_means["ceiling"].value,
        no_ceiling=of_means["ceiling"].undefined,
    )


def _types(pairs: PairSet, compared: Flags, types: TypeColumns) -> TypeBaseline:
    first, second = (as_texts(column(pairs, name))[compared] for name in types)
    found = combination_baseline(pairs.gold[compared], first, second)
    return TypeBaseline(
        rho=found.rho.value,
        pairs=found.rho.n,
        combinations=found.combinations,
        undefined=found.rho.undefined,
    )


def _subsets(subsets: Subsets, compared: Flags) -> list[Subset]:
    inside = [subsets.member == number for number in range(len(subsets.names))]
    return [
        Subset(name=name, n=int(mask.sum()), compared=int((mask & compared).sum()))
        for name, mask in zip(subsets.names, inside, strict=True)
    ]
