"""Take a transcript into the raw log: each message once, under the day on which its session started."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

from hipocampus.clock import iso_utc, local_day
from hipocampus.files import read_bytes, replace_file
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import Draft, MemoryStore, Problem, add_counts
from hipocampus.platforms.exchange import Said, bounded, compose, prepare
from hipocampus.platforms.transcripts.reading import USER, Message, Reading
from hipocampus.session.checkpoint import comment
from hipocampus.session.sessions import read_session, short_id

CURSORS = "transcripts.json"
SEEN = "messages.seen"
ENDED = "ended.jsonl"  # sessions that ended; the next start takes their transcripts in
SEEN_BYTES = 8  # of one message's digest
SEEN_KEPT = 400_000  # messages whose digests are remembered; the oldest go first
CURSORS_KEPT = 1000  # transcripts whose cursors are remembered
CHECK_BYTES = 64  # before a cursor, to tell that the file is still the same one
HELD = 4000  # new messages of one transcript that are looked at; beyond it the middle is only counted
HELD_CHARS = 16_000_000  # of them together
HELD_FIRST = 100  # of them stay when the middle goes


class Source(NamedTuple):
    """One transcript: where it is, and how it is read."""

    platform: str
    path: Path
    read: Callable[[Path, Reading], Iterator[Message]]
    session: str = ""  # the id, where the caller knows it
    part: str = ""  # which session of a database

    @property
    def key(self) -> str:
        return f"{self.path}#{self.part}" if self.part else str(self.path)


@dataclass
class Ingested:
    """What taking in one transcript did."""

    source: Source
    session: str = ""
    cwd: str = ""
    messages: int = 0  # new ones
    known: int = 0  # messages that memory had already
    places: list[str] = field(default_factory=list)  # where the new entries stand
    lines: int = 0  # by which raw logs grew
    redacted: dict[str, int] = field(default_factory=dict)
    private_lines: int = 0
    broken: int = 0
    too_long: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Batch:
    """The new messages of one transcript, by the day under whose date they go."""

    reading: Reading
    first_day: date
    days: dict[date, list[Said]]
    times: dict[date, datetime | None]
    digests: list[bytes]
    known: int
    dropped: int


def ingest(
    store: MemoryStore,
    source: Source,
    *,
    now: datetime,
    zone: tzinfo | None,
    since: date | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Append what is new in a transcript to the raw log, count its lines, and remember how far it was read.

    The reading happens without the lock. LockTimeout and WriteError leave the cursor as it was, so that
    the next call takes the same messages in.
    """
    record = _record(store, source)
    batch = _read(store, source, record, now, zone, since)
    done = Ingested(source, source.session or batch.reading.session, batch.reading.cwd)
    done.known, done.broken, done.too_long = batch.known, batch.reading.broken, batch.reading.too_long
    done.messages = sum(map(len, batch.days.values())) + batch.dropped
    if dry_run:
        done.places = [store.relative(store.log_path(day)) for day in batch.days]
        return done
    if not batch.days and batch.reading.offset == record.get("offset"):
        return done
    with store.lock():
        if _record(store, source) != record:  # somebody else took it in meanwhile
            record = _record(store, source)
            batch = _read(store, source, record, now, zone, since)
            done.messages = sum(map(len, batch.days.values())) + batch.dropped
        _write(store, source, batch, record, done, now, zone)
    return done


def pending_messages(store: MemoryStore, source: Source) -> int | None:
    """Return how many messages of a transcript are new; None when it was never taken in."""
    record = _record(store, source)
    if not record:
        return None
    seen = _seen(store)
    reading = Reading(offset=_offset(source.path, record))
    return sum(_digest(message) not in seen for message in source.read(source.path, reading))


def _record(store: MemoryStore, source: Source) -> dict[str, object]:
    record = store.read_own(CURSORS).get(source.key)
    return dict(record) if isinstance(record, dict) else {}


def _read(
    store: MemoryStore,
    source: Source,
    record: Mapping[str, object],
    now: datetime,
    zone: tzinfo | None,
    since: date | None,
) -> _Batch:
    """Read what is new. A message that memory has is told by its id, wherever it was read before."""
    reading = Reading(offset=_offset(source.path, record))
    seen, digests = _seen(store), list[bytes]()
    fresh: list[Message] = []
    known = dropped = chars = 0
    for message in source.read(source.path, reading):
        digest = _digest(message)
        if digest in seen:
            known += 1
            continue
        seen.add(digest)
        digests.append(digest)
        if since and message.at and local_day(message.at, zone) < since:
            continue
        message = bounded(message)
        fresh.append(message)
        chars += len(message.text)
        if len(fresh) > HELD or (chars > HELD_CHARS and len(fresh) > 2 * HELD_FIRST):
            middle = slice(HELD_FIRST, HELD_FIRST + len(fresh) // 2)
            dropped += len(fresh[middle])
            chars -= sum(len(one.text) for one in fresh[middle])
            del fresh[middle]
    session = source.session or reading.session
    started = record.get("day")
    first_day = parse_day(started) if isinstance(started, str) else None
    first_day = first_day or local_day(reading.started or now, zone)
    resumed = _registered_day(store, session)
    batch = _Batch(reading, first_day, {}, {}, digests, known, dropped)
    for message in fresh:
        said = prepare(message)
        if said is None:
            continue
        day = _day_of(message.at, first_day, resumed, zone)
        batch.days.setdefault(day, []).append(said)
        batch.times.setdefault(day, message.at)
    if not record and len(seen) == len(digests):
        _drop_logged(store, session, batch)
    return batch


def _day_of(at: datetime | None, first_day: date, resumed: date | None, zone: tzinfo | None) -> date:
    """The day whose log a message goes to: that of the session's start, or of its resumption later on."""
    if resumed is None or (at is not None and local_day(at, zone) < resumed):
        return first_day
    return resumed


def _registered_day(store: MemoryStore, session: str) -> date | None:
    day = read_session(store, session).get("day") if session else None
    return parse_day(day) if isinstance(day, str) else None


def _offset(path: Path, record: Mapping[str, object]) -> int:
    """Where to go on reading: behind what was read, if the file is still the one that was read."""
    offset, check = record.get("offset"), record.get("check")
    if not isinstance(offset, int) or offset <= 0 or _check(path, offset) != check:
        return 0
    return offset


def _check(path: Path, offset: int) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, offset - CHECK_BYTES))
            data = file.read(min(offset, CHECK_BYTES))
    except OSError:  # the reading itself says what is wrong
        return ""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _seen(store: MemoryStore) -> set[bytes]:
    data = read_bytes(store.hidden / SEEN) or b""
    return {data[n : n + SEEN_BYTES] for n in range(0, len(data) - SEEN_BYTES + 1, SEEN_BYTES)}


def _digest(message: Message) -> bytes:
    return hashlib.blake2b(message.id.encode("utf-8", "replace"), digest_size=SEEN_BYTES).digest()


def _drop_logged(store: MemoryStore, session: str, batch: _Batch) -> None:
    """Without cursors (`.hipo/` was deleted) the log itself says which messages it has, in their order."""
    mark = f"session {short_id(session)} from "
    for day in list(batch.days):
        bodies = [entry.body for entry in store.parse_log(day).entries if mark in entry.comment + " "]
        text, at, left = "\n".join(bodies), 0, []
        for said in batch.days[day]:
            needle = said.text.split("\n", 1)[0][:100]
            found = text.find(needle, at) if text else -1
            if found < 0:
                left.append(said)
            else:
                at = found + len(needle)
                batch.known += 1
        batch.days[day] = left
        if not left:
            del batch.days[day]


def _write(
    store: MemoryStore,
    source: Source,
    batch: _Batch,
    record: Mapping[str, object],
    done: Ingested,
    now: datetime,
    zone: tzinfo | None,
) -> None:
    named = record.get("topic")
    topic = named if isinstance(named, str) else ""
    last = max(batch.days, default=None)
    for day, said in sorted(batch.days.items()):
        topic = topic or _topic(said)
        stamp = comment(batch.times[day] or now, zone, day, done.session or "unnamed")
        body = compose(said, batch.dropped if day == last else 0)
        written = store.append_entries(
            day, [Draft(topic, "project", f"{stamp} from {source.platform}", body.text)]
        )
        topic = next(
            iter(written.topics), ""
        )  # as the log has it: without secrets, and without what was forgotten
        done.places.append(f"{written.path}:{written.line_start}-{written.line_end}")
        done.lines += written.lines
        done.redacted = add_counts(done.redacted, written.redacted, *(one.redacted for one in said))
        done.private_lines += sum(one.private_lines for one in said)
    if done.lines:
        done.problems += store.count(done.lines, 0)[1]
    _remember(store, source, batch, topic, now)


def _topic(said: list[Said]) -> str:
    from hipocampus.compaction.conversation import label
    from hipocampus.memory.speech import PERSON, Turn

    asked = [Turn("User", PERSON, one.text, 0, 0) for one in said if one.role == USER][:3]
    return label(asked) if asked else "Conversation"


def _remember(store: MemoryStore, source: Source, batch: _Batch, topic: str, now: datetime) -> None:
    if batch.digests:
        data = (read_bytes(store.hidden / SEEN) or b"") + b"".join(batch.digests)
        store.ensure_hidden()
        replace_file(store.hidden / SEEN, data[-SEEN_KEPT * SEEN_BYTES :], durable=False, mode=0o600)
    cursors = store.read_own(CURSORS)
    cursors.pop(source.key, None)
    cursors[source.key] = {
        "offset": batch.reading.offset,
        "check": _check(source.path, batch.reading.offset) if batch.reading.offset else "",
        "day": batch.first_day.isoformat(),
        **({"topic": topic} if topic else {}),
        "at": iso_utc(now),
    }
    while len(cursors) > CURSORS_KEPT:
        del cursors[next(iter(cursors))]
    store.write_own(CURSORS, cursors)
