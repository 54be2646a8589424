"""Linear layers on a processor, computed by oneDNN: on AMD twice as fast as what torch calls."""

from functools import partial
from typing import Any

from medgauge.models.encoders.computation.devices import Place

_TOLERANCE = 1e-4


def use_onednn(model: Any, place: Place) -> None:
    """Let oneDNN compute the linear layers of a model on a processor, where torch has it and it agrees.

    torch itself uses its matrix product of MKL, and copies the bias of each row first.
    """
    from torch.nn import Linear

    if place.device != "cpu" or place.precision != "float32":
        return
    layers = [module for module in model.modules() if type(module) is Linear]
    if layers and _agrees(layers[0]):
        for layer in layers:
            layer.forward = partial(_product, layer)


def _product(layer: Any, rows: Any) -> Any:
    import torch

    return torch.ops.mkldnn._linear_pointwise(rows, layer.weight, layer.bias, "none", [], "")


def _agrees(layer: Any) -> bool:
    """Return whether oneDNN is there and gives the numbers of torch; its operator is not documented."""
    import torch

    rows = torch.linspace(-1, 1, 4 * layer.in_features).reshape(2, 2, -1)
    try:
        with torch.inference_mode():
            return bool(torch.allclose(_product(layer, rows), layer(rows), atol=_TOLERANCE))
    except (AttributeError, RuntimeError, TypeError):
        return False
