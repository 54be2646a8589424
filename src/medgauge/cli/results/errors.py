"""medgauge errors."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, out, print_result, working
from medgauge.cli.options.shared_options import (
    Bom,
    FirstTerm,
    FormatJson,
    GoldAs,
    GoldColumn,
    LabelColumn,
    MissingGold,
    NoHeader,
    PairId,
    SecondTerm,
    SheetName,
    load_named,
    split_name,
    split_sources,
)


def errors(
    run: Annotated[Path, typer.Argument(help="The folder of a stored run (medgauge evaluate … --out).")],
    *,
    model: Annotated[str, typer.Option(help="The model of the run to inspect.")],
    against: Annotated[
        str | None, typer.Option(help="Another model of the run: show where the two differ most.")
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            help="A published set, a file of pairs, or NAME=FILE, which must be the set that was "
            "evaluated. Repeat for each set, or separate them by commas. Default: all sets of the run "
            "that are on this machine."
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            help="One measure for both models, one for each (glove=fj,mine=mj), or best. Default: the run's "
            "only measure, else avg_cos and cos."
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many pairs of each set to show.")] = 10,
    term_1: FirstTerm = None,
    term_2: SecondTerm = None,
    gold: GoldColumn = None,
    label: LabelColumn = None,
    gold_as: GoldAs = None,
    pair_id: PairId = None,
    no_header: NoHeader = False,
    sheet: SheetName = None,
    missing: MissingGold = "error",
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain the terms in full.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Show the pairs on which a model is furthest from the gold, or two models from each other.

    The run has no terms: they come from the sets on this machine, and so does what is printed.

    Example: medgauge errors runs/mine --model biomed-sg-w5 --dataset bio-simlex
    """
    from medgauge.evaluation.run import Run
    from medgauge.inspection.sets_here import refuse_unpublished
    from medgauge.inspection.worst_pairs import worst_pairs
    from medgauge.report.worst_pair_tables import narrow_grids

    with working():
        stored = Run.load(run)
        sets = None
        if dataset:
            refuse_unpublished(stored, [split_name(one)[1] for one in split_sources(dataset)])
            sets = load_named(
                dataset,
                term_1=term_1,
                term_2=term_2,
                gold=gold,
                label=label,
                gold_as=gold_as,
                pair_id=pair_id,
                header=not no_header,
                sheet=sheet,
                missing=missing,
                needs_gold=True,
            )
        found = worst_pairs(stored, model=model, against=against, datasets=sets, measure=measure, top=top)
    chosen = Format.json if as_json else format
    grids = narrow_grids(found, out().width) if chosen is Format.table else None
    print_result(found, chosen, grids=grids, bom=bom)
