"""What Arrow is told of a column."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class ColumnMetadata:
    """A column's name, and what its DataType does not say."""

    name: str = ""
    timezone: str = ""
    precision: int | None = None
    children_meta: list[ColumnMetadata] = field(default_factory=list)
