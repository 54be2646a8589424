"""Workbooks for the tests, as Excel and LibreOffice write them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

Rows = Sequence[Any]


def write_xlsx(path: Path, sheets: Mapping[str, Rows], *, above: int = 0) -> Path:
    """Write an Excel file with blank rows above each sheet's rows; None leaves a cell empty."""
    with xlsxwriter.Workbook(str(path), {"strings_to_formulas": False}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if cell is not None:
                        sheet.write(number + above, column, cell)
    return path


def write_ods(path: Path, sheets: Mapping[str, Rows]) -> Path:
    """Write an OpenDocument file."""
    document = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        table = Table(name=name)
        for row in rows:
            line = TableRow()
            for cell in row:
                is_text = isinstance(cell, str)
                made = TableCell(valuetype="string") if is_text else TableCell(valuetype="float", value=cell)
                made.addElement(P(text=str(cell)))
                line.addElement(made)
            table.addElement(line)
        document.spreadsheet.addElement(table)
    document.save(str(path))
    return path
