"""Generate a made-up UMLS release of any size, with the shape of the real one: MRCONSO.RRF and MRSTY.RRF.

    python benchmarks/metathesaurus.py OUT --megabytes 2000      a folder, or a zip if OUT ends in .zip

No name is from the UMLS: words are made of stems, syllables and endings (medical_words.py). A concept has
five rows on average, about 125 bytes each; an eighth of the rows is SNOMED CT's, of which a fifth is
suppressed; one SNOMED CT concept in fifty has two CUIs. The same size gives the same bytes.
"""

import argparse
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from medical_words import Words

ROWS = 400_000  # in a block
# Vocabularies with their shares of the rows, and what they call a preferred and another name.
VOCABULARIES = [
    ("SNOMEDCT_US", 0.125, "PT", "SY"),
    ("MSH", 0.08, "MH", "ET"),
    ("ICD10CM", 0.02, "PT", "ET"),
    ("RXNORM", 0.05, "IN", "SCD"),
    ("LNC", 0.06, "LN", "OSN"),
    ("NCI", 0.06, "PT", "SY"),
    ("SCTSPA", 0.105, "PT", "SY"),
    ("MDRGER", 0.1, "PT", "LLT"),
    ("NCBI", 0.2, "SCN", "EQ"),
    ("MTH", 0.2, "PN", "SY"),
]
TYPES = [
    ("T047", "B2.2.1.2.1", "Disease or Syndrome"),
    ("T184", "A2.2.2", "Sign or Symptom"),
    ("T109", "A1.4.1.2.1", "Organic Chemical"),
    ("T023", "A1.2.3.1", "Body Part, Organ, or Organ Component"),
    ("T033", "A2.2", "Finding"),
]


def concept_names(megabytes: int) -> Iterator[bytes]:
    """Yield blocks of MRCONSO.RRF until they are as large as wanted."""
    rng = np.random.default_rng(0)
    source = Words(rng)
    words = np.array([make()[0] for _ in range(4_000) for make in (source.change, source.site, source.drug)])
    shares = np.array([share for _, share, _, _ in VOCABULARIES])
    written, first = 0, 0
    while written < megabytes * 1_000_000:
        rows = np.arange(first, first + ROWS)
        which = rng.choice(len(VOCABULARIES), ROWS, p=shares / shares.sum())
        preferred = rng.random(ROWS) < 0.35
        sab = np.array([name for name, *_ in VOCABULARIES])[which]
        kinds = np.array([[one[3], one[2]] for one in VOCABULARIES])[which, preferred.astype(int)]
        cui = rows // 5 + (rng.random(ROWS) < 0.02)
        code = np.char.add((100_000 + 3 * (rows // 5)).astype(str), "008")
        name = words[rng.integers(0, len(words), (5, ROWS))]
        length = rng.integers(2, 6, ROWS)
        text = pl.DataFrame({f"w{n}": pl.Series(name[n]) for n in range(5)}).with_columns(
            pl.Series("length", length)
        )
        shown = [pl.when(pl.col("length") > n).then(pl.col(f"w{n}")) for n in range(5)]
        number = pl.Series((rows + 10_000_000).astype(str))
        is_name = (rows % 5 == 0) & preferred
        frame = pl.DataFrame(
            {
                "CUI": "C" + pl.Series((cui + 1_000_000).astype(str)),
                "LAT": pl.Series(np.where(which == 6, "SPA", np.where(which == 7, "GER", "ENG"))),
                "TS": pl.Series(np.where(is_name, "P", "S")),
                "LUI": "L" + number,
                "STT": pl.Series(np.where(is_name, "PF", "VO")),
                "SUI": "S" + number,
                "ISPREF": pl.Series(np.where(is_name, "Y", "N")),
                "AUI": "A" + number,
                "SAUI": number.str.slice(1),
                "SCUI": pl.Series(code),
                "SDUI": pl.Series([""] * ROWS),
                "SAB": pl.Series(sab),
                "TTY": pl.Series(kinds),
                "CODE": pl.Series(code),
                "STR": text.select(pl.concat_str(shown, separator=" ", ignore_nulls=True)).to_series(),
                "SRL": pl.Series(["9"] * ROWS),
                "SUPPRESS": pl.Series(np.where(rng.random(ROWS) < 0.2, "O", "N")),
                "CVF": pl.Series(["256"] * ROWS),
                "end": pl.Series([""] * ROWS),
            }
        )
        block = frame.write_csv(separator="|", include_header=False, quote_style="never").encode()
        yield block
        written, first = written + len(block), first + ROWS


def semantic_types(concepts: int) -> bytes:
    """Return MRSTY.RRF: one type for each concept, and a second one for every eighth."""
    rng = np.random.default_rng(1)
    numbers = np.sort(np.concatenate([np.arange(concepts), np.arange(0, concepts, 8)]))
    chosen = rng.integers(0, len(TYPES), len(numbers))
    frame = pl.DataFrame({"CUI": "C" + pl.Series((numbers + 1_000_000).astype(str))}).with_columns(
        *(pl.Series(name, np.array([one[n] for one in TYPES])[chosen]) for n, name in enumerate("abc")),
        pl.lit("AT0001").alias("ATUI"),
        pl.lit("256").alias("CVF"),
        pl.lit("").alias("end"),
    )
    return frame.write_csv(separator="|", include_header=False, quote_style="never").encode()


def main() -> None:
    """Write a release of the wanted size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--megabytes", type=int, default=2000)
    arguments = parser.parse_args()
    meta, out = "2026AA/META", arguments.out
    types = semantic_types(arguments.megabytes * 1600)
    if out.suffix == ".zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with archive.open(f"{meta}/MRCONSO.RRF", "w", force_zip64=True) as stream:
                for block in concept_names(arguments.megabytes):
                    stream.write(block)
            archive.writestr(f"{meta}/MRSTY.RRF", types)
    else:
        (out / meta).mkdir(parents=True)
        with (out / meta / "MRCONSO.RRF").open("wb") as stream:
            for block in concept_names(arguments.megabytes):
                stream.write(block)
        (out / meta / "MRSTY.RRF").write_bytes(types)


if __name__ == "__main__":
    main()
