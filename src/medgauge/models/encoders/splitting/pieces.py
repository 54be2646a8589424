"""Texts as the word pieces of a tokenizer: flat arrays of numbers, cut to the context of the model."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Flags, Integers
from medgauge.errors import FileError
from medgauge.models.encoders.computation.devices import Place, on_device
from medgauge.models.encoders.splitting.splitting_processes import SplittingProcesses

if TYPE_CHECKING:
    import torch

PieceIds = NDArray[np.int32]

LARGEST_CONTEXT = 1_000_000
"""The context of a model without a limit, for which tokenizers say 10³⁰ pieces."""

# Families whose positions are numbered from after the padding's.
_SHIFTED = ("roberta", "camembert", "mpnet", "longformer", "data2vec-text", "ibert", "luke", "xmod")
_SLICE = 1 << 11  # texts whose pieces are Python's objects at a time
_MANY = 1 << 12  # texts above which processes of their own are worth their start

_PROBE = "kidney failure"


@dataclass(frozen=True)
class Pieces:
    """The pieces of some texts, one after another: text t has `ids[offsets[t]:offsets[t + 1]]`."""

    ids: PieceIds
    offsets: Integers
    _copies: "dict[str, torch.Tensor]" = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def lengths(self) -> Integers:
        """How many pieces each text has."""
        return np.diff(self.offsets)

    def padded(self, texts: Integers, pad: int, place: Place) -> "tuple[torch.Tensor, torch.Tensor | None]":
        """Return the pieces of some texts as rows of one length on a device, and 1 where there is a piece.

        Texts of the same length need no mask: None.
        """
        import torch

        flat = self._flat(place)
        lengths = self.lengths[texts]
        longest = int(lengths.max())
        columns = torch.arange(longest, device=flat.device)
        places = on_device(self.offsets[texts], place)[:, None] + columns
        if (lengths == longest).all():
            return flat[places], None
        mask = columns < on_device(lengths, place)[:, None]
        return torch.where(mask, flat[places.clamp_(max=flat.numel() - 1)], pad), mask.long()

    def _flat(self, place: Place) -> "torch.Tensor":
        """Copy all pieces to a device, once."""
        if "flat" not in self._copies:
            self._copies["flat"] = on_device(self.ids, place).long()
        return self._copies["flat"]


@dataclass(frozen=True)
class Splitter:
    """A tokenizer of the transformers library, with what it adds around each text.

    `before` and `after` are the numbers of special pieces, such as [CLS] and [SEP]; `longest` is the context
    of the model, and `pad` stands where another text of a batch is longer, under the mask. `known` is how
    many different pieces the model has vectors of, None if that is not known. Many texts are split by
    `processes`, if there are any.
    """

    tokenizer: Any
    before: int
    after: int
    longest: int
    pad: int
    known: int | None = None
    processes: SplittingProcesses | None = None

    @classmethod
    def of(cls, tokenizer: Any, context: int, known: int | None = None) -> "Splitter":
        """Find out what a tokenizer adds, from an example."""
        special = tokenizer(_PROBE, return_special_tokens_mask=True)["special_tokens_mask"]
        inner = [place for place, is_special in enumerate(special) if not is_special]
        before = inner[0] if inner else 0
        after = len(special) - 1 - inner[-1] if inner else 0
        pad = tokenizer.pad_token_id
        if pad is None or (known is not None and pad >= known):  # added to the tokenizer alone
            pad = 0
        return cls(tokenizer, before, after, context, int(pad), known)

    def split(self, texts: Sequence[str]) -> tuple[Pieces, Flags]:
        """Return the pieces of texts, and which texts were longer than the context and cut."""
        fast = getattr(self.tokenizer, "backend_tokenizer", None)
        if fast is None:
            pieces, cut = self._cut(self.tokenizer(list(texts), add_special_tokens=True)["input_ids"])
            return self._checked(pieces), cut
        if self.processes is not None and len(texts) > _MANY and (found := self.processes.split(texts)):
            pieces, cut = self._of_arrays(*found)
            return self._checked(pieces), cut
        whole, parts = self._whole(fast), [self._cut([])]
        for first in range(0, len(texts), _SLICE):
            some = whole.encode_batch_fast(list(texts[first : first + _SLICE]), add_special_tokens=True)
            parts.append(self._flat(some))
        ids = np.concatenate([pieces.ids for pieces, _ in parts])
        lengths = np.concatenate([pieces.lengths for pieces, _ in parts])
        pieces = Pieces(ids, np.concatenate([[0], np.cumsum(lengths)]))
        return self._checked(pieces), np.concatenate([cut for _, cut in parts])

    def beside(self, place: Place) -> "Splitter":
        """Return a splitter with processes of its own if a GPU would have to wait for it."""
        fast = getattr(self.tokenizer, "backend_tokenizer", None)
        # Whether special tokens in a text are split is not part of what is sent.
        if place.device != "cuda" or fast is None or fast.encode_special_tokens:
            return self
        try:
            return replace(self, processes=SplittingProcesses(self._whole(fast).to_str()))
        except Exception:  # parts that were written in Python have no text
            return self

    def split_with_places(self, texts: Sequence[str]) -> tuple[Pieces, Flags, list[list[tuple[int, int]]]]:
        """Return the pieces of texts as `split` does, and where in the text each piece begins and ends."""
        found = self._whole(self.tokenizer.backend_tokenizer).encode_batch(
            list(texts), add_special_tokens=True
        )
        pieces, cut = self._cut([one.ids for one in found])
        places = [self._kept(one.offsets) if len(one.ids) > self.longest else one.offsets for one in found]
        return self._checked(pieces), cut, places

    def _checked(self, pieces: Pieces) -> Pieces:
        """Refuse pieces that the model has no vector of: torch fails on them, and a GPU for good."""
        if self.known is not None and pieces.ids.max(initial=0) >= self.known:
            raise FileError(
                self.tokenizer.name_or_path,
                f"the tokenizer makes pieces beyond the {self.known:,} that the weights have vectors of; the "
                "files do not belong together",
            )
        return pieces

    def _whole(self, fast: Any) -> Any:
        """Return a tokenizer that neither cuts nor pads."""
        if fast.truncation is not None:
            fast.no_truncation()
        if fast.padding is not None:
            fast.no_padding()
        return fast

    def _flat(self, found: list[Any]) -> tuple[Pieces, Flags]:
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        # One list at a time: many at once would set off the search for unreachable objects.
        flat = np.fromiter(chain.from_iterable(one.ids for one in found), np.int32, int(lengths.sum()))
        return self._of_arrays(flat, lengths)

    def _of_arrays(self, flat: PieceIds, lengths: Integers) -> tuple[Pieces, Flags]:
        """Return pieces that are one after another, and cut texts that are too long."""
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        if (lengths > self.longest).any():
            return self._cut([flat[first:last].tolist() for first, last in pairwise(offsets.tolist())])
        return Pieces(flat, offsets), np.zeros(lengths.size, np.bool_)

    def _cut(self, listed: list[list[int]]) -> tuple[Pieces, Flags]:
        cut = np.array([len(ids) > self.longest for ids in listed], np.bool_)
        for number in np.flatnonzero(cut).tolist():
            listed[number] = self._kept(listed[number])
        offsets = np.zeros(len(listed) + 1, np.int64)
        np.cumsum([len(ids) for ids in listed], out=offsets[1:])
        flat = np.fromiter(chain.from_iterable(listed), np.int32, int(offsets[-1]))
        return Pieces(flat, offsets), cut

    def _kept(self, listed: list[Any]) -> list[Any]:
        """Leave out what exceeds the context, at the side that the tokenizer cuts; special pieces stay."""
        inner = listed[self.before : len(listed) - self.after]
        room = max(self.longest - self.before - self.after, 1)
        kept = inner[-room:] if self.tokenizer.truncation_side == "left" else inner[:room]
        return [*listed[: self.before], *kept, *listed[len(listed) - self.after :]]


def known_pieces(model: Any) -> int | None:
    """Return how many different pieces a transformer has vectors of, None if it does not say."""
    try:
        found = getattr(model.get_input_embeddings(), "num_embeddings", None)
    except (AttributeError, NotImplementedError):
        return None
    return found if isinstance(found, int) else None


def positions_of(config: Any) -> int | None:
    """Return how many positions a transformer has, None if its configuration sets no limit."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions < 1:
        return None
    is_shifted = any(family in config.model_type for family in _SHIFTED)
    return positions - 1 - int(config.pad_token_id or 0) if is_shifted else positions
