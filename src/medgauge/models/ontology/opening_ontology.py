"""Opens the ontologies that a spec names, as ontology:MEASURE@SOURCE?ic=… does."""

import hashlib
import json
from pathlib import Path
from typing import get_args
from weakref import WeakValueDictionary

from medgauge.arrays import Doubles
from medgauge.errors import InputError, UnknownNameError, quoted
from medgauge.files.file_names import clean_name
from medgauge.models.base import ModelCard
from medgauge.models.loading import Loading
from medgauge.models.ontology.concept_frequencies import CountedIn, read_frequencies
from medgauge.models.ontology.information import INTRINSIC, counted_information
from medgauge.models.ontology.is_a_graph import IsAGraph
from medgauge.models.ontology.ontology_measures import MEASURES_OF_ONTOLOGIES
from medgauge.models.ontology.ontology_scorer import OntologyScorer, OntologySource
from medgauge.models.spec import ModelSpec
from medgauge.progress import track
from medgauge.terminology.model import LICENCES, origin_name
from medgauge.terminology.read import read_terminology

_COUNTED: tuple[CountedIn, ...] = get_args(CountedIn)
_Opened = tuple[str, str, tuple[tuple[str, int, int], ...]]
# Models of one source share what was read of it, for as long as one of them is in use.
_opened: WeakValueDictionary[_Opened, OntologySource] = WeakValueDictionary()


def split_source(name: str) -> tuple[str, str]:
    r"""Split MEASURE@SOURCE at the first @.

    >>> split_source(r"lin@C:\terms\hp@2025.obo")
    ('lin', 'C:\\terms\\hp@2025.obo')
    """
    measure, _, source = name.partition("@")
    if not measure or not source:
        raise InputError(
            f"{quoted(f'ontology:{name}')} needs a measure and a source: ontology:MEASURE@SOURCE, such as "
            "ontology:lin@hp.obo"
        )
    return measure, source


def ontology_name(spec: ModelSpec) -> str:
    """Name a model after its measure and its source.

    >>> ontology_name(ModelSpec("ontology", "lin@terms/hp.obo"))
    'lin@hp.obo'
    """
    measure, source = split_source(spec.name)
    return clean_name(f"{measure}@{Path(source).name or source}")


def open_ontology(spec: ModelSpec, name: str, _loading: Loading) -> OntologyScorer:
    """Read a terminology and its hierarchy, and the counts that its information content is to be made of."""
    measure, place = split_source(spec.name)
    if measure not in MEASURES_OF_ONTOLOGIES:
        raise UnknownNameError("measure of ontology:", measure, MEASURES_OF_ONTOLOGIES)
    declared = MEASURES_OF_ONTOLOGIES[measure]
    kind, file = _information_of(spec, measure, needed=declared.needs_information)
    smooth = spec.flag("smooth", default=False)
    if smooth and file is None:
        raise InputError(
            f"smooth=yes of {quoted(str(spec))} is for counts: ic=corpus:FILE or ic=records:FILE"
        )
    source = _source(Path(place), spec.options.get("language", "en"))
    terminology, graph = source.terminology, source.graph
    information: Doubles | None = None
    parts: list[object] = [measure, kind, smooth, sorted(terminology.files.items())]
    if kind in INTRINSIC:
        information = INTRINSIC[kind](graph)
    elif file is not None:
        found = read_frequencies(file, _counted_in(kind), source.lookup)
        information = counted_information(graph, graph.of_nodes(found.counts), smooth=smooth)
        parts.append(found.digest)
    parameters: dict[str, object] = {"measure": measure, "terminology": terminology.title}
    if kind:
        parameters["ic"] = kind if file is None else f"{kind}: {clean_name(file.name)}"
    if smooth:
        parameters["smooth"] = True
    card = ModelCard(
        name=name,
        family="pairs",
        format="ontology",
        digest=hashlib.sha256(json.dumps([*parts, spec.options.get("language", "en")]).encode()).hexdigest(),
        ids_first=True,
        trained_on=f"the hierarchy of {terminology.title}",
        sources=(origin_name(terminology.form, terminology.title),),
        licence=LICENCES[terminology.form],
        parameters=parameters,
    )
    return OntologyScorer(card, source, declared, information)


def _information_of(spec: ModelSpec, measure: str, *, needed: bool) -> tuple[str, Path | None]:
    """Return which information content is used, empty for none, and the table of counts it is made of."""
    given = spec.options.get("ic")
    if not needed or measure == "sanchez":
        if given is not None and not (needed and given == "sanchez"):
            why = "its information content is that of Sánchez" if needed else "it uses no information content"
            raise InputError(f"{quoted(str(spec))}: the measure {measure} has no option ic, as {why}")
        return ("sanchez", None) if needed else ("", None)
    if given is None:
        return "intrinsic", None
    kind, _, file = given.partition(":")
    if kind in _COUNTED:
        if not file:
            raise InputError(f"ic={kind} of {quoted(str(spec))} needs a table of counts: ic={kind}:FILE")
        return kind, Path(file)
    if given not in INTRINSIC:
        raise UnknownNameError(
            "ic of ontology:", given, [*INTRINSIC, *(f"{counted}:FILE" for counted in _COUNTED)]
        )
    return given, None


def _counted_in(kind: str) -> CountedIn:
    return "corpus" if kind == "corpus" else "records"


def _source(path: Path, language: str) -> OntologySource:
    """Read a terminology, unless a model in use has read it and it has not changed."""
    key = (str(path.absolute()), language, _state(path))
    source = _opened.get(key)
    if source is None:
        terminology = read_terminology([path], language=language)
        with track(f"finding ancestors, {path.name}", 0):
            source = OntologySource(terminology, IsAGraph.of(terminology, path))
        _opened[key] = source
    return source


def _state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of a file, or of the texts in a folder; nothing if they cannot be seen."""
    try:
        files = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        return tuple((str(file), (stat := file.stat()).st_size, stat.st_mtime_ns) for file in files)
    except OSError:  # whoever reads it says what is wrong
        return ()
