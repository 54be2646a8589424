"""The kinds of models that a spec can name: medgauge's own, and those that other packages add.

A package adds a kind by an entry point in the group `medgauge.models`, whose value is a `ModelKind`:

    [project.entry-points."medgauge.models"]
    mine = "my_package.gauge:MINE"
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from medgauge.errors import InputError, MedgaugeWarning, UnknownNameError, quoted
from medgauge.models.base import Model
from medgauge.models.encoding import BatchSource, as_encoder
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.vector_cache.cached_source import CachedSource

GROUP = "medgauge.models"

Opener = Callable[[ModelSpec, str, Loading], Model | BatchSource]
"""Opens the model of a spec under a name; weights are loaded when the first term is encoded."""
Namer = Callable[[ModelSpec], str]
"""Names the model of a spec that was given no name."""


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: what it is, an example, its options with what each does, and how it is opened.

    `opener` is a function, or where to find it (`module:function`), so that listing kinds imports nothing.
    So is `namer`, which names a model by its spec; without one, the name is that of the file or folder.
    """

    name: str
    summary: str
    example: str
    opener: Opener | str
    options: Mapping[str, str] = field(default_factory=dict)
    namer: Namer | str | None = None

    def name_of(self, spec: ModelSpec) -> str | None:
        """Return the name of a model that was given none, or None if it is that of its file or folder."""
        namer = self._found(self.namer) if isinstance(self.namer, str) else self.namer
        return None if namer is None else namer(spec)

    def open(self, spec: ModelSpec, name: str, loading: Loading) -> Model:
        """Open a model, after checking that the kind has the options of its spec."""
        for option in spec.options:
            if option not in self.options:
                if not self.options:
                    raise InputError(f"{quoted(str(spec))}: models of the kind {self.name} have no options")
                raise UnknownNameError(f"option of {self.name}:", option, self.options)
        opener: Opener = self._found(self.opener) if isinstance(self.opener, str) else self.opener
        found = opener(spec, name, loading)
        if loading.cached and isinstance(found, BatchSource):
            found = CachedSource(found)
        return as_encoder(found)

    def _found(self, place: str) -> Any:
        """Import the function at a place."""
        module, _, function = place.partition(":")
        try:
            return getattr(import_module(module), function)
        except Exception as error:  # whatever the package that adds the kind raises when it is imported
            raise InputError(
                f"models of the kind {quoted(self.name)} cannot be opened ({type(error).__name__}: {error}); "
                "update or uninstall the package that adds it"
            ) from error


BUILT_IN = (
    ModelKind(
        "st",
        "A sentence-transformers model: pooling, prompts and normalisation as its own files say.",
        "st:models/all-MiniLM-L6-v2",
        "medgauge.models.encoders.sentence:open_sentence_encoder",
        {
            "prompt": "text put before each term, or the name of one of the model's own prompts",
            "truncate_dim": "use only the first N dimensions",
            "precision": "float32, bfloat16 or float16; default: half precision on a GPU, else float32",
        },
    ),
    ModelKind(
        "hf",
        "A Hugging Face transformer (BERT, GPT, …), pooled over the pieces of a term.",
        "hf:models/SapBERT?pooling=cls",
        "medgauge.models.encoders.transformer:open_transformer",
        {
            "pooling": "mean (default), cls, last or max",
            "layers": "the layer to use, or several to average, such as -4..-1; default -1, the last",
            "special_tokens": "yes or no (default): whether [CLS] and the like are pooled",
            "words": "first or mean: a vector for each word, of its first piece or the mean of its pieces",
            "precision": "float32, bfloat16 or float16; default: half precision on a GPU, else float32",
        },
    ),
    ModelKind(
        "elmo",
        "ELMo: options.json and weights.hdf5, mean of the three layers, then of the words.",
        "elmo:models/elmo-pubmed",
        "medgauge.models.encoders.recurrent.elmo:open_elmo",
    ),
    ModelKind(
        "flair",
        "Flair's forward and backward language models, mean of the words; its files are pickles.",
        "flair:pubmed",
        "medgauge.models.encoders.recurrent.flair:open_flair",
    ),
    ModelKind(
        "static",
        "A model2vec folder: static vectors distilled from an encoder.",
        "static:models/potion-base-8M",
        "medgauge.models.encoders.static:open_static",
    ),
    ModelKind(
        "vectors",
        "A table of term vectors made elsewhere, such as by medgauge models encode.",
        "vectors:vectors.parquet",
        "medgauge.models.tables.opening_tables:open_term_table",
    ),
    ModelKind(
        "concepts",
        "Vectors of concepts, looked up by the ids or CUIs of a set (word2vec, CSV, Parquet, npz).",
        "concepts:cui2vec.csv",
        "medgauge.models.tables.opening_tables:open_concept_table",
        {"keys": "id or cui: what the table's keys are; default: whichever the keys look like"},
    ),
    ModelKind(
        "ontology",
        "How close two concepts are in a terminology (RF2, OBO or OBO Graphs): path, wup, lch, resnik, lin, "
        "jcn or sanchez.",
        "ontology:lin@hp.obo?ic=sanchez",
        "medgauge.models.ontology.opening_ontology:open_ontology",
        {
            "ic": "information content: intrinsic (default), seco, sanchez, corpus:FILE or records:FILE",
            "smooth": "yes or no (default): add one to the count of every concept",
            "language": "that of the terms of a SNOMED CT release; default en",
        },
        "medgauge.models.ontology.opening_ontology:ontology_name",
    ),
    ModelKind(
        "api",
        "A service with an OpenAI-style embeddings endpoint, on this machine or, if allowed, elsewhere.",
        "api:text-embedding-3-small@https://api.openai.com/v1",
        "medgauge.models.services.embeddings:open_service",
        {
            "key": "the environment variable that holds the key; OPENAI_API_KEY for api.openai.com",
            "dimensions": "ask the service for vectors of N dimensions",
            "batch": "terms per request; default 256",
            "concurrent": "requests at a time; default 4",
            "timeout": "seconds to wait for an answer; default 60",
        },
    ),
    ModelKind(
        "judge",
        "A chat model that rates each pair, on this machine or, if allowed, elsewhere.",
        "judge:llama3.1@http://localhost:11434/v1?protocol=graded",
        "medgauge.models.services.judge:open_judge",
        {
            "key": "the environment variable that holds the key; OPENAI_API_KEY for api.openai.com",
            "protocol": "same, graded, slider or a TOML file; default: the one for what the set measures",
            "concurrent": "requests at a time; default 4",
            "timeout": "seconds to wait for an answer; default 60",
        },
    ),
)


def kinds() -> dict[str, ModelKind]:
    """Return the kinds of models by name; those of other packages that cannot be used give a warning."""
    found = {kind.name: kind for kind in BUILT_IN}
    for point in entry_points(group=GROUP):
        if point.name in found:
            warnings.warn(
                f"the kind of model {quoted(point.name)} of the package {_package(point)} is ignored: "
                "there is one of that name",
                MedgaugeWarning,
                stacklevel=2,
            )
            continue
        try:
            found[point.name] = _added(point)
        except InputError as error:
            warnings.warn(str(error), MedgaugeWarning, stacklevel=2)
    return found


def kind_of(spec: ModelSpec) -> ModelKind:
    """Return the kind that a spec names; one of another package cannot replace medgauge's own."""
    for kind in BUILT_IN:
        if kind.name == spec.kind:
            return kind
    for point in entry_points(group=GROUP, name=spec.kind):
        return _added(point)
    raise UnknownNameError("kind of model", spec.kind, kinds())


def _added(point: EntryPoint) -> ModelKind:
    try:
        kind = point.load()
    except Exception as error:  # whatever the other package raises when it is imported
        raise InputError(
            f"the kind of model {quoted(point.name)} of the package {_package(point)} cannot be loaded "
            f"({type(error).__name__}: {error}); update or uninstall the package"
        ) from error
    if not isinstance(kind, ModelKind) or kind.name != point.name:
        raise InputError(
            f"the package {_package(point)} adds {quoted(point.name)}, which is not a ModelKind of that "
            "name; update or uninstall the package"
        )
    return kind


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "not known"
