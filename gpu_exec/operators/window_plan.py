"""The table of functions over windows: each gives a column in window order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...planner.expr import WindowCall
from .window_aggregates import WINDOW_AGGREGATES
from .window_frames import Frames
from .window_ranks import cume_dist, dense_rank, ntile, percent_rank, rank, row_number
from .window_rows import WindowRows
from .window_values import first_value, lag, last_value, lead, nth_value

WINDOWS: dict[str, Callable[[WindowCall, WindowRows, Frames], Any]] = {
    "row_number": row_number,
    "rank": rank,
    "dense_rank": dense_rank,
    "percent_rank": percent_rank,
    "cume_dist": cume_dist,
    "ntile": ntile,
    "lag": lag,
    "lead": lead,
    "first_value": first_value,
    "last_value": last_value,
    "nth_value": nth_value,
    **WINDOW_AGGREGATES,
}
