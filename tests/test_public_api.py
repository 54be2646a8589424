import inspect

import medgauge


def test_the_public_names_are_written_out_and_all_there():
    assert sorted(medgauge.__all__) == medgauge.__all__
    assert set(medgauge._HOMES) == set(medgauge.__all__)
    for name in medgauge.__all__:
        assert getattr(medgauge, name).__name__ == name


def test_every_public_name_is_documented_and_every_function_has_an_example():
    for name in medgauge.__all__:
        documented = inspect.getdoc(getattr(medgauge, name)) or ""
        assert documented, name
        if inspect.isfunction(getattr(medgauge, name)):
            assert ">>>" in documented, name


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(medgauge, "simliarity")
    assert "evaluate" in dir(medgauge)
