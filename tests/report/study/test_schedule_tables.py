from tests.results import example


def test_steps_are_listed_with_their_times_and_where_these_come_from():
    found = example("StudySchedule")
    [grid] = found.grids()
    assert grid.header == ["step", "state", "time", "from"]
    rows = {row[0].figure: [cell.figure for cell in row[1:]] for row in grid.rows}
    assert rows["train sg-w2"] == ["to do", "10 s", "measured"]
    assert rows["evaluate"] == ["to do", "", "unknown"]
    assert grid.notes[0].startswith(
        "Left: 15 of 15 steps; time: about 54 s, besides 6 steps of unknown time."
    )
