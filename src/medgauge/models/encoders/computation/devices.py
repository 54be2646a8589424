"""Where an encoder runs, and in which precision."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from medgauge.errors import InputError, MissingExtraError, option
from medgauge.models.loading import Device

if TYPE_CHECKING:
    import torch

Precision = Literal["float32", "bfloat16", "float16"]

_SHORT = 64  # pieces

PRECISIONS: tuple[str, ...] = ("auto", "float32", "bfloat16", "float16")


@dataclass(frozen=True)
class Place:
    """A device, and the precision that a model computes in there; vectors and scores are float32."""

    device: str
    precision: Precision

    @property
    def dtype(self) -> "torch.dtype":
        """The precision as torch has it."""
        import torch

        found: torch.dtype = getattr(torch, self.precision)
        return found


def require_packages(*names: str) -> None:
    """Raise an error that says what to install unless these packages, or torch, are installed."""
    for name in ("torch", *names):
        if find_spec(name) is None:
            raise MissingExtraError(name.replace("_", "-"), extra="transformers")


def place_for(device: Device, precision: str) -> Place:
    """Return where and how to compute: with auto, on a GPU and in half precision where there is one."""
    import torch

    available = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if device == "auto":
        device = next(name for name in ("cuda", "mps", "cpu") if available[name])
    if not available[device]:
        raise InputError(
            f"this machine has no device {device} that torch can use; choose {option('device', 'cpu')}"
        )
    chosen = _usual(device) if precision == "auto" else precision
    return Place(device, chosen)  # type: ignore[arg-type]


def _usual(device: str) -> str:
    import torch

    if device != "cuda":
        return "float32"
    return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"


def on_device(array: np.ndarray[Any, Any], place: Place) -> "torch.Tensor":
    """Copy an array to a device, without waiting for what that is doing."""
    import torch

    tensor = torch.from_numpy(array)
    if place.device != "cuda":
        return tensor.to(place.device)
    return tensor.pin_memory().to(place.device, non_blocking=True)


def attention_for(place: Place, longest: int) -> AbstractContextManager[object]:
    """Choose how attention is computed inside the block.

    On a GPU, what torch prefers works on blocks of 128 pieces, most of which a short term leaves empty.
    """
    if place.device != "cuda" or longest > _SHORT:
        return nullcontext()
    from torch.nn.attention import SDPBackend, sdpa_kernel

    found: AbstractContextManager[object] = sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH])
    return found
