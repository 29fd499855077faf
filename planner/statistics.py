"""Column statistics and their provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ColumnStats:
    """What is known of a column. `low`/`high` are in the literal form of the type (types.TYPES) and inclusive
    bounds.

    `rows` and `nulls` count rows; `ndv` estimates distinct non-NULL values; `exact` says that min/max/nulls
    hold for sure (so rules may rely on them), otherwise they only steer costs. For floats bounds never say
    anything about NaN. `source` is where the numbers come from ('parquet', 'memory', 'sample', 'derived',
    'guess'), `confidence` is 0..1.
    """

    rows: float
    nulls: float | None = None
    ndv: float | None = None
    low: Any = None
    high: Any = None
    exact: bool = False
    source: str = "guess"
    confidence: float = 0.1


@dataclass(frozen=True, slots=True)
class TableStats:
    """Row count and whether it is exact."""

    rows: float
    exact: bool = False
