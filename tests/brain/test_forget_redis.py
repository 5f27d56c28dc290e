"""What is forgotten leaves the lists in Redis too; other records, their order and their lifetime stay."""

import json

import pytest

pytestmark = pytest.mark.loopback


def test_words_and_secrets_are_taken_out_of_shared_lists(root, hipo, redis_server, redis_client, monkeypatch):
    monkeypatch.setenv("REDIS_URL", redis_server)
    (root / "hipocampus.config.json").write_text('{"brain": {"store": "redis"}}', encoding="utf-8")
    secret = "ghp_" + "a1B2c3D4e5" + "Q7w8R9t0Yu" + "x2C4v6B8n1" + "Zk5pL3"
    key = "memory:conversation:c1"
    records = [{"content": "one"}, {"content": "lives at 5 Elm Street"}, {"content": f"key {secret}"}]
    redis_client.rpush(key, *(json.dumps(record) for record in records))
    redis_client.expire(key, 1000)
    redis_client.rpush("memory:handoff:reviewer", json.dumps({"summary": "5 elm street"}))
    redis_client.rpush("somebody:else", "5 Elm Street")
    seen = hipo("forget", "5 Elm Street", "--dry-run", "--json")
    assert [place["path"] for place in seen.json["places"]] == [key, "memory:handoff:reviewer"]
    assert "Elm" in redis_client.lindex(key, 1)
    ran = hipo("forget", "5 Elm Street", "--yes")
    assert ran.status == 0, ran.err
    assert [json.loads(line)["content"] for line in redis_client.lrange(key, 0, -1)][:2] == [
        "one",
        "(forgotten 2026-03-15)",
    ]
    assert "lm street" not in redis_client.lindex("memory:handoff:reviewer", 0)
    assert redis_client.lindex("somebody:else", 0) == "5 Elm Street"
    assert 900 < redis_client.ttl(key) <= 1000
    assert hipo("forget", "--secrets", "--yes").status == 0
    assert secret not in redis_client.lindex(key, 2)


def test_a_server_that_is_away_is_said_before_anything_is_changed(root, hipo, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    (root / "hipocampus.config.json").write_text('{"brain": {"store": "redis"}}', encoding="utf-8")
    log = root / "memory" / "2026-03-09.md"
    log.write_text("# 2026-03-09\n\n5 Elm Street\n", encoding="utf-8")
    ran = hipo("forget", "5 Elm Street", "--yes")
    assert ran.status == 1
    assert "redis at 127.0.0.1:1" in ran.err
    assert "5 Elm Street" in log.read_text(encoding="utf-8")
