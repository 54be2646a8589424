import pytest

from medgauge.errors import InputError, MissingExtraError
from medgauge.models.encoders.computation import devices
from medgauge.models.encoders.computation.devices import place_for, require_packages


def test_a_processor_computes_in_single_precision_unless_told_otherwise():
    assert place_for("cpu", "auto").precision == "float32"
    assert place_for("cpu", "bfloat16").precision == "bfloat16"


@pytest.mark.parametrize(("has_bf16", "precision"), [(True, "bfloat16"), (False, "float16")])
def test_a_gpu_is_taken_where_there_is_one_in_the_half_precision_that_it_has(
    monkeypatch, has_bf16, precision
):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_options: has_bf16)
    assert (place_for("auto", "auto").device, place_for("auto", "auto").precision) == ("cuda", precision)


def test_a_device_that_is_not_there_is_refused(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(
        InputError, match="this machine has no device cuda that torch can use; choose device='cpu'"
    ):
        place_for("cuda", "auto")


def test_a_missing_package_says_which_extra_to_install(monkeypatch):
    monkeypatch.setattr(devices, "find_spec", lambda name: None if name == "torch" else object())
    with pytest.raises(MissingExtraError, match=r"this needs the package torch: run .*transformers"):
        require_packages("transformers")
