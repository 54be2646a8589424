"""Names made from those of files."""

from pathlib import Path

from medgauge.files.file_names import plain_name


def test_a_table_is_named_without_its_compression():
    assert plain_name(Path("my.pairs.csv.zst")) == "my.pairs"
