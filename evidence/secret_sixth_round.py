"""The sixth round of held-out credentials: what programs print when they start for the first time, what tools take without naming it, and
what people tell each other.

Two thirds are drawn by machines, one third is chosen by people, in four languages.
"""

import base64
import random
import string
from typing import Final

from evidence.secret_draws import BASE62, HEX, Kind, Planted, drawn, token, uuid

URL_SAFE: Final = BASE62 + "_-"
BASE58: Final = "".join(sign for sign in BASE62 if sign not in "0OIl")
BECH32: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
UPPER: Final = string.ascii_uppercase + string.digits


def _base64(chance: random.Random, size: int) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _tailscale(chance: random.Random) -> Planted:
    secret = f"tskey-auth-k{drawn(chance, BASE58, 9)}11CNTRL-{drawn(chance, BASE58, 33)}"
    return Planted(secret, f"sudo tailscale up --accept-routes --auth-key={secret} --advertise-exit-node")


def _age(chance: random.Random) -> Planted:
    secret = f"AGE-SECRET-KEY-1{drawn(chance, BECH32.upper(), 58)}"
    return Planted(secret, f"# created: 2025-01-15T10:30:00Z\n# public key: age1{drawn(chance, BECH32, 58)}\n{secret}")


def _fernet(chance: random.Random) -> Planted:
    secret = base64.urlsafe_b64encode(chance.randbytes(32)).decode()
    return Planted(secret.rstrip("="), f"from cryptography.fernet import Fernet\nbox = Fernet(b'{secret}')")


def _unseal(chance: random.Random) -> Planted:
    """The shares that `vault operator init` prints; the second is looked for."""
    shares = [_base64(chance, 33) for _ in range(3)]
    return Planted(shares[1], "\n".join(f"Unseal Key {number}: {share}" for number, share in enumerate(shares, 1)))


def _recovery(chance: random.Random) -> Planted:
    codes = [f"{drawn(chance, HEX, 5)}-{drawn(chance, HEX, 5)}" for _ in range(4)]
    return Planted(codes[1], "Two-factor recovery codes (each works once, keep them safe):\n" + "\n".join(codes))


def _pypi(chance: random.Random) -> Planted:
    """A macaroon (version 2) for pypi.org with one restriction, as the index hands them out."""
    restriction = f'[3,"{uuid(chance)}"]'.encode()
    body = b"\x02\x01\x08pypi.org\x02\x24" + uuid(chance).encode() + b"\x00"
    body += b"\x02" + bytes([len(restriction)]) + restriction + b"\x00\x00\x06\x20" + chance.randbytes(32)
    secret = "pypi-" + base64.urlsafe_b64encode(body).decode().rstrip("=")
    return Planted(secret, f"twine upload -u __token__ -p {secret} dist/*")


def _langsmith(chance: random.Random) -> Planted:
    secret = f"lsv2_pt_{drawn(chance, HEX, 32)}_{drawn(chance, HEX, 10)}"
    return Planted(secret, f'declare -x HOME="/root"\ndeclare -x LANGCHAIN_API_KEY="{secret}"\ndeclare -x LANG="C.UTF-8"')


def _debugger(chance: random.Random) -> Planted:
    secret = "-".join(drawn(chance, string.digits, 3) for _ in range(3))
    return Planted(secret, f" * Running on http://127.0.0.1:5000\n * Debugger is active!\n * Debugger PIN: {secret}")


def _solana(chance: random.Random) -> Planted:
    secret = ",".join(map(str, chance.randbytes(64)))
    return Planted(secret, f"$ cat ~/.config/solana/id.json\n[{secret}]")


def _duckdb(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62 + "+/", 40)
    return Planted(secret, f"CREATE SECRET lake (TYPE gcs, KEY_ID 'GOOG1E{drawn(chance, UPPER, 55)}', SECRET '{secret}');")


def _tweepy(chance: random.Random) -> Planted:
    key, secret = drawn(chance, BASE62, 25), drawn(chance, BASE62, 50)
    return Planted(secret, f'In [4]: auth = tweepy.OAuth1UserHandler("{key}", "{secret}", callback="oob")')


def _codecov(chance: random.Random) -> Planted:
    secret = uuid(chance)
    return Planted(secret, f"[10:31:07] + ./codecov upload-process -t {secret} -f coverage.xml -F unit")


SIXTH_DRAWN: Final[dict[str, Kind]] = {
    "anthropic_trace": token(
        "sk-ant-api03-{}AA",
        URL_SAFE,
        93,
        "> POST /v1/messages HTTP/2\n> Host: api.anthropic.com\n> x-api-key: {}\n> anthropic-version: 2023-06-01",
    ),
    "tailscale_up": _tailscale,
    "age_identity": _age,
    "gemini_log": token(
        "AIzaSy{}",
        URL_SAFE,
        33,
        "INFO httpx: HTTP Request: POST https://generativelanguage.googleapis.com/v1beta/models/gemini-2.0-flash:generateContent"
        '?key={} "HTTP/1.1 200 OK"',
    ),
    "runner_registration": token(
        "A{}", string.ascii_uppercase + "234567", 28, "./config.sh --unattended --url https://github.com/example/shop --token {}"
    ),
    "fernet_code": _fernet,
    "vault_unseal": _unseal,
    "elastic_first_start": token(
        "{}",
        BASE62 + "*_=+-",
        20,
        "Password for the elastic user (reset with `bin/elasticsearch-reset-password -u elastic`):\n  {}",
    ),
    "mysql_temporary": token(
        "{}",
        BASE62 + "!#%&()*+,-./:;<=>?_",
        12,
        "2025-01-15T10:30:00.512345Z 6 [Note] [MY-010454] [Server] A temporary password is generated for root@localhost: {}",
    ),
    "recovery_codes": _recovery,
    "pypi_upload": _pypi,
    "langsmith_dump": _langsmith,
    "debugger_pin": _debugger,
    "netscape_cookies": token(
        "{}", URL_SAFE, 48, "# Netscape HTTP Cookie File\n#HttpOnly_github.com\tFALSE\t/\tTRUE\t1767225600\tuser_session\t{}"
    ),
    "har_header": token(
        "gAAAAABn{}",
        URL_SAFE,
        175,
        '"headers": [{{"name": "Accept", "value": "application/json"}}, {{"name": "X-Subject-Token", "value": "{}"}}],',
    ),
    "kubectl_decoded": token(
        "{}",
        URL_SAFE,
        16,
        '$ kubectl -n argocd get secret argocd-initial-admin-secret -o jsonpath="{{.data.password}}" | base64 -d; echo\n{}',
    ),
    "solana_keypair": _solana,
    "duckdb_secret": _duckdb,
    "tweepy_cell": _tweepy,
    "codecov_log": _codecov,
}

FIRMS: Final = ("Acme", "Shop", "Office", "Initech", "Globex", "Studio")
SEASONS: Final = ("Winter", "Spring", "Autumn", "Easter", "Xmas")
NAMES: Final = ("zosia", "tiago", "sakura", "giulia", "benfica", "naruto", "kotek", "praia", "bruno", "wanda", "pierogi", "felix")
PLACES: Final = (
    "kitchen",
    "river",
    "attic",
    "garden",
    "station",
    "cellar",
    "bridge",
    "harvest",
    "mirror",
    "lemon",
    "blanket",
    "tractor",
)


def _everyday(chance: random.Random) -> str:
    """Passwords as people remember them: a name and a birthday, a firm and a season, a walk over the keys, a sentence run together."""
    name, other = chance.sample(NAMES, 2)
    day = f"{chance.randint(1, 28):02}{chance.randint(1, 12):02}"
    return chance.choice(
        (
            f"{name.capitalize()}{day}",
            f"{chance.choice(FIRMS)}-{chance.choice(SEASONS)}{chance.randint(18, 26)}{chance.choice(('', '!', '?'))}",
            f"1qaz{name}{chance.choice('@#*+')}{chance.randint(1, 99)}",
            f"i{chance.choice(('love', 'miss', 'want', 'need'))}{name}and{other}",
            f"{other}_{name}{chance.choice(('!', '!!', '#1', '007'))}",
            f"{name[:2].upper()}{day}{other[:3]}",
        )
    )


def _remembered(line: str) -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = _everyday(chance)
        return Planted(secret, line.format(secret))

    return draw


def _passphrase(chance: random.Random) -> Planted:
    secret = " ".join(chance.sample(PLACES, 4))
    return Planted(secret, f'the passphrase of my signing key is "{secret}", you will need it for the release')


SIXTH_CHOSEN: Final[dict[str, Kind]] = {
    "sudo_stdin": _remembered("echo '{}' | sudo -S systemctl restart nginx"),
    "expect_script": _remembered('spawn ssh robot@gate.example.org\nexpect "assword:"\nsend "{}\\r"'),
    "ldap_traceback": _remembered(
        "subprocess.CalledProcessError: Command '['ldapsearch', '-x', '-D', 'cn=admin,dc=example,dc=org', '-w', '{}']' "
        "returned non-zero exit status 49."
    ),
    "maven_server": _remembered("<server><id>nexus</id><username>robot</username><password>{}</password></server>"),
    "requests_auth": _remembered(
        'reply = requests.get("https://wiki.example.org/rest/api/content", auth=("robot", "{}"), timeout=30)'
    ),
    "ftp_trace": _remembered("220 ftp.example.org ready\n---> USER robot\n331 Please specify the password.\n---> PASS {}"),
    "spoken_passphrase": _passphrase,
    "portuguese_prose": _remembered("A senha do banco de homologação é {} e vale até sexta-feira."),
    "japanese_chat": _remembered("検証環境のログインは robot、パスワードは {} です。"),
    "polish_chat": _remembered("zmieniłem hasło do panelu na {} więc zaloguj się jeszcze raz"),
}
SIXTH_ROUND: Final = SIXTH_DRAWN | SIXTH_CHOSEN
