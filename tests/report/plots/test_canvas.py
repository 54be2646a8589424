import pytest
from matplotlib.figure import Figure

from medgauge.errors import InputError, MissingExtraError
from medgauge.report.plots import canvas


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_plot_has_the_same_bytes(tmp_path, kind):
    for name in ("one", "two"):
        canvas.write_plot(tmp_path / f"{name}.{kind}", lambda figure: figure.subplots().plot([1, 2, 3]))
    assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()


def test_another_kind_of_file_is_refused_before_any_work(tmp_path):
    with pytest.raises(InputError, match=r"plot\.jpeg: a plot must be a \.svg, \.pdf or \.png file"):
        canvas.check_plot(tmp_path / "plot.jpeg")


def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(canvas, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[plot\]"):
        canvas.check_plot(tmp_path / "plot.svg")


def test_a_drawing_that_fails_leaves_no_file(tmp_path):
    with pytest.raises(ZeroDivisionError):
        canvas.write_plot(tmp_path / "p.svg", lambda _figure: 1 / 0)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").touch()
    for path in (tmp_path / "folder.svg", tmp_path / "file" / "plot.svg"):
        with pytest.raises(InputError, match=r"\.svg: a plot cannot be written there"):
            canvas.check_plot(path)


def test_dollars_in_a_name_are_dollars(tmp_path):
    canvas.write_plot(tmp_path / "p.svg", lambda figure: figure.subplots().set_title("$a_{$ and $x$"))
    assert "$a_{$ and $x$" in (tmp_path / "p.svg").read_text()


def test_axes_are_an_array_that_knows_its_figure_and_shows_it():
    panels = canvas.draw_plot(lambda figure: list(figure.subplots(1, 2)))
    assert panels.shape == (2,)
    assert panels[0].figure is panels.figure is getattr(panels[1:], "figure", None)
    assert panels._repr_png_().startswith(b"\x89PNG")


def test_a_figure_that_is_given_is_drawn_onto():
    given = Figure()
    assert canvas.draw_plot(lambda figure: [figure.subplots()], given).figure is given
    assert len(given.axes) == 1
