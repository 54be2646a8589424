from tests.results import example


def test_each_step_has_a_bar_with_its_number_and_its_outcome_in_the_legend():
    found = example("ConceptMap")
    axes = found.plot()[0]
    assert [int(bar.get_width()) for bar in axes.patches] == list(found.steps.values())
    assert [label.get_text() for label in axes.get_yticklabels()] == [step for _, step in found.steps]
    [legend] = axes.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["mapped", "unmapped"]
    colours = [bar.get_facecolor() for bar in axes.patches]
    mapped = [outcome for outcome, _ in found.steps]
    assert len({*zip(colours, mapped, strict=True)}) == 2


def test_a_legend_covers_no_bar():
    figure = example("ConceptMap").plot().figure
    figure.canvas.draw()
    [legend] = figure.legends
    frame = legend.get_window_extent()
    assert not any(frame.overlaps(bar.get_window_extent()) for bar in figure.axes[0].patches)
