"""What several tests use: running the command line, making trees, looking at trees."""
