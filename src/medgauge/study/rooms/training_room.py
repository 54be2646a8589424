"""The training of a study's vectors, by medgauge.train."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from medgauge.corpus.stored_corpus import SCHEMAS, Corpus, CorpusWriter
from medgauge.study.rooms.room_protocols import TrainingTask
from medgauge.study.rooms.trial_speed import speed_of
from medgauge.train.train_vectors import train_to

_SAMPLE = 50_000  # tokens


@dataclass(frozen=True)
class VectorTraining:
    """Trains word vectors on a corpus."""

    def train(self, task: TrainingTask) -> None:
        """Train vectors; a training that was killed goes on."""
        parameters = task.options.parameters(task.architecture, task.window, task.seed)
        train_to(task.out, task.corpus, parameters, threads=task.threads, replace=True)

    def speed(self, task: TrainingTask) -> float:
        """Train on the beginning of a corpus; return how many words a second further passes take."""
        with tempfile.TemporaryDirectory() as place:
            sample = Path(place) / "sample.parquet"
            tokens = write_sample(Corpus.open(task.corpus), sample, _SAMPLE)
            options = task.options.model_copy(update={"min_count": 1})
            trial = replace(task, corpus=sample, out=Path(place) / "trial.bin")

            def train(passes: int) -> None:
                self.train(replace(trial, options=options.model_copy(update={"epochs": passes})))

            return speed_of(train, tokens)


def write_sample(corpus: Corpus, out: Path, tokens: int) -> int:
    """Write the first sentences of a corpus, up to about a number of tokens; return how many they have."""
    card = corpus.card
    with CorpusWriter(out, card.layout, tokenizer=card.tokenizer) as writer:
        for batch in corpus.batches(list(SCHEMAS[card.layout])):
            sizes = batch["tokens"].list.len()
            writer.write(batch.filter(sizes.cum_sum() - sizes < tokens - writer.tokens))
            if writer.tokens >= tokens:
                break
    return writer.tokens
