"""The sets of a run on this machine, since a run stores no terms."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from medgauge.catalog.cards import find_file, published_sets, read_published
from medgauge.catalog.named_sets import Datasets
from medgauge.errors import InputError, UnknownNameError, option
from medgauge.evaluation.inputs import named_sets, narrowed
from medgauge.evaluation.run import Run
from medgauge.pairs import PairSet

_NAMED = 3  # sets that a sentence names


def find_sets(run: Run, datasets: Datasets | None) -> tuple[dict[str, PairSet], dict[str, str]]:
    """Find the sets of a run by their names in it, each with the pairs that were evaluated.

    Without `datasets`, these are the published sets that are on this machine; why others are not found is
    returned too. Given sets are recognised by their digest, and any other set is an error.
    """
    if datasets is not None:
        return _given(run, datasets), {}
    found: dict[str, PairSet] = {}
    absent: dict[str, str] = {}
    for used in run.datasets:
        published = published_sets().get(used.name)
        if published is None:
            absent[used.name] = _as_file(used.name)
        elif find_file(published.file) is None:
            absent[used.name] = f"medgauge datasets fetch {used.name}"
        elif (pairs := _evaluated(run, read_published(used.name))) is None:
            absent[used.name] = f"not the published one: {_as_file(used.name)}"
        else:
            found[used.name] = pairs
    if not found:
        raise InputError(f"no set of the run was found on this machine: get {named_absent(absent)}")
    return found, absent


def named_absent(absent: Mapping[str, str]) -> str:
    """Name sets that are not here, and how to get each; only the first few.

    >>> named_absent({"mayosrs": "medgauge datasets fetch mayosrs"})
    'mayosrs (medgauge datasets fetch mayosrs)'
    """
    named = [f"{name} ({how})" for name, how in absent.items()]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more


def refuse_unpublished(run: Run, sources: Iterable[object]) -> None:
    """Refuse the name of a set that was evaluated from a file, and say to give the file."""
    for source in sources:
        is_name = isinstance(source, str) and source not in published_sets() and not Path(source).exists()
        if is_name and source in [used.name for used in run.datasets]:
            raise InputError(f"the set '{source}' of the run is not a published one: {_give(str(source))}")


def _given(run: Run, datasets: Datasets) -> dict[str, PairSet]:
    refuse_unpublished(run, datasets if isinstance(datasets, list | tuple) else [datasets])
    names = [used.name for used in run.datasets]
    found: dict[str, PairSet] = {}
    for name, whole in named_sets(datasets).items():
        pairs = _evaluated(run, whole)
        if pairs is not None:
            found[pairs.card.name] = pairs
        elif name in names:
            raise InputError(
                f"the set '{name}' is not the one that was evaluated: its terms or gold differ; {_give(name)}"
            )
        else:
            raise UnknownNameError("set of the run called", name, names)
    return found


def _evaluated(run: Run, whole: PairSet) -> PairSet | None:
    """Return the pairs of a set that the run used, under its name there; None if it is another set."""
    try:
        [pairs] = narrowed({"": whole}, run.settings.where, run.settings.limit).values()
    except InputError:  # the condition of the run is not about this set
        return None
    same = [used.name for used in run.datasets if used.digest == pairs.digest]
    name = whole.card.name
    return pairs.renamed(name if name in same else same[0]) if same else None


def _give(name: str) -> str:
    return f"give the file that was evaluated, with the same columns ({_as_file(name)})"


def _as_file(name: str) -> str:
    return option("datasets", {name: "FILE"}, flag=f"--dataset {name}=FILE")
