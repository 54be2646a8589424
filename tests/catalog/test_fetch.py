import hashlib
import http.server
import io
import random
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from medgauge.catalog.cards import SourceFile
from medgauge.catalog.fetch import fetch, take
from medgauge.errors import DigestError, FetchError, FileError
from medgauge.progress import hearing, showing

CONTENT = random.Random(0).randbytes(200_000)
HALF = 100_000


@dataclass
class Server:
    """What the server on the loopback has, how it behaves, and what it was asked for."""

    url: str = ""
    content: bytes = CONTENT
    supports_range: bool = True
    breaks_after: int | None = None
    chunked: bool = False
    speaks_http: bool = True
    status: int | None = None
    ranges: list[str | None] = field(default_factory=list)


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    state = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked = self.headers["Range"]
            state.ranges.append(asked)
            self.close_connection = True
            start = (
                int(asked.removeprefix("bytes=").removesuffix("-")) if asked and state.supports_range else 0
            )
            if not state.speaks_http:
                self.wfile.write(b"220 ready\r\n")
            elif state.status is not None:
                self.send_error(state.status)
            elif start >= len(state.content) > 0:
                self.send_error(416)
            else:
                self._send(state.content[start:], 206 if start else 200)

        def _send(self, body: bytes, status: int) -> None:
            self.send_response(status)
            sent = body[: state.breaks_after]
            if state.chunked:
                self.send_header("Transfer-Encoding", "chunked")
                ending = b"0\r\n\r\n" if len(sent) == len(body) else b""
                sent = b"%x\r\n%b\r\n%b" % (len(body), sent, ending)
            else:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        state.url = f"http://127.0.0.1:{httpd.server_port}"
        yield state
        httpd.shutdown()
        thread.join()


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """The folder that published files come to."""
    monkeypatch.setenv("MEDGAUGE_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "published"


def _file(server: Server, content: bytes = CONTENT, **more: str) -> SourceFile:
    digest = hashlib.sha256(content).hexdigest()
    return SourceFile(**({"name": "pairs.tsv", "url": f"{server.url}/x/pairs.tsv", "sha256": digest} | more))


def _zipped(server: Server, content: bytes = CONTENT) -> SourceFile:
    return _file(server, content, url=f"{server.url}/x/pairs.zip", member="pairs.tsv")


def _zip(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_fetched_file_lies_verified_under_its_name(server, data):
    path, is_new = fetch(_file(server))
    assert (path, is_new) == (data / "pairs.tsv", True)
    assert path.read_bytes() == CONTENT
    assert _names(data) == ["pairs.tsv"]
    assert server.ranges == [None]


@pytest.mark.parametrize("chunked", [False, True], ids=["with its length", "in chunks"])
def test_a_file_is_fetched_however_its_length_is_given(server, data, chunked):
    server.chunked = chunked
    fetch(_file(server))
    assert (data / "pairs.tsv").read_bytes() == CONTENT


def test_a_file_that_is_here_is_not_fetched_again(server, data):
    fetch(_file(server))
    assert fetch(_file(server)) == (data / "pairs.tsv", False)
    assert len(server.ranges) == 1


def test_a_file_that_is_here_and_was_changed_is_refused_without_a_request(server, data):
    data.mkdir(parents=True)
    (data / "pairs.tsv").write_bytes(b"changed")
    with pytest.raises(DigestError, match="remove it and fetch it again"):
        fetch(_file(server))
    assert server.ranges == []


def test_a_break_leaves_only_what_had_come_and_the_next_call_resumes(server, data):
    server.breaks_after = HALF
    with pytest.raises(
        FetchError, match=f"broke after {HALF} of {len(CONTENT)} bytes; run it again to resume"
    ):
        fetch(_file(server))
    assert _names(data) == ["pairs.tsv.part"]
    assert (data / "pairs.tsv.part").read_bytes() == CONTENT[:HALF]

    server.breaks_after = None
    said: list[str] = []
    with hearing(said.append):
        path, is_new = fetch(_file(server))
    assert is_new
    assert said == [f"resuming: {HALF:,} bytes of pairs.tsv are kept"]
    assert server.ranges == [None, f"bytes={HALF}-"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == _file(server).sha256
    assert _names(data) == ["pairs.tsv"]


def test_a_download_that_breaks_again_and_again_goes_on_each_time(server, data):
    server.breaks_after = 60_000
    for _ in range(3):
        with pytest.raises(FetchError, match="run it again to resume"):
            fetch(_file(server))
    assert fetch(_file(server))[0].read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=60000-", "bytes=120000-", "bytes=180000-"]


def test_a_server_that_ignores_the_range_is_read_from_the_start(server, data):
    data.mkdir(parents=True)
    (data / "pairs.tsv.part").write_bytes(CONTENT[:HALF])
    server.supports_range = False
    assert fetch(_file(server))[0].read_bytes() == CONTENT
    assert server.ranges == [f"bytes={HALF}-"]


def test_a_break_in_a_chunked_answer_is_a_fetch_error_that_can_be_resumed(server, data):
    server.chunked, server.breaks_after = True, HALF
    with pytest.raises(FetchError, match="run it again to resume"):
        fetch(_file(server))
    assert _names(data) == ["pairs.tsv.part"]
    server.breaks_after = None
    assert fetch(_file(server))[0].read_bytes() == CONTENT


def test_a_part_that_is_whole_already_is_accepted(server, data):
    data.mkdir(parents=True)
    (data / "pairs.tsv.part").write_bytes(CONTENT)
    assert fetch(_file(server))[0].read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT)}-"]
    assert _names(data) == ["pairs.tsv"]


def test_a_part_of_something_else_is_removed_and_the_next_call_starts_over(server, data):
    data.mkdir(parents=True)
    (data / "pairs.tsv.part").write_bytes(b"x" * (len(CONTENT) + 1))
    with pytest.raises(FetchError, match="it was removed"):
        fetch(_file(server))
    assert _names(data) == []
    assert fetch(_file(server))[0].read_bytes() == CONTENT
    assert server.ranges[-1] is None


def test_wrong_content_is_refused_and_removed(server, data):
    server.content = b"<html>not what was published</html>"
    with pytest.raises(FetchError, match="the download is not the published file") as caught:
        fetch(_file(server))
    assert f"expected SHA-256 {_file(server).sha256}" in str(caught.value)
    assert _names(data) == []


def test_an_empty_answer_is_refused_and_removed(server, data):
    server.content = b""
    with pytest.raises(FetchError):
        fetch(_file(server))
    assert _names(data) == []


@pytest.mark.parametrize(("status", "reason"), [(404, "404 Not Found"), (503, "503 Service Unavailable")])
def test_an_error_of_the_server_is_reported(server, data, status, reason):
    server.status = status
    with pytest.raises(FetchError, match=rf"{server.url}/x/pairs\.tsv: the server responded {reason}"):
        fetch(_file(server))
    assert _names(data) == []


def test_an_error_of_the_server_keeps_what_had_come(server, data):
    data.mkdir(parents=True)
    (data / "pairs.tsv.part").write_bytes(CONTENT[:HALF])
    server.status = 503
    with pytest.raises(FetchError, match="the server responded 503"):
        fetch(_file(server))
    assert (data / "pairs.tsv.part").read_bytes() == CONTENT[:HALF]


def test_a_range_that_cannot_be_met_without_a_part_is_an_error(server, data):
    server.status = 416
    with pytest.raises(FetchError, match="the server responded 416"):
        fetch(_file(server))


def test_a_server_that_does_not_listen_is_reported(server, data):
    with pytest.raises(FetchError, match=r"the connection failed .*; run it again"):
        fetch(_file(server, url="http://127.0.0.1:1/pairs.tsv"))
    assert _names(data) == []


def test_an_answer_that_is_no_http_is_a_fetch_error(server, data):
    server.speaks_http = False
    with pytest.raises(FetchError):
        fetch(_file(server))
    assert _names(data) == []


def test_a_data_folder_that_cannot_be_made_is_named(server, data):
    data.parent.write_text("a file is in the way")
    with pytest.raises(FileError, match=r"cannot be written to .*; set MEDGAUGE_DATA to a writable folder"):
        fetch(_file(server))
    assert server.ranges == []


@pytest.fixture
def read_only(data) -> Path:
    """A data folder that is there and that nobody, root included, may write to."""
    data.parent.mkdir()
    data.symlink_to("/sys/kernel")
    return data


def test_a_data_folder_that_is_read_only_is_named_and_not_the_connection(server, read_only):
    with pytest.raises(FileError, match=r"cannot be written to .*; set MEDGAUGE_DATA to a writable folder"):
        fetch(_file(server))


@pytest.fixture
def recorder() -> Iterator[tuple[list[tuple[str, int]], dict[str, list[int]]]]:
    """What is shown of the progress: the bars with their lengths, and the steps of each."""
    opened: list[tuple[str, int]] = []
    advanced: dict[str, list[int]] = {}

    @contextmanager
    def listener(what: str, steps: int):
        opened.append((what, steps))
        yield advanced.setdefault(what, []).append

    with showing(listener):
        yield opened, advanced


def test_the_progress_of_a_resumed_download_is_what_is_left_of_it(server, data, recorder):
    data.mkdir(parents=True)
    (data / "pairs.tsv.part").write_bytes(CONTENT[:HALF])
    opened, advanced = recorder
    fetch(_file(server))
    left = len(CONTENT) - HALF
    assert ("fetching pairs.tsv", left) in opened
    assert sum(advanced["fetching pairs.tsv"]) == left


def test_a_member_is_taken_out_of_its_archive(server, data):
    server.content = _zip(SimLex__pairs_tsv=CONTENT, SimLex__readme_txt=b"cite us")
    path, is_new = fetch(_zipped(server))
    assert (path, is_new) == (data / "pairs.tsv", True)
    assert path.read_bytes() == CONTENT
    assert _names(data) == ["pairs.tsv"]
    assert fetch(_zipped(server)) == (path, False)


def test_an_archive_that_breaks_off_is_resumed(server, data):
    server.content = _zip(pairs_tsv=CONTENT)
    server.breaks_after = HALF
    with pytest.raises(FetchError, match="run it again to resume"):
        fetch(_zipped(server))
    assert _names(data) == ["pairs.zip.part"]
    server.breaks_after = None
    assert fetch(_zipped(server))[0].read_bytes() == CONTENT
    assert server.ranges == [None, f"bytes={HALF}-"]


def test_a_wrong_member_is_refused_and_removed(server, data):
    server.content = _zip(pairs_tsv=b"other pairs")
    with pytest.raises(FetchError, match="the download is not the published file"):
        fetch(_zipped(server))
    assert _names(data) == []


def test_what_is_no_archive_is_refused_and_removed(server, data):
    with pytest.raises(FetchError, match=r"the download is not a zip with one pairs\.tsv; it was removed"):
        fetch(_zipped(server))
    assert _names(data) == []


def test_an_archive_without_the_member_is_refused_and_removed(server, data):
    server.content = _zip(other_tsv=CONTENT)
    with pytest.raises(FetchError, match=r"the download is not a zip with one pairs\.tsv; it was removed"):
        fetch(_zipped(server))
    assert _names(data) == []


@pytest.mark.parametrize("place", [30, 45], ids=["in its names", "in its data"])
def test_a_damaged_archive_is_refused_and_removed(server, data, place):
    text = b"renal failure\tkidney failure\t3\n" * 1000
    archive = bytearray(_zip(pairs_tsv=text))
    archive[place : place + 4] = b"\xff\xff\xff\xff"
    server.content = bytes(archive)
    with pytest.raises(FetchError):
        fetch(_zipped(server, text))
    assert _names(data) == []


@pytest.fixture
def shelf(tmp_path) -> Path:
    """A folder with the published file in it."""
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "pairs.tsv").write_bytes(CONTENT)
    return tmp_path / "shelf"


@pytest.mark.parametrize("inner", ["", "published"])
def test_a_file_is_taken_from_a_folder(data, shelf, inner):
    (shelf / inner).mkdir(exist_ok=True)
    (shelf / "pairs.tsv").rename(shelf / inner / "pairs.tsv")
    path, is_new = take(_file(Server()), shelf)
    assert (path, is_new) == (data / "pairs.tsv", True)
    assert path.read_bytes() == CONTENT
    assert _names(data) == ["pairs.tsv"]


def test_a_file_that_is_here_is_not_taken_again(data, shelf):
    take(_file(Server()), shelf)
    (shelf / "pairs.tsv").unlink()
    assert take(_file(Server()), shelf) == (data / "pairs.tsv", False)


def test_a_changed_file_is_not_taken(data, shelf):
    (shelf / "pairs.tsv").write_bytes(CONTENT[:-1])
    with pytest.raises(DigestError, match=f"expected SHA-256 {_file(Server()).sha256}") as caught:
        take(_file(Server()), shelf)
    assert caught.value.path == shelf / "pairs.tsv"
    assert not data.exists() or _names(data) == []


def test_a_file_is_not_taken_into_a_data_folder_that_is_read_only(read_only, shelf):
    with pytest.raises(FileError, match=r"cannot be written to .*; set MEDGAUGE_DATA to a writable folder"):
        take(_file(Server()), shelf)


def test_a_folder_without_the_file_is_named(data, tmp_path):
    with pytest.raises(FileError, match=r"has no file pairs\.tsv"):
        take(_file(Server()), tmp_path)


def test_the_seam_to_the_network_can_be_replaced(data):
    asked: list[tuple[str, int]] = []

    class Answer(io.BytesIO):
        status = 200

        def getheader(self, name: str) -> str | None:
            return {"Content-Length": str(len(CONTENT))}.get(name)

    def connect(url: str, start: int) -> Answer:
        asked.append((url, start))
        return Answer(CONTENT)

    path, _ = fetch(_file(Server(url="https://example.org")), connect=connect)
    assert path.read_bytes() == CONTENT
    assert asked == [("https://example.org/x/pairs.tsv", 0)]
