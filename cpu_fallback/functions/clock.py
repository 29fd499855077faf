"""The time of a statement.

now() and current_date have one value for a whole statement: the planner puts it into the plan as a literal
where it can. What reaches the CPU backend is evaluated at the time of the call.
"""

from __future__ import annotations

import time


def statement_micros() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000
