"""add_concepts: a set of pairs with the CUIs of its concepts, or their semantic types, as further columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar, get_args

import polars as pl

from medgauge.errors import InputError, UnknownNameError, option, quoted
from medgauge.mapping.concept_map import ConceptMap
from medgauge.mapping.concept_systems import UMLS, concept_system
from medgauge.mapping.given_ids import ids_of_pairs
from medgauge.mapping.map_concepts import MappingSource, kind_of, mapped_by, open_route
from medgauge.mapping.sssom import EXACT
from medgauge.mapping.umls_service import UmlsService
from medgauge.pairs import Pairs

AddedColumn = Literal["cui", "semantic-types"]
"""What can be added: CUIs, and the semantic types of CUIs."""

_COLUMNS: dict[AddedColumn, str] = {"cui": "cui", "semantic-types": "semantic_type"}
AnyPairs = TypeVar("AnyPairs", bound=Pairs)


def add_concepts(
    pairs: AnyPairs,
    add: Sequence[AddedColumn] = ("cui",),
    *,
    source: str = "snomed",
    umls: str | Path | None = None,
    srdef: str | Path | None = None,
    service: UmlsService | None = None,
    sssom: str | Path | None = None,
    predicates: Sequence[str] = (EXACT,),
    xrefs: str | Path | None = None,
    replace_columns: bool = False,
) -> AnyPairs:
    r"""Add columns about its concepts to a set, which keeps its pairs, gold, ratings and card.

    "cui" adds `cui_1` and `cui_2`, to which the ids of the code system `source` are mapped as in
    `map_concepts`; "semantic-types" adds `semantic_type_1` and `semantic_type_2`, the semantic types of the
    set's CUIs, by the release `umls`. A concept that has none has no value. The card says in `build` what
    was added, by what, and how many concepts each step decided. A set's own columns of these names are
    replaced only with `replace_columns`.

    >>> import tempfile
    >>> from medgauge.pairs import Card, PairSet
    >>> rows = {"pair_id": ["1"], "term_1": ["a"], "term_2": ["b"], "gold": [2.0]}
    >>> ids = {"id_1": ["HP:0000118"], "id_2": ["HP:0000001"]}
    >>> pairs = PairSet(pl.DataFrame(rows | ids), Card(name="x", title="X"))
    >>> ontology = "[Term]\nid: HP:0000118\nname: a\nxref: UMLS:C4021819\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "hp.obo").write_text(ontology)
    ...     made = add_concepts(pairs, source="hp", xrefs=Path(folder) / "hp.obo")
    >>> made.frame.select("gold", "cui_1", "cui_2").row(0)
    (2.0, 'C4021819', None)
    """
    add = list(dict.fromkeys(add))
    _check(pairs, add, replace_columns=replace_columns)
    if service is not None:
        service.admit([pairs.card])
    types = None
    if "semantic-types" in add:
        types = open_route(UMLS, None, MappingSource(umls=umls, srdef=srdef))
    if "cui" in add:
        one = concept_system(source)
        if one == UMLS:
            named = option("source", flag="--from")
            raise InputError(f"CUIs are what is added; name the code system of the ids with {named}")
        given = ids_of_pairs(pairs, kind_of(one))
        others = MappingSource(service=service, sssom=sssom, predicates=predicates, xrefs=xrefs)
        # A release may be given for the semantic types alone.
        by = others if others.is_chosen and types is not None else replace(others, umls=umls)
        pairs = _with_columns(pairs, "id", "cui", mapped_by(open_route(one, UMLS, by), given, one, UMLS))
    if types is not None:
        given = ids_of_pairs(pairs, "cui")
        pairs = _with_columns(pairs, "cui", "semantic-types", mapped_by(types, given, UMLS, None))
    return pairs


def _check(pairs: Pairs, add: Sequence[AddedColumn], *, replace_columns: bool) -> None:
    """Raise an error for a column that cannot be added."""
    name = quoted(pairs.card.name)
    if not add:
        raise InputError(f"nothing is to be added; choose from: {', '.join(get_args(AddedColumn))}")
    for one in add:
        if one not in get_args(AddedColumn):
            raise UnknownNameError("column to add", one, get_args(AddedColumn))
        taken = [side for side in _sides(_COLUMNS[one]) if side in pairs.frame.columns]
        if taken and not replace_columns:
            again = option("replace_columns", True)
            raise InputError(
                f"the set {name} already has the column {taken[0]}; leave out {one}, or add {again}"
            )
    if "semantic-types" in add and "cui" not in add and not pairs.has_keys("cui"):
        raise InputError(f"the set {name} has no CUIs, whose semantic types could be added; add cui too")


def _with_columns(
    pairs: AnyPairs, key: Literal["id", "cui"], added: AddedColumn, found: ConceptMap
) -> AnyPairs:
    """Add what each side's key was mapped to, and say so in the card."""
    targets = {one: to[0] for one, to in found.mapped.items()}
    sides = ([targets.get(one or "") for one in keys] for keys in pairs.keys(key))
    said = {
        "by": found.route,
        "from": found.source,
        "concepts": len(found.concepts),
        "mapped": len(found.mapped),
        "steps": {step: count for (_, step), count in found.steps.items()},
        "files": found.files,
    }
    return with_added(pairs, added, _sides(_COLUMNS[added]), sides, said)


def with_added(
    pairs: AnyPairs,
    added: str,
    names: tuple[str, str],
    sides: Iterable[Iterable[str | int | None]],
    said: Mapping[str, object],
    *,
    kind: type[pl.DataType] = pl.String,
) -> AnyPairs:
    """Add a column for each side, or replace it, and say in the card what was added and by what."""
    columns = [pl.Series(name, [*values], kind) for name, values in zip(names, sides, strict=True)]
    card = pairs.card.model_copy(update={"build": pairs.card.build | {f"added {added}": dict(said)}})
    return replace(pairs, frame=pairs.frame.with_columns(columns), card=card)


def _sides(name: str) -> tuple[str, str]:
    return f"{name}_1", f"{name}_2"
