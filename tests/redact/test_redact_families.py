"""Secrets of every family go, and the line around them stays.

Tokens are put together here at run time: no file of the project holds a token-shaped string.
"""

import random
import string

import pytest

from hipocampus.redact import redact

DIGITS = string.digits
MIXED = string.ascii_letters + DIGITS
UPPER = string.ascii_uppercase + DIGITS
HEX = "0123456789abcdef"
URLSAFE = MIXED + "-_"


def chance(length: int, alphabet: str = MIXED, seed: int = 1) -> str:
    """Characters drawn by chance, the same on every run, with a digit near the front."""
    rng = random.Random(f"{length}{alphabet}{seed}")
    drawn = [rng.choice(alphabet) for _ in range(length)]
    drawn[1] = rng.choice(DIGITS) if "7" in alphabet else drawn[1]
    return "".join(drawn)


def uuid(seed: int = 1) -> str:
    digits = chance(32, HEX, seed)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


TOKENS = {
    "github-token": "gh" + "p_" + chance(36),
    "github-token fine-grained": "github" + "_pat_" + chance(22) + "_" + chance(59),
    "gitlab-token": "gl" + "pat-" + chance(20, URLSAFE),
    "anthropic-key": "sk-" + "ant-api03-" + chance(95, URLSAFE),
    "openai-key": "sk-" + "proj-" + chance(60, URLSAFE) + "T3" + "BlbkFJ" + chance(40),
    "openrouter-key": "sk-" + "or-v1-" + chance(64, HEX),
    "llm-key groq": "gs" + "k_" + chance(52),
    "llm-key hugging face": "h" + "f_" + chance(34),
    "llm-key sk": "s" + "k-" + chance(32, HEX),
    "aws-key": "AK" + "IA" + chance(16, string.ascii_uppercase + "234567"),
    "google-key": "AI" + "za" + chance(35, URLSAFE),
    "google-token": "ya" + "29." + chance(120, URLSAFE),
    "slack-token": "xo" + "xb-" + chance(12, DIGITS) + "-" + chance(12, DIGITS) + "-" + chance(24),
    "stripe-key": "sk_" + "live_" + chance(32),
    "payment-key": "rzp_" + "live_" + chance(14),
    "shopify-token": "shp" + "at_" + chance(32, HEX),
    "npm-token": "np" + "m_" + chance(36),
    "pypi-token": "py" + "pi-" + chance(120, URLSAFE),
    "vault-token": "hv" + "s." + chance(90, URLSAFE),
    "cloud-token": "do" + "p_v1_" + chance(64, HEX),
    "cloud-token terraform": chance(14) + ".atlas" + "v1." + chance(65, URLSAFE),
    "saas-token": "SG" + "." + chance(22, URLSAFE) + "." + chance(43, URLSAFE),
    "saas-token airtable": "pa" + "t" + chance(14) + "." + chance(64, HEX),
    "saas-token hubspot": "pat-" + "na1-" + uuid(),
    "telegram-token": chance(10, DIGITS) + ":A" + "A" + chance(33, URLSAFE),
    "discord-token": "M" + chance(23) + "." + chance(6) + "." + chance(38, URLSAFE),
    "mailchimp-key": chance(32, HEX) + "-us" + "19",
    "azure-key": chance(3) + "8Q" + "~" + chance(34),
    "jwt": "ey" + "J" + chance(20) + "." + chance(40) + "." + chance(43, URLSAFE),
    "age-key": "AGE-" + "SECRET-KEY-1" + chance(58, UPPER),
    "token of an unknown vendor": "qxv" + "_live_" + chance(28),
    "token of another": "zk" + "ts-" + chance(32, HEX),
}
SURROUNDINGS = (
    "The new worker reads {} at start-up.",
    '{{"type":"tool_result","content":"{}","is_error":false}}',
    "새 값은 {}입니다",
    "- old one: `{}`, gone soon",
    "Today\r\n- ci: {}\r\n- later\r\n",
    "(see {})",
    "a\\n{}\\nb",
)


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("around", SURROUNDINGS)
def test_a_token_goes_wherever_it_stands(name: str, around: str) -> None:
    kind = name.split(" ")[0]
    result = redact(around.format(TOKENS[name]))
    assert result.text == around.format(f"[REDACTED:{kind}]")
    assert result.counts == {kind: 1}


PASSWORD = "Harbor" + "4186" + "x"
RANDOM = chance(32)
ASSIGNMENTS = {
    "DB_PASSWORD={}": PASSWORD,
    'export API_KEY="{}"; ./run.sh': PASSWORD,
    "spring.datasource.password = {}": PASSWORD,
    '{{"user": "dana", "dbPassword": "{}", "ttl": 60}}': PASSWORD,
    '{{"a":"{{\\"clientSecret\\":\\"{}\\"}}"}}': RANDOM,
    '{{"a":"{{\\\\\\"admin_pwd\\\\\\":\\\\\\"{}\\\\\\"}}"}}': PASSWORD,
    "database:\n  password: '{}'  # rotate\n  pool: 5": PASSWORD,
    "password: >-\n  {}\nregion: eu": RANDOM,
    "- name: DB_PASSWORD\n  value: {}\n- name: REGION": PASSWORD,
    "uploader run --client-secret {} --quiet": PASSWORD,
    "client = OpenAI(api_key='{}', timeout=30)": RANDOM,
    'os.environ["API_KEY"] = "{}"': PASSWORD,
    "'password' => '{}',": PASSWORD,
    'password: str = "{}"': PASSWORD,
    'let secret = String::from("{}");': RANDOM,
    "<password>{}</password>": PASSWORD,
    '<add key="ApiKey" value="{}" />': RANDOM,
    "&quot;password&quot;: &quot;{}&quot;": PASSWORD,
    "| API key | `{}` |": RANDOM,
    "| user | password |\n|---|---|\n| dana | {} |": PASSWORD + "!",
    "the password is {} until May": PASSWORD + "_64",
    "changed the root password to {} today": "F5m#un" + "IgAd",
    "the password for the staging admin is {}": PASSWORD + "!",
    "use `{}` as the admin password": PASSWORD,
    "- **API Key:** `{}`\n- next": RANDOM,
    "API key:\r\n\r\n    {}\r\nsee the runbook": RANDOM,
    "**Passphrase**\n{}\n\nnext": PASSWORD,
    "use api key {} for the weather": RANDOM,
    "passphrase = \"{}\"\nport: 1": "quiet yellow lamp under 9 stairs",
    "ADMIN_PWD={}": "purple" + "kettle",
    "비밀번호: {}": PASSWORD,
    "암호는 `{}`": PASSWORD,
    "パスワードは {} です": "kettle-lamp." + "31",
    "密码：{}": PASSWORD,
    "пароль от админки: {}": PASSWORD,
    "Passwort: {}": PASSWORD,
    "le mot de passe est {}": PASSWORD,
    "senha: {}": PASSWORD,
    "clave = {}": PASSWORD,
    "parola: {}": PASSWORD,
    "heslo: {}": PASSWORD,
    "salasana: {}": PASSWORD,
    "adgangskode: {}": PASSWORD,
    "DB_PASSORD={}": PASSWORD,
    "lösenord: {}": PASSWORD,
    "credentials admin / {}": PASSWORD,
    "creds are dana:{}": PASSWORD,
    "machine api.example.com login dana password {}": PASSWORD,
    "db.example.com:5432:app:dana:{}": PASSWORD,
    "X-Auth-Token: {}": RANDOM,
    "Authorization: Bearer {}": RANDOM,
    "-H 'authorization: token {}' https://a.example": RANDOM,
    "Set-Cookie: sessionid={}; Path=/; HttpOnly": RANDOM,
    "curl -s -u 'app:{}' https://api.example.com": PASSWORD,
    "mysql -h db1 -u root -p{} orders": PASSWORD,
    "sshpass -p {} ssh deploy@web1.example.com": PASSWORD,
    "docker login -u acme -p {} cr.example.com": PASSWORD,
    "echo '{}' | sudo -S apt update": PASSWORD,
    "CREATE USER 'a'@'%' IDENTIFIED BY '{}';": PASSWORD,
    "WIFI:T:WPA;S:guest;P:{};;": PASSWORD,
    "postgres://app:{}@db.example.com/orders": PASSWORD,
    'dsn := "dana:{}@tcp(127.0.0.1:3306)/app"': PASSWORD,
    "DSN=https://{}@errors.example.io/42": chance(32, HEX),
    "GET https://api.example.com/v1?limit=5&key={}": RANDOM,
    "https://a.blob.example.net/f.csv?sp=rl&sig={}": chance(40) + "%2B9N%3D",
    "kind: Secret\nmetadata:\n  name: app\ndata:\n  settings: {}\n---\nnext": chance(24),
    '{{"auths": {{"cr.example.com": {{"auth": "{}"}}}}}}': "a2lt" + "OkhhcmJvcjQxODZ4",
    "app:$apr1${}\nnext": chance(8) + "$" + chance(22),
    "root:$6${}:19000:0:99999:7:::": chance(12) + "$" + chance(80),
    "PRIVATE_KEY = {}": chance(64, HEX),
    "recovery phrase: {}\nnext": "zoo wrong yellow wise young write wine year wire youth wolf yard",
}  # fmt: skip


@pytest.mark.parametrize("around", ASSIGNMENTS)
def test_only_the_value_goes_and_all_around_it_stays(around: str) -> None:
    secret = ASSIGNMENTS[around]
    before, after = around.replace("{{", "{").replace("}}", "}").split("{}")
    result = redact(around.format(secret))
    assert result.text.startswith(before)
    assert result.text.endswith(after)
    assert result.text[len(before) : len(result.text) - len(after)].startswith("[REDACTED:")
    assert secret not in result.text
    assert sum(result.counts.values()) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_token_that_the_terminal_wrapped_goes_from_both_lines(newline: str) -> None:
    token = "sk-" + "ant-api03-" + chance(90, URLSAFE)
    wrapped = newline.join(("out:", token[:60], token[60:], "done"))
    marker = "[REDACTED:anthropic-key]"
    assert redact(wrapped).text == newline.join(("out:", marker, marker, "done"))


@pytest.mark.parametrize("name", [name for name in TOKENS if "telegram" not in name])
@pytest.mark.parametrize(
    "following",
    [
        chance(40, HEX),
        "SRC-" + "12345678-DEPLOY",
        uuid(),
        "feature/import-2026-03-15",
        "requests==2.31.0",
        "tests/redact/test_promises.py",
    ],
)
def test_the_line_after_a_token_stays(name: str, following: str) -> None:
    for newline in ("\n", "\r\n"):
        for before in ("", "token: "):
            text = redact(f"{before}{TOKENS[name]}{newline}{following}{newline}end").text
            first, second, last = text.split(newline)
            assert TOKENS[name] not in first
            assert (second, last) == (following, "end")


def test_two_tokens_on_two_lines_are_two_secrets() -> None:
    for one in ("github-token", "npm-token", "anthropic-key", "jwt"):
        for other in ("gitlab-token", "github-token", "slack-token", "aws-key", "google-key"):
            result = redact(f"{TOKENS[one]}\n{TOKENS[other]}\n")
            assert result.text == f"[REDACTED:{one}]\n[REDACTED:{other}]\n"
            assert sum(result.counts.values()) == 2


def test_the_value_on_the_next_line_is_one_value() -> None:
    assert redact("password:\nport=" + "54321x\n").text == "password:\nport=54321x\n"
    token = TOKENS["github-token"]
    assert redact(f"token:\n{token}\n{chance(40, HEX)}\n").text.count("\n") == 3


@pytest.mark.parametrize(
    "before",
    [
        "password=",
        "password: ",
        "PASSWORD=",
        "비밀번호: ",
        "비밀번호는 ",
        "--password ",
        "the password is ",
        "pwd: ",
    ],
)
def test_words_with_a_digit_are_a_password_too(before: str) -> None:
    for word in ("hunter" + "2secret", "sunny" + "hill7"):
        assert redact(before + word).text == before + "[REDACTED:password]"


def test_credentials_of_a_user_keep_the_host_and_the_user() -> None:
    text = f"DATABASE_URL=amqp://app:{PASSWORD}@mq.example.org:5432/orders"
    assert redact(text).text == "DATABASE_URL=amqp://app:[REDACTED:url-password]@mq.example.org:5432/orders"


@pytest.mark.parametrize("lead", ["https://", "", "`", "to "])
def test_webhooks_go_without_their_scheme_too(lead: str) -> None:
    slack = "hooks.slack" + ".com/services/"
    for secret in (chance(24), chance(24, string.ascii_lowercase), chance(24, string.ascii_letters)):
        text = f"{lead}{slack}T" + "0" * 8 + "/B" + "0" * 8 + "/" + secret
        assert redact(text).text == f"{lead}{slack}[REDACTED:webhook]"
    discord = "discord" + ".com/api/webhooks/"
    assert chance(68) not in redact(f"{lead}{discord}{chance(18, DIGITS)}/{chance(68)}").text


def test_webhooks_keep_the_host() -> None:
    path = "T0A" + "1B2C3D4/B5E" + "6F7G8H9/" + chance(24)
    assert redact(f"https://hooks.slack.com/services/{path} ok").text == (
        "https://hooks.slack.com/services/[REDACTED:webhook] ok"
    )


CHANCE = chance(5) + "!" + chance(7)
PLACES = (
    'req.SetBasicAuth("svc", "{}")',
    '.basic_auth("svc", Some("{}"))',
    'DriverManager.getConnection("jdbc:oracle:thin:@db1:1521/XE", "scott", "{}");',
    'new NetworkCredential("svc", "{}", "ACME")',
    "new PDO('mysql:host=db;dbname=shop', 'shop', '{}')",
    "auth.login('dana', '{}')",
    "pymysql.connect('db1', 'root', '{}', 'shop')",
    "htpasswd -b /etc/nginx/users dana {}",
    "rabbitmqctl add_user app {}",
    "rabbitmqctl change_password guest {}",
    "net use Z: \\\\fs01\\share /user:ACME\\jdoe {} /persistent:yes",
    "sqlplus scott/{}@//db1.example.com:1521/XEPDB1",
    "lftp -u dana,{} sftp://files.example.com",
    "ncftpput -u web -p {} ftp.example.com /htdocs index.html",
    "snmpwalk -v3 -u mon -l authPriv -A {} 192.0.2.1",
    "openssl enc -d -aes-256-cbc -in b.enc -k '{}'",
    "127.0.0.1:6379> AUTH {}",
    "username admin privilege 15 password 0 {}",
    "snmp-server community {} RW",
    "  set psksecret {}",
    'set password {}\nset accprofile "super_admin"',
    '203.0.113.7 198.51.100.2 : PSK "{}"',
    "rootpw --plaintext {}",
    "d-i passwd/user-password password {}",
    "CREATE LOGIN web WITH PASSWORD = N'{}', DEFAULT_DATABASE = shop",
    "ConvertTo-SecureString '{}' -AsPlainText -Force",
    "Uid=web;Pwd={{{}}};Encrypt=yes",
    "<key>SharedSecret</key>\n  <string>{}</string>",
    "<AdministratorPassword>\n  <Value>{}</Value>",
    '"db_password": {{\n    "value": "{}"',
    "log in as dana with {} as the password",
    "{} is the password for the Grafana admin",
    "creds for the NAS: admin / {}",
    "Kennwort: {}",
)


@pytest.mark.parametrize("place", PLACES)
def test_a_password_goes_from_where_only_its_place_tells_it(place: str) -> None:
    text = place.format(CHANCE)
    found = redact(text).text
    assert CHANCE not in found and found.count("[REDACTED:") == 1
    kind = found.split("[REDACTED:")[1].split("]")[0]
    assert found == place.format(f"[REDACTED:{kind}]") and redact(found).text == found


def test_a_secret_that_goes_on_in_another_string_goes_as_a_whole() -> None:
    first, second = chance(16, seed=2), chance(16, seed=3)
    for text in (f'token = "{first}" + \\\n        "{second}"', f'~ password = "{first}" -> "{second}"'):
        found = redact(text).text
        assert first not in found and second not in found and found.count("[REDACTED:") == 2


def test_a_value_of_two_parts_with_a_dot_is_a_password_and_no_attribute() -> None:
    value = "bf" + "CNOW" + "tUwV" + ".o" + "Xy"
    for text in (f"Server=tcp:sql1;Password={value};", f"ansible_become_pass: {value}"):
        assert value not in redact(text).text
    for text in ("password = config.databasePassword", "token: response.data.accessToken"):
        assert redact(text).text == text
