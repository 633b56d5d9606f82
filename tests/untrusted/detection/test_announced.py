"""Values below the line that announces them, in calls without names, in lists of arguments and in files of their own form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.untrusted.detection import Sensitive, category, settle
from tests.untrusted.detection.marking import expected, found

DRAWN = "q8Zk3mPz7Rt1vXc5Bn9Lw2Hd4Fg6Js0A"
BYTES = ", ".join(str((number * 97 + 13) % 256) for number in range(32))

ANNOUNCED = [
    "Username\nann\nPassword\n⟦Kestrel2017⟧\n",
    f"Your new API key is\n\n    ⟦{DRAWN}⟧\n",
    f"Here is the access token:\n```\n⟦{DRAWN}⟧\n```",
    "The new Wi-Fi password:\r\n⟦Kestrel2017⟧\r\n",
    "Das neue Kennwort:\n  ⟦Drossel88x⟧\n",
    "Backup codes:\n1. ⟦8213-9921⟧   2. ⟦8123-5512⟧\n3. ⟦1234-5123⟧\nKeep them.",
    "резервные коды:\n- ⟦48213321⟧\n- ⟦91200347⟧\n",
    "$ pass show mail/ann\n⟦kestrel17Lantern⟧\n",
    "$ echo $DB_PASSWORD\n⟦Kestrel2017⟧\n",
    f"$ openssl rand -base64 24\n⟦{DRAWN}⟧\n",
    "$ cat /run/secrets/db_password\n⟦kestrel17Lantern⟧\n$ ls",
    "$ terraform output -raw admin_password\n⟦vK7-pq!Rz2w⟧",
]
CALLED = [
    f"box = AESGCM(b'⟦{DRAWN}⟧')",
    f'ClientSecretCredential(tenant, client, "⟦{DRAWN}⟧")',
    f"signer = TimestampSigner('⟦{DRAWN}⟧')",
    'smtp.login("ann@example.org", "⟦Kestrel2017⟧")',
    f'bot = TelegramClient("shop", "⟦{DRAWN}⟧")',
]
LISTED = [
    '["sshpass", "-p", "⟦Kestrel2017⟧", "ssh", "gate"]',
    "args=['mysql', '-u', 'root', '-p⟦Kestrel2017⟧', 'shop']",
    "Command '['zip', '-r', '-P', '⟦Kestrel2017⟧', 'out.zip', 'data']' returned non-zero exit status 12.",
    "sonar-scanner -k ⟦550e8400-e29b-41d4-a716-446655440000⟧",
]
PLACED = [
    "user/pass is ann/⟦kestrel17⟧",
    "mc alias set store https://s3.example.org ann ⟦Kestrel2017⟧",
    "git config --global user.password ⟦Kestrel2017⟧",
    "poetry config http-basic.shop ann ⟦Kestrel2017⟧",
    '<setting name="Password" serializeAs="String"><value>⟦kestrel17⟧</value></setting>',
    '<entry key="smtp.password">⟦kestrel17⟧</entry>',
    'secret "db" {\n  value = "⟦kestrel17⟧"\n}',
    'variable "db_password" {\n  type = string\n  default = "⟦kestrel17⟧"\n}',
    "NAME   USER   PASSWORD\ndb     ann    ⟦kestrel17⟧\nweb    bob    ⟦Lantern!2020x⟧\n",
    "USER     PASSWORD     HOST\n-------  -----------  ----\nann      ⟦kestrel17⟧    gate\n",
    "<passphrase>⟦copper lantern meadow⟧</passphrase>",
    'child.expect("Passphrase:")\nchild.sendline("⟦Kestrel2017⟧")',
    "PASS ⟦kestrel_lantern!⟧\nNICK ann\n",
    f".example.org TRUE / FALSE 1799999999 sid ⟦{DRAWN[:16]}⟧",
    f"const signingKey = Uint8Array.from([⟦{BYTES}⟧])",
    f"Escrow Key 2: ⟦{DRAWN}⟧",
    "door code: ⟦12-34-56⟧",
    "Das Passwort ist ⟦ilovemydog⟧ und so",
    "пароль поменял, теперь ⟦kestrel_lantern!⟧ и всё",
    "A password was made up for ann: ⟦k,R(9vT=w2?Lx⟧",
]
ORDINARY = [
    "The storage contains the following keys:\nmsft_px14a6g_07242025\nmsft_10k_20250630\n",
    "Forgot your password?\nSignUp2Day\n",
    "The password must be at least this long:\nabcdef12\n",
    "if password:\n    check123()\n",
    f"git rev-parse HEAD\n{'9c1f0b7e5d3a8264f0e1b2c3d4a59687e8f7a6b5'}\n",
    "The error codes:\nE1001-a\nE1002-b\n",
    "the tool takes send_code as verification_value? That is speculative",
    "as password you pass my_value?",
    f"keys = [{BYTES}]",
    f"numbers of the seed: [{', '.join(map(str, range(100, 132)))}]",
    "Author('Ann Lee', 'Kestrel2017')",
    "docker build -t shop/web:1.2 . && docker run -t 550e8400",
    "NAME   TOKENS   COST\nweb    12345    0.1\n",
    "<password>required</password>",
    'resource "aws_instance" "web" {\n  default = "kestrel17"\n}',
    "x FALSE / TRUE 3 theme darkmode",
    "cmd = ['pytest', '-p', 'no:cacheprovider', '-k', 'login']",
]


@pytest.mark.parametrize("case", [*ANNOUNCED, *CALLED, *LISTED, *PLACED])
def test_the_place_alone_tells(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("case", [*ANNOUNCED, *CALLED, *PLACED])
def test_also_with_escaped_quotes_and_lines(case: str) -> None:
    text, secrets = expected(case)
    left = json.dumps(text)
    for secret in found(left):
        left = left.replace(secret, "…")
    assert not [secret for secret in secrets if secret in left]


@pytest.mark.parametrize("text", ORDINARY)
def test_lines_that_only_look_so_are_left_alone(text: str) -> None:
    assert found(text) == []


findings = st.builds(
    lambda kind, start, size: Sensitive(kind, start, start + size),
    st.sampled_from(("key", "email", "host")),
    st.integers(0, 40),
    st.integers(1, 15),
)


@given(st.lists(findings, max_size=12))
def test_settled_findings_cover_what_was_found_once_and_credentials_go_first(given_findings: list[Sensitive]) -> None:
    settled = settle(given_findings)
    covered = [place for one in settled for place in range(one.start, one.end)]
    assert covered == sorted({place for one in given_findings for place in range(one.start, one.end)})
    credentials = {place for one in given_findings if category(one.kind) == "credential" for place in range(one.start, one.end)}
    assert credentials == {place for one in settled if category(one.kind) == "credential" for place in range(one.start, one.end)}


@pytest.mark.parametrize("rule", ["at least", "must be like", "for example"])
def test_what_a_secret_has_to_look_like_is_no_secret_on_the_line_or_below_it(rule: str) -> None:
    assert found("The password is Kestrel2017")
    assert found("The password:\nKestrel2017\n")
    assert not found(f"The password {rule} Kestrel2017")
    assert not found(f"The password, {rule}:\nKestrel2017\n")


def test_a_forgotten_password_announces_none() -> None:
    assert not found("I forgot my password:\nKestrel2017\n")
