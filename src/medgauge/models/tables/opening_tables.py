"""Opens the tables that a spec names: vectors of terms, and vectors of concepts."""

from pathlib import Path
from typing import get_args

from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.models.base import ModelCard
from medgauge.models.loading import Loading
from medgauge.models.recognise import recognise
from medgauge.models.spec import ModelSpec
from medgauge.models.tables.concept_files import concept_file
from medgauge.models.tables.concept_keys import NAMES, ConceptKeyKind, kind_of_keys
from medgauge.models.tables.concept_table import ConceptTable
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.term_table import TermTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.training import training_of
from medgauge.progress import remark


def open_term_table(spec: ModelSpec, name: str, loading: Loading) -> TermTable:
    """Read a table of term vectors."""
    file = recognise(spec.name)
    if not isinstance(file, ParquetTable | ZippedTable):
        raise FileError(
            spec.name, f"holds vectors of words ({file.format}); give the file without '{spec.kind}:'"
        )
    return TermTable.of(file, name, loading)


def open_concept_table(spec: ModelSpec, name: str, loading: Loading) -> ConceptTable:
    """Open a table of concept vectors; whether its keys are CUIs or other ids shows in them, or is given."""
    path = Path(spec.name)
    given = _given(spec)
    file, keys, dim = concept_file(path, given, strict=loading.undecodable == "error")
    kind = given or kind_of_keys(keys)
    if given is None:
        other = "id" if kind == "cui" else "cui"
        remark(
            f"{path}: its keys look like {NAMES[kind]}, looked up in {kind}_1 and {kind}_2 of a set; "
            f"?keys={other} says that they are {NAMES[other]}"
        )
    card = ModelCard(
        name=name,
        family="vectors",
        format=file.format,
        digest=remembered_sha256(path),
        dim=dim,
        keys=kind,
        parameters={} if loading.undecodable == "error" else {"undecodable": loading.undecodable},
    )
    return ConceptTable(file, training_of(path, name).on(card))


def _given(spec: ModelSpec) -> ConceptKeyKind | None:
    """Return what the keys are, if the spec says it."""
    if "keys" not in spec.options:
        return None
    return "cui" if spec.choice("keys", get_args(ConceptKeyKind), "id") == "cui" else "id"
