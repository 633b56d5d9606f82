"""Words on a line that speaks of secrets: what was drawn, and what somebody chose."""

import pytest

from tests.untrusted.detection.marking import expected, found

HEX = "9c1f0b7e5d3a8264f0e1b2c3d4a59687"

SECRETS = [
    f"Use this API key for the request: ⟦{HEX}⟧",
    f"enter this setup key by hand ⟦{'JBSWY3DPEHPK3PXPJBSWY3DP'}⟧",
    "your licence: ⟦K7QF2-9XW4M-TT83B-6LZ0P⟧",
    f"cipher = AES.new(bytes.fromhex('⟦{HEX}⟧'))",
    "type [14] [⟦kestrel17⟧] [1]  # password field",
    "xdotool type '⟦kestrel1⟧'  # the login password",
    "I'd like to change my password from ⟦kestrel17⟧ to something else",
    "I made an app password for you: ⟦xkqv zptw nbrf hjlm⟧",
    "My password is ⟦kestrel⟧.",
    "the API key is ⟦550e8400-e29b-41d4-a716-446655440000⟧",
    "⟦abc12345⟧ is my password",
    "⟦abc12345⟧ works as password for ann",
    f"API keys\nprod\t⟦{HEX}⟧\teu",
    f"⟦{HEX}⟧  production key",
    "Please verify your PIN.\nCustomer: It's ⟦4821⟧",
]
OTHERWISE = [
    f"git show {HEX}00000000 # login",
    f"token check failed in commit {HEX}",
    "the password must have at least 8 characters, e.g. kestrel17",
    "the password is required.",
    "Forgot password? kestrel17",
    "the pw of build-3",
    "order #W1234567 of your account",
    "password of ann@example.org",
    "import secrets\nimport sqlite3",
    "3f2a9c1 Add a password field\n* 9c1f0b7 Show the password rules",
    "the password flow of OAuth2.0, as in SP800-63B",
    "see test_password_v2.py::TestLogin3 for the password",
    "const [password, setPassword1] = useState('')",
    "the creds of the shop; secretName: my-tls-secret-v2",
    '<div class="css-1q2w3e4r sc-bdVaJa3">Password</div>',
    "the primary key is 550e8400-e29b-41d4-a716-446655440000",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567 is the alphabet of such secrets",
    f"{HEX}  keys.txt\n{HEX[::-1]}  token.bin",
    f"{HEX}00000000 refs/heads/token-fix",
    "Failed password for root from host7 port 22 ssh2: RSA SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8",
    "the password reset was closed on 2024-01-15T10:30",
    'aria-label="password" data-v-7ba5bd90 wide',
    "Пароль шифруется, ключ длиной 128бит",
]


@pytest.mark.parametrize("case", SECRETS)
def test_a_word_near_a_telling_one_is_a_secret(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("text", OTHERWISE)
def test_lines_that_only_speak_of_secrets_are_left_alone(text: str) -> None:
    assert found(text) == []
