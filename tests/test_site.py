"""The docs site shows every public name and every page (make site checks its links)."""

import importlib.util
from pathlib import Path

import pytest

import medgauge

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def hooks():
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "tools" / "site_hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_api_reference_has_every_public_name_once(hooks):
    assert sorted(name for names in hooks.API.values() for name in names) == sorted(medgauge.__all__)


def test_every_page_is_in_the_navigation(hooks):
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in [*hooks.ROOT_PAGES.values(), *(path.name for path in (ROOT / "docs").glob("*.md"))]:
        assert f": {page}\n" in navigation, f"add {page} to nav in mkdocs.yml"


@pytest.mark.parametrize(
    ("source", "written", "on_the_site"),
    [
        ("README.md", "[docs/cli.md](docs/cli.md)", "[The commands](cli.md)"),
        ("README.md", "[how](docs/python.md#x)", "[how](python.md#x)"),
        ("README.md", "![Progress](docs/annotate/done.png)", "![Progress](annotate/done.png)"),
        ("README.md", "[its terms](LICENSE)", "[its terms](license.md)"),
        ("docs/cli.md", "[home](../README.md)", "[home](index.md)"),
        ("docs/cli.md", "[cli.md](cli.md)", "[The commands](cli.md)"),
        ("docs/cli.md", "[the targets](../Makefile)", "the targets"),
        ("docs/cli.md", "[gone](../nowhere.md)", "[gone](../nowhere.md)"),
        ("docs/cli.md", "[a](https://example.org/README.md)", "[a](https://example.org/README.md)"),
        ("docs/cli.md", "[below](#below)", "[below](#below)"),
        ("docs/cli.md", "`[a](../README.md)`", "`[a](../README.md)`"),
        ("docs/cli.md", "```text\n[a](../README.md)\n```", "```text\n[a](../README.md)\n```"),
        ("docs/cli.md", "[`cli.md`](cli.md)", "[The commands](cli.md)"),
        ("docs/cli.md", "[`serve`](../README.md)", "[`serve`](index.md)"),
    ],
)
def test_links_lead_to_pages_of_the_site(hooks, source, written, on_the_site):
    assert hooks.with_site_links(written, Path(source)) == on_the_site
