"""What a search found, in words and as JSON, with the lines that the terminal shows too."""

from hipocampus.cli.render import plain
from hipocampus.recall import Hit, Recall, Triaged


def as_document(found: Recall, explain: bool) -> dict[str, object]:
    """The JSON of a search."""
    results = []
    for hit in found.hits:
        one: dict[str, object] = {
            "path": hit.path,
            "line_start": hit.line_start,
            "line_end": hit.line_end,
            "topic": plain(hit.topic),
            "type": hit.type,
            "date": hit.date or None,
            "age_days": hit.age_days,
            "level": hit.level,
            "score": hit.score,
            "text": plain(hit.text),
            "warnings": list(hit.warnings),
        }
        if explain:
            one["parts"] = hit.parts
        results.append(one)
    return {
        "query": found.query,
        "results": results,
        "triage": [topic._asdict() for topic in found.triage],
        "index": {"files": found.files, "refreshed": found.refreshed, "seconds": round(found.seconds, 4)},
        "notes": list(found.notes),
    }


def as_text(found: Recall, explain: bool) -> str:
    """A search as plain text: topics that fit, notes, then one paragraph a result."""
    parts = [f"({note})" for note in found.notes]
    parts += [topic_line(topic) for topic in found.triage]
    head = ["\n".join(parts)] if parts else []
    body = ["\n".join([headline(hit), *explained(hit, explain), hit.text.strip("\n")]) for hit in found.hits]
    if not body:
        head += nothing_found(found)
    return "\n\n".join([*head, *body])


def nothing_found(found: Recall) -> list[str]:
    """What is said instead of results; a list that is empty for the reason in its notes needs no more."""
    if found.query.strip():
        return [f"nothing found for {found.query!r}"]
    return [] if found.notes else ["nothing to look for"]


def topic_line(topic: Triaged) -> str:
    """A topic of ROOT.md's index on one line."""
    age = "" if topic.age_days is None else f", {topic.age_days}d"
    place = f" → {topic.path}" if topic.path else ""
    return f"topic: {topic.topic} [{topic.type}{age}]{place}"


def headline(hit: Hit) -> str:
    """Where a result stands and what it is, on one line: `memory/2026-03-15.md:12 Payment flow [project] …`."""
    lines = f"{hit.line_start}" if hit.line_start == hit.line_end else f"{hit.line_start}-{hit.line_end}"
    said = [f"{hit.path}:{lines}", hit.topic, f"[{hit.type}]", hit.date]
    said.append("" if hit.age_days is None else f"{hit.age_days}d")
    return " ".join(part for part in said if part) + "".join(f" ({warning})" for warning in hit.warnings)


def explained(hit: Hit, explain: bool) -> list[str]:
    if not explain:
        return []
    parts = " + ".join(f"{name} {value:g}" for name, value in hit.parts.items())
    return [f"score {hit.score:g} = {parts}" if parts else f"score {hit.score:g}"]
