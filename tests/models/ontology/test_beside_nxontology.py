"""On the Human Phenotype Ontology, nxontology, which others wrote, gives the same values."""

import warnings

import numpy as np
import polars as pl
import pytest

from medgauge import Card, load_model
from medgauge.pairs import Pairs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peer(hpo_file):
    from nxontology.imports import from_file

    with warnings.catch_warnings(action="ignore"):  # of the file's encoding, which it guesses
        ontology = from_file(str(hpo_file))
    ontology.freeze()
    return ontology


@pytest.fixture(scope="module")
def ids(peer) -> list[tuple[str, str]]:
    """Draw pairs, and add a root with itself, a concept with itself, and a parent with its child."""
    rng = np.random.default_rng(0)
    nodes = sorted(peer.graph.nodes)
    drawn = [(str(one), str(other)) for one, other in rng.choice(nodes, (300, 2))]
    leaf = "HP:0000805"
    parent = sorted(peer.node_info(leaf).parents)[0]
    return [*drawn, ("HP:0000001", "HP:0000001"), (leaf, leaf), (leaf, parent), (leaf, "HP:0000001")]


@pytest.fixture(scope="module")
def pairs(ids) -> Pairs:
    columns = {"pair_id": [str(number) for number in range(len(ids))]}
    columns |= dict.fromkeys(("term_1", "term_2"), ["not a name of any concept"] * len(ids))
    columns |= {f"id_{side + 1}": [pair[side] for pair in ids] for side in (0, 1)}
    return Pairs(pl.DataFrame(columns), Card(name="hpo", title="HPO"))


@pytest.mark.filterwarnings("ignore:.*flaws? found")
@pytest.mark.parametrize(
    ("ic", "theirs"), [("intrinsic", "intrinsic_ic"), ("sanchez", "intrinsic_ic_sanchez")]
)
@pytest.mark.parametrize(("measure", "called"), [("resnik", "resnik"), ("lin", "lin"), ("jcn", "jiang")])
def test_random_pairs_score_the_same(peer, ids, pairs, hpo_file, ic, theirs, measure, called):
    expected = [getattr(peer.similarity(*pair, ic_metric=theirs), called) for pair in ids]
    found = load_model(f"ontology:{measure}@{hpo_file}?ic={ic}").score(pairs)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*flaws? found")
def test_the_information_content_of_seco_is_theirs_scaled(peer, ids, pairs, hpo_file):
    scores = [peer.similarity(*pair, ic_metric="intrinsic_ic") for pair in ids]
    found = load_model(f"ontology:resnik@{hpo_file}?ic=seco").score(pairs)
    np.testing.assert_allclose(found, [one.resnik_scaled for one in scores], rtol=0, atol=1e-9)
    # Their other Jiang-Conrath is 1 − d/2 with the scaled information content.
    inverted = load_model(f"ontology:jcn@{hpo_file}?ic=seco").score(pairs)
    distances = 1 / inverted - 1
    np.testing.assert_allclose(1 - distances / 2, [one.jiang_seco for one in scores], rtol=0, atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*flaws? found")
def test_sanchez_as_a_measure_is_resnik_with_its_information_content(peer, ids, pairs, hpo_file):
    expected = [peer.similarity(*pair, ic_metric="intrinsic_ic_sanchez").resnik for pair in ids]
    found = load_model(f"ontology:sanchez@{hpo_file}").score(pairs)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
