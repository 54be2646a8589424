from concurrent.futures import ThreadPoolExecutor

from medgauge.files.private import private_folder
from medgauge.models.services.answers import Written
from medgauge.models.services.kept_answers import KeptAnswers

MODEL = ("http://localhost/v1", "mine")


def test_what_is_kept_is_found_again_under_the_same_instructions_only():
    KeptAnswers(MODEL, "Rate.").keep("a pair", Written("secret\nanswer"))
    again = KeptAnswers(MODEL, "Rate.")
    assert "a pair" in again
    assert again["a pair"] == Written("secret\nanswer")
    assert "another pair" not in again
    assert "a pair" not in KeptAnswers(MODEL, "Rate from 1 to 10.")
    assert "a pair" not in KeptAnswers((MODEL[0], "other"), "Rate.")


def test_a_line_that_was_cut_is_ignored_and_harms_no_other():
    KeptAnswers(MODEL, "Rate.").keep("first", Written("1"))
    [file] = private_folder("answers").iterdir()
    file.write_bytes(file.read_bytes() + b"f" * 64 + b' {"text": "half')
    KeptAnswers(MODEL, "Rate.").keep("second", Written("2"))
    again = KeptAnswers(MODEL, "Rate.")
    assert (again["first"].text, again["second"].text) == ("1", "2")


def test_bytes_that_are_not_text_are_ignored():
    (private_folder("answers") / "x").touch()
    KeptAnswers(MODEL, "Rate.").keep("first", Written("1"))
    file = next(path for path in private_folder("answers").iterdir() if path.suffix)
    file.write_bytes(b"\xff\x00\n" + file.read_bytes())
    assert "first" in KeptAnswers(MODEL, "Rate.")


def test_many_can_write_at_once():
    both = KeptAnswers(MODEL, "Rate."), KeptAnswers(MODEL, "Rate.")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: both[n % 2].keep(str(n), Written(str(n) * 50)), range(60)))
    again = KeptAnswers(MODEL, "Rate.")
    assert all(again[str(number)].text == str(number) * 50 for number in range(60))


def test_nothing_is_written_without_the_cache():
    kept = KeptAnswers(MODEL, "Rate.", remembers=False)
    kept.keep("a pair", Written("1"))
    assert "a pair" in kept
    assert list(private_folder("answers").iterdir()) == []
