"""Ids of columns and CTEs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..expr import Column


@dataclass
class ColumnIds:
    """Hands out column ids and CTE ids; one per statement, so plans are deterministic."""

    next_id: int = field(default=0)

    def fresh(self) -> int:
        """A new id."""
        self.next_id += 1
        return self.next_id

    def column(self, name: str, type_: Any, nullable: bool = True) -> Column:
        """A new column."""
        return Column(self.fresh(), name, type_, nullable)
