"""Kinds of credentials to plant. `SEEN` kinds have formats that detector tests use. The kinds of a round were written when the detectors were
thought done, in formats and places that no detector test used, and were looked at once: that first look is what is published of a round.
What it taught was built in afterwards, so an older round says nothing about the unknown any more; nothing was changed for the last one.

A kind draws a secret and writes the line that carries it. The secret is what must not be readable afterwards.
"""

import base64
import random
import string
from typing import Final

from evidence.secret_draws import BASE62, HEX, Kind, Planted, drawn, token, uuid
from evidence.secret_fifth_round import FIFTH_ROUND
from evidence.secret_seventh_round import SEVENTH_ROUND
from evidence.secret_sixth_round import SIXTH_ROUND

WORDS: Final = [
    "abandon",
    "basket",
    "candle",
    "desert",
    "echo",
    "fabric",
    "galaxy",
    "harvest",
    "island",
    "jungle",
    "kitten",
    "ladder",
    "magnet",
    "nephew",
    "orange",
    "pencil",
    "quartz",
    "ribbon",
    "saddle",
    "timber",
    "umbrella",
    "velvet",
    "walnut",
    "yellow",
]


def _password(chance: random.Random) -> str:
    return (
        chance.choice(("Sunrise", "Tiger", "Harbor", "Violet"))
        + str(chance.randint(10, 9999))
        + chance.choice("!?#%")
        + drawn(chance, BASE62, 3)
    )


def _chosen(line: str) -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = _password(chance)
        return Planted(secret, line.format(secret))

    return draw


def _pem(chance: random.Random) -> Planted:
    body = [drawn(chance, BASE62 + "+/", 64) for _ in range(6)]
    return Planted(body[2], "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(body) + "\n-----END RSA PRIVATE KEY-----")


def _jwt(chance: random.Random) -> Planted:
    head, claims = (
        base64.urlsafe_b64encode(part).decode().rstrip("=")
        for part in (b'{"alg":"HS256"}', b'{"sub":"%d"}' % chance.randint(1, 10**9))
    )
    secret = f"{head}.{claims}.{drawn(chance, BASE62 + '-_', 43)}"
    return Planted(secret, f"set the header to {secret} and retry")


def _basic(chance: random.Random) -> Planted:
    secret = base64.b64encode(f"svc:{_password(chance)}".encode()).decode()
    return Planted(secret.rstrip("="), f"Authorization: Basic {secret}")


def _aws_pair(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62 + "+/", 40)
    return Planted(secret, f"aws configure: AKIA{drawn(chance, string.ascii_uppercase + '234567', 16)} {secret}")


SEEN: Final[dict[str, Kind]] = {
    "github_token": token("ghp_{}", BASE62, 36),
    "openai_key": token("sk-proj-{}", BASE62, 48),
    "slack_token": token("xoxb-214748364712-{}", BASE62, 24),
    "stripe_key": token("sk_live_{}", BASE62, 24),
    "gitlab_token": token("glpat-{}", BASE62 + "_-", 20),
    "aws_secret": _aws_pair,
    "jwt": _jwt,
    "pem": _pem,
    "bearer": token("{}", BASE62, 40, "Authorization: Bearer {}"),
    "basic": _basic,
    "url_password": _chosen("postgresql://app:{}@db.example.org:5432/shop"),
    "assigned_password": _chosen("DB_PASSWORD={}"),
    "flag": _chosen("deploy --password {} --region eu"),
    "cookie": token("{}", BASE62, 32, "Cookie: theme=dark; sessionid={}; lang=en"),
    "sql_password": _chosen("CREATE USER 'app'@'%' IDENTIFIED BY '{}';"),
}


def _mnemonic(chance: random.Random) -> Planted:
    secret = " ".join(chance.choices(WORDS, k=12))
    return Planted(secret, f'wallet recovered, mnemonic: "{secret}"')


def _heroku(chance: random.Random) -> Planted:
    secret = uuid(chance)
    return Planted(secret, f"HEROKU_API_KEY: {secret}")


def _docker(chance: random.Random) -> Planted:
    secret = base64.b64encode(f"ci-bot:{_password(chance)}".encode()).decode()
    return Planted(secret.rstrip("="), '{"auths": {"registry.example.org": {"auth": "' + secret + '"}}}')


def _wireguard(chance: random.Random) -> Planted:
    secret = base64.b64encode(chance.randbytes(32)).decode()
    return Planted(secret.rstrip("="), f"[Interface]\nPrivateKey = {secret}\nListenPort = 51820")


def _discord(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62 + "_-", 68)
    return Planted(secret, f"https://discord.com/api/webhooks/{chance.randint(10**17, 10**18)}/{secret}")


def _telegram(chance: random.Random) -> Planted:
    secret = f"AA{drawn(chance, BASE62 + '_-', 33)}"
    return Planted(secret, f"https://api.telegram.org/bot{chance.randint(10**9, 10**10 - 1)}:{secret}/getMe")


FIRST_ROUND: Final[dict[str, Kind]] = {
    "linear_key": token("lin_api_{}", BASE62, 40),
    "planetscale_token": token("pscale_tkn_{}", BASE62 + "_-", 43),
    "doppler_token": token("dp.pt.{}", BASE62, 43),
    "newrelic_key": token("NRAK-{}", string.ascii_uppercase + string.digits, 27),
    "mailchimp_key": token("{}-us12", HEX, 32, "MAILCHIMP_API_KEY={}"),
    "okta_token": token("00{}", BASE62 + "_-", 40, "Authorization: SSWS {}"),
    "s3_signature": token("{}", HEX, 64, "https://b.s3.amazonaws.com/k?X-Amz-Date=20250101T000000Z&X-Amz-Signature={}&x=1"),
    "rails_secret": token("{}", HEX, 128, "production:\n  secret_key_base: {}"),
    "custom_header": token("{}", BASE62, 32, "X-Acme-Auth-Token: {}"),
    "heroku_key": _heroku,
    "mnemonic": _mnemonic,
    "docker_auth": _docker,
    "wireguard_key": _wireguard,
    "discord_webhook": _discord,
    "telegram_token": _telegram,
    "pgpass": _chosen("db.example.org:5432:shop:app:{}"),
    "odbc_password": _chosen("Driver=PostgreSQL;Server=db.example.org;UID=app;PWD={};SSLmode=require"),
    "wifi_key": _chosen('network={{\n  ssid="office"\n  psk="{}"\n}}'),
    "ansible_password": _chosen("ansible_become_pass: {}"),
    "spanish_prose": _chosen("la contraseña del servidor es {} y no la compartas"),
}


def _twilio(chance: random.Random) -> Planted:
    secret = drawn(chance, HEX, 32)
    return Planted(secret, f"TWILIO_ACCOUNT_SID=AC{drawn(chance, HEX, 32)}\nTWILIO_AUTH_TOKEN={secret}")


def _sentry(chance: random.Random) -> Planted:
    secret = drawn(chance, HEX, 32)
    return Planted(secret, f'sentry_sdk.init(dsn="https://{secret}@o447951.ingest.sentry.io/5429213")')


def _smtp(chance: random.Random) -> Planted:
    secret = _password(chance)
    return Planted(secret, f"server.login('robot', '{secret}')\nsmtp.password = '{secret}'")


def _service_account(chance: random.Random) -> Planted:
    body = [drawn(chance, BASE62 + "+/", 64) for _ in range(4)]
    key = "-----BEGIN PRIVATE KEY-----\\n" + "\\n".join(body) + "\\n-----END PRIVATE KEY-----\\n"
    return Planted(body[1], '{"type": "service_account", "private_key": "' + key + '", "client_id": "1"}')


def _otp(chance: random.Random) -> Planted:
    secret = drawn(chance, string.ascii_uppercase + "234567", 32)
    return Planted(secret, f"otpauth://totp/Example:robot?secret={secret}&issuer=Example")


def _kube(chance: random.Random) -> Planted:
    secret = base64.b64encode(_password(chance).encode()).decode()
    return Planted(secret.rstrip("="), f"apiVersion: v1\nkind: Secret\ndata:\n  db-password: {secret}")


SECOND_ROUND: Final[dict[str, Kind]] = {
    "figma_token": token("figd_{}", BASE62 + "_-", 40),
    "supabase_token": token("sbp_{}", HEX, 40),
    "sendgrid_key": token("SG.{}", BASE62 + "_-", 22, "SENDGRID key {}.9fK2mQ8sT1vW5xY7zA3cE6gH0jL4nP2rU8wB5dF1hJ7"),
    "datadog_key": token("{}", HEX, 32, "dd_api_key: {}"),
    "algolia_key": token("{}", HEX, 32, "client = algoliasearch('R2IYF7ETH7', admin_key='{}')"),
    "cohere_key": token("{}", BASE62, 40, 'co = cohere.Client(api_key="{}")'),
    "vault_token": token("hvs.{}", BASE62 + "_-", 90, "vault login {}"),
    "npmrc": token("{}", BASE62, 36, "//registry.npmjs.org/:_authToken={}"),
    "azure_sas": token("{}%3D", BASE62, 43, "https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig={}"),
    "twilio_token": _twilio,
    "sentry_dsn": _sentry,
    "smtp_login": _smtp,
    "service_account": _service_account,
    "otp_secret": _otp,
    "kube_secret": _kube,
    "redis_requirepass": _chosen("requirepass {}"),
    "mongo_uri": _chosen("mongodb+srv://robot:{}@cluster0.example.net/test"),
    "xml_setting": _chosen('<add key="SmtpPassword" value="{}" />'),
    "java_properties": _chosen("spring.datasource.hikari.password = {}"),
    "prose_login": _chosen("log in as robot with password {} and then open the page"),
}


def _shadow(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62 + "./", 86)
    return Planted(secret, f"robot:$6${drawn(chance, BASE62, 8)}${secret}:19000:0:99999:7:::")


def _postman(chance: random.Random) -> Planted:
    secret = f"PMAK-{drawn(chance, HEX, 24)}-{drawn(chance, HEX, 34)}"
    return Planted(secret, f"newman run c.json --postman-api-key {secret}")


def _terraform(chance: random.Random) -> Planted:
    secret = f"{drawn(chance, BASE62, 14)}.atlasv1.{drawn(chance, BASE62, 67)}"
    return Planted(secret, f'credentials "app.terraform.io" {{\n  token = "{secret}"\n}}')


THIRD_ROUND: Final[dict[str, Kind]] = {
    "jenkins_token": token("11{}", HEX, 32, "JENKINS_USER_TOKEN: {}"),
    "shopify_token": token("shpat_{}", HEX, 32, "shop answers with {} for now"),
    "groq_key": token("gsk_{}", BASE62, 52, "I used {} for that"),
    "mailgun_key": token("key-{}", HEX, 32, "curl -s --user 'api:{}' https://api.mailgun.net/v3/x/messages"),
    "postman_key": _postman,
    "terraform_token": _terraform,
    "shadow_line": _shadow,
    "django_secret": token("django-insecure-{}", BASE62 + "!@#$%^&*(-_=+", 50, "SECRET_KEY = '{}'"),
    "amqp_url": _chosen("amqps://robot:{}@mq.example.org/vhost"),
    "nested_pass": _chosen('{{"smtp": {{"auth": {{"user": "robot", "pass": "{}"}}}}}}'),
    "ssh_prose": _chosen("ssh robot@gate.example.org (password: {})"),
    "french_prose": _chosen("le mot de passe est {} pour le moment"),
    "toml_password": _chosen('[database]\nuser = "robot"\npassword = "{}"'),
    "gradle_password": _chosen("storeFile file('x.jks')\nstorePassword '{}'"),
    "powershell": _chosen('$p = ConvertTo-SecureString "{}" -AsPlainText -Force'),
    "net_use": _chosen("net use Z: \\\\srv\\share /user:robot {}"),
    "dockerfile_env": _chosen("ENV ADMIN_PASSWORD {}"),
}


def _other_password(chance: random.Random) -> str:
    """Passwords of other builds than `_password`: no sign, signs throughout, words with a number."""
    word = chance.choice(("harbor", "meadow", "copper", "lantern"))
    builds = (
        f"{word}{chance.randint(100, 9999)}{drawn(chance, string.ascii_uppercase, 2)}",
        f"{word}-{chance.choice(WORDS)}-{chance.randint(10, 99)}",
    )
    return chance.choice(
        (*builds, drawn(chance, BASE62 + "!$%*?", 12) + "7", f"{word[0].upper()}0{word[2:]}!{chance.randint(1, 99)}")
    )


def _picked(line: str) -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = _other_password(chance)
        return Planted(secret, line.format(secret))

    return draw


def _mapbox(chance: random.Random) -> Planted:
    claims = base64.urlsafe_b64encode(b'{"u":"robot","a":"%d"}' % chance.randint(10**20, 10**21)).decode().rstrip("=")
    secret = f"sk.{claims}.{drawn(chance, BASE62 + '_-', 22)}"
    return Planted(secret, f"mapboxgl.accessToken = '{secret}';")


FOURTH_ROUND: Final[dict[str, Kind]] = {
    "replicate_token": token("r8_{}", BASE62, 37, "REPLICATE: {}"),
    "pinecone_key": token("pcsk_{}", BASE62 + "_", 69, "pc = Pinecone('{}')"),
    "netlify_token": token("nfp_{}", BASE62, 36, "netlify deploy --auth {}"),
    "square_token": token("EAAAE{}", BASE62 + "_-", 59, "square answers to {}"),
    "docker_pat": token("dckr_pat_{}", BASE62 + "_-", 27, "echo {} | docker login -u robot --password-stdin"),
    "cloudflare_token": token("{}", BASE62 + "_-", 40, "CF_API_TOKEN={} wrangler publish"),
    "airtable_token": token(
        "pat{}.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", BASE62, 14, "base = Airtable('{}')"
    ),
    "mapbox_token": _mapbox,
    "rapidapi_header": token("{}", string.ascii_lowercase + string.digits, 50, "'X-RapidAPI-Key': '{}',"),
    "pg_environment": _picked("PGPASSWORD={} psql -h db.example.org -U robot shop"),
    "spring_yaml": _picked("spring:\n  datasource:\n    username: robot\n    password: {}"),
    "json_passwd": _picked('{{"host": "db.example.org", "user": "robot", "passwd": "{}"}}'),
    "mysql_native": _picked("ALTER USER 'robot'@'%' IDENTIFIED WITH mysql_native_password BY '{}';"),
    "proxy_url": _picked("export https_proxy=http://robot:{}@proxy.example.org:3128"),
    "smbclient": _picked("smbclient //srv/share -U robot%{}"),
    "prose_after": _picked("Use {} as the password for the robot account."),
    "config_assignment": _picked("app.config['MAIL_PASSWORD'] = '{}'"),
}
ROUNDS: Final = {
    "first": FIRST_ROUND,
    "second": SECOND_ROUND,
    "third": THIRD_ROUND,
    "fourth": FOURTH_ROUND,
    "fifth": FIFTH_ROUND,
    "sixth": SIXTH_ROUND,
    "seventh": SEVENTH_ROUND,
}
