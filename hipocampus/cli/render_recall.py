"""Results of a search on a terminal: places that editors open, and the words of the query marked."""

from rich.text import Text

from hipocampus.cli.recall_text import explained, nothing_found, topic_line
from hipocampus.cli.render import console, plain
from hipocampus.recall import Hit, Recall
from hipocampus.recall.marks import spans


def print_on_terminal(found: Recall, explain: bool) -> None:
    """Print results for a person: places that editors open, and the words of the query marked."""
    out = console()
    for note in found.notes:
        out.print(Text(note, style="yellow"))
    for topic in found.triage:
        out.print(Text(plain(topic_line(topic)), style="dim"))
    for hit in found.hits:
        line = Text("\n") + Text(f"{hit.path}:{hit.line_start}", style="bold cyan")
        line.append(plain(f"  {hit.topic} [{hit.type}]").rstrip(), style="bold")
        line.append(f"  {' '.join(part for part in (hit.date, _age(hit)) if part)}", style="dim")
        out.print(line, soft_wrap=True)
        for warning in hit.warnings:
            out.print(Text(warning, style="yellow"))
        for reason in explained(hit, explain):
            out.print(Text(reason, style="dim"))
        text = Text(plain(hit.text.strip("\n")))
        for start, end in spans(text.plain, found.query):
            text.stylize("bold magenta", start, end)
        out.print(text)
    if not found.hits:
        for said in nothing_found(found):
            out.print(Text(said))


def _age(hit: Hit) -> str:
    if hit.age_days is None:
        return ""
    return {0: "today", 1: "yesterday"}.get(hit.age_days, f"{hit.age_days} days ago")
