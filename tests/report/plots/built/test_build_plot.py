import pytest

from tests.results import example


def test_bars_are_the_sizes_of_the_sets_and_points_their_distances():
    manifest = example("Manifest")
    sizes, distances = manifest.plot()
    facts = list(manifest.sets.values())
    drawn = [round(bar.get_width()) for bar in sizes.patches]
    assert drawn == [one.positives for one in facts] + [one.negatives for one in facts]
    for line, kind in zip(distances.lines, ("positives", "negatives"), strict=True):
        known = [getattr(one, f"distance_{kind}") for one in facts if getattr(one, kind)]
        assert list(line.get_xdata()) == pytest.approx(known)
    assert [label.get_text() for label in sizes.get_yticklabels()] == list(manifest.sets)
