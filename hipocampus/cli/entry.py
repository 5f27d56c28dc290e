"""The program's entry: hooks go a short way that loads no command-line library, all the rest to app.py."""

import os
import sys
from typing import Never


def main() -> Never:
    """Run the command line and end the process with its exit status."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        _open_closed_streams()
    if "hook" in sys.argv[1:6]:
        from hipocampus.cli.hookcall import hook_call, serve

        call = hook_call(sys.argv[1:])
        if call is not None:
            try:
                serve(call)
            except KeyboardInterrupt:  # meant for the agent; its hook ends as always
                sys.exit(0)
            sys.exit(0)
    from hipocampus.cli.app import main as run_app

    run_app()


def _open_closed_streams() -> None:
    """Open what the caller closed (`>&-`): else the next file that hipo opens, a log or a lock, would be its stdout."""
    for handle, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != handle:
                os.dup2(opened, handle)
                os.close(opened)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8", closefd=False))
