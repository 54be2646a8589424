"""The nearest other term of 700,000 terms, compared with rapidfuzz.

The peer is rapidfuzz.process.cdist on all processors, with the smallest type that holds the distances, some
queries at a time so that the table fits in memory, and then argmin; it has no cutoff, since none is known. It
runs for a sample of the terms. medgauge runs for the same sample, with the same answers, and then
for all terms; that is compared with cdist's time per query of the sample, which does not depend on the other
queries. Times exclude compilation, and building the index is reported separately.

The terms are made up: words of Greek and Latin parts, drawn by Zipf's law, in families that share all words
but one or two, as those of a large terminology do.
"""

import random
import resource
import time

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from common import print_table
from medgauge import NearestTerms

TERMS, SAMPLE, TABLE_ROWS, SEED = 700_000, 300, 300, 0
VOCABULARY = 120_000
COMMON, ROOTS, PREFIXES, ENDINGS = (
    text.split()
    for text in (
        """of the with due to by in on structure disorder disease left right acute chronic procedure
        fracture injury finding entire neoplasm malignant benign product tablet oral injection
        bone joint skin open closed removal repair upper lower limb""",
        """cardi hepat nephr neur gastr oste arthr derm hemat pulmon bronch encephal myel ophthalm ot rhin
        laryng pharyng trache thyr aden angi phleb arteri ven lymph splen pancreat chole cyst
        ureter urethr prostat orchi oophor salping hyster colp mast cheil gloss gingiv odont
        stomat esophag enter col proct rect hern my tend burs fasci chondr spondyl crani cephal
        kerat irid retin scler blephar dacry tympan labyrinth""",
        "peri endo hyper hypo poly para pan intra sub trans anti micro pseudo auto",
        """itis osis oma opathy ectomy otomy ostomy oplasty algia ia emia uria oscopy ography ogram olysis
        omegaly oplegia orrhea orrhagia otoxic ogenic ic al ous oid iform ine ate ide amycin
        azole olol idone""",
    )
)


class Writer:
    """A generator of made-up terms."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        words = dict.fromkeys(COMMON)
        while len(words) < VOCABULARY:
            words[self.coined()] = None
        self.words = list(words)
        self.weights = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
        self.drawn: list[str] = []

    def coined(self) -> str:
        """Make a word."""
        prefix = self.rng.choice(PREFIXES) if self.rng.random() < 0.25 else ""
        roots = self.rng.sample(ROOTS, 2 if self.rng.random() < 0.3 else 1)
        return prefix + "o".join(roots) + self.rng.choice(ENDINGS)

    def word(self) -> str:
        """Draw a word of the vocabulary by Zipf's law."""
        if not self.drawn:
            self.drawn = self.rng.choices(self.words, cum_weights=self.weights.tolist(), k=100_000)
        return self.drawn.pop()

    def relative(self, words: list[str]) -> list[str]:
        """Replace, insert or leave out a word or two."""
        changed = list(words)
        for _ in range(1 if self.rng.random() < 0.75 else 2):
            place, how = self.rng.randrange(len(changed)), self.rng.random()
            word = self.rng.choice(COMMON) if self.rng.random() < 0.15 else self.word()
            if how < 0.6:
                changed[place] = word
            elif how < 0.85:
                changed.insert(place, word)
            elif len(changed) > 2:
                del changed[place]
        return changed

    def terms(self, count: int) -> list[str]:
        """Return different terms, in random order."""
        found: dict[str, None] = {}
        while len(found) < count:
            if self.rng.random() < 0.45:
                found[self.rng.choice(self.words)] = None
                continue
            words = [self.word() for _ in range(2 + min(8, int(self.rng.expovariate(0.62))))]
            for _ in range(int(self.rng.expovariate(1 / 9))):
                found[" ".join(self.relative(words))] = None
            found[" ".join(words)] = None
        return self.rng.sample(list(found)[:count], count)


def by_rapidfuzz(terms: list[str], sample: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the nearest other term of each of the sample."""
    dtype = np.uint8 if max(map(len, terms)) < 256 else np.uint16
    places, distances = np.empty(sample.size, np.int64), np.empty(sample.size, np.int64)
    for first in range(0, sample.size, TABLE_ROWS):
        chosen = sample[first : first + TABLE_ROWS]
        queries = [terms[place] for place in chosen]
        table = cdist(queries, terms, scorer=Levenshtein.distance, dtype=dtype, workers=-1)
        table[np.arange(chosen.size), chosen] = np.iinfo(dtype).max
        places[first : first + chosen.size] = table.argmin(axis=1)
        distances[first : first + chosen.size] = table.min(axis=1)
    return places, distances


def by_medgauge(
    index: NearestTerms, terms: list[str], chosen: NDArray[np.int64], k: int
) -> tuple[float, NDArray[np.int64], NDArray[np.int32]]:
    """Find the k nearest other terms of each chosen one, and return the seconds that it took."""
    start = time.perf_counter()
    queries = [terms[place] for place in chosen]
    _, places, distances = index.search(
        queries, np.full(chosen.size, k), np.arange(chosen.size + 1), chosen.astype(np.int32)
    )
    return time.perf_counter() - start, places.reshape(-1, k), distances.reshape(-1, k)


def main() -> None:
    """Print the table."""
    terms = Writer(SEED).terms(TERMS)
    everyone = np.arange(TERMS)
    sample = np.sort(np.random.default_rng(SEED).choice(TERMS, SAMPLE, replace=False))
    small = NearestTerms(terms[:3_000])
    by_medgauge(small, terms, everyone[:3_000], 1)
    start = time.perf_counter()
    index = NearestTerms(terms)
    by_medgauge(index, terms, everyone[:100], 1)  # the first search builds it
    built = time.perf_counter() - start

    start = time.perf_counter()
    their_places, their_distances = by_rapidfuzz(terms, sample)
    theirs = time.perf_counter() - start
    ours, places, distances = by_medgauge(index, terms, sample, 1)
    assert (places[:, 0] == their_places).all()
    assert (distances[:, 0] == their_distances).all()
    whole, _, nearest = by_medgauge(index, terms, everyone, 1)
    four, _, fourth = by_medgauge(index, terms, everyone[: TERMS // 10], 4)

    each = theirs / SAMPLE
    lengths = np.array([len(term) for term in terms])
    several = np.mean([" " in term for term in terms])
    quantiles = ", ".join(f"{value:.0f}" for value in np.quantile(nearest, [0.05, 0.25, 0.5, 0.75, 0.95]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print_table(
        f"The nearest other term of {TERMS:,} terms",
        ["what", "queries", "k", "seconds", "ms per query", "times faster"],
        [
            ["rapidfuzz.process.cdist", f"{SAMPLE}", "1", f"{theirs:.1f}", f"{1000 * each:.1f}", "1"],
            row("medgauge, the same queries", SAMPLE, 1, ours, each),
            row("medgauge, all terms", TERMS, 1, whole, each),
            row("medgauge, a tenth of the terms", TERMS // 10, 4, four, each),
        ],
        [
            f"Terms of {lengths.mean():.1f} characters on average (5th to 95th percentile "
            f"{np.quantile(lengths, 0.05):.0f} to {np.quantile(lengths, 0.95):.0f}), {several:.0%} of",
            f"several words; the nearest {nearest.mean():.1f} edits away (5, 25, 50, 75, 95%: {quantiles}),",
            f"the fourth {fourth[:, 3].mean():.1f}. Peak memory: {memory:.1f} GB.",
            f"Building the index, not included: {built:.1f} s. All times are on all processors;",
            "'times faster' compares the time per query.",
        ],
    )


def row(what: str, queries: int, k: int, seconds: float, theirs: float) -> list[str]:
    """Return a row of the table."""
    each = seconds / queries
    return [what, f"{queries:,}", f"{k}", f"{seconds:.1f}", f"{1000 * each:.2f}", f"{theirs / each:.0f}"]


if __name__ == "__main__":
    main()
