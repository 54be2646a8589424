"""map_concepts: the concepts of one code system as those of another, and at which step others got stuck."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from medgauge.errors import InputError, option
from medgauge.mapping.concept_map import ConceptMap, MappedConcept
from medgauge.mapping.concept_systems import UMLS, ConceptSystem, concept_system
from medgauge.mapping.given_ids import GivenIds, IdSource, given_ids
from medgauge.mapping.routes import MappedCode, Route
from medgauge.mapping.service_route import ServiceRoute
from medgauge.mapping.sssom import EXACT, read_sssom
from medgauge.mapping.umls_routes import ReleaseRoute, TypesRoute
from medgauge.mapping.umls_service import UmlsService
from medgauge.mapping.xrefs import read_xrefs
from medgauge.pairs import KeyKind
from medgauge.terminology.umls.umls_release import open_umls

TYPES = "semantic-types"
"""What CUIs are mapped to when their semantic types are wanted."""
_TYPES_TITLE = "semantic types"


def map_concepts(
    ids: IdSource,
    *,
    source: str = "snomed",
    target: str = "umls",
    umls: str | Path | None = None,
    srdef: str | Path | None = None,
    service: UmlsService | None = None,
    sssom: str | Path | None = None,
    predicates: Sequence[str] = (EXACT,),
    xrefs: str | Path | None = None,
    column: str | None = None,
) -> ConceptMap:
    r"""Map the concepts of one code system to those of another.

    `ids` is a list of ids, a file (one id a line, or a table with a column of ids, `column`), or a set of
    pairs with ids (with CUIs, if `source` is umls). `source` and `target` name code systems: snomed, umls,
    icd10cm, mesh, hp, … or the abbreviation of any vocabulary in the UMLS; CUIs are mapped to
    "semantic-types" too. One of these says how:

    - `umls`: the user's own UMLS release, a folder or a zip. Codes are mapped to CUIs by algorithm 1 of
      Schulz et al. (2020), unambiguous mappings only; CUIs to all codes by its section 5.3, by preferred
      term, then by name; other codes to codes by both. `srdef` is the file with the names of semantic types,
      if it is not in the release.
    - `service`: the UMLS REST API, which is sent the ids, in the same steps.
    - `sssom`: a file of mappings in SSSOM; mappings with one of the `predicates` count, in either direction.
    - `xrefs`: an ontology in OBO or OBO Graphs, whose classes refer to other systems.

    >>> import tempfile
    >>> rows = "HP:0000118\tskos:exactMatch\tMP:0000001\nHP:0000001\tskos:broadMatch\tMP:0000001\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.sssom.tsv"
    ...     _ = path.write_text(f"subject_id\tpredicate_id\tobject_id\n{rows}")
    ...     found = map_concepts(["HP:0000118", "HP:0000001"], source="hp", target="mp", sssom=path)
    >>> found.mapped, found.unmapped
    ({'HP:0000118': ('MP:0000001',)}, {'HP:0000001': 'no match'})
    """
    one, other = _systems(source, target)
    given = given_ids(ids, kind_of(one), column=column)
    by = MappingSource(umls, srdef, service, sssom, predicates, xrefs)
    route = open_route(one, other, by)
    return mapped_by(route, given, one, other)


@dataclass(frozen=True)
class MappingSource:
    """What to map by, as `map_concepts` describes it."""

    umls: str | Path | None = None
    srdef: str | Path | None = None
    service: UmlsService | None = None
    sssom: str | Path | None = None
    predicates: Sequence[str] = (EXACT,)
    xrefs: str | Path | None = None

    @property
    def is_chosen(self) -> bool:
        """Whether exactly one way to map is named."""
        return sum(way is not None for way in (self.umls, self.service, self.sssom, self.xrefs)) == 1


def open_route(source: ConceptSystem, target: ConceptSystem | None, by: MappingSource) -> Route:
    """Return the way to map that was chosen; None as the target means semantic types."""
    if target is None and by.umls is None:
        release = option("umls", "DIR")
        raise InputError(f"semantic types are those of a UMLS release; name it with {release}")
    if not by.is_chosen:
        names = (option("umls", "DIR"), option("service", flag="--api"), option("sssom", "FILE"))
        raise InputError(f"say how to map with one of {', '.join(names)} and {option('xrefs', 'FILE')}")
    if by.srdef is not None and by.umls is None:
        raise InputError(f"{option('srdef')} needs {option('umls')}")
    if by.umls is not None:
        found = open_umls(by.umls, srdef=by.srdef)
        return TypesRoute(found) if target is None else ReleaseRoute(found, source.sab, target.sab)
    assert target is not None
    if by.service is not None:
        return ServiceRoute(by.service, source.sab, target.sab)
    if by.sssom is not None:
        return read_sssom(by.sssom, source, target, predicates=by.predicates)
    assert by.xrefs is not None
    return read_xrefs(by.xrefs, source, target)


def mapped_by(
    route: Route, given: GivenIds, source: ConceptSystem, target: ConceptSystem | None
) -> ConceptMap:
    """Map ids, which may have a prefix that names their code system."""
    codes = {one: source.id_of(one) for one in given.ids}
    names = {code: given.names[one] for one, code in codes.items() if code and one in given.names}
    mapped = route.map(list(dict.fromkeys(filter(None, codes.values()))), names)
    elsewhere = MappedCode((), "names another code system")
    found = {one: mapped[code] if code else elsewhere for one, code in codes.items()}
    concepts = tuple(
        MappedConcept(id=one, targets=to.targets, step=to.step, left=to.left) for one, to in found.items()
    )
    return ConceptMap(
        source=source.title,
        target=_TYPES_TITLE if target is None else target.title,
        route=route.title,
        files=dict(route.files),
        concepts=concepts,
    )


def kind_of(source: ConceptSystem) -> KeyKind:
    """Return which columns of a set have the codes of a system."""
    return "cui" if source == UMLS else "id"


def _systems(source: str, target: str) -> tuple[ConceptSystem, ConceptSystem | None]:
    one = concept_system(source)
    if target == TYPES:
        if one != UMLS:
            raise InputError(
                f"semantic types are those of CUIs; map to umls first, then from umls to {TYPES}"
            )
        return one, None
    other = concept_system(target)
    if one == other:
        raise InputError(f"{one.title} is mapped to itself; name two code systems")
    return one, other
