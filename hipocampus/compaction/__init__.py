"""The compaction tree: raw logs become daily, weekly and monthly nodes, and ROOT.md."""
