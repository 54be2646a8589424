"""Mapping by a UMLS release: to CUIs and back, between systems that share CUIs, and to semantic types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from medgauge.mapping.routes import MappedCode, Names
from medgauge.terminology.umls.semantic_types import SemanticTypes, read_semantic_types
from medgauge.terminology.umls.source_codes import ChosenCui, FoundCodes, codes_of_cuis, cuis_of_codes
from medgauge.terminology.umls.umls_release import UmlsRelease


@dataclass
class ReleaseRoute:
    """Maps codes by shared CUIs; the vocabulary "" is the UMLS itself, whose codes are CUIs."""

    release: UmlsRelease
    source: str
    target: str
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The release."""
        return self.release.title

    def map(self, codes: Sequence[str], names: Names) -> dict[str, MappedCode]:
        """Map codes: to the CUI of each by algorithm 1, and CUIs to all codes by section 5.3."""
        if not self.source:
            back = codes_of_cuis(self.release, codes, sab=self.target, names=names)
            self.files = back.files
            return {cui: mapped_cui(one) for cui, one in back.found.items()}
        there = cuis_of_codes(self.release, codes, sab=self.source)
        self.files = there.files
        if not self.target:
            return {code: mapped_code(one) for code, one in there.chosen.items()}
        cuis = [one.cui for one in there.chosen.values() if one.cui is not None]
        named = {one.cui: names[code] for code, one in there.chosen.items() if one.cui and code in names}
        back = codes_of_cuis(self.release, cuis, sab=self.target, names=named)
        return {code: by_way_of(one, back.found) for code, one in there.chosen.items()}


def mapped_code(one: ChosenCui) -> MappedCode:
    """Return the CUI of a code as what it was mapped to."""
    return MappedCode(() if one.cui is None else (one.cui,), one.step, one.left)


def mapped_cui(one: FoundCodes) -> MappedCode:
    """Return the codes of a CUI as what it was mapped to."""
    return MappedCode(one.codes, one.step)


def by_way_of(one: ChosenCui, found: Mapping[str, FoundCodes]) -> MappedCode:
    """Return what a code was mapped to by way of its CUI; the step is that at which it went on or ended."""
    if one.cui is None:
        return mapped_code(one)
    back = found[one.cui]
    return MappedCode(back.codes, f"{one.step}, then {back.step}", () if back.codes else (one.cui,))


@dataclass
class TypesRoute:
    """Maps CUIs to their semantic types."""

    release: UmlsRelease
    types: SemanticTypes | None = None

    @property
    def title(self) -> str:
        """The release."""
        return self.release.title

    @property
    def files(self) -> Mapping[str, str]:
        """The files that were read."""
        return {} if self.types is None else self.types.files

    def map(self, codes: Sequence[str], names: Names) -> dict[str, MappedCode]:  # noqa: ARG002 - as Route
        """Map each CUI to the most specific common ancestor of its types."""
        self.types = read_semantic_types(self.release, codes)
        return {cui: mapped_type(self.types, cui) for cui in codes}


def mapped_type(types: SemanticTypes, cui: str) -> MappedCode:
    """Return the semantic type of a CUI as what it was mapped to; where there is none, the types it has."""
    found = types.of(cui)
    if found.name is not None:
        return MappedCode((found.name,), found.step)
    return MappedCode((), found.step, tuple(types.names.get(tree, tree) for tree in types.trees.get(cui, ())))
