"""The shape of the recall index: its version, its tables, and the rows that come out of them."""

from typing import NamedTuple

SCHEMA = 3
"""Version of the tables and of what is put into them; an index with another number is built anew."""

NODE_LEVELS = ("daily", "weekly", "monthly")

NODES_FROM = 1 << 40
"""First number of units and sections of nodes (daily, weekly, monthly)."""

_TOKENIZE = "porter unicode61 remove_diacritics 2"

TABLES = f"""
CREATE TABLE listing(maker TEXT, paths BLOB, numbers BLOB);
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT, level TEXT, made TEXT, units INT);
CREATE TABLE sections(id INTEGER PRIMARY KEY, file INT, line_start INT, line_end INT, topic TEXT, type TEXT,
  key TEXT, first TEXT, last TEXT, unit_first INT, unit_last INT, supersedes TEXT, digest TEXT);
CREATE TABLE units(id INTEGER PRIMARY KEY, section INT, line_start INT, line_end INT, role TEXT, speaker TEXT, text TEXT, facts TEXT,
  heading TEXT, said TEXT, body TEXT);
CREATE TABLE texts(path TEXT PRIMARY KEY, text TEXT);
CREATE INDEX sections_of ON sections(file);
CREATE INDEX sections_first ON sections(first);
CREATE INDEX sections_key ON sections(key) WHERE key <> '';
CREATE INDEX sections_over ON sections(id) WHERE supersedes <> '';
CREATE VIRTUAL TABLE unit_words USING fts5(heading, said, body, content='units', content_rowid='id',
  tokenize='{_TOKENIZE}');
CREATE VIRTUAL TABLE section_words USING fts5(heading, said, body, content='', tokenize='{_TOKENIZE}');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(unit_words, row);
CREATE VIRTUAL TABLE section_vocabulary USING fts5vocab(section_words, row);
"""


class FileState(NamedTuple):
    """What the index knows of a file. `made` is how a node came about when hipo made all of it from the files
    below ("verbatim", "extractive"), else ""."""

    path: str
    digest: str
    level: str
    made: str = ""


class SectionRow(NamedTuple):
    """A section as stored. `first` and `last` are ISO dates or ""; `supersedes` holds topic keys, one a line."""

    id: int
    path: str
    level: str
    made: str
    line_start: int
    line_end: int
    topic: str
    type: str
    key: str
    first: str
    last: str
    unit_first: int
    unit_last: int
    supersedes: str


class UnitRow(NamedTuple):
    """A unit as stored. `words` is its text as indexed, with the heading that it is found by; `facts` is what each
    of its sentences tells of the person who speaks, empty for notes and for what an assistant said."""

    id: int
    section: int
    line_start: int
    line_end: int
    role: str
    speaker: str
    text: str
    words: str
    facts: tuple[float, ...] = ()


def digest_of(data: bytes) -> str:
    """Return what tells a file's content apart from any other."""
    import hashlib

    return hashlib.blake2b(data, digest_size=12).hexdigest()
