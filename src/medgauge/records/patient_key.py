"""What stands for a patient from the first projection on: a salted hash, whose salt is in memory only."""

import hashlib
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from ibis.backends import BaseBackend


class PatientKey:
    """Replaces ids of patients by hashes that nobody can compute again: their salt is never stored."""

    def __init__(self) -> None:
        self._salt = token_bytes(16)  # with it, a number of a patient fits into one block of SHA-256

    def of(self, patient: str) -> int:
        """Return the hash of an id that was read in Python, as 64 bits."""
        digest = hashlib.blake2b(patient.encode("utf-8", "replace"), digest_size=8, key=self._salt).digest()
        return int.from_bytes(digest, "big", signed=True)

    def column(self, patient: "ir.Column", backend: "BaseBackend") -> "ir.Column":
        """Return the hashes of a column of ids, null where there is no id, as the engine computes them.

        Engines that can shorten the digest to 64 bits do: numbers are quicker to join than texts.
        """
        import ibis

        text = patient.cast("string").strip().nullif("")
        hashed = self._hashed(ibis.literal(self._salt.hex()) + text, backend)
        return ibis.ifelse(text.isnull(), ibis.null(hashed.type()), hashed)  # DuckDB hashes null too

    @staticmethod
    def _hashed(salted: "ir.Column", backend: "BaseBackend") -> Any:
        import ibis.expr.operations as ops

        if not backend.has_operation(ops.HexDigest):
            return _builtin("md5", "string")(salted)  # databases without SHA-256 in Ibis have this one
        digest = salted.hexdigest("sha256")
        if backend.name == "duckdb":
            return digest.hash()
        if backend.name == "pyspark":
            return _builtin("xxhash64", "int64")(digest)
        return digest


def _builtin(name: str, returns: str) -> Any:
    """Return a function of the database for expressions."""
    from ibis.expr.operations import udf

    return udf.scalar.builtin(name=name, signature=(("string",), returns))(lambda _text: None)
