"""One optimiser rule a file."""
