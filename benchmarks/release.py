"""Generate a made-up SNOMED CT release in RF2 (Full), of any size and with the shape of the real one.

    python benchmarks/release.py OUT --concepts 350000        a folder, or a zip if OUT ends in .zip

No term is from SNOMED CT: words are made of stems, syllables and endings (medical_words.py). For 350,000
active concepts it aims at 1.1 million descriptions, and at table 2 of Schulz and Juric (2020), where half
of a set is positive, and distances are Levenshtein's, averaged over pairs:

                            positives   of them easy   distance of positives, random and nearest negatives
    fsn-syn                   225,628         39,233   16.53   37.40    7.97
    syn-syn                   363,079         61,432   16.57   35.10    8.00
    possibly-equivalent-to     28,764            737   33.92   49.33   17.95
    replaced-by                 3,541            327   20.00   33.93   11.49
    same-as                    10,162          1,285   22.71   33.30   10.71

and at terms of 39 characters, 92% of them with several words. The same number and seed give the same bytes.
"""

import argparse
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Integers
from medgauge.terminology.sctid import check_digits
from release_content import FULL_SIZE, WITHDRAWN, Content, make_content

CORE, MODEL_COMPONENT = 900000000000207008, 900000000000012004
PREFERRED, ACCEPTABLE = 900000000000548007, 900000000000549004
LANGUAGES = (900000000000509007, 900000000000508004)
IS_A = 116680003
ATTRIBUTES = (363698007, 116676008, 246075003, 260686004)
DATE = "20190131"
DATES = np.array([year * 10_000 + day for year in range(2002, 2019) for day in (131, 731)] + [int(DATE)])


def _identifiers(known: list[int], partition: int) -> Integers:
    """Return ids with gaps and check digits for the components whose id is not known (0)."""
    numbers = (100_000 + 7 * np.arange(len(known))) * 100 + partition
    made = numbers * 10 + check_digits(numbers)
    given = np.array(known)
    return np.where(given > 0, given, made)


def _history(active: NDArray[np.bool_], changed: float, rng: np.random.Generator) -> pl.DataFrame:
    """Return the rows of components: the component, its date, and whether it is active from then on.

    Inactive components were active before; a share of the others has two rows.
    """
    count = active.size
    first = rng.integers(0, 25, count)
    second = first + rng.integers(1, 10, count)
    twice = np.flatnonzero(~active | (rng.random(count) < changed))
    return pl.DataFrame(
        {
            "component": np.concatenate([np.arange(count), twice]),
            "effectiveTime": DATES[np.concatenate([first, second[twice]])],
            "active": np.concatenate([np.ones(count, np.int8), active[twice].astype(np.int8)]),
        }
    ).sort("component", "effectiveTime")


def _uuids(rows: Integers, rng: np.random.Generator) -> pl.Series:
    """Return a UUID for each row, the same for all rows of a component."""
    count = int(rows.max()) + 1
    digits = pl.Series([rng.bytes(16 * count).hex()]).str.extract_all(".{32}").explode()
    parts = [
        digits.str.slice(start, end - start) for start, end in ((0, 8), (8, 12), (13, 16), (17, 20), (20, 32))
    ]
    uuids = pl.select(
        pl.concat_str([parts[0], parts[1], "4" + parts[2], "8" + parts[3], parts[4]], separator="-")
    )
    return uuids.to_series()[rows]


def tables(content: Content, rng: np.random.Generator) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the name and rows of each file."""
    ids = _identifiers(content.ids, 0)
    metadata = np.array(content.metadata)
    modules = np.where(metadata, MODEL_COMPONENT, CORE)
    rows = _history(np.array(content.active), 0.3, rng)
    of = rows["component"].to_numpy()
    yield (
        f"Terminology/sct2_Concept_Full_INT_{DATE}.txt",
        rows.select(
            pl.Series("id", ids[of]),
            "effectiveTime",
            "active",
            pl.Series("moduleId", modules[of]),
            pl.Series("definitionStatusId", rng.choice([900000000000074008, 900000000000073002], of.size)),
        ),
    )
    current, described = np.array(content.current), np.array(content.described)
    description_ids = _identifiers([0] * described.size, 1)
    rows = _history(current, 0.25, rng)
    of = rows["component"].to_numpy()
    yield (
        f"Terminology/sct2_Description_Full-en_INT_{DATE}.txt",
        rows.select(
            pl.Series("id", description_ids[of]),
            "effectiveTime",
            "active",
            pl.Series("moduleId", modules[described[of]]),
            pl.Series("conceptId", ids[described[of]]),
            pl.lit("en").alias("languageCode"),
            pl.Series("typeId", np.array(content.kinds)[of]),
            pl.Series("term", content.terms)[of],
            pl.Series("caseSignificanceId", rng.choice([900000000000448009, 900000000000020002], of.size)),
        ),
    )
    spoken = np.flatnonzero(current)
    values = np.where(np.array(content.preferred)[spoken], PREFERRED, ACCEPTABLE)
    members = pl.DataFrame(
        {
            "refsetId": np.repeat(LANGUAGES, spoken.size),
            "referencedComponentId": np.tile(description_ids[spoken], len(LANGUAGES)),
            "acceptabilityId": np.tile(values, len(LANGUAGES)),
        }
    )
    yield (
        f"Refset/Language/der2_cRefset_LanguageFull-en_INT_{DATE}.txt",
        _members(members, np.ones(members.height, np.bool_), 0.1, rng),
    )
    refsets, sources, targets = np.array(content.associations).T
    members = pl.DataFrame(
        {"refsetId": refsets, "referencedComponentId": ids[sources], "targetComponentId": ids[targets]}
    )
    yield (
        f"Refset/Content/der2_cRefset_AssociationFull_INT_{DATE}.txt",
        _members(members, rng.random(refsets.size) >= WITHDRAWN, 0.1, rng),
    )
    yield f"Terminology/sct2_Relationship_Full_INT_{DATE}.txt", _relationships(content, ids, rng)


def _members(
    values: pl.DataFrame, active: NDArray[np.bool_], changed: float, rng: np.random.Generator
) -> pl.DataFrame:
    rows = _history(active, changed, rng)
    of = rows["component"].to_numpy()
    return rows.select(
        _uuids(of, rng).alias("id"), "effectiveTime", "active", pl.lit(CORE).alias("moduleId")
    ).hstack(values[of])


def _relationships(content: Content, ids: Integers, rng: np.random.Generator) -> pl.DataFrame:
    """Return the is-a relations, and half as many of each of some other types, some of them retired."""
    children, parents = np.array(content.parents).T
    others = rng.integers(0, children.size, (len(ATTRIBUTES), children.size // 2))
    sources = np.concatenate([children, *(children[other] for other in others)])
    targets = np.concatenate([parents, *(rng.permutation(parents)[other] for other in others)])
    types = np.repeat((IS_A, *ATTRIBUTES), [children.size, *(other.size for other in others)])
    active = (types == IS_A) | (rng.random(types.size) < 0.7)
    rows = _history(active, 0.1, rng)
    of = rows["component"].to_numpy()
    return rows.select(
        pl.Series("id", _identifiers([0] * types.size, 2)[of]),
        "effectiveTime",
        "active",
        pl.lit(CORE).alias("moduleId"),
        pl.Series("sourceId", ids[sources[of]]),
        pl.Series("destinationId", ids[targets[of]]),
        pl.lit(0).alias("relationshipGroup"),
        pl.Series("typeId", types[of]),
        pl.lit(900000000000011006).alias("characteristicTypeId"),
        pl.lit(900000000000451002).alias("modifierId"),
    )


def write_release(path: Path, *, concepts: int = FULL_SIZE, seed: int = 0) -> None:
    """Write a release with `concepts` active concepts to a folder, or to a zip if the path ends in .zip."""
    if concepts < 100:
        raise ValueError("a release needs at least 100 concepts")
    rng = np.random.default_rng(seed)
    content = make_content(concepts, rng)
    package = f"SnomedCT_MadeUpRF2_{DATE}/Full"
    if path.suffix == ".zip":
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            for name, frame in tables(content, rng):
                entry = zipfile.ZipInfo(f"{package}/{name}")  # dated 1980, so that the bytes are the same
                archive.writestr(entry, _text(frame), zipfile.ZIP_DEFLATED, compresslevel=3)
        return
    for name, frame in tables(content, rng):
        file = path / package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_text(frame))


def _text(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_csv(stream, separator="\t", quote_style="never", line_terminator="\r\n")
    return stream.getvalue()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--concepts", type=int, default=FULL_SIZE)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    write_release(given.out, concepts=given.concepts, seed=given.seed)
