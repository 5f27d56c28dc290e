"""Agent platforms: what init wires, what their hooks say, how their transcripts read."""
