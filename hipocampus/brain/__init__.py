"""Prompts under hard caps, conversations, handoffs, and the model call."""
