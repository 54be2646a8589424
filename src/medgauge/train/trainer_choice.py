"""Which trainer an architecture has."""

from medgauge.errors import InputError, option
from medgauge.train.architectures import ARCHITECTURES
from medgauge.train.encoded_corpus import EncodedCorpus
from medgauge.train.gensim_trainer import GensimTrainer
from medgauge.train.kernel_trainers import KERNEL_TRAINERS
from medgauge.train.trainers import Trainer
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts


def trainer_of(parameters: TrainingParameters, counts: WordCounts, encoded: EncodedCorpus) -> Trainer:
    """Return what trains with these parameters, before the first piece."""
    try:
        if ARCHITECTURES[parameters.arch].by_gensim:
            return GensimTrainer(parameters, counts)
        return KERNEL_TRAINERS[parameters.arch](parameters, counts, encoded)
    except MemoryError as error:
        wide = f" and {option('window')}" if parameters.arch == "ssg" else ""
        raise InputError(
            f"{len(counts.words):,} words of {parameters.dim:,} dimensions do not fit into memory; raise "
            f"{option('min_count')}, or lower {option('dim')}{wide}"
        ) from error
