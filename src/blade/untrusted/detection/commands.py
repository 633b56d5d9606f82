"""Command lines: arguments of a tool that logs in, authenticates or sets a password, whichever tool it is, and what is sent in the protocols of old.

`wandb login 5f2c…`, `tool auth add-key …`, `net user ann … /add`, `zip -P …`, `keytool -storepass …`, `AUTH …`, `PASS …`.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.chosen import is_chosen, is_clearly_chosen, is_jumbled, is_run_together
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import is_placeholder, is_unusual
from blade.untrusted.detection.randomness import UUID, is_hex, is_random
from blade.untrusted.detection.telling import VERBS, places_of
from blade.untrusted.detection.wordlists import small

_verbs: Final = places_of(VERBS)
_TOOL: Final = re.compile(
    r"(?:^|[\n|;&$>+`(\"'\]]|\bsudo|\brun|\bthen|\bdo)[ \t]{0,4}(?:[A-Za-z]:?[\w./+-]{1,40})(?:[ \t]+(?:-{1,2}[\w=./:-]+|[a-z][\w:.-]{1,20})){0,3}?[ \t]+[\w:-]{0,20}\Z"
)
_REST: Final = re.compile(r"[\w-]{0,16}(?P<rest>(?:[ \t]+(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s|;&<>\"'`]{1,4096})){1,8})")
_PROSE: Final = re.compile(r"[ \t](?:in|at|for|to|from|on|by|of|is|was|and|the|with|as|that|or)[ \t]")
_ARGUMENT: Final = re.compile(r"""[ \t](?P<mark>["']?)(?P<value>[^\s"'`|;&<>]{6,4096})(?P=mark)""")
_VALUE: Final = r"""["']?(?P<secret>[^\s"'`|;&<>]{4,200})"""
_PLACES: Final = tuple(
    (gate, re.compile(pattern, re.IGNORECASE | re.VERBOSE))
    for gate, pattern in (
        ("net user", rf"\bnet\s+user\s+[\w.\\-]+\s+(?!/){_VALUE}"),
        ("/p", rf"\s/(?:p|pass|password|pw):{_VALUE}"),
        ("-p", rf"\b(?:zip|unzip|7za?|rar|unrar|qpdf|pdftk)\b[^\n]{{0,120}}?\s-(?:p|P|hp|-password=)[ ]?{_VALUE}"),
        (
            "-p",
            rf"\b(?:mosquitto_\w+|ipmitool|rdesktop|psexec|crackmapexec|nxc|netexec|evil-winrm|hydra|bcp|isql|osql|impala-shell|beeline|cqlsh|tsql|influx|snowsql|plink|pscp|putty|lftp|mongo\w*|cypher-shell|"
            rf"vncviewer|xfreerdp|winexe|smbmap|kcadm(?:\.sh)?|rabbitmqadmin|curlftpfs|arangosh|clickhouse-client)\b[^\n]{{0,200}}?\s-(?:p|P|pw)[ ]{_VALUE}",
        ),
        ("http", rf"\b(?:https?|xh|curlie|ab|siege|hey|wrk|oha)[ ][^\n|;]{{0,160}}?-(?:a|A|u)[ ][\"\']?[\w.@\\-]{{1,60}}:{_VALUE}"),
        ("ssh-keygen", rf"\bssh-keygen\b[^\n|;]{{0,160}}?\s-[NP][ ]{_VALUE}"),
        ("snmp", rf"\bsnmp\w*\b[^\n|;]{{0,160}}?\s-[cAXa][ ]{_VALUE}"),
        ("-", r"\s--?[A-Za-z][\w-]{0,20}[ =][\"\'](?P<secret>(?=[^\s\"\']*[a-z])(?=[^\s\"\']*[A-Z])(?=[^\s\"\']*\d)(?=[^\s\"\']*[!@\#$%^&*])[A-Za-z0-9!@\#$%^&*_+~.-]{7,64})[\"\']"),
        ("-pw ", rf"\s-pw[ ]{_VALUE}"),
        ("login", rf"\blogin\b[^\n|;]{{0,160}}?\s-(?:p|w)[ ]{_VALUE}"),
        ("pass:", rf"(?:-pass(?:in|out)?[ ]|\s-k[ ])[\"\']?pass:{_VALUE}"),
        ("openssl", rf"\bopenssl\s+(?:enc|aes\S*|des\S*)[^\n]{{0,160}}?\s-k[ ]{_VALUE}"),
        ("--", rf"\s--?(?:user|auth|creds?|credentials|login|basic-auth|http-auth|proxy-user|http-user|userpwd|authentication|account)[ =][\"\']?[\w.@\\-]{{1,60}}:{_VALUE}"),
        ("<<<", rf"\b(?:passwd|chpasswd|sudo|su|kinit|cryptsetup|login|gpg)\b[^\n]{{0,80}}<<<[ ]?(?:[\"\']?[\w.-]+:)?{_VALUE}"),
        ("|", r"\b(?:echo|printf)\s+(?:-\w+\s+)?[\"\']?(?:[\w.-]{1,40}:)?(?P<secret>[^\s\"\'|\\]{4,100})(?:\\n)?[\"\']?\s*\|\s*(?:sudo\s+(?!-S))?(?:\S+/)?(?:passwd|chpasswd|kinit|cryptsetup|gpg\b[^\n]{0,60}passphrase|vncpasswd|smbpasswd|su\b|[^\n|]{1,60}(?:--?(?:password|token|passphrase|pass|secret|key)-?(?:stdin|file[ =]-|fd[ =]0)|--with-token))"),
        ("send", r"(?:assw(?:or)?d|assphrase|asscode|\bPIN\b)[^\n]{0,40}[\n;{ ]\s{0,12}(?:\w{1,30}[.])?(?:exp_)?send(?:_?line|_?text)?(?:\s+--)?\s*[(]?b?[\"\'](?P<secret>[^\"\'\r\n\\]{4,100})(?:\\[rn]|[\r\n])?"),
        ("user ", r"\b(?-i:USER)[ ]\S{1,80}[ \t]*\r?\n(?:[^\n]{0,160}\n){0,3}?[^\w\n]{0,12}(?:\w{1,12}[:>][ ]{0,3})?(?-i:PASS)[ ](?P<secret>[^\s]{4,100})"),
        ("nick ", r"(?:^|\n)[^\w\n]{0,12}(?-i:PASS)[ ]:?(?P<secret>[^\s]{4,100})[ \t]*\r?\n[^\w\n]{0,12}(?-i:NICK)[ ]"),
        ("alias", rf"\bmc(?:li)?\s+alias\s+set\s+\S+\s+\S+\s+\S+\s+{_VALUE}"),
        ("host add", rf"\bmc\s+config\s+host\s+add\s+\S+\s+\S+\s+\S+\s+{_VALUE}"),
        ("config", rf"\bconfig\s+(?:set\s+|add\s+|--?[\w-]+\s+){{0,3}}[\w./:@-]{{0,80}}(?:password|passwd|token|secret|apikey|api_key|_auth)[\s=]+{_VALUE}"),
        ("http-basic", rf"\bhttp-basic[\w.-]{{1,60}}\s+\S+\s+{_VALUE}"),
        ("pass", rf"\b(?:user(?:name)?|login|id)\s?[/&+]\s?(?:pass(?:word|wd)?|pwd?)\b\s{{0,2}}(?:is|are|was|[:=])\s{{0,2}}[\"\']?[\w.@+-]{{2,60}}\s?[/:|,]\s?{_VALUE}"),
        ("login", r"(?:^|\n|:\s)[A-Za-z]?\w{1,6}[ ](?-i:LOGIN)[ ][\"\']?[\w.@+-]{2,80}[\"\']?[ ][\"\']?(?P<secret>[^\s\"\'\\]{4,100})"),
        ("auth ", r"(?:^|\n|>\s?)(?-i:AUTH)[ ](?!LOGIN|PLAIN|CRAM|XOAUTH|NTLM|DIGEST)(?:\w{2,30}[ ])?[\"\']?(?P<secret>[^\s\"\']{6,200})\s*(?:\n|$)"),
        ("identified", r"\b(?:user|role|login)\s+[^\n;]{1,80}\bidentified\s+by\s+(?:values\s+)?[\"\']?(?P<secret>(?!password\b|values\b)[^\s\"\';]{4,200})"),
        ("password", r"\b(?:enable|username\s+\S+|neighbor\s+\S+|line)\s+(?:privilege\s+\d+\s+)?(?:password|secret)\s+(?:\d\s+)?(?P<secret>[^\s\"\']{4,100})"),
        ("secret", r"\b(?:enable|username\s+\S+)\s+(?:privilege\s+\d+\s+)?secret\s+(?:\d\s+)?(?P<secret>[^\s\"\']{4,100})"),
        ("community", r"\bsnmp-server\s+community\s+(?P<secret>(?!public|private)[^\s\"\']{4,100})"),
        ("add_user", rf"\b(?:add_user|change_password|authenticate_user|set_user_password|create_user)\s+[\w.@-]+\s+{_VALUE}"),
        ("passw", rf"(?:^|[\n;&|]|\s)[\w./-]{{1,30}}[ ](?:[\w-]{{1,20}}[ ]){{0,2}}(?:change|set|reset|update|new)[-_ ]?(?:user[-_])?passw(?:or)?d[ ](?:(?!to\b|for\b|is\b)[\w.@-]{{1,40}}[ ])?{_VALUE}[\"\']?\s*(?:$|\n|;|&)"),
        ("userpwd", rf"userpwd[\"\']?\s*[:=,]\s*[\"\']?[\w.@\\-]{{1,60}}:{_VALUE}"),
        ("digest", r"\bresponse=[\"\'](?P<secret>[0-9a-f]{32,64})[\"\']"),
    )
)  # fmt: skip
_HANDED: Final = re.compile(
    r"(?i)(?:upload|publish|report|submit|deploy|register|enroll|agent|codecov|coveralls|codacy|scanner|tunnel|connector|release)[^\n|;]{0,200}?"
    r"\s-{1,2}(?:t|k|token|key|auth)[ =][\"\']?(?P<secret>[A-Za-z0-9_+/=.-]{20,4096})"
)


def in_commands(text: str) -> Iterator[Sensitive]:
    """Secrets among the arguments of commands."""
    lowered = small(text)
    for at, verb in _verbs(text):
        rest = _REST.match(text, at + len(verb)) if at else None
        if rest is None or _PROSE.search(rest["rest"]):
            continue
        given = [one for one in _ARGUMENT.finditer(text, *rest.span("rest")) if _is_given(one["value"])]
        if given and _TOOL.search(text, max(at - 90, 0), at):
            yield from (Sensitive("token", *one.span("value")) for one in given)
    for gate, pattern in _PLACES:
        if gate in lowered:
            yield from (
                Sensitive("password", *found.span("secret")) for found in pattern.finditer(text) if _is_typed(found["secret"])
            )
    if " -t" in text or " -k" in text or " --" in text:
        for found in _HANDED.finditer(text):
            if _is_uploaders(found["secret"]):
                yield Sensitive("token", *found.span("secret"))


def _is_given(value: str) -> bool:
    """An argument that a machine drew, or that only a password looks like."""
    if (
        value.startswith("-")
        or value.endswith((".", ",", ":", ")", "?"))
        or is_placeholder(value)
        or "://" in value
        or UUID.fullmatch(value)
    ):
        return False
    if is_hex(value):
        return len(value) >= 32 and is_random(value, 32)
    return is_unusual(value) or ("/" not in value and "." not in value and len(value) >= 20 and is_random(value, 20))


def _is_uploaders(value: str) -> bool:
    """A token that a tool was handed without its name: a UUID, or what a machine drew."""
    return bool(UUID.fullmatch(value)) or _is_given(value)


def _is_typed(value: str) -> bool:
    if is_placeholder(value) or value.startswith(("-", "/", "$", "%")):
        return False
    return (
        is_chosen(value, least=4)
        or is_clearly_chosen(value)
        or is_random(value, 12)
        or is_jumbled(value)
        or is_run_together(value)
        or (value.islower() and value.isalpha() and len(value) >= 8)
    )
