"""Other tools' memory as entries of raw logs: notes, Claude Code's own memory, OpenClaw, basic-memory, hipocampus."""
