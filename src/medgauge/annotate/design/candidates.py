"""The pairs that a study can be made of: sets, and tables of pairs that nobody has rated yet."""

from pathlib import Path

from medgauge.catalog.cards import published_sets
from medgauge.catalog.columns import ALIASES, find_by_name, find_columns, listed_columns, to_pairs
from medgauge.catalog.datasets import load_datasets
from medgauge.errors import FileError
from medgauge.files import plain_name
from medgauge.pairs import Card, PairSet, has_card
from medgauge.tables import Row, Table, read_table


def load_candidates(source: str | Path) -> list[PairSet]:
    """Load pairs to be rated, as `load_datasets` does; a table of terms needs neither gold nor labels.

    The pairs of such a table are a graded set whose gold is 0 throughout, which a study does not keep.
    """
    path = Path(source)
    if source in published_sets() or not path.is_file() or has_card(path):
        return load_datasets(source)
    table = read_table(path)
    columns = find_by_name(table.header, ALIASES, {})
    if not {"term_1", "term_2"} <= columns.keys():
        raise FileError(
            path,
            f"no columns of terms were found among {listed_columns(table)}; call them term_1 and term_2",
        )
    if not columns.keys() & {"gold", "label"}:
        rows = [Row(row.place, (*row.values, 0.0)) for row in table.rows]
        table = Table(path, (*table.header, "gold"), rows)
    name = plain_name(path)
    return [to_pairs(table, find_columns(table, {}), Card(name=name, title=name, source=path.name))]
