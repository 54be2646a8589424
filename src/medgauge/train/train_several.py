"""Several models trained on one corpus, one after another here or side by side on a Dask cluster."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medgauge.errors import ClusterError, InputError, quoted
from medgauge.files.opening import require_file
from medgauge.models.vector_cards import VectorCard, read_card
from medgauge.parallel import connected, map_chunks
from medgauge.train.train_vectors import check_out, check_parse, train_to
from medgauge.train.training_parameters import TrainingParameters


@dataclass(frozen=True)
class TrainedVectors:
    """A file of vectors that was trained, with its card."""

    path: Path
    card: VectorCard

    @property
    def facts(self) -> dict[str, Any]:
        """The path and the card."""
        return {"path": str(self.path), **self.card.model_dump(mode="json")}

    @property
    def shown(self) -> dict[str, str]:
        """The facts as they are printed."""
        parameters = dict(self.card.parameters)
        words, dim, corpus = (parameters.pop(name) for name in ("words", "dim", "corpus"))
        return {
            "vectors": f"{words:,} of {dim} dimensions in {self.path}",
            "trained on": self.card.trained_on,
            "corpus": str(corpus),
            "parameters": ", ".join(
                _shown(name, value) for name, value in parameters.items() if value is not False
            ),
        }


def train_several(
    corpus: str | Path,
    out: str | Path,
    parameters: Sequence[TrainingParameters],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    replace: bool = False,
) -> list[TrainedVectors]:
    """Train a model for each of the parameters.

    `out` is the file of one model; for several, it has {arch} or {window} in it, or both. On a cluster, each
    model is trained by a worker, which sees the corpus and the place of the vectors under the same names.
    """
    source, paths = require_file(corpus), [_place(out, one) for one in parameters]
    if cluster is not None:
        source, paths = source.absolute(), [path.absolute() for path in paths]
    jobs = list(zip(paths, parameters, strict=True))
    for path, one in jobs:
        if paths.count(path) > 1:
            raise InputError(
                f"several models would be written to {path}; put {{arch}} or {{window}} into the name"
            )
        check_out(path, source, one, replace=replace)
    for one in parameters:
        check_parse(source, one)
    with connected(cluster) as client:
        list(map_chunks(_train_one, (source, threads, replace), jobs, cluster=client))
    return [_found(path) for path in paths]


def _train_one(shared: tuple[Path, int | None, bool], job: tuple[Path, TrainingParameters]) -> None:
    source, threads, replace = shared
    path, parameters = job
    train_to(path, source, parameters, threads=threads, replace=replace)


def _shown(name: str, value: object) -> str:
    """Return a parameter as it is printed.

    >>> _shown("sample", 1e-5), _shown("keep_case", True)
    ('sample 1e-05', 'keep-case')
    """
    shown = "" if value is True else f" {value:g}" if isinstance(value, float) else f" {value}"
    return name.replace("_", "-") + shown


def _place(out: str | Path, parameters: TrainingParameters) -> Path:
    """Return the file of a model.

    >>> _place("w{window}.bin", TrainingParameters(window=2)).name
    'w2.bin'
    """
    name = str(out).replace("{arch}", parameters.arch).replace("{window}", str(parameters.window))
    return Path(name)


def _found(path: Path) -> TrainedVectors:
    card = read_card(path)
    if card is None:
        raise ClusterError(
            f"the workers of the cluster wrote {quoted(path)} where this machine does not see it; give a "
            "folder that all of them share"
        )
    return TrainedVectors(path, card)
