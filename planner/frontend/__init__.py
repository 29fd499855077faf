"""Parsing, script splitting and source spans."""
