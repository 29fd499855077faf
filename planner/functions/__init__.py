"""Signatures, result types and NULL rules of functions."""
