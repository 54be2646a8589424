"""build_terminology: the twenty sets of Schulz and Juric (2020) from a terminology."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from medgauge.build.folder import BuildFolder, set_files
from medgauge.build.manifest import (
    RULES,
    Manifest,
    Parameters,
    SetFacts,
    Source,
    versions_here,
)
from medgauge.build.terminology.assembly import Assembly, facts_of
from medgauge.build.terminology.families import FAMILIES, REPLACEMENTS, STRATEGIES, FileForm
from medgauge.build.terminology.linked import Avoided, Links
from medgauge.build.terminology.negatives import NegativeRules, Negatives, nearest_negatives, random_negatives
from medgauge.build.terminology.neighbours import Neighbourhood
from medgauge.build.terminology.positives import NumberedPairs, find_positives
from medgauge.build.terminology.set_cards import card_of_set, readme_of_folder
from medgauge.build.terminology.sets import PARTS, Part, chosen, needed_parts, set_names
from medgauge.errors import FileError, InputError, MedgaugeWarning, option
from medgauge.files.folders import key_of
from medgauge.pairs import PairSet, multi_word_share
from medgauge.parallel import connected
from medgauge.progress import remark, track
from medgauge.terminology.model import Terminology
from medgauge.terminology.read import read_terminology

if TYPE_CHECKING:
    from distributed import Client

_PROCESSORS = os.cpu_count() or 1
_NAMED = 3  # ids that a message lists as examples


def build_terminology(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    families: Iterable[str] | None = None,
    negatives: Iterable[str] | None = None,
    split_distance: int = 5,
    seed: int = 42,
    language: str = "en",
    scopes: Sequence[str] = ("EXACT",),
    check_ids: bool = False,
    strict: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    form: FileForm = "parquet",
    replace: bool = False,
) -> Manifest:
    r"""Build sets of term pairs from a terminology.

    `sources` is a SNOMED CT release (RF2, a folder or the .zip), several of them on top of one another, or an
    ontology (OBO or OBO Graphs). `out` is the folder for the sets, which appears once all of them are built;
    an interrupted build resumes with the sets already finished. A folder with another build is left alone
    unless `replace`.

    `families` are some of fsn-syn, syn-syn, possibly-equivalent-to, replaced-by and same-as, `negatives` some
    of random and levenshtein; None means all. Positives at most `split_distance` edits apart are easy. A set
    depends neither on which others are built with it, nor on the number of `workers` (threads; None: one per
    processor), nor on whether a Dask `cluster` (the address of its scheduler) is used.

    `language` and `check_ids` are for SNOMED CT, `scopes` (of synonyms) for ontologies. An active concept
    without a name is left out with a warning; with `strict` it is an error.

    >>> import tempfile
    >>> terms = {"X:1": ("fever", "pyrexia"), "X:2": ("itching", "pruritus"), "X:3": ("coughing", "tussis")}
    >>> frame = '[Term]\nid: {}\nname: {}\nsynonym: "{}" EXACT []\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.obo"
    ...     _ = path.write_text("\n".join(frame.format(key, *both) for key, both in terms.items()))
    ...     manifest = build_terminology(path, Path(folder) / "sets")
    >>> len(manifest.sets), manifest.sets["fsn-syn-hard-levenshtein"].negatives
    (20, 3)
    """
    wanted = chosen(families, FAMILIES, "family")
    strategies = chosen(negatives, STRATEGIES, "kind of negatives")
    if split_distance < 0:
        raise InputError(
            f"the distance that separates easy from hard pairs must be at least 0, not {split_distance}"
        )
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be at least 0 and less than 2^64, not {seed}")
    if workers is not None and workers < 1:
        raise InputError(f"the number of workers must be at least 1, not {workers}")
    workers = min(workers or _PROCESSORS, _PROCESSORS)  # more threads would only compete
    given = [Path(one) for one in ([sources] if isinstance(sources, str | Path) else sources)]
    folder = BuildFolder.at(out)
    with folder.locked(), connected(cluster) as client:
        terminology = read_terminology(
            given, language=language, scopes=scopes, check_ids=check_ids, hierarchy=False
        )
        parameters = Parameters(
            families=wanted,
            negatives=strategies,
            split_distance=split_distance,
            seed=seed,
            language=language.lower() if terminology.form == "rf2" else None,
            scopes=sorted({scope.upper() for scope in scopes}) if terminology.form == "obo" else None,
        )
        _check_names(terminology, strict=strict)
        _check_associations(terminology, given[0], wanted)
        source = _source(terminology)
        if stored := _stored(folder, source, parameters, form, replace=replace):
            return stored
        maker = _Maker.of(terminology, source, parameters, folder, workers, client)
        facts: dict[str, SetFacts] = {}
        for strategy in strategies:
            facts |= maker.make(strategy, needed_parts(wanted))
        manifest = maker.manifest(facts, form)
        folder.finish(manifest, readme_of_folder(manifest))
    return manifest


@dataclass(frozen=True)
class _Maker:
    """Builds sets one after another, since each depends on the negatives of earlier ones."""

    source: Source
    parameters: Parameters
    folder: BuildFolder
    assembly: Assembly
    parts: dict[Part, NumberedPairs]
    positive: Avoided
    same: dict[int, list[int]]
    counts: dict[str, int]
    workers: int
    cluster: "Client | None"

    @classmethod
    def of(
        cls,
        terminology: Terminology,
        source: Source,
        parameters: Parameters,
        folder: BuildFolder,
        workers: int,
        cluster: "Client | None",
    ) -> "_Maker":
        with track("positive pairs", 0):
            positives = find_positives(terminology, workers=workers)
            halves = {family: positives.split(family, parameters.split_distance) for family in FAMILIES}
            parts = {part: halves[part.family][part.difficulty] for part in PARTS}
            positive = Avoided()
            for pairs in positives.families.values():
                positive.add(pairs.first.tolist(), pairs.second.tolist())
        active = terminology.concepts.filter("active", ~pl.col("is_metadata"))
        counts = {
            "concepts": active.height,
            "concepts_without_name": len(terminology.nameless),
            "synonyms": terminology.synonyms.height,
            "associations_without_name": positives.unnamed,
        }
        assembly = Assembly.of(terminology, positives, workers)
        return cls(
            source,
            parameters,
            folder,
            assembly,
            parts,
            positive,
            positives.same_but_case(),
            counts,
            workers,
            cluster,
        )

    def make(self, strategy: str, needed: Sequence[Part]) -> dict[str, SetFacts]:
        """Make the negatives of all needed parts, and write each set as soon as it is finished.

        Returns the facts of the requested sets, by name.
        """
        avoided: dict[Part, Avoided] = {}
        facts: dict[str, SetFacts] = {}
        if any(self.folder.partial.glob("*.parquet")):
            self._remark_kept(strategy, needed)
        for part in needed:
            name = part.set_name(strategy)
            key = self._key(part, strategy)
            frame = self.folder.find_set(name, key)
            if frame is None:
                negatives = self._negatives(part, strategy, [avoided[one] for one in part.avoids()])
                frame = self.assembly.frame(self.parts[part], negatives)
                card = card_of_set(part, strategy, self.source, self.parameters)
                self.folder.keep_set(PairSet(frame, card), key)
            else:
                negatives = self.assembly.negatives(frame)
            avoided[part] = Avoided()
            avoided[part].add(negatives.first, negatives.second)
            if part.family in self.parameters.families:
                with track(f"digest of {name}", 0):
                    facts[name] = facts_of(frame)
        return facts

    def _remark_kept(self, strategy: str, needed: Sequence[Part]) -> None:
        """Report how many sets were finished before an interruption."""
        names = [part.set_name(strategy) for part in needed]
        keys = [self._key(part, strategy) for part in needed]
        kept = sum(self.folder.has(f"{name}.parquet", key) for name, key in zip(names, keys, strict=True))
        if kept:
            remark(f"resuming: {kept} of {len(needed)} sets with {strategy} negatives are kept")

    def _key(self, part: Part, strategy: str) -> str:
        return key_of(
            rules=RULES,
            set=part.set_name(strategy),
            source=self.source.model_dump(),
            parameters=self.parameters.of_a_set(),
        )

    def _negatives(self, part: Part, strategy: str, earlier: Sequence[Avoided]) -> Negatives:
        pairs = self.parts[part]
        if not len(pairs):
            return Negatives()
        links = Links(pairs)
        rules = NegativeRules(links, self.same, [self.positive, *earlier])
        positives = self.assembly.positives
        steps = len(pairs) if strategy == "random" else len(links.counts())
        with track(part.set_name(strategy), steps) as advance:
            if strategy == "random":
                seed = (self.parameters.seed, PARTS.index(part))
                return random_negatives(pairs, rules, seed=seed, advance=advance)
            neighbourhood = Neighbourhood(
                links.terms,
                terms=positives.terms,
                lowered=positives.lowered,
                seed=self.parameters.seed,
                workers=self.workers,
                cluster=self.cluster,
            )
            return nearest_negatives(rules, positives.terms, neighbourhood, advance=advance)

    def manifest(self, facts: Mapping[str, SetFacts], form: FileForm) -> Manifest:
        """Return the manifest of the requested sets."""
        from importlib.metadata import version

        asked = set_names(self.parameters.families, self.parameters.negatives)
        return Manifest(
            rules=RULES,
            medgauge=version("medgauge"),
            source=self.source,
            parameters=self.parameters,
            form=form,
            versions=versions_here(),
            counts=self.counts,
            sets={part.set_name(strategy): facts[part.set_name(strategy)] for part, strategy in asked},
            multi_word=self._multi_word(),
        )

    def _multi_word(self) -> dict[str, float | None]:
        """Return the share of distinct terms with several words, in each family and overall.

        Negatives consist of the terms of the positives, so they add no terms.
        """
        pairs = {family: self.assembly.positives.families[family] for family in self.parameters.families}
        numbers = {name: np.unique([one.first, one.second]) for name, one in pairs.items()}
        numbers["all"] = np.unique(np.concatenate(list(numbers.values())))
        terms = self.assembly.positives.terms
        return {
            name: multi_word_share([terms[number] for number in found]) if len(found) else None
            for name, found in numbers.items()
        }


def _source(terminology: Terminology) -> Source:
    return Source(
        form=terminology.form,
        title=terminology.title,
        version=terminology.version,
        files=dict(terminology.files),
    )


def _check_names(terminology: Terminology, *, strict: bool) -> None:
    nameless = terminology.nameless
    if not nameless:
        return
    examples = ", ".join(nameless[:_NAMED]) + (", …" if len(nameless) > _NAMED else "")
    count = "1 active concept has" if len(nameless) == 1 else f"{len(nameless):,} active concepts have"
    if strict:
        how = option("strict", True)
        raise InputError(f"{count} no current name ({examples}); omit {how} to leave them out")
    left = "is left out" if len(nameless) == 1 else "are left out"
    warnings.warn(f"{count} no current name and {left} ({examples})", MedgaugeWarning, stacklevel=3)


def _check_associations(terminology: Terminology, path: Path, wanted: Sequence[str]) -> None:
    """Raise an error for replacement sets of a release without the file they come from."""
    if terminology.lacks_associations and set(wanted) & set(REPLACEMENTS):
        raise FileError(
            path,
            "has no association reference set (der2_cRefset_Association…txt); "
            f"add it, or build without it: {option('families', ['fsn-syn', 'syn-syn'])}",
        )


def _stored(
    folder: BuildFolder, source: Source, parameters: Parameters, form: FileForm, *, replace: bool
) -> Manifest | None:
    """Return the build in the folder if it is this one; raise an error rather than overwrite another."""
    stored = folder.stored(damaged=replace)
    if stored is None:
        return None
    if replace:
        return None  # its sets that can be reused are found by their keys
    asked = {"rules": RULES, "source": source, "parameters": parameters, "form": form}
    others = [name for name, value in asked.items() if getattr(stored, name) != value]
    if not others and all((folder.folder / file).is_file() for file in set_files(stored.sets, stored.form)):
        return stored
    held = f"another build (with other {' and '.join(others)})" if others else "a build that lacks files"
    raise InputError(f"{folder.folder} has {held}; add {option('replace', True)}, or choose another folder")
