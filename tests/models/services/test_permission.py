import pytest

from medgauge.errors import InputError, options_as_flags
from medgauge.models.services.permission import Permission
from medgauge.pairs import Card

URL = "https://api.example.org/v1"
MINE = Card(name="mine", title="Mine")
STAYING = Card(name="snomed", title="From SNOMED CT", terms_stay=True)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost/v1", "https://[::1]/v1"])
def test_this_machine_needs_no_permission_for_any_set(url):
    permission = Permission.of(url, [])
    permission.check()
    permission.admit([MINE, STAYING])


@pytest.mark.parametrize(
    ("allowed", "is_allowed"),
    [
        (URL, True),
        ("https://api.example.org", True),
        ("https://API.example.org:443/v1/", True),
        ("https://api.example.org/v", False),
        ("https://api.example.org/v1/embeddings", False),
        ("https://api.example.org:8443/v1", False),
        ("https://example.org/v1", False),
        ("https://api.example.org.evil.org/v1", False),
        ("mine@https://api.example.org/v1", True),
    ],
)
def test_an_address_is_allowed_by_scheme_host_port_and_path(allowed, is_allowed):
    if is_allowed:
        Permission.of(URL, [allowed]).admit([MINE])
        return
    with pytest.raises(InputError, match=r"terms would leave this machine for https://api\.example\.org/v1"):
        Permission.of(URL, [allowed])


def test_the_message_names_the_option_that_would_allow_it():
    with options_as_flags(), pytest.raises(InputError, match=f"allow it with --allow-remote {URL}$"):
        Permission.of(URL, [])


def test_a_set_whose_licence_forbids_it_must_be_named():
    named = f"snomed@{URL}"
    with options_as_flags(), pytest.raises(InputError, match=f"say so with --allow-remote {named}$"):
        Permission.of(URL, [URL]).admit([MINE, STAYING])
    with pytest.raises(InputError, match="the licence of 'snomed'"):
        Permission.of(URL, [URL, "snomed@https://other.example.org/v1"]).admit([STAYING])
    Permission.of(URL, [URL, named]).admit([MINE, STAYING])


def test_naming_a_set_allows_that_set_only():
    permission = Permission.of(URL, [f"mine@{URL}"])
    with pytest.raises(InputError, match="the terms of 'other' may not be sent"):
        permission.admit([MINE, Card(name="other", title="Other")])
    with pytest.raises(InputError, match="only as those of the sets that are named"):
        permission.check()
    permission.admit([MINE])
    permission.check()


def test_no_set_at_all_admitted_any_terms():
    may = Permission.of(URL, [f"mine@{URL}"])
    may.admit([])
    with pytest.raises(InputError, match="only as those of the sets that are named"):
        may.check()


def test_sets_from_snomed_ct_that_an_earlier_version_built_stay_too():
    licence = "that of SNOMED CT: the terms may not be passed on without a licence"
    assert not Card(name="x", title="X", licence=licence).may_leave
    assert Card(name="x", title="X", licence="that of the ontology").may_leave


def test_a_card_without_the_mark_is_written_as_before():
    assert "terms_stay" not in MINE.model_dump_json()
    assert Card.model_validate_json(STAYING.model_dump_json()) == STAYING


def test_plain_http_cannot_be_allowed():
    with pytest.raises(InputError, match="is not encrypted"):
        Permission.of("http://api.example.org/v1", ["http://api.example.org/v1"])
