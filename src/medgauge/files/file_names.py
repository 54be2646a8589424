"""Names made from those of files."""

from pathlib import Path


def clean_name(text: str) -> str:
    r"""Turn a file name or an option into a name that can be written and shown anywhere.

    >>> clean_name("glove\x1b[31m")
    'glove?[31m'
    """
    text = text.encode("utf-8", "replace").decode()
    return "".join(character if character.isprintable() else "?" for character in text)


def plain_name(path: Path) -> str:
    """Name a table or list after its file.

    >>> plain_name(Path("data/my.pairs.csv.gz"))
    'my.pairs'
    """
    return clean_name(path.name.removesuffix(".gz").removesuffix(".zst").rsplit(".", 1)[0])
