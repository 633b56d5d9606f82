"""Settings, commands, forms, tables and keys: places that say what their value is."""

import base64
import json
import random

import pytest

from blade.untrusted.detection import Promise, find_sensitive, promise
from tests.untrusted.detection.marking import expected, found

HEX40 = "9c1f0b7e5d3a8264f0e1b2c3d4a59687e8f7a6b5"
DRAWN = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
SALT = "k]9{V!x@q2<Zr#7~Wm%5(Pd^Ls&8*Ht)Gy+3|Jf=Nc?6:Bv;Qe/4,Xa.1-Ro_0"

CASES = [
    f"-Dregistry.login=⟦abc_{HEX40}⟧ -DskipTests",
    f"mytool login --relogin ⟦{HEX40}⟧",
    f"$ acme auth add-token ⟦{DRAWN}⟧",
    f"acme config set-secret ⟦{DRAWN}⟧ --quiet",
    "acme login -u ann -p ⟦Kestrel2017⟧",
    "net user ann ⟦Kestrel2017⟧ /add",
    "zip -r -P ⟦Kestrel2017⟧ out.zip data",
    "keytool -genkey -storepass ⟦kestrel17⟧ -keystore x.jks",
    "openssl rsa -in a.pem -passin pass:⟦kestrel17⟧",
    "xfreerdp /u:ann /p:⟦Kestrel2017⟧ /v:gate",
    "http --auth ⟦ann:Kestrel2017⟧ example.org/x",
    "rabbitmqctl add_user ann ⟦Kestrel2017⟧",
    "echo ⟦Kestrel2017⟧ | kinit ann",
    "username ann privilege 15 secret 0 ⟦Kestrel2017⟧",
    "USER ann\r\nPASS ⟦Kestrel2017⟧\r\n",
    f"define( 'NONCE_SALT',             '⟦{SALT}⟧' );",
    f"$config['secret_salt'] = '⟦{SALT}⟧';",
    "const dbPass = '⟦kestrel17⟧';",
    "setx DB_PW ⟦Kestrel2017!⟧",
    'db_password <- "⟦kestrel17⟧"',
    ":password => '⟦kestrel17⟧',",
    "  secret_token: ⟦kestrel17lantern42⟧",
    '<add key="SmtpPassword" value="⟦kestrel17⟧" />',
    '<property name="userpwd" value="⟦kestrel17⟧"/>',
    "数据库密码=⟦kestrel17⟧",
    '"pin": "⟦4821⟧"',
    "[{'label': 'Your password', 'input': '⟦kestrel17⟧'}",
    '{"text": "⟦kestrel17⟧", "selector": "#login-password", "delay": 5',
    '<input type="password" value="⟦kestrel17⟧">',
    'page.fill("input[name=password]", "⟦kestrel17⟧")',
    'page.get_by_label("Password").fill("⟦kestrel17⟧")',
    'driver.find_element(By.ID, "password").send_keys("⟦kestrel17⟧")',
    f'{{"kty": "RSA", "n": "{DRAWN}", "e": "AQAB", "d": "⟦{DRAWN}⟧", "dp": "⟦{DRAWN[::-1]}⟧"',
    f"{{'kty': 'oct', 'k': '⟦{DRAWN}⟧'}}",
    f"<RSAKeyValue><Modulus>{DRAWN}</Modulus><D>⟦{DRAWN}⟧</D></RSAKeyValue>",
    "name\tpassword\nann\t⟦kestrel17⟧\n",
    '"name","Passwort"\n"ann","⟦kestrel17⟧"\n',
    f"Reset it: https://example.org/x?reset_token=⟦{'XmLKDPKbl-HRfDBMfRP-'}⟧\nor not",
    "recovery phrase: ⟦ripple cactus violin meadow copper lantern orbit sudden tiger walnut zebra canal⟧",
]
ORDINARY = [
    f"git log: fix login in {HEX40}",
    "the login page and the auth module connect to the service",
    'page.fill("#name", "kestrel17")',
    '{"element": "Search textbox", "text": "kestrel17"}',
    '{"element": "Forgot password link", "text": "clicked12"}',
    "define('AUTH_KEY', 'put your unique phrase here');",
    "const token = await getToken(user);",
    "auth: required, login: optional",
    '{"kty": "EC", "crv": "P-256", "x": "' + DRAWN + '"}',
    "The cause was identified by examining the file.",
    "bypass = compass17x",
    "zip -r out.zip data -x p1",
    "def login(self, username, password2): pass",
    "| name | pass |\n|---|---|\n| build | yes |\n",
]


@pytest.mark.parametrize("case", CASES)
def test_the_place_says_what_the_value_is(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("case", CASES)
def test_also_inside_json(case: str) -> None:
    text, secrets = expected(case)
    escaped = json.dumps(text)
    assert len(found(escaped)) >= len(secrets)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_lines_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("head", "private"),
    [
        (bytes.fromhex("308204a30201000282010100"), True),
        (bytes.fromhex("308204be020100300d06092a864886f70d0101010500"), True),
        (bytes.fromhex("feedfeed00000002"), True),
        (bytes.fromhex("3082035a30820242a003020102"), False),
        (bytes.fromhex("30820122300d06092a864886f70d010101"), False),
    ],
)
def test_binary_keys_are_known_by_their_first_bytes(head: bytes, private: bool) -> None:
    blob = base64.b64encode(head + random.Random(3).randbytes(300)).decode()
    assert found(f"stored as {blob} in the file") == ([blob] if private else [])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("storepass", Promise.STRONG),
        ("ftppassword", Promise.STRONG),
        ("DB_PW", Promise.STRONG),
        ("数据库密码", Promise.STRONG),
        ("lösenord", Promise.STRONG),
        ("login", Promise.WEAK),
        ("compass", Promise.NOTHING),
        ("bypass", Promise.NOTHING),
    ],
)
def test_names_in_other_casings_and_languages(name: str, meant: Promise) -> None:
    assert promise(name) is meant


@pytest.mark.parametrize(
    "case",
    [
        f"https://api.example.org/weather?q=x&appid=⟦{HEX40[:32]}⟧",
        f"https://app.example.org/auth/verify?t=⟦{DRAWN}⟧",
        "https://ping.example.org/⟦0b7e5d3a-8264-4f0e-91b2-c3d4a59687e8⟧",
        "https://hooks.example.org/hooks/catch/12345/⟦k7q2x9m⟧/",
        "new PDO('mysql:host=db', 'app', '⟦Kestrel2017⟧')",
        "User.objects.create_superuser('admin', 'a@example.org', '⟦kestrel17⟧')",
        "reader.decrypt('⟦kestrel17⟧')",
        "http -a ann:⟦kestrel17⟧ GET https://example.org",
        "ssh-keygen -t ed25519 -N '⟦kestrel17⟧' -f id",
        "brokerctl change_password ann ⟦kestrel17⟧",
    ],
)
def test_addresses_calls_and_commands_that_hand_a_secret_over(case: str) -> None:
    text, secrets = expected(case)
    assert [one for one in found(text) if one in secrets] == secrets


@pytest.mark.parametrize("line", ["ssh alice@10.2.3.4", "The login is ssh alice@10.2.3.4", "ssh alice@10.2.3.4 # no password"])
def test_a_user_and_a_host_are_no_password(line: str) -> None:
    found_kinds = {(one.kind, line[one.start : one.end]) for one in find_sensitive(line)}
    assert found_kinds == {("user", "alice"), ("ip", "10.2.3.4")}


def test_a_working_directory_is_no_password() -> None:
    assert found('"PWD": "/srv/project/node", "OLDPWD": "/srv/project"') == []
