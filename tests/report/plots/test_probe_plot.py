from tests.results import example


def test_the_plot_has_both_recalls_with_their_intervals():
    found = example("Probe")
    [axes] = found.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["since 2020-01-31", "older, matched"]
    drawn = {round(float(line.get_xdata()[0]), 6) for line in axes.lines if len(line.get_xdata()) == 1}
    assert {round(found["new"].value, 6), round(found["old"].value, 6)} <= drawn
