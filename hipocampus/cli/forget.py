"""`hipo forget`: take something out of the memory for good, after showing where it stands."""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

import typer

from hipocampus.cli.context import Here, opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.errors import HipoError, UsageError
from hipocampus.files import decode, read_bytes
from hipocampus.memory.periods import parse_period
from hipocampus.memory.store import Problem
from hipocampus.redact import redact
from hipocampus.session.forget import Forgotten, carry_out, plan, without_thing
from hipocampus.session.forgetsecrets import carry_out_secrets, plan_secrets
from hipocampus.session.holding import Held, Thing

EXAMPLES = """
\b
Examples:
  hipo forget "5 Elm Street" --dry-run
  hipo forget 2026-03-15:12-18
  hipo forget --secrets
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=EXAMPLES)
def forget_command(
    ctx: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PLACE|QUERY", help="A place (2026-03-15:12-18, a day, a file), or words as they stand."
        ),
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Everything that the redactor finds in old logs and notes.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the places; write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take something out of the memory for good, because a person says so.

    Shows every place that holds it, asks, puts a tombstone with the date in place of the text, and makes nodes,
    ROOT.md and the index anew. Words in a heading take the whole entry with them, other words the lines they
    stand in. Lists what is out of reach: git's history, transcripts of the agents, other copies.
    """
    if (what is None) == (not secrets):
        raise UsageError(
            "forget: name a place or some words, or use --secrets", "not both; see hipo forget --help"
        )
    here = opened(ctx.obj)
    job = _words_job(here, what) if what is not None else _secrets_job(here)
    outside = _outside(here, job.thing)
    if dry_run or not job.held:
        _tell(job.held, None, job.problems, outside, as_json)
        return
    if not as_json:
        print_text(_places(job.held))
    if not yes and not _agreed(len(job.held)):
        print_text("nothing was changed")
        raise typer.Exit(1)
    done = job.run()
    _in_redis(here, job.edit, dry_run=False)
    _tell(job.held, done, done.left, outside, as_json)
    if done.left:
        raise typer.Exit(1)


class _Job(NamedTuple):
    """What is to be taken out, where it stands, and how."""

    thing: Thing | None  # None for secrets
    held: list[Held]
    problems: list[Problem]
    edit: Callable[[str], str]  # a record without it
    run: Callable[[], Forgotten]


def _words_job(here: Here, what: str) -> _Job:
    planned = plan(here.store, what)

    def edit(line: str) -> str:
        return without_thing(line, planned.thing, here.today)

    held = [*planned.held, *_in_redis(here, edit, dry_run=True)]
    if not held:
        raise _nothing(here, what)
    return _Job(
        planned.thing,
        held,
        planned.problems,
        edit,
        lambda: carry_out(here.store, here.config, planned, here.now, here.zone),
    )


def _secrets_job(here: Here) -> _Job:
    found, _, problems = plan_secrets(here.store)

    def edit(line: str) -> str:
        return redact(line).text

    held = [*found, *_in_redis(here, edit, dry_run=True)]
    return _Job(
        None,
        held,
        problems,
        edit,
        lambda: carry_out_secrets(here.store, here.config, found, here.now, here.zone),
    )


def _in_redis(here: Here, edit: Callable[[str], str], *, dry_run: bool) -> list[Held]:
    """Where conversations and handoffs in Redis hold it; unless it is a dry run, it is taken out there."""
    if here.config.brain.store != "redis":
        return []
    from hipocampus.brain.openlists import open_lists
    from hipocampus.brain.redisstore import RedisLists
    from hipocampus.brain.stores import CONVERSATIONS, HANDOFFS

    lists = open_lists(here.config.brain, here.store, here.now)
    assert isinstance(lists, RedisLists)
    return [
        Held(key, 1, 1, "redis", f"{count} record{'' if count == 1 else 's'}")
        for kind in (CONVERSATIONS, HANDOFFS)
        for key, count in lists.rewrite(kind, edit, dry_run=dry_run).items()
    ]


def _agreed(places: int) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "forget: asks before it writes, and nobody is there to answer",
            "look with --dry-run, then use --yes",
        )
    return typer.confirm(f"Forget {_count(places)} for good?")


def _tell(
    held: Sequence[Held],
    done: Forgotten | None,
    problems: Sequence[Problem],
    outside: Sequence[str],
    as_json: bool,
) -> None:
    print_notes(f"{p.path}{f':{p.line}' if p.line else ''}: {p.message}" for p in problems)
    if as_json:
        print_json(
            {
                "places": [
                    {"path": h.path, "line_start": h.first, "line_end": h.last, "kind": h.kind} for h in held
                ],
                "forgotten": done is not None,
                "files": done.files if done else [],
                "rebuilt": done.rebuilt if done else [],
                "redacted": dict(done.redacted) if done else {},
                "left": [{"path": p.path, "line": p.line, "message": p.message} for p in problems],
                "outside": list(outside),
            }
        )
        return
    lines = []
    if done is None:
        lines.append(_places(held) if held else "nothing is to be forgotten")
    else:
        lines.append(f"forgotten in {_files(len(done.files))}, {_files(len(done.rebuilt))} made anew")
        lines += [f"redacted: {count} {kind}" for kind, count in done.redacted.items()]
    lines += [f"out of reach: {where}" for where in outside]
    print_text("\n".join(lines))


def _places(held: Sequence[Held]) -> str:
    lines = []
    for h in held:
        where = f"{h.path}:{h.first}" + (f"-{h.last}" if h.last > h.first else "")
        said = redact(h.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()).text
        made = " (made anew)" if h.kind == "node" else ""
        lines.append(f"{where}{made}  {said if len(said) <= 80 else said[:79] + '…'}")
    return "\n".join(lines)


def _nothing(here: Here, what: str) -> HipoError:
    """Nothing holds the words as they stand; what recall finds for them may be what was meant."""
    if period := re.fullmatch(r"(\d{4}-(?:\d\d-\d\d|W\d\d|\d\d))(?::[\d-]+)?", what.strip(), re.ASCII):
        size = {10: "day", 8: "week", 7: "month"}[len(period[1])]
        if parse_period(period[1]) is None:
            return HipoError(f"forget: {what.strip()}: no such {size}", "nothing was changed")
        return HipoError(f"forget: {what.strip()}: that {size} has no log", "hipo status shows what there is")
    from hipocampus.recall import search

    hits = search(here.root, what, today=here.today, n=3).hits
    near = ", ".join(f"{h.path}:{h.line_start}-{h.line_end}" for h in hits)
    hint = f"near it: {near}; name one of these places" if near else "nothing was changed"
    return HipoError(f"forget: nothing holds {what!r} word for word", hint)


def _outside(here: Here, thing: Thing | None) -> list[str]:
    """Where copies may stand that no command of this memory reaches."""
    found = []
    folder = next((f for f in (here.root, *here.root.parents) if (f / ".git").exists()), None)
    if folder is not None:
        found.append(f"the history of the git repository {folder}, and its clones")
    found += _transcripts(here, thing)
    found.append("backups and other machines that hold a copy of this folder")
    return found


def _transcripts(here: Here, thing: Thing | None) -> list[str]:
    """The agents' own transcripts of this project; where words are looked for, those that hold them."""
    from hipocampus.platforms.discover import READERS, find

    lines = []
    for platform in READERS:
        for path in dict.fromkeys(source.path for source in find(platform, here.root)):
            if thing is None or thing.exact or thing.is_in(decode(read_bytes(path) or b"")):
                lines.append(f"{platform}'s transcript {path}")
    return lines


def _count(places: int) -> str:
    return f"{places} place{'' if places == 1 else 's'}"


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"
