import csv
import io
import json

import numpy as np
import pytest

import medgauge
from medgauge.ratings.findings import (
    HEADLINES,
    Agreement,
    Consistency,
    Disagreement,
    RatingVariances,
    StandingOut,
    Verdicts,
)
from medgauge.report.agreement_tables import grids, rows
from medgauge.report.grids.formats import to_markdown
from medgauge.report.grids.grid import to_csv
from medgauge.report.grids.latex import to_latex
from medgauge.stats.raters.agreement_statistics import FIGURES
from medgauge.stats.raters.outlying import RULE
from tests.latex import check_compiles
from tests.report.agreements import (
    NAN,
    RELIABILITY,
    agreement,
    annotator,
    figures,
    reliability,
    two,
    undefined_agreement,
)

RATINGS = np.random.default_rng(0).integers(0, 4, (40, 3)).astype(float)
STANDING_OUT = [
    StandingOut(name="B", iaa_1=0.123, median=0.6, score=-4.26, without=figures(0.3)),
    StandingOut(name="Zoë", iaa_1=-0.0001, median=0.6, score=None, without=figures(0.4)),
]
SUBSETS = [
    Disagreement(subset="low_frequency", pairs=1200, mean_sd=1.5621, low=1.4, high=1.7),
    Disagreement(subset="high", pairs=1, mean_sd=NAN, low=NAN, high=NAN),
]
VERDICTS = [
    Verdicts(
        set="fsn-synonym_easy",
        pairs=60,
        without_truth=2,
        alpha=0.88,
        accuracy=0.98,
        recall=1.0,
        precision=0.97,
        intervals={"accuracy": (0.91, 0.995), "recall": (0.88, 1.0), "precision": (0.83, 0.99)},
    ),
    Verdicts(
        set="all",
        pairs=3,
        without_truth=3,
        alpha=NAN,
        accuracy=NAN,
        recall=NAN,
        precision=NAN,
        intervals={},
    ),
]


def everything():
    return agreement(
        ["A", "B", "Zoë", "50%_{x}"],
        groups=2,
        packed=reliability(0.7, panels=4, pairs=1250),
        by_panel=reliability(0.5, panels=4, pairs=1290, raters=None),
        left_out=["D", "E"],
        consistency=Consistency(pairs=20, iaa_1=0.65, alpha=0.55),
        standing_out=STANDING_OUT,
        without_all=figures(0.5),
        by="frequency",
        subsets=SUBSETS,
        verdicts=VERDICTS,
    )


def grid_of(found, title):
    [grid] = [grid for grid in grids(found) if grid.title == title]
    return grid


def texts(grid):
    return [[cell.text for cell in row] for row in grid.rows]


def shown(grid):
    return {row[0]: row[1:] for row in texts(grid)}


def test_grids_come_in_one_order_and_empty_ones_are_left_out():
    assert [grid.title for grid in grids(everything())] == [
        "Agreement of 4 annotators on mine",
        "Reliability",
        "Pairwise agreement of annotators: α",
        "Annotators who stand out",
        "Disagreement by frequency",
        "Verdicts",
    ]
    assert len(grids(agreement())) == 3


def test_the_headline_figures_stand_with_their_intervals():
    grid = grids(agreement())[0]
    assert grid.header == ["figure", "value", "95% interval"]
    assert texts(grid) == [
        ["Krippendorff's α", "0.200", "[0.150, 0.250]"],
        ["Kendall's W", "0.210", "[0.160, 0.260]"],
        ["ICC(C,1)", "0.220", "[0.170, 0.270]"],
        ["ICC(C,k)", "0.230", "[0.180, 0.280]"],
        ["mean ρ of every two annotators", "0.240", "[0.190, 0.290]"],
        ["IAA-1", "0.250", "[0.200, 0.300]"],
        ["IAA-2", "0.260", "[0.210, 0.310]"],
        ["best annotator", "0.270", "[0.220, 0.320]"],
        ["best annotator, own rating excluded", "0.280", "[0.230, 0.330]"],
        ["mean standard deviation of a pair", "0.432", ""],
    ]


def test_intervals_over_annotators_have_a_column_and_a_note():
    found = agreement(over_annotators={"alpha": (0.1, 0.3), "mean_rho": (0.15, 0.4)}, annotator_blocks=5)
    grid = grids(found)[0]
    assert grid.header == ["figure", "value", "95% interval", "over annotators"]
    assert shown(grid)["Krippendorff's α"] == ["0.200", "[0.150, 0.250]", "[0.100, 0.300]"]
    assert shown(grid)["Kendall's W"] == ["0.210", "[0.160, 0.260]", ""]
    [note] = [note for note in grid.notes if note.startswith("Over annotators")]
    assert "95% jackknife intervals that leave out one annotator at a time" in note
    assert found.grids(intervals=False)[0].header == ["figure", "value"]
    many = agreement(
        [f"n_{number}" for number in range(120)],
        over_annotators={"alpha": (0.1, 0.3)},
        annotator_blocks=100,
    )
    assert any("one of 100 blocks of annotators" in note for note in grids(many)[0].notes)


def test_the_notes_say_which_intervals_are_the_jackknifes_and_why_there_are_none():
    found = agreement(
        packed=reliability(0.7, panels=4),
        jackknifed=["iaa_2", "packed_icc_1"],
        no_interval={
            "human_upper_bound": "best by chance",
            "panel_icc_ak": "fewer than 5 pairs",
            "alpha": "fewer than 5 pairs",
            "over_annotators_mean_rho": "it is undefined without one of the annotators",
        },
    )
    notes = grids(found)[0].notes
    assert any(note.endswith("shifts the figure: ICC(1), packed, IAA-2.") for note in notes)
    assert notes[-3:] == [
        "No interval for best annotator: best by chance.",
        "No interval for ICC(A,k) by panel, Krippendorff's α: fewer than 5 pairs.",
        "No interval for mean ρ of every two annotators over annotators: "
        "it is undefined without one of the annotators.",
    ]


def test_with_few_pairs_the_note_names_what_is_not_the_jackknifes():
    bounds = ["human_upper_bound", "human_upper_bound_excluding_self"]
    jackknifed = [name for name in FIGURES if name not in bounds]
    [note] = [note for note in grids(agreement(jackknifed=jackknifed))[0].notes if "Intervals" in note]
    assert note == (
        "Intervals: jackknife over pairs, as with fewer than 30 pairs, or where resampling itself shifts the "
        "figure; BCa bootstrap over pairs, 9,999 resamples, seed 7, for best annotator, best "
        "annotator, own rating excluded."
    )


def test_csv_names_kappa_by_index_and_has_intervals_over_annotators():
    found = agreement(kappa_distance="index", over_annotators={"alpha": (0.1, 0.3)}, annotator_blocks=5)
    by_key, lines = read_back(found)
    names = {row["figure"] for row in lines}
    assert {
        "annotator_kappa",
        "annotator_kappa_quadratic_by_index",
        "pairwise_kappa_linear_by_index",
    } <= names
    assert not {"annotator_kappa_quadratic", "pairwise_kappa_linear"} & names
    alpha = by_key["alpha", "", ""]
    assert (alpha["low_over_annotators"], alpha["high_over_annotators"]) == ("0.1", "0.3")
    assert by_key["iaa_1", "", ""]["low_over_annotators"] == ""


def test_the_notes_say_what_the_figures_rest_on():
    notes = grids(agreement())[0].notes
    assert notes[0] == (
        "1,500 pairs, of which 1,400 were rated and 1,300 at least twice; 3,702 ratings on a scale of 0 to 3."
    )
    assert "Level of α: ordinal." in notes
    assert "W and ICC: k = 3 ratings of each of 40 of the 1,500 pairs." in notes
    assert "Intervals: BCa bootstrap over pairs, 9,999 resamples, seed 7." in notes
    text = " ".join(notes)
    for part in ("IAA-1: the mean over", "IAA-2: the mean over", "biased upwards"):
        assert part in text
    for part in ("packed", "groups", "consistency", "without=", "don't know"):
        assert part not in text


def test_the_notes_tell_of_panels_groups_the_consistency_set_and_who_was_left_out():
    text = " ".join(grids(everything())[0].notes)
    for part in (
        "k = 3 ratings of each of 1,250 of the 1,500 pairs, packed: side by side in the order of the columns",
        "The annotators form 2 groups",
        "(Nearly) all annotators rated the same 20 pairs, a consistency set: IAA-1 0.650, α 0.550 there.",
        "All other figures of agreement leave these pairs out.",
        "Annotators left out (without=): D, E.",
    ):
        assert part in text


def test_answers_of_not_knowing_are_counted():
    found = agreement(annotators=[annotator("A", unsure=4), annotator("B", unsure=1000), annotator("C")])
    headlines, _, pairwise = grids(found)
    assert "Not counted: 1,004 answers of don't know, which is not a rating." in headlines.notes
    assert shown(pairwise)["don't know"] == ["4", "1,000", "0"]


def test_without_a_scale_none_is_told():
    assert grids(agreement(scale=None))[0].notes[0].endswith("3,702 ratings.")


def test_of_one_annotator_everything_is_undefined_and_one_grid_is_left():
    [grid] = grids(undefined_agreement(["A"]))
    assert grid.title == "Agreement of 1 annotator on mine"
    assert {(row[1], row[2]) for row in texts(grid)} == {("undefined", "")}
    text = " ".join(grid.notes)
    for part in ("W and ICC", "bootstrap"):
        assert part not in text


def test_a_figure_that_is_undefined_says_so_beside_defined_ones():
    found = agreement(kendall_w=NAN, mean_rho=-0.0001, intervals={"alpha": (NAN, NAN)})
    values = shown(grids(found)[0])
    assert values["Kendall's W"] == ["undefined", ""]
    assert values["mean ρ of every two annotators"] == ["0.000", ""]
    assert values["Krippendorff's α"] == ["0.200", ""]


def test_why_figures_are_undefined_stands_in_a_note():
    reason = "all 12 ratings are equal"
    held = {"kendall_w": NAN, "icc_c1": NAN, "mean_rho": NAN}
    found = agreement(**held, undefined={"kendall_w": reason, "icc_c1": reason, "mean_rho": "they are two"})
    notes = found.grids()[0].notes
    assert notes[-2:] == [
        "Kendall's W and ICC(C,1) are undefined: all 12 ratings are equal.",
        "Mean ρ of every two annotators is undefined: they are two.",
    ]
    from_before = agreement(**held).grids()[0].notes
    assert from_before[-1].endswith("are undefined: the file does not say why.")


def test_why_a_form_of_icc_is_undefined_stands_under_its_table():
    reason = {"icc_ak": "the terms of its denominator cancel out"}
    one = agreement(packed=reliability(0.7, icc_ak=NAN, undefined=reason))
    assert grid_of(one, "Reliability").notes[-1] == (
        "ICC(A,k) is undefined: the terms of its denominator cancel out."
    )
    several = agreement(
        packed=reliability(0.7, panels=4),
        by_panel=reliability(0.5, panels=4, icc_ak=NAN, undefined=reason),
    )
    assert grid_of(several, "Reliability").notes[-1].startswith("ICC(A,k) (by panel) is undefined")


@pytest.mark.parametrize(("confidence", "text"), [(0.9, "90%"), (0.995, "99.5%"), (0.57, "57%")])
def test_tables_say_the_confidence_of_their_intervals(confidence, text):
    grids = everything().model_copy(update={"confidence": confidence}).grids()
    by_title = {grid.title: grid for grid in grids}
    assert grids[0].header[2] == f"{text} interval"
    assert by_title["Disagreement by frequency"].header[3] == f"{text} interval"
    for title in ("Reliability", "Verdicts"):
        assert any(f"In brackets: {text} intervals." in note for note in by_title[title].all_notes)
    assert not any("95%" in text for grid in grids for text in (*grid.header, *grid.all_notes))


def test_without_intervals_their_columns_go_too():
    grids = everything().grids(intervals=False)
    assert grids[0].header == ["figure", "value"]
    assert not any(cell.interval for grid in grids for row in grid.rows for cell in row)
    assert not any("brackets" in note for grid in grids for note in grid.all_notes)


def test_with_one_panel_reliability_has_one_column():
    grid = grid_of(agreement(), "Reliability")
    assert grid.header == ["figure", "complete pairs"]
    assert texts(grid)[:-1] == [
        ["Kendall's W", "0.700 [0.600, 0.800]"],
        ["ICC(1)", "0.710 [0.610, 0.810]"],
        ["ICC(k)", "0.720 [0.620, 0.820]"],
        ["ICC(C,1)", "0.730 [0.630, 0.830]"],
        ["ICC(C,k)", "0.740 [0.640, 0.840]"],
        ["ICC(A,1)", "0.750 [0.650, 0.850]"],
        ["ICC(A,k)", "0.760 [0.660, 0.860]"],
    ]
    assert not any("by panel" in note for note in grid.notes)


VARIANCES = RatingVariances(pair=0.5, annotator=0.1, residual=0.3, pairs=20, k=2.5, q=0.2)


def test_figures_of_all_ratings_stand_beside_those_of_complete_ones_with_their_pairs():
    ends = {"icc_c1": (0.5, 0.7), "g_qk": (0.6, 0.8)}
    found = agreement(
        icc_c1=0.625, icc_ck=0.806, g_qk=0.725, ceiling=0.851, variances=VARIANCES, intervals=ends
    )
    grid = grid_of(found, "Reliability")
    assert grid.header == ["figure", "all ratings", "complete pairs"]
    shown = {row[0]: row[1:] for row in texts(grid)}
    assert shown["ICC(C,1)"] == ["0.625 [0.500, 0.700]", "0.730 [0.630, 0.830]"]
    assert shown["G(q,k)"] == ["0.725 [0.600, 0.800]", ""]
    assert shown["ICC(1)"][0] == ""
    assert shown["pairs"] == ["20", str(found.packed.pairs)]
    notes = " ".join(grids(found)[0].notes)
    assert "k = 2.5, the harmonic mean" in notes
    assert "q = 0.200" in notes
    assert "Ceiling: what a model that knew the true values would be expected to score" in notes
    assert "approximate for ρ" in notes
    headlines = {row[0]: row[1] for row in texts(grids(found)[0])}
    assert headlines["ceiling of a model, √G(q,k)"] == "0.851"


def test_with_several_panels_both_ways_are_shown_and_named():
    grid = grid_of(everything(), "Reliability")
    assert grid.header == ["figure", "packed", "by panel"]
    assert texts(grid)[0] == ["Kendall's W", "0.700 [0.600, 0.800]", "0.500 [0.400, 0.600]"]
    assert "averaged over 4 panels" in grid.notes[1]
    assert "Panels differ in their number of annotators, and so in k." in grid.notes


def test_panels_of_the_same_size_do_not_differ_in_k():
    found = agreement(packed=reliability(0.7, panels=2), by_panel=reliability(0.5, panels=2))
    assert not any("differ" in note for note in grid_of(found, "Reliability").notes)


def test_panels_too_small_for_figures_of_their_own_are_undefined_beside_the_packed_ones():
    nothing = reliability(NAN, pairs=0, panels=0, raters=None, intervals={})
    grid = grid_of(agreement(packed=reliability(0.7, panels=9), by_panel=nothing), "Reliability")
    assert {row[2] for row in texts(grid)[:-1]} == {"undefined"}
    assert texts(grid)[-1][0::2] == ["pairs", "0"]
    assert any("by panel: undefined, as no panel has 30 pairs" in note for note in grid.notes)


def test_alpha_of_each_two_is_a_lower_triangle_as_in_table_2():
    found = agreement(
        annotators=[
            annotator("A", 0.61, alpha=0.11, kappa_quadratic=0.21, rho_with_mean=0.31, mean=1.1),
            annotator("B", 0.62, alpha=0.12, kappa_quadratic=0.22, rho_with_mean=0.32, mean=1.2),
            annotator("C", 0.63, alpha=0.13, kappa_quadratic=0.23, rho_with_mean=NAN, mean=NAN, ratings=0),
        ]
    )
    grid = grid_of(found, "Pairwise agreement of annotators: α")
    assert grid.header == ["annotator", "A", "B", "C"]
    assert texts(grid) == [
        ["B", "0.50", "", ""],
        ["C", "0.51", "0.52", ""],
        ["average α", "0.11", "0.12", "0.13"],
        ["average κ", "0.21", "0.22", "0.23"],
        ["average ρ", "0.61", "0.62", "0.63"],
        ["ρ with mean", "0.31", "0.32", "undefined"],
        ["ratings", "1,234", "1,234", "0"],
        ["mean rating", "1.10", "1.20", "undefined"],
    ]
    assert "Cohen's κ (quadratic weights by value)" in grid.notes[0]
    by_index = grid_of(agreement(kappa_distance="index"), "Pairwise agreement of annotators: α")
    assert "Cohen's κ (quadratic weights by category index)" in by_index.notes[0]


def test_of_nominal_ratings_kappa_is_plain():
    grid = grid_of(agreement(level="nominal"), "Pairwise agreement of annotators: α")
    assert shown(grid)["average κ"] == ["0.52"] * 3
    assert "Krippendorff's α (nominal), Cohen's κ (plain)" in grid.notes[0]


def test_two_who_rated_nothing_in_common_have_a_dash_and_two_who_did_may_be_undefined():
    twos = [two("C", "A", 0.7), two("B", "A", NAN, pairs=0), two("B", "C", NAN, pairs=4)]
    grid = grid_of(agreement(pairwise=twos), "Pairwise agreement of annotators: α")
    assert texts(grid)[:2] == [["B", "–", "", ""], ["C", "0.70", "undefined", ""]]
    assert "–: no pair that both rated." in grid.notes
    unlisted = grid_of(agreement(pairwise=twos[:1]), "Pairwise agreement of annotators: α")
    assert texts(unlisted)[0] == ["B", "–", "", ""]
    assert "–: no pair that both rated." not in grid_of(agreement(), grid.title).notes


@pytest.mark.parametrize("count", [13, 30])
def test_more_than_twelve_annotators_have_a_row_each(count):
    names = [f"n{number}" for number in range(count)]
    grid = grid_of(agreement(names), "Annotators")
    assert grid.header == ["annotator", "ratings", "mean rating", "α", "κ", "ρ", "ρ with mean"]
    assert texts(grid)[0] == ["n0", "1,234", "1.50", "0.51", "0.54", "0.60", "0.70"]
    assert [row[0] for row in texts(grid)] == names
    assert [grid.title for grid in grids(agreement(names[:12]))][2].startswith("Pairwise agreement")


def test_of_more_than_thirty_annotators_the_ten_with_the_lowest_rho_are_shown():
    rhos = [0.9 - 0.01 * number for number in range(30)] + [NAN]
    people = [
        annotator(f"n{number}", rho, group=number // 10 + 1, unsure=number) for number, rho in enumerate(rhos)
    ]
    found = agreement([one.name for one in people], annotators=people, groups=4)
    grid = grid_of(found, "The 10 annotators with the lowest ρ")
    assert grid.header[:4] == ["annotator", "group", "ratings", "don't know"]
    assert [row[0] for row in texts(grid)] == [f"n{number}" for number in range(29, 19, -1)]
    assert texts(grid)[0][1:4] == ["3", "1,234", "29"]
    assert "The CSV and JSON formats contain all 31 annotators." in grid.notes


def test_those_who_stand_out_are_named_with_the_figures_without_them():
    grid = grid_of(everything(), "Annotators who stand out")
    assert grid.header[:4] == ["annotator", "IAA-1", "median of all", "z"]
    assert grid.header[4:] == [f"{figure} without" for figure in ("α", "W", "ICC(C,k)", "IAA-1", "IAA-2")]
    assert texts(grid) == [
        ["B", "0.123", "0.600", "-4.3", "0.300", "0.310", "0.330", "0.350", "0.360"],
        ["Zoë", "0.000", "0.600", "undefined", "0.400", "0.410", "0.430", "0.450", "0.460"],
        ["all of these", "", "", "", "0.500", "0.510", "0.530", "0.550", "0.560"],
    ]
    assert RULE in grid.notes[0]
    assert "on the consistency set" in grid.notes[0]
    assert "Nobody was removed; without=['NAME'] does that." in grid.notes[0]


def test_one_who_stands_out_alone_has_one_row():
    found = agreement(standing_out=STANDING_OUT[:1])
    grid = grid_of(found, "Annotators who stand out")
    assert [row[0] for row in texts(grid)] == ["B"]
    assert "consistency" not in grid.notes[0]


def test_disagreement_is_shown_by_subset():
    grid = grid_of(everything(), "Disagreement by frequency")
    assert grid.header == ["frequency", "pairs", "mean SD", "95% interval"]
    assert texts(grid) == [
        ["low_frequency", "1,200", "1.562", "[1.400, 1.700]"],
        ["high", "1", "undefined", ""],
    ]


def test_verdicts_are_shown_by_set():
    grid = grid_of(everything(), "Verdicts")
    assert grid.header == ["set", "pairs", "without truth", "α", "accuracy", "recall", "precision"]
    assert texts(grid) == [
        [
            "fsn-synonym_easy",
            "60",
            "2 (3%)",
            "0.880",
            "0.980 [0.910, 0.995]",
            "1.000 [0.880, 1.000]",
            "0.970 [0.830, 0.990]",
        ],
        ["all", "3", "3 (100%)", *["undefined"] * 4],
    ]


def test_every_row_has_a_cell_for_each_column():
    many = agreement([f"n{number}" for number in range(40)])
    for found in (everything(), agreement(), many, undefined_agreement(["A", "B"])):
        for grid in grids(found):
            assert {len(row) for row in grid.rows} == {len(grid.header)}


def read_back(found):
    lines = list(csv.DictReader(io.StringIO(to_csv(*rows(found)))))
    return {(line["figure"], line["subject_1"], line["subject_2"]): line for line in lines}, lines


def test_csv_has_every_figure_once():
    found = everything()
    by_key, lines = read_back(found)
    assert len(by_key) == len(lines)
    names = {name for name, _, _ in by_key}
    assert set(HEADLINES) | {"mean_sd", "consistency_iaa_1", "consistency_alpha"} <= names
    assert {f"{way}_{name}" for way in ("packed", "panel") for name in RELIABILITY} <= names
    assert {f"{what}_{name}" for what in ("without", "without_all") for name in HEADLINES} <= names
    pairwise = [key for key in by_key if key[0] == "pairwise_kappa_linear"]
    assert [key[1:] for key in pairwise] == [(one.annotator_1, one.annotator_2) for one in found.pairwise]
    assert sum(key[0] == "annotator_rho_with_mean" for key in by_key) == 4


def test_csv_rows_say_whose_a_figure_is_its_interval_and_its_pairs():
    by_key, _ = read_back(everything())

    def values(figure, first="", second=""):
        return tuple(by_key[figure, first, second][name] for name in ("value", "low", "high", "pairs"))

    assert values("mean_sd") == ("0.4321", "", "", "1280")
    assert values("alpha") == ("0.2", str(0.2 - 0.05), "0.25", "1280")  # without the consistency set
    assert values("icc_ck")[3] == values("packed_icc_ck")[3] == "1250"
    assert values("panel_kendall_w") == ("0.5", "0.4", "0.6", "1290")
    assert values("consistency_alpha") == ("0.55", "", "", "20")
    assert values("annotator_ratings", "Zoë") == ("1234", "", "", "1234")
    assert values("annotator_kappa_quadratic", "Zoë")[0] == "0.54"
    assert values("pairwise_alpha", "A", "B") == ("0.5", "", "", "30")
    assert values("standing_out_score", "B")[0] == "-4.26"
    assert values("standing_out_score", "Zoë")[0] == ""
    assert values("without_alpha", "Zoë")[0] == "0.4"
    assert values("without_all_alpha")[0] == "0.5"
    assert values("subset_mean_sd", "frequency", "low_frequency") == ("1.5621", "1.4", "1.7", "1200")
    assert values("verdicts_without_truth", "all") == ("3", "", "", "3")
    assert values("verdicts_recall", "fsn-synonym_easy") == ("1.0", "0.88", "1.0", "60")


def test_csv_has_nothing_where_a_figure_is_undefined():
    by_key, lines = read_back(undefined_agreement(["A", "B"]))
    assert by_key["alpha", "", ""]["value"] == ""
    assert not any("nan" in row.values() or "None" in row.values() for row in lines)


@pytest.fixture(scope="module")
def all_grids():
    many = agreement([f"n_{number}" for number in range(31)])
    apart = agreement(pairwise=[])
    return [
        grid for found in (everything(), many, apart, undefined_agreement(["A"])) for grid in grids(found)
    ]


def test_markdown_has_a_line_for_each_row(all_grids):
    for grid in all_grids:
        lines = [line for line in to_markdown(grid).splitlines() if line.startswith("|")]
        assert len(lines) == len(grid.rows) + 2
        assert {line.count("|") for line in lines} == {len(grid.header) + 1}


def test_the_latex_has_even_brackets_and_environments(all_grids):
    tables = [to_latex(grid) for grid in all_grids]
    for table in tables:
        assert table.count("{") - table.count(r"\{") == table.count("}") - table.count(r"\}")
        assert table.count(r"\begin") == table.count(r"\end") == 2
        assert not set("ακρ–≥") & set(table)


def test_the_latex_compiles_with_booktabs(all_grids, tmp_path):
    check_compiles([to_latex(grid) for grid in all_grids], tmp_path)


def test_a_stored_agreement_that_lacks_its_ceiling_is_shown_without_it():
    """Its key was damaged: the table of reliability raised a KeyError."""
    found = medgauge.agreement(RATINGS, level="ordinal", resamples=19)
    stored = json.loads(found.to_json())
    del stored["ceiling"]
    shown = [row[0].text for grid in grids(Agreement.model_validate(stored)) for row in grid.rows]
    assert "G(q,k)" in shown
    assert "ceiling" not in shown
