"""Values of measures on hierarchies that others printed, each with where it is from.

- Lin (1998), "An Information-Theoretic Definition of Similarity", section 4.1 and figure 2: hill and coast.
- The README of DiShIn (PyPI's ssmpy 0.2.5; its GitHub repository at 025e9da): copper and gold.
- NLTK's page on WordNet (nltk.org/howto/wordnet): dog and cat in WordNet 3.0.
- UMLS::Similarity's own tests (CPAN, t/key/MMSYS-2010AB-20101022): MeSH in the UMLS of 2010.
"""

import math
from itertools import pairwise

import numpy as np
import pytest

from medgauge.models.ontology.information import INTRINSIC, counted_information
from medgauge.models.ontology.ontology_measures import (
    MEASURES_OF_ONTOLOGIES,
    InCommon,
    jiang_conrath_similarity,
    similarities,
)
from tests.models.ontology.slow_hierarchy import graph_of


class Named:
    """A hierarchy of named concepts; each line is a path from a concept up, and paths may share concepts."""

    def __init__(self, paths):
        self.places: dict[str, int] = {}
        edges: dict[tuple[int, int], None] = {}
        for path in paths:
            places = [self.places.setdefault(name, len(self.places)) for name in path.split(" < ")]
            edges |= dict.fromkeys(pairwise(places))
        self.graph = graph_of(len(self.places), list(edges))

    def counted(self, counts, **options):
        own = np.array([counts.get(name, 0) for name in self.places], float)
        return counted_information(self.graph, self.graph.of_nodes(own), **options)

    def of(self, measure, one, other, information=None):
        first, second = (self.graph.nodes[[self.places[name]]] for name in (one, other))
        declared = MEASURES_OF_ONTOLOGIES[measure]
        return float(similarities(declared, self.graph, first, second, information)[0])


def test_lin_of_hill_and_coast():
    shares = {
        "entity": 0.395,
        "inanimate object": 0.167,
        "natural object": 0.0163,
        "geological formation": 0.00176,
        "natural elevation": 0.000113,
        "shore": 0.0000836,
        "hill": 0.0000189,
        "coast": 0.0000216,
    }
    above = "geological formation < natural object < inanimate object < entity < anything"
    terms = Named([f"hill < natural elevation < {above}", f"coast < shore < {above}"])
    # Each share counts what is below it too: what is left of it is the concept's own.
    below = {
        "anything": ["entity"],
        "entity": ["inanimate object"],
        "inanimate object": ["natural object"],
        "natural object": ["geological formation"],
        "geological formation": ["natural elevation", "shore"],
        "natural elevation": ["hill"],
        "shore": ["coast"],
    }
    whole = shares | {"anything": 1.0}
    own = {name: share - sum(whole[one] for one in below.get(name, [])) for name, share in whole.items()}
    information = terms.counted(own)
    assert round(terms.of("lin", "hill", "coast", information), 2) == 0.59
    assert terms.of("resnik", "hill", "coast", information) == pytest.approx(-math.log(0.00176))


# "alloy", below every metal, counts once for each concept: the one that DiShIn adds to each frequency.
METALS = [
    *(
        f"alloy < {metal} < {kind} < metal"
        for metal in ("gold", "silver")
        for kind in ("precious", "coinage")
    ),
    *(f"alloy < {metal} < precious < metal" for metal in ("platinum", "palladium")),
    "alloy < copper < coinage < metal",
]
OCCURRENCES = {"gold": 2, "silver": 2} | dict.fromkeys(
    ("copper", "platinum", "palladium", "metal", "coinage", "precious", "alloy"), 1
)


@pytest.mark.parametrize(
    ("counts", "measure", "printed"),
    [
        (None, "resnik", 0.587786664902119),
        (None, "lin", 0.39079549108439265),
        (None, "jcn", 0.35303485982596094),
        (OCCURRENCES, "resnik", 0.45198512374305727),
        (OCCURRENCES, "lin", 0.3009190732403628),
        (OCCURRENCES, "jcn", 0.322574315537045),
    ],
)
def test_copper_and_gold(counts, measure, printed):
    metals = Named(METALS)
    information = INTRINSIC["intrinsic"](metals.graph) if counts is None else metals.counted(counts)
    assert metals.of(measure, "copper", "gold", information) == pytest.approx(printed, abs=1e-11)


@pytest.mark.parametrize(
    ("counts", "printed"), [(None, 0.5456783339686456), (OCCURRENCES, 0.47617668319259754)]
)
def test_the_distance_of_copper_and_gold_inverted_without_the_1(counts, printed):
    metals = Named(METALS)
    information = INTRINSIC["intrinsic"](metals.graph) if counts is None else metals.counted(counts)
    value = metals.of("jcn", "copper", "gold", information)
    assert value / (1 - value) == pytest.approx(printed, abs=1e-11)


def test_dog_and_cat():
    beast = "animal < organism < living thing < whole < object < physical entity < entity"
    carnivore = f"carnivore < placental < mammal < vertebrate < chordate < {beast}"
    deepest = " < ".join([*(f"level {number}" for number in range(20, 1, -1)), "entity"])
    words = Named(
        [
            f"dog < canine < {carnivore}",
            f"dog < domestic animal < {beast}",
            f"cat < feline < {carnivore}",
            deepest,
        ]
    )
    assert words.of("path", "dog", "cat") == pytest.approx(0.2)
    assert words.of("wup", "dog", "cat") == pytest.approx(0.8571428571428571)
    # D is 19 in NLTK, the edges of the longest path, and 20 here and in WordNet::Similarity, its concepts.
    assert words.graph.depth == 20
    assert words.of("lch", "dog", "cat") == pytest.approx(2.0281482472922856 + math.log(20 / 19))


# Paths of MeSH as the UMLS has them, with the root that UMLS::Similarity puts above everything.
ABOVE = "anatomy < topical descriptors < descriptors < MeSH < root"
REGIONS = f"body regions < {ABOVE}"
MESH = [
    f"hand < upper extremity < extremities < {REGIONS}",
    f"toe < forefoot < foot < lower extremity < extremities < {REGIONS}",
    f"neck < {REGIONS}",
    f"skull < bone and bones < skeleton < musculoskeletal system < {ABOVE}",
    " < ".join([*(f"level {number}" for number in range(20, 1, -1)), "root"]),
]


@pytest.mark.parametrize(
    ("one", "other", "path", "lch", "wup"),
    [
        ("hand", "skull", 0.1111, 1.4917, 0.5000),
        ("skull", "neck", 0.1429, 1.7430, 0.5556),
        ("neck", "toe", 0.1429, 1.7430, 0.6000),
    ],
)
def test_body_parts_in_mesh(one, other, path, lch, wup):
    mesh = Named(MESH)
    assert round(mesh.of("path", one, other), 4) == path
    assert round(mesh.of("lch", one, other), 4) == lch
    # Of both concepts' depths, UMLS::Similarity counts one more: 2·depth / (2·depth + edges + 2), where the
    # formula of its own documentation, which medgauge keeps to, has 2·depth / (depth + depth).
    value, edges = mesh.of("wup", one, other), 1 / mesh.of("path", one, other) - 1
    twice = value * edges / (1 - value)
    assert round(twice / (twice + edges + 2), 4) == wup


@pytest.mark.parametrize(
    ("resnik", "lin", "jcn"),
    [(0.9331, 0.4174, 0.3839), (0.9331, 0.3585, 0.2995), (1.0174, 0.3552, 0.2707)],
    ids=["hand, skull", "skull, neck", "neck, toe"],
)
def test_the_three_measures_with_information_content_fit_together_as_in_mesh(resnik, lin, jcn):
    total = 2 * resnik / lin
    one = np.array([math.nan])
    found = InCommon(one, one, np.array([resnik]), np.array([0.4 * total]), np.array([0.6 * total]), 20)
    value = float(jiang_conrath_similarity(found)[0])
    assert value / (1 - value) == pytest.approx(jcn, abs=2e-4)
