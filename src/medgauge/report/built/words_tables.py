"""A benchmark of word similarity: as a summary, as grids of words and of quarters, and as rows."""

from medgauge.build.words.choice.parts_of_speech import PLURAL
from medgauge.build.words.choice.word_domains import DOMAINS
from medgauge.build.words.word_sheet import ExpertFacts, WordSheet
from medgauge.errors import option
from medgauge.report.grids.grid import Cell, ColumnTypes, Grid, counted, short_name

_COUNTS = ("linked", "candidates", "accepted", "pairs")


def summary(sheet: WordSheet) -> list[str]:
    """Describe in a few lines what was chosen and what was written."""
    chosen = [
        f"{counts['biomedical']:,} biomedical and {counts['general']:,} general {PLURAL[part]}"
        for part, counts in sheet.domains.items()
    ]
    written = [f"{counted(one.pairs, 'pair')} of {name}" for name, one in sheet.sets.items()]
    return [
        f"a word table of {sheet.source.unit}s, from {counted(sheet.source.tokens, 'token')}",
        f"chosen: {'; '.join(chosen)}",
        f"written: {'; '.join(written)}" if written else _why_unwritten(sheet),
    ]


def grids(sheet: WordSheet) -> list[Grid]:
    """Return two grids, or one for a dry run: what each step left of the words, and the quarters."""
    return [_word_grid(sheet), *([_quarter_grid(sheet)] if sheet.quarters else [])]


def rows(sheet: WordSheet) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every step, domain and quarter as a row for each part of speech."""
    columns: ColumnTypes = {
        "part_of_speech": str,
        "stage": str,
        "what": str,
        "words": int,
        **dict.fromkeys(_COUNTS, int),
    }
    blank: list[object] = [None] * len(_COUNTS)
    listed: list[list[object]] = []
    for part in sheet.parts:
        listed += [[part, "step", step.step, step.words[part], *blank] for step in sheet.steps]
        listed += [[part, "domain", domain, sheet.domains[part][domain], *blank] for domain in DOMAINS]
        listed += [
            [part, "quarter", one.quarter, None, *(getattr(one, name) for name in _COUNTS)]
            for one in sheet.quarters
            if one.part == part
        ]
    return columns, listed


def _word_grid(sheet: WordSheet) -> Grid:
    shown = [[Cell(step.step), *(_number(step.words[part]) for part in sheet.parts)] for step in sheet.steps]
    shown += [
        [Cell(f"  {domain}"), *(_number(sheet.domains[part][domain]) for part in sheet.parts)]
        for domain in DOMAINS
    ]
    return Grid(
        "Choice of words", ["step", *(PLURAL[part] for part in sheet.parts)], shown, _word_notes(sheet)
    )


def _word_notes(sheet: WordSheet) -> list[str]:
    choosing = sheet.choosing
    notes = [
        f"Biomedical: at least {choosing.biomedical:g} × as frequent as in "
        f"{short_name(sheet.general_english)}; general: at most {choosing.general:g} ×, and less than "
        f"{choosing.frequent_in_both:g} times per million words in one of both; borderline: neither."
    ]
    if sheet.source.unit == "form":
        notes.append(
            "The words of the corpus are forms; those of one lemma are one word."
            if choosing.lemmatise
            else f"The words of the corpus are forms, not lemmas ({option('lemmatise', True)})."
        )
    if sheet.domain_experts is not None:
        notes.append(f"Of borderline words, {_agreement(sheet.domain_experts)}.")
    return notes


def _quarter_grid(sheet: WordSheet) -> Grid:
    shown = [
        [
            Cell(PLURAL[one.part]),
            Cell(one.quarter),
            *(_number(getattr(one, name)) for name in _COUNTS),
        ]
        for one in sheet.quarters
    ]
    return Grid("Pairs in quarters", ["set", "quarter", *_COUNTS], shown, _quarter_notes(sheet), labels=2)


def _quarter_notes(sheet: WordSheet) -> list[str]:
    asked = sheet.pairing
    assert asked is not None
    linked = ", ".join(short_name(one.title) for one in sheet.resources)
    notes = [f"Linked by {linked}." if linked else "Nothing links the words."]
    if asked.unjudged:
        notes.append(f"No expert has judged the candidates ({option('unjudged', True)}).")
    elif sheet.pair_experts is not None:
        notes.append(f"Of candidates, {_agreement(sheet.pair_experts)}.")
    elif sheet.sets:
        notes.append("There were no candidates for experts to judge.")
    else:
        text = _why_unwritten(sheet)
        notes.append(f"{text[0].upper()}{text[1:]}.")
    if sheet.sets:
        frequency = "as many of low, medium and high frequency" if asked.balance_frequency else "at random"
        notes.append(
            f"Drawn {frequency} (seed {asked.seed}), a word in at most {counted(asked.per_word, 'pair')} of "
            "a quarter."
        )
    return notes


def _why_unwritten(sheet: WordSheet) -> str:
    if sheet.pairing is None:
        return "dry run: no pairs were written"
    return "no pairs were written: experts judge the candidates first"


def _agreement(facts: ExpertFacts) -> str:
    return f"{counted(facts.experts, 'expert')} judged {facts.judged:,} and agreed on {facts.agreed:,}"


def _number(value: int | None) -> Cell:
    return Cell("" if value is None else f"{value:,}")
