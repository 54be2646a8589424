"""Which concepts recorded codes stand for: by a mapping file, by the records' own, or as they are."""

import re
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from medgauge.errors import FileError, InputError, MedgaugeWarning, option
from medgauge.files.digests import remembered_sha256
from medgauge.records.code_systems import is_known, short_system, title_of
from medgauge.records.engine import Engine
from medgauge.records.recorded import Recorded
from medgauge.tables import read_table, text_of
from medgauge.terminology.sctid import valid_sctids

if TYPE_CHECKING:
    import ibis.expr.types as ir

SNOMED = "snomed"
_TERM = {"term", "name", "label", "description", "display", "target_term", "preferred_term"}
_SYSTEM = {"system", "code_system", "vocabulary", "source_system", "source_vocabulary_id"}
_CODE = re.compile(r"[A-Z]\d\d.*|\d[\d.]*")


@dataclass(frozen=True)
class CodeMapping:
    """A mapping file. `rows` has `code`, `system` ("": any), `concept` and `term` (all text)."""

    path: Path
    digest: str
    rows: pl.DataFrame

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        return set(self.rows.select("system", "code").iter_rows())

    def has(self, system: str, code: str) -> bool:
        """Return whether the mapping has a code of a system."""
        return (system, code) in self._known or ("", code) in self._known

    @property
    def several(self) -> int:
        """The number of codes with more than one concept."""
        return int(
            (self.rows.group_by("system", "code").agg(pl.col("concept").n_unique())["concept"] > 1).sum()
        )


def read_mapping(path: Path) -> CodeMapping:
    """Read a mapping file: a header, then codes, their concepts and, if wanted, the term or the code system.

    Two concepts of one code are both kept, and reported.
    """
    table = read_table(path)
    header = [name.lower() for name in table.header]
    if len(header) not in (2, 3):
        raise FileError(
            path, f"has {len(header)} columns; a mapping has two or three: code, concept, and term or system"
        )
    if all(_CODE.fullmatch(name.strip()) for name in table.header[:2]):
        raise FileError(
            path, "begins with codes; add a first line with the names of the columns: code, concept"
        )
    third = header[2] if len(header) == 3 else None
    if third is not None and third not in _TERM | _SYSTEM:
        raise FileError(
            path, "the third column is neither named term nor system; name it after what it holds"
        )
    rows = []
    for row in table.rows:
        code, concept, *more = (text_of(value).strip() for value in row.values)
        if not code:
            raise FileError(path, "the code is missing", place=row.place)
        if concept:
            term = more[0] if third in _TERM else ""
            system = short_system(more[0]) if third in _SYSTEM else ""
            rows.append((code, system, concept, term))
    if not rows:
        raise FileError(path, "maps no code to a concept")
    schema = dict.fromkeys(("code", "system", "concept", "term"), pl.String)
    made = CodeMapping(
        path, remembered_sha256(path), pl.DataFrame(rows, schema, orient="row").unique(maintain_order=True)
    )
    if made.several:
        one = made.several == 1
        warnings.warn(
            f"{path}: {made.several:,} {'code has' if one else 'codes have'} several concepts; all are kept, "
            "and those of one code are not paired by it",
            MedgaugeWarning,
            stacklevel=2,
        )
    return made


@dataclass(frozen=True)
class Targets:
    """The concepts of each kind of event: `table` has `kind`, `written`, `concept` and `term`.

    `system` is the code system of the concepts, "" if it is not known.
    """

    table: "ir.Table"
    system: str


def targets_of(engine: Engine, recorded: Recorded, mapping: CodeMapping | None) -> Targets:
    """Return which concepts recorded kinds stand for.

    Codes in the mapping stand for its concepts. Without one, SNOMED CT's stand for themselves if there are
    any, else those of the only system; records that map codes themselves, as OMOP does, need no mapping.
    """
    import ibis

    if recorded.targets is not None:
        if mapping is not None:
            raise InputError(
                f"an OMOP CDM maps its codes itself; leave out {option('mapping', flag='--map')}, and add "
                "rows to CONCEPT_RELATIONSHIP for codes without a concept"
            )
        written = recorded.kinds.select("kind", "written")
        return Targets(recorded.targets.join(written, "kind"), SNOMED)
    kinds = recorded.kinds.filter(recorded.kinds.code != "").select("kind", "written", "code", "system")
    if mapping is None:
        system = _only_system(engine, kinds)
        own = kinds.filter(kinds.system == system)
        return Targets(own.select("kind", "written", concept="code", term=ibis.literal("")), system)
    rows = engine.given(mapping.rows.rename({"code": "from_code", "system": "from_system"}))
    fits = (rows.from_system == "") | (rows.from_system == kinds.system)
    mapped = kinds.join(rows, [kinds.code == rows.from_code, fits])
    mapped = mapped.select("kind", "written", "concept", "term")
    others = kinds.filter(kinds.system == SNOMED).anti_join(mapped, "kind")
    others = others.select("kind", "written", concept="code", term=ibis.literal(""))
    system = SNOMED if look_like_snomed(mapping.rows["concept"]) else ""
    return Targets(ibis.union(mapped, others).distinct(), system)


def _only_system(engine: Engine, kinds: "ir.Table") -> str:
    """Return the code system whose codes stand for themselves."""
    systems = engine.fetch(kinds.select("system").distinct().limit(50), "finding code systems")[
        "system"
    ].to_list()
    if SNOMED in systems or len(systems) <= 1:
        return SNOMED if SNOMED in systems else "".join(systems)
    listed = ", ".join(sorted(title_of(one) for one in systems if is_known(one))) or "none known to medgauge"
    raise InputError(
        f"the records have codes of several systems ({listed}), none of which is SNOMED CT; map them to one "
        f"with {option('mapping', 'FILE', flag='--map FILE')}"
    )


def look_like_snomed(ids: pl.Series) -> bool:
    """Return whether all of some ids of concepts have the form and the check digit of SNOMED CT's.

    >>> look_like_snomed(pl.Series(["22298006", "386661006"])), look_like_snomed(pl.Series(["I21.9"]))
    (True, False)
    """
    numbers = ids.cast(pl.Int64, strict=False)
    return bool(numbers.len()) and not numbers.null_count() and bool(valid_sctids(numbers.to_numpy()).all())
