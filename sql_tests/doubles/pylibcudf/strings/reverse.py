"""Strings backwards."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from .._strings import each
from ..column import Column


@library
def reverse(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """By code points."""
    return each(input, lambda text: text[::-1])
