"""Every kind of input that medgauge reads."""

from tests.fuzz import (
    examples_corpora,
    examples_documents,
    examples_mappings,
    examples_options,
    examples_records,
    examples_results,
    examples_studies,
    examples_tables,
    examples_tagged,
    examples_terminologies,
    examples_vectors,
    examples_words,
)
from tests.fuzz.kind import Kind

KINDS: tuple[Kind, ...] = (
    *examples_tables.KINDS,
    *examples_documents.KINDS,
    *examples_vectors.KINDS,
    *examples_terminologies.KINDS,
    *examples_mappings.KINDS,
    *examples_records.KINDS,
    *examples_words.KINDS,
    *examples_corpora.KINDS,
    *examples_results.KINDS,
    *examples_studies.KINDS,
    *examples_tagged.KINDS,
    *examples_options.KINDS,
)
