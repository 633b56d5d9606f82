"""What is found in a text, one line a case: the secret stands between ⟦ and ⟧."""

import random
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.untrusted.detection import KnownNames, Promise, Sensitive, category, find_sensitive, promise, settle
from blade.untrusted.detection.folding import percent_decoded, readable
from blade.untrusted.detection.formats import checksum_holds
from blade.untrusted.detection.randomness import is_random

DRAWN = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
PEM = f"-----BEGIN EC PRIVATE KEY-----\n{DRAWN * 2}\n{DRAWN}==\n-----END EC PRIVATE KEY-----"

CREDENTIALS = [
    f"a token ⟦ghp_{DRAWN}ab12⟧ in prose",
    f"glpat ⟦glpat-{DRAWN[:20]}⟧.",
    f"⟦sk-ant-api03-{DRAWN}⟧",
    "⟦AKIAQ7RTYUIOPASDF234⟧ and ⟦wJalrXUtnFEMIK7MDENGbPxRfiCY93kd82hsK1q0⟧ beside it",
    f"⟦xoxb-123456789012-{DRAWN[:12]}⟧",
    f"⟦sk_live_{DRAWN}⟧",
    f"session {JWT}".replace(JWT, f"⟦{JWT}⟧"),
    f"before ⟦{PEM}⟧ after",
    f"before ⟦{PEM}⟧ after".replace("\n", "\\n"),
    f"an unknown vendor: ⟦zq_pat_{DRAWN}⟧",
    f"an unknown vendor: ⟦zoolive-{DRAWN}⟧",
    "password=⟦hunter2!x⟧",
    "DB_PASSWORD='⟦correct horse battery⟧'",
    '{\\"db_password\\": \\"⟦hunter2hunter2⟧\\"}',
    "{&quot;password&quot;: &quot;⟦hunter2hunter2⟧&quot;}",
    "password: ⟦hunter2hunter2⟧",
    "password: |\n  ⟦hunter2hunter2⟧\n",
    "The password is ⟦Tr0ub4dor&3⟧.",
    "the admin password was set to ⟦Tr0ub4dor&3⟧, thanks",
    "<password>⟦hunter2x⟧</password>",
    "| API key | ⟦a91kd02mfh38sk20⟧ |",
    "mytool --password ⟦hunter2!x⟧ --verbose",
    f"mytool --api-key ⟦{DRAWN}⟧",
    "os.environ['SERVICE_TOKEN'] = '⟦a91kd02mfh38sk20⟧'",
    "define('DB_PASSWORD', '⟦hunter2!x⟧');",
    "spring.datasource.password=⟦hunter2hunter⟧",
    "Server=db;User Id=sa;Password=⟦hunter2!x⟧;Encrypt=True",
    f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=⟦{DRAWN}{DRAWN}==⟧",
    "MAGIC_TOKEN=⟦550e8400-e29b-41d4-a716-446655440000⟧",
    f"Authorization: Bearer ⟦{DRAWN}⟧",
    "Authorization: Basic ⟦dXNlcjpwYXNzd29yZDE=⟧",
    f"X-Api-Key: ⟦{DRAWN}⟧",
    "curl -u admin:⟦s3cret⟧ https://example.org/x",
    "mysql -u root -p⟦s3cretpw⟧ shop",
    "CREATE USER 'a'@'%' IDENTIFIED BY '⟦s3cret⟧';",
    "machine example.org login bot password ⟦s3cretpw⟧",
    f"Cookie: theme=dark; sessionid=⟦{DRAWN}⟧; lang=en",
    f"https://hooks.slack.com/services/⟦T0ABCDEF12⟧/⟦B0ABCDEF12⟧/⟦{DRAWN[:24]}⟧",
    f"GET /a?access_token=⟦{DRAWN}⟧&x=1",
    "amqp://guest:⟦hunter2⟧@example.org:5672/",
    "redirect=postgres%3A%2F%2Fguest%3A⟦hunter2⟧%40example.org%2Fdb",
    "g\u200bhp_".replace("g", "⟦g") + f"{DRAWN[:9]}\u2060{DRAWN[9:]}ab12⟧",
    f"⟦gհp_{DRAWN}ab12⟧".replace("հ", "һ"),
    "pass\u200bword=⟦hunter2!x⟧",
    "пароль: ⟦hunter2!x⟧",
    "| user | password |\n|---|---|\n| ann | ⟦hunter2!x⟧ |\n",
    f"with the API key ⟦{DRAWN}⟧ it works",
    "credentials: admin / ⟦hunter2!x⟧",
    "sqlplus scott/⟦t1ger⟧@orcl",
    "user: ann\npassword: ⟦batterystaple⟧\n",
    "password: ⟦20394857⟧",
    "SMTP_PASSWORD=⟦ab,cd;ef9!⟧",
    "das Passwort für den Server lautet ⟦Gr0ssmutter!⟧",
    "the password of the staging server is ⟦Gr0ssmutter!⟧.",
    f"https://example.org/reset-password/⟦{DRAWN}⟧",
    f"client-key-data: ⟦{DRAWN * 3}⟧",
    '<item name="AdminPassword" value="⟦hunter2!x⟧"/>',
    "- name: ADMIN_PASSWORD\n  value: ⟦hunter2!x⟧\n",
    "contraseña: ⟦Gat0negro!⟧",
    "votre mot de passe : ⟦Gr4ndmere!⟧",
    "keyPassword '⟦Gr4ndmere!x⟧'",
    "client.connect('gate', 'ann', '⟦Gr4ndmere!x⟧')",
    "runas /user:ann ⟦Gr4ndmere!x⟧",
    "take ⟦Gr4ndmere!x⟧ as your new password",
    "$HASH is ⟦$2b$12$KIXQ4S7vF3xv1H1kqTz0uO8ZJ2bq9v6pXn0sWm5yR7tU3eL1aBcDe⟧",
]
OTHERS = [
    ("email", "write to ⟦ann.lee+x@mail.corp.example⟧ now"),
    ("user", "cd /home/⟦annlee⟧/project"),
    ("user", "C:\\Users\\⟦nancy⟧\\Desktop"),
    ("user", "open('C:\\\\Users\\\\⟦nancy⟧\\\\x')"),
    ("user", "uid=1000(⟦annlee⟧) gid=1000(⟦annlee⟧)"),
    ("host", "ping ⟦build-7.corp.internal:8443⟧"),
    ("host", "http://⟦vllm-server:8000⟧/v1"),
    ("host", "node ⟦ip-10-2-3-4.ec2.internal⟧ is down"),
    ("ip", "connect to ⟦10.20.30.40:5432⟧ failed"),
    ("ip", "from ⟦2001:db8:85a3::8a2e:370:7334⟧ refused"),
    ("mac", "ether ⟦02:42:ac:11:00:02⟧ txqueuelen"),
]
ORDINARY = [
    "max_output_tokens: 4096",
    '"token": " understanding", "logprob": -0.1',
    "task_id: workplace_assistant_email_00042",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "call_aB3dE5gH7jK9mN1pQ2sT4vW6 chatcmpl-aB3dE5gH7jK9mN1pQ2sT4vW6xY8z",
    "session_id: 550e8400-e29b-41d4-a716-446655440000",
    "api_key=<your key here>",
    "password = os.environ['X_PASSWORD']",
    "password = get_password()",
    "password: string",
    "the password must have at least 8 characters",
    "token = tokens[i + 1]",
    "return self.key_for(name) if key else None",
    "primary_key=customer_id_number",
    "data:image/png;base64," + DRAWN * 4,
    "saved under the key: aapl_10k_2022.",
    "version 1.2.3.4 of Chrome/120.0.6099.109",
    "localhost:8000 and 127.0.0.1:8080 and 0.0.0.0",
    "https://example.org:8080/a@b",
    "[redacted email:ab12cd34ef56] and password=[redacted credential:ab12cd34ef56]",
    "basic estimates and basic structure",
    "Bearer <token>",
    "password: incorrect",
    "PASS_TO_PASS: ['tests/test_x.py::test_a2']",
    "secret: persistence",
    "Password: required\nName: optional\n",
    "cookie = 27/3/4=2.25",
    "['password', 'email', 'username']",
    "/home/user/project and /Users/runner/x",
    "threading.local and settings.local.py",
]


def marked(case: str) -> tuple[str, list[str]]:
    parts = case.replace("⟧", "⟦").split("⟦")
    return "".join(parts), parts[1::2]


@pytest.mark.parametrize("case", CREDENTIALS)
def test_credentials_are_found_and_nothing_around_them(case: str) -> None:
    text, secrets = marked(case)
    found = [one for one in find_sensitive(text) if category(one.kind) == "credential"]
    assert [text[one.start : one.end] for one in found] == secrets


@pytest.mark.parametrize(("kind", "case"), OTHERS)
def test_people_and_places_are_found(kind: str, case: str) -> None:
    text, expected = marked(case)
    assert [(one.kind, text[one.start : one.end]) for one in find_sensitive(text)] == [(kind, part) for part in expected]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert find_sensitive(text) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DB_PASSWORD", Promise.STRONG),
        ("apiKey", Promise.STRONG),
        ("aws_secret_access_key", Promise.STRONG),
        ("x-api-key", Promise.STRONG),
        ("hf_token", Promise.TOKEN),
        ("key", Promise.WEAK),
        ("session_id", Promise.WEAK),
        ("max_tokens", Promise.NOTHING),
        ("eos_token", Promise.NOTHING),
        ("primary_key", Promise.NOTHING),
        ("password_length", Promise.NOTHING),
        ("reward", Promise.NOTHING),
    ],
)
def test_names_promise(name: str, expected: Promise) -> None:
    assert promise(name) is expected


def test_private_names_are_found_in_any_spelling_and_not_inside_words() -> None:
    known = KnownNames(private=("Acme Labs", "Zed"), users=("annlee",))
    text = "acme-labs, AcmeLabs and A\u0441me Labs; zed but not zedonk; annlee wrote"
    found = find_sensitive(text, known)
    assert [(one.kind, text[one.start : one.end]) for one in found] == [
        ("name", "acme-labs"),
        ("name", "AcmeLabs"),
        ("name", "A\u0441me Labs"),
        ("name", "zed"),
        ("user", "annlee"),
    ]


def test_what_two_detectors_share_is_covered_whole() -> None:
    assert settle([Sensitive("email", 3, 12), Sensitive("key", 0, 6)]) == [Sensitive("key", 0, 6), Sensitive("email", 6, 12)]


def test_a_checksum_tells_a_real_github_token_from_an_invented_one() -> None:
    body = DRAWN[:30]
    number, last = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        last = (string.digits + string.ascii_uppercase + string.ascii_lowercase)[digit] + last
    assert checksum_holds(f"ghp_{body}{last}") is True
    assert checksum_holds("ghp_" + "a" * 36) is False
    assert checksum_holds("hello") is None


@pytest.mark.parametrize(
    "token",
    ["configuration_manager_2", "workplace_assistant_email", "Qwen2TokenizerFast", "2024-01-15T10:30:00", "aaaaaaaaaaaaaaaaaaaa"],
)
def test_words_are_not_random(token: str) -> None:
    assert not is_random(token)


@pytest.mark.parametrize(
    "alphabet", [string.ascii_letters + string.digits, "0123456789abcdef", string.ascii_letters + string.digits + "-_"]
)
def test_what_a_machine_draws_is_random_nearly_always(alphabet: str) -> None:
    draw = random.Random(7)
    tokens = ["".join(draw.choices(alphabet, k=28)) for _ in range(2_000)]
    assert sum(map(is_random, tokens)) >= 0.985 * len(tokens)


@given(st.text(alphabet='ab\\nu"0041&quot;\u200bа é%3A', max_size=40))
def test_a_view_leads_back_into_the_text(text: str) -> None:
    for view in (readable(text), percent_decoded(text)):
        if view is None:
            continue
        for place in range(len(view.text)):
            start, end = view.span(place, place + 1)
            assert 0 <= start < end <= len(text)
        assert view.span(0, len(view.text))[1] <= len(text)


@given(st.text(max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    done = 0
    for one in find_sensitive(text):
        assert done <= one.start < one.end <= len(text)
        done = one.end
