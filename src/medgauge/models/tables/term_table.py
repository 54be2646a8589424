"""TermTable: vectors of terms, looked up as they are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from medgauge.files.digests import remembered_sha256
from medgauge.models.base import ModelCard, Rows
from medgauge.models.loading import Loading
from medgauge.models.tables.keyed_rows import Keyed
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.training import training_of


@dataclass(frozen=True, eq=False)
class TermTable:
    """Term vectors made elsewhere: a term is looked up as is and, with fallback, in lower case."""

    path: Path
    content: Keyed
    card: ModelCard

    @classmethod
    def of(cls, file: ParquetTable | ZippedTable, name: str, loading: Loading) -> "TermTable":
        """Read a table whole."""
        content = file.load()
        card = ModelCard(
            name=name,
            family="vectors",
            format=file.format,
            digest=remembered_sha256(file.path),
            dim=content[1].shape[1],
            case=loading.case,
        )
        return cls(file.path, content, training_of(file.path, name).on(card))

    def lookup(self, keys: Sequence[str]) -> Rows:
        """Return the vectors of these terms, and which terms have one."""
        places = np.array([self._rows.get(key, -1) for key in keys], np.int64)
        return self.content[1][places], places >= 0

    @cached_property
    def _rows(self) -> dict[str, int]:
        """The first row of each term."""
        return {term: row for row, term in reversed(list(enumerate(self.content[0])))}

    def count(self) -> int:
        """Count the terms."""
        return len(self.content[0])
