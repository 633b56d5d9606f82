"""The fifth round of held-out credentials: what a person who shares agent rollouts meets in terminals, settings, traces, notebooks and chats.

Two thirds are drawn by machines, one third is chosen by people, in four languages.
"""

import base64
import random
import string
import urllib.parse
from typing import Final

from evidence.secret_draws import BASE62, HEX, Kind, Planted, drawn, token, uuid

URL_SAFE: Final = BASE62 + "_-"
SALT_SIGNS: Final = "!@#$%^&*()-_ []{}<>~`+=,.;:/?|"


def _base64(chance: random.Random, size: int) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _base64url(chance: random.Random, size: int) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(size)).decode().rstrip("=")


def _wrapped(text: str, width: int) -> list[str]:
    return [text[start : start + width] for start in range(0, len(text), width)]


def _field(content: bytes) -> bytes:
    """A string of the SSH wire format (RFC 4251): its length, then its bytes."""
    return len(content).to_bytes(4, "big") + content


def _jwk(chance: random.Random) -> Planted:
    across, up, secret = (_base64url(chance, 32) for _ in range(3))
    return Planted(
        secret, f'{{"kty":"EC","crv":"P-256","kid":"2025-01","use":"sig","x":"{across}","y":"{up}","d":"{secret}","alg":"ES256"}}'
    )


def _openssh(chance: random.Random) -> Planted:
    """An unencrypted Ed25519 key; the fourth line holds its private half."""
    public, seed, check = chance.randbytes(32), chance.randbytes(32), chance.randbytes(4)
    name = _field(b"ssh-ed25519")
    private = check * 2 + name + _field(public) + _field(seed + public) + _field(b"robot@build")
    private += bytes(range(1, 1 + -len(private) % 8))
    blob = b"openssh-key-v1\0" + _field(b"none") * 2 + _field(b"") + (1).to_bytes(4, "big")
    blob += _field(name + _field(public)) + _field(private)
    lines = _wrapped(base64.b64encode(blob).decode(), 70)
    body = "\n".join(lines)
    return Planted(
        lines[3], f"$ cat ~/.ssh/id_ed25519\n-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----"
    )


def _putty(chance: random.Random) -> Planted:
    public = _wrapped(base64.b64encode(_field(b"ssh-ed25519") + _field(chance.randbytes(32))).decode(), 64)
    secret = base64.b64encode(_field(chance.randbytes(32))).decode()
    head = "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ed25519-key-20250115\nPublic-Lines: 2\n"
    return Planted(secret, head + "\n".join(public) + f"\nPrivate-Lines: 1\n{secret}\nPrivate-MAC: {drawn(chance, HEX, 64)}")


def _azure_client(chance: random.Random) -> Planted:
    secret = f"{drawn(chance, BASE62, 3)}8Q~{drawn(chance, URL_SAFE + '.~', 34)}"
    return Planted(
        secret,
        f'{{\n  "appId": "{uuid(chance)}",\n  "displayName": "ci",\n  "password": "{secret}",\n  "tenant": "{uuid(chance)}"\n}}',
    )


def _kubeadm(chance: random.Random) -> Planted:
    small = string.ascii_lowercase + string.digits
    secret = f"{drawn(chance, small, 6)}.{drawn(chance, small, 16)}"
    ending = f"--discovery-token-ca-cert-hash sha256:{drawn(chance, HEX, 64)}"
    return Planted(secret, f"kubeadm join node1.example.org:6443 --token {secret} {ending}")


def _cloudfront(chance: random.Random) -> Planted:
    secret = _base64(chance, 256).translate(str.maketrans("+=/", "-_~"))
    key = f"K{drawn(chance, string.ascii_uppercase + string.digits, 13)}"
    address = "https://d1a2b3c4d5e6f7.cloudfront.net/reports/q4.pdf"
    return Planted(secret, f"{address}?Expires=1736937000&Signature={secret}&Key-Pair-Id={key}")


def _signed_cookie(chance: random.Random) -> Planted:
    secret = f"{drawn(chance, URL_SAFE, 32)}.{drawn(chance, BASE62, 43)}"
    return Planted(secret, f"< HTTP/1.1 200 OK\n< Set-Cookie: connect.sid=s%3A{secret}; Path=/; HttpOnly\n< Content-Length: 512")


def _bcrypt(chance: random.Random) -> Planted:
    secret = f"$2b$12${drawn(chance, BASE62 + './', 53)}"
    return Planted(secret, f"INSERT INTO users (id, name, password_hash, active) VALUES (7, 'robot', '{secret}', 1);")


def _notebook_cell(chance: random.Random) -> Planted:
    secret = f"hf_{drawn(chance, string.ascii_letters, 34)}"
    source = f'["from huggingface_hub import login\\n", "login(\'{secret}\')"]'
    return Planted(secret, f'{{"cell_type": "code", "execution_count": 3, "metadata": {{}}, "outputs": [], "source": {source}}}')


def _storage_account(chance: random.Random) -> Planted:
    secret = _base64(chance, 64)
    value = f"DefaultEndpointsProtocol=https;AccountName=shopfiles;AccountKey={secret};EndpointSuffix=core.windows.net"
    return Planted(secret.rstrip("="), f'"AzureWebJobsStorage": "{value}",')


def _session_token(chance: random.Random) -> Planted:
    secret = f"IQoJb3JpZ2luX2VjE{drawn(chance, BASE62 + '+/', 340)}"
    return Planted(secret, f"AWS_REGION=eu-west-1\nAWS_SESSION_TOKEN={secret}\nHOME=/root")


def _refresh_token(chance: random.Random) -> Planted:
    secret = f"1//0{drawn(chance, URL_SAFE, 99)}"
    access = f"ya29.a0{drawn(chance, URL_SAFE, 160)}"
    return Planted(
        secret, f'{{"access_token": "{access}", "expires_in": 3599, "refresh_token": "{secret}", "token_type": "Bearer"}}'
    )


def _kubeconfig(chance: random.Random) -> Planted:
    body = "\n".join(_wrapped(_base64(chance, 121), 64))
    key = f"-----BEGIN EC PRIVATE KEY-----\n{body}\n-----END EC PRIVATE KEY-----\n"
    secret = base64.b64encode(key.encode()).decode()
    return Planted(secret.rstrip("="), f"users:\n- name: robot\n  user:\n    client-key-data: {secret}")


FIFTH_DRAWN: Final[dict[str, Kind]] = {
    "jwk_private": _jwk,
    "openssh_key": _openssh,
    "putty_key": _putty,
    "azure_client_secret": _azure_client,
    "kubeadm_join": _kubeadm,
    "jupyter_url": token("{}", HEX, 48, "[I 10:30:00.512 ServerApp] http://localhost:8888/lab?token={}"),
    "cloudfront_url": _cloudfront,
    "signed_cookie": _signed_cookie,
    "reset_link": token(
        "{}", URL_SAFE, 20, "Reset your password here: https://shop.example.org/users/password/edit?reset_password_token={}"
    ),
    "ntlm_dump": token("{}", HEX, 32, "Administrator:500:aad3b435b51404eeaad3b435b51404ee:{}:::"),
    "bcrypt_row": _bcrypt,
    "notebook_login": _notebook_cell,
    "sonar_ci_log": token(
        "squ_{}", HEX, 40, "[12:03:11] + mvn -B sonar:sonar -Dsonar.host.url=https://sonar.example.org -Dsonar.login={}"
    ),
    "storage_account_key": _storage_account,
    "aws_session_token": _session_token,
    "google_refresh_token": _refresh_token,
    "wandb_login": token("{}", HEX, 40, "wandb login --relogin {}"),
    "kubeconfig_key": _kubeconfig,
    "psql_table": token(
        "{}",
        HEX,
        32,
        " id | owner |             api_key\n----+-------+----------------------------------\n  7 | robot | {}\n(1 row)",
    ),
    "wordpress_salt": token("{}", BASE62 + SALT_SIGNS, 64, "define( 'AUTH_KEY',         '{}' );"),
}


def _habitual(chance: random.Random) -> str:
    """Passwords as people build them out of habit: a word and a year, letters as digits, two words with dots, a run of keys."""
    word, other = chance.sample(("Sommer", "Marina", "Lisboa", "Dragon", "Kaffee", "Moskva", "Panda", "Fussball"), 2)
    year = chance.randint(1975, 2025)
    return chance.choice(
        (
            f"{word}{year}!",
            f"{word.lower()}{year}",
            f"{word.lower().replace('a', '4').replace('o', '0')}_{chance.randint(1, 99)}",
            f"{word}.{other}.{chance.randint(1, 99)}",
            f"qwe{chance.randint(100, 999)}{word[:3].upper()}",
        )
    )


def _by_habit(line: str) -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = _habitual(chance)
        return Planted(secret, line.format(secret))

    return draw


def _form(chance: random.Random) -> Planted:
    secret = urllib.parse.quote(_habitual(chance), safe="")
    head = "POST /login HTTP/1.1\nHost: shop.example.org\nContent-Type: application/x-www-form-urlencoded"
    return Planted(secret, f"{head}\n\nusername=robot&password={secret}&remember=1")


FIFTH_CHOSEN: Final[dict[str, Kind]] = {
    "sshpass": _by_habit("sshpass -p '{}' scp build.tgz robot@gate.example.org:/srv/app/"),
    "mysql_short_flag": _by_habit("mysqldump -h db.example.org -u robot -p{} shop > shop.sql"),
    "netrc": _by_habit("machine git.example.org login robot password {}"),
    "chpasswd": _by_habit('echo "robot:{}" | sudo chpasswd'),
    "browser_type": _by_habit('{{"element": "Password textbox", "ref": "e14", "text": "{}", "submit": true}}'),
    "form_post": _form,
    "english_chat": _by_habit("btw root pw on the staging box is {} - same as last time"),
    "german_prose": _by_habit("Das Passwort für den Testserver lautet {}, bitte danach ändern."),
    "russian_chat": _by_habit("зайди на стенд: логин robot, пароль {}"),
    "chinese_chat": _by_habit("测试库的账号是 robot，密码是{}，用完请修改。"),
}
FIFTH_ROUND: Final = FIFTH_DRAWN | FIFTH_CHOSEN
