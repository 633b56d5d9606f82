"""People and places: e-mail addresses, users' names in home directories and prompts, hosts and addresses of machines."""

import ipaddress
import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.urls import keeps_to_itself
from blade.untrusted.detection.wordlists import words

_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}(?!py\b|js\b|ts\b|md\b|json\b)[A-Za-z]{2,24}(?![A-Za-z0-9])"
)
_IPV4: Final = re.compile(r"(?<![\w.-])(?P<ip>(?:\d{1,3}\.){3}\d{1,3})(?P<port>:\d{2,5})?(?![\w-]|\.\d)")
_IPV6: Final = re.compile(r"(?<![\w:.])(?P<ip>(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})(?![\w:])")
_MAC: Final = re.compile(r"(?<![\w:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])")
_VERSION: Final = re.compile(r"(?i)(?:v|ver|version|release|==|>=|<=|~=|@|chrome/|/)\s{0,2}\Z")
_HOST: Final = re.compile(
    r"(?i)(?<![\w.@/-])(?P<host>(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}(?:internal|local|localdomain|lan|corp|intranet|intra|svc\.cluster\.local|svc|home\.arpa|consul))(?::\d{1,5})?(?![\w(=-]|\.\w)"
)
_HOST_GATE: Final = re.compile(r"\.(?:int|loc|lan|cor|svc|hom|con)", re.IGNORECASE)
_NODE: Final = re.compile(r"(?i)\bip-(?:\d{1,3}-){3}\d{1,3}(?:\.[a-z0-9-]+)*")
_LOGIN: Final = re.compile(
    r"(?i)\b(?:ssh|scp|rsync|sftp)\b[^\n]{0,120}?[ ](?P<user>[a-z_][\w.-]{1,31})@(?P<host>[a-z0-9][\w.-]{1,80})"
)
_SHELL: Final = re.compile(r"(?m)(?:^|\n|\()(?P<user>[a-z_][\w.-]{1,31})@(?P<host>[a-z0-9][\w-]{1,60}):[^\n]{0,80}?[$#](?=\s|$)")
_IDENTITY: Final = re.compile(
    r"\b(?:uid|gid)=\d+\((?P<user>[\w.-]+)\)|(?<![\w$.])(?:USER|LOGNAME|USERNAME|SUDO_USER)=[\"']?(?P<set>[A-Za-z][\w.-]{1,31})"
)
HOMES: Final = re.compile(
    r"(?i)(?:/home/|/Users/|\b[A-Z]:\\{1,8}(?:Users|Documents and Settings)\\{1,8}|/mnt/[a-z]/Users/|/var/home/|/export/home/)(?P<user>[A-Za-z0-9_][A-Za-z0-9_.@-]{0,60})"
)
# Accounts that exist on every machine of a kind and say nothing of a person.
ANYBODY: Final = words(
    "root user users ubuntu runner node app admin administrator home shared public default vscode codespace sandbox testbed workspace work dev developer test guest "
    "agent python docker jovyan ec2-user azureuser opc debian centos fedora vagrant gitpod coder git www www-data daemon nobody service system data code repo model "
    "project projects file files path name username username1 youruser yourname your_username me myuser someuser linuxbrew circleci jenkins travis postgres mysql redis oai openhands sweagent swe-agent "
    "x xx xxx foo bar example all openai anthropic computeruse pn kasm student nonroot appuser"
)


def in_places(text: str) -> Iterator[Sensitive]:
    """E-mail addresses, machines and users in a text."""
    if "@" in text:
        yield from (Sensitive("email", *found.span()) for found in _EMAIL.finditer(text))
        yield from _logins(text)
    if "uid=" in text or "USER" in text or "LOGNAME" in text:
        yield from _identities(text)
    yield from _addresses(text)
    if _HOST_GATE.search(text):
        yield from (
            Sensitive("host", *found.span()) for found in _HOST.finditer(text) if not _is_code(found["host"], text, found.end())
        )
    if "ip-" in text:
        yield from (Sensitive("host", *found.span()) for found in _NODE.finditer(text))


def in_homes(text: str) -> Iterator[Sensitive]:
    """Users' names in the paths of their home directories."""
    if "/home/" in text or "sers" in text or "Documents and" in text:
        for found in HOMES.finditer(text):
            if found["user"].lower() not in ANYBODY:
                yield Sensitive("user", *found.span("user"))


def _is_code(host: str, text: str, end: int) -> bool:
    """`threading.local`, `self.local` and `settings.local` are attributes and files."""
    first = host.split(".")[0].lower()
    return host.count(".") == 1 and first in (
        "threading",
        "self",
        "settings",
        "config",
        "env",
        "docker-compose",
        "application",
        "gevent",
        "this",
        "dotenv",
        "os",
        "app",
        "test",
    )


def _addresses(text: str) -> Iterator[Sensitive]:
    for found in _IPV4.finditer(text):
        if _is_address(found["ip"]) and not _VERSION.search(text, max(found.start() - 12, 0), found.start()):
            yield Sensitive("ip", *found.span())
    if "::" in text or text.count(":") >= 7:
        for found in _IPV6.finditer(text):
            if len(found["ip"]) >= 6 and any(character.isdigit() for character in found["ip"]) and _is_address(found["ip"]):
                yield Sensitive("ip", *found.span())
    if text.count(":") >= 5 or text.count("-") >= 5:
        yield from (Sensitive("mac", *found.span()) for found in _MAC.finditer(text))


def _is_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # Four small numbers are a version or a section more often than the address of anything.
    small = address.version == 4 and all(int(part) < 10 for part in text.split(".")) and len(set(text.split("."))) > 1
    return not keeps_to_itself(address) and not small


def _logins(text: str) -> Iterator[Sensitive]:
    for pattern in (_LOGIN, _SHELL):
        for found in pattern.finditer(text):
            if found["user"].lower() not in ANYBODY:
                yield Sensitive("user", *found.span("user"))
            host = found["host"].rstrip(".")
            if "." not in host and host != "localhost":
                yield Sensitive("host", *found.span("host"))
            elif _is_address(host):
                yield Sensitive("ip", found.start("host"), found.start("host") + len(host))


def _identities(text: str) -> Iterator[Sensitive]:
    for found in _IDENTITY.finditer(text):
        group = "user" if found["user"] else "set"
        if found[group].lower() not in ANYBODY:
            yield Sensitive("user", *found.span(group))
