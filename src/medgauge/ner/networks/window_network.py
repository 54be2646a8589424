"""Networks of one shape, side by side as one batched computation, with gradients written out.

    z = W₁ᵀ x + b₁        x: the vectors of the words of a window, one after another
    h = d ∘ clip(z, −1, 1)        d: 0 for dropped units, else 1/(1 − p)
    s = W₂ᵀ h + b₂        a score for each label

With the error e = ∂L/∂s (softmax(s) less 1 at the right label, over the number of windows in the batch), the
gradients are W₂: h eᵀ, b₂: e, and for g = d ∘ W₂ e where |z| < 1 and 0 elsewhere, W₁: x gᵀ, b₁: g, x: W₁ g.

Reference: Collobert et al. (2011). Natural language processing (almost) from scratch. Journal of Machine
Learning Research 12:2493-2537, section 3.3.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor


class Layers(NamedTuple):
    """What a forward pass leaves for the gradients: the input, z, h and d (None: nothing is dropped)."""

    given: "Tensor"
    before: "Tensor"
    hidden: "Tensor"
    kept: "Tensor | None"


@dataclass
class WindowNetworks:
    """M networks: every array has a first axis for the network, on one device."""

    hidden_weights: "Tensor"
    hidden_bias: "Tensor"
    output_weights: "Tensor"
    output_bias: "Tensor"

    @classmethod
    def of(cls, hidden: Sequence[Any], output: Sequence[Any], device: str) -> "WindowNetworks":
        """Place first weights (input × hidden, and hidden × labels, for each network); biases are 0."""
        import torch

        weights = [torch.from_numpy(np.stack(some)).to(device) for some in (hidden, output)]
        biases = [torch.zeros_like(some[:, :1]) for some in weights]
        return cls(weights[0], biases[0], weights[1], biases[1])

    def forward(self, given: "Tensor", kept: "Tensor | None" = None) -> tuple["Tensor", Layers]:
        """Return the scores of the labels (M × windows × labels) for inputs (M × windows × values)."""
        import torch

        before = torch.baddbmm(self.hidden_bias, given, self.hidden_weights)
        hidden = before.clamp(-1, 1)
        if kept is not None:
            hidden.mul_(kept)
        scores = torch.baddbmm(self.output_bias, hidden, self.output_weights)
        return scores, Layers(given, before, hidden, kept)

    def learn(
        self, layers: Layers, error: "Tensor", rate: float, *, needs_input: bool = False
    ) -> "Tensor | None":
        """Take a step down the gradient, given ∂L/∂s; return ∂L/∂x if it is needed."""
        import torch

        back = torch.bmm(error, self.output_weights.mT)
        if layers.kept is not None:
            back.mul_(layers.kept)
        back.mul_(layers.before.abs().lt_(1))
        of_input = torch.bmm(back, self.hidden_weights.mT) if needs_input else None
        self.output_weights.baddbmm_(layers.hidden.mT, error, alpha=-rate)
        self.output_bias.sub_(error.sum(1, keepdim=True), alpha=rate)
        self.hidden_weights.baddbmm_(layers.given.mT, back, alpha=-rate)
        self.hidden_bias.sub_(back.sum(1, keepdim=True), alpha=rate)
        return of_input

    def copied(self, number: int) -> list["Tensor"]:
        """Return a copy of one network's weights."""
        return [some[number].clone() for some in self._arrays]

    def only(self, numbers: Sequence[int]) -> "WindowNetworks":
        """Keep some of the networks."""
        return WindowNetworks(*(some[list(numbers)] for some in self._arrays))

    def restore(self, number: int, weights: Sequence["Tensor"]) -> None:
        """Put back what `copied` returned."""
        for some, own in zip(self._arrays, weights, strict=True):
            some[number] = own

    @property
    def _arrays(self) -> list["Tensor"]:
        return [self.hidden_weights, self.hidden_bias, self.output_weights, self.output_bias]


def softmax_error(scores: "Tensor", labels: "Tensor") -> tuple["Tensor", "Tensor"]:
    """Return the mean loss −ln softmax(s)[label] over the windows of each network, and ∂L/∂s.

    `scores` are M × windows × labels, `labels` M × windows.

    >>> import torch
    >>> loss, error = softmax_error(torch.zeros(1, 1, 4), torch.tensor([[2]]))
    >>> round(loss.item(), 4), error.tolist()
    (1.3863, [[[0.25, 0.25, -0.75, 0.25]]])
    """
    import torch

    windows = scores.shape[1]
    log_shares = torch.log_softmax(scores, -1)
    right = labels[..., None]
    loss = log_shares.gather(2, right).sum((1, 2)).div_(-windows)
    error = log_shares.exp_().div_(windows)
    error.scatter_add_(2, right, error.new_full((1, 1, 1), -1 / windows).expand_as(right))
    return loss, error
