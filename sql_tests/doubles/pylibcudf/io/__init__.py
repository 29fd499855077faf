"""Files."""

from __future__ import annotations

from . import parquet, types

__all__ = ["parquet", "types"]
