import medgauge
from medgauge.mapping.concept_map import ConceptMap, MappedConcept
from medgauge.report.mapping_tables import grids, rows, summary
from tests.results import example


def many(count: int) -> ConceptMap:
    concepts = [MappedConcept(id=f"a{n}", targets=(f"b{n}", "c", "d", "e"), step="one") for n in range(count)]
    return ConceptMap(source="A", target="B", route="mine", files={}, concepts=tuple(concepts))


def test_steps_that_mapped_come_first_with_their_shares():
    steps = grids(example("ConceptMap"))[0]
    cells = [[cell.text for cell in row] for row in steps.rows]
    assert cells[:2] == [["mapped", "one CUI", "3", "33.3%"], ["mapped", "preferred term", "1", "11.1%"]]
    assert {row[0] for row in cells[2:]} == {"unmapped"}
    assert sum(int(row[2]) for row in cells) == 9


def test_long_lists_are_cut_and_say_so():
    [_, mapped] = grids(many(25))
    assert len(mapped.rows) == 20
    assert mapped.notes == ["… and 5 more; csv, json and a file have all of them."]
    assert mapped.rows[0][1].text == "b0, c, d and 1 more"
    assert len(rows(many(25))[1]) == 100


def test_a_map_of_nothing_that_is_mapped_has_no_table_of_it():
    none = ConceptMap(
        source="A",
        target="B",
        route="mine",
        files={},
        concepts=(MappedConcept(id="a", targets=(), step="x"),),
    )
    assert [grid.title for grid in grids(none)] == ["A to B, by mine", "Unmapped"]
    assert rows(none)[1] == [["a", None, "x", None]]
    assert summary(none)[-1] == "unmapped: x (1)"


def test_the_frame_has_a_row_for_each_target():
    frame = example("ConceptMap").to_frame()
    assert frame.columns == ["id", "target", "step", "left"]
    assert frame["target"].null_count() == len(example("ConceptMap").unmapped)
    assert isinstance(example("ConceptMap"), medgauge.ConceptMap)
