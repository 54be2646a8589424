"""What is stored can be shown: names are of a length and in characters that a table has room for."""

import pytest
from pydantic import TypeAdapter, ValidationError

from medgauge.stored import LONGEST_NAME, StoredName

NAME: TypeAdapter[str] = TypeAdapter(StoredName)


def test_a_name_of_two_million_characters_took_minutes_to_lay_out():
    assert NAME.validate_python("a " * (LONGEST_NAME // 2)) == "a " * (LONGEST_NAME // 2)
    with pytest.raises(ValidationError, match="at most 10000 characters"):
        NAME.validate_python("a " * 10**6)


def test_a_name_must_not_control_the_terminal():
    with pytest.raises(ValidationError, match="a name must not have control characters"):
        NAME.validate_python("\x1b[31m")
