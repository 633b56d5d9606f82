import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.untrusted.redaction import find_secrets, is_secret_key, redact

LETTERS = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"  # 32 characters, as random as a key
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{LETTERS * 2}\n{LETTERS * 2}\nabc=\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

SECRETS = [
    ("OPENAI says sk-proj-" + LETTERS, "OPENAI says [redacted:api_key]"),
    ("sk-ant-api03-" + LETTERS + "-_x", "[redacted:api_key]"),
    ("in JSON: \\nsk-" + LETTERS, "in JSON: \\n[redacted:api_key]"),
    ("sk_live_" + LETTERS, "[redacted:stripe_key]"),
    ("id AKIAIOSFODNN7EXAMPLE.", "id [redacted:aws_key_id]."),
    ("ASIAIOSFODNN7EXAMPLE", "[redacted:aws_key_id]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [redacted:credential]"),
    ("AIza" + LETTERS + "abc", "[redacted:google_key]"),
    ("ghp_" + LETTERS + "abcd", "[redacted:github_token]"),
    ("gho_" + LETTERS + "abcd", "[redacted:github_token]"),
    ("github_pat_" + LETTERS[:22] + "_" + LETTERS, "[redacted:github_token]"),
    ("glpat-" + LETTERS[:20], "[redacted:gitlab_token]"),
    ("xoxb-123456789012-abcdefGHIJ", "[redacted:slack_token]"),
    ("hf_" + LETTERS + "ab", "[redacted:huggingface_token]"),
    ("npm_" + LETTERS + "abcd", "[redacted:npm_token]"),
    (f"cookie {JWT}; path", "cookie [redacted:jwt]; path"),
    (f"before\n{PEM}\nafter", "before\n[redacted:private_key]\nafter"),
    (PEM.replace("\n", "\\n") + '", "x": 1', '[redacted:private_key]", "x": 1'),
    (f'"private_key": "{PEM}"', '"private_key": "[redacted:private_key]"'),
    (PEM[:120] + " and the key was cut", "[redacted:private_key] and the key was cut"),
    (PEM + PEM, "[redacted:private_key][redacted:private_key]"),
    ("Authorization: Bearer " + LETTERS, "Authorization: Bearer [redacted:authorization]"),
    ("authorization: bearer " + LETTERS, "authorization: bearer [redacted:authorization]"),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted:authorization]"),
    ("curl -H 'X-Auth: Bearer " + LETTERS + "'", "curl -H 'X-Auth: Bearer [redacted:authorization]'"),
    ("https://me:hunter2@example.org/x", "https://me:[redacted:url_password]@example.org/x"),
    ("postgres://me:p%40ss@db:5432/x", "postgres://me:[redacted:url_password]@db:5432/x"),
    ("https://:hunter2@example.org", "https://:[redacted:url_password]@example.org"),
    ("api_key=abcd1234efgh", "api_key=[redacted:credential]"),
    ("OPENAI_API_KEY=abcd1234efgh\n", "OPENAI_API_KEY=[redacted:credential]\n"),
    ("x-api-key: abcd1234efgh", "x-api-key: [redacted:credential]"),
    ("?apikey=abcd1234efgh&q=1", "?apikey=[redacted:credential]&q=1"),
    ('{"password": "correct horse battery"}', '{"password": "[redacted:credential]"}'),
    ('{\\"password\\": \\"hunter2hunter2\\"}', '{\\"password\\": \\"[redacted:credential]\\"}'),
    ("{'db_passwd': 'hunter2hunter2'}", "{'db_passwd': '[redacted:credential]'}"),
    ("PASSWORD=correcthorse", "PASSWORD=[redacted:credential]"),
    ("password: hunter2hunter2", "password: [redacted:credential]"),
    ("client_secret => 'abcdefgh1234'", "client_secret => '[redacted:credential]'"),
    ("pwd=abcdefgh1234", "pwd=[redacted:credential]"),
    ("token: abcd1234efgh", "token: [redacted:credential]"),
    ("accessToken='abcd1234efgh'", "accessToken='[redacted:credential]'"),
    ("HF_TOKEN=abcd1234efgh", "HF_TOKEN=[redacted:credential]"),
    (f"password={LETTERS} token={LETTERS}", "password=[redacted:credential] token=[redacted:credential]"),
]
ORDINARY = [
    "max_output_tokens: 4096",
    '"total_tokens": 123456789',
    '"prompt_tokens": 12345678, "completion_tokens": 12345678',
    "tokenizer=Qwen2TokenizerFast",
    '"token": " understanding", "logprob": -0.1',
    '"token": 151643999',
    '"eos_token": "<|endoftext|>"',
    "token_count = 12345678",
    "key_metrics: accuracy_and_reward",
    "answer_key: ABCDABCDABCD",
    "primary_key=customer_id_number",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "550e8400-e29b-41d4-a716-446655440000",
    "task_id: workplace_assistant_email_00042",
    "django__django-11099",
    "sk-learn is a library, a task-specific-model-version-2 too",
    "api_key=<your key here>",
    "api_key = 'your-api-key-goes-here'",
    "api_key: xxxxxxxxxxxx",
    "password: ************",
    "password = $DB_PASSWORD",
    "password=${DB_PASSWORD}",
    "token={{ secrets.TOKEN_1234 }}",
    "api_key=None",
    '"api_key": null, "base_url": "http://localhost:8000/v1"',
    'api_key = os.environ["OPENAI_API_KEY"]',
    "password = get_password()",
    "client = OpenAI(api_key=openai_api_key)",
    "password=self.password",
    "password: authentication failed",
    "The secret: persistence.",
    "PWD=/home/user/project1",
    "OLDPWD=/home/user/project1",
    "headers = {'Authorization': f'Bearer {token}'}",
    "Authorization: Bearer <token>",
    "https://example.org:8080/a@b",
    "ssh://git@github.com/x/y",
    "http://localhost:8000/v1",
    "-----BEGIN PRIVATE KEY----- is how such a file begins",
    "-----BEGIN CERTIFICATE-----\n" + LETTERS * 2 + "\n-----END CERTIFICATE-----",
    "eyJ is base64 for an opening brace",
    "hf_model_name_or_path, npm_config_registry",
]
# Fragments that begin, continue and end secrets, so that random sequences of them come close to every rule.
FRAGMENTS = [
    *(text for text, _ in SECRETS),
    *("password", "token", "api_key", "secret", "authorization", "Bearer ", "pwd", "Token", "=", ": ", '"', "'", "\\n", "\\"),
    *(
        "sk-",
        "hf_",
        "ghp_",
        "AKIA",
        "eyJ",
        "xoxb-",
        "https://",
        "u:",
        "@",
        "-----",
        "BEGIN PRIVATE KEY",
        "END",
        "[redacted:",
        "]",
    ),
    *(LETTERS, "abcdefgh", "9", "x", "xxxx", "_", "-", " ", "\n", ".", ",", "[", "(", "{", "$", "<", "your", "self", "A" * 70),
]


@pytest.mark.parametrize(("text", "redacted"), SECRETS)
def test_a_secret_is_replaced_and_its_surroundings_stay(text: str, redacted: str) -> None:
    assert redact(text) == redacted


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert redact(text) is text
    assert find_secrets(text) == []


@pytest.mark.parametrize("text", [text for text, _ in SECRETS])
def test_findings_say_where_the_secret_is(text: str) -> None:
    findings = find_secrets(text)
    assert findings
    rest, done = "", 0
    for kind, start, end in findings:
        rest += text[done:start] + f"[redacted:{kind}]"
        done = end
    assert rest + text[done:] == redact(text)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text(), st.sampled_from([text for text, _ in SECRETS]), st.text())
def test_a_secret_is_found_wherever_it_stands_on_its_own(before: str, secret: str, after: str) -> None:
    assert LETTERS not in redact(f"{before}\n{secret}\n{after}")


@pytest.mark.parametrize("key", ["password", "api_key", "token"])
@pytest.mark.parametrize("value", ["a1b2c3d", "a1b2c3d4"])
def test_a_value_shorter_than_eight_characters_is_no_secret(key: str, value: str) -> None:
    assert (redact(f"{key}={value}") == f"{key}={value}") == (len(value) < 8)


@pytest.mark.parametrize(
    "unit",
    [
        *("token=", "token=x", "token= ", "password=", "password: a", "api_key='", "secret=<", "pwd=/", "authorization: Bearer "),
        *("sk-", "sk-a", "eyJ", "eyJ-", "eyJaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\\n", "A"),
        *(
            "-----BEGIN PRIVATE KEY-----" + "A" * 20 + "\n",
            "://",
            "://a:",
            "https://a:b",
            "ghp_",
            "github_pat_A",
            "xoxb-",
            "glpat-",
        ),
        *("hf_A", "\\", '"', " ", "\n", "=", ":", "[redacted:", "password=" + "A" * 70, "token=" + "a" * 70 + "("),
    ],
)
def test_a_megabyte_of_anything_is_read_in_linear_time(unit: str) -> None:
    """Nothing here is timed: an expression that reads again and again what it has read would not end within the test's limit."""
    text = unit * (1_000_000 // len(unit))
    assert redact(redact(text)) == redact(text)
    for start in ("token=", "password='", "-----BEGIN PRIVATE KEY-----", "https://", "https://a:", "eyJ"):
        redact(start + text)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "api_key",
            "apikey",
            "apiKey",
            "OPENAI_API_KEY",
            "openai_api_key",
            "policy_api_key",
            "wandb_api_key",
            "x-api-key",
            "APIKey",
        ),
        *("token", "access_token", "accessToken", "hf_token", "HF_TOKEN", "mlflow_tracking_token", "secret", "client_secret"),
        *(
            "password",
            "db.password",
            "passwd",
            "authorization",
            "Authorization",
            "aws_secret_access_key",
            "private_key",
            "credentials",
        ),
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_key(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "max_output_tokens",
            "max_tokens",
            "maxTokens",
            "tokenizer",
            "key_metrics",
            "answer_key",
            "token_count",
            "total_tokens",
        ),
        *("key", "keys", "eos_token", "pad_token", "stop_token", "token_id_capture", "monkey", "keyboard", "author", "secretary"),
        *("", "_", "42", "password_policy", "num_secrets_found", "return_token_id_information", "policy_model_name", "task_id"),
    ],
)
def test_names_of_ordinary_settings(name: str) -> None:
    assert not is_secret_key(name)


def test_an_escape_before_a_secret_does_not_hide_it() -> None:
    key = "sk-proj-" + "a1B2" * 10
    assert key not in redact(f"\x1b[31m{key}\x1b[0m")
