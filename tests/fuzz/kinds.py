"""Every kind of input that medgauge reads."""

from tests.fuzz import (
    examples_documents,
    examples_options,
    examples_results,
    examples_studies,
    examples_tables,
    examples_terminologies,
    examples_vectors,
)
from tests.fuzz.kind import Kind

KINDS: tuple[Kind, ...] = (
    *examples_tables.KINDS,
    *examples_documents.KINDS,
    *examples_vectors.KINDS,
    *examples_terminologies.KINDS,
    *examples_results.KINDS,
    *examples_studies.KINDS,
    *examples_options.KINDS,
)
