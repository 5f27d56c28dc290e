"""What happens during a session: start, checkpoints, tasks."""
