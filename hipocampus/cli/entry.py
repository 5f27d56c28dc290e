"""The program's entry: hooks go a short way that loads no command-line library, all the rest to app.py."""

import sys
from typing import Never


def main() -> Never:
    """Run the command line and end the process with its exit status."""
    if "hook" in sys.argv[1:4]:
        from hipocampus.cli.hookcall import fast_words, serve

        words = fast_words(sys.argv[1:])
        if words is not None:
            serve(*words)
            sys.exit(0)
    from hipocampus.cli.app import main as run_app

    run_app()
