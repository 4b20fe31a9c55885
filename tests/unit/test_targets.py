"""Where messages to other systems may go."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from resumes import targets

INNER = [
    "http://127.0.0.1/x",
    "http://127.1/x",
    "http://0x7f000001/x",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://0.0.0.0:80/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1:8443/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fd00::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[2002:a00:1::]/",
    "http://224.0.0.1/",
    "http://localhost:9/",
    "http://LOCALHOST./",
    "http://metadata.google.internal/",
    "http://printer/",
    "http://nas.local/",
]
NONE = [
    "",
    "x",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://",
    "http:///x",
    "https://user:secret@example.com/",
    "http://exa mple.com/",
    "http://example.com/\r\nX-Injected: 1",
    "http://example.com:99999/",
    "http://[::1/",
    "gopher://example.com",
]


@pytest.mark.parametrize("url", INNER)
def test_addresses_inside_are_refused_in_every_spelling(settings, url):
    settings.GLEANER_WEBHOOK_PRIVATE = False
    with pytest.raises(targets.Forbidden) as refused:
        targets.check(url)
    assert refused.value.code == "private_address"


@pytest.mark.parametrize("url", INNER)
def test_they_are_taken_where_the_settings_say_so(settings, url):
    settings.GLEANER_WEBHOOK_PRIVATE = True
    targets.check(url)


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("url", NONE)
def test_what_is_no_address_is_refused_whatever_the_settings_say(settings, url, allowed):
    settings.GLEANER_WEBHOOK_PRIVATE = allowed
    with pytest.raises(targets.Forbidden) as refused:
        targets.check(url)
    assert refused.value.code == "not_an_address"


@pytest.mark.parametrize("url", ["https://example.com/hooks?x=1", "http://93.184.216.34:8080/", "https://[2606:2800:220:1::1]/"])
def test_addresses_outside_are_taken(settings, url):
    settings.GLEANER_WEBHOOK_PRIVATE = False
    targets.check(url)


@pytest.fixture
def names(monkeypatch):
    """A name service of the test's own."""
    known: dict[str, list[str]] = {}

    def look_up(name, port, **_options):
        if name not in known:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[name]]

    monkeypatch.setattr(targets.socket, "getaddrinfo", look_up)
    return known


def test_a_public_name_that_leads_inside_is_refused_even_if_only_one_of_its_addresses_does(settings, names):
    settings.GLEANER_WEBHOOK_PRIVATE = False
    names["hooks.example.com"] = ["93.184.216.34", "10.0.0.7"]
    with pytest.raises(targets.Forbidden):
        targets.resolve("https://hooks.example.com/x")


def test_the_message_goes_to_the_address_that_was_checked_under_the_name_that_was_given(settings, names):
    settings.GLEANER_WEBHOOK_PRIVATE = False
    names["hooks.example.com"] = ["93.184.216.34"]
    (target,) = targets.resolve("https://hooks.example.com/in?key=1#part")
    assert target == targets.Target(
        ip_address("93.184.216.34"), "https://93.184.216.34:443/in?key=1", "hooks.example.com", "hooks.example.com"
    )
    names["v6.example.com"] = ["2606:2800:220:1::1"]
    (target,) = targets.resolve("http://v6.example.com:81/")
    assert (target.url, target.host) == ("http://[2606:2800:220:1::1]:81/", "v6.example.com:81")


def test_a_name_nobody_knows_is_told_from_one_that_is_forbidden(names):
    with pytest.raises(targets.Unknown):
        targets.resolve("https://nowhere.example.com/")
