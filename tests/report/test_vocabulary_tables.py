from medgauge.evaluation.coverage import SetCoverage
from medgauge.report.vocabulary_tables import coverage_grids, overlap_grid


def texts(grid):
    return [[cell.text for cell in row] for row in grid.rows]


def test_coverage_names_the_words_that_are_missing_most_often():
    missing = {"gout": 4, "flu": 3, "mumps": 2, "angina": 1, "acne": 1}
    covered, words = coverage_grids(
        [SetCoverage("one", 9, 3, 8, 2, missing=missing), SetCoverage("two", 5, 5, 4, 4)]
    )
    assert covered.header == ["set", "terms", "pairs", "covered"]
    assert texts(covered) == [["one", "3/9", "2/8", "25%"], ["two", "5/5", "4/4", "100%"]]
    assert texts(words) == [["one", "gout (4), flu (3), mumps (2) and 2 more"]]


def test_coverage_says_how_much_comes_from_subwords_only_of_models_that_have_them():
    [grid] = coverage_grids([SetCoverage("one", 9, 9, 8, 8, subword_words=3, subword_pairs=2)])
    assert grid.header[-1] == "by subwords"
    assert texts(grid) == [["one", "9/9", "8/8", "100%", "2 (3 words)"]]
    assert "outside the vocabulary" in grid.notes[0]


def test_without_any_set_the_grid_says_how_to_get_them():
    [grid] = coverage_grids([])
    assert "medgauge datasets fetch --all" in grid.notes[0]


def test_an_overlap_says_which_models_know_more_than_their_vocabulary():
    shares = [[float("nan"), 0.5], [0.25, float("nan")]]
    grid = overlap_grid(["one", "two"], [4, 2], shares)
    assert texts(grid) == [["one", "4", "", "50.00%", "50.00%"], ["two", "2", "25.00%", "", "25.00%"]]
    assert len(grid.notes) == 1
    assert (
        "two can also make vectors of subwords"
        in overlap_grid(["one", "two"], [4, 2], shares, ["two"]).notes[1]
    )
