import numpy as np
import pytest

from medgauge.models.encoders.computation import linear_layers
from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.computation.linear_layers import use_onednn
from medgauge.models.load import load_model


def network(layer=None):
    import torch

    torch.manual_seed(0)
    return torch.nn.Sequential(
        layer or torch.nn.Linear(6, 4), torch.nn.GELU(), torch.nn.Linear(4, 3, bias=False)
    )


def test_layers_give_the_same_numbers():
    import torch

    usual, faster = network(), network()
    use_onednn(faster, Place("cpu", "float32"))
    assert "forward" in vars(faster[0])
    rows = torch.randn(5, 7, 6)
    with torch.inference_mode():
        np.testing.assert_allclose(faster(rows), usual(rows), atol=1e-6)


@pytest.mark.parametrize("place", [Place("cpu", "bfloat16"), Place("cuda", "float32")])
def test_other_devices_and_precisions_are_left_alone(place):
    model = network()
    use_onednn(model, place)
    assert "forward" not in vars(model[0])


def test_layers_of_another_kind_are_left_alone():
    import torch

    own = type("Own", (torch.nn.Linear,), {})
    model = network(own(6, 4))
    use_onednn(model, Place("cpu", "float32"))
    assert ["forward" in vars(module) for module in model] == [False, False, True]


def no_operator(*_arguments: object) -> object:
    raise AttributeError("_linear_pointwise")


@pytest.mark.parametrize("product", [no_operator, lambda layer, rows: layer(rows) + 1])
def test_torch_computes_where_onednn_is_absent_or_wrong(product, monkeypatch):
    monkeypatch.setattr(linear_layers, "_product", product)
    model = network()
    use_onednn(model, Place("cpu", "float32"))
    assert "forward" not in vars(model[0])


def test_encoders_use_it(bert):
    model = load_model(f"hf:{bert}", cached=False).source.network.model
    assert "forward" in vars(model.encoder.layer[0].intermediate.dense)
