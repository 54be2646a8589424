"""What is said of a benchmark from health records: the card of its pairs, and that of its vectors."""

from medgauge.build.records.data_sheet import DataSheet, SamplingParameters
from medgauge.models.base import ModelCard
from medgauge.origins import origin
from medgauge.pairs import Card
from medgauge.records.code_systems import origin_of, title_of
from medgauge.records.recorded import RecordForm
from medgauge.terminology.model import LICENCES, TERMS_STAY, Terminology, origin_name

_CITATION = (
    "Schulz, Levy-Kramer, Van Assel, Kepes and Hammerla (2020). Biomedical Concept Relatedness - A large "
    "EHR-based benchmark. COLING 2020. doi:10.18653/v1/2020.coling-main.577"
)
_VECTORS = (
    "the method is that of Beam et al. (2020). Clinical Concept Embeddings Learned from Massive Sources of "
    "Multimodal Medical Data. arXiv:1804.01486"
)
_FORMS: dict[RecordForm, str] = {
    "omop": "health records in the OMOP common data model",
    "fhir": "health records in FHIR",
    "synthea": "health records made by Synthea",
    "table": "health records in a table of events",
}


def card_of_pairs(
    sheet: DataSheet, chosen: SamplingParameters, terminology: Terminology | None, language: str | None
) -> Card:
    """Return the card of the pairs that were sampled in this way."""
    system = sheet.found.target_system
    stays = system == "snomed" or (terminology is not None and terminology.form in TERMS_STAY)
    concepts = origin_of(system)
    if not concepts and terminology is not None:
        concepts = origin_name(terminology.form, terminology.title)
    return Card(
        name=f"records-{chosen.sample}",
        title=f"{_sampled(chosen)} of concepts, from {_FORMS[sheet.found.form]}",
        kind="relatedness",
        language=language,
        description=_description(sheet, chosen),
        source=f"{_FORMS[sheet.found.form]}{f', coded in {title_of(system)}' if system else ''}",
        licence=_licence(stays=stays, terminology=terminology),
        citation=_CITATION,
        terms_stay=stays,
        made_of=tuple(name for name in (concepts, sheet.origin) if name),
        build=sheet.for_card(),
    )


def card_of_vectors(sheet: DataSheet, name: str, dim: int) -> ModelCard:
    """Return the card of vectors that were made from the counts."""
    chosen = sheet.counting.model_dump(mode="json", exclude_defaults=True)
    return ModelCard(
        name=name,
        family="vectors",
        dim=dim,
        keys="id",
        trained_on=f"concepts that occur together in {origin(sheet.origin).title}; {_VECTORS}",
        sources=(sheet.origin,),
        parameters=chosen,
    )


def _licence(*, stays: bool, terminology: Terminology | None) -> str:
    if stays:
        return LICENCES["rf2"]
    return LICENCES["obo"] if terminology is not None else "not known"


def _sampled(chosen: SamplingParameters) -> str:
    return f"{chosen.sample.capitalize()} pairs"


def _description(sheet: DataSheet, chosen: SamplingParameters) -> str:
    how = {
        "random": "drawn at random from all pairs",
        "frequent": f"those with the most patients, at most {chosen.per_concept} for any concept",
        "stratified": "drawn evenly from "
        + ("bands of their number of patients" if chosen.by == "band" else "fifths of mutual information"),
    }[chosen.sample]
    counts = "their number" if chosen.exact_counts else "their number as a band"
    return (
        f"Pairs of concepts that occur together in the records of at least {sheet.counting.min_patients} "
        f"patients: {how}. The column patients has {counts}. The pairs have no gold yet: annotate them."
    )
