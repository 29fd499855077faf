"""One operator a file."""
