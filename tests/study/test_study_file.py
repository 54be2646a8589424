import pytest

from medgauge.errors import FileError, UnknownNameError
from medgauge.study.study_file import NAMES, StudyFile, changed_study, load_study, parse_study, study_text

MINE = 'title = "Mine"\nsets = ["mayosrs"]\n'


def test_the_window_sizes_are_those_of_table_7():
    """Chiu et al. (2018), table 7 and table 3."""
    study = load_study("windows")
    assert [window for _, window in study.trained] == [1, 2, 4, 5, 8, 16, 20, 25, 30]
    assert study.sets == ("umnsrs-rel", "umnsrs-sim", "mayosrs", "bio-simverb", "bio-simlex")
    assert study.training.model_dump(exclude={"epochs"}) == {
        "dim": 200,
        "negative": 5,
        "sample": 1e-5,
        "lr": 0.05,
        "min_count": 5,
    }


def test_the_networks_are_those_of_table_4():
    """Chiu et al. (2018), table 4, and three trials ("Performance of representation models")."""
    ner = load_study("windows").ner
    assert (ner.hidden, ner.window, ner.rate, ner.dropout, ner.epochs, ner.batch) == (
        300,
        5,
        0.01,
        0.2,
        20,
        50,
    )
    assert ner.trials == 3


def test_the_architectures_are_those_of_table_5_and_fasttext():
    trained = load_study("architectures").trained
    assert trained == [
        *[(name, 5) for name in ("attention", "ssg", "sg", "cbow", "fasttext")],
        ("dependency", None),
    ]


def test_the_general_study_has_the_sets_of_table_9_and_trains_nothing():
    study = load_study("general")
    assert study.sets == ("simverb-3500", "simlex-999", "bio-simverb", "bio-simlex")
    assert study.trained == []


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_study_can_be_copied_and_read_as_a_file(name, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(study_text(name), "utf-8")
    assert load_study(path) == load_study(name)


def test_paths_are_relative_to_the_file_of_the_study(tmp_path):
    (tmp_path / "here").mkdir()
    for name in ("corpus.parquet", "old.bin", "mine.tsv"):
        (tmp_path / "here" / name).touch()
    text = (
        MINE.replace('"mayosrs"', '"mayosrs", "mine.tsv"')
        + 'corpus = "corpus.parquet"\nvectors = ["a=old.bin"]'
    )
    (tmp_path / "here" / "study.toml").write_text(text, "utf-8")
    study = load_study(tmp_path / "here" / "study.toml")
    assert study.corpus == str(tmp_path / "here" / "corpus.parquet")
    assert study.vectors == (f"a={tmp_path / 'here' / 'old.bin'}",)
    assert study.sets == ("mayosrs", str(tmp_path / "here" / "mine.tsv"))


def test_a_file_that_is_missing_is_not_taken_from_the_current_folder(tmp_path, monkeypatch):
    folder, here = tmp_path / "there", tmp_path / "here"
    folder.mkdir()
    (here / "GENES").mkdir(parents=True)
    for name in ("text.txt", "old.bin", "mine.tsv"):
        (here / name).touch()
    fields = 'corpus = "text.txt"\nvectors = ["a=old.bin", "hf:one/two.v3"]\nner_corpora = ["G=GENES"]\n'
    (folder / "study.toml").write_text(MINE.replace('"mayosrs"', '"mayosrs", "mine.tsv"') + fields, "utf-8")
    monkeypatch.chdir(here)
    study = load_study(folder / "study.toml")
    assert study.corpus == str(folder / "text.txt")
    assert study.vectors == (f"a={folder / 'old.bin'}", "hf:one/two.v3")
    assert study.ner_corpora == (f"G={folder / 'GENES'}",)
    assert study.sets == ("mayosrs", str(folder / "mine.tsv"))


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("window = [1]", "mine.toml: there is no field 'window'; did you mean 'windows'?"),
        ("[training]\ndims = 3", "mine.toml, training: there is no field 'dims'; did you mean 'dim'?"),
        ("[ner]\nepoch = 3", "mine.toml, ner: there is no field 'epoch'; did you mean 'epochs'?"),
        ("[ner]\nseed = 3", "mine.toml, ner.seed: the seed of a study is at its top"),
        ("windows = [2, 5, 2]", "mine.toml, windows[3]: '2' is already in the list"),
        ("windows = 5", "mine.toml, windows: is not a list"),
        ("windows = [0]", "mine.toml, training (window 0): window="),
        ('windows = ["5"]', "mine.toml, windows[1]: is not a whole number"),
        ('architectures = ["glove"]', "mine.toml, architectures[1]: must be 'sg', 'cbow'"),
        ('vectors = ["a.bin", "a.bin"]', "mine.toml, vectors[2]: 'a.bin' is already in the list"),
        ("windows = [2]\n[training]\ndim = 0", "mine.toml, training (window 2): dim="),
        ("windows = [2]\n[training]\nlr = 2", "mine.toml, training (window 2): lr="),
        ("[ner]\ntrials = 0", "mine.toml, ner.trials: is below 1"),
        ("[ner]\nwindow = 4", "mine.toml, ner: a window has as many words on either side, so it is odd"),
        ("[ner]\nhidden = 1_000_000", "mine.toml, ner: hidden must be between 1 and 100,000"),
        ("[ner]\nrate = 'x'", "mine.toml, ner.rate: is not a number"),
        ("[ner]\ntune = 'perhaps'", "mine.toml, ner.tune: is neither true nor false"),
        ("[ner]\ntune = 'yes'", "mine.toml, ner.tune: is neither true nor false"),
        ("[ner]\ntrials = '2'", "mine.toml, ner.trials: is not a whole number"),
        ("[training]\ndim = true", "mine.toml, training.dim: is not a whole number"),
        ('[subsets]\nmayosrs = "adverb"', "mine.toml, subsets.mayosrs: must be 'noun', 'verb' or 'any'"),
        ("seed = -1", "mine.toml, seed: is below 0"),
        ('corpus = " "', "mine.toml, corpus: is blank"),
        ("corpus = ", "mine.toml, line 3: is not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_study_is_said_with_its_place(more, problem):
    with pytest.raises(FileError) as caught:
        parse_study(MINE + more, "mine.toml")
    assert str(caught.value).startswith(problem)


def test_a_title_of_two_lines_is_refused_before_any_work():
    text = MINE.replace('"Mine"', '"""One\nTwo"""')
    with pytest.raises(FileError, match=r"^mine.toml, title: has a line break or another control character$"):
        parse_study(text, "mine.toml")


def test_a_study_without_sets_is_refused():
    with pytest.raises(FileError, match=r"mine.toml, sets: has 0 entries, and needs at least 1"):
        parse_study('title = "Mine"\nsets = []', "mine.toml")


def test_an_unknown_study_is_named_with_those_there_are():
    with pytest.raises(UnknownNameError, match=r"no study \(or file\) 'window'; did you mean 'windows'\?"):
        load_study("window")


def test_what_is_given_takes_the_place_of_what_the_file_says():
    study = changed_study("windows", corpus="c.parquet", windows=3, sets="mayosrs", seed=7)
    assert (study.corpus, study.windows, study.sets, study.seed) == ("c.parquet", (3,), ("mayosrs",), 7)
    assert study.subsets == {}
    assert study.training == load_study("windows").training


def test_a_set_that_is_given_as_a_file_keeps_its_subsets():
    study = changed_study("windows", sets=["here/bio-simlex.tsv", "bio-simverb=mine.csv"])
    assert study.subsets == {"bio-simlex": "noun", "bio-simverb": "verb"}


def test_a_wrong_change_is_an_error_about_the_study():
    with pytest.raises(FileError, match=r"^windows, architectures\[1\]: must be 'sg'"):
        changed_study("windows", architectures=["glove"])


def test_windows_alone_mean_skip_gram():
    assert StudyFile(title="x", sets=("a",), windows=(2,)).trained == [("sg", 2)]
