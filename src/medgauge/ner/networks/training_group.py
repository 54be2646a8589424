"""Networks that are trained side by side on one device, epoch by epoch."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.ner.labels.entity_scoring import sentence_counts
from medgauge.ner.labels.tag_schemes import FORMS, entities_of, iobes_tags, may_follow
from medgauge.ner.labels.tagged_corpus import TaggedCorpus, TaggedPart
from medgauge.ner.networks.label_decoding import best_labels, legal_transitions
from medgauge.ner.networks.linear_chain import ChainFields
from medgauge.ner.networks.network_settings import NetworkSettings
from medgauge.ner.networks.sentence_windows import WindowInputs, windows_of
from medgauge.ner.networks.trial_draws import TrialDraws
from medgauge.ner.networks.window_network import Layers, WindowNetworks, softmax_error
from medgauge.ner.token_vectors import TokenVectors
from medgauge.stats.systems.f_measure import f_measure

if TYPE_CHECKING:
    from torch import Tensor

_AHEAD = 32  # batches whose dropped units are drawn and sent to the device at a time
_TOKENS = 8192  # scored at a time


@dataclass(frozen=True)
class Trainee:
    """A network to train: the number of its table of vectors, and its trial."""

    vectors: int
    trial: int


@dataclass(frozen=True)
class Trained:
    """A trained network: entities by sentence of the test part, and by type of the development part.

    `epochs` are those that were trained, `scored` the one after which it was scored, `loss` the mean over the
    batches of the last epoch.
    """

    test: Integers
    devel: Integers
    epochs: int
    scored: int
    loss: float


@dataclass
class _Best:
    """The best state of a network so far, by F on the development part."""

    f: float = -1.0
    epoch: int = 0
    weights: "list[Tensor]" = field(default_factory=list)


class TrainingGroup:
    """Networks that are trained side by side, with what they are given on the device."""

    def __init__(
        self,
        corpus: TaggedCorpus,
        tables: Sequence[TokenVectors],
        trainees: Sequence[Trainee],
        settings: NetworkSettings,
        device: str,
    ) -> None:
        import torch

        self._corpus, self._settings, self._device = corpus, settings, device
        self._trainees = list(trainees)
        used = sorted({one.vectors for one in trainees})
        self._table_of = [used.index(one.vectors) for one in trainees]
        arrays = [tables[number].table for number in used]
        self._inputs = WindowInputs.of(arrays, self._table_of, tuned=settings.tune, device=device)
        self._windows = {
            name: torch.from_numpy(
                np.stack(
                    [windows_of(tables[number].rows[name], part.starts, settings.window) for number in used]
                )
            ).to(device)
            for name, part in corpus.parts.items()
        }
        self._labels = torch.from_numpy(corpus.train.labels.astype(np.int64)).to(device)
        self._label_count = 1 + FORMS * len(corpus.types)
        trials = sorted({one.trial for one in trainees})
        self._trial_of = [trials.index(one.trial) for one in trainees]
        self._draws = [TrialDraws(settings.seed, trial) for trial in trials]
        self._networks = self._first_networks(arrays[0].shape[1])
        self._fields = ChainFields.of(len(trainees), self._label_count, device) if settings.crf else None
        self._best = [_Best() for _ in trainees]
        self.epoch = 0
        self.results: dict[int, Trained] = {}
        self.running = list(range(len(trainees)))
        self._place_running()

    def _first_networks(self, dim: int) -> WindowNetworks:
        """Draw the first weights of each trial, which are the same for all vectors."""
        values, units = dim * self._settings.window, self._settings.hidden
        drawn = [(one.weights(values, units), one.weights(units, self._label_count)) for one in self._draws]
        chosen = [drawn[number] for number in self._trial_of]
        return WindowNetworks.of([one for one, _ in chosen], [two for _, two in chosen], self._device)

    def train_epoch(self) -> None:
        """Train the running networks for an epoch, and score those that are done."""
        losses = self._epoch_by_sentence() if self._settings.crf else self._epoch_by_window()
        self.epoch += 1
        patience = self._settings.patience
        if patience is not None:
            for number in self.running:
                self._note_best(number)
        is_last = self.epoch == self._settings.epochs
        ended = [
            number
            for number in self.running
            if is_last or (patience is not None and self.epoch - self._best[number].epoch >= patience)
        ]
        for number in ended:
            scored = self.epoch
            if patience is not None:
                scored = self._best[number].epoch
                self._restore(number)
            test, devel = (self._counts(number, name) for name in ("test", "devel"))
            place = self.running.index(number)
            self.results[number] = Trained(test, devel.sum(axis=0), self.epoch, scored, float(losses[place]))
        if ended:
            self._keep([place for place, number in enumerate(self.running) if number not in ended])

    def _epoch_by_window(self) -> Doubles:
        """Take a step for each batch of windows, in a drawn order; return the mean loss of each network."""
        import torch

        size, count = self._settings.batch, len(self._corpus.train.words)
        order = self._sent(np.stack([one.order(count) for one in self._draws]))
        losses = torch.zeros(len(self.running), device=self._device)
        firsts = list(range(0, count, size))
        for begin in range(0, len(firsts), _AHEAD):
            some = firsts[begin : begin + _AHEAD]
            kept = self._kept(min(some[-1] + size, count) - some[0])
            for first in some:
                rows = self._by_network(order[:, first : first + size])
                here = None if kept is None else kept[:, first - some[0] : first - some[0] + size]
                windows = self._training_windows(rows)
                scores, layers = self._networks.forward(
                    self._inputs.vectors(windows), None if here is None else self._by_network(here)
                )
                loss, error = softmax_error(scores, self._labels[rows])
                losses += loss * (rows.shape[1] / count)
                self._learn(windows, layers, error)
        return np.asarray(losses.cpu().numpy(), np.float64)

    def _epoch_by_sentence(self) -> Doubles:
        """Take a step for each batch of sentences; return the mean loss of a sentence of each network."""
        import torch

        assert self._fields is not None
        starts, size = self._corpus.train.starts, self._settings.batch
        orders = [one.order(starts.size - 1) for one in self._draws]
        losses = torch.zeros(len(self.running), device=self._device)
        for first in range(0, starts.size - 1, size):
            tokens, there = _padded([order[first : first + size] for order in orders], starts)
            kept = self._kept_there(there)
            rows = self._by_network(self._sent(tokens))
            is_there = self._by_network(self._sent(there))
            windows = self._training_windows(rows.flatten(1))
            scores, layers = self._networks.forward(
                self._inputs.vectors(windows), None if kept is None else self._by_network(kept)
            )
            shaped = scores.view(*rows.shape, -1)
            loss, error, of_moves = self._fields.error(shaped, self._labels[rows], is_there)
            losses += loss * (rows.shape[1] / (starts.size - 1))
            self._learn(windows, layers, error.flatten(1, 2))
            self._fields.learn(of_moves, self._settings.rate)
        return np.asarray(losses.cpu().numpy(), np.float64)

    def _learn(self, windows: "Tensor", layers: Layers, error: "Tensor") -> None:
        rate, tune = self._settings.rate, self._settings.tune
        gradient = self._networks.learn(layers, error, rate, needs_input=tune)
        if gradient is not None:
            self._inputs.learn(windows, gradient, rate)

    def _kept(self, rows: int) -> "Tensor | None":
        """Draw which units are kept in some rows, for each trial."""
        dropout = self._settings.dropout
        if not dropout:
            return None
        return self._as_factors(
            np.stack([one.kept(rows, self._settings.hidden, dropout) for one in self._draws])
        )

    def _kept_there(self, there: Flags) -> "Tensor | None":
        """Draw which units are kept of the tokens there are; how many are padding makes no difference."""
        if not self._settings.dropout:
            return None
        trials, units = len(there), self._settings.hidden
        kept = np.zeros((trials, there[0].size, units), np.bool_)
        for own, drawn, draws in zip(there, kept, self._draws, strict=True):
            drawn[own.ravel()] = draws.kept(int(own.sum()), units, self._settings.dropout)
        return self._as_factors(kept)

    def _as_factors(self, kept: Flags) -> "Tensor":
        """Return factors that leave the mean of a unit as it is."""
        import torch

        return self._sent(kept).to(torch.float32).div_(1 - self._settings.dropout)

    def _sent(self, array: "Integers | Flags") -> "Tensor":
        import torch

        return torch.from_numpy(array).to(self._device)

    def _place_running(self) -> None:
        """Put on the device which trial and which windows each running network has, where they differ."""
        trials, tables = (
            np.array([of[number] for number in self.running]) for of in (self._trial_of, self._table_of)
        )
        alike = np.array_equal(trials, np.arange(len(self._draws)))
        self._trials_here = None if alike else self._sent(trials)
        first_windows = tables * len(self._corpus.train.words)
        self._windows_here = self._sent(first_windows[:, None]) if first_windows.any() else None

    def _by_network(self, of_trials: "Tensor") -> "Tensor":
        """Repeat what each trial has for each of its networks that are running."""
        if self._trials_here is None:
            return of_trials
        return of_trials.index_select(0, self._trials_here)

    def _training_windows(self, tokens: "Tensor") -> "Tensor":
        """Return the windows of training tokens (networks × tokens) in each network's own vectors."""
        windows = self._windows["train"].flatten(0, 1)
        rows = tokens if self._windows_here is None else tokens + self._windows_here
        return windows.index_select(0, rows.reshape(-1)).view(*tokens.shape, -1)

    def _note_best(self, number: int) -> None:
        right, found, gold = self._counts(number, "devel").sum(axis=(0, 1)).astype(np.float64)
        f = float(np.nan_to_num(f_measure(right, found, gold).f))
        if f > self._best[number].f:
            self._best[number] = _Best(f, self.epoch, self._state(number))

    def _state(self, number: int) -> "list[Tensor]":
        place = self.running.index(number)
        state = self._networks.copied(place)
        state += [self._fields.transitions[place].clone()] if self._fields is not None else []
        return state + ([self._inputs.copied(place)] if self._settings.tune else [])

    def _restore(self, number: int) -> None:
        place, state = self.running.index(number), list(self._best[number].weights)
        if self._settings.tune:
            self._inputs.restore(place, state.pop())
        if self._fields is not None:
            self._fields.transitions[place] = state.pop()
        self._networks.restore(place, state)

    def _keep(self, places: list[int]) -> None:
        """Leave out the networks that are done."""
        self.running = [self.running[place] for place in places]
        if self.running:
            self._networks = self._networks.only(places)
            if self._fields is not None:
                self._fields = ChainFields(self._fields.transitions[places])
            self._inputs = self._inputs.only(places)
            self._place_running()

    def _counts(self, number: int, name: str) -> Integers:
        """Count the entities that a network finds in a part, by sentence and type."""
        part: TaggedPart = self._corpus.parts[name]
        labels = self._labels_of(number, name, part)
        return sentence_counts(
            part.entities,
            entities_of(iobes_tags(labels, part.starts)),
            sentence_of=part.sentence_of,
            types=len(self._corpus.types),
            sentences=part.sentences,
        )

    def _labels_of(self, number: int, name: str, part: TaggedPart) -> Integers:
        import torch

        place = self.running.index(number)
        network = self._networks.only([place])
        inputs = self._inputs.only([place])
        windows = self._windows[name][self._table_of[number]]
        scores = torch.cat(
            [network.forward(inputs.vectors(some[None]))[0][0] for some in windows.split(_TOKENS)]
        )
        if not self._settings.decodes:
            return np.asarray(scores.argmax(dim=1).cpu().numpy())
        moves = legal_transitions(may_follow(len(self._corpus.types)))
        if self._fields is not None:
            moves = moves + self._fields.of_network(place)
        return best_labels(scores.cpu().numpy(), part.starts, moves)


def _padded(chosen: Sequence[Integers], starts: Integers) -> tuple[Integers, Flags]:
    """Return the tokens of sentences (trials × sentences × tokens), and which there are."""
    lengths = np.stack([starts[some + 1] - starts[some] for some in chosen])
    places = np.arange(int(lengths.max()))
    there = places < lengths[..., None]
    firsts = np.stack([starts[some] for some in chosen])
    return np.where(there, firsts[..., None] + places, 0), there
