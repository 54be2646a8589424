"""Packages with entry points, installed for a test as pip would, without pip."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest


def install_package(
    site: Path, monkeypatch: pytest.MonkeyPatch, module: str, code: str, group: str, points: Mapping[str, str]
) -> None:
    """Install a package of one module with entry points into a folder that is searched for the test."""
    name = module.replace("_", "-")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (site / f"{module}.py").write_text(code, "utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{point} = {value}" for point, value in points.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, module, raising=False)
