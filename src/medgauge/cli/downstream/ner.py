"""medgauge ner."""

from pathlib import Path
from typing import Annotated

import typer

from medgauge.cli.console import Format, print_result, say, working
from medgauge.cli.options.model_options import (
    Cluster,
    NoCache,
    TrustPickle,
    TrustRemoteCode,
    load_models,
)
from medgauge.cli.options.shared_options import (
    Bom,
    Case,
    Confidence,
    FormatJson,
    NoIntervals,
    Undecodable,
    split_name,
    split_sources,
)
from medgauge.estimate import CONFIDENCE
from medgauge.models.loading import Device, Loading
from medgauge.stats.settings import RESAMPLES, Correction


def ner(
    *,
    vectors: Annotated[
        list[str],
        typer.Option(
            metavar="MODEL",
            help="A file of word vectors, or an encoder with a vector for each word (hf:NAME?words=first); "
            "LABEL=MODEL names it. Name several in a row, or separate them by commas.",
        ),
    ],
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="FOLDER",
            help="A folder with train, devel and test files of a word and its BIO, IOB or IOBES label in a "
            "line, tab-separated, also gzipped; NAME=FOLDER names it. Name several in a row, or separate "
            "them by commas.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Store the result and what each network found in this folder.")
    ] = None,
    random: Annotated[
        bool,
        typer.Option(
            "--random", help="Add random vectors of the same size, for the words of the first file."
        ),
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs of training.")] = 20,
    trials: Annotated[int, typer.Option(min=1, help="Networks trained for each model and corpus.")] = 3,
    patience: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="EPOCHS",
            help="Stop once F on the development part has not risen for this number of epochs, and score the "
            "best. Default: score after the last epoch.",
        ),
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="Train the vectors too. Default: they stay as they are.")
    ] = False,
    viterbi: Annotated[
        bool,
        typer.Option("--viterbi", help="Decode legal sequences of labels, not the best label of each word."),
    ] = False,
    crf: Annotated[
        bool, typer.Option("--crf", help="Train a linear-chain conditional random field over the labels.")
    ] = False,
    window: Annotated[
        int, typer.Option(min=1, help="Words that the network sees at a time: an odd number.")
    ] = 5,
    hidden: Annotated[int, typer.Option(min=1, help="Hidden units.")] = 300,
    dropout: Annotated[float, typer.Option(help="Probability that a hidden unit is dropped.")] = 0.2,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 0.01,
    batch: Annotated[int, typer.Option(min=1, help="Windows for each step; with --crf, sentences.")] = 50,
    case: Case = "fallback",
    undecodable: Undecodable = "error",
    device: Annotated[
        Device, typer.Option(help="Where networks and encoders run; auto takes a GPU if there is one.")
    ] = "auto",
    cluster: Cluster = None,
    no_cache: NoCache = False,
    trust_remote_code: TrustRemoteCode = False,
    trust_pickle: TrustPickle = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the trials, random vectors and resamples.")] = 0,
    alpha: Annotated[float, typer.Option(help="Level of significance.")] = 0.05,
    correction: Annotated[
        Correction, typer.Option(help="Correction of the tests on a corpus for their number.")
    ] = "bonferroni",
    resamples: Annotated[
        int, typer.Option(min=1, help="Number of bootstrap resamples of the test sentences.")
    ] = RESAMPLES,
    confidence: Confidence = CONFIDENCE,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace another result in the folder given by --out.")
    ] = False,
    no_intervals: NoIntervals = False,
    format: Annotated[  # noqa: A002 - the option's name
        Format, typer.Option(help="Output format; csv and json contain every figure.")
    ] = Format.table,
    as_json: FormatJson = False,
    bom: Bom = False,
) -> None:
    """Measure what vectors are worth to a small network that finds entities in text.

    Trains the window network of Chiu et al. (2018) on each corpus and reports F of whole entities, as
    conlleval counts them. A run that was killed goes on where it stopped, if it has --out.

    Example: medgauge ner --vectors vectors.bin --random --corpus ner/BC2GM --out runs/ner
    """
    from medgauge.ner.entity_recognition import entity_recognition

    loading = Loading(
        tokenizer="whitespace",
        case=case,
        undecodable=undecodable,
        device=device,
        cluster=cluster,
        cached=not no_cache,
        trust_remote_code=trust_remote_code,
        trust_pickle=trust_pickle,
    )
    with working():
        found = entity_recognition(
            load_models(vectors, loading),
            _corpora(corpus),
            out=out,
            random=random,
            epochs=epochs,
            trials=trials,
            patience=patience,
            tune=tune,
            viterbi=viterbi,
            crf=crf,
            window=window,
            hidden=hidden,
            dropout=dropout,
            rate=rate,
            batch=batch,
            seed=seed,
            device=device,
            alpha=alpha,
            correction=correction,
            resamples=resamples,
            confidence=confidence,
            replace=replace,
        )
    print_result(found, Format.json if as_json else format, intervals=not no_intervals, bom=bom)
    if out is not None:
        say(f"result stored in {out}")


def _corpora(given: list[str]) -> dict[str, str]:
    """Return the folders of corpora by name; each that has none is named after its folder."""
    named = [split_name(one) for one in dict.fromkeys(split_sources(given))]
    names = [name or Path(folder).resolve().name for name, folder in named]
    for name in names:
        if names.count(name) > 1:
            raise typer.BadParameter(f"two corpora are called '{name}'; name one of them (NAME=FOLDER)")
    return {name: folder for name, (_, folder) in zip(names, named, strict=True)}
