"""Strings split."""

from __future__ import annotations

from . import partition, split

__all__ = ["partition", "split"]
