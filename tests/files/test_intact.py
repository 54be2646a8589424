"""Damaged Parquet files: found before they are decoded, whoever wrote them."""

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.files import intact
from medgauge.files.intact import is_sealed, problem_with
from medgauge.files.parquet import parquet_metadata, read_parquet, write_parquet
from tests.support.processes import run

FRAME = pl.DataFrame(
    {
        "text": ["flu", "influenza", None, "renal failure"] * 5,
        "number": [1.0, 2.5, float("nan"), -0.0] * 5,
        "list": [[1.0, 2.0], [3.0], [], None] * 5,
        "flag": [True, False, None, True] * 5,
    }
)


def flipped(content: bytes, *, seed: int) -> Iterator[bytes]:
    """Yield the content with one bit changed, once for each byte."""
    bits = random.Random(seed)
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 1 << bits.randrange(8)
        yield bytes(damaged)


@pytest.mark.slow
def test_no_flipped_bit_of_a_file_that_medgauge_wrote_goes_unnoticed(tmp_path):
    path = tmp_path / "a.parquet"
    write_parquet(path, FRAME, {"key": "value"})
    other = {"key": "value", "ARROW:schema": parquet_metadata(path)["ARROW:schema"]}
    for damaged in flipped(path.read_bytes(), seed=0):
        path.write_bytes(damaged)
        if is_sealed(path):
            raise AssertionError("the digest does not cover a byte")
        try:
            read = read_parquet(path), parquet_metadata(path)
        except FileError:
            continue
        assert is_sealed(path) is None, "only a file that has lost the mark of the seal is read"
        assert read[0].equals(FRAME)
        assert read[1] == other


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["uncompressed", "zstd", "snappy"])
def test_a_flipped_bit_in_a_file_of_another_program_neither_ends_the_process_nor_prints(
    compression, tmp_path, capfd
):
    path = tmp_path / "a.parquet"
    FRAME.write_parquet(path, compression=compression)
    refused = 0
    for damaged in flipped(path.read_bytes(), seed=1):
        path.write_bytes(damaged)
        try:
            read_parquet(path).rows()
        except FileError as error:
            refused += 1
            assert str(error).startswith(f"{path}: cannot be read as Parquet: ")  # noqa: PT017
    assert refused > 100
    assert capfd.readouterr() == ("", "")


def test_what_ends_the_reading_process_is_one_sentence(tmp_path, monkeypatch):
    FRAME.write_parquet(tmp_path / "a.parquet")
    killer = tmp_path / "killer.py"
    killer.write_text("import os; print('ready', flush=True); input(); os.abort()")
    intact._child.stop()
    with monkeypatch.context() as patch:
        patch.setattr(intact, "_CHILD", killer)
        with pytest.raises(FileError, match=r"a\.parquet: cannot be read as Parquet: the file is damaged"):
            read_parquet(tmp_path / "a.parquet")
    assert read_parquet(tmp_path / "a.parquet").equals(FRAME)


def test_a_reading_process_that_hangs_is_ended(tmp_path, monkeypatch):
    FRAME.write_parquet(tmp_path / "a.parquet")
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("print('ready', flush=True)\nwhile True: input()")
    intact._child.stop()
    with monkeypatch.context() as patch:
        patch.setattr(intact, "_CHILD", sleeper)
        patch.setattr(intact, "_PATIENCE", 0.2)
        assert "ended the process" in (problem_with(tmp_path / "a.parquet") or "")
    assert problem_with(tmp_path / "a.parquet") is None


def test_a_child_that_something_else_ended_is_not_the_fault_of_the_next_file(tmp_path):
    for name in "ab":
        FRAME.write_parquet(tmp_path / name)
    read_parquet(tmp_path / "a")
    process = intact._child._process
    assert process is not None
    process.kill()
    process.wait()
    assert read_parquet(tmp_path / "b").equals(FRAME)


@pytest.mark.parametrize("broken", ["executable", "script"])
def test_where_no_process_can_be_started_files_are_read_all_the_same(broken, tmp_path, monkeypatch):
    FRAME.write_parquet(tmp_path / "a.parquet")
    intact._child.stop()
    if broken == "script":
        monkeypatch.setattr(intact, "_CHILD", tmp_path / "there is none.py")
    else:
        monkeypatch.setattr(sys, "executable", None)
    assert read_parquet(tmp_path / "a.parquet").equals(FRAME)
    assert intact._child._process is None


def test_one_child_reads_all_files_and_none_those_that_are_sealed(tmp_path, monkeypatch):
    intact._child.stop()
    for name in "abc":
        FRAME.write_parquet(tmp_path / name)
        write_parquet(tmp_path / f"{name}.sealed", FRAME, {})
    for name in "abc":
        read_parquet(tmp_path / f"{name}.sealed")
    assert intact._child._process is None
    read_parquet(tmp_path / "a")
    first = intact._child._process
    read_parquet(tmp_path / "b")
    assert intact._child._process is first
    monkeypatch.setattr(intact, "_LARGE", 1)
    read_parquet(tmp_path / "c")
    assert intact._child._process is None, "the memory that a large file took is not kept"


def test_a_file_that_was_read_before_is_not_tried_again_unless_it_changed(tmp_path, monkeypatch):
    path = tmp_path / "a.parquet"
    FRAME.write_parquet(path)
    os.utime(path, (1, 1))
    monkeypatch.setattr(intact, "_SETTLED", 0)
    tried: list[Path] = []
    monkeypatch.setattr(intact._child, "problem_with", lambda file, _size: tried.append(file))
    for _ in range(3):
        assert problem_with(path) is None
    assert len(tried) == 1
    os.utime(path, (2, 2))
    problem_with(path)
    assert len(tried) == 2


def test_a_file_that_was_just_written_is_not_remembered(tmp_path):
    """Two changes within the resolution of the clock have the same time stamp."""
    path = tmp_path / "a.parquet"
    write_parquet(path, FRAME, {})
    read_parquet(path)
    assert not any(path in mark for mark in intact._found_intact)


def test_a_sealed_file_is_parquet_for_other_programs_and_loses_the_seal_when_they_write_it(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    write_parquet(path, FRAME, {"key": "value"})
    table = parquet.read_table(path)
    assert table.num_rows == FRAME.height
    parquet.write_table(table.append_column("new", [list(range(FRAME.height))]), path)
    assert is_sealed(path) is None
    assert read_parquet(path).drop("new").equals(FRAME)


def test_the_same_table_gives_the_same_bytes(tmp_path):
    for name in "ab":
        write_parquet(tmp_path / name, FRAME, {"key": "value"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_name_is_not_a_pattern(tmp_path):
    FRAME.write_parquet(tmp_path / "a1.parquet")
    FRAME.head(1).write_parquet(tmp_path / "a[1].parquet")
    assert read_parquet(tmp_path / "a[1].parquet").height == 1


def test_a_name_that_is_not_utf8_is_one_sentence(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\xff.parquet"))
    path.write_bytes(b"PAR1" * 5)
    with pytest.raises(FileError, match=r"a\?\.parquet: cannot be read as Parquet"):
        read_parquet(path)


def test_modules_in_the_current_folder_are_not_loaded(tmp_path):
    """A table called polars.py, or json.py, must not be run."""
    FRAME.write_parquet(tmp_path / "a.parquet")
    for name in ("polars", "json", "os"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('loaded')")
    code = "from medgauge.files.parquet import read_parquet; print(read_parquet('a.parquet').height)"
    done = run([sys.executable, "-P", "-c", code], cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("20\n", "")
