"""What can happen to the files of a memory, and what hipo answers. README.md has the table."""
