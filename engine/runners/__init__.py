"""Runs a physical plan to its result."""
