import pytest
from pydantic import BaseModel, ConfigDict, Field, model_validator

from medgauge.errors import FileError
from medgauge.toml_models import MisfitError, Text, parse_toml


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int = 1


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Text
    part: Part = Part()
    parts: tuple[Part, ...] = ()
    more: Part | None = None
    counts: dict[str, int] = Field(default={})

    @model_validator(mode="after")
    def _fits(self) -> "Whole":
        if self.part.size > 5:
            raise MisfitError("part.size", f"{self.part.size} is too large for {self.name}")
        return self


def read(text: str) -> Whole:
    return parse_toml(Whole, text, "mine.toml", what="a whole")


def test_a_valid_file_becomes_the_model():
    found = read('name = " a "\n[part]\nsize = 2\n[[parts]]\n[[parts]]\nsize = 3\n')
    assert found == Whole(name="a", part=Part(size=2), parts=(Part(), Part(size=3)))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mine.toml, name: is missing"),
        ('name = "a"\nnme = "b"', "mine.toml: there is no field 'nme'; did you mean 'name'?"),
        ('name = "a"\n[part]\nsice = 2', "mine.toml, part: there is no field 'sice'; did you mean 'size'?"),
        ('name = "a"\n[[parts]]\n[[parts]]\nsice = 2', "mine.toml, parts[2]: there is no field 'sice'"),
        ('name = "a"\n[more]\nsice = 2', "mine.toml, more: there is no field 'sice'; did you mean 'size'?"),
        ('name = "a"\n[counts]\nx = "y"', "mine.toml, counts.x: is not a whole number"),
        ('name = "a"\ncounts = 3', "mine.toml, counts: is not a table of fields"),
        ('name = "a"\npart = 3', "mine.toml, part: is not a table of fields"),
        ('name = "a"\n[part]\nsize = 6', "mine.toml, part.size: 6 is too large for a"),
        ('name = "a"\n[part\n', "mine.toml, line 2: is not valid TOML"),
        ('name = "a', "mine.toml, line 1: is not valid TOML"),
        ("name = " + "[" * 100_000, "mine.toml: is not a whole: its values are nested too deeply"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, problem):
    with pytest.raises(FileError) as caught:
        read(text)
    assert str(caught.value).startswith(problem)
