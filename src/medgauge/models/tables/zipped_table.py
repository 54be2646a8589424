"""Tables of vectors as .npz: an array of keys, and an array with a row of numbers for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import FileError
from medgauge.models.tables.concept_keys import AS_NUMBERS, check_written
from medgauge.models.tables.keyed_rows import Keyed, chosen, single
from medgauge.models.words.reading import FoundVectors

TERMS = ("terms",)


@dataclass(frozen=True)
class ZippedTable:
    """An .npz file with an array of keys and the array `vectors`, one row per key.

    The keys are in the first of `names` that is there: terms, or ids of concepts under any of several names.
    """

    path: Path
    names: tuple[str, ...] = TERMS

    @property
    def of_terms(self) -> bool:
        """Whether the keys are terms, as opposed to ids of concepts."""
        return self.names == TERMS

    @property
    def format(self) -> str:
        """The name of the format."""
        return f"{'term' if self.of_terms else 'concept'} vectors (npz)"

    def load(self) -> Keyed:
        """Read all keys and their vectors; arrays of Python objects (pickles) are an error."""
        try:
            with np.load(self.path, allow_pickle=False) as arrays:
                name = next((one for one in self.names if one in arrays.files), self.names[0])
                found = {one: arrays[one] for one in (name, "vectors") if one in arrays.files}
        except Exception as error:  # a damaged archive or array can make numpy raise anything
            # Its message is dropped, since it may quote what is in the file.
            raise FileError(
                self.path,
                "cannot be read as .npz without pickle: it is damaged, or holds Python objects; write it "
                f"again with numpy.savez, the {self.names[0]} as an array of text",
            ) from error
        for needed in (name, "vectors"):
            if not isinstance(found.get(needed), np.ndarray):
                raise FileError(
                    self.path,
                    f"has no array '{needed}'; a table of vectors needs '{name}' and 'vectors'",
                )
        keys, vectors = self._keys(name, found[name]), found["vectors"]
        if vectors.dtype.kind not in "fiu" or vectors.shape[:1] != (len(keys),) or vectors.ndim != 2:
            raise FileError(
                self.path,
                f"the array 'vectors' has shape {vectors.shape}; it needs a row for each of the "
                f"{len(keys)} {name}",
            )
        return keys, single(self.path, vectors)

    def find(self, keys: Sequence[str]) -> FoundVectors:
        """Read the vectors of these keys (all distinct), after checking all of them."""
        return chosen(self.load(), keys)

    def _keys(self, name: str, array: NDArray[np.generic]) -> list[str]:
        if not self.of_terms and array.dtype.kind == "f":
            raise FileError(self.path, f"the ids in the array '{name}' {AS_NUMBERS}")
        if array.dtype.kind not in ("U" if self.of_terms else "Uiu") or array.ndim != 1:
            also = "" if self.of_terms else ", or of whole numbers"
            raise FileError(self.path, f"the array '{name}' is not a list of strings (dtype U){also}")
        keys: list[str] = array.astype(np.str_).tolist()
        if not self.of_terms:
            keys = [key.strip() for key in keys]
            check_written(self.path, keys, what="row")
        return keys
