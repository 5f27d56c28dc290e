"""The texts that init and the brain put into a project. The only module that knows where templates/ lives."""

from functools import cache
from pathlib import Path

from hipocampus.errors import ReadError


@cache
def templates_folder() -> Path:
    """Return the folder of the templates: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "templates", package.parent / "templates"):
        if (folder / "ROOT.md").is_file():
            return folder
    raise ReadError(f"{package / 'templates'}: the templates are missing", "install hipocampus again")


def template_text(name: str) -> str:
    """Return the template `name` ("SCRATCHPAD.md", "skills/hipo-core/SKILL.md") as text."""
    try:
        return (templates_folder() / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReadError(
            f"template {name}: missing from this installation", "install hipocampus again"
        ) from None


def template_names(folder: str) -> list[str]:
    """Return the names of the templates below `folder`, sorted, as `template_text` takes them."""
    base = templates_folder()
    return sorted(p.relative_to(base).as_posix() for p in (base / folder).rglob("*") if p.is_file())
