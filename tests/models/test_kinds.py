import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medgauge.errors import InputError, MedgaugeWarning, UnknownNameError
from medgauge.models.base import ModelCard, name_of
from medgauge.models.kinds import BUILT_IN, GROUP, ModelKind, kind_of, kinds
from medgauge.models.lexical import LevenshteinScorer
from medgauge.models.load import load_model
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from tests.support.entry_points import install_package

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
SET = "term_1,term_2,gold\nrenal failure,kidney failure,4\nflu,gout,0\nasthma,asthma attack,3\nflu,cold,2\n"

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package of one module with entry points, as pip would, without pip."""

    def install(module: str, code: str, points: dict[str, str]) -> None:
        install_package(tmp_path / "site-packages", monkeypatch, module, code, GROUP, points)

    return install


def on_page() -> tuple[str, dict[str, str]]:
    """Return the module and the entry points that docs/models.md shows."""
    section = PAGE.read_text("utf-8").partition("\n## Add a kind of your own\n")[2]
    [code] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    [project] = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    return code, tomllib.loads(project)["project"]["entry-points"][GROUP]


def test_the_plug_in_of_the_docs_is_listed_and_evaluated(
    install: Install, medgauge: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, points = on_page()
    install("toy_gauge", code, points)
    listed = json.loads(medgauge("models", "--json").out)["kinds"]
    assert listed[-1] == {
        "name": "toy",
        "summary": "Counts of the letters of a term.",
        "example": "toy:abcde",
        "options": {"case": "keep or lower (default): whether A and a are the same letter"},
    }
    assert "toy:abcde" in medgauge("models").out
    (tmp_path / "set.csv").write_text(SET)
    done = medgauge(
        "evaluate", "--model", "toy:aeiou?case=keep", "--model", "mine=toy:st", "--dataset",
        tmp_path / "set.csv", "--json",
    )  # fmt: skip
    run = json.loads(done.out)
    assert [card["name"] for card in run["models"]] == ["aeiou", "mine"]
    assert run["models"][0]["format"] == "letter counts"
    assert all(entry["covered"] > 0 for entry in run["coverage"])
    assert medgauge("models", "info", "toy:abc", "--json").code == 0


def test_options_that_a_kind_of_a_package_lacks_are_refused(install: Install, medgauge: Any) -> None:
    install("toy_gauge", *on_page())
    with pytest.raises(UnknownNameError, match=r"there is no option of toy: 'cases'; did you mean 'case'"):
        load_model("toy:abc?cases=keep")
    assert name_of(load_model("toy:abc")) == "abc"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise RuntimeError('no licence')\n", "RuntimeError: no licence"),
        ("", "AttributeError: .* no attribute 'TOY'"),
    ],
)
def test_a_kind_that_cannot_be_imported_is_one_sentence(
    install: Install, medgauge: Any, tmp_path: Path, code: str, reason: str
) -> None:
    install("bad_gauge", code, {"bad": "bad_gauge:TOY"})
    (tmp_path / "set.csv").write_text(SET)
    done = medgauge("evaluate", "--model", "bad:x", "--dataset", tmp_path / "set.csv")
    assert (done.code, done.out) == (1, "")
    problem = rf"the kind of model 'bad' of the package bad-gauge cannot be loaded \({reason}\); update or"
    assert re.search(problem, done.err)
    assert "Traceback" not in done.err
    listed = medgauge("models")
    assert listed.code == 0
    assert "st:" in listed.out
    assert "warning: the kind of model 'bad' of the package bad-gauge cannot be loaded" in listed.err


def test_what_is_not_a_kind_is_refused(install: Install) -> None:
    install("bad_gauge", "TOY = 'a string'\n", {"bad": "bad_gauge:TOY"})
    with pytest.raises(
        InputError, match="the package bad-gauge adds 'bad', which is not a ModelKind of that name"
    ):
        kind_of(ModelSpec("bad", "x"))


def test_a_kind_that_cannot_be_opened_is_one_sentence(install: Install) -> None:
    made = "ModelKind('bad', 'It.', 'bad:x', 'bad_gauge:opener')"
    code = f"from medgauge.models.kinds import ModelKind\nBAD = {made}\n"
    install("bad_gauge", code, {"bad": "bad_gauge:BAD"})
    with pytest.raises(
        InputError, match=r"models of the kind 'bad' cannot be opened \(AttributeError: .*; update"
    ):
        load_model("bad:x")


def test_a_package_cannot_replace_a_built_in_kind(install: Install) -> None:
    install("toy_gauge", on_page()[0], {"concepts": "toy_gauge:TOY"})
    assert kind_of(ModelSpec("concepts", "x")) in BUILT_IN
    with pytest.warns(
        MedgaugeWarning, match="'concepts' of the package toy-gauge is ignored: there is one of that"
    ):
        assert list(kinds().values()) == list(BUILT_IN)


def test_an_unknown_kind_is_answered_with_the_nearest(install: Install) -> None:
    install("toy_gauge", *on_page())
    with pytest.raises(UnknownNameError, match="there is no kind of model 'toys'; did you mean 'toy'"):
        kind_of(ModelSpec("toys", "x"))


def test_a_kind_without_options_says_so() -> None:
    kind = ModelKind(
        "plain", "It.", "plain:x", lambda _spec, name, _loading: LevenshteinScorer(card=_card(name))
    )
    with pytest.raises(InputError, match=r"'plain:x\?y=1': models of the kind plain have no options"):
        kind.open(ModelSpec("plain", "x", {"y": "1"}), "x", Loading())
    assert name_of(kind.open(ModelSpec("plain", "x"), "own", Loading())) == "own"


def test_every_kind_has_an_example_of_itself() -> None:
    for kind in BUILT_IN:
        assert kind.example.startswith(f"{kind.name}:")
        assert kind.summary.endswith(".")


def _card(name: str) -> ModelCard:
    return ModelCard(name=name, family="pairs")
