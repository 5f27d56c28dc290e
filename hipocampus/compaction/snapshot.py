"""The snapshot of WORKING.md in today's raw log, taken before a compaction so that active work is never lost."""

import re
from datetime import datetime, timedelta, tzinfo

from hipocampus.clock import local_day, to_local
from hipocampus.files import read_text
from hipocampus.memory.entries import SNAPSHOT_TOPIC, clean_topic, squeeze, topic_key
from hipocampus.memory.hot import WORKING, is_template, without_comments
from hipocampus.memory.store import Appended, Draft, MemoryStore, clean

FILE = "snapshot.json"
LOOK_BACK_DAYS = 14  # how far the last snapshot is looked for where nobody wrote down what it was


def take_snapshot(store: MemoryStore, now: datetime, zone: tzinfo | None) -> Appended | None:
    """Append the active work to today's log; None when there is none or the last snapshot says the same.

    The caller holds the lock.
    """
    known, stat = store.read_own(FILE), store.stat_of(store.root / WORKING)
    if stat is not None and known.get("of") == list(stat):
        return None
    text = read_text(store.root / WORKING)
    if text is None or is_template(text):
        return None
    body = snapshot_body(text)
    from hashlib import sha256  # loads OpenSSL; most sessions have no active work to copy

    mark = sha256(body.encode("utf-8", "replace")).hexdigest()[:16]
    today = local_day(now, zone)
    last = known.get("last")
    done = None
    if last != mark and (last or _last_snapshot(store, now, zone) != squeeze(clean(body).text)):
        draft = Draft(SNAPSHOT_TOPIC, "project", f"{to_local(now, zone):%H:%M}", body)
        done = store.append_entries(today, [draft])
    store.write_own(FILE, {"last": mark, "of": stat})
    return done if done and done.entries else None


def snapshot_body(text: str) -> str:
    """Return what a snapshot keeps of WORKING.md: its text without comments and the file's title.

    Headings go one level down, so that they stay headings and open no entry of their own.
    """
    lines = without_comments(text).strip().split("\n")
    if re.match(r"# [^#]*$", lines[0]):
        lines = lines[1:]
    lines = [re.sub(r"^(?=#{2,5}\s)", "#", line.rstrip()) for line in lines]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def _last_snapshot(store: MemoryStore, now: datetime, zone: tzinfo | None) -> str:
    """The text of the latest snapshot of the last days, "" when there is none."""
    today = local_day(now, zone)
    name = topic_key(clean_topic(SNAPSHOT_TOPIC))
    for back in range(LOOK_BACK_DAYS):
        for entry in reversed(store.parse_log(today - timedelta(days=back)).entries):
            if topic_key(entry.topic) == name:
                return squeeze(entry.body)
    return ""
