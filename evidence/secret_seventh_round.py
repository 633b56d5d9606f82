"""The seventh round of held-out credentials: what occurs most often where agents work, chosen by how usual it is and not by how hard.

Thirty are drawn by machines, in the formats that their vendors document and in the files, commands and logs that carry them; six are
passwords that people chose, in the usual places.
"""

import base64
import json
import random
import string
from typing import Final

from evidence.secret_draws import BASE62, HEX, Kind, Planted, drawn, token, uuid

URL_SAFE: Final = BASE62 + "_-"
BASE64: Final = BASE62 + "+/"
UPPER: Final = string.ascii_uppercase + string.digits
ACCESS_KEY: Final = string.ascii_uppercase + "234567"


def _base64(chance: random.Random, size: int) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _compact(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def _padded(size: int, line: str) -> Kind:
    """Random bytes in base64; the padding is not looked for."""

    def draw(chance: random.Random) -> Planted:
        secret = _base64(chance, size)
        return Planted(secret.rstrip("="), line.format(secret))

    return draw


def _notebook_magic(chance: random.Random) -> Planted:
    secret = f"sk-{drawn(chance, BASE62, 20)}T3BlbkFJ{drawn(chance, BASE62, 20)}"
    return Planted(secret, f"In [1]: %env OPENAI_API_KEY={secret}\nenv: OPENAI_API_KEY={secret}")


def _extra_header(chance: random.Random) -> Planted:
    """What the checkout step of a workflow leaves in the settings of the repository."""
    secret = base64.b64encode(f"x-access-token:ghs_{drawn(chance, BASE62, 36)}".encode()).decode()
    head = "$ git config --list --local\ncore.bare=false\nremote.origin.url=https://github.com/example/shop"
    return Planted(secret.rstrip("="), f"{head}\nhttp.https://github.com/.extraheader=AUTHORIZATION: basic {secret}")


def _fine_grained(chance: random.Random) -> Planted:
    secret = f"github_pat_{drawn(chance, BASE62, 22)}_{drawn(chance, BASE62, 59)}"
    return Planted(secret, f"ok you can push it yourself, here is a token for the repo: {secret} (expires on friday)")


def _credentials_file(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE64, 40)
    key = f"AKIA{drawn(chance, ACCESS_KEY, 16)}"
    return Planted(
        secret,
        f"$ cat ~/.aws/credentials\n[default]\naws_access_key_id = {key}\naws_secret_access_key = {secret}\nregion = eu-west-1",
    )


def _assumed_role(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE64, 40)
    answer = {
        "Credentials": {
            "AccessKeyId": f"ASIA{drawn(chance, ACCESS_KEY, 16)}",
            "SecretAccessKey": secret,
            "SessionToken": f"FwoGZXIvYXdzE{drawn(chance, BASE64, 320)}",
            "Expiration": "2025-01-15T11:30:00+00:00",
        }
    }
    return Planted(secret, json.dumps(answer, indent=4))


def _service_account_token(chance: random.Random) -> Planted:
    head = {"alg": "RS256", "kid": drawn(chance, URL_SAFE, 43)}
    claims = {
        "aud": ["https://kubernetes.default.svc.cluster.local"],
        "exp": 1768473000,
        "iss": "https://kubernetes.default.svc.cluster.local",
        "kubernetes.io": {"namespace": "shop", "serviceaccount": {"name": "robot", "uid": uuid(chance)}},
        "sub": "system:serviceaccount:shop:robot",
    }
    secret = f"{_base64url(_compact(head))}.{_base64url(_compact(claims))}.{_base64url(chance.randbytes(256))}"
    return Planted(secret, f"$ cat /var/run/secrets/kubernetes.io/serviceaccount/token\n{secret}")


def _state_file(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62 + "!#%*()-_=+[]{}:?", 20)
    attributes = {"bcrypt_hash": f"$2a$10${drawn(chance, BASE62 + './', 53)}", "id": "none", "length": 20, "result": secret}
    resource = {"mode": "managed", "type": "random_password", "name": "db", "instances": [{"attributes": attributes}]}
    return Planted(secret, json.dumps({"version": 4, "serial": 12, "resources": [resource]}, indent=2))


def _flask_session(chance: random.Random) -> Planted:
    claims = _base64url(_compact({"_fresh": True, "_user_id": str(chance.randint(1, 99999))}))
    secret = f"{claims}.Z4e{drawn(chance, URL_SAFE, 3)}.{drawn(chance, URL_SAFE, 27)}"
    return Planted(secret, f"curl -s -b 'session={secret}' http://localhost:5000/admin/orders")


def _sentry_properties(chance: random.Random) -> Planted:
    claims = {
        "iat": 1736937000 + chance.random(),
        "url": "https://sentry.io",
        "region_url": "https://us.sentry.io",
        "org": "example",
    }
    secret = f"sntrys_{base64.b64encode(_compact(claims)).decode()}_{drawn(chance, BASE64, 43)}"
    return Planted(
        secret,
        "$ cat android/sentry.properties\ndefaults.url=https://sentry.io/\ndefaults.org=example\ndefaults.project=shop-app\n"
        f"auth.token={secret}",
    )


def _paypal(chance: random.Random) -> Planted:
    secret = f"E{drawn(chance, URL_SAFE, 79)}"
    pair = f"A{drawn(chance, URL_SAFE, 79)}:{secret}"
    return Planted(
        secret, f'curl -X POST https://api-m.paypal.com/v1/oauth2/token -u "{pair}" -d "grant_type=client_credentials"'
    )


def _slack_hook(chance: random.Random) -> Planted:
    secret = drawn(chance, BASE62, 24)
    team, hook = f"T{drawn(chance, UPPER, 10)}", f"B{drawn(chance, UPPER, 10)}"
    address = f"https://hooks.slack.com/services/{team}/{hook}/{secret}"
    return Planted(secret, f"receivers:\n- name: on-call\n  slack_configs:\n  - api_url: {address}\n    channel: '#alerts'")


def _jira(chance: random.Random) -> Planted:
    secret = f"ATATT3xFfGF0{drawn(chance, URL_SAFE, 171)}={drawn(chance, HEX.upper(), 8)}"
    return Planted(secret, f"curl -s -u robot@example.org:{secret} https://example.atlassian.net/rest/api/3/issue/SHOP-17")


SEVENTH_DRAWN: Final[dict[str, Kind]] = {
    "openrouter_env": token("sk-or-v1-{}", HEX, 64, "$ cat .env\nDEBUG=1\nOPENROUTER_API_KEY={}\nMODEL=openai/gpt-4o-mini"),
    "azure_openai_trace": token(
        "{}",
        HEX,
        32,
        "> POST /openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01 HTTP/1.1\n> Host: shop.openai.azure.com\n"
        "> Accept: */*\n> api-key: {}\n> Content-Type: application/json",
    ),
    "notebook_magic": _notebook_magic,
    "nvidia_client": token(
        "nvapi-{}", URL_SAFE, 64, 'client = OpenAI(base_url="https://integrate.api.nvidia.com/v1", api_key="{}")'
    ),
    "mcp_settings": token(
        "tvly-dev-{}",
        BASE62,
        32,
        '{{"mcpServers": {{"tavily": {{"command": "npx", "args": ["-y", "tavily-mcp"], "env": {{"TAVILY_API_KEY": "{}"}}}}}}}}',
    ),
    "git_remote": token(
        "ghs_{}", BASE62, 36, "$ git remote -v\norigin\thttps://x-access-token:{}@github.com/example/shop.git (fetch)"
    ),
    "git_extra_header": _extra_header,
    "chat_fine_grained": _fine_grained,
    "gitlab_runner": token(
        "glrt-{}",
        URL_SAFE,
        20,
        '[[runners]]\n  name = "docker-1"\n  url = "https://gitlab.example.org"\n  id = 12\n  token = "{}"\n  executor = "docker"',
    ),
    "aws_credentials_file": _credentials_file,
    "aws_assumed_role": _assumed_role,
    "gcloud_access_token": token("ya29.a0{}", URL_SAFE, 210, "$ gcloud auth print-access-token\n{}"),
    "google_client_secret": token(
        "GOCSPX-{}",
        URL_SAFE,
        28,
        '{{"installed": {{"client_id": "407408718192.apps.googleusercontent.com", "project_id": "shop", "client_secret": "{}", '
        '"redirect_uris": ["http://localhost"]}}}}',
    ),
    "service_bus": _padded(
        32,
        "SERVICEBUS_CONNECTION=Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;"
        "SharedAccessKey={}",
    ),
    "service_account_token": _service_account_token,
    "manifest_variable": token(
        "whsec_{}",
        BASE62,
        32,
        "    spec:\n      containers:\n      - name: api\n        env:\n        - name: STRIPE_WEBHOOK_SECRET\n          value: {}",
    ),
    "docker_inspect": token(
        "{}",
        BASE62,
        24,
        '            "Env": [\n                "RABBITMQ_DEFAULT_USER=robot",\n                "RABBITMQ_DEFAULT_PASS={}",\n'
        '                "PATH=/usr/local/sbin:/usr/local/bin:/usr/bin"\n            ],',
    ),
    "terraform_state": _state_file,
    "neon_url": token(
        "npg_{}",
        BASE62,
        12,
        "psql 'postgresql://neondb_owner:{}@ep-cool-darkness-a5x2k9.us-east-2.aws.neon.tech/neondb?sslmode=require'",
    ),
    "laravel_key": _padded(32, "APP_NAME=Shop\nAPP_ENV=production\nAPP_KEY=base64:{}\nAPP_DEBUG=false"),
    "dotnet_settings": _padded(
        48, '{{"Jwt": {{"Key": "{}", "Issuer": "https://shop.example.org", "ExpireMinutes": 60}}, "AllowedHosts": "*"}}'
    ),
    "flask_session": _flask_session,
    "sentry_properties": _sentry_properties,
    "paypal_docs": _paypal,
    "slack_hook": _slack_hook,
    "jira_curl": _jira,
    "kaggle_json": token("{}", HEX, 32, '!echo \'{{"username":"robot","key":"{}"}}\' > ~/.kaggle/kaggle.json'),
    "pip_index": token(
        "AKCp{}",
        BASE62,
        69,
        "$ cat /etc/pip.conf\n[global]\nindex-url = https://robot:{}@example.jfrog.io/artifactory/api/pypi/shop/simple",
    ),
    "forge_key": token(
        "0x{}", HEX, 64, "forge script script/Deploy.s.sol --rpc-url https://sepolia.example.org --broadcast --private-key {}"
    ),
    "esphome_key": _padded(32, 'esphome:\n  name: boiler\napi:\n  encryption:\n    key: "{}"\nota:\n  - platform: esphome'),
}

ANIMALS: Final = ("Biscuit", "Falcon", "Pepper", "Badger", "Simba", "Otter", "Luna", "Rocky")
THINGS: Final = ("cactus", "guitar", "marble", "rocket", "pumpkin", "saturn", "violin", "cookie")
COLOURS: Final = ("purple", "silver", "orange", "golden", "scarlet")


def _usual(chance: random.Random) -> str:
    """Passwords as most people build them: a pet and a number, two words and a number, a year behind letters as digits."""
    animal, thing = chance.choice(ANIMALS), chance.choice(THINGS)
    year = chance.randint(1980, 2025)
    return chance.choice(
        (
            f"{animal}{chance.randint(10, 999)}!",
            f"{chance.choice(COLOURS)}{thing}{chance.randint(10, 99)}",
            f"{thing.capitalize().replace('o', '0').replace('i', '1')}_{year}",
            f"{chance.randint(10, 99)}{animal}{year}",
            f"{animal}.{thing}*{chance.randint(1, 9)}",
        )
    )


def _usually(line: str) -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = _usual(chance)
        return Planted(secret, line.format(secret))

    return draw


SEVENTH_CHOSEN: Final[dict[str, Kind]] = {
    "dbt_profile": _usually(
        "shop:\n  target: dev\n  outputs:\n    dev:\n      type: snowflake\n      account: ab12345\n      user: robot\n"
        "      password: {}\n      warehouse: small"
    ),
    "engine_url": _usually('engine = create_engine("mysql+pymysql://root:{}@127.0.0.1:3306/shop", pool_pre_ping=True)'),
    "docker_login": _usually("docker login registry.example.org -u robot -p {}"),
    "told_password": _usually(
        "You can sign in to the admin panel as robot@example.org, the password is {}. Tell me when it is done."
    ),
    "login_body": _usually(
        "curl -s -X POST http://localhost:3000/api/login -H 'Content-Type: application/json' "
        '-d \'{{"email":"robot@example.org","password":"{}"}}\''
    ),
    "django_databases": _usually(
        "DATABASES = {{\n    'default': {{\n        'ENGINE': 'django.db.backends.postgresql',\n        'NAME': 'shop',\n"
        "        'USER': 'robot',\n        'PASSWORD': '{}',\n        'HOST': 'db',\n    }}\n}}"
    ),
}
SEVENTH_ROUND: Final = SEVENTH_DRAWN | SEVENTH_CHOSEN
