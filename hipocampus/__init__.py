"""A memory for AI coding agents, kept in plain markdown files."""

__version__ = "0.1.0"
