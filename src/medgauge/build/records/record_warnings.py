"""What a build from records warns of: what was left out, and that there are fewer pairs than asked for."""

import warnings
from collections.abc import Iterator

from medgauge.build.records.data_sheet import FEW, UNDATED, CountedRecords, SamplingParameters, in_words
from medgauge.errors import MedgaugeWarning, option


def warn_of_left_out(found: CountedRecords) -> None:
    """Warn of events and patients that the pairs do not have."""
    for sentence in _left_out(found):
        warnings.warn(sentence, MedgaugeWarning, stacklevel=4)


def _left_out(found: CountedRecords) -> Iterator[str]:
    if lacking := found.without_patient:
        are = "event names no patient and is" if lacking == 1 else "events name no patient and are"
        yield f"{lacking:,} {are} left out"
    if undated := found.left_out.get(UNDATED):
        have = "event has no date and is" if undated == 1 else "events have no date and are"
        yield f"{undated:,} {have} left out, since only those within some days are paired"
    if unmapped := found.unmapped_codes:
        have = "code has no concept, so its" if unmapped == 1 else "codes have no concept, so their"
        yield f"{unmapped:,} {have} events are left out"
    if found.cut:
        many = "a few" if found.cut == FEW else in_words(found.cut)
        yield (
            f"of {many} patients with very many concepts, only the commonest are paired "
            f"({option('max_concepts')})"
        )


def fewer_pairs(drawn: int, counted: int, asked: SamplingParameters) -> str:
    """Say that there are fewer pairs than were asked for, and why."""
    capped = asked.per_concept is not None and drawn < counted
    why = f" with at most {asked.per_concept} for a concept" if capped else ""
    gives = "the one that was counted gives" if counted == 1 else f"the {counted:,} that were counted give"
    return f"{asked.pairs:,} pairs were asked for, but {gives} {drawn:,}{why}"
