"""`python -m hipocampus`: the same as `hipo`."""

from hipocampus.cli.entry import main

main()
