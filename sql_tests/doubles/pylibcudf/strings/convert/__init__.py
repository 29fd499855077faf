"""Strings made of other types, and other types of strings."""

from __future__ import annotations

from . import convert_booleans, convert_datetime, convert_fixed_point, convert_floats, convert_integers

__all__ = [
    "convert_booleans",
    "convert_datetime",
    "convert_fixed_point",
    "convert_floats",
    "convert_integers",
]
