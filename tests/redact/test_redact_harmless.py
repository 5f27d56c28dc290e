"""What is no secret stays as it is, to the character."""

import pytest

from hipocampus.redact import redact

HARMLESS = (
    'covers: ["2026-03-15 118 sha256:9c5f8a7b0b1c7b68"]',
    'body-hash: "sha256:1e3a36c2d2ab9e72"',
    "<!-- 14:32 session 4f1c -->",
    "- decisions:\n  - token bucket over leaky bucket — bursts are legitimate",
    "~/.claude/projects/-home-kim-notes/0d5e7c31-8a4f-4be2-9c17-2f60b81d93ae.jsonl",
    'session_id: "7f3b1c52-09de-4a68-b4f1-c3d2e85a6071"',
    "commit 2a0b32245b83b36405d224a54990951454df5277 (tag: v2)",
    "FROM python:3.12@sha256:20ca5da86c6ead0293a3d58584d1e5cada358e52cc8a45cb124dbf01986a3f95",
    '"integrity": "sha512-q3Zt8LwPa1+VbYc0RkN5HsDfUe7GiJm2XoTz4CBl/9WxQrEvKySnAhMdIgOpFu6j=="',
    "attr/_version.pyi,sha256=p_T7b2KqLw0_RmZCVyx481oeJN6GDA5s-ufd3WHMPik,209",
    "![logo](data:image/png;base64,iVBORw0KGgo7d1PzYx3QmRkLb0UeCv9WtNhSaJ5oGfVi2ElMqTuDyZcBnXwKrHgA4s6)",
    "run_Lq4vTz8RbXw2NcYk6PdHs1Me on thread_Gm7eJr3UaFo9ViBx5KtWl0Qz",
    "tool_use_id: toolu_01Hq7LmZx3RvTb9KcWe5NyPs",
    "API_KEY=\nDB_PASSWORD=\nDB_PORT=5432",
    "password: ${DB_PASSWORD}",
    "NPM_TOKEN: ${{ secrets.NPM_TOKEN }}",
    "apiKey: process.env.OPENAI_API_KEY,",
    '--password "$PGPASSWORD"',
    "api_key: YOUR_KEY",
    "Authorization: Bearer <token>",
    'token = "<paste it here>"',
    "SECRET_KEY=xxxxxxxxxxxx",
    "password: null",
    "password=changeme123",  # says itself that it is to be replaced
    "password2 = password1",
    "password=newPassword2",
    "the password is sha256hashed",
    "password: base64encoded",
    "hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
    "hooks.slack.com/services/ is where they begin",
    "Password: mandatory, at least 12 letters",
    "the password is optional for guests",
    "the door password is on the note",
    "Only password hashes are kept.",
    "secret: ask Kim",
    "access_token: Mapped[str] = column()",
    "private_key: x25519.X25519PrivateKey",
    "password = encode(form.password)",
    "token = request.auth_token",
    "api_key=api_key, timeout=timeout",
    "key=lambda entry: entry.day",
    "max_tokens=4096",
    "| tokens | 1830 |",
    "tokens_per_second: 84",
    "secretName: billing-credentials",
    "valueFrom:\n  secretKeyRef:\n    name: billing\n    key: db-password",
    "primary key: user_id2",
    "WARN web.session key=user:17 pass=12 fail=1 token_ttl=900",
    "https://example.com/search?q=password&page=2",
    "https://blog.example.com/@kim/what-we-learned-about-caching-9f8e7d6c5b4a",
    "http://localhost:5173/login?from=/profile",
    "git@code.example.com:team/site.git",
    "mongodb+srv://main.example.net/app?w=majority",
    "postgres://app:${PASSWORD}@db.example.com/app",
    "(?:token|password)\\s*=\\s*\\w+",
    "starts with ^AKIA[A-Z2-7]{16}$",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB7mQw2ZtLkX9vRcHs4NyPgUe0JdOa5FiTbVx3MqWlKz kim@desk",
    "gpt-4o-mini-2024-07-18 and nomic-embed-text-v1.5",
    "css-q2w9zk-sidebarToggleButton calls invoiceReminderQueueController.nextDueDate()",
    "비밀번호 정책은 그대로입니다. API 키는 60일마다 교체합니다.",
    "パスワードは来週までに更新する。トークン数は1200でした。",
    "## Password rotation [project]",
    "| API key | Team | Until |",
    "-----BEGIN EC PRIVATE KEY-----\r\n[REDACTED]\r\n-----END EC PRIVATE KEY-----",
    "postgres://app:[REDACTED]@db.example.com/app and password=<redacted> and token ****",
    'gpg: key 80BB052C58FA454F: public key "Dana" imported',
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/api-key-VtWkKH",
    "amqp://{{ user }}:{{ password }}@mq:5672/",
    '"login.password": "Passwort", "login.forgot": "Passwort vergessen?"',
    "conn = connect('db1.example.com', 'shop_v2', timeout=5)",
    "authenticate(user, 'utf-8', \"sha256\") and login('dana', redirect='/home2')",
    "set password for the new user first, then htpasswd asks for it",
    "<key>CFBundleVersion</key>\n<string>4.2.1</string>",
    "What is the new password? Here is the password field and that is as the old password was.",
    "snmp-server community is a command; sqlplus / as sysdba needs none",
    "\x1b[32mtoken\x1b[0m=\x1b[33mNone\x1b[0m",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == (text, {})


def test_public_halves_of_keys_stay() -> None:
    body = "\n".join("Ab1+" * 16 for _ in range(3))
    for name in ("CERTIFICATE", "PUBLIC KEY", "CERTIFICATE REQUEST"):
        text = f"-----BEGIN {name}-----\n{body}\n-----END {name}-----\n"
        assert redact(text).text == text
