from threading import Event

import pytest

from medgauge.errors import InputError
from medgauge.models.loading import Loading
from medgauge.models.services.service import Service
from medgauge.models.spec import ModelSpec
from medgauge.network import Reply
from tests.models.services.asking import spec

OPENAI = "https://api.openai.com/v1"
REMOTE = Loading(allow_remote=(OPENAI, "https://api.example.org"))


class Recorder:
    """Remembers what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, str]]] = []

    def __call__(self, url, _body, headers, _timeout) -> Reply:
        self.sent.append((url, dict(headers)))
        return Reply(200, b"{}")


@pytest.mark.parametrize(
    ("url", "options", "sent"),
    [
        (OPENAI, {}, "Bearer sk-openai"),
        (OPENAI, {"key": "OTHER_KEY"}, "Bearer sk-other"),
        ("https://api.example.org/v1", {}, None),
        ("https://api.example.org/v1", {"key": "OTHER_KEY"}, "Bearer sk-other"),
    ],
)
def test_a_key_is_sent_only_to_the_service_it_is_for(monkeypatch, url, options, sent):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai\n")
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    recorder = Recorder()
    service = Service.of(ModelSpec("api", f"m@{url}/", options), "m", REMOTE, post=recorder)
    service.ask("embeddings", {}, Event())
    assert recorder.sent == [(f"{url}/embeddings", {"Authorization": sent} if sent else {})]


def test_a_hosted_service_without_its_key_is_an_error(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="the environment variable OPENAI_API_KEY holds no key for api:"):
        Service.of(ModelSpec("api", f"m@{OPENAI}"), "m", REMOTE)


@pytest.mark.parametrize("key", ["sk one", "sk-schlüssel", "sk-\x1b[31m"])
def test_a_key_that_cannot_be_one_is_not_repeated(monkeypatch, key):
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(InputError, match="has characters that no key has") as raised:
        Service.of(ModelSpec("api", f"m@{OPENAI}", {"key": "MY_KEY"}), "m", REMOTE)
    assert "sk" not in str(raised.value)


def test_a_spec_without_an_address_is_an_error():
    with pytest.raises(InputError, match="does not name a service; write api:MODEL@URL"):
        Service.of(ModelSpec("api", "m"), "m", Loading())


def test_the_facts_are_known_without_asking(service):
    found = Service.of(spec("api", service), "mine", Loading()).facts()
    assert found == {
        "model": "mine",
        "service": service.url,
        "runs_on": "this machine",
        "key": "none is sent",
    }
    assert service.asked == []


@pytest.mark.parametrize(
    ("usage", "counted"),
    [({"total_tokens": 5}, 5), ({"total_tokens": True}, 9), ({"total_tokens": -1}, 9), (None, 9), ([], 9)],
)
def test_tokens_are_counted_as_the_service_counts_them(service, usage, counted):
    found = Service.of(spec("api", service), "mine", Loading())
    found.spend({"usage": usage}, 9)
    assert found.budget.used == counted
