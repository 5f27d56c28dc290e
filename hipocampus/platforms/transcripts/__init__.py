"""Readers of the platforms' transcripts: what people and agents said, one message after another, and nothing else."""
