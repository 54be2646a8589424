"""The training of a study's vectors, by medgauge.train."""

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from medgauge.corpus.stored_corpus import SCHEMAS, Corpus, CorpusWriter
from medgauge.study.rooms import TrainingTask
from medgauge.train.train_vectors import train_to

_SAMPLE = 50_000  # tokens
_PASSES = 2  # by which the longer trial is longer


@dataclass(frozen=True)
class VectorTraining:
    """Trains word vectors on a corpus."""

    def train(self, task: TrainingTask) -> None:
        """Train vectors; a training that was killed goes on."""
        parameters = task.options.parameters(task.architecture, task.window, task.seed)
        train_to(task.out, task.corpus, parameters, threads=task.threads, replace=True)

    def speed(self, task: TrainingTask) -> float:
        """Train twice on the beginning of a corpus; what the longer one takes more is its further passes."""
        with tempfile.TemporaryDirectory() as place:
            sample = Path(place) / "sample.parquet"
            tokens = write_sample(Corpus.open(task.corpus), sample, _SAMPLE)
            options = task.options.model_copy(update={"min_count": 1})
            seconds = [
                self._seconds(
                    replace(task, corpus=sample, options=options, out=Path(place) / "trial.bin"), passes
                )
                for passes in (1, 1 + _PASSES)
            ]
        return _PASSES * tokens / max(seconds[1] - seconds[0], 1e-6)

    def _seconds(self, task: TrainingTask, passes: int) -> float:
        options = task.options.model_copy(update={"epochs": passes})
        started = time.perf_counter()
        self.train(replace(task, options=options))
        return time.perf_counter() - started


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
