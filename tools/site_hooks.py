"""Add the pages of the docs site that are not in docs/: the README as home page, and the API reference.

MkDocs calls `on_files` and `on_page_markdown` (see "hooks" in its user guide). Links are written for the
repository, where `docs/models.md` is a path, and rewritten for the site.
"""

import os.path
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]

# Files in the root of the repository, and the pages of the site made from them.
ROOT_PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
}

# Every public name, by topic; tests/test_site.py compares them with medgauge.__all__.
API = {
    "Sets of pairs": [
        "load_dataset",
        "as_pairs",
        "Pairs",
        "PairSet",
        "Card",
        "coverage",
        "BenchmarkCoverage",
    ],
    "Mapping concepts": ["map_concepts", "ConceptMap", "add_concepts", "UmlsService"],
    "Building sets": [
        "build_terminology",
        "Manifest",
        "build_records",
        "DataSheet",
        "build_words",
        "WordSheet",
        "NearestTerms",
    ],
    "Text": ["build_corpus", "Corpus", "corpus_words", "WordTable"],
    "Models": ["load_model", "as_model", "train_vectors", "ModelCard", "probe", "Probe"],
    "Evaluation": [
        "similarity",
        "evaluate",
        "Run",
        "MeasureChoice",
        "category_separation",
        "CategorySeparation",
        "Estimate",
    ],
    "Named-entity recognition": ["entity_recognition", "EntityRecognition"],
    "Stored results": ["load_result"],
    "Comparison": ["compare", "Comparison", "worst_pairs", "WorstPairs", "correlate", "Correlations"],
    "Studies": ["run_study", "StudyResult", "schedule_study", "StudySchedule"],
    "Annotators' ratings": ["agreement", "Agreement", "gold", "Gold"],
    "Errors and warnings": ["MedgaugeError", "MedgaugeWarning"],
}

_CODE_OR_LINK = re.compile(
    r"(?P<code>^(?P<fence>```+).*?^(?P=fence)|`[^`\n]+`(?!\]))"
    r"|\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^)\s]+)\)",
    re.MULTILINE | re.DOTALL,
)


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the pages that are made from other files."""
    from mkdocs.structure.files import File

    for source, page in ROOT_PAGES.items():
        text = (ROOT / source).read_text("utf-8")
        if source == "LICENSE":
            text = f"# License\n\n```text\n{text}```\n"
        files.append(File.generated(config, page, content=with_site_links(text, PurePosixPath(source))))
    files.append(File.generated(config, "api.md", content=api_page()))
    return files


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:  # noqa: ARG001
    """Rewrite the links of a page of docs/, and highlight its doctests as Python sessions."""
    if not page.file.generated_by:
        markdown = with_site_links(markdown, PurePosixPath("docs", page.file.src_uri))
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)


def with_site_links(text: str, source: PurePosixPath) -> str:
    """Return the Markdown with relative links that lead to pages of the site.

    `source` is the path of the file in the repository. A link to a file that is not on the site, such as a
    test, is replaced by its text; one to a file that does not exist stays, so that MkDocs reports it. A link
    whose text is the path of a page gets the title of that page as its text.

    >>> with_site_links("See [docs/cli.md](docs/cli.md), the [license](LICENSE).", PurePosixPath("README.md"))
    'See [The commands](cli.md), the [license](license.md).'
    >>> with_site_links("[home](../README.md#x), [make](../Makefile)", PurePosixPath("docs/cli.md"))
    '[home](index.md#x), make'
    """

    def rewritten(match: re.Match[str]) -> str:
        if match["code"] or re.match(r"[a-z]+:|#|/", match["target"]):
            return match[0]
        target, hash_, anchor = match["target"].partition("#")
        path = os.path.normpath(source.parent / target)
        text = with_site_links(match["text"], source)
        page = ROOT_PAGES.get(path) or path.removeprefix("docs/")
        if page == path:  # not a page of the site
            return text if (ROOT / path).exists() else match[0]
        if path.endswith(".md") and match["text"].strip("`") in (target, path):
            text = _title(ROOT / path) or text
        here = PurePosixPath(ROOT_PAGES.get(str(source)) or str(source).removeprefix("docs/")).parent
        return f"[{text}]({os.path.relpath(page, here)}{hash_}{anchor})"

    return _CODE_OR_LINK.sub(rewritten, text)


def _title(page: Path) -> str | None:
    found = page.exists() and re.search(r"^# (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else None


def api_page() -> str:
    """Return the page from which mkdocstrings generates the API reference."""
    parts = [
        "# API",
        "Everything public is in `medgauge` itself. [In Python](python.md) shows how it is used.",
    ]
    for topic, names in API.items():
        parts += [f"## {topic}", *(f"::: medgauge.{name}" for name in names)]
    return "\n\n".join(parts) + "\n"
