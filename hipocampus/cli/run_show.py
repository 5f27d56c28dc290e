"""What `hipo show` does."""

from hipocampus.cli.context import Call, opened
from hipocampus.cli.render import print_json, print_text
from hipocampus.cli.words import FLAG, NEEDED, Words
from hipocampus.redact import redact
from hipocampus.session.show import Shown, Step, show

WORDS = Words(
    {"--up": ("up", FLAG), "--down": ("down", FLAG), "--json": ("as_json", FLAG)}, rest=("place", NEEDED)
)


def run_show(call: Call, *, place: str, up: bool = False, down: bool = False, as_json: bool = False) -> None:
    """Print a place, or what stands above and below it."""
    here = opened(call)
    shown = _clean(show(here.store, place, up=up, down=down))
    print_json(as_document(shown)) if as_json else print_text(as_text(shown, walking=up or down))


def _clean(shown: Shown) -> Shown:
    """The place without the secrets that somebody may have written into a log by hand."""
    return shown._replace(
        text=redact(shown.text).text, up=[*map(_clean_step, shown.up)], down=[*map(_clean_step, shown.down)]
    )


def _clean_step(step: Step) -> Step:
    lines = [line._replace(text=redact(line.text).text) for line in step.lines]
    return step._replace(title=redact(step.title).text, lines=lines)


def as_document(shown: Shown) -> dict[str, object]:
    """The JSON of a place."""
    return {
        "place": shown.place,
        "path": shown.path,
        "line_start": shown.line_start,
        "line_end": shown.line_end,
        "text": shown.text,
        "up": [_step(step) for step in shown.up],
        "down": [_step(step) for step in shown.down],
    }


def _step(step: Step) -> dict[str, object]:
    lines = [{"line": line.number, "text": line.text} for line in step.lines]
    return {"place": step.place, "path": step.path, "title": step.title, "lines": lines}


def as_text(shown: Shown, *, walking: bool) -> str:
    """A place for people: its text as it stands, or, when walking, the places around it."""
    if not walking:
        return shown.text
    lines = [f"{shown.place}  {shown.path}"]
    for arrow, steps in (("↑", shown.up), ("↓", shown.down)):
        for step in steps:
            lines.append(f"{arrow} {step.place}  {step.path}{f'  {step.title}' if step.title else ''}")
            lines += [f"    {line.number}: {line.text}" for line in step.lines]
    if len(lines) == 1:
        lines.append("nothing stands there; the other direction may lead on (--up, --down)")
    return "\n".join(lines)
