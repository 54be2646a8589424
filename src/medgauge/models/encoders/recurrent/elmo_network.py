"""The network of ELMo (Peters et al. 2018), for terms.

A word's vector comes from its characters: convolutions of several widths, the maximum of each over the word,
highways, and a projection. Two stacks of LSTMs with projections then read the term, one from its beginning
and one from its end; each starts with the mark of that end, and its upper layers add what they are given to
what they return. A term's vector is the mean over its layers (the words' own vectors, twice, and each LSTM)
and then over its words.

Nothing is padded: the terms of a batch have the same number of words. The state of an LSTM depends only on
the words read so far, so that it is computed once for all terms of a batch that begin (or end) alike. Each
term starts with an empty state. That of bilm-tf and of AllenNLP carries on from one batch to the next, so
that a vector depends on what was encoded before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medgauge.arrays import Floats, Integers
from medgauge.models.encoders.recurrent.characters import SENTENCE, character_ids
from medgauge.models.encoders.recurrent.elmo_files import DIRECTIONS, ElmoOptions, cell_group

if TYPE_CHECKING:
    from torch import Tensor

_WORDS_AT_ONCE = 256
"""Words whose characters are convolved at a time: 50 MB at the published sizes."""

States = list[tuple["Tensor", "Tensor"]]
"""The output and the memory of each layer, a row for each of several sequences."""


@dataclass(frozen=True)
class _Cell:
    """A layer of LSTMs that read in one direction; the gates are input, new memory, forget and output."""

    weight: "Tensor"
    bias: "Tensor"
    projection: "Tensor"


class ElmoNetwork:
    """The weights of a model on a device, and what is computed with them."""

    def __init__(self, options: ElmoOptions, weights: Mapping[str, Floats], device: str) -> None:
        import torch

        placed = {name: torch.from_numpy(array).to(device) for name, array in weights.items()}
        cnn = options.char_cnn
        self._options = options
        self._characters = placed["char_embed"]
        self._filters = [
            (placed[f"CNN/W_cnn_{number}"].flatten(0, 2), placed[f"CNN/b_cnn_{number}"])
            for number in range(len(cnn.filters))
        ]
        self._highways = [
            tuple(
                placed[f"CNN_high_{number}/{name}"]
                for name in ("W_carry", "b_carry", "W_transform", "b_transform")
            )
            for number in range(cnn.n_highway)
        ]
        self._projection = placed["CNN_proj/W_proj"], placed["CNN_proj/b_proj"]
        self._directions = [
            [
                _Cell(*(placed[f"{cell_group(direction, number)}/{name}"] for name in ("W_0", "B", "W_P_0")))
                for number in range(options.lstm.n_layers)
            ]
            for direction in DIRECTIONS
        ]
        with torch.inference_mode():
            self._starts = [
                self._read(cells, mark[None], self._empty())[1]
                for cells, mark in zip(self._directions, self._word_vectors(SENTENCE), strict=True)
            ]

    def encode(self, terms: Sequence[Sequence[str]]) -> Floats:
        """Return a row for each term, all of which have the same number of words, at least one."""
        import torch

        words = list(dict.fromkeys(word for term in terms for word in term))
        number_of = {word: number for number, word in enumerate(words)}
        numbers = np.array([[number_of[word] for word in term] for term in terms], np.int64)
        with torch.inference_mode():
            vectors = self._word_vectors(words)
            forward = self._sums(self._directions[0], self._starts[0], vectors, numbers)
            backward = self._sums(self._directions[1], self._starts[1], vectors, numbers[:, ::-1])
            layers = 1 + self._options.lstm.n_layers
            rows: Floats = (torch.cat([forward, backward], 1) / (layers * numbers.shape[1])).cpu().numpy()
        return rows

    def _word_vectors(self, words: Sequence[str]) -> "Tensor":
        """Return the vectors of words without context; those of one length are computed together."""
        import torch

        order = sorted(range(len(words)), key=lambda place: len(words[place]))
        rows = [
            self._from_characters([words[place] for place in order[first : first + _WORDS_AT_ONCE]])
            for first in range(0, len(order), _WORDS_AT_ONCE)
        ]
        found = torch.cat(rows)
        return torch.empty_like(found).index_copy_(0, torch.tensor(order, device=found.device), found)

    def _from_characters(self, words: Sequence[str]) -> "Tensor":
        import torch

        cnn = self._options.char_cnn
        # One window of nothing but padding stands for all those that follow.
        ids = character_ids(words, longest=cnn.max_characters_per_token, room=cnn.widest)
        characters = self._characters[torch.from_numpy(ids).to(self._characters.device)]
        features = []
        for (width, _), (weight, bias) in zip(cnn.filters, self._filters, strict=True):
            windows = characters.unfold(1, width, 1).transpose(2, 3).flatten(2)
            features.append((windows @ weight).amax(1) + bias)
        rows = torch.cat(features, 1)
        rows = rows.relu() if cnn.activation == "relu" else rows.tanh()
        for w_carry, b_carry, w_transform, b_transform in self._highways:
            carry = (rows @ w_carry + b_carry).sigmoid()
            rows = carry * (rows @ w_transform + b_transform).relu() + (1 - carry) * rows
        weight, bias = self._projection
        return rows @ weight + bias

    def _sums(self, cells: Sequence[_Cell], start: States, vectors: "Tensor", numbers: Integers) -> "Tensor":
        """Return the sum over all layers and words for each term, in one direction.

        `vectors` are those of words, `numbers` the words of each term in the order in which they are read.
        """
        import torch

        def places(of: Integers) -> "Tensor":
            return torch.from_numpy(of).to(vectors.device)

        states = start
        sequence = np.zeros(len(numbers), np.int64)
        total = vectors.new_zeros(len(numbers), vectors.shape[1])
        for word in numbers.T:
            different, sequence = np.unique(sequence * len(vectors) + word, return_inverse=True)
            before, last = map(places, np.divmod(different, len(vectors)))
            states = [(output[before], memory[before]) for output, memory in states]
            sums, states = self._read(cells, vectors[last], states)
            total += sums[places(sequence)]
        return total

    def _read(self, cells: Sequence[_Cell], word: "Tensor", states: States) -> tuple["Tensor", States]:
        """Return the sum over the layers after another word of each sequence, and the new states."""
        import torch

        lstm = self._options.lstm
        given, total, after = word, word, []
        for layer, (cell, (output, memory)) in enumerate(zip(cells, states, strict=True)):
            gates = torch.addmm(cell.bias, torch.cat([given, output], 1), cell.weight)
            enter, new, forget, leave = gates.chunk(4, 1)
            memory = (forget + 1).sigmoid() * memory + enter.sigmoid() * new.tanh()
            if lstm.cell_clip is not None:
                memory = memory.clamp(-lstm.cell_clip, lstm.cell_clip)
            output = (leave.sigmoid() * memory.tanh()) @ cell.projection
            if lstm.proj_clip is not None:
                output = output.clamp(-lstm.proj_clip, lstm.proj_clip)
            after.append((output, memory))
            given = output + given if layer and lstm.use_skip_connections else output
            total = total + given
        return total, after

    def _empty(self) -> States:
        lstm = self._options.lstm
        zeros = self._characters.new_zeros
        return [(zeros(1, lstm.projection_dim), zeros(1, lstm.dim)) for _ in range(lstm.n_layers)]
