"""What is stored can be shown."""

import pytest
from pydantic import TypeAdapter, ValidationError

from medgauge.stored import StoredName

NAME: TypeAdapter[str] = TypeAdapter(StoredName)


def test_a_name_must_not_control_the_terminal():
    with pytest.raises(ValidationError, match="a name must not have control characters"):
        NAME.validate_python("\x1b[31m")
