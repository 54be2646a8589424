"""Descriptions of built sets: the card of each, and the README.md of their folder."""

import json

from medgauge.build.manifest import Manifest, Parameters, Source
from medgauge.build.terminology.sets import Part
from medgauge.pairs import Card
from medgauge.terminology.model import LICENCES, TERMS_STAY

_CITATION = (
    "Schulz and Juric (2020). Can Embeddings Adequately Represent Medical Terminology? New Large-Scale "
    "Medical Term Similarity Datasets Have the Answer! AAAI 2020. doi:10.1609/aaai.v34i05.6404"
)
_POSITIVES = {
    "fsn-syn": "the name of a concept with each of its synonyms",
    "syn-syn": "the terms of a concept, name or synonym, with each other",
    "possibly-equivalent-to": "names of concepts with names of what they may have meant",
    "replaced-by": "names of concepts with names of what replaced them",
    "same-as": "names of concepts with names of their duplicates",
}
_NEGATIVES = {
    "random": "the same first terms with random terms of the set that are not linked to them",
    "levenshtein": "the same first terms with the nearest terms of the set that are not linked to them",
}


def card_of_set(part: Part, strategy: str, source: Source, parameters: Parameters) -> Card:
    """Return the card of a set."""
    limit = parameters.split_distance
    apart = f"at most {limit} edits apart" if part.difficulty == "easy" else f"more than {limit} edits apart"
    return Card(
        name=part.set_name(strategy),
        title=f"{part.family}, {part.difficulty}, {strategy} negatives, from {source.title}",
        kind="synonymy",
        language=parameters.language,
        description=(
            f"Positive pairs: {_POSITIVES[part.family]}, {apart}. Negative pairs: {_NEGATIVES[strategy]}."
        ),
        source=f"{source.title} ({', '.join(source.files)})",
        licence=LICENCES[source.form],
        citation=_CITATION,
        terms_stay=source.form in TERMS_STAY,
        made_of=(source.origin,),
        build={name: value for name, value in parameters.of_a_set().items() if value is not None},
    )


def readme_of_folder(manifest: Manifest) -> str:
    """Return the README.md of a build, with which `datasets.load_dataset(folder, NAME)` finds a set."""
    source = manifest.source
    configs = "".join(
        f"- config_name: {name}\n  data_files: {name}.{manifest.form}\n" for name in manifest.sets
    )
    rows = "".join(
        f"| {name} | {facts.positives:,} | {facts.negatives:,} | {_mean(facts.distance_positives)} "
        f"| {_mean(facts.distance_negatives)} | {_share(facts.multi_word)} |\n"
        for name, facts in manifest.sets.items()
    )
    return (
        f"---\npretty_name: {json.dumps(f'Term similarity from {source.title}')}\nlicense: other\n"
        f"configs:\n{configs}---\n\n"
        f"# Term similarity from {source.title}\n\n"
        f"Pairs of terms that mean the same (label 1) and that do not (label 0), built by medgauge "
        f"{manifest.medgauge} as in {_CITATION}\n\n"
        f"Licence of the terms: {LICENCES[source.form]}. Source files, parameters and the digest of each "
        "set are in manifest.json.\n\n"
        "| set | positives | negatives | edits, positives | edits, negatives | multi-word |\n"
        f"|---|---:|---:|---:|---:|---:|\n{rows}"
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _mean(distance: float | None) -> str:
    return "–" if distance is None else f"{distance:.2f}"
