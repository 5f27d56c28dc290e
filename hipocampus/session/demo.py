"""A memory of six weeks, made by the real functions in a folder of its own, so that people see what they get."""

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import NamedTuple

from hipocampus.clock import local_day
from hipocampus.compaction.report import CompactionReport
from hipocampus.compaction.run import compact
from hipocampus.config import Config
from hipocampus.files import write_text
from hipocampus.memory.hot import WORKING
from hipocampus.memory.store import MemoryStore
from hipocampus.session.changes import apply
from hipocampus.session.checkpoint import checkpoint, fields_draft
from hipocampus.session.init import plan_tree
from hipocampus.session.show import Shown, show
from hipocampus.session.start import Started, start


class Story(NamedTuple):
    """One entry of the demo: days before today, topic, type, fields."""

    days_ago: int
    topic: str
    type: str
    values: dict[str, list[str]]


STORY = (
    Story(
        41,
        "Working with me",
        "user",
        {"request": ["remember: I maintain the billing service alone, mornings only, and read on a phone"]},
    ),
    Story(
        40,
        "Short answers",
        "feedback",
        {
            "rule": ["answer in three lines, details on request"],
            "why": ["reads on a phone"],
            "how-to-apply": ["every status question"],
        },
    ),
    Story(
        38,
        "Payment flow",
        "project",
        {
            "request": ["draft the new payment flow"],
            "decisions": ["leaky bucket in front of the gateway — simple to explain"],
            "outcome": ["design note written"],
            "files": ["docs/payment-flow.md"],
        },
    ),
    Story(
        31,
        "Billing sandbox",
        "reference",
        {
            "outcome": ["sandbox needs a fresh account a week; limits are 50 requests a second"],
            "references": ["knowledge/billing.md"],
        },
    ),
    Story(
        24,
        "Flaky checkout test",
        "project",
        {
            "analysis": ["the clock was mocked in one place and read in another"],
            "decisions": ["pass the clock as an argument everywhere"],
            "outcome": ["tests/test_checkout.py runs 200 times without a failure"],
            "files": ["shop/checkout.py", "tests/test_checkout.py"],
        },
    ),
    Story(
        12,
        "Payment flow",
        "project",
        {
            "analysis": ["bursts on paydays are legitimate; a leaky bucket refuses them"],
            "decisions": [
                "token bucket over leaky bucket — bursts are legitimate",
                "limit 200/s a merchant, measured at the gateway",
            ],
            "outcome": ["rate limit holds at 200/s, 3 tests"],
            "files": ["gateway/limits.py"],
            "supersedes": ["payment flow draft"],
        },
    ),
    Story(
        5,
        "Commit messages",
        "feedback",
        {
            "rule": ["imperative mood, at most 60 characters"],
            "why": ["the changelog is built from them"],
            "how-to-apply": ["every commit"],
        },
    ),
    Story(
        3,
        "Refund endpoint",
        "project",
        {
            "request": ["refunds in parts"],
            "decisions": ["a refund is a negative payment with a parent — no second table"],
            "outcome": ["POST /refunds, migration 0042, 7 tests"],
            "files": ["billing/refunds.py"],
        },
    ),
    Story(
        1,
        "Refund endpoint",
        "project",
        {
            "analysis": ["rounding: parts may add up to one cent less"],
            "decisions": ["the last part takes the rest"],
            "outcome": ["billing/rounding.py, property test"],
        },
    ),
)

WORKING_NOW = """# Working

## Refunds in the admin page

### Key Files
- admin/refunds.tsx:40 — the form

### Next Steps
- [ ] show the remaining amount before the form is sent
"""


class Demo(NamedTuple):
    """What the demo made, for printing."""

    entries: int
    report: CompactionReport
    started: Started
    root: Shown
    found: Shown


def run_demo(folder: Path, now: datetime, zone: tzinfo | None, say: Callable[[str], None]) -> Demo:
    """Make the tree in `folder` (empty), and return what each step gave. `say` gets a line a step."""
    today = local_day(now, zone)
    first = today - timedelta(days=STORY[0].days_ago)
    apply(plan_tree(folder, first, []))
    say(f"$ hipo init\nthe tree of {first}: hot files, memory/, knowledge/, plans/")
    store, config = MemoryStore(folder), Config()
    for story in STORY:
        then = now - timedelta(days=story.days_ago)
        draft, omitted = fields_draft(story.topic, story.type, story.values)
        done = checkpoint(
            store, config.compaction, [draft], omitted, session=None, day=None, now=then, zone=zone
        )
        say(
            f'$ hipo checkpoint "{story.topic}" --type {story.type} …\nsaved → {done.path}:{done.line_start}-{done.line_end}'
        )
    write_text(folder / WORKING, WORKING_NOW)
    report = compact(store, config, now, zone)
    started = start(store, config, now, zone, session="demo")
    last = today - timedelta(days=STORY[-1].days_ago)
    return Demo(
        len(STORY),
        report,
        started,
        show(store, "root", up=False, down=True),
        show(store, f"{last}:3", up=True, down=False),
    )
