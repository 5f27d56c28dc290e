"""`hipo doctor`: what is wrong with the memory, and repairing what can be derived."""

from typing import Annotated

import typer

from hipocampus.cli.context import Here, opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_text
from hipocampus.memory.store import Problem
from hipocampus.session.doctor import Finding, examine, repair

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def doctor_command(
    ctx: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair what can be derived: nodes, ROOT.md, the state's counters.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every rule on disk. Exit status 1 when something is wrong.

    Looks at the state, nodes and their sources, names, conflict markers, secrets in old files, wiring, hooks
    and background work. --fix never touches a raw log or what people wrote.
    """
    here = opened(ctx.obj)
    fixed: list[str] = []
    failed: list[Finding] = []
    if fix:
        fixed, report = repair(here.store, here.config, here.now, here.zone)
        failed = [Finding(p.path, p.line, "repair", f"not repaired: {p.message}") for p in report.problems]
    findings = failed + examine(here.store, here.config, here.now, here.zone, _wiring(here))
    if as_json:
        print_json({"ok": not findings, "findings": [f.__dict__ for f in findings], "fixed": fixed})
    else:
        print_text(as_text(findings, fixed))
    if findings:
        raise typer.Exit(1)


def as_text(findings: list[Finding], fixed: list[str]) -> str:
    """A line for each repair and each finding, and what can be done about the rest."""
    lines = [f"fixed {line}" for line in fixed]
    for finding in findings:
        where = f"{finding.path}:{finding.line}" if finding.line else finding.path
        lines.append(f"{where}: {finding.message}")
    if not findings:
        return "\n".join([*lines, "all is well"])
    fixable = sum(finding.fixable for finding in findings)
    tail = f"{len(findings)} found" + (f", {fixable} of them for: hipo doctor --fix" if fixable else "")
    return "\n".join([*lines, "", tail])


def _wiring(here: Here) -> list[Problem]:
    from hipocampus.platforms.configkeys import config_problems
    from hipocampus.platforms.problems import wiring_problems

    return wiring_problems(here.root) + config_problems(here.config)
