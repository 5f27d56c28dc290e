"""What the files of a memory mean: pure parsing and rendering, and the store."""
