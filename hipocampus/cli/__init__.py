"""The command line: options to values, one call, one rendering."""
