"""`python -m hipocampus`: the same as `hipo`."""

from hipocampus.cli.app import main

main()
