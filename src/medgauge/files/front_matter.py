"""The YAML front matter of Markdown files, of which only plain texts and lists of them are read."""

import re

_KEY = re.compile(r"([A-Za-z_][\w-]*)\s*:(?:\s+(.*)|\s*)$")
_ITEM = re.compile(r"\s*-(?:\s+(.*))?$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_COLON = re.compile(r":(?:\s|$)")  # which a plain text cannot have
_UNCLOSED = re.compile(r"(?:^|[\s\[,])(?:\"(?:[^\"\\]|\\.)*|'(?:[^']|'')*)$")
_FENCE = "---"


def split_front_matter(text: str) -> tuple[dict[str, list[str]], str]:
    r"""Split a text into the front matter, as a list of texts for each key, and the rest.

    Keys of the top level with a text, a list of texts, or nothing (an empty list) are read. Whatever else
    YAML can write (nested keys, blocks of text, references) is passed over, and never an error.

    >>> split_front_matter("---\nlicense: mit\ndatasets:\n- a/b\n- 'c'\ntags: [x, y]\n---\n# Title\n")
    ({'license': ['mit'], 'datasets': ['a/b', 'c'], 'tags': ['x', 'y']}, '# Title\n')
    >>> split_front_matter("# Title\n")
    ({}, '# Title\n')
    """
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return {}, text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == _FENCE:
            return _keys([one.rstrip() for one in lines[1:number]]), "".join(lines[number + 1 :])
    return {}, text


def listed_under(key: str, text: str) -> list[str]:
    r"""Return the items of a list that a text has under a key at the beginning of a line.

    >>> listed_under("datasets", "A model.\n\ndatasets:\n- UMLS\n\n## Use\n- it\n")
    ['UMLS']
    """
    found = re.search(rf"^{re.escape(key)}:[ \t]*\n((?:[ \t]*-[ \t].*(?:\n|$))+)", text, re.MULTILINE)
    return _keys([f"{key}:", *found[1].splitlines()]).get(key, []) if found else []


def _keys(lines: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    last, is_list, indent = "", False, -1  # the key that lines below may belong to, and how they are indented
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = _ITEM.fullmatch(line)
        opened = _KEY.fullmatch(line)
        if _UNCLOSED.search(line):
            found.pop(last, None)
            found.pop(opened[1] if opened else last, None)
            break  # what follows may be in quotes
        if item:
            text = _scalar(item[1] or "")
            deep = len(line) - len(line.lstrip())
            indent = deep if indent < 0 else indent
            if not is_list or text is None or deep != indent:
                found.pop(last, None)
            elif last in found:
                found[last].append(text)
        elif line[0].isspace():
            found.pop(last, None)  # a text over several lines, or something nested
        elif opened:
            last = opened[1]
            found.pop(last, None)
            values = _values(opened[2] or "")
            is_list, indent = values == [], -1
            if values is not None:
                found[last] = values
    return found


def _values(written: str) -> list[str] | None:
    """Return the value behind a key as a list of texts, None if it is neither a text nor a list of texts."""
    written = written.strip()
    if not written or written.startswith("#"):
        return []
    if written.startswith("["):
        inner = _COMMENT.sub("", written).strip()
        if not inner.endswith("]") or any(sign in inner[1:-1] for sign in "[]{}\"'"):
            return None
        items = [_scalar(part) for part in inner[1:-1].split(",") if part.strip()]
        return None if None in items else [item for item in items if item is not None]
    text = _scalar(written)
    return None if text is None else [text]


def _scalar(written: str) -> str | None:
    """Return a plain or quoted text, None for anything else."""
    written = written.strip()
    quoted = re.match(r"\"([^\"\\]*)\"|'((?:[^']|'')*)'", written)
    if quoted:
        rest = written[quoted.end() :]
        if rest.strip() and not re.match(r"\s+#", rest):
            return None
        return quoted[1] if quoted[1] is not None else quoted[2].replace("''", "'")
    plain = _COMMENT.sub("", written).strip()
    if not plain or plain[0] in "\"'[]{}&*!|>%@`,?-" or _COLON.search(plain):
        return None
    return plain
