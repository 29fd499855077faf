"""One file for each kind of statement."""
