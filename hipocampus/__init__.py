"""Long-term memory for coding agents, in plain Markdown files."""
