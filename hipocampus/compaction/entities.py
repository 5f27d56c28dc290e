"""Names that come back in a period: paths, ids, versions, commands and proper names; and its themes.

Pure. Weekly nodes list what was referenced, monthly nodes what recurs.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from hipocampus.compaction.items import ENTITY, Item, quoted
from hipocampus.memory.telegram import FILLERS

_TECHNICAL = re.compile(
    r"`([^`\n]{2,60})`|((?:[\w.~-]+/)+[\w.-]*\w|\b[\w-]+\.(?:py|js|ts|tsx|rs|go|java|kt|c|h|cpp|md|json|ya?ml|toml|sql|sh|html|css)\b"
    r"|\b[A-Z][A-Z0-9]+-\d+\b|\bv\d+(?:\.\d+)+\b)"
)
_NAME = r"(?<=[\w,;:] )((?:[A-Z][\w'&-]+ ){1,3}[A-Z][\w'&-]+)"
_WORD = re.compile(r"[^\W\d_][\w-]{2,}")
_PLAIN = frozenset(
    "tips ideas help best better good recommendations suggestions about using ways things thing need want trying make making "
    "show shows time next recommend general improve list options different plan planning upcoming between write create explain "
    "related recent recently working start learn learning information advice questions question issues issue problem conversation "
    "latest future similar local great specific find look looking nearby buying getting been that this keep soon weekend "
    "weekends weekly week weeks month year today tomorrow discuss visit events event play right recommended certain suitable "
    "used currently provide discuss understanding following given each other possible work project great more most".split()
)


def entities(items: Iterable[Item], at_least: int) -> list[Item]:
    """Return the names that the items mention at least `at_least` times, most mentioned first."""
    count: dict[str, int] = {}
    places: dict[str, dict[str, None]] = {}
    for item in items:
        if item.kind == ENTITY:
            found = [(item.topic, item.times)]
        else:
            names = _technical(item.text)
            if quoted(item.text):
                names += re.findall(_NAME, item.text)
            found = [(name, 1) for name in dict.fromkeys(names)]
        if not found:
            continue
        days = dict.fromkeys([place.partition(":")[0] for place in item.places])
        for name, times in found:
            count[name] = count.get(name, 0) + times
            places.setdefault(name, {}).update(days)
    order = {name: number for number, name in enumerate(count)}
    kept = sorted((n for n in count if count[n] >= at_least), key=lambda n: (-count[n], order[n]))
    return [Item(ENTITY, name, "project", "", tuple(sorted(places[name])), count[name]) for name in kept]


def _technical(text: str) -> list[str]:
    """Return the paths, ids, versions and commands in a text, in order."""
    if "`" not in text:  # all others are single words, and few words can be one: looking for them is cheaper
        text = " ".join([word for word in text.split() if "." in word or "/" in word or "-" in word])
    return [a or b for a, b in _TECHNICAL.findall(text)] if text else []


def themes(topics: Iterable[Item], most: int) -> list[tuple[str, int]]:
    """Return what a period was about: topics mentioned again and again, and words that topics share."""
    shared: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for item in topics:
        if item.times > 1:
            named[item.topic] += item.times
        words = [w.casefold() for w in _WORD.findall(item.topic)]
        said = {w for w in words if len(w) > 3 and w not in _PLAIN and w not in FILLERS}
        pairs = {f"{a} {b}" for a, b in pairwise(words) if a in said and b in said}
        for phrase in said | pairs:
            shared[phrase] += item.times
    for pair in [phrase for phrase in shared if " " in phrase]:
        if shared[pair] < 3:
            del shared[pair]
    found = named + Counter({phrase: n for phrase, n in shared.items() if n >= 4})
    out: list[tuple[str, int]] = []
    for phrase, count in sorted(found.items(), key=lambda p: (-p[1] * (2 if " " in p[0] else 1), p[0])):
        stems = {w[:5].casefold() for w in phrase.split()}
        if not any(stems & {w[:5].casefold() for w in other.split()} for other, _ in out):
            out.append((phrase, count))
    return out[:most]
