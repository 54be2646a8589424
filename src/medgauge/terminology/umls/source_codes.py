"""From the codes of a source vocabulary to CUIs and back, by the rows of MRCONSO.RRF.

A row is an atom: one name of one concept in one vocabulary. Suppressed ones, obsolete ones among them, have
another value than N in SUPPRESS.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from medgauge.errors import FileError, UnknownNameError
from medgauge.terminology.umls.rrf_rows import CONCEPT_NAMES, RrfRows
from medgauge.terminology.umls.umls_release import UmlsRelease

CuiStep = Literal[
    "one CUI",
    "preferred term",
    "not in the source",
    "only suppressed rows",
    "not in the source, or only suppressed rows",
    "several CUIs, none by preferred term",
    "several CUIs by preferred term",
]
"""How the CUI of a code was found, or the step of algorithm 1 at which the code was given up."""
CodeStep = Literal["preferred term", "name", "no preferred term and no name", "not in the release"]
"""How the codes of a CUI were found, or why there are none."""

SNOMED = "SNOMEDCT_US"
# What a vocabulary calls its preferred terms, where that is not PT alone: each of its codes has one of these
# (https://www.nlm.nih.gov/research/umls/knowledge_sources/metathesaurus/release/abbreviations.html).
_PREFERRED = {
    "MSH": ("MH", "NM"),
    "ICD10CM": ("PT", "HT"),  # HT: a heading, such as E11
    "ICD10": ("PT", "PX", "HT", "HX"),
    "ICD9CM": ("PT", "HT"),
    "LNC": ("LN", "LPN"),
    "RXNORM": (
        *("IN", "PIN", "MIN", "BN", "SCD", "SBD", "GPCK", "BPCK", "DF", "DFG"),
        *("SCDC", "SCDF", "SCDFP", "SCDG", "SCDGP", "SBDC", "SBDF", "SBDFP", "SBDG"),
    ),
}
# The one row of a concept with its preferred English name.
_PREFERRED_NAME = {"LAT": "ENG", "TS": "P", "STT": "PF", "ISPREF": "Y"}


@dataclass(frozen=True)
class ChosenCui:
    """The CUI of a code, None if there is none or several are left; the step; and those that were left."""

    cui: str | None
    step: CuiStep
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class FoundCodes:
    """The codes of a CUI, sorted, and the step at which they were found, or at which there were none."""

    codes: tuple[str, ...]
    step: CodeStep


@dataclass(frozen=True)
class FoundCuis:
    """What each code was mapped to, and the SHA-256 of each file that was read, by its name."""

    chosen: Mapping[str, ChosenCui]
    files: Mapping[str, str]


@dataclass(frozen=True)
class CodesOfCuis:
    """What each CUI was mapped to, and the SHA-256 of each file that was read, by its name."""

    found: Mapping[str, FoundCodes]
    files: Mapping[str, str]


def code_column(sab: str) -> str:
    """Return the column with a vocabulary's ids: SCUI for SNOMED CT, as in algorithm 1, else CODE.

    Other vocabularies have no SCUI, or one that is not what people call the code.

    >>> code_column("SNOMEDCT_US"), code_column("MSH")
    ('SCUI', 'CODE')
    """
    return "SCUI" if sab == SNOMED else "CODE"


def preferred_types(sab: str) -> tuple[str, ...]:
    """Return the types (TTY) of the terms that a vocabulary prefers.

    >>> preferred_types("SNOMEDCT_US"), preferred_types("MSH")
    (('PT',), ('MH', 'NM'))
    """
    return _PREFERRED.get(sab, ("PT",))


def cuis_of_codes(release: UmlsRelease, codes: Iterable[str], *, sab: str = SNOMED) -> FoundCuis:
    """Map codes to CUIs by algorithm 1 of Schulz et al. (2020), unambiguous mappings only.

    1. The CUIs of a code are those of its rows that are not suppressed (SAB, code, SUPPRESS = N).
    2. Exactly one is taken.
    3. Of several, those stay that have a row with a preferred term (TTY = PT) for the code.
    4. Exactly one that stays is taken. Otherwise the code has no CUI.
    """
    code, preferred = code_column(sab), preferred_types(sab)
    of_code: dict[str, list[tuple[str, str, str]]] = {one: [] for one in codes}
    scan = _Scan(release, sab)
    for frame in scan.frames([code, "CUI", "TTY", "SUPPRESS"], pl.col(code).is_in(_values(of_code))):
        for one, cui, kind, suppressed in frame.filter(pl.col("SAB") == sab).drop("SAB").iter_rows():
            of_code[one].append((cui, kind, suppressed))
    chosen = {one: choose_cui(rows, preferred) for one, rows in of_code.items()}
    return FoundCuis(chosen, scan.files)


def choose_cui(rows: Iterable[tuple[str, str, str]], preferred: Collection[str] = ("PT",)) -> ChosenCui:
    """Choose the CUI of a code from its rows, each (CUI, TTY, SUPPRESS), as in `cuis_of_codes`.

    >>> choose_cui([("C1", "SY", "N"), ("C2", "PT", "N"), ("C3", "PT", "O")])
    ChosenCui(cui='C2', step='preferred term', left=())
    >>> choose_cui([("C1", "SY", "N"), ("C2", "SY", "N")])
    ChosenCui(cui=None, step='several CUIs, none by preferred term', left=('C1', 'C2'))
    """
    rows = list(rows)
    current = [(cui, kind) for cui, kind, suppressed in rows if suppressed == "N"]
    cuis = sorted({cui for cui, _ in current})
    if not cuis:
        return ChosenCui(None, "only suppressed rows" if rows else "not in the source")
    if len(cuis) == 1:
        return ChosenCui(cuis[0], "one CUI")
    by_term = sorted({cui for cui, kind in current if kind in preferred})
    if len(by_term) == 1:
        return ChosenCui(by_term[0], "preferred term")
    if not by_term:
        return ChosenCui(None, "several CUIs, none by preferred term", tuple(cuis))
    return ChosenCui(None, "several CUIs by preferred term", tuple(by_term))


def codes_of_cuis(
    release: UmlsRelease,
    cuis: Iterable[str],
    *,
    sab: str = SNOMED,
    names: Mapping[str, Collection[str]] | None = None,
) -> CodesOfCuis:
    """Map CUIs to all codes of a vocabulary, as section 5.3 of Schulz et al. (2020) does.

    The codes of a CUI are those with a preferred term among its rows; or else those with its name. The name
    is one of those in `names` (such as the terms of a set), or else the preferred English name in the
    release, and is compared with every name of the vocabulary, ignoring case. Suppressed rows do not count.
    """
    code, wanted = code_column(sab), list(dict.fromkeys(cuis))
    is_preferred = (pl.col("SAB") == sab) & pl.col("TTY").is_in(_values(preferred_types(sab)))
    is_name = pl.all_horizontal(pl.col(name) == value for name, value in _PREFERRED_NAME.items())
    found: dict[str, set[str]] = {cui: set() for cui in wanted}
    named: dict[str, set[str]] = {}
    seen: set[str] = set()
    scan = _Scan(release, sab)
    columns = ["CUI", code, "TTY", "SUPPRESS", "STR", *_PREFERRED_NAME]
    for frame in scan.frames(columns, pl.col("CUI").is_in(_values(wanted))):
        seen |= {*frame["CUI"]}
        current = frame.filter(pl.col("SUPPRESS") == "N")
        for cui, one in current.filter(is_preferred).select("CUI", code).drop_nulls().iter_rows():
            found[cui].add(one)
        for cui, name in current.filter(is_name).select("CUI", "STR").drop_nulls().iter_rows():
            named.setdefault(cui, set()).add(name)
    named |= {cui: {*names[cui]} for cui in wanted if names and names.get(cui)}
    by_name = _codes_of_names(release, sab, {cui: named.get(cui, set()) for cui in wanted if not found[cui]})

    def result(cui: str) -> FoundCodes:
        if found[cui]:
            return FoundCodes(tuple(sorted(found[cui])), "preferred term")
        if by_name.get(cui):
            return FoundCodes(tuple(sorted(by_name[cui])), "name")
        return FoundCodes((), "no preferred term and no name" if cui in seen else "not in the release")

    return CodesOfCuis({cui: result(cui) for cui in wanted}, scan.files)


def _codes_of_names(
    release: UmlsRelease, sab: str, names: Mapping[str, Collection[str]]
) -> dict[str, set[str]]:
    """Return the codes of each CUI that have one of its names, in any case."""
    cuis: dict[str, list[str]] = {}
    for cui, some in names.items():
        for name in {_lowered(name) for name in some}:
            cuis.setdefault(name, []).append(cui)
    found: dict[str, set[str]] = {}
    if not cuis:
        return found
    code, lowered = code_column(sab), pl.col("STR").str.to_lowercase()
    keep = (pl.col("SAB") == sab) & (pl.col("SUPPRESS") == "N") & lowered.is_in(_values(cuis))
    for frame in _Scan(release, sab).frames([code, "SUPPRESS", "STR"], keep):
        for one, name in frame.select(code, "STR").drop_nulls().iter_rows():
            for cui in cuis[_lowered(name)]:
                found.setdefault(cui, set()).add(one)
    return found


@dataclass
class _Scan:
    """One pass over MRCONSO.RRF; a row without a CUI is an error, and a vocabulary that has no row."""

    release: UmlsRelease
    sab: str
    files: Mapping[str, str] = field(default_factory=dict)

    def frames(self, columns: Collection[str], keep: pl.Expr) -> Iterator[pl.DataFrame]:
        """Yield the rows to keep of each block, with the columns and SAB."""
        rows = RrfRows(self.release.file("MRCONSO.RRF"), CONCEPT_NAMES)
        seen: set[str] = set()
        line = 1
        for frame in rows.frames(list(dict.fromkeys([*columns, "CUI", "SAB"]))):
            if frame["CUI"].null_count():
                place = f"line {line + int(frame['CUI'].is_null().arg_max() or 0)}"
                raise FileError(rows.file.path, "the row has no CUI; get the release again", place=place)
            line += frame.height
            seen |= {*frame["SAB"].unique().drop_nulls()}
            yield frame.filter(keep)
        if not seen:
            raise FileError(rows.file.path, "has no rows; get the release again")
        if self.sab not in seen:
            raise UnknownNameError(f"vocabulary in {self.release.title} called", self.sab, sorted(seen))
        self.files = {rows.file.path.name: rows.digest}


def _values(texts: Iterable[str]) -> pl.Expr:
    return pl.lit(pl.Series([*texts], dtype=pl.String).implode())


def _lowered(name: str) -> str:
    lowered: str = pl.Series([name]).str.to_lowercase()[0]
    return lowered
