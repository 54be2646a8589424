"""Files of FHIR resources are found and read, and named by their ordinal only."""

import gc
import gzip
import json
import os
from pathlib import Path

import pytest

from medgauge.files.opening import MOST_UNPACKED
from medgauge.records.bundles import documents, fhir_files, is_fhir, unbundled

SECRET = "Planted_Name_7f3a"
PATIENT = {"resourceType": "Patient", "id": "7"}
CONDITION = {"resourceType": "Condition", "id": "c"}


def read(path, ordinal=1):
    """Return the documents of a file with their places, and what was skipped."""
    skipped = []
    found = list(documents(path, ordinal, lambda place, problem: skipped.append((place, problem))))
    return found, skipped


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict):
        content = json.dumps(content, indent=2)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_files_are_found_in_all_folders_in_the_order_of_their_paths(tmp_path):
    names = ["b.json", "a/z.ndjson", "a/B.JSON.GZ", "a.jsonl", "c/d/e.ndjson.gz", "a-b/x.jsonl.gz"]
    for name in names:
        written(tmp_path / name, "{}")
    found = [path.relative_to(tmp_path).as_posix() for path in fhir_files(tmp_path)]
    assert found == sorted(names)


@pytest.mark.parametrize(
    "name",
    ["a.csv", "json", ".json", "a.json.bak", ".a.json", ".hidden/a.json", "__MACOSX/a.json", "b/._a.json"],
)
def test_other_files_are_left_out(tmp_path, name):
    written(tmp_path / name, json.dumps(PATIENT))
    assert fhir_files(tmp_path) == []
    assert not is_fhir(tmp_path)


def test_a_hidden_folder_above_the_source_does_not_matter(tmp_path):
    path = written(tmp_path / ".home" / "a.json", PATIENT)
    assert fhir_files(path.parent) == [path]


def test_a_folder_or_pipe_with_the_name_of_a_file_is_left_out(tmp_path):
    (tmp_path / "folder.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    assert fhir_files(tmp_path) == []


def test_one_file_is_a_source(tmp_path):
    path = written(tmp_path / "a.ndjson", json.dumps(PATIENT))
    assert fhir_files(path) == [path]
    assert is_fhir(path)
    assert fhir_files(written(tmp_path / "a.csv", "a")) == []


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_a_file_is_one_document(tmp_path, name, mark, packed):
    content = mark + json.dumps(PATIENT, indent=1).encode()
    path = written(tmp_path / name, gzip.compress(content) if packed else content)
    assert read(path, 3) == ([("file 3", PATIENT)], [])


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["a.ndjson", "a.jsonl", "a.ndjson.gz"])
def test_a_line_is_a_document(tmp_path, name, packed):
    content = f"\ufeff{json.dumps(PATIENT)}\r\n\n{json.dumps(CONDITION)}".encode()
    path = written(tmp_path / name, gzip.compress(content) if packed else content)
    assert read(path, 2) == ([("file 2, line 1", PATIENT), ("file 2, line 3", CONDITION)], [])


def test_an_empty_export_of_lines_is_fine_and_an_empty_document_is_not(tmp_path):
    assert read(written(tmp_path / "a.ndjson", "")) == ([], [])
    assert read(written(tmp_path / "b.ndjson.gz", gzip.compress(b""))) == ([], [])
    assert read(written(tmp_path / "c.json", "")) == ([], [("file 1", "is not JSON")])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "is not JSON"),
        (b"{'a': 1}", "is not JSON"),
        (b'{"a": NaN}', "is not JSON"),
        (b'{"a": "\xff"}', "is not JSON"),
        (b'{"a": "\\ud800"}', "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "is not JSON"),
        (json.dumps(PATIENT).encode("utf-16-le"), "is not JSON"),
        (b"null", "is not a JSON object"),
        (b"[]", "is not a JSON object"),
        (b'"text"', "is not a JSON object"),
    ],
)
def test_what_cannot_be_read_is_skipped_with_its_place(tmp_path, line, problem):
    good = json.dumps(PATIENT).encode()
    path = written(tmp_path / f"{SECRET}.ndjson", b"\n".join([good, line, good]))
    assert read(path, 4) == (
        [("file 4, line 1", PATIENT), ("file 4, line 3", PATIENT)],
        [("file 4, line 2", problem)],
    )
    whole = written(tmp_path / f"{SECRET}.json", line)
    assert read(whole, 5) == ([], [("file 5", problem)])


def test_a_cut_off_file_has_what_came_before(tmp_path):
    lines = (json.dumps(PATIENT) + "\n").encode() * 20_000
    path = written(tmp_path / f"{SECRET}.ndjson.gz", gzip.compress(lines)[:-100])
    found, skipped = read(path)
    assert 0 < len(found) < 20_000
    assert skipped == [("file 1", "is compressed and damaged")]


@pytest.mark.parametrize("name", ["a.json.gz", "a.ndjson.gz"])
def test_a_damaged_file_is_skipped_without_the_words_of_what_unpacks_it(tmp_path, name):
    content = bytearray(gzip.compress(json.dumps(PATIENT).encode()))
    content[12:20] = b"\xff" * 8
    assert read(written(tmp_path / name, bytes(content)))[1] == [("file 1", "is compressed and damaged")]


@pytest.mark.parametrize("name", ["a.json.gz", "a.ndjson.gz"])
def test_what_unpacks_to_too_much_is_skipped(tmp_path, monkeypatch, name):
    monkeypatch.setenv(MOST_UNPACKED, "0.001")
    path = written(tmp_path / name, gzip.compress(b" " * 3_000_000))
    ((place, problem),) = read(path)[1]
    assert place == "file 1"
    assert problem.startswith("unpacks to more than 0.001 GB; if that is meant, set")


def test_many_short_lines_may_unpack_to_more_than_the_limit(tmp_path, monkeypatch):
    monkeypatch.setenv(MOST_UNPACKED, "0.001")
    lines = (json.dumps({**PATIENT, "text": " " * 1000}) + "\n").encode() * 3000
    found, skipped = read(written(tmp_path / "a.ndjson.gz", gzip.compress(lines)))
    assert (len(found), skipped) == (3000, [])


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (PermissionError(13, "Permission denied", SECRET), "cannot be read by this user"),
        (OSError(5, "Input/output error", SECRET), "cannot be read"),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.ndjson"])
def test_a_file_that_the_system_refuses_is_skipped(tmp_path, monkeypatch, error, problem, name):
    path = written(tmp_path / name, PATIENT)

    def refuse(*_arguments: object, **_options: object) -> None:
        raise error

    # root can read every file, so the file's mode cannot cause the error
    monkeypatch.setattr(Path, "open", refuse)
    assert read(path) == ([], [("file 1", problem)])


def test_a_file_that_has_gone_is_skipped(tmp_path):
    assert read(tmp_path / f"{SECRET}.json") == ([], [("file 1", "cannot be read")])
    assert read(tmp_path / f"{SECRET}.ndjson") == ([], [("file 1", "cannot be read")])


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(tmp_path, enabled):
    path = written(tmp_path / "a.ndjson", json.dumps(PATIENT) + "\n{\n")
    (gc.enable if enabled else gc.disable)()
    try:
        read(path)
        assert gc.isenabled() == enabled
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("name", "content", "holds"),
    [
        ("a.json", json.dumps(PATIENT, indent=1), True),
        ("a.json", json.dumps({"resourceType": "Bundle", "entry": []}), True),
        ("a.ndjson", f"{json.dumps(CONDITION)}\n{json.dumps(CONDITION)}\n", True),
        ("a.ndjson", f"{{\n{json.dumps(CONDITION)}\n", True),
        ("a.json", '{"name": "package"}', False),
        ("a.json", '{"resourceType": 7}', False),
        ("a.json", '["resourceType"]', False),
        ("a.json", "resourceType", False),
        ("a.csv", json.dumps(PATIENT), False),
    ],
)
def test_fhir_is_recognised_by_its_content(tmp_path, name, content, holds):
    assert is_fhir(written(tmp_path / name, content)) == holds
    assert is_fhir(tmp_path) == holds


def test_fhir_is_recognised_after_the_manifest_of_an_export(tmp_path):
    written(tmp_path / "Condition.ndjson", json.dumps(CONDITION))
    written(tmp_path / "A_manifest.json", {"transactionTime": "2020-01-01T00:00:00Z", "output": []})
    assert is_fhir(tmp_path)


def test_nothing_is_not_fhir(tmp_path):
    assert not is_fhir(tmp_path)
    assert not is_fhir(tmp_path / "nowhere")


def test_a_resource_stands_for_itself():
    assert list(unbundled(CONDITION)) == [(CONDITION, {})]


def test_a_bundle_has_the_resources_of_its_entries():
    entries = [
        {"fullUrl": "urn:uuid:a", "resource": PATIENT},
        {"fullUrl": "urn:uuid:b", "resource": {"resourceType": "Group", "id": "7"}},
        {"fullUrl": "urn:uuid:c", "resource": {"resourceType": "Patient"}},
        {"fullUrl": ["d"], "resource": CONDITION},
        {"request": {"method": "DELETE", "url": "Patient/1"}},
    ]
    found = list(unbundled({"resourceType": "Bundle", "entry": entries}))
    assert [resource for resource, _ in found] == [entry["resource"] for entry in entries[:4]]
    assert all(patients == {"urn:uuid:a": "7", "urn:uuid:b": ""} for _, patients in found)


def test_a_bundle_in_a_bundle_has_its_own_urls():
    inner = {"resourceType": "Bundle", "entry": [{"fullUrl": "urn:uuid:a", "resource": PATIENT}]}
    outer = {"resourceType": "Bundle", "entry": [{"resource": inner}, {"resource": CONDITION}]}
    assert list(unbundled(outer)) == [(PATIENT, {"urn:uuid:a": "7"}), (CONDITION, {})]


def test_bundles_are_unpacked_as_deep_as_json_is_read(tmp_path):
    text = json.dumps(CONDITION)
    for _ in range(300):
        text = f'{{"resourceType": "Bundle", "entry": [{{"resource": {text}}}]}}'
    ((_, document),) = read(written(tmp_path / "a.json", text))[0]
    assert list(unbundled(document)) == [(CONDITION, {})]


@pytest.mark.parametrize("entry", [{}, {"resource": PATIENT}, "text", 7])
def test_entries_that_are_not_a_list_are_not_read(entry):
    assert list(unbundled({"resourceType": "Bundle", "entry": entry})) == [(None, {})]


def test_an_entry_that_is_not_an_object_is_yielded_for_what_it_is():
    bundle = {"resourceType": "Bundle", "entry": [7, None, {"resource": "text"}, {"resource": PATIENT}]}
    assert [resource for resource, _ in unbundled(bundle)] == [7, None, "text", PATIENT]


def test_a_bundle_without_entries_is_empty():
    assert list(unbundled({"resourceType": "Bundle"})) == []
    assert list(unbundled({"resourceType": "Bundle", "entry": None})) == []
