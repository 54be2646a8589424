"""A conditional random field over the labels of a sentence, in place of a softmax for each token."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medgauge.arrays import Doubles

if TYPE_CHECKING:
    from torch import Tensor


@dataclass
class ChainFields:
    """The transitions of M networks (M × K + 1 × K + 1), with a sentence's edge as the last label."""

    transitions: "Tensor"

    @classmethod
    def of(cls, networks: int, labels: int, device: str) -> "ChainFields":
        """Return fields whose transitions are all 0."""
        import torch

        return cls(torch.zeros(networks, labels + 1, labels + 1, device=device))

    def error(
        self, scores: "Tensor", labels: "Tensor", there: "Tensor"
    ) -> tuple["Tensor", "Tensor", "Tensor"]:
        """Return the mean loss over the sentences of each network, and ∂L/∂s and ∂L/∂t.

            L = mean of  ln Σ exp(s(y′)) − s(y),   s(y) = t[edge, y₁] + Σ sᵢ[yᵢ] + Σ t[yᵢ₋₁, yᵢ] + t[yₙ, edge]

        over the sequences y′ of a sentence, of which y is the right one. `scores` are M × sentences × tokens
        × labels; `there` says which tokens there are, and each sentence has at least one.

        Reference: Lafferty, McCallum and Pereira (2001). Conditional random fields. ICML 18:282-289.
        """
        import torch

        own = scores.detach().requires_grad_()
        moves = self.transitions.detach().requires_grad_()
        with torch.enable_grad():
            loss = (_all_sequences(own, moves, there) - _one_sequence(own, moves, labels, there)).mean(1)
            of_scores, of_moves = torch.autograd.grad(loss.sum(), (own, moves))
        return loss.detach(), of_scores, of_moves

    def learn(self, of_moves: "Tensor", rate: float) -> None:
        """Take a step down the gradient."""
        self.transitions.sub_(of_moves, alpha=rate)

    def of_network(self, number: int) -> Doubles:
        """Return the transitions of one network."""
        return np.asarray(self.transitions[number].cpu().numpy(), np.float64)


def _all_sequences(scores: "Tensor", moves: "Tensor", there: "Tensor") -> "Tensor":
    """Return ln Σ exp(s(y′)) of each sentence (M × sentences), by the forward recursion."""
    import torch

    inner = moves[:, None, :-1, :-1]
    reached = moves[:, None, -1, :-1] + scores[:, :, 0]
    for place in range(1, scores.shape[2]):
        going_on = torch.logsumexp(reached[..., None] + inner, 2) + scores[:, :, place]
        reached = torch.where(there[:, :, place, None], going_on, reached)
    return torch.logsumexp(reached + moves[:, None, :-1, -1], 2)


def _one_sequence(scores: "Tensor", moves: "Tensor", labels: "Tensor", there: "Tensor") -> "Tensor":
    """Return s(y) of the right labels of each sentence (M × sentences)."""
    import torch

    edge = moves.shape[1] - 1
    of_tokens = (scores.gather(3, labels[..., None])[..., 0] * there).sum(2)
    last = labels.gather(2, there.sum(2, keepdim=True) - 1)[..., 0]
    network = torch.arange(len(moves), device=moves.device)[:, None]
    of_steps = moves[network[..., None], labels[:, :, :-1], labels[:, :, 1:]] * there[:, :, 1:]
    return of_tokens + of_steps.sum(2) + moves[network, edge, labels[:, :, 0]] + moves[network, last, edge]
