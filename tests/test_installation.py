import json
import shlex
import sys
from importlib import metadata
from pathlib import Path

import pytest

from medgauge import installation
from medgauge.installation import install_command, program

ROOT = Path(__file__).parents[1]


@pytest.fixture
def script(tmp_path, monkeypatch):
    """Make a program in an environment of the current folder, which is not on the PATH."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / ".venv" / "bin" / "medgauge"
    place.parent.mkdir(parents=True)
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", "/usr/bin")
    return place


def test_a_program_that_is_not_on_the_path_is_named_as_it_was_called(script, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [".venv/bin/medgauge", "demo"])
    assert program() == ".venv/bin/medgauge"
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert program() == ".venv/bin/medgauge"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert program() == shlex.quote(str(script))
    monkeypatch.chdir(script.parent)
    assert program() == "./medgauge"


def test_a_program_on_the_path_is_named_without_its_folder(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", str(script.parent))
    assert program() == "medgauge"


def test_a_module_is_named_with_its_python(script, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/x/medgauge/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(script.with_name("python")))
    assert program() == ".venv/bin/python -m medgauge"


def test_an_extra_of_a_clone_is_installed_from_the_clone(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(ROOT / ".venv" / "bin" / "python"))
    monkeypatch.chdir(ROOT)
    assert install_command("web") == ".venv/bin/python -m pip install -e '.[web]'"
    monkeypatch.chdir(tmp_path)
    assert install_command("web").endswith(f" -m pip install -e '{ROOT}[web]'")


@pytest.mark.parametrize(
    ("noted", "wanted"),
    [
        (None, "'medgauge[web]'"),
        ({"url": "file:///home/me/medgauge", "dir_info": {}}, "'medgauge[web] @ file:///home/me/medgauge'"),
        (
            {"url": "https://example.org/medgauge", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            "'medgauge[web] @ git+https://example.org/medgauge'",
        ),
    ],
)
def test_an_extra_of_an_installed_package_comes_from_where_it_came_from(noted, wanted, monkeypatch, tmp_path):
    class Installed:
        def read_text(self, _name):
            return None if noted is None else json.dumps(noted)

    monkeypatch.setattr(installation, "__file__", str(tmp_path / "lib" / "python" / "medgauge" / "x.py"))
    monkeypatch.setattr(metadata, "distribution", lambda _name: Installed())
    assert install_command("web").endswith(f" -m pip install {wanted}")
