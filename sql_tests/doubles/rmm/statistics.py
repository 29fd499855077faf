"""Numbers that a statistics adaptor keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Statistics:
    """Bytes and allocations: now, at most, in all."""

    current_bytes: int
    current_count: int
    peak_bytes: int
    peak_count: int
    total_bytes: int
    total_count: int
