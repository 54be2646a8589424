"""Where a study may be served."""

import signal
import socket
import subprocess
from pathlib import Path

import pytest

from medgauge.annotate.store.store import DATABASE
from medgauge.annotate.store.store import serving as be_the_server
from medgauge.annotate.web import serving
from medgauge.annotate.web.serving import Address, serve_study
from medgauge.errors import FileError, InputError, MissingExtraError, options_as_flags
from tests.annotate.studies import PYTHON, environment
from tests.annotate.web.sites import make_graded
from tests.support.annotators import SERVE
from tests.support.processes import free_port, running

PEM = Path("x.pem")


@pytest.mark.parametrize(
    "address",
    [
        Address(),
        Address(host="localhost"),
        Address(host="127.3.2.1"),
        Address(host="::1"),
        Address(host="0.0.0.0", url="https://study.example.org/"),
        Address(host="10.0.0.7", certificate=PEM, key=PEM),
        Address(url="http://127.0.0.1:9000"),
        Address(url="http://[::1]:9000/"),
        Address(url="HTTP://localhost"),
    ],
)
def test_loopback_and_tls_are_fine(address):
    address.check()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "study.example.org", "localhost.example.org"])
def test_another_address_without_tls_is_told_what_to_do_instead(host):
    with (
        options_as_flags(),
        pytest.raises(InputError, match=r"--tls-cert and --tls-key.*--url https.*ssh -L"),
    ):
        Address(host=host).check()
    with pytest.raises(InputError, match="unencrypted"):
        Address(host=host, url="http://study.example.org").check()


@pytest.mark.parametrize(
    "url",
    [
        "study.example.org",
        "ftp://x.org",
        "https://",
        "https://x.org/a",
        "https://x?b",
        "https://x#c",
        "https://[::1",
        "https://x.org:http",
        "https://x.org:99999",
    ],
)
def test_what_links_begin_with_is_an_address(url):
    with pytest.raises(InputError, match="is not a web address"):
        Address(url=url).check()


@pytest.mark.parametrize(
    "url", ["http://study.example.org", "HTTP://10.0.0.7:8000", "http://127.0.0.1.evil.org", "http://[:::]"]
)
def test_a_proxy_without_tls_is_told_what_to_do_instead(url):
    with options_as_flags(), pytest.raises(InputError, match=r"unencrypted.*--url https"):
        Address(url=url).check()


def test_tls_is_recognised_in_capitals_too():
    address = Address(host="0.0.0.0", url="HTTPS://Study.example.org/")
    address.check()
    assert address.public == "https://Study.example.org"


def test_an_address_needs_a_host():
    with pytest.raises(InputError, match="is not a web address"):
        Address(host="").check()


def test_a_certificate_needs_its_key():
    with pytest.raises(InputError, match="both"):
        Address(certificate=PEM).check()


def test_an_address_of_tls_is_https():
    assert Address(host="::1", port=1, certificate=PEM, key=PEM).public == "https://[::1]:1"


def test_a_folder_without_a_study_is_named(tmp_path):
    with pytest.raises(FileError, match="study"):
        serve_study(tmp_path / "none", Address(), ready=print)


def test_a_second_server_is_refused(tmp_path):
    make_graded(tmp_path).close()
    with be_the_server(tmp_path), pytest.raises(InputError, match="another process is serving the study"):
        serve_study(tmp_path, Address(), ready=print)


def test_a_port_in_use_is_reported(tmp_path):
    make_graded(tmp_path).close()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            options_as_flags(),
            pytest.raises(InputError, match=f"port {port} .* choose another with --port"),
        ):
            serve_study(tmp_path, Address(port=port), ready=print)


def test_the_end_of_an_answer_does_not_wait_for_the_client_to_confirm_its_beginning():
    with serving._listening(Address(port=0)) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_certificate_that_cannot_be_read_is_reported(tmp_path):
    make_graded(tmp_path).close()
    (tmp_path / "x.pem").write_text("none")
    address = Address(port=0, certificate=tmp_path / "x.pem", key=tmp_path / "x.pem")
    with pytest.raises(InputError, match=r"x\.pem"):
        serve_study(tmp_path, address, ready=print)


def test_without_the_extra_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"needs the package starlette: run .*pip install .*\[web\]"):
        serve_study(tmp_path, Address(), ready=print)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_server_that_is_ended_leaves_the_study_in_one_file(tmp_path, number):
    make_graded(tmp_path).close()
    command = [*PYTHON, SERVE, str(tmp_path), str(free_port()), ""]
    with running(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        server.stdout.readline()
        assert len(list(tmp_path.iterdir())) > 1
        server.send_signal(number)
        assert server.stderr.read() == ""
    assert server.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]


@pytest.mark.slow
def test_a_server_that_is_to_outlive_its_terminal_does(tmp_path):
    make_graded(tmp_path).close()
    nohup = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{SERVE}"
    command = [*PYTHON, nohup, str(tmp_path), str(free_port()), ""]
    with running(command, env=environment(), stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        server.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(0.5)
        server.terminate()
    assert server.returncode == 0
