"""entity_recognition: train a small network on vectors, and see how many entities it finds."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, get_args

from medgauge.errors import InputError, MissingExtraError, UnknownNameError, option
from medgauge.estimate import CONFIDENCE, check_confidence
from medgauge.evaluation.inputs import Models, named_models
from medgauge.files.folders import key_of
from medgauge.models.encoders.computation.devices import place_for
from medgauge.models.loading import Device
from medgauge.models.lookup import check_choice
from medgauge.ner.labels.tagged_corpus import Corpora, TaggedCorpus, read_corpora
from medgauge.ner.networks.network_settings import NetworkSettings, network_settings
from medgauge.ner.networks.network_training import train
from medgauge.ner.networks.training_group import Trained, Trainee
from medgauge.ner.recognition_figures import results
from medgauge.ner.recognition_folder import RecognitionFolder, counts_path
from medgauge.ner.recognition_result import PROTOCOL, ContestSettings, EntityRecognition, TokenCoverage
from medgauge.ner.token_vectors import TokenVectors, VectorSource, vector_sources
from medgauge.progress import remark, track
from medgauge.stats.settings import MOST_RESAMPLES, RESAMPLES, Correction


def entity_recognition(
    models: Models,
    corpora: Corpora,
    *,
    out: str | Path | None = None,
    random: bool = False,
    epochs: int = 20,
    trials: int = 3,
    patience: int | None = None,
    tune: bool = False,
    viterbi: bool = False,
    crf: bool = False,
    window: int = 5,
    hidden: int = 300,
    dropout: float = 0.2,
    rate: float = 0.01,
    batch: int = 50,
    seed: int = 0,
    device: Device = "auto",
    alpha: float = 0.05,
    correction: Correction = "bonferroni",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    replace: bool = False,
) -> EntityRecognition:
    r"""Measure what vectors are worth to a small network that finds entities in text.

    `models` are vector files or any word vectors (or encoders with a vector for each word, such as
    "hf:NAME?words=first"), or a mapping from names to them; `random` adds random vectors of the same size for
    the same words, with the same deviation. `corpora` are folders with `train`, `devel` and `test` files of a
    word and its label in a line (BIO, IOB or IOBES), or a mapping from names to folders.

    The network is that of table 4 of Chiu et al. (2018): the vectors of `window` words, `hidden` units with a
    hard tanh, dropout, a softmax, and `epochs` of gradient descent. `tune` trains the vectors too, `viterbi`
    decodes legal sequences of labels, `crf` trains a linear-chain conditional random field, and `patience`
    stops by F on the development part. Each model has as many `trials`, which differ in their seeds. The
    result of a model does not depend on which others there are.

    Precision, recall and F are those of whole entities on the test part, as conlleval counts them. Every two
    models are compared by a bootstrap over the test sentences.

    With `out`, the result is stored in that folder; one that was killed resumes with the networks that are
    left to train. A folder with another result is left alone unless `replace`.

    Reference: Chiu, Pyysalo, Vulić and Korhonen (2018). Bio-SimVerb and Bio-SimLex: wide-coverage evaluation
    sets of word similarity in biomedicine. BMC Bioinformatics 19:33.

    >>> import tempfile
    >>> text = "IL-2\tB-gene\nactivates\tO\nNF-kappaB\tB-gene\n\n" * 40
    >>> vectors = {"IL-2": [1.0, 0.2], "NF-kappaB": [0.9, 0.1], "activates": [-1.0, 0.3]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in ("train", "devel", "test"):
    ...         _ = (Path(folder) / f"{part}.tsv").write_text(text)
    ...     found = entity_recognition(vectors, {"tiny": folder}, epochs=3, trials=2, rate=0.5)
    >>> [(one.model, one.corpus, one.f) for one in found.figures]
    [('vectors', 'tiny', 1.0)]
    """
    if find_spec("torch") is None:
        raise MissingExtraError("torch", extra="ner")
    settings = network_settings(
        window=window,
        hidden=hidden,
        dropout=dropout,
        rate=rate,
        batch=batch,
        epochs=epochs,
        patience=patience,
        trials=trials,
        tune=tune,
        viterbi=viterbi,
        crf=crf,
        seed=int(seed),
    )
    tests = _test_settings(alpha, correction, resamples, confidence)
    check_choice("device", device, Device)
    place = place_for(device, "float32")
    read = read_corpora(corpora)
    named = named_models(models, settings.seed, tokenizer="whitespace")
    sources = vector_sources(named, read, random=random, seed=settings.seed)
    if fixed := [one.card.name for one in sources if settings.tune and not one.tunable]:
        raise InputError(f"{fixed[0]}: the vectors of an encoder cannot be tuned; leave out {option('tune')}")
    plan = _Plan(settings, place.device, sources, read)
    if out is None:
        return _results(plan, tests, None)
    folder = RecognitionFolder.at(out)
    with folder.locked():
        if (stored := _stored(folder, plan, tests, replace=replace)) is not None:
            remark(f"{out} already holds this result: nothing had to be trained")
            return stored
        found = _results(plan, tests, folder)
        folder.finish(found, {counts_path(*one) for one in plan.networks})
    return found


@dataclass(frozen=True)
class _Plan:
    """All inputs, loaded and checked."""

    settings: NetworkSettings
    device: str
    sources: list[VectorSource]
    corpora: list[TaggedCorpus]

    @property
    def networks(self) -> list[tuple[str, str, int]]:
        """The model, corpus and trial of each network, in the order of the results."""
        names = [one.card.name for one in self.sources]
        trials = range(self.settings.trials)
        return [(model, one.name, trial) for one in self.corpora for model, trial in product(names, trials)]

    def key(self, source: VectorSource, corpus: TaggedCorpus, trial: int) -> str:
        """Return a digest of everything that a network depends on; empty if the model has none itself."""
        if not source.card.digest:
            return ""
        return key_of(
            protocol=PROTOCOL,
            settings=self.settings.model_dump(exclude={"trials"}),
            device=self.device,
            model=source.card.model_dump(mode="json"),
            corpus=corpus.digest,
            trial=trial,
        )


def _test_settings(alpha: float, correction: str, resamples: int, confidence: float) -> ContestSettings:
    check_confidence(confidence)
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be between 0 and 1, such as 0.05, not {alpha:g}")
    if correction not in get_args(Correction):
        raise UnknownNameError("correction", correction, get_args(Correction))
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise InputError(f"resamples must be between 1 and {MOST_RESAMPLES:,}, not {resamples:,}")
    given: Any = correction
    return ContestSettings(alpha=alpha, correction=given, resamples=resamples, confidence=confidence)


def _stored(
    folder: RecognitionFolder, plan: _Plan, tests: ContestSettings, *, replace: bool
) -> EntityRecognition | None:
    """Return the stored result if it is the planned one; refuse to overwrite another one."""
    stored = folder.stored(damaged=replace)
    if stored is None:
        return None
    same = {
        "protocol": stored.protocol == PROTOCOL,
        "settings": (stored.settings, stored.tests) == (plan.settings, tests),
        "device": stored.device == plan.device,
        "models": stored.models == [one.card for one in plan.sources],
        "corpora": {one.name: one.digest for one in stored.corpora}
        == {one.name: one.digest for one in plan.corpora},
    }
    differences = [what for what, is_same in same.items() if not is_same]
    if differences and not replace:
        raise InputError(
            f"{folder.folder} holds a result with different {', '.join(differences)}; choose another folder, "
            f"or add {option('replace', True)} (networks that are the same are not trained again)"
        )
    is_known = all(one.card.digest for one in plan.sources)
    return None if differences or not is_known else stored


def _results(plan: _Plan, tests: ContestSettings, folder: RecognitionFolder | None) -> EntityRecognition:
    """Train the networks that were not trained before, and compute the figures of all."""
    networks = _found(plan, folder)
    if networks:
        remark(f"resuming: {len(networks)} of {len(plan.networks)} networks are kept")
    covered = []
    for corpus in plan.corpora:
        vectors = {one.card.name: one.vectors(corpus) for one in plan.sources}
        covered += [
            TokenCoverage(model=name, corpus=corpus.name, train=own.known("train"), test=own.known("test"))
            for name, own in vectors.items()
        ]
        networks |= _trained(plan, folder, corpus, vectors, set(networks))
    return results(
        networks,
        [one.card for one in plan.sources],
        plan.corpora,
        covered,
        settings=plan.settings,
        tests=tests,
        device=plan.device,
    )


def _trained(
    plan: _Plan,
    folder: RecognitionFolder | None,
    corpus: TaggedCorpus,
    vectors: Mapping[str, TokenVectors],
    known: Container[tuple[str, str, int]],
) -> dict[tuple[str, str, int], Trained]:
    """Train the networks on a corpus that are not known, and keep each as soon as it is done."""
    networks: dict[tuple[str, str, int], Trained] = {}
    wanted = [
        (source, trial)
        for source, trial in product(plan.sources, range(plan.settings.trials))
        if (source.card.name, corpus.name, trial) not in known
    ]
    with track(f"training on {corpus.name}", len(wanted) * plan.settings.epochs, "epochs") as advance:
        for dim in dict.fromkeys(source.dim for source, _ in wanted):  # networks of one shape go together
            group = [(source, trial) for source, trial in wanted if source.dim == dim]
            names = list(dict.fromkeys(source.card.name for source, _ in group))

            def done(number: int, found: Trained, group: list[tuple[VectorSource, int]] = group) -> None:
                source, trial = group[number]
                networks[source.card.name, corpus.name, trial] = found
                if folder is not None and (key := plan.key(source, corpus, trial)):
                    path = counts_path(source.card.name, corpus.name, trial)
                    folder.keep_trained(path, key, found, corpus.types)

            train(
                corpus,
                [vectors[name] for name in names],
                [Trainee(names.index(source.card.name), trial) for source, trial in group],
                plan.settings,
                device=plan.device,
                done=done,
                advance=advance,
            )
    return networks


def _found(plan: _Plan, folder: RecognitionFolder | None) -> dict[tuple[str, str, int], Trained]:
    """Find networks that were trained before, and keep them."""
    networks: dict[tuple[str, str, int], Trained] = {}
    for corpus, source, trial in product(plan.corpora, plan.sources, range(plan.settings.trials)):
        key = plan.key(source, corpus, trial)
        if folder is None or not key:
            continue
        path = counts_path(source.card.name, corpus.name, trial)
        if (found := folder.find(path, key, corpus)) is not None:
            networks[source.card.name, corpus.name, trial] = found
            folder.keep_trained(path, key, found, corpus.types)
    return networks
