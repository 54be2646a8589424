"""The SPECIALIST Lexicon of the user's own copy: inflected forms, spellings, nominalisations and synonyms.

It is read from the unit records of the file LEXICON, from the tables LRAGR, LRSPL and LRNOM, and from the
synonyms in SM.DB (synonyms.data in the Lexical Tools), each packed or not. What has several words is skipped.
Format: https://lhncbc.nlm.nih.gov/LSG/Projects/lexicon/current/docs/designDoc/UDF/lexiconTables/
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from medgauge.build.words.lexical.regular_inflection import noun_plurals, verb_forms
from medgauge.errors import FileError, printable
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import read_text
from medgauge.progress import track

_CATEGORIES = {"1": "adj", "2": "adv", "128": "noun", "1024": "verb"}
"""The categories that SM.DB has as numbers; the other tables name them."""


@dataclass(frozen=True)
class SpecialistLexicon:
    """The single words of a lexicon, in lower case.

    `forms` has `form`, `part` (noun, verb, adj, …) and `base`, for each inflected form and spelling variant;
    `nominalisations` has `noun` and `base`, the verb or adjective; `synonyms` has `part`, `word_1` and
    `word_2`. `files` has the SHA-256 of each file that was read.
    """

    files: dict[str, str]
    forms: pl.DataFrame
    nominalisations: pl.DataFrame
    synonyms: pl.DataFrame


@dataclass
class _Collected:
    """What has been read so far; `spellings` are by base form."""

    forms: set[tuple[str, str, str]] = field(default_factory=set)
    nominalisations: set[tuple[str, str]] = field(default_factory=set)
    synonyms: set[tuple[str, str, str]] = field(default_factory=set)
    spellings: set[tuple[str, str]] = field(default_factory=set)

    def form(self, form: str, part: str, base: str) -> None:
        if _is_word(form) and _is_word(base):
            self.forms.add((form.lower(), part, base.lower()))

    def nominalisation(self, noun: str, base: str) -> None:
        if _is_word(noun) and _is_word(base):
            self.nominalisations.add((noun.lower(), base.lower()))


def read_lexicon(path: str | Path) -> SpecialistLexicon:
    """Read a lexicon: a folder with the files that it has of LEXICON, LRAGR, LRSPL, LRNOM and SM.DB, or one.

    A file is recognised by how its name begins, and LEXICON also by its content.
    """
    path = Path(path)
    if not path.exists():
        raise FileError(path, "there is no such file or folder")
    listed = sorted(path.iterdir()) if path.is_dir() else [path]
    found = [(one, reader) for one in listed if (reader := _reader_of(one, alone=not path.is_dir()))]
    if not found:
        raise FileError(
            path, "is not a SPECIALIST Lexicon: name its folder, or its LEXICON, LRAGR, LRSPL, LRNOM or SM.DB"
        )
    collected = _Collected()
    with track(f"reading {path.name}", len(found)) as advance:
        for file, reader in found:
            reader(file, read_text(file), collected)
            advance(1)
    for spelling, base in sorted(collected.spellings):
        for part in ("noun", "verb"):
            if (base, part, base) in collected.forms:
                collected.form(spelling, part, base)
    return SpecialistLexicon(
        files={printable(file.name): remembered_sha256(file) for file, _ in found},
        forms=_frame(collected.forms, "form", "part", "base"),
        nominalisations=_frame(collected.nominalisations, "noun", "base"),
        synonyms=_frame(collected.synonyms, "part", "word_1", "word_2"),
    )


_Reader = Callable[[Path, str, _Collected], None]


def _reader_of(path: Path, *, alone: bool) -> _Reader | None:
    """Return what reads a file; None for one that is not of a lexicon."""
    if not path.is_file():
        return None
    name = path.name.lower()
    for begin, reader in _READERS.items():
        if name.startswith(begin):
            return reader
    if alone and read_text(path).lstrip().startswith("{base="):
        return _read_records
    return None


def _read_records(path: Path, text: str, into: _Collected) -> None:
    """Read unit records, from {base= to }."""
    record: dict[str, list[str]] | None = None
    begun = 0
    for number, line in enumerate(text.splitlines(), 1):
        tag, equals, value = line.strip().partition("=")
        if tag == "{base":
            if record is not None:
                raise FileError(path, "the record before it is not closed with }", place=f"line {number}")
            record, begun = {"base": [value]}, number
        elif tag == "}":
            if record is None:
                raise FileError(path, "a record is closed that was not opened", place=f"line {number}")
            _add_record(record, into)
            record = None
        elif equals and record is not None:
            record.setdefault(tag, []).append(value)
        elif tag and record is None:
            raise FileError(path, "is outside of the records from {base= to }", place=f"line {number}")
    if record is not None:
        raise FileError(path, "the last record is cut off; get the file again", place=f"line {begun}")


def _add_record(record: dict[str, list[str]], into: _Collected) -> None:
    base = record["base"][0]
    part = (record.get("cat") or [""])[0]
    for spelling in (base, *record.get("spelling_variant", [])):
        into.form(spelling, part, base)
        for variants in record.get("variants", []):
            for form in _inflected(spelling, part, variants.removeprefix("group(").rstrip(")")):
                into.form(form, part, base)
    for noun in record.get("nominalization", []):
        into.nominalisation(noun.partition("|")[0], base)
    for verb in record.get("nominalization_of", []):
        into.nominalisation(base, verb.partition("|")[0])


def _inflected(base: str, part: str, variants: str) -> Iterator[str]:
    """Yield the forms by a code for variants, such as reg or irreg|go|goes|went|gone|going|."""
    code, _, listed = variants.partition("|")
    if code == "irreg":
        own, *forms = listed.split("|")
        if own == base:  # a spelling variant has a line of its own
            yield from (form for form in forms if form)
    elif part == "noun":
        yield from noun_plurals(base, code)
    elif part == "verb":
        yield from verb_forms(base, code)


def _read_agreement(path: Path, text: str, into: _Collected) -> None:
    for _, (_eui, form, part, _agreement, _citation, base) in _rows(path, text, 6):
        into.form(form, part, base)


def _read_spellings(path: Path, text: str, into: _Collected) -> None:
    for _, (_eui, spelling, base) in _rows(path, text, 3):
        if _is_word(spelling) and _is_word(base):
            into.spellings.add((spelling.lower(), base.lower()))


def _read_nominalisations(path: Path, text: str, into: _Collected) -> None:
    for _, (_eui, noun, _noun, _eui_of, base, _part) in _rows(path, text, 6):
        into.nominalisation(noun, base)


def _read_synonyms(path: Path, text: str, into: _Collected) -> None:
    """Read index, base, category, synonym and category; a sixth field, the source, came in 2017."""
    for place, fields in _rows(path, text, 5, 6):
        first, part, second, other = fields[1:5]
        part, other = (_CATEGORIES.get(one, one) for one in (part, other))
        if not (part.isalpha() and other.isalpha()) and not (part.isdigit() and other.isdigit()):
            raise FileError(path, "the third and the fifth field must be categories", place=place)
        if part == other and _is_word(first) and _is_word(second):
            one, two = sorted((first.lower(), second.lower()))
            if one != two:
                into.synonyms.add((part, one, two))


def _rows(path: Path, text: str, *widths: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the fields of each row; a row ends with a separator in most releases."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("|")
        if len(fields) > min(widths) and not fields[-1]:
            fields.pop()
        if len(fields) not in widths:
            wanted = " or ".join(map(str, widths))
            raise FileError(
                path,
                f"the row has {len(fields)} fields between |, and {wanted} are expected",
                place=f"line {number}",
            )
        yield f"line {number}", fields


_READERS: dict[str, _Reader] = {
    "lexicon": _read_records,
    "lragr": _read_agreement,
    "lrspl": _read_spellings,
    "lrnom": _read_nominalisations,
    "sm.db": _read_synonyms,
    "synonyms.data": _read_synonyms,
}


def _is_word(text: str) -> bool:
    return bool(text) and not any(sign.isspace() for sign in text)


def _frame(rows: Iterable[tuple[str, ...]], *columns: str) -> pl.DataFrame:
    return pl.DataFrame(sorted(rows), schema=dict.fromkeys(columns, pl.String), orient="row")
