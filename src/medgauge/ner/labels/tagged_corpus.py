"""A corpus with labelled entities: a folder with a training, a development and a test part."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from medgauge.arrays import Integers, Places
from medgauge.errors import FileError, InputError, quoted
from medgauge.files.file_names import clean_name
from medgauge.ner.labels.tag_schemes import Entities, Scheme, Tags, entities_of, iobes_labels, scheme_of
from medgauge.ner.labels.tagged_files import TaggedTokens, read_tagged
from medgauge.progress import remark

Corpora = str | Path | Sequence[str | Path] | Mapping[str, str | Path]
"""Folders of corpora: one, several, or several by name."""

_FILES = {
    "train": ("train", "training"),
    "devel": ("devel", "dev", "development", "valid", "validation"),
    "test": ("test", "testing"),
}
_PACKED = (".gz", ".zst")
_ENDINGS = ("", ".bio", ".bioes", ".conll", ".iob", ".iob2", ".iobes", ".tsv", ".txt")
_DEVELOPMENT = 10  # the share of the training part that is taken where there is no development part


@dataclass(frozen=True)
class TaggedPart:
    """The words and entities of one part; `starts` has the first token of each sentence, and the end."""

    words: list[str]
    starts: Integers
    entities: Entities
    scheme: Scheme

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return self.starts.size - 1

    @cached_property
    def labels(self) -> Places:
        """The label of each token in IOBES."""
        return iobes_labels(self.entities, len(self.words))

    @cached_property
    def sentence_of(self) -> Integers:
        """The number of the sentence of each token."""
        return np.repeat(np.arange(self.sentences), np.diff(self.starts))

    def texts(self) -> list[str]:
        """Return the sentences with a space between words, and none within one."""
        words = ["".join(word.split()) for word in self.words]
        ends = zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
        return [" ".join(words[first:last]) for first, last in ends]

    def between(self, first: int, last: int) -> "TaggedPart":
        """Return the sentences from one number up to another."""
        begin, end = int(self.starts[first]), int(self.starts[last])
        inside = (self.entities.first >= begin) & (self.entities.first < end)
        found = self.entities.chosen(inside)
        moved = found._replace(first=found.first - begin, last=found.last - begin)
        starts = self.starts[first : last + 1] - begin
        return TaggedPart(self.words[begin:end], starts, moved, self.scheme)


@dataclass(frozen=True)
class TaggedCorpus:
    """A corpus; `devel_taken` says that its development part is the last tenth of the training part."""

    name: str
    types: list[str]
    train: TaggedPart
    devel: TaggedPart
    test: TaggedPart
    devel_taken: bool
    digest: str

    @property
    def parts(self) -> dict[str, TaggedPart]:
        """The parts by name."""
        return {"train": self.train, "devel": self.devel, "test": self.test}

    @cached_property
    def vocabulary(self) -> list[str]:
        """The different words of all parts, sorted."""
        return sorted({word for part in self.parts.values() for word in part.words})


def read_corpora(given: Corpora) -> list[TaggedCorpus]:
    """Read corpora, each of which is named after its folder unless it is given by name."""
    if isinstance(given, Mapping):
        named = [(clean_name(name), Path(folder)) for name, folder in given.items()]
    else:
        folders = [given] if isinstance(given, str | Path) else given
        named = [(clean_name(Path(one).resolve().name), Path(one)) for one in folders]
    if not named:
        raise InputError("no corpus was given")
    names = [name for name, _ in named]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two corpora are called {quoted(name)}; rename one of them (NAME=FOLDER)")
    files = [_files_in(folder) for _, folder in named]
    return [_read_corpus(name, found) for name, found in zip(names, files, strict=True)]


def _files_in(folder: Path) -> dict[str, Path]:
    """Return the files of the parts in a folder."""
    if not folder.is_dir():
        problem = "is a file; give the folder that it is in" if folder.exists() else "there is no such folder"
        raise FileError(folder, problem)
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        name = path.name.lower()
        for packed in _PACKED:
            name = name.removesuffix(packed)
        stem, ending = (name[: -len(Path(name).suffix)], Path(name).suffix) if "." in name else (name, "")
        for part, stems in _FILES.items():
            if stem in stems and ending in _ENDINGS and path.is_file():
                if part in found:
                    raise FileError(folder, f"has both {found[part].name} and {path.name}; remove one")
                found[part] = path
    for part in ("train", "test"):
        if part not in found:
            raise FileError(folder, f"has no file {part}.tsv (or .tsv.gz, .txt, .conll, …)")
    return found


def _read_corpus(name: str, files: Mapping[str, Path]) -> TaggedCorpus:
    read = {part: read_tagged(path) for part, path in files.items()}
    # What the network can find are the types of the training part; others are found by nobody, and count.
    types = list(dict.fromkeys(kind for tokens in read.values() for kind in sorted(tokens.types)))
    parts = {part: _part_of(tokens, types) for part, tokens in read.items()}
    for part in ("train", "test"):
        if not parts[part].entities.first.size:
            raise FileError(files[part], "has no entity: every label is O")
    taken = "devel" not in parts
    if taken:
        whole = parts["train"]
        kept = whole.sentences - max(1, whole.sentences // _DEVELOPMENT)
        if not kept:
            raise FileError(files["train"], "has one sentence; no development part can be taken from it")
        parts["train"], parts["devel"] = whole.between(0, kept), whole.between(kept, whole.sentences)
        remark(
            f"{name}: there is no development part; the last sentences of the training part are taken "
            f"({parts['devel'].sentences:,} of {whole.sentences:,})"
        )
        if not parts["train"].entities.first.size:
            raise FileError(
                files["train"], "has no entity before its last tenth, which is the development part"
            )
    return TaggedCorpus(
        name, types, parts["train"], parts["devel"], parts["test"], taken, _digest(parts, types)
    )


def _part_of(tokens: TaggedTokens, types: list[str]) -> TaggedPart:
    """Return a part with its types numbered as in `types`."""
    numbers = np.array([types.index(kind) for kind in tokens.types] or [0], np.int32)
    tags: Tags = replace(tokens.tags, types=numbers[tokens.tags.types])
    entities = entities_of(tags)
    return TaggedPart(tokens.words, tags.starts, entities, scheme_of(tags, entities))


def _digest(parts: Mapping[str, TaggedPart], types: list[str]) -> str:
    """Digest words, sentences and entities, not the bytes of the files or their scheme."""
    digest = hashlib.sha256("\n".join(types).encode())
    for name in sorted(parts):
        part = parts[name]
        digest.update(f"\n\n{name}\n".encode() + "\n".join(part.words).encode())
        for numbers in (part.starts, part.labels):
            digest.update(numbers.astype("<i8").tobytes())
    return digest.hexdigest()
