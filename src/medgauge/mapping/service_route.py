"""Mapping by the UMLS REST API, in the steps in which a release is used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

from medgauge.mapping.routes import MappedCode, Names
from medgauge.mapping.umls_routes import by_way_of, mapped_code, mapped_cui
from medgauge.mapping.umls_service import UmlsService
from medgauge.progress import track
from medgauge.terminology.umls.source_codes import ChosenCui, FoundCodes, choose_cui, preferred_types


@dataclass
class ServiceRoute:
    """Maps codes by asking the service, a few at a time; the vocabulary "" is the UMLS itself."""

    service: UmlsService
    source: str
    target: str
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The service and the release that it was asked for."""
        return f"UMLS REST API ({self.service.release})"

    def map(self, codes: Sequence[str], names: Names) -> dict[str, MappedCode]:
        """Map codes as a release does; what is asked for one code is kept before the next one's turn."""

        def ask(code: str, stop: Event) -> tuple[str, MappedCode]:
            return code, self._mapped(code, names, stop)

        with track("asking the UMLS REST API", len(codes)) as advance:
            found = {}
            for code, mapped in self.service.requester.each(ask, codes):
                found[code] = mapped
                advance(1)
        return {code: found[code] for code in codes}

    def _mapped(self, code: str, names: Names, stop: Event) -> MappedCode:
        if not self.source:
            return mapped_cui(self._codes(code, names.get(code, ()), stop))
        chosen = self._cui(code, stop)
        if not self.target:
            return mapped_code(chosen)
        back = {} if chosen.cui is None else {chosen.cui: self._codes(chosen.cui, names.get(code, ()), stop)}
        return by_way_of(chosen, back)

    def _cui(self, code: str, stop: Event) -> ChosenCui:
        """Choose the CUI of a code by algorithm 1; preferred terms are asked for of several only."""
        cuis = self.service.cuis_of(self.source, code, stop)
        if not cuis:
            return ChosenCui(None, "not in the source, or only suppressed rows")
        rows = [(cui, "", "N") for cui in cuis]
        if len(cuis) > 1:
            term = preferred_types(self.source)[0]
            rows += [
                (cui, term, "N") for cui in cuis if code in self.service.codes_of(self.source, cui, stop)
            ]
        return choose_cui(rows, preferred_types(self.source))

    def _codes(self, cui: str, names: Iterable[str], stop: Event) -> FoundCodes:
        """Return all codes of a CUI by section 5.3: by preferred term, then by name."""
        if codes := self.service.codes_of(self.target, cui, stop):
            return FoundCodes(tuple(codes), "preferred term")
        known = self.service.name_of(cui, stop)
        found = {
            code for name in (names or known) for code in self.service.codes_named(self.target, name, stop)
        }
        if found:
            return FoundCodes(tuple(sorted(found)), "name")
        return FoundCodes((), "no preferred term and no name" if known else "not in the release")
