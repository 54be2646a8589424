import pytest

from tests.fuzz.campaign import batches_of, run_batches
from tests.fuzz.planted import ASLEEP
from tests.fuzz.report import describe, keep_input, table
from tests.fuzz.worker import Limits, kinds_in

PLANTED = "tests.fuzz.planted"
LIMITS = Limits(busy=0.5, memory=1 << 30)

pytestmark = pytest.mark.slow


def found(*kinds, inputs, limits=LIMITS, **options):
    return run_batches(kinds, batches_of(kinds, inputs), module=PLANTED, limits=limits, **options)


@pytest.fixture(scope="module")
def all_planted():
    kinds = [kind for kind in kinds_in(PLANTED) if kind != ASLEEP]
    return found(*kinds, inputs=2 * len(kinds))


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("traceback", "raised KeyError"),
        ("busy", "hung"),
        ("abort", "ended the process (SIGABRT)"),
        ("memory", "needed too much memory"),
        ("noise", "wrote to stderr"),
        ("leftover", "left files behind"),
        ("unnamed", "a message names no file"),
        ("leak", "a message repeats a term"),
        ("long", "a message is too long"),
        ("control", "a message has control characters"),
        ("stored", "stored a term"),
        ("wrong", "accepted with other content"),
    ],
)
def test_every_planted_fault_is_found(all_planted, kind, problem):
    assert [one.outcome.problem for one in all_planted.failures if one.kind == kind] == [problem] * 2


def test_waiting_for_ever_is_found_too():
    waited = found(ASLEEP, inputs=1, limits=Limits(waiting=1.0))
    assert [one.outcome.problem for one in waited.failures] == ["hung"]


@pytest.mark.parametrize(
    ("kind", "status"), [("sound", "refused"), ("tolerant", "accepted"), ("unnamed-option", "refused")]
)
def test_what_is_right_is_no_failure(all_planted, kind, status):
    assert all_planted.counts[kind] == {status: 2}


def test_a_kind_without_a_reader_is_skipped_with_the_reason(all_planted):
    assert all_planted.skipped == {"absent": "input.txt: needs an extra"}


def test_a_hang_is_located(all_planted):
    busy = next(one for one in all_planted.failures if one.kind == "busy")
    assert "in _spin" in busy.outcome.detail


def test_outcomes_do_not_depend_on_the_number_of_processes():
    one, two = (found("sound", "traceback", "abort", inputs=90, jobs=jobs) for jobs in (1, 2))
    assert one.counts == two.counts
    assert sorted((f.kind, f.number) for f in one.failures) == sorted(
        (f.kind, f.number) for f in two.failures
    )


def test_a_failure_is_described_and_its_input_kept(all_planted, tmp_path):
    failure, count = next(one for one in all_planted.distinct() if one[0].kind == "traceback")
    assert count == 2
    text = describe(failure, count, seed=7)
    assert "--kind traceback --seed 7 --number 0" in text
    path = keep_input(failure, tmp_path, seed=0, module=PLANTED)
    valid = b"zqxanthoma\n"
    assert len(path.read_bytes()) == len(valid)
    assert path.read_bytes() != valid


def test_the_table_has_a_row_for_each_kind_and_their_sum(all_planted):
    lines = table(all_planted).splitlines()
    assert lines[0].split("|")[1].strip() == "kind"
    assert "absent" not in table(all_planted)
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["sound", "2", "0", "2", "0"]
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == ["all", "30", "2", "4", "24"]


def test_inputs_are_shared_out_evenly():
    batches = list(batches_of(["a", "b"], 61))
    assert [(one.kind, one.numbers) for one in batches] == [
        ("a", range(25)),
        ("b", range(25)),
        ("a", range(25, 31)),
        ("b", range(25, 30)),
    ]
