"""verify: whether built sets match a manifest."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from medgauge.build.folder import read_set
from medgauge.build.manifest import Manifest, set_digest
from medgauge.errors import FileError
from medgauge.progress import track

Verdict = Literal["same", "differs", "missing"]


@dataclass(frozen=True)
class Verification:
    """Whether each set of a manifest is the same in a folder, and how the two builds differ."""

    sets: dict[str, Verdict]
    differences: dict[str, tuple[str, str]]
    """What the builds were made from or with, where they differ: theirs and ours, by name."""

    @property
    def holds(self) -> bool:
        """Whether every set is the same."""
        return all(verdict == "same" for verdict in self.sets.values())

    def to_json(self) -> dict[str, object]:
        """Return the verification as plain values."""
        return {"holds": self.holds, **asdict(self)}


def verify(manifest: Path, folder: Path) -> Verification:
    """Compare the sets in a folder, as read from its files, with the digests of a manifest."""
    theirs = Manifest.load(manifest)
    if not folder.is_dir():
        raise FileError(folder, "is not a folder of sets")
    verdicts: dict[str, Verdict] = {}
    with track("verifying", len(theirs.sets)) as advance:
        for name, facts in theirs.sets.items():
            frame = read_set(folder, name)
            if frame is None:
                verdicts[name] = "missing"
            else:
                verdicts[name] = "same" if set_digest(frame) == facts.digest else "differs"
            advance(1)
    return Verification(verdicts, _differences(theirs, folder))


def _differences(theirs: Manifest, folder: Path) -> dict[str, tuple[str, str]]:
    try:
        ours = Manifest.load(folder)
    except FileError:
        return {}
    left, right = _facts(theirs), _facts(ours)
    return {
        name: (left.get(name, "–"), right.get(name, "–"))
        for name in dict.fromkeys([*left, *right])
        if left.get(name) != right.get(name)
    }


def _facts(manifest: Manifest) -> dict[str, str]:
    parameters = manifest.parameters.model_dump()
    return {
        "rules": str(manifest.rules),
        "medgauge": manifest.medgauge,
        "source": manifest.source.title,
        **{f"digest of {name}": digest for name, digest in manifest.source.files.items()},
        **{
            name: ", ".join(value) if isinstance(value, list) else str(value)
            for name, value in parameters.items()
            if value is not None
        },
        **manifest.versions,
    }
