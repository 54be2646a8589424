from pathlib import Path

import pytest

from medgauge.errors import FileError
from medgauge.models.tables.concept_keys import check_written, is_cui, is_float, kind_of_keys


@pytest.mark.parametrize(
    ("keys", "kind"),
    [
        (["C0000039", "C0027051"], "cui"),
        (["22298006", "138875005"], "id"),
        (["I21.9", "C34.1", "C50"], "id"),
        (["HP:0000118", "MONDO:0000001"], "id"),
        (["C0000039", "22298006"], "cui"),
        (["C0000039", "22298006", "56265001"], "id"),
        (["c0000039"], "id"),
        ([], "id"),
    ],
)
def test_the_kind_of_keys_shows_in_their_form(keys: list[str], kind: str) -> None:
    assert kind_of_keys(keys) == kind


def test_a_cui_is_a_c_with_seven_digits() -> None:
    assert [key for key in ("C0027051", "C002705", "C00270511", " C0027051") if is_cui(key)] == ["C0027051"]


@pytest.mark.parametrize("key", ["22298006.0", "22298006.", "22298006.00", "2.2298006e7", "2.2E+07", "2e+07"])
def test_an_id_that_became_a_number_is_an_error(key: str) -> None:
    assert is_float(key)
    with pytest.raises(FileError, match=r"t, line 3: the id is a number with a decimal point") as raised:
        check_written(Path("t"), ["22298006", key], what="line", first=2)
    assert key not in str(raised.value)


@pytest.mark.parametrize("key", ["250.00", "V10.0", "I21.9", "1E50.0", "1E50", "2345-7", "22298006"])
def test_codes_with_points_and_letters_are_not_numbers(key: str) -> None:
    assert not is_float(key)
    check_written(Path("t"), [key], what="line")


def test_a_blank_key_is_an_error() -> None:
    with pytest.raises(FileError, match="t, row 2: the id is missing"):
        check_written(Path("t"), ["1", ""], what="row")
