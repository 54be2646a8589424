import pytest

from medgauge.errors import MedgaugeError
from tests.fuzz.kind import SECRET, content_of
from tests.fuzz.kinds import KINDS
from tests.fuzz.worker import Bench, mutant_of


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_example_is_valid_and_always_the_same(kind, tmp_path):
    first, second = (tmp_path / name for name in "ab")
    try:
        bench = Bench(kind, first / kind.name)
    except MedgaugeError:
        assert kind.optional
        return
    (second / kind.name).mkdir(parents=True)
    kind.make(second / kind.name)
    assert content_of(second / kind.name) == bench.example
    assert {*kind.files} <= {*bench.example}
    assert kind.read(first / kind.name) == bench.valid
    numbers = range(5)
    assert [mutant_of(kind, bench.example, 1, number) for number in numbers] == [
        mutant_of(kind, bench.example, 1, number) for number in numbers
    ]


def test_kinds_have_names_of_their_own():
    assert len({kind.name for kind in KINDS}) == len(KINDS)


def test_terms_are_recognisable():
    from tests.fuzz.examples_tables import TERMS

    assert all(SECRET in term for term in TERMS)
